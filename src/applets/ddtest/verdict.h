/* SPDX-License-Identifier: MIT */
/* verdict - what the measured numbers say, by rule; no system call. */
#ifndef DDTEST_VERDICT_H
#define DDTEST_VERDICT_H

#include <core/size.h>

#include "run.h"

/* What the user asked for; 0: no limit. */
struct limits {
	uint64_t min_rate;       /* bytes per second, of each stream */
	uint64_t max_latency_ns; /* 99 % of each latency and seek test */
};

/* Give the verdicts of one outcome into its record, behind those that are there: faults,
 * warnings, then the rest; one of each id, from the run that tells most (dsync before direct,
 * cache off before on). @verbose adds "etcd" and "rotation-from-timing". Each text is complete
 * in itself and names the mode and the cache's state it speaks of.
 *
 * - A verdict from latencies needs VERDICT_OPS of them. A limit is also held against fewer,
 *   where the run came to its own end or to that of -t.
 * - The cache is "on" or "off" only where that was read back: a run of CACHE_ON or CACHE_OFF,
 *   or one as it is on a drive whose drive_cache is known.
 * - Memory gets no verdict about platters, flushes or fitness. A turn is known from .rpm
 *   alone. Where no rpm is known "faster-than-medium" needs .rotational, and a bus that is
 *   known and has a medium of its own: "loop" and "zram" say rotational because nobody told them
 *   otherwise, and have none. A virtual disk ("virtio", "xen") does get it, with the candidates in
 *   the same order: that a hypervisor answers is what its user has to know.
 * - "noisy": others moved more than VERDICT_NOISE per cent of a run's sectors. The latency writes
 *   in a directory are left out: there the file system's journal is most of what is written.
 * - "foreign-writes": only on a whole disk that is no dm and no md. The counters are those of the
 *   leaf disks, where the neighbours of a partition or volume rightly write.
 * - "controller-waits": not from runs with the cache switched off.
 *
 * "miscompare" and "unreadable" are given where they are found, before this is called. */
void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose);

/* "slower-than-its-kind", over all outcomes of one call; after each was judged. Compared are
 * targets of one kind and model (without a model: of one bus, driver and size), by the first
 * of stream-write (direct, dsync), then stream-read that a target and three like it have in
 * the same cache state. The text begins with the target's kernel name, or else the operand. */
void verdict_compare(struct outcome *const *all, unsigned count);

/* ---- shared by the parts ----------------------------------------------------------------- */

#define VERDICT_OPS   20
#define VERDICT_NOISE 5

/* The state of the drive's cache during @r: DRIVE_CACHE_ON, _OFF or _UNKNOWN. */
int verdict_cache(const struct outcome *o, const struct run *r);

/* " with the cache on", " with the cache off" or "". */
const char *verdict_with_cache(const struct outcome *o, const struct run *r);

/* The latency write of that mode and state of the cache that has VERDICT_OPS, or NULL. */
const struct run *verdict_latency(const struct outcome *o, enum mode m, int cache);

/* "11.19 ms", "0.084 ms", "7.21 us": as the tables have it, with a unit. */
const char *verdict_time(char buf[SIZE_TEXT], double ns);

/* Just the number of MB/s: "410", "33.1", "8.7". */
const char *verdict_megabytes(char buf[SIZE_TEXT], double per_s);

/* Whether its figure stands for the test: it came to an end of its own or to that of -t, or
 * did VERDICT_OPS before an error or a signal. */
bool verdict_counts(const struct run *r);

/* The parts, in verdict-platter.c. */
void verdict_faster_than_medium(struct outcome *o);
void verdict_controller_waits(struct outcome *o);
void verdict_acknowledged_early(struct outcome *o);
void verdict_waits_for_platter(struct outcome *o);
void verdict_rotation(struct outcome *o);

#endif
