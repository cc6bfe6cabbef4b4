/* SPDX-License-Identifier: MIT */
/* opt - one table per applet, from which parsing, --help and exclusions come. */
#ifndef CORE_OPT_H
#define CORE_OPT_H

#include <stdbool.h>
#include <stdint.h>

enum opt_type {
	OPT_TYPE_END,
	OPT_TYPE_SIZE,   /* bytes: size_parse() */
	OPT_TYPE_NUMBER, /* decimal */
	OPT_TYPE_TIME,   /* ns: size_parse_time() */
	OPT_TYPE_RATE,   /* bytes per second: size_parse_rate() */
	OPT_TYPE_CHOICE, /* one of the words; its index */
	OPT_TYPE_SET,    /* words, comma between; a bit each */
	OPT_TYPE_FLAG,   /* no value */
	OPT_TYPE_TEXT,   /* the text itself; it stays owned by argv */
	OPT_TYPE_HELP,
	OPT_TYPE_VERSION,
};

struct opt {
	unsigned char type;
	char letter;             /* 0: long only */
	unsigned char excludes;  /* two given options of the same class, 1 to 7, clash */
	unsigned char exact : 1; /* is never shortened */
	unsigned char min : 1;   /* a number below it is refused */
	uint32_t max;            /* one above it too; 0: none */
	const char *name;
	const char *value; /* as --help shows it, then a NUL and the words; NULL for a flag */
	union {
		bool *flag;
		uint64_t *number;
		int *choice;
		unsigned *set;
		const char **text;
	} to;
	/* Further lines after '\n'. NULL: --help puts the next option on the same line. */
	const char *help;
};

/* clang-format off */
#define OPT(kind, member, c, n, v, p, h, ...)                                                      \
	{ .type = OPT_TYPE_##kind, .letter = (c), .name = (n), .value = (v), .to.member = (p),     \
	  .help = (h), ##__VA_ARGS__ }
#define OPT_FLAG(c, n, p, h, ...)      OPT(FLAG, flag, c, n, NULL, p, h, ##__VA_ARGS__)
#define OPT_SIZE(c, n, p, h, ...)      OPT(SIZE, number, c, n, "SIZE", p, h, ##__VA_ARGS__)
#define OPT_NUMBER(c, n, p, h, ...)    OPT(NUMBER, number, c, n, "N", p, h, ##__VA_ARGS__)
#define OPT_TIME(c, n, v, p, h, ...)   OPT(TIME, number, c, n, v, p, h, ##__VA_ARGS__)
#define OPT_RATE(c, n, p, h, ...)      OPT(RATE, number, c, n, "RATE", p, h, ##__VA_ARGS__)
#define OPT_TEXT(c, n, v, p, h, ...)   OPT(TEXT, text, c, n, v, p, h, ##__VA_ARGS__)
/* @w: "on, off, keep" */
#define OPT_CHOICE(c, n, v, w, p, h, ...) OPT(CHOICE, choice, c, n, v "\0" w, p, h, ##__VA_ARGS__)
#define OPT_SET(c, n, v, w, p, h, ...)    OPT(SET, set, c, n, v "\0" w, p, h, ##__VA_ARGS__)
/* The last rows of every table. */
#define OPT_END                                                                                    \
	{ .type = OPT_TYPE_HELP, .letter = 'h', .name = "help",                                    \
	  .help = "this;  --version: version and features" },                                      \
	{ .type = OPT_TYPE_VERSION, .name = "version" }, { .type = OPT_TYPE_END }
/* clang-format on */

struct applet;

/* Parse argv[1..]: options and operands in any order, "--" ends the options, long names may
 * be shortened where that is unique. On success returns 0 and leaves the operands, in
 * order and ended by NULL, at argv[0...]. Else everything was said, and the result is
 * -1 - (the exit status): --help and --version give STATUS_OK. */
int opt_parse(const struct applet *a, char **argv);

/* Whether --json stands in argv, however the rest of the line is broken. */
bool opt_wants_json(char *const *argv);

#endif
