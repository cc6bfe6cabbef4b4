/* SPDX-License-Identifier: MIT */
/* dd-copy - what dd does between opening and closing: records in, records out. */
#ifndef DDTEST_DD_COPY_H
#define DDTEST_DD_COPY_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <device/buf.h>

#include "dd-operands.h"
#include "dd-stats.h"

/* A record up to this long is read and written in one piece, as GNU dd does. */
#define DD_BUFFER (16u << 20)

/* How copying ends: an exit status, or at once, without conv=fsync: 1. */
enum { DD_QUIT = -1 };

struct dd {
	int in, out;
	const char *in_name, *out_name;
	int err;      /* -errno of the last write */
	int flush;    /* O_DSYNC, O_SYNC: flush at the end of each record; else 0 */
	int progress; /* width of the line that has no newline yet */
	int status;
	int in_seek;  /* 0, or -errno: why the input cannot seek */
	bool zeros;   /* the input is /dev/zero: not read */
	bool endless; /* the input never ends */
	bool warn_partial;
	bool was_seek;            /* the last output was a hole */
	char *ibuf, *obuf;        /* the same one with bs= */
	size_t icap, ocap, piece; /* a longer record goes in pieces of so many bytes */
	size_t gathered;          /* bytes in obuf, without bs= */
	uint64_t record;          /* bytes of the record under way that are written */
	uint64_t written;         /* the same, of the record that ended last */
	uint64_t in_offset;
	uint64_t partread;      /* size of the record before, where it was partial */
	int64_t before;         /* what the read before gave */
	uint64_t started, next; /* the clock's time */
	uint64_t piece_started; /* the same */
	uint64_t reported;      /* bytes, in the last progress line; UINT64_MAX: none */
	struct dd_stats stats;
	struct dd_operands o;
	struct buf buf; /* owns ibuf and obuf */
};

/* Set by the handlers of SIGINT and SIGTERM, and of SIGUSR1. */
extern volatile sig_atomic_t dd_interrupt, dd_asked;

/* Skip, seek, copy. Returns the exit status or DD_QUIT. Everything is open, the buffers are
 * there and the clock runs. */
int dd_copy(struct dd *d);

/* Do what signals asked for: may end the process. */
void dd_signals(struct dd *d);

/* fdatasync and fsync as conv= and a short block asked for: once. 0 or 1. */
int dd_synchronize(struct dd *d);

/* Close both: 0, or 1 where that failed and was said. Synchronizes, unless interrupted. */
int dd_cleanup(struct dd *d);

/* Give the output that size: 0, or 1 where that failed and was said. */
int dd_truncate(struct dd *d, uint64_t size);

/* The last lines, unless status=none. */
void dd_print_stats(struct dd *d);

/* @records of @size and @bytes; UINT64_MAX where that is too much. */
uint64_t dd_bytes(uint64_t records, uint64_t size, uint64_t bytes);

/* Say @what of the output, and why (d->err); for O_DIRECT also which sizes it takes. */
int dd_complain_of_output(struct dd *d, const char *what);

/* What sizes and offsets O_DIRECT needs are multiples of; 0: not known. */
uint32_t dd_direct_unit(int fd);

enum { DD_NOTE = 1 };

/* "ddtest: text", and for -errno @rc what it means; @rc DD_NOTE: not with status=none. In
 * @fmt '<' and '>' stand for the names of input and output: quoted, at the start of the line
 * only where a shell needs it. Returns 1. */
int dd_say(struct dd *d, long rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
