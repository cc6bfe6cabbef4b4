/* SPDX-License-Identifier: MIT */
/* progress - one line on stderr, each second, in every phase; once on SIGUSR1. */
#ifndef TIMING_PROGRESS_H
#define TIMING_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One for the process. @always prints without a terminal too (each on a line of its own),
 * @never not even on one. Installs the handler of SIGUSR1 (SA_RESTART). */
void progress_init(bool always, bool never);

/* A phase of @total bytes or operations begins: "sda2: stream-write direct". @what is kept
 * by reference. @deadline_ns: the clock's time at which it ends early, 0 for never. */
void progress_phase(const char *object, const char *what, uint64_t total, bool bytes,
		    uint64_t deadline_ns);

/* Done so far, at @now: cheap; prints when a second has gone by or SIGUSR1 came. */
void progress_at(uint64_t now, uint64_t done);

/* Wipe the line, before anything else is printed. */
void progress_clear(void);

#endif
