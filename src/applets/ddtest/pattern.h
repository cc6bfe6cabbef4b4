/* SPDX-License-Identifier: MIT */
/* pattern - data of our own: incompressible, and each 512 bytes say where they belong. */
#ifndef DDTEST_PATTERN_H
#define DDTEST_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_UNIT   512u
#define PATTERN_MASTER (1u << 20)

/* A unit is its offset on the target and the run's number, then 496 bytes of the master,
 * which repeats each MiB: farther apart than any drive or file system compresses over, and
 * the offset keeps a deduplicating one from finding two alike. */
struct pattern {
	char *master; /* PATTERN_MASTER bytes, owned by the caller */
	uint64_t seed;
	bool zero; /* --data zero: nothing but zeros, no stamps */
};

/* Fill the master from the seed. */
void pattern_init(struct pattern *p);

/* The bytes that belong at @offset (a multiple of 512) in run @run; @size a multiple of 512.
 * pattern_stamp() only renews the stamps of a buffer that was filled for an offset equal
 * modulo PATTERN_MASTER. */
void pattern_fill(const struct pattern *p, void *data, size_t size, uint64_t offset, uint32_t run);
void pattern_stamp(const struct pattern *p, void *data, size_t size, uint64_t offset, uint32_t run);

/* The first byte of @data that is not as pattern_fill() makes it, as an index; @size if none. */
size_t pattern_check(const struct pattern *p, const void *data, size_t size, uint64_t offset,
		     uint32_t run);

/* The first byte in which @a and @b differ, as an index; @size if none. */
size_t pattern_differ(const void *a, const void *b, size_t size);

/* A stream of pseudo-random numbers (xorshift64*, Vigna 2016); @state not 0. */
uint64_t pattern_random(uint64_t *state);

#endif
