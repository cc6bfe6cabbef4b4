/* SPDX-License-Identifier: MIT */
/* dd-stats - the lines that GNU dd ends with. */

#include <stdio.h>
#include <string.h>

#include <timing/clock.h>

#include "dd-stats.h"

/* To the nearest, to the even one of two. */
static unsigned nearest(double value)
{
	unsigned whole = (unsigned)value;
	double rest = value - whole;

	return whole + (rest > 0.5 || (rest == 0.5 && whole % 2));
}

/* Two digits, and 1.0 of the next unit for a full one; nothing behind the point where it has
 * no prefix. @measured: three digits, from kB on. */
static void human(char buf[DD_STATS_SIZE], double value, unsigned base, bool measured)
{
	unsigned power = 0, whole, tenths;
	double unit = 1;
	bool point;

	for (; value / unit >= base || power < measured; power++)
		unit *= base;
	tenths = nearest(value * 10 / unit);
	whole = nearest(value / unit);
	if (whole == base && !measured) {
		tenths = 10;
		power++;
	}
	point = power && tenths < (measured ? 1000 : 100);
	snprintf(buf, DD_STATS_SIZE, "%.*f %.*s%sB", point, point ? tenths / 10.0 : whole,
		 power > 0, &(base == 1024 ? " KMGTPEZYRQ" : " kMGTPEZYRQ")[power],
		 power && base == 1024 ? "i" : "");
}

const char *dd_stats_both(char buf[DD_STATS_TEXT], uint64_t bytes)
{
	char si[DD_STATS_SIZE], iec[DD_STATS_SIZE];

	human(si, (double)(int64_t)bytes, 1000, false);
	human(iec, (double)(int64_t)bytes, 1024, false);
	snprintf(buf, DD_STATS_TEXT,
		 bytes >= 1024   ? "%llu bytes (%s, %s)"
		 : bytes >= 1000 ? "%llu bytes (%s)"
		 : bytes == 1    ? "%llu byte"
				 : "%llu bytes",
		 (unsigned long long)bytes, si, iec);
	return buf;
}

const char *dd_stats_records(char buf[DD_STATS_TEXT], const struct dd_stats *s)
{
	snprintf(buf, DD_STATS_TEXT, "%llu+%llu records in\n%llu+%llu records out\n",
		 (unsigned long long)s->r_full, (unsigned long long)s->r_partial,
		 (unsigned long long)s->w_full, (unsigned long long)s->w_partial);
	return buf;
}

const char *dd_stats_bytes(char buf[DD_STATS_TEXT], uint64_t bytes, uint64_t ns, bool progress)
{
	char per_s[DD_STATS_SIZE] = "Infinity B";
	size_t n = strlen(dd_stats_both(buf, bytes));

	/* gnulib's human_readable() takes a rate as it takes a size where one of second and
	 * time is a multiple of the other. */
	if (ns)
		human(per_s, (double)(int64_t)bytes * 1e9 / (double)(int64_t)ns, 1000,
		      NS_PER_S % ns && ns % NS_PER_S);
	snprintf(buf + n, DD_STATS_TEXT - n,
		 progress ? " copied, %.0f s, %s/s" : " copied, %g s, %s/s",
		 (double)(int64_t)ns / 1e9, per_s);
	return buf;
}
