/* SPDX-License-Identifier: MIT */
/* histogram - percentiles against sorted data, of every shape and size of number. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <timing/histogram.h>

#include "../tap.h"

#define LONGEST (1ull << 44) /* what the header promises to tell apart */

static struct histogram h;
static uint64_t data[20000];

static uint64_t seed = 7;

static uint64_t dice(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * 2685821657736338717ull;
}

static void clear(void)
{
	memset(&h, 0, sizeof(h));
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Nearest rank, by definition: the smallest value that so many do not exceed. */
static uint64_t exact(unsigned n, unsigned per_mille)
{
	uint64_t rank = ((uint64_t)n * per_mille + 999) / 1000;

	return data[rank ? rank - 1 : 0];
}

/* The contract's 0.4 %; below 128 ns it is exact. */
static bool close_to(uint64_t got, uint64_t wanted)
{
	uint64_t off = got > wanted ? got - wanted : wanted - got;

	return off * 250 <= wanted;
}

static const unsigned asked[] = { 0, 1, 10, 100, 250, 500, 501, 750, 900, 990, 999, 1000 };

/* data[0..n) */
static bool agrees(unsigned n)
{
	uint64_t sum = 0;

	clear();
	for (unsigned i = 0; i < n; i++) {
		histogram_add(&h, data[i]);
		sum += data[i];
	}
	qsort(data, n, sizeof(data[0]), compare);
	for (unsigned i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint64_t got = histogram_quantile(&h, asked[i]);

		if (!close_to(got, exact(n, asked[i])) || got < data[0] || got > data[n - 1]) {
			printf("# %u of 1000: %llu, wanted %llu\n", asked[i],
			       (unsigned long long)got, (unsigned long long)exact(n, asked[i]));
			return false;
		}
	}
	return h.count == n && h.sum_ns == sum && h.min_ns == data[0] && h.max_ns == data[n - 1] &&
	       histogram_mean(&h) == sum / n;
}

/* Shapes, each between about @scale and 64 x @scale. */
static uint64_t shape(unsigned kind, uint64_t scale)
{
	uint64_t r = dice();

	switch (kind) {
	case 0:
		return scale; /* all the same */
	case 1:
		return scale + r % (63 * scale); /* even */
	case 2:
		return (scale + r % scale) << (r >> 40) % 6; /* even in the logarithm */
	case 3:
		return r % 100 ? scale + r % (scale / 8 + 1) : 60 * scale; /* a tail of 1 % */
	case 4:
		return r % 2 ? scale : 32 * scale; /* two heaps */
	default:
		return scale * (1 + r % 3) + r % (scale / 50 + 1); /* turns */
	}
}

static void shapes(void)
{
	static const unsigned sizes[] = { 1, 2, 3, 10, 99, 100, 101, 999, 1000, 1001, 20000 };
	uint64_t scale;

	for (scale = 1; scale <= LONGEST / 64; scale *= 8)
		for (unsigned kind = 0; kind < 6; kind++) {
			bool good = true;

			for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
				for (unsigned i = 0; i < sizes[s]; i++)
					data[i] = shape(kind, scale);
				good &= agrees(sizes[s]);
			}
			ok(good, "shape %u from %llu ns", kind, (unsigned long long)scale);
		}
	ok(scale > LONGEST / 64 && LONGEST > 4 * 3600 * 1000000000ull, "up to hours");
}

/* Every value is in the bucket between its floor and the next one's. */
static void buckets(void)
{
	bool good = true, narrow = true;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t floor = histogram_floor(i), end = histogram_floor(i + 1);
		uint64_t at[] = { floor, end - 1, histogram_middle(i) };

		narrow &= end > floor && (end - floor == 1 || (end - floor) * 128 <= floor);
		for (unsigned k = 0; k < 3; k++) {
			clear();
			histogram_add(&h, at[k]);
			good &= h.bucket[i] == 1;
		}
	}
	ok(good, "floors, ends and middles fall into their buckets");
	ok(narrow, "a bucket is at most 1/128 of its value wide");
	ok(histogram_floor(0) == 0 && histogram_floor(HISTOGRAM_BUCKETS) == LONGEST,
	   "from 0 to 2^44");
}

static void edges(void)
{
	clear();
	ok(!histogram_quantile(&h, 500) && !histogram_mean(&h) &&
		   !histogram_between(&h, 0, UINT64_MAX),
	   "empty gives nought");
	histogram_add(&h, 12345678);
	ok(histogram_quantile(&h, 0) == 12345678 && histogram_quantile(&h, 500) == 12345678 &&
		   histogram_quantile(&h, 1000) == 12345678,
	   "one element is every percentile, exactly");
	clear();
	histogram_add(&h, 0);
	ok(h.count == 1 && !h.min_ns && !h.max_ns && !histogram_quantile(&h, 990),
	   "nought is a time");
	histogram_add(&h, 5);
	ok(!h.min_ns && h.max_ns == 5, "and stays the least");

	clear();
	histogram_add(&h, 1000);
	histogram_add(&h, UINT64_MAX / 2);
	histogram_add(&h, LONGEST);
	histogram_add(&h, LONGEST - 1);
	ok(h.bucket[HISTOGRAM_BUCKETS - 1] == 3 && h.max_ns == UINT64_MAX / 2,
	   "longer than 2^44 counts as that");
	ok(close_to(histogram_quantile(&h, 1000), LONGEST), "and reads as that");
	clear();
	histogram_add(&h, UINT64_MAX / 2);
	ok(histogram_quantile(&h, 500) == UINT64_MAX / 2, "but never outside of min and max");
}

/* As many as it may hold: 1 ms once, 100 ns otherwise. */
static void many(void)
{
	clear();
	histogram_add(&h, 100);
	histogram_add(&h, 1000000);
	h.bucket[100] = UINT32_MAX - 1;
	h.count = UINT32_MAX;
	ok(histogram_quantile(&h, 1) == 100 && histogram_quantile(&h, 999) == 100 &&
		   close_to(histogram_quantile(&h, 1000), 1000000),
	   "2^32 - 1 operations keep their places");
	ok(histogram_between(&h, 0, UINT64_MAX) == UINT32_MAX, "and are counted");
}

static void between(void)
{
	clear();
	histogram_add(&h, 100);
	ok(histogram_between(&h, 100, 101) == 1 && !histogram_between(&h, 0, 100) &&
		   !histogram_between(&h, 101, 200),
	   "from is in, to is not");
	clear();
	for (unsigned i = 0; i < 1000; i++)
		histogram_add(&h, i * 100000); /* 0 .. 99.9 ms */
	ok(histogram_between(&h, 0, UINT64_MAX) == 1000, "all");
	ok(histogram_between(&h, 20000000, 20000000) == 0, "none");
	for (unsigned ms = 10; ms < 90; ms += 20) {
		uint64_t n = histogram_between(&h, ms * 1000000ull, (ms + 10) * 1000000ull);

		/* 100, and at either end what a bucket of 1/128 may hold */
		ok(n >= 100 - 2 * (ms + 10) * 10 / 128 - 2 &&
			   n <= 100 + 2 * (ms + 10) * 10 / 128 + 2,
		   "%llu from %u to %u ms", (unsigned long long)n, ms, ms + 10);
	}
}

int main(void)
{
	shapes();
	buckets();
	edges();
	many();
	between();
	return tap_done();
}
