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

size_t pattern_differ(const void *a, const void *b, size_t size)
{
	const char *x = a, *y = b;
	size_t i = 0;

	for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
		uint64_t u, w;

		memcpy(&u, x + i, sizeof(u));
		memcpy(&w, y + i, sizeof(w));
		if (u != w)
			break;
	}
	while (i < size && x[i] == y[i])
		i++;
	return i;
}

size_t pattern_check(const struct pattern *p, const void *data, size_t size, uint64_t offset,
		     uint32_t run)
{
	char unit[PATTERN_UNIT];

	for (size_t i = 0; i < size; i += PATTERN_UNIT) {
		size_t at;

		pattern_fill(p, unit, sizeof(unit), offset + i, run);
		at = pattern_differ((const char *)data + i, unit, sizeof(unit));
		if (at < sizeof(unit))
			return i + at;
	}
	return size;
}
