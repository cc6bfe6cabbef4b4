/* SPDX-License-Identifier: MIT */
/* dd-operands - dd's command line, read into a struct. */
#ifndef DDTEST_DD_OPERANDS_H
#define DDTEST_DD_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum dd_conv {
	DD_NOERROR = 1 << 0,
	DD_NOTRUNC = 1 << 1,
	DD_SYNC = 1 << 2,
	DD_NOCREAT = 1 << 3,
	DD_EXCL = 1 << 4,
	DD_FDATASYNC = 1 << 5,
	DD_FSYNC = 1 << 6,
	DD_SPARSE = 1 << 7,
	DD_TWOBUFS = 1 << 8, /* no bs=: input is gathered into records of obs bytes */
};

enum dd_level { DD_LEVEL_DEFAULT, DD_LEVEL_NONE, DD_LEVEL_NOXFER, DD_LEVEL_PROGRESS };

/* Nothing in it is more than INT64_MAX, but where it says so. */
struct dd_operands {
	unsigned conv; /* of enum dd_conv */
	enum dd_level level;
	int iflags, oflags; /* of open(2) */
	uint64_t ibs, obs;
	uint64_t skip, seek;  /* bytes; UINT64_MAX: more than a file has */
	uint64_t max_bytes;   /* on top of the records, less than one */
	uint64_t max_records; /* UINT64_MAX: no count= */
	uint64_t seek_given;  /* seek= as it was given */
	const char *in, *out; /* NULL: standard input, standard output */
	bool fullblock;
};

enum dd_parsed { DD_PARSED, DD_PARSED_WRONG, DD_PARSED_HELP };

/* Read argv[1..] in order, as GNU dd does; what it would say goes to @err, with the name
 * "ddtest". @o is good after DD_PARSED only; names stay owned by argv. No system call. */
enum dd_parsed dd_operands_parse(struct dd_operands *o, char *const *argv, FILE *err);

#endif
