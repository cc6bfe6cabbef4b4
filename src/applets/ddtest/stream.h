/* SPDX-License-Identifier: MIT */
/* stream - bytes in order, with enough of them in flight, until the end, a deadline,
 * an error or a signal. */
#ifndef DDTEST_STREAM_H
#define DDTEST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <timing/curve.h>

#include "engine.h"

/* Bytes in flight begin at one transfer of the least size and double while they complete in
 * half of STREAM_WINDOW_NS: a write sleeps uninterruptibly, and ^C, progress and -t must
 * stay prompt on a stick that writes 1 MB/s. */
#define STREAM_LEAST     (64u << 10)
#define STREAM_MOST      (16u << 20)
#define STREAM_WINDOW_NS 250000000ull

/* Memory of streams that do not go through a slab. */
#define STREAM_RING (8u << 20)

/* Set by the signal handler; streams and latency tests end when it is not 0. */
extern volatile int stop_signal;

struct stream {
	/* in */
	const struct engine *engine;
	int fd;
	bool write, flush; /* flush: an fdatasync at the end, inside the clock */
	uint64_t offset, size;
	size_t align; /* transfers begin and end at multiples of it */
	char *slab;   /* size bytes, or NULL: the ring, STREAM_RING bytes */
	char *ring;
	uint64_t deadline_ns; /* clock; 0: none */
	/* Make ready what is written, look at what was read: @at is the place in the stream.
	 * check() returns the first byte that is wrong, or @size. NULL: neither. */
	void (*fill)(void *arg, void *data, size_t size, uint64_t at);
	size_t (*check)(void *arg, const void *data, size_t size, uint64_t at);
	void *arg;

	/* out */
	uint64_t bytes, ops, elapsed_ns;
	uint32_t largest; /* transfer */
	bool cut;         /* the deadline ended it */
	int error;        /* -errno of the first failure in the order of offsets; 0 */
	uint64_t error_at;
	bool error_in_flush;
	bool wrong; /* check() found something, at wrong_at, the lowest */
	uint64_t wrong_at;
	uint64_t longest_ns; /* from submission to completion */
	struct curve curve;
};

void stream_run(struct stream *s);

#endif
