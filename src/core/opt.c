/* SPDX-License-Identifier: MIT */
/* opt - one table per applet, from which parsing, --help and exclusions come. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <core/applet.h>
#include <core/msg.h>
#include <core/opt.h>
#include <core/size.h>

#define HELP_COLUMN 23

static const struct opt common[] = {
	OPT_FLAG('h', "help", NULL, NULL),
	OPT_FLAG(0, "version", NULL, NULL),
	OPT_END,
};

/* Which of the words separated by '|' @text of length @len is, or -1. */
static int word_index(const char *words, const char *text, size_t len)
{
	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|");

		if (n == len && !strncmp(words, text, n))
			return i;
		if (!words[n])
			return -1;
		words += n + 1;
	}
}

static void word_list(char *buf, size_t size, const char *words)
{
	size_t n = 0;

	for (; *words && n + 3 < size; words++) {
		buf[n++] = *words == '|' ? ',' : *words;
		if (*words == '|')
			buf[n++] = ' ';
	}
	buf[n] = '\0';
}

static int bad_word(const struct opt *o, const char *text)
{
	char list[256];
	uint64_t ignored;

	word_list(list, sizeof(list), o->words);
	if (o->hint && !size_parse(text, &ignored))
		return usage("--%s: '%.200s' is not one of %s (%s)", o->name, text, list, o->hint);
	return usage("--%s: '%.200s' is not one of %s", o->name, text, list);
}

static int bad_number(const struct opt *o, const char *text, int rc)
{
	static const char *const form[] = {
		[OPT_TYPE_SIZE] = "a size like 512, 64KiB, 1GiB or 1GB",
		[OPT_TYPE_NUMBER] = "a whole number",
		[OPT_TYPE_TIME] = "a time like 15, 0.5s or 10ms",
		[OPT_TYPE_RATE] = "a rate like 50MB/s",
	};

	if (rc == -ERANGE)
		return usage("--%s: '%.200s' is too large", o->name, text);
	return usage("--%s: '%.200s' is not %s", o->name, text, form[o->type]);
}

static int set_number(const struct opt *o, const char *text)
{
	uint64_t value = 0;
	int rc;

	if (o->type == OPT_TYPE_TIME)
		rc = size_parse_time(text, &value);
	else if (o->type == OPT_TYPE_RATE)
		rc = size_parse_rate(text, &value);
	else
		rc = size_parse(text, &value);
	if (!rc && o->type == OPT_TYPE_NUMBER && text[strspn(text, "0123456789")])
		rc = -EINVAL;
	if (rc < 0)
		return bad_number(o, text, rc);
	if (value < o->min)
		return usage("--%s: %.200s is below %llu, the least that can be measured", o->name, text,
			     (unsigned long long)o->min);
	if (o->max && value > o->max)
		return usage("--%s: %.200s is above %llu", o->name, text, (unsigned long long)o->max);
	*o->to.number = value;
	return 0;
}

static int set_words(const struct opt *o, const char *text)
{
	unsigned set = 0;

	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		int i = word_index(o->words, p, n);

		if (i < 0)
			return bad_word(o, text);
		set |= 1u << i;
		p += n;
		if (!*p)
			break;
	}
	*o->to.set = set;
	return 0;
}

static int set_value(const struct opt *o, const char *text)
{
	int i;

	switch (o->type) {
	case OPT_TYPE_FLAG:
		*o->to.flag = true;
		return 0;
	case OPT_TYPE_TEXT:
		*o->to.text = text;
		return 0;
	case OPT_TYPE_SET:
		return set_words(o, text);
	case OPT_TYPE_CHOICE:
		i = word_index(o->words, text, strlen(text));
		if (i < 0)
			return bad_word(o, text);
		*o->to.choice = i;
		return 0;
	default:
		return set_number(o, text);
	}
}

static void print_option(const struct opt *o, int *column)
{
	int fresh = !*column;

	if (!fresh)
		*column += printf(", ");
	if (o->letter)
		*column += printf("%s-%c, ", fresh ? "  " : "", o->letter);
	else if (fresh)
		*column += printf("      ");
	*column += printf("--%s", o->name);
	if (o->value)
		*column += printf("%c%s", o->exact ? '=' : ' ', o->value);
}

static void print_help(const struct applet *a)
{
	int column = 0;

	fputs(a->usage, stdout);
	for (const struct opt *o = a->opts; o->type; o++) {
		const char *p = o->help;

		print_option(o, &column);
		if (!p)
			continue;
		if (*p && column > HELP_COLUMN - 1) {
			putchar('\n');
			column = 0;
		}
		for (; *p; p++, column = 0) {
			size_t n = strcspn(p, "\n");

			printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)n, p);
			p += n;
			if (!*p)
				break;
		}
		if (!*o->help)
			putchar('\n');
		column = 0;
	}
	printf("  -h, --help           this;  --version: version and features\n");
	fputs(a->notes, stdout);
}

/* 0, the option's own table entry in *found; or what to end with. */
static int find_long(const struct applet *a, const char *name, size_t len, const struct opt **found)
{
	const struct opt *const tables[] = { a->opts, common };
	int matches = 0;

	for (unsigned t = 0; t < 2; t++)
		for (const struct opt *o = tables[t]; o->type; o++) {
			if (strncmp(o->name, name, len))
				continue;
			if (!o->name[len]) {
				*found = o;
				return 0;
			}
			if (!o->exact) {
				*found = o;
				matches++;
			}
		}
	if (matches == 1)
		return 0;
	return usage(matches ? "option '--%.*s' is short for more than one" : "there is no option '--%.*s'",
		     len > 200 ? 200 : (int)len, name);
}

static const struct opt *find_letter(const struct applet *a, char c)
{
	const struct opt *const tables[] = { a->opts, common };

	for (unsigned t = 0; t < 2; t++)
		for (const struct opt *o = tables[t]; o->type; o++)
			if (o->letter == c)
				return o;
	return NULL;
}

static int clash(const struct opt *given, const struct opt **earlier, unsigned n)
{
	for (unsigned i = 0; given->excludes && i < n; i++)
		if (earlier[i] != given && earlier[i]->excludes &&
		    strpbrk(earlier[i]->excludes, given->excludes))
			return usage("--%s and --%s exclude each other", earlier[i]->name, given->name);
	return 0;
}

struct parse {
	const struct applet *applet;
	char **next; /* the word after the option's own */
	const struct opt *given[64];
	unsigned count;
	bool help, version;
};

/* Each once: a table is shorter than the list. */
static void remember(struct parse *p, const struct opt *o)
{
	for (unsigned i = 0; i < p->count; i++)
		if (p->given[i] == o)
			return;
	if (p->count < sizeof(p->given) / sizeof(p->given[0]))
		p->given[p->count++] = o;
}

static int take(struct parse *p, const struct opt *o, const char *value)
{
	if (!o->value && value)
		return usage("--%s takes no value", o->name);
	if (o == &common[0]) {
		p->help = true;
		return 0;
	}
	if (o == &common[1]) {
		p->version = true;
		return 0;
	}
	if (o->value && !value) {
		if (!*p->next)
			return usage("--%s needs a value: %s", o->name, o->value);
		value = *p->next++;
	}
	if (clash(o, p->given, p->count))
		return STATUS_USAGE;
	remember(p, o);
	return set_value(o, value);
}

static int take_long(struct parse *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct opt *o = NULL;
	int rc = find_long(p->applet, word, len, &o);

	return rc ? rc : take(p, o, word[len] ? word + len + 1 : NULL);
}

static int take_letters(struct parse *p, const char *word)
{
	for (; *word; word++) {
		const struct opt *o = find_letter(p->applet, *word);
		int rc;

		if (!o)
			return usage("there is no option '-%c'", *word >= ' ' && *word <= '~' ? *word : '?');
		rc = take(p, o, o->value && word[1] ? word + 1 : NULL);
		if (rc || o->value)
			return rc;
	}
	return 0;
}

int opt_parse(const struct applet *a, char **argv)
{
	struct parse p = { .applet = a, .next = argv + 1 };
	char **operand = argv;
	bool only_operands = false;

	while (*p.next) {
		char *word = *p.next++;
		int rc = 0;

		if (only_operands || word[0] != '-' || !word[1])
			*operand++ = word;
		else if (!strcmp(word, "--"))
			only_operands = true;
		else if (word[1] == '-')
			rc = take_long(&p, word + 2);
		else
			rc = take_letters(&p, word + 1);
		if (rc)
			return -1 - rc;
	}
	*operand = NULL;
	if (p.help)
		print_help(a);
	else if (p.version)
		applet_print_version();
	if (p.help || p.version)
		return -1 - STATUS_OK;
	if (a->max_operands >= 0 && operand - argv > a->max_operands)
		return -1 - (int)usage("'%.200s' is one operand too many", argv[a->max_operands]);
	return 0;
}

bool opt_wants_json(char *const *argv)
{
	for (; *argv && strcmp(*argv, "--"); argv++)
		if (strlen(*argv) > 2 && !strncmp(*argv, "--json", strlen(*argv)))
			return true;
	return false;
}
