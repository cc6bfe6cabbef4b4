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

#define HELP_COLUMN "23"

/* Which of @words @text of length @len is, or -1. */
static int word_index(const char *words, const char *text, size_t len)
{
	for (int i = 0;; i++, words += 2) {
		size_t n = strcspn(words, ",");

		if (n == len && !strncmp(words, text, n))
			return i;
		words += n;
		if (!*words)
			return -1;
	}
}

static int bad_value(const struct opt *o, const char *text, bool large)
{
	static const char *const form[] = {
		[OPT_TYPE_SIZE] = "not a size like 512, 64KiB, 1GiB or 1GB",
		[OPT_TYPE_NUMBER] = "not a whole number",
		[OPT_TYPE_TIME] = "not a time like 15, 0.5s or 10ms",
		[OPT_TYPE_RATE] = "not a rate like 50MB/s",
		[OPT_TYPE_CHOICE] = "not one of ",
		[OPT_TYPE_SET] = "not one of ",
	};
	const char *words = o->type >= OPT_TYPE_CHOICE ? o->value + strlen(o->value) + 1 : "";

	return usage("--%s: '%.200s' is %s%s", o->name, text, large ? "too large" : form[o->type],
		     words);
}

static int set_number(const struct opt *o, const char *text)
{
	int (*parse)(const char *, uint64_t *) = size_parse;
	uint64_t value;
	int rc = -EINVAL;

	if (o->type == OPT_TYPE_TIME)
		parse = size_parse_time;
	if (o->type == OPT_TYPE_RATE)
		parse = size_parse_rate;
	if (o->type != OPT_TYPE_NUMBER || !text[strspn(text, "0123456789")])
		rc = parse(text, &value);
	if (rc)
		return bad_value(o, text, rc == -ERANGE);
	if (value < o->min || (o->max && value > o->max))
		return usage("--%s: %.200s is %s %u", o->name, text,
			     value < o->min ? "below" : "above", value < o->min ? o->min : o->max);
	*o->to.number = value;
	return 0;
}

static int set_words(const struct opt *o, const char *text)
{
	const char *words = o->value + strlen(o->value) + 1, *p = text;
	unsigned set = 0;
	int i;

	for (;; p++) {
		size_t n = strcspn(p, o->type == OPT_TYPE_SET ? "," : "");

		i = word_index(words, p, n);
		if (i < 0)
			return bad_value(o, text, false);
		set |= 1u << i;
		p += n;
		if (!*p)
			break;
	}
	if (o->type == OPT_TYPE_SET)
		*o->to.set = set;
	else
		*o->to.choice = i;
	return 0;
}

static void print_help(const struct applet *a)
{
	char left[80] = "";
	size_t n = 0;

	fputs(a->usage, stdout);
	for (const struct opt *o = a->opts; o->type != OPT_TYPE_VERSION; o++) {
		const char letter[] = { '-', o->letter, ',', ' ', '\0' }, *p = o->help;

		n += (size_t)snprintf(left + n, sizeof(left) - n, "%s%s--%s%.1s%s",
				      n           ? ", "
				      : o->letter ? "  "
						  : "      ",
				      o->letter ? letter : "", o->name, o->exact ? "=" : " ",
				      o->value ? o->value : "");
		if (!o->value)
			left[--n] = '\0';
		if (!p)
			continue;
		if (*p && n >= 23) {
			puts(left);
			*left = '\0';
		}
		do {
			n = strcspn(p, "\n");
			printf("%-" HELP_COLUMN "s%.*s\n", left, (int)n, p);
			*left = '\0';
			p += n;
		} while (*p++);
		n = 0;
	}
	fputs(a->notes, stdout);
}

/* The option that @name of length @len names or shortens; NULL: said. */
static const struct opt *find_long(const struct opt *o, const char *name, size_t len)
{
	const struct opt *found = NULL;
	unsigned matches = 0;

	for (; o->type; o++) {
		if (strncmp(o->name, name, len))
			continue;
		if (!o->name[len])
			return o;
		if (o->exact)
			continue;
		found = o;
		matches++;
	}
	if (matches == 1)
		return found;
	usage(matches ? "option '--%.*s' is short for more than one"
		      : "there is no option '--%.*s'",
	      (int)len, name);
	return NULL;
}

struct parse {
	const struct opt *table;
	char **next;                /* the word after the option's own */
	const struct opt *given[8]; /* the first of each class */
	bool help, version;
};

static int take(struct parse *p, const struct opt *o, const char *value)
{
	const struct opt **given = &p->given[o->excludes];

	if (!o->value && value)
		return usage("--%s takes no value", o->name);
	if (o->value && !value) {
		value = *p->next;
		if (!value)
			return usage("--%s needs a value: %s", o->name, o->value);
		p->next++;
	}
	if (o->excludes && *given && *given != o)
		return usage("--%s and --%s exclude each other", (*given)->name, o->name);
	*given = o;
	switch (o->type) {
	case OPT_TYPE_HELP:
		p->help = true;
		return 0;
	case OPT_TYPE_VERSION:
		p->version = true;
		return 0;
	case OPT_TYPE_FLAG:
		*o->to.flag = true;
		return 0;
	case OPT_TYPE_TEXT:
		*o->to.text = value;
		return 0;
	case OPT_TYPE_CHOICE:
	case OPT_TYPE_SET:
		return set_words(o, value);
	default:
		return set_number(o, value);
	}
}

static int take_long(struct parse *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct opt *o = find_long(p->table, word, len);

	return o ? take(p, o, word[len] ? word + len + 1 : NULL) : STATUS_USAGE;
}

static int take_letters(struct parse *p, const char *word)
{
	for (; *word; word++) {
		const struct opt *o = p->table;
		int rc;

		while (o->type && o->letter != *word)
			o++;
		if (!o->type)
			return usage("there is no option '-%c'", *word);
		rc = take(p, o, o->value && word[1] ? word + 1 : NULL);
		if (rc || o->value)
			return rc;
	}
	return 0;
}

int opt_parse(const struct applet *a, char **argv)
{
	struct parse p = { .table = a->opts, .next = argv + 1 };
	char **operand = argv;
	bool only_operands = false;

	while (*p.next) {
		char *word = *p.next++;
		int rc = 0;

		if (only_operands || word[0] != '-' || !word[1])
			*operand++ = word;
		else if (word[1] != '-')
			rc = take_letters(&p, word + 1);
		else if (word[2])
			rc = take_long(&p, word + 2);
		else
			only_operands = true;
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
