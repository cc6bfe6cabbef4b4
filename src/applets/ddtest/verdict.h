/* SPDX-License-Identifier: MIT */
/* verdict - what the measured numbers say, by rule; no system call. */
#ifndef DDTEST_VERDICT_H
#define DDTEST_VERDICT_H

#include "run.h"

/* What the user asked for; 0: no limit. */
struct limits {
	uint64_t min_rate;       /* bytes per second, of each stream */
	uint64_t max_latency_ns; /* 99 % of each latency and seek test */
};

/* Give the verdicts of one outcome into its record, most important first. @verbose adds
 * "etcd" and "rotation-from-timing". The rules are in the design's list; each speaks
 * only from runs that finished enough operations to carry it. */
void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose);

/* "slower-than-its-kind", over all outcomes of one call; after each was judged. */
void verdict_compare(struct outcome *const *all, unsigned count);

#endif
