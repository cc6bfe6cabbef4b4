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

/* How a run ends: an exit status, or one of these. */
enum {
	DD_QUIT = -1, /* close, statistics, then 1 */
	DD_EXIT = -2, /* 1 at once: everything was said */
};

struct dd {
	struct dd_operands o;
	int in, out;
	const char *in_name, *out_name;
	bool in_seekable, in_overflow;
	int in_seek_err;
	uint64_t in_offset;
	bool zeros;    /* the input is /dev/zero: not read */
	bool unbroken; /* the input ends a read early only for a signal */
	bool warn_partial;
	int64_t before;    /* what the read before gave, -1 for an error */
	uint64_t partread; /* the size of the record before, where it was a partial one */
	int status;

	struct buf buf;           /* owns both */
	char *ibuf, *obuf;        /* the same one with bs= */
	size_t icap, ocap, piece; /* a longer record goes in pieces of so many bytes */
	size_t gathered;          /* bytes in obuf, without bs= */
	uint64_t record;          /* bytes of the record under way that are written */
	uint64_t written;         /* the same, of the record that ended last */
	int err;                  /* errno of the last write */
	int flush;                /* O_DSYNC, O_SYNC: flush at the end of each record; else 0 */
	bool behind;              /* start the writeback of pieces while the next are written */
	bool was_seek;            /* the last output was a hole */
	bool direct_off;          /* a short block turned O_DIRECT off */
	off_t drop_from;          /* where it began; -1 unknown */
	uint64_t piece_started;   /* the clock's time */

	struct dd_stats stats;
	uint64_t started, next; /* the clock's time */
	uint64_t reported;      /* bytes, in the last progress line; UINT64_MAX: none yet */
	size_t progress;        /* width of the line that has no newline yet */
};

/* Set by the handlers of SIGINT and SIGTERM, and of SIGUSR1. */
extern volatile sig_atomic_t dd_interrupt, dd_asked;

/* Skip, seek, copy. Returns the exit status, DD_QUIT or DD_EXIT. Everything is open, the
 * buffers are there and the clock runs. */
int dd_copy(struct dd *d);

/* Do what signals asked for: may end the process. */
void dd_signals(struct dd *d);

/* fdatasync and fsync as conv= and a short block asked for: once. 0 or 1. */
int dd_synchronize(struct dd *d);

/* Close both: 0, or DD_EXIT where that failed and was said. Synchronizes, unless interrupted. */
int dd_cleanup(struct dd *d);

/* The last lines, unless status=none. */
void dd_print_stats(struct dd *d);

/* Say @what of the output, and why (d->err); for O_DIRECT also which sizes it takes. */
void dd_complain_of_output(struct dd *d, const char *what);

/* What sizes and offsets O_DIRECT needs are multiples of; 0: not known. */
uint32_t dd_direct_unit(int fd);

/* "ddtest: " @before 'name' @after, and for errno @err what it means; @name NULL: none. A name
 * in the middle is always quoted, one that begins the line where a shell needs it. */
void dd_say(struct dd *d, int err, const char *before, const char *name, const char *after);

#endif
