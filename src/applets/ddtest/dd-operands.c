/* SPDX-License-Identifier: MIT */
/* dd-operands - dd's command line, read into a struct. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <core/size.h>

#include "dd-operands.h"
#include "dd-text.h"

/* Bits beside those of open(2). */
enum {
	FULLBLOCK = 1 << 24,
	COUNT_BYTES = 1 << 25,
	SKIP_BYTES = 1 << 26,
	SEEK_BYTES = 1 << 27,
	OWN_BITS = FULLBLOCK | COUNT_BYTES | SKIP_BYTES | SEEK_BYTES,
	NOT_BUILT_IN = 1 << 28,
};

struct symbol {
	const char *name;
	unsigned value;
};

static const struct symbol convs[] = {
	{ "sparse", DD_SPARSE },
	{ "noerror", DD_NOERROR },
	{ "nocreat", DD_NOCREAT },
	{ "excl", DD_EXCL },
	{ "notrunc", DD_NOTRUNC },
	{ "sync", DD_SYNC },
	{ "fdatasync", DD_FDATASYNC },
	{ "fsync", DD_FSYNC },
	{ "ascii", NOT_BUILT_IN },
	{ "ebcdic", NOT_BUILT_IN },
	{ "ibm", NOT_BUILT_IN },
	{ "block", NOT_BUILT_IN },
	{ "unblock", NOT_BUILT_IN },
	{ "lcase", NOT_BUILT_IN },
	{ "ucase", NOT_BUILT_IN },
	{ "swab", NOT_BUILT_IN },
	{ NULL, 0 },
};

static const struct symbol flags[] = {
	{ "append", O_APPEND },       { "direct", O_DIRECT },       { "dsync", O_DSYNC },
	{ "sync", O_SYNC },           { "noatime", O_NOATIME },     { "nofollow", O_NOFOLLOW },
	{ "nonblock", O_NONBLOCK },   { "fullblock", FULLBLOCK },   { "count_bytes", COUNT_BYTES },
	{ "skip_bytes", SKIP_BYTES }, { "seek_bytes", SEEK_BYTES }, { "directory", NOT_BUILT_IN },
	{ "nocache", NOT_BUILT_IN },  { "noctty", NOT_BUILT_IN },   { NULL, 0 },
};

static const struct symbol levels[] = {
	{ "none", DD_LEVEL_NONE },
	{ "noxfer", DD_LEVEL_NOXFER },
	{ "progress", DD_LEVEL_PROGRESS },
	{ NULL, 0 },
};

enum number { IBS, OBS, BS, CBS, SKIP, SEEK, COUNT, NUMBERS };

static const struct symbol numbers[] = {
	{ "ibs", IBS },     { "obs", OBS },   { "bs", BS },      { "cbs", CBS },
	{ "skip", SKIP },   { "seek", SEEK }, { "iseek", SKIP }, { "oseek", SEEK },
	{ "count", COUNT }, { NULL, 0 },
};

struct parse {
	struct dd_operands *o;
	FILE *err;
	uint64_t number[NUMBERS];
	bool bytes[NUMBERS]; /* a 'B' made it one of bytes */
	bool counted;
	unsigned iflags, oflags;
};

static enum dd_parsed wrong(struct parse *p, const char *what, const char *text, size_t size)
{
	fprintf(p->err, "ddtest: %s", what);
	dd_text_value(p->err, text, size);
	fputs("\nTry 'ddtest --help' for more information.\n", p->err);
	return DD_PARSED_WRONG;
}

static enum dd_parsed not_built_in(struct parse *p, const char *operand, const char *value)
{
	fprintf(p->err, "ddtest: %s=%s is not built in%s\n", operand, value,
		*operand == 'c' ? ": no text conversions, use dd for them" : "");
	return DD_PARSED_WRONG;
}

static const struct symbol *find(const struct symbol *s, const char *word, size_t size)
{
	for (; s->name; s++)
		if (!strncmp(s->name, word, size) && !s->name[size])
			return s;
	return NULL;
}

/* Words with commas between; @one: the last counts. */
static enum dd_parsed words(struct parse *p, const struct symbol *table, const char *operand,
			    const char *what, const char *text, unsigned *bits, bool one)
{
	for (;; text++) {
		size_t size = strcspn(text, ",");
		const struct symbol *s = find(table, text, size);

		if (!s)
			return wrong(p, what, text, size);
		if (s->value == NOT_BUILT_IN)
			return not_built_in(p, operand, s->name);
		*bits = one ? s->value : *bits | s->value;
		text += size;
		if (!*text)
			return DD_PARSED;
	}
}

/* Like GNU dd: said in the order of the command line, before the name is looked at. */
static int number(struct parse *p, const char *text, uint64_t *value, bool *bytes)
{
	unsigned zeros = 0;
	int rc = size_parse_dd(text, value, bytes, &zeros);

	while (zeros--)
		fputs("ddtest: warning: '0x' is a zero multiplier; use '00x' if that is intended\n",
		      p->err);
	return rc;
}

static enum dd_parsed numeric(struct parse *p, const char *operand, size_t name, const char *text)
{
	const struct symbol *s = find(numbers, operand, name);
	uint64_t value = 0;
	bool bytes = false;
	int rc = number(p, text, &value, &bytes);

	if (!s)
		return wrong(p, "unrecognized operand ", operand, strlen(operand));
	if (!rc && s->value <= CBS && value < 1)
		rc = -EINVAL;
	else if (!rc && s->value <= BS && value == INT64_MAX)
		rc = -ERANGE;
	if (rc) {
		fputs("ddtest: invalid number: ", p->err);
		dd_text_value(p->err, text, strlen(text));
		fprintf(p->err, "%s%s\n", rc == -ERANGE ? ": " : "",
			rc == -ERANGE ? dd_text_reason(EOVERFLOW) : "");
		return DD_PARSED_WRONG;
	}
	if (s->value == CBS)
		return not_built_in(p, s->name, text);
	/* To GNU dd INT64_MAX is no count= at all. */
	if (s->value == COUNT)
		p->counted = value != INT64_MAX;
	p->number[s->value] = value;
	p->bytes[s->value] = bytes;
	return DD_PARSED;
}

static enum dd_parsed operand(struct parse *p, const char *text)
{
	const char *value = strchr(text, '=');
	size_t name = value ? (size_t)(value++ - text) : 0;
	unsigned level = p->o->level;
	enum dd_parsed rc = DD_PARSED;

	if (!value)
		return wrong(p, "unrecognized operand ", text, strlen(text));
	if (!strncmp(text, "if=", 3))
		p->o->in = value;
	else if (!strncmp(text, "of=", 3))
		p->o->out = value;
	else if (!strncmp(text, "conv=", 5))
		rc = words(p, convs, "conv", "invalid conversion: ", value, &p->o->conv, false);
	else if (!strncmp(text, "iflag=", 6))
		rc = words(p, flags, "iflag", "invalid input flag: ", value, &p->iflags, false);
	else if (!strncmp(text, "oflag=", 6))
		rc = words(p, flags, "oflag", "invalid output flag: ", value, &p->oflags, false);
	else if (!strncmp(text, "status=", 7))
		rc = words(p, levels, "status", "invalid status level: ", value, &level, true);
	else
		rc = numeric(p, text, name, value);
	p->o->level = (enum dd_level)level;
	return rc;
}

/* What is wrong or asked with an option: dd has --help and --version. */
static enum dd_parsed option(struct parse *p, const char *text)
{
	size_t n = strlen(text);

	if (n > 2 && !strncmp(text, "--help", n))
		return DD_PARSED_HELP;
	if (n > 2 && !strncmp(text, "--version", n))
		return DD_PARSED_VERSION;
	if (text[1] == '-')
		fprintf(p->err, "ddtest: unrecognized option '%s'", text);
	else
		fprintf(p->err, "ddtest: invalid option -- '%c'", text[1]);
	fputs("\nTry 'ddtest --help' for more information.\n", p->err);
	return DD_PARSED_WRONG;
}

static void split(uint64_t *records, uint64_t *bytes, uint64_t value, bool in_bytes, uint64_t size)
{
	*records = in_bytes ? value / size : value;
	*bytes = in_bytes ? value % size : 0;
}

static void settle(struct parse *p)
{
	struct dd_operands *o = p->o;
	const uint64_t *n = p->number;

	o->ibs = n[BS] ? n[BS] : n[IBS] ? n[IBS] : 512;
	o->obs = n[BS] ? n[BS] : n[OBS] ? n[OBS] : 512;
	if (!n[BS])
		o->conv |= DD_TWOBUFS;
	split(&o->skip_records, &o->skip_bytes, n[SKIP], p->bytes[SKIP] || p->iflags & SKIP_BYTES,
	      o->ibs);
	split(&o->seek_records, &o->seek_bytes, n[SEEK], p->bytes[SEEK] || p->oflags & SEEK_BYTES,
	      o->obs);
	o->max_records = UINT64_MAX;
	if (p->counted)
		split(&o->max_records, &o->max_bytes, n[COUNT],
		      p->bytes[COUNT] || p->iflags & COUNT_BYTES, o->ibs);
	o->fullblock = p->iflags & FULLBLOCK;
	/* glibc's O_RSYNC is O_SYNC. */
	if (p->iflags & (O_DSYNC | O_SYNC))
		p->iflags |= O_SYNC;
	o->iflags = (int)(p->iflags & ~(unsigned)OWN_BITS);
	o->oflags = (int)(p->oflags & ~(unsigned)OWN_BITS);
}

enum dd_parsed dd_operands_parse(struct dd_operands *o, char *const *argv, FILE *err)
{
	struct parse p = { .o = o, .err = err };
	char *const *arg, *const *end;
	enum dd_parsed rc;

	memset(o, 0, sizeof(*o));
	/* getopt_long() looks for options in the whole line before an operand is read. */
	for (end = argv + 1; *end && strcmp(*end, "--"); end++)
		if ((*end)[0] == '-' && (*end)[1])
			return option(&p, *end);
	for (arg = argv + 1; *arg; arg++) {
		rc = arg == end ? DD_PARSED : operand(&p, *arg);
		if (rc != DD_PARSED)
			return rc;
	}
	settle(&p);
	if (p.oflags & FULLBLOCK)
		return wrong(&p, "invalid output flag: ", "fullblock", 9);
	if ((o->conv & (DD_EXCL | DD_NOCREAT)) == (DD_EXCL | DD_NOCREAT)) {
		fputs("ddtest: cannot combine excl and nocreat\n", err);
		return DD_PARSED_WRONG;
	}
	return DD_PARSED;
}
