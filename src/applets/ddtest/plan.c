/* SPDX-License-Identifier: MIT */
/* plan - which tests to run, in which order, and how long they may take; no system call. */

#include "plan.h"

static void add(struct plan *p, enum test test, enum mode mode, enum cache_state cache)
{
	if (p->count < OUTCOME_RUNS)
		p->step[p->count++] = (struct step){ test, mode, cache };
}

void plan_make(struct plan *p, bool write, unsigned modes, const enum cache_state *states,
	       unsigned state_count)
{
	static const enum test writes[] = { TEST_STREAM_WRITE, TEST_LATENCY_WRITE };

	p->count = 0;
	add(p, TEST_STREAM_READ, MODE_DIRECT, CACHE_AS_IS);
	add(p, TEST_SEEK_READ, MODE_DIRECT, CACHE_AS_IS);
	for (unsigned s = 0; write && s < state_count; s++)
		for (unsigned w = 0; w < 2; w++)
			for (enum mode m = MODE_DIRECT; m <= MODE_DSYNC; m++)
				if (modes & 1u << m)
					add(p, writes[w], m, states[s]);
}

uint64_t plan_longest_ns(const struct plan *p, uint64_t time_ns)
{
	uint64_t shares = p->count, all;
	bool writes = false;

	for (unsigned i = 0; i < p->count; i++) {
		shares += p->step[i].test == TEST_STREAM_WRITE;
		writes |= p->step[i].test >= TEST_STREAM_WRITE;
	}
	return __builtin_mul_overflow(shares + writes, time_ns, &all) ? UINT64_MAX : all;
}

bool plan_region(uint64_t target_bytes, uint32_t align, uint64_t *offset, uint64_t *size)
{
	uint64_t end, start = *offset;

	if (__builtin_add_overflow(start, *size, &end) || end > target_bytes)
		end = target_bytes;
	if (__builtin_add_overflow(start, (uint64_t)align - 1, &start))
		return false;
	start -= start % align;
	end -= end % align;
	*offset = start;
	*size = end > start ? end - start : 0;
	return *size > 0;
}

void plan_nearest_blocks(uint64_t block, uint32_t logical, uint64_t *below, uint64_t *above)
{
	*below = block - block % logical;
	if (__builtin_add_overflow(*below, logical, above))
		*above = *below;
}
