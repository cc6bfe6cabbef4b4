/* SPDX-License-Identifier: MIT */
/* latency - small accesses one at a time, each timed. */
#ifndef DDTEST_LATENCY_H
#define DDTEST_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <timing/histogram.h>

struct latency {
	/* in */
	int fd;
	bool write; /* in order from offset, round again at the end of the memory; else reads at
		       random */
	bool flush; /* an fdatasync after each write, timed with it */
	uint64_t offset, count;
	uint32_t block;
	char *memory;    /* writes: the data, region bytes; reads: one block */
	uint64_t region; /* bytes, a multiple of block; reads: of the target, from offset 0 */
	uint64_t seed;
	uint64_t deadline_ns; /* 0: none */

	/* out */
	uint64_t ops, elapsed_ns;
	bool cut;
	int error;         /* -errno */
	uint64_t error_at; /* offset on the target */
	bool error_in_flush;
	struct histogram *lat; /* owned by the caller, zeroed */
};

void latency_run(struct latency *l);

#endif
