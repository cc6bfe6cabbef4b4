/* SPDX-License-Identifier: MIT */
/* plan - which tests to run, in which order, and how long they may take; no system call. */
#ifndef DDTEST_PLAN_H
#define DDTEST_PLAN_H

#include "run.h"

/* How a cache is brought into its state is not known here. */
struct step {
	enum test test;
	enum mode mode;
	enum cache_state cache;
};

struct plan {
	unsigned count;
	struct step step[OUTCOME_RUNS];
};

/* Reads, once, before all writes; then for each of the @states the writes in each mode.
 * @modes: bit MODE_DIRECT, bit MODE_DSYNC. Without @write only the reads. */
void plan_make(struct plan *p, bool write, unsigned modes, const enum cache_state *states,
	       unsigned state_count);

/* The longest that a visit may take where each test ends after @time_ns: a share for each
 * test; with writes one more for the second read (or the prewriting), and one for each
 * stream's read-back. 0 where @time_ns is 0: no end is known. */
uint64_t plan_longest_ns(const struct plan *p, uint64_t time_ns);

/* The stream's place on a target of @target_bytes: at @offset, @size long, its ends rounded
 * inwards to multiples of @align and clipped to the target. Returns false where nothing
 * is left. */
bool plan_region(uint64_t target_bytes, uint32_t align, uint64_t *offset, uint64_t *size);

/* The legal block size next below and next above @block, for a target of @logical sectors;
 * below is 0 where there is none. */
void plan_nearest_blocks(uint64_t block, uint32_t logical, uint64_t *below, uint64_t *above);

#endif
