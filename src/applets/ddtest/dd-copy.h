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

/* A record up to this long is read and written in one piece, as GNU dd does; so long is the
 * buffer, without bs= each of the two. */
#define DD_BUFFER (8u << 20)

struct dd {
	int in, out;
	int err;   /* -errno of the last write */
	int flush; /* O_DSYNC, O_SYNC: flush at the end of each record; else 0 */
	struct dd_stats stats;
	uint64_t in_offset;
	size_t piece;    /* a record longer than a buffer goes in pieces of so many bytes */
	uint64_t record; /* bytes of the record under way that are written */
	size_t gathered; /* bytes in obuf, without bs= */
	struct dd_operands o;
	char *ibuf, *obuf; /* the same one with bs= */
	uint64_t written;  /* bytes written of the record that ended last */
	uint64_t partread; /* size of the input record before, where it was partial */
	int64_t before;    /* what the read before gave */
	uint64_t started, next, piece_started; /* the clock's time */
	const char *in_name, *out_name;
	int progress; /* width of the line that has no newline yet */
	int status;
	int in_seek;  /* 0, or -errno: why the input cannot seek */
	bool zeros;   /* the input is /dev/zero: not read */
	bool stream;  /* neither file nor disk nor endless: a read gives what there is */
	bool endless; /* the input never ends */
	bool warn_partial;
	bool skipping;  /* records are read and forgotten */
	bool was_seek;  /* the last output was a hole */
	struct buf buf; /* owns ibuf and obuf */
};

/* Set by the handlers of SIGINT and SIGTERM, and of SIGUSR1. */
extern volatile sig_atomic_t dd_interrupt, dd_asked;

/* Skip, seek, copy, close, print statistics. Returns the exit status. */
int dd_copy(struct dd *d);

/* Do what signals asked for: may end the process. */
void dd_signals(struct dd *d);

/* Give the output that size: 0, or 1 where that failed and was said. */
int dd_truncate(struct dd *d, uint64_t size);

/* Change the flags of an open descriptor; what the kernel cannot change it leaves alone without
 * a word. 0, or 1 where that failed and was said: @what. */
int dd_flags(struct dd *d, int fd, int on, int off, const char *what);

enum { DD_NOTE = 1 };

/* "ddtest: text", and for -errno @rc what it means; @rc DD_NOTE: not with status=none. In
 * @fmt '<' and '>' stand for the names of input and output: quoted, at the start of the line
 * only where a shell needs it. Returns 1. */
int dd_say(struct dd *d, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
