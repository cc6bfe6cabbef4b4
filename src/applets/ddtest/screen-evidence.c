/* SPDX-License-Identifier: MIT */
/* screen-evidence - with -v: histogram of each latency test, curve of each stream, counters. */

#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <core/text.h>
#include <timing/clock.h>

#include "screen.h"

/* A row of a histogram or a curve, its bar in proportion to the longest. */
static void bar(double share)
{
	printf("%.*s\n", (int)(share * 40 + 0.5), "########################################");
}

/* A row for each doubling, as far as there are any. */
static void histogram(const struct histogram *h)
{
	uint64_t from = 1, most = 1;
	char low[SIZE_TEXT], high[SIZE_TEXT];

	while (from * 2 <= h->min_ns)
		from *= 2;
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint64_t at = from; at <= h->max_ns; at *= 2) {
			uint64_t n = histogram_between(h, at, at * 2);

			if (n > most)
				most = n;
			if (!pass)
				continue;
			printf("  %9s .. %-9s %8llu  ", size_print_time(low, at),
			       size_print_time(high, at * 2), (unsigned long long)n);
			bar((double)n / (double)most);
		}
}

/* Bars of a second; of a tenth of the time where it was shorter than ten seconds; of more
 * seconds each where there would be more than thirty. */
static void curve(const struct run *r)
{
	uint64_t step = NS_PER_S, slowest_at = 0;
	double most = 1, least = 0;
	char text[SIZE_TEXT], at_text[SIZE_TEXT];

	while (r->elapsed_ns / step > 30)
		step *= 2;
	if (r->elapsed_ns < 10 * NS_PER_S)
		step = r->elapsed_ns / 10 + 1;
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint64_t at = 0; at + step / 2 < r->elapsed_ns; at += step) {
			double rate = (curve_bytes_by(&r->curve, at + step) -
				       curve_bytes_by(&r->curve, at)) *
				      1e9 / (double)step;

			if (rate > most)
				most = rate;
			if (!at || rate < least) {
				least = rate;
				slowest_at = at;
			}
			if (!pass)
				continue;
			printf("  %9s  %10s  ", size_print_time(at_text, at),
			       size_print_rate(text, rate));
			bar(rate / most);
		}
	printf("  slowest: %s, from %s on\n", size_print_rate(text, least),
	       size_print_time(at_text, slowest_at));
}

static void counter(const char *name, bool known, uint64_t value)
{
	if (known)
		printf("  %s %llu", name, (unsigned long long)value);
	else
		printf("  %s unknown", name);
}

void screen_evidence(const struct outcome *o)
{
	char bytes[SIZE_TEXT], block[SIZE_TEXT], elapsed[SIZE_TEXT];

	puts("\nEvidence");
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		if (!r->ops)
			continue;
		printf("%s %s, cache %s: %llu x %s by %s, %s in %s\n", run_test_name(r->test),
		       run_mode_name(r->mode), run_cache_name(r->cache), (unsigned long long)r->ops,
		       r->lat.count ? size_print(block, r->block_bytes) : "transfers", r->engine,
		       size_print(bytes, r->bytes), size_print_time(elapsed, r->elapsed_ns));
		counter("flushes", r->flushes_known, r->flushes);
		counter("sectors", r->sectors_known, r->moved_sectors);
		counter("of others", r->sectors_known, r->foreign_sectors);
		printf("%s%s%s\n", r->cut ? "  ended by -t" : "", *r->note ? "\n  " : "", r->note);
		if (r->lat.count)
			histogram(&r->lat);
		else
			curve(r);
	}
}
