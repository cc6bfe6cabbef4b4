/* SPDX-License-Identifier: MIT */
/* pattern - what was written is recognized at its place, and nothing else is. */

#include <stdlib.h>
#include <string.h>

#include "../../src/applets/ddtest/pattern.h"
#include "../tap.h"

#define UNITS 4096u /* two masters */
#define SIZE  (UNITS * PATTERN_UNIT)

static char master[PATTERN_MASTER], data[SIZE + 64], again[SIZE];

static struct pattern p = { .master = master, .seed = 1 };

/* The first byte in which two buffers differ: written here, not taken from what is tested. */
static size_t differ(const char *a, const char *b, size_t size)
{
	size_t i = 0;

	while (i < size && a[i] == b[i])
		i++;
	return i;
}

static void test_agreement(void)
{
	static const uint64_t offsets[] = {
		0, 512, 1 << 20, (1 << 20) - 512, (1ull << 32) - 512, 1ull << 63
	};
	unsigned bad = 0;

	for (unsigned shift = 0; shift < 16; shift += 5)
		for (unsigned i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
			for (size_t size = 512; size <= SIZE; size = size * 3 / 512 * 512 + 512) {
				char *at = data + shift;

				memset(data, 0x55, sizeof(data));
				pattern_fill(&p, at, size, offsets[i], 7);
				bad += pattern_check(&p, at, size, offsets[i], 7) != size;
				bad += at[size] != 0x55;
				/* In two halves it is the same. */
				pattern_fill(&p, again, 512, offsets[i], 7);
				pattern_fill(&p, again + 512, size - 512, offsets[i] + 512, 7);
				bad += memcmp(at, again, size) != 0;
				pattern_stamp(&p, at, size, offsets[i] + PATTERN_MASTER, 8);
				bad += pattern_check(&p, at, size, offsets[i] + PATTERN_MASTER,
						     8) != size;
			}
	ok(!bad, "fill, stamp and check agree, at any alignment and size");
}

static void test_differences(void)
{
	const uint64_t offset = 3 << 20;
	unsigned wrong = 0, bits = 0;
	char unit[512], other[512];

	pattern_fill(&p, data, SIZE, offset, 3);
	for (size_t at = 0; at < SIZE; at += 1021, bits++) {
		data[at] ^= (char)(1 << at % 8);
		wrong += pattern_check(&p, data, SIZE, offset, 3) != at;
		data[at] ^= (char)(1 << at % 8);
	}
	ok(bits > 2000 && !wrong, "one flipped bit is found, at its byte");
	data[0] ^= 1;
	data[SIZE - 1] ^= 1;
	ok(pattern_check(&p, data, SIZE, offset, 3) == 0, "the first byte, of two");
	data[0] ^= 1;
	ok(pattern_check(&p, data, SIZE, offset, 3) == SIZE - 1, "the last byte");
	data[SIZE - 1] ^= 1;

	pattern_fill(&p, unit, 512, offset, 3);
	pattern_fill(&p, other, 512, offset, 4);
	ok(pattern_check(&p, data, SIZE, offset, 4) == differ(unit, other, 512),
	   "another run's data");
	pattern_fill(&p, other, 512, offset + 512, 3);
	ok(differ(unit, other, 512) < 512 &&
		   pattern_check(&p, data, SIZE - 512, offset + 512, 3) == differ(unit, other, 512),
	   "data of the sector before");
	pattern_fill(&p, other, 512, offset + PATTERN_MASTER, 3);
	ok(differ(unit, other, 512) < 16 && pattern_check(&p, data, 512, offset + PATTERN_MASTER,
							  3) == differ(unit, other, 512),
	   "data from a MiB away, where the master is the same");

	memcpy(unit, data + 10 * 512, 512);
	memcpy(data + 10 * 512, data + 20 * 512, 512);
	memcpy(data + 20 * 512, unit, 512);
	ok(pattern_check(&p, data, SIZE, offset, 3) ==
		   10 * 512 + differ(unit, data + 10 * 512, 512),
	   "two sectors swapped: the first of them");
	ok(pattern_check(&p, data + 11 * 512, SIZE - 11 * 512, offset + 11 * 512, 3) ==
		   9 * 512 + differ(unit, data + 10 * 512, 512),
	   "and the second");
}

static int compare_words(const void *a, const void *b)
{
	return memcmp(a, b, 8);
}

static void test_incompressible(void)
{
	unsigned alike = 0, changed = 0;
	struct pattern other = p;

	pattern_fill(&p, data, SIZE, 0, 1);
	memcpy(again, data, SIZE / 2);
	qsort(again, SIZE / 2 / 8, 8, compare_words);
	for (size_t i = 8; i < SIZE / 2; i += 8)
		alike += !memcmp(again + i, again + i - 8, 8);
	/* The half of a stamp that holds run and seed is the same in all. */
	ok(alike == SIZE / 2 / 512 - 1, "no 8 bytes of a MiB twice, but for half of the stamps");
	for (unsigned i = 0; i < UNITS; i++)
		for (unsigned k = i + 2048; k < UNITS; k += 2048)
			alike += !memcmp(data + i * 512, data + k * 512, 512);
	ok(alike == SIZE / 2 / 512 - 1, "no unit twice");
	other.seed = 2;
	pattern_init(&other);
	pattern_fill(&other, again, SIZE, 0, 1);
	for (size_t i = 0; i < SIZE; i += 8)
		changed += memcmp(data + i, again + i, 8) != 0;
	ok(changed > SIZE / 8 - UNITS * 2, "another seed: other data");
	p.seed = 1;
	pattern_init(&p);
	pattern_fill(&p, again, SIZE, 0, 1);
	ok(!memcmp(data, again, SIZE), "the same seed: the same");
}

static void test_zero(void)
{
	struct pattern zero = { .master = master, .zero = true };

	memset(data, 1, SIZE);
	pattern_fill(&zero, data, SIZE, 512, 1);
	pattern_stamp(&zero, data, SIZE, 512, 2);
	ok(!data[0] && !memcmp(data, data + 1, SIZE - 1), "zero: nothing but zeros");
	ok(pattern_check(&zero, data, SIZE, 0, 9) == SIZE, "which pass");
	data[777] = 1;
	ok(pattern_check(&zero, data, SIZE, 0, 9) == 777, "and a 1 does not");
}

int main(void)
{
	pattern_init(&p);
	test_agreement();
	test_differences();
	test_incompressible();
	test_zero();
	return tap_done();
}
