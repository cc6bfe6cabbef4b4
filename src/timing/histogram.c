/* SPDX-License-Identifier: MIT */
/* histogram - how long each of many operations took, without an allocation. */

#include <timing/histogram.h>

#define SUBS (1u << HISTOGRAM_SUB)
#define FULL UINT32_MAX

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
	return histogram_floor(i) + (histogram_floor(i + 1) - histogram_floor(i)) / 2;
}

/* A bucket stops when it is full: what is missing there is in the count. */
static void add(uint32_t *bucket, uint32_t n)
{
	if (__builtin_add_overflow(*bucket, n, bucket))
		*bucket = FULL;
}

void histogram_add(struct histogram *h, uint64_t ns)
{
	if (ns < h->min_ns || !h->count)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->count++;
	h->sum_ns += ns;
	add(&h->bucket[index_of(ns)], 1);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (!from->count)
		return;
	if (from->min_ns < into->min_ns || !into->count)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		add(&into->bucket[i], from->bucket[i]);
}

/* How many operations each full bucket stands for. */
static uint64_t full_bucket(const struct histogram *h)
{
	uint64_t left = h->count;
	unsigned full = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		left -= h->bucket[i] == FULL ? 0 : h->bucket[i];
		full += h->bucket[i] == FULL;
	}
	return full ? left / full : 0;
}

uint64_t histogram_quantile(const struct histogram *h, unsigned per_mille)
{
	uint64_t rank = h->count / 1000 * per_mille + (h->count % 1000 * per_mille + 999) / 1000;
	uint64_t full = full_bucket(h), seen = 0, value;
	unsigned i = 0;

	if (!h->count)
		return 0;
	if (!rank)
		return h->min_ns;
	for (; i < HISTOGRAM_BUCKETS - 1; i++) {
		seen += h->bucket[i] == FULL ? full : h->bucket[i];
		if (seen >= rank)
			break;
	}
	value = histogram_middle(i);
	return value < h->min_ns ? h->min_ns : value > h->max_ns ? h->max_ns : value;
}

uint64_t histogram_mean(const struct histogram *h)
{
	return h->count ? h->sum_ns / h->count : 0;
}

uint64_t histogram_between(const struct histogram *h, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t full = full_bucket(h), n = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t at = histogram_middle(i);

		if (at >= from_ns && at < to_ns)
			n += h->bucket[i] == FULL ? full : h->bucket[i];
	}
	return n;
}
