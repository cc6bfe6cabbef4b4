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

#define VERDICT_OPS   20
#define VERDICT_NOISE 5

/* Give the verdicts of one outcome into its record, behind those that are there: faults,
 * warnings, then the rest; one of each id ("limit-missed": of each run), from the run that
 * tells most. @verbose adds "etcd" and "rotation-from-timing". Each text is complete in itself
 * and names the mode and the cache's state it speaks of.
 *
 * - A verdict from latencies needs VERDICT_OPS of them. A limit is also held against fewer,
 *   where the run came to its own end or to that of -t.
 * - The cache is "on" or "off" only where that was read back: a run of CACHE_ON or CACHE_OFF,
 *   or one as it is on a drive whose drive_cache is known.
 * - Memory gets no verdict about platters, flushes or fitness. A turn is known from .rpm
 *   alone. Where no rpm is known "faster-than-medium" needs .rotational, and a bus that is
 *   known and has a medium of its own: "loop" says rotational because nobody told it otherwise.
 *   A virtual disk ("virtio", "xen") does get it: that a hypervisor answers is what its user
 *   has to know.
 * - "noisy": others moved VERDICT_NOISE per cent of a run's sectors, or more. The latency writes
 *   in a directory are left out: there the file system's journal is most of what is written.
 * - "foreign-writes": only on a whole disk that is no dm and no md. The counters are those of the
 *   leaf disks, where the neighbours of a partition or volume rightly write.
 *
 * "miscompare" and "unreadable" are given where they are found, before this is called. */
void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose);

/* "slower-than-its-kind", over all outcomes of one call; after each was judged. Compared are
 * targets of one kind and model (without a model: of one bus, driver and size), by each stream
 * that a target and three like it have in the same cache state, the writes first. The text
 * begins with the target's kernel name, or else the operand. */
void verdict_compare(struct outcome *const *all, unsigned count);

/* ---- shared by the parts ----------------------------------------------------------------- */

static inline bool verdict_is_stream(const struct run *r)
{
	return r->test == TEST_STREAM_READ || r->test == TEST_STREAM_WRITE;
}

/* Whether its figure stands for the test: it came to an end of its own or to that of -t, or
 * did VERDICT_OPS before an error or a signal. */
bool verdict_counts(const struct run *r);

#endif
