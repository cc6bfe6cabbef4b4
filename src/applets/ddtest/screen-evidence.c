/* SPDX-License-Identifier: MIT */
/* screen-evidence - with -v: histogram of each latency test, curve of each stream, counters. */

#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <core/text.h>
#include <timing/clock.h>

#include "screen.h"

#define BAR 40

static void bar(double share)
{
	int n = (int)(share * BAR + 0.5);

	for (int i = 0; i < n; i++)
		putchar('#');
	putchar('\n');
}

/* A row for each doubling, as far as there are any. */
static void histogram(const struct histogram *h)
{
	uint64_t from = 1, most = 0;
	char low[SIZE_TEXT], high[SIZE_TEXT];

	while (from * 2 <= h->min_ns)
		from *= 2;
	for (uint64_t at = from; at <= h->max_ns; at *= 2) {
		uint64_t n = histogram_between(h, at, at * 2);

		most = n > most ? n : most;
	}
	for (uint64_t at = from; most && at <= h->max_ns; at *= 2) {
		uint64_t n = histogram_between(h, at, at * 2);

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
	double most = 0, least = 0;
	char text[SIZE_TEXT], at_text[SIZE_TEXT];

	while (r->elapsed_ns / step > 30)
		step *= 2;
	if (r->elapsed_ns < 10 * NS_PER_S)
		step = r->elapsed_ns / 10 + 1;
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint64_t at = 0; at + step / 2 < r->elapsed_ns; at += step) {
			uint64_t end = at + step < r->elapsed_ns ? at + step : r->elapsed_ns;
			double rate =
				(curve_bytes_by(&r->curve, end) - curve_bytes_by(&r->curve, at)) *
				1e9 / (double)(end - at);

			if (!pass) {
				most = rate > most ? rate : most;
				if (!at || rate < least) {
					least = rate;
					slowest_at = at;
				}
				continue;
			}
			printf("  %9s  %10s  ", size_print_time(at_text, at),
			       size_print_rate(text, rate));
			bar(most > 0 ? rate / most : 0);
		}
	printf("  slowest: %s, from %s on\n", size_print_rate(text, least),
	       size_print_time(at_text, slowest_at));
}

static void counters(const struct run *r)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "%s%s", r->cut ? "ended by -t; " : "",
			 r->flushes_known ? "" : "flushes unknown; ");

	if (r->flushes_known)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%llu flushes; ",
			      (unsigned long long)r->flushes);
	if (r->sectors_known)
		snprintf(text + n, sizeof(text) - (size_t)n, "%llu sectors moved, %llu by others",
			 (unsigned long long)r->moved_sectors,
			 (unsigned long long)r->foreign_sectors);
	else
		snprintf(text + n, sizeof(text) - (size_t)n, "sectors unknown");
	text_print(stdout, 2, "%s", text);
	if (r->note[0])
		text_print(stdout, 2, "%s", r->note);
}

void screen_evidence(const struct outcome *o)
{
	char bytes[SIZE_TEXT], block[SIZE_TEXT], elapsed[SIZE_TEXT], path[60];

	printf("\nEvidence of %s\n", text_cut(path, sizeof(path) - 1, o->record.target));
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		if (!r->ops)
			continue;
		printf("%s %s, cache %s: %llu x %s by %s, %s in %s\n", run_test_name(r->test),
		       run_mode_name(r->mode), run_cache_name(r->cache), (unsigned long long)r->ops,
		       r->curve.count ? "transfers" : size_print(block, r->block_bytes), r->engine,
		       size_print(bytes, r->bytes), size_print_time(elapsed, r->elapsed_ns));
		counters(r);
		if (r->lat.count)
			histogram(&r->lat);
		else
			curve(r);
	}
}
