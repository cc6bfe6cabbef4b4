/* SPDX-License-Identifier: MIT */
/* engine - how several transfers are kept in flight: io_uring, native aio, or one at a time. */
#ifndef DDTEST_ENGINE_H
#define DDTEST_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#define ENGINE_DEPTH 8

struct transfer {
	bool write;
	int fd;
	struct iovec memory;
	off_t offset;
	unsigned slot; /* below ENGINE_DEPTH, free while the transfer is in flight */
};

struct completion {
	unsigned slot;
	ssize_t result; /* bytes, maybe fewer than asked, or -errno */
};

struct engine {
	const char *name; /* as in JSON */
	unsigned depth;   /* transfers in flight, at most ENGINE_DEPTH */
	size_t largest;   /* bytes of one transfer */

	/* 0, or -errno where this kernel has none: try the next engine. */
	int (*open)(void);
	/* 0 or -errno; the memory of t->memory stays in use until its completion. */
	int (*submit)(const struct transfer *t);
	/* Wait for one completion: 0, or -errno (-EINTR: a signal came, call again). */
	int (*reap)(struct completion *done);
	void (*close)(void);
};

/* The first that opens of io_uring, aio and plain, which always does. */
const struct engine *engine_open(void);

#endif
