/* SPDX-License-Identifier: MIT */
/* dd-stats - the lines that GNU dd ends with. */

#include <stdio.h>
#include <string.h>

#include <timing/clock.h>

#include "dd-stats.h"

static const char prefixes[] = "kMGTPEZYRQ";

static void with_unit(char buf[DD_STATS_SIZE], const char *number, unsigned power, unsigned base)
{
	char prefix[2] = "";

	if (power)
		prefix[0] = power == 1 && base == 1024 ? 'K' : prefixes[power - 1];
	snprintf(buf, DD_STATS_SIZE, "%s %s%sB", number, prefix, power && base == 1024 ? "i" : "");
}

/* @value / @unit to the nearest, to the even one of two. */
static uint64_t nearest(uint64_t value, uint64_t unit)
{
	uint64_t whole = value / unit, rest = value % unit;

	return whole + (rest > unit - rest || (rest == unit - rest && whole % 2));
}

/* @value / @unit: a tenth below 10, nothing behind the point where it has no prefix. */
static void human(char buf[DD_STATS_SIZE], uint64_t value, uint64_t unit, unsigned base)
{
	unsigned power = 0;
	uint64_t tenths;
	char number[24];

	for (; value / unit >= base; power++)
		unit *= base;
	tenths = value / unit * 10 + nearest(value % unit * 10, unit);
	if (power && tenths < 100) {
		snprintf(number, sizeof(number), "%u.%u", (unsigned)tenths / 10,
			 (unsigned)tenths % 10);
	} else if (nearest(value, unit) == base) {
		strcpy(number, "1.0");
		power++;
	} else {
		snprintf(number, sizeof(number), "%u", (unsigned)nearest(value, unit));
	}
	with_unit(buf, number, power, base);
}

/* gnulib's human_readable() divides in whole numbers only where one of bytes and nanoseconds
 * is a multiple of the other's unit; else in long double, from kB on, three digits. */
static void rate(char buf[DD_STATS_SIZE], uint64_t bytes, uint64_t ns)
{
	long double value = (long double)bytes * ((long double)NS_PER_S / (long double)ns);
	uint64_t whole;
	unsigned power = 1;
	char number[DD_STATS_SIZE];

	if (NS_PER_S % ns == 0 && !__builtin_mul_overflow(bytes, NS_PER_S / ns, &whole)) {
		human(buf, whole, 1, 1000);
		return;
	}
	if (ns % NS_PER_S == 0) {
		human(buf, bytes, ns / NS_PER_S, 1000);
		return;
	}
	for (value /= 1000; value >= 1000; power++)
		value /= 1000;
	if (snprintf(number, sizeof(number), "%.1Lf", value) > 4)
		snprintf(number, sizeof(number), "%.0Lf", value);
	with_unit(buf, number, power, 1000);
}

const char *dd_stats_both(char buf[DD_STATS_TEXT], uint64_t bytes)
{
	char si[DD_STATS_SIZE], iec[DD_STATS_SIZE];

	human(si, bytes, 1, 1000);
	human(iec, bytes, 1, 1024);
	snprintf(buf, DD_STATS_TEXT, "%llu byte%s", (unsigned long long)bytes,
		 bytes == 1 ? "" : "s");
	if (bytes >= 1000)
		snprintf(buf + strlen(buf), DD_STATS_TEXT - strlen(buf), " (%s%s%s)", si,
			 bytes >= 1024 ? ", " : "", bytes >= 1024 ? iec : "");
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
	size_t n;

	if (ns)
		rate(per_s, bytes, ns);
	n = strlen(dd_stats_both(buf, bytes));
	snprintf(buf + n, DD_STATS_TEXT - n,
		 progress ? " copied, %.0f s, %s/s" : " copied, %g s, %s/s", (double)ns / 1e9,
		 per_s);
	return buf;
}
