/* SPDX-License-Identifier: MIT */
/* dd-operands - dd's command line, read into a struct. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <core/errno_text.h>
#include <core/size.h>

#include "dd-operands.h"
#include "dd-text.h"

enum list { CONV, IFLAG, OFLAG, STATUS, LISTS };
enum number { IBS, OBS, BS, CBS, SKIP, SEEK, COUNT, NUMBERS };

/* In the order of these two, then the names that are left. */
static const char names[] = "conv iflag oflag status ibs obs bs cbs skip seek count "
			    "iseek oseek if of ";
enum { IF = LISTS + NUMBERS + 2, OF };
static const unsigned char which_number[] = { IBS, OBS, BS, CBS, SKIP, SEEK, COUNT, SKIP, SEEK };

/* Words in the order of their bits, those from @built_in on are not. */
#define FLAGS                                                                                      \
	"fullblock count_bytes skip_bytes seek_bytes "                                             \
	"append direct dsync sync noatime nofollow nonblock directory nocache noctty "
static const struct {
	const char *words, *what;
	int built_in;
} lists[] = {
	[CONV] = { "noerror notrunc sync nocreat excl fdatasync fsync sparse "
		   "ascii ebcdic ibm block unblock lcase ucase swab ",
		   "invalid conversion:", 8 },
	[IFLAG] = { FLAGS, "invalid input flag:", 11 },
	[OFLAG] = { FLAGS, "invalid output flag:", 11 },
	[STATUS] = { "none noxfer progress ", "invalid status level:", 3 },
};

enum { FULLBLOCK = 1, COUNT_BYTES = 2, SKIP_BYTES = 4, SEEK_BYTES = 8 };

struct parse {
	FILE *err;
	unsigned bits[LISTS];
	bool bytes[NUMBERS]; /* a 'B' made it one of bytes */
	uint64_t number[NUMBERS];
};

#define TRY "\nTry 'ddtest --help' for more information.\n"

/* @rc 0: says where the help is. */
static enum dd_parsed wrong(struct parse *p, const char *what, const char *value, size_t size,
			    int rc)
{
	fprintf(p->err, "ddtest: %s ", what);
	dd_text(p->err, value, size, DD_QUOTE_VALUE);
	if (rc == -ERANGE)
		fprintf(p->err, ": %s", errno_text(EOVERFLOW));
	fputs(rc ? "\n" : TRY, p->err);
	return DD_PARSED_WRONG;
}

static enum dd_parsed not_built_in(struct parse *p, const char *operand, const char *value,
				   size_t size)
{
	fprintf(p->err, "ddtest: %.*s%.*s is not built in: use dd\n",
		(int)strcspn(operand, "=") + 1, operand, (int)size, value);
	return DD_PARSED_WRONG;
}

/* Which word of @list it is, -1: none. */
static int find(const char *list, const char *word, size_t size)
{
	for (int i = 0; *list; i++) {
		size_t length = strcspn(list, " ");

		if (length == size && !memcmp(list, word, size))
			return i;
		list += length + 1;
	}
	return -1;
}

/* Words with commas between; of status= the last counts. */
static enum dd_parsed words(struct parse *p, enum list list, const char *operand, const char *text)
{
	for (;; text++) {
		size_t size = strcspn(text, ",");
		int i = find(lists[list].words, text, size);

		if (i < 0)
			return wrong(p, lists[list].what, text, size, 0);
		if (i >= lists[list].built_in)
			return not_built_in(p, operand, text, size);
		p->bits[list] = list == STATUS ? (unsigned)i + 1 : p->bits[list] | 1u << i;
		text += size;
		if (!*text)
			return DD_PARSED;
	}
}

/* Like GNU dd: the number is looked at before the name of the operand. */
static enum dd_parsed numeric(struct parse *p, int name, const char *operand, const char *text)
{
	unsigned zeros = 0, which;
	uint64_t value = 0;
	bool bytes = false;
	int rc = size_parse_dd(text, &value, &bytes, &zeros);

	while (zeros--)
		fputs("ddtest: warning: '0x' is a zero multiplier; use '00x' if that is intended\n",
		      p->err);
	if (name < 0)
		return wrong(p, "unrecognized operand", operand, strlen(operand), 0);
	which = which_number[name - LISTS];
	if (!rc && which <= CBS)
		rc = !value ? -EINVAL : value == INT64_MAX ? -ERANGE : 0;
	if (rc)
		return wrong(p, "invalid number:", text, strlen(text), rc);
	if (which == CBS)
		return not_built_in(p, operand, text, strlen(text));
	p->number[which] = value;
	p->bytes[which] = bytes;
	return DD_PARSED;
}

static enum dd_parsed operand(struct parse *p, struct dd_operands *o, const char *text)
{
	size_t size = strcspn(text, "=");
	const char *value = text + size + 1;
	int name = find(names, text, size);

	if (!text[size])
		return wrong(p, "unrecognized operand", text, size, 0);
	if (name == IF)
		o->in = value;
	else if (name == OF)
		o->out = value;
	else if (name < 0 || name >= LISTS)
		return numeric(p, name, text, value);
	else
		return words(p, (enum list)name, text, value);
	return DD_PARSED;
}

/* What is wrong or asked with an option: dd has --help. */
static enum dd_parsed option(struct parse *p, const char *text)
{
	if (!strcmp(text, "--help"))
		return DD_PARSED_HELP;
	fprintf(p->err,
		text[1] == '-' ? "ddtest: unrecognized option '%s'%s"
			       : "ddtest: invalid option -- '%.1s'%s",
		text + (text[1] != '-'), TRY);
	return DD_PARSED_WRONG;
}

static uint64_t in_bytes(const struct parse *p, enum number which, unsigned flag, uint64_t size)
{
	uint64_t value = p->number[which];

	if (!flag && !p->bytes[which] && __builtin_mul_overflow(value, size, &value))
		value = UINT64_MAX;
	return value;
}

static int open_flags(unsigned bits)
{
	static const int flags[] = { O_APPEND,  O_DIRECT,   O_DSYNC,   O_SYNC,
				     O_NOATIME, O_NOFOLLOW, O_NONBLOCK };
	int value = 0;

	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (bits & SEEK_BYTES << (i + 1))
			value |= flags[i];
	return value;
}

static void settle(struct parse *p, struct dd_operands *o)
{
	const uint64_t *n = p->number;

	o->conv = p->bits[CONV];
	o->level = (enum dd_level)p->bits[STATUS];
	o->ibs = n[BS] ? n[BS] : n[IBS];
	o->obs = n[BS] ? n[BS] : n[OBS];
	if (!n[BS])
		o->conv |= DD_TWOBUFS;
	o->skip = in_bytes(p, SKIP, p->bits[IFLAG] & SKIP_BYTES, o->ibs);
	o->seek = in_bytes(p, SEEK, p->bits[OFLAG] & SEEK_BYTES, o->obs);
	o->seek_given = n[SEEK];
	/* To GNU dd INT64_MAX is no count= at all. */
	o->max_records = n[COUNT] == INT64_MAX ? UINT64_MAX : n[COUNT];
	if (o->max_records != UINT64_MAX && (p->bytes[COUNT] || p->bits[IFLAG] & COUNT_BYTES)) {
		o->max_records = n[COUNT] / o->ibs;
		o->max_bytes = n[COUNT] % o->ibs;
	}
	o->fullblock = p->bits[IFLAG] & FULLBLOCK;
	o->iflags = open_flags(p->bits[IFLAG]);
	o->oflags = open_flags(p->bits[OFLAG]);
	/* glibc's O_RSYNC is O_SYNC. */
	if (o->iflags & O_SYNC)
		o->iflags |= O_SYNC;
}

enum dd_parsed dd_operands_parse(struct dd_operands *o, char *const *argv, FILE *err)
{
	struct parse p = { .err = err,
			   .number = { [IBS] = 512, [OBS] = 512, [COUNT] = INT64_MAX } };
	char *const *arg, *const *end;
	enum dd_parsed rc;

	memset(o, 0, sizeof(*o));
	/* getopt_long() looks for options in the whole line before an operand is read. */
	for (end = argv + 1; *end && strcmp(*end, "--"); end++)
		if ((*end)[0] == '-' && (*end)[1])
			return option(&p, *end);
	for (arg = argv + 1; *arg; arg++) {
		rc = arg == end ? DD_PARSED : operand(&p, o, *arg);
		if (rc != DD_PARSED)
			return rc;
	}
	settle(&p, o);
	if (p.bits[OFLAG] & FULLBLOCK)
		return wrong(&p, lists[OFLAG].what, "fullblock", 9, 0);
	if ((o->conv & (DD_EXCL | DD_NOCREAT)) == (DD_EXCL | DD_NOCREAT)) {
		fputs("ddtest: cannot combine excl and nocreat\n", err);
		return DD_PARSED_WRONG;
	}
	return DD_PARSED;
}
