/* SPDX-License-Identifier: MIT */
/* histogram - how long each of many operations took, without an allocation. */
#ifndef TIMING_HISTOGRAM_H
#define TIMING_HISTOGRAM_H

#include <stdint.h>

/* 128 buckets an octave: a bucket is at most 1/128 of its value wide, so its middle is
 * within 0.4 % of every value in it. 0 .. 2^44 ns (4.8 hours); longer counts as that.
 * For less than 2^32 operations: what a bucket holds. */
#define HISTOGRAM_SUB     7
#define HISTOGRAM_OCTAVES 37
#define HISTOGRAM_BUCKETS ((HISTOGRAM_OCTAVES + 1) << HISTOGRAM_SUB)

struct histogram {
	uint64_t count, sum_ns, min_ns, max_ns; /* exact; min_ns 0 while count is 0 */
	uint32_t bucket[HISTOGRAM_BUCKETS];
};

/* All bytes zero is an empty histogram. */
void histogram_add(struct histogram *h, uint64_t ns);

/* The value that @per_mille of 1000 operations did not exceed (nearest rank): within 0.4 %,
 * never outside min..max, and 0 when there are none. */
uint64_t histogram_quantile(const struct histogram *h, unsigned per_mille);

/* 0 when there are none. */
uint64_t histogram_mean(const struct histogram *h);

/* How many operations took a time in [from, to), within the width of a bucket. */
uint64_t histogram_between(const struct histogram *h, uint64_t from_ns, uint64_t to_ns);

/* The lower end of bucket @i, and the middle. */
uint64_t histogram_floor(unsigned i);
uint64_t histogram_middle(unsigned i);

#endif
