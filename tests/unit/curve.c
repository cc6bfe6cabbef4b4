/* SPDX-License-Identifier: MIT */
/* curve - the bytes stay whole however long the stream is, and time is found again. */

#include <stdbool.h>
#include <string.h>

#include <timing/clock.h>
#include <timing/curve.h>

#include "../tap.h"

#define MIB 1048576ull

static struct curve c;

static uint64_t sum(void)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < CURVE_BINS; i++)
		n += c.bytes[i];
	return n;
}

static bool close_to(double got, double wanted, double off)
{
	return got >= wanted - off && got <= wanted + off;
}

/* @mib MiB each second from second @from to @to, in pieces of 1 MiB at their ends. */
static void flow(unsigned from, unsigned to, unsigned mib)
{
	for (uint64_t i = 1; i <= (uint64_t)(to - from) * mib; i++)
		curve_add(&c, from * NS_PER_S + i * NS_PER_S / mib - 1, MIB);
}

static void empty(void)
{
	memset(&c, 0, sizeof(c));
	ok(curve_bytes_by(&c, UINT64_MAX) == 0 && curve_bytes_by(&c, 0) == 0,
	   "an empty curve has no bytes");
	ok(curve_time_of(&c, 0) == 0 && curve_time_of(&c, 1) == 0, "and no time");
	ok(curve_rate_between(&c, 0, 1) == 0, "and no rate");
	curve_add(&c, 0, 5);
	ok(c.count == 1 && c.bin_ns == NS_PER_MS && c.bytes[0] == 5, "a bin starts at 1 ms");
	ok(curve_bytes_by(&c, NS_PER_MS / 2) == 2.5 && curve_time_of(&c, 2.5) == 5e5,
	   "half a bin, half its bytes");
	ok(close_to(curve_rate_between(&c, 0, 5), 5000, 1e-6), "5 bytes in 1 ms are 5000 a second");
	ok(curve_rate_between(&c, 5, 5) == 0, "no rate of no bytes");
	memset(&c, 0, sizeof(c));
	curve_add(&c, 55 * NS_PER_MS + 1, 5);
	ok(curve_time_of(&c, 0) == 55e6, "before the first bytes nothing is done");
}

/* At the last nanosecond of the last bin, then one more. */
static void merging(void)
{
	uint64_t numbers[CURVE_BINS];
	bool good = true;

	memset(&c, 0, sizeof(c));
	for (unsigned i = 0; i < CURVE_BINS; i++) {
		numbers[i] = i * i + 1;
		curve_add(&c, (i + 1) * NS_PER_MS - 1, numbers[i]);
	}
	ok(c.count == CURVE_BINS && c.bin_ns == NS_PER_MS,
	   "256 bins are full before any is merged");
	curve_add(&c, 256 * NS_PER_MS, 7);
	ok(c.count == CURVE_BINS / 2 + 1 && c.bin_ns == 2 * NS_PER_MS,
	   "then a bin lasts twice as long");
	for (unsigned i = 0; i < CURVE_BINS / 2; i++)
		good &= c.bytes[i] == numbers[2 * i] + numbers[2 * i + 1];
	ok(good && c.bytes[CURVE_BINS / 2] == 7, "pairs keep their bytes");
	for (unsigned i = CURVE_BINS / 2 + 1; i < CURVE_BINS; i++)
		good &= !c.bytes[i];
	ok(good, "and the rest is empty");

	/* an odd number of bins, then a leap over several merges */
	memset(&c, 0, sizeof(c));
	for (unsigned i = 0; i < 101; i++)
		curve_add(&c, i * NS_PER_MS, 3);
	curve_add(&c, 10 * NS_PER_S, 1);
	ok(c.bin_ns == 64 * NS_PER_MS && sum() == 304, "a leap merges as often as it takes");
	ok(c.bytes[0] == 64 * 3 && c.bytes[1] == 37 * 3 &&
		   c.bytes[10 * NS_PER_S / (64 * NS_PER_MS)] == 1,
	   "and the bytes are where they were");
	ok(c.count == 10 * NS_PER_S / (64 * NS_PER_MS) + 1, "up to the last bin");
}

static bool inverse(double bytes)
{
	double t = curve_time_of(&c, bytes);

	return close_to(curve_bytes_by(&c, (uint64_t)(t + 0.5)), bytes, bytes * 1e-6 + 64);
}

/* Three hours, a stall of one in the middle. */
static void three_hours(void)
{
	double total;
	bool good = true, forward = true;

	memset(&c, 0, sizeof(c));
	flow(0, 3600, 100);
	flow(7200, 10800, 50);
	total = 3600.0 * 150 * MIB;
	ok(sum() == 3600 * 150 * MIB && curve_bytes_by(&c, UINT64_MAX) == total,
	   "three hours keep every byte");
	ok(c.count <= CURVE_BINS && c.bin_ns == 65536 * NS_PER_MS, "in bins of 66 s");
	for (unsigned i = 0; i <= 1000; i++) {
		good &= inverse(total * i / 1000);
		forward &= !i || curve_time_of(&c, total * i / 1000) >=
					 curve_time_of(&c, total * (i - 1) / 1000);
	}
	ok(good, "bytes_by(time_of(b)) is b");
	ok(forward, "time goes forward");
	/* to within a bin */
	ok(close_to(curve_time_of(&c, 1800.0 * 100 * MIB), 1800e9, 66e9), "half an hour is found");
	ok(close_to(curve_time_of(&c, (3600.0 * 100 + 1800 * 50) * MIB), 9000e9, 66e9),
	   "so is the third hour");
	ok(close_to(curve_rate_between(&c, 1000.0 * 100 * MIB, 3000.0 * 100 * MIB), 100.0 * MIB,
		    5.0 * MIB),
	   "the first hour's rate");
	ok(close_to(curve_rate_between(&c, (3600.0 * 100 + 1000 * 50) * MIB,
				       (3600.0 * 100 + 3000 * 50) * MIB),
		    50.0 * MIB, 2.5 * MIB),
	   "the third hour's rate");
}

static void seconds(void)
{
	memset(&c, 0, sizeof(c));
	flow(0, 2, 400);
	ok(close_to(curve_rate_between(&c, 0, 800.0 * MIB), 400.0 * MIB, 1),
	   "two seconds at one rate");
	ok(close_to(curve_time_of(&c, 400.0 * MIB), 1e9, 1), "half of it takes a second");
	/* in a bin of 8 ms there are three pieces or four */
	ok(close_to(curve_bytes_by(&c, 500 * NS_PER_MS), 200.0 * MIB, MIB),
	   "half a second brings a quarter");
	ok(close_to(curve_time_of(&c, 900.0 * MIB), 2e9, 1),
	   "more than there is ends with the stream");
	flow(2, 10, 10);
	ok(close_to(curve_rate_between(&c, 820.0 * MIB, 860.0 * MIB), 10.0 * MIB, 0.5 * MIB),
	   "the slow part");
	ok(close_to(curve_rate_between(&c, 100.0 * MIB, 700.0 * MIB), 400.0 * MIB, 20.0 * MIB),
	   "beside the fast one");
}

/* 12 ms, the second half at a third of the rate. */
static void short_one(void)
{
	memset(&c, 0, sizeof(c));
	for (unsigned i = 0; i < 12; i++)
		curve_add(&c, i * NS_PER_MS + NS_PER_MS / 2, i < 6 ? 3 * MIB : MIB);
	ok(c.count == 12 && curve_rate_between(&c, 0, 18.0 * MIB) == 3000.0 * MIB &&
		   close_to(curve_rate_between(&c, 18.0 * MIB, 24.0 * MIB), 1000.0 * MIB, 1),
	   "12 ms have a curve");
}

int main(void)
{
	short_one();
	empty();
	merging();
	three_hours();
	seconds();
	return tap_done();
}
