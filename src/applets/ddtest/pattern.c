/* SPDX-License-Identifier: MIT */
/* pattern - data of our own: incompressible, and each 512 bytes say where they belong. */

#include <string.h>

#include "pattern.h"

struct stamp {
	uint64_t offset;
	uint32_t run, seed;
};

uint64_t pattern_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dull;
}

void pattern_init(struct pattern *p)
{
	uint64_t state = p->seed * 2 + 1;

	for (size_t i = 0; i < PATTERN_MASTER; i += sizeof(uint64_t)) {
		uint64_t word = pattern_random(&state);

		memcpy(p->master + i, &word, sizeof(word));
	}
}

void pattern_stamp(const struct pattern *p, void *data, size_t size, uint64_t offset, uint32_t run)
{
	struct stamp s = { .run = run, .seed = (uint32_t)p->seed };

	for (size_t i = 0; !p->zero && i < size; i += PATTERN_UNIT) {
		s.offset = offset + i;
		memcpy((char *)data + i, &s, sizeof(s));
	}
}

void pattern_fill(const struct pattern *p, void *data, size_t size, uint64_t offset, uint32_t run)
{
	if (p->zero) {
		memset(data, 0, size);
		return;
	}
	for (size_t i = 0; i < size; i += PATTERN_UNIT)
		memcpy((char *)data + i, p->master + (offset + i) % PATTERN_MASTER, PATTERN_UNIT);
	pattern_stamp(p, data, size, offset, run);
}

size_t pattern_check(const struct pattern *p, const void *data, size_t size, uint64_t offset,
		     uint32_t run)
{
	char unit[PATTERN_UNIT];

	for (size_t i = 0; i < size; i += PATTERN_UNIT) {
		const char *there = (const char *)data + i;
		size_t at = 0;

		pattern_fill(p, unit, sizeof(unit), offset + i, run);
		if (!memcmp(there, unit, sizeof(unit)))
			continue;
		while (there[at] == unit[at])
			at++;
		return i + at;
	}
	return size;
}
