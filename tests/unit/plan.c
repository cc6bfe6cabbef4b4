/* SPDX-License-Identifier: MIT */
/* plan - which tests, in which order, how long, and where on the target. */

#include <string.h>

#include "../../src/applets/ddtest/plan.h"
#include "../tap.h"

#define DIRECT (1u << MODE_DIRECT)
#define DSYNC  (1u << MODE_DSYNC)

static const enum cache_state as_is[] = { CACHE_AS_IS }, both[] = { CACHE_ON, CACHE_OFF };

struct order {
	const char *name;
	bool write;
	unsigned modes, states;
	const enum cache_state *state;
	const char *steps; /* test, mode, cache: a letter each */
	uint64_t shares;   /* of the longest time */
};

static const struct order orders[] = {
	{ "read only", false, DIRECT | DSYNC, 2, both, "rd- sd-", 2 },
	{ "all, as it is", true, DIRECT | DSYNC, 1, as_is, "rd- sd- wd- wf- ld- lf-", 9 },
	{ "direct alone", true, DIRECT, 1, as_is, "rd- sd- wd- ld-", 6 },
	{ "dsync alone", true, DSYNC, 1, as_is, "rd- sd- wf- lf-", 6 },
	{ "cache on, then off", true, DIRECT | DSYNC, 2, both,
	  "rd- sd- wd1 wf1 ld1 lf1 wd0 wf0 ld0 lf0", 15 },
};

static void print(char *buf, const struct plan *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		*buf++ = "rswl"[p->step[i].test];
		*buf++ = "df"[p->step[i].mode];
		*buf++ = "-10"[p->step[i].cache];
		*buf++ = i + 1 < p->count ? ' ' : '\0';
	}
}

static void test_orders(void)
{
	char text[128];
	struct plan p;

	for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		const struct order *o = &orders[i];

		memset(&p, 0xff, sizeof(p));
		plan_make(&p, o->write, o->modes, o->state, o->states);
		print(text, &p);
		ok(!strcmp(text, o->steps), "%s: %s", o->name, text);
		ok(plan_longest_ns(&p, 15000000000) == o->shares * 15000000000, "%s: %u times -t",
		   o->name, (unsigned)o->shares);
		ok(plan_longest_ns(&p, 0) == 0, "%s: no end without -t", o->name);
		ok(plan_longest_ns(&p, UINT64_MAX / o->shares) ==
			   UINT64_MAX / o->shares * o->shares,
		   "%s: the longest that fits", o->name);
		ok(plan_longest_ns(&p, UINT64_MAX / o->shares + 1) == UINT64_MAX,
		   "%s: longer is the longest", o->name);
	}
}

#define E62 (1ull << 62)
#define E63 (1ull << 63)
#define TOP UINT64_MAX

struct region {
	uint64_t target, offset, size;
	uint32_t align;
	uint64_t at, length; /* length 0: none */
};

static const struct region regions[] = {
	{ 1 << 20, 0, 1 << 20, 4096, 0, 1 << 20 },
	{ 1 << 20, 4096, 8192, 4096, 4096, 8192 },
	/* rounded inwards */
	{ 1 << 20, 1, 8192, 4096, 4096, 4096 },
	{ 1 << 20, 4095, 4097, 4096, 4096, 4096 },
	{ 1 << 20, 512, 8192, 512, 512, 8192 },
	{ 1 << 20, 4096, 8191, 4096, 4096, 4096 },
	{ 1 << 20, 1, 4095, 4096, 0, 0 },
	{ 1 << 20, 1, 8190, 4096, 0, 0 },
	{ 1 << 20, 0, 4095, 4096, 0, 0 },
	/* clipped */
	{ 1000, 0, 1 << 20, 512, 0, 512 },
	{ 10000, 512, TOP, 512, 512, 9216 },
	{ 10000, 9728, 1, 512, 0, 0 },
	{ 10000, 9216, 512, 512, 9216, 512 },
	{ 10000, 9728, 512, 512, 0, 0 },
	{ 8192, 8192, 1, 512, 0, 0 },
	{ 8192, 9000, 4096, 512, 0, 0 },
	{ 0, 0, 1 << 20, 512, 0, 0 },
	{ 1, 0, 1 << 20, 512, 0, 0 },
	{ 511, 0, 512, 512, 0, 0 },
	{ 512, 0, 512, 512, 0, 512 },
	{ 512, 0, 0, 512, 0, 0 },
	/* the edges of the types */
	{ (1ull << 31) + 512, 1ull << 31, 512, 512, 1ull << 31, 512 },
	{ (1ull << 31) - 1, 0, TOP, 4096, 0, (1ull << 31) - 4096 },
	{ (1ull << 32) + 4096, (1ull << 32) - 4096, 8192, 4096, (1ull << 32) - 4096, 8192 },
	{ 1ull << 32, (1ull << 32) - 1, 1 << 20, 512, 0, 0 },
	{ 1ull << 40, (1ull << 32) - 1, 1ull << 33, 4096, 1ull << 32, (1ull << 33) - 4096 },
	{ E63 - 1, E62, E63 - 1, 4096, E62, E62 - 4096 },
	{ E63 - 1, 0, TOP, 1u << 31, 0, E63 - (1ull << 31) },
	{ TOP, TOP - 1, TOP, 512, 0, 0 },
	{ TOP, TOP, 1, 4096, 0, 0 },
	{ TOP, E63, E63 - 1, 4096, E63, E63 - 4096 },
	{ TOP, 0, TOP, 4096, 0, TOP - 4095 },
};

static void test_regions(void)
{
	for (unsigned i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		const struct region *r = &regions[i];
		uint64_t at = r->offset, length = r->size;
		bool found = plan_region(r->target, r->align, &at, &length);

		ok(r->length ? found && at == r->at && length == r->length : !found,
		   "%llu at %llu of %llu, by %u: %s %llu, %llu", (unsigned long long)r->size,
		   (unsigned long long)r->offset, (unsigned long long)r->target, r->align,
		   found ? "found" : "none", (unsigned long long)at, (unsigned long long)length);
	}
}

static void test_blocks(void)
{
	static const uint64_t cases[][4] = {
		/* block, sector: below, above */
		{ 513, 512, 512, 1024 },
		{ 1000, 512, 512, 1024 },
		{ 1025, 512, 1024, 1536 },
		{ 100, 512, 0, 512 },
		{ 5000, 4096, 4096, 8192 },
		{ 1, 4096, 0, 4096 },
		{ 8191, 4096, 4096, 8192 },
		{ TOP, 512, TOP - 511, TOP - 511 },
		{ E63 + 1, 4096, E63, E63 + 4096 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t below, above;

		plan_nearest_blocks(cases[i][0], (uint32_t)cases[i][1], &below, &above);
		ok(below == cases[i][2] && above == cases[i][3], "nearest to %llu: %llu and %llu",
		   (unsigned long long)cases[i][0], (unsigned long long)below,
		   (unsigned long long)above);
	}
}

int main(void)
{
	test_orders();
	test_regions();
	test_blocks();
	return tap_done();
}
