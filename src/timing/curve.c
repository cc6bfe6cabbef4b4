/* SPDX-License-Identifier: MIT */
/* curve - how a stream's rate went over time, without an allocation. */

#include <string.h>

#include <timing/clock.h>
#include <timing/curve.h>

static void halve(struct curve *c)
{
	for (unsigned i = 0; i < CURVE_BINS / 2; i++)
		c->bytes[i] = c->bytes[2 * i] + c->bytes[2 * i + 1];
	memset(c->bytes + CURVE_BINS / 2, 0, sizeof(c->bytes) / 2);
	c->count = (c->count + 1) / 2;
	c->bin_ns *= 2;
}

void curve_add(struct curve *c, uint64_t ns, uint64_t bytes)
{
	if (!c->bin_ns)
		c->bin_ns = 10 * NS_PER_MS;
	while (ns / c->bin_ns >= CURVE_BINS)
		halve(c);
	c->bytes[ns / c->bin_ns] += bytes;
	if (c->count <= ns / c->bin_ns)
		c->count = (unsigned)(ns / c->bin_ns) + 1;
}

double curve_bytes_by(const struct curve *c, uint64_t ns)
{
	double done = 0;

	for (unsigned i = 0; i < c->count; i++) {
		uint64_t start = i * c->bin_ns;

		if (ns <= start)
			break;
		if (ns >= start + c->bin_ns)
			done += (double)c->bytes[i];
		else
			done += (double)c->bytes[i] * (double)(ns - start) / (double)c->bin_ns;
	}
	return done;
}

double curve_time_of(const struct curve *c, double bytes)
{
	double done = 0;

	for (unsigned i = 0; i < c->count; i++) {
		double here = (double)c->bytes[i];

		if (here > 0 && done + here >= bytes)
			return ((double)i + (bytes - done) / here) * (double)c->bin_ns;
		done += here;
	}
	return (double)c->count * (double)c->bin_ns;
}

double curve_rate_between(const struct curve *c, double from, double to)
{
	double ns = curve_time_of(c, to) - curve_time_of(c, from);

	return ns > 0 ? (to - from) / ns * 1e9 : 0;
}
