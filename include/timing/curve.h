/* SPDX-License-Identifier: MIT */
/* curve - how a stream's rate went over time, without an allocation. */
#ifndef TIMING_CURVE_H
#define TIMING_CURVE_H

#include <stdint.h>

#define CURVE_BINS   256
#define CURVE_BIN_NS 1000000 /* the first bins: what takes 12 ms has a curve, too */

/* Bytes a bin of time; when the last bin is full, pairs are merged and a bin lasts twice
 * as long. A bin starts at CURVE_BIN_NS. All bytes zero is an empty curve. */
struct curve {
	uint64_t bin_ns;
	unsigned count; /* bins in use */
	uint64_t bytes[CURVE_BINS];
};

/* @bytes were completed @ns after the stream began; never earlier than the call before. */
void curve_add(struct curve *c, uint64_t ns, uint64_t bytes);

/* How many bytes were done by @ns, between bins by proportion. */
double curve_bytes_by(const struct curve *c, uint64_t ns);

/* When (ns) the first @bytes were done, between bins by proportion. */
double curve_time_of(const struct curve *c, double bytes);

/* Bytes a second while the bytes from @from to @to of the stream went by; 0 if unknown. */
double curve_rate_between(const struct curve *c, double from, double to);

#endif
