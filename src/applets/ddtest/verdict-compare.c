/* SPDX-License-Identifier: MIT */
/* verdict-compare - which of many targets of one kind falls behind. */

#include <string.h>

#include <core/size.h>

#include "verdict.h"

#define KIND_LEAST 4

/* A shorter stream measures who else wanted the processor. */
#define STREAM_LEAST_NS 100000000u

static bool alike(const struct outcome *a, const struct outcome *b)
{
	if (a->kind != b->kind || strcmp(a->model, b->model))
		return false;
	return *a->model || (*a->bus && !strcmp(a->bus, b->bus) && !strcmp(a->driver, b->driver) &&
			     a->size_bytes == b->size_bytes);
}

/* Bytes a second of @o's run like @r; 0 where there is none. */
static int64_t figure(const struct outcome *o, const struct run *r)
{
	r = outcome_find(o, r->test, r->mode, r->cache);
	return r && verdict_counts(r) ? (int64_t)run_rate(r) : 0;
}

static int64_t peer(const struct outcome *other, const struct outcome *o, const struct run *r)
{
	return other != o && alike(other, o) ? figure(other, r) : 0;
}

/* The (lower) median of the others of @o's kind, by counting: no memory. 0: too few. */
static int64_t median(struct outcome *const *all, unsigned count, const struct outcome *o,
		      const struct run *r, unsigned *peers)
{
	for (unsigned i = 0; i < count; i++) {
		int64_t v = peer(all[i], o, r);
		unsigned below = 0, upto = 0, n = 0;

		for (unsigned k = 0; v && k < count; k++) {
			int64_t w = peer(all[k], o, r);

			n += w > 0;
			below += w > 0 && w < v;
			upto += w > 0 && w <= v;
		}
		*peers = n;
		if (n + 1 >= KIND_LEAST && below * 2 < n && n <= upto * 2)
			return v;
	}
	return 0;
}

static void compare_one(struct outcome *const *all, unsigned count, struct outcome *o)
{
	for (unsigned i = o->runs; i--;) {
		const struct run *r = &o->run[i];
		bool judged = verdict_is_stream(r) && r->elapsed_ns >= STREAM_LEAST_NS;
		int64_t own = judged ? figure(o, r) : 0, usual;
		char own_text[SIZE_TEXT], usual_text[SIZE_TEXT];
		unsigned peers = 0;

		usual = own ? median(all, count, o, r, &peers) : 0;
		if (own * 2 >= usual)
			continue;
		record_verdict(&o->record, LEVEL_FAULT, "slower-than-its-kind",
			       "%s %ss at %.2f x the median of the %u like it (%s, %s).",
			       *o->name ? o->name : o->record.target,
			       r->test == TEST_STREAM_READ ? "read" : "write",
			       (double)own / (double)usual, peers,
			       size_print_rate(own_text, (double)own),
			       size_print_rate(usual_text, (double)usual));
		return;
	}
}

void verdict_compare(struct outcome *const *all, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		compare_one(all, count, all[i]);
}
