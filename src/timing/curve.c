/* SPDX-License-Identifier: MIT */
/* curve - how a stream's rate went over time, without an allocation. */

#include <timing/curve.h>

static void halve(struct curve *c)
{
	for (unsigned i = 0; i < CURVE_BINS; i++)
		c->bytes[i] = i < CURVE_BINS / 2 ? c->bytes[2 * i] + c->bytes[2 * i + 1] : 0;
	c->bin_ns *= 2;
}

void curve_add(struct curve *c, uint64_t ns, uint64_t bytes)
{
	uint64_t bin;

	if (!c->bin_ns)
		c->bin_ns = CURVE_BIN_NS;
	while ((bin = ns / c->bin_ns) >= CURVE_BINS)
		halve(c);
	c->bytes[bin] += bytes;
	c->count = (unsigned)bin + 1;
}

double curve_bytes_by(const struct curve *c, uint64_t ns)
{
	double done = 0;

	for (unsigned i = 0; i < c->count; i++) {
		uint64_t part = ns < c->bin_ns ? ns : c->bin_ns;

		done += (double)(int64_t)c->bytes[i] *
			((double)(int64_t)part / (double)(int64_t)c->bin_ns);
		ns -= part;
	}
	return done;
}

double curve_time_of(const struct curve *c, double bytes)
{
	double bin_ns = (double)(int64_t)c->bin_ns;
	unsigned i = 0;

	for (; i < c->count; i++) {
		double here = (double)(int64_t)c->bytes[i];

		if (here > 0 && here >= bytes)
			return ((double)i + bytes / here) * bin_ns;
		bytes -= here;
	}
	return (double)i * bin_ns;
}

double curve_rate_between(const struct curve *c, double from, double to)
{
	double ns = curve_time_of(c, to) - curve_time_of(c, from);

	return ns > 0 ? (to - from) / ns * 1e9 : 0;
}
