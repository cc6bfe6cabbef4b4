/* SPDX-License-Identifier: MIT */
/* histogram - how long each of many operations took, without an allocation. */

#include <timing/histogram.h>

#define SUBS (1u << HISTOGRAM_SUB)

/* Values below 2 * SUBS have a bucket each; above, the top HISTOGRAM_SUB + 1 bits count. */
static unsigned index_of(uint64_t ns)
{
	unsigned shift;

	if (ns < SUBS)
		return (unsigned)ns;
	if (ns >> (HISTOGRAM_OCTAVES + HISTOGRAM_SUB))
		return HISTOGRAM_BUCKETS - 1;
	shift = 63u - (unsigned)__builtin_clzll(ns) - HISTOGRAM_SUB;
	return (shift << HISTOGRAM_SUB) + (unsigned)(ns >> shift);
}

uint64_t histogram_floor(unsigned i)
{
	unsigned shift = i < SUBS ? 0 : (i >> HISTOGRAM_SUB) - 1;

	return (uint64_t)(i - (shift << HISTOGRAM_SUB)) << shift;
}

uint64_t histogram_middle(unsigned i)
{
	return (histogram_floor(i) + histogram_floor(i + 1)) / 2;
}

void histogram_add(struct histogram *h, uint64_t ns)
{
	if (ns < h->min_ns || !h->count)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->count++;
	h->sum_ns += ns;
	h->bucket[index_of(ns)]++;
}

uint64_t histogram_quantile(const struct histogram *h, unsigned per_mille)
{
	uint64_t rank = (h->count * per_mille + 999) / 1000, value;
	unsigned i = 0;

	for (; i < HISTOGRAM_BUCKETS - 1 && rank > h->bucket[i]; i++)
		rank -= h->bucket[i];
	value = histogram_middle(i);
	return value < h->min_ns ? h->min_ns : value > h->max_ns ? h->max_ns : value;
}

uint64_t histogram_mean(const struct histogram *h)
{
	return h->count ? h->sum_ns / h->count : 0;
}

uint64_t histogram_between(const struct histogram *h, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t at = histogram_middle(i);

		if (at >= from_ns && at < to_ns)
			n += h->bucket[i];
	}
	return n;
}
