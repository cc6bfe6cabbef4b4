/* SPDX-License-Identifier: MIT */
/* verdict-compare - which of many targets of one kind falls behind. */

#include <string.h>

#include "verdict.h"

#define KIND_LEAST 4

static bool alike(const struct outcome *a, const struct outcome *b)
{
	if (a->kind != b->kind || strcmp(a->model, b->model))
		return false;
	if (*a->model)
		return true;
	return (*a->bus || *a->driver) && !strcmp(a->bus, b->bus) &&
	       !strcmp(a->driver, b->driver) && a->size_bytes == b->size_bytes;
}

/* The figures that stand beside each other: one test in one mode and cache state. */
struct column {
	enum test test;
	enum mode mode;
	enum cache_state cache;
};

/* 0 where there is none. */
static double figure(const struct outcome *o, const struct column *c)
{
	const struct run *r = outcome_find(o, c->test, c->mode, c->cache);

	return r && verdict_counts(r) ? run_rate(r) : 0;
}

struct peers {
	struct outcome *const *all;
	unsigned count;
	const struct outcome *self;
	const struct column *column;
};

static double peer(const struct peers *p, unsigned i)
{
	return p->all[i] != p->self && alike(p->all[i], p->self) ? figure(p->all[i], p->column) : 0;
}

/* How many there are, and the @rank-th smallest figure (from 0), by counting: no memory. */
static unsigned peer_rank(const struct peers *p, unsigned rank, double *value)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->count; i++) {
		double v = peer(p, i);
		unsigned less = 0, same = 0;

		n += v > 0;
		for (unsigned k = 0; v > 0 && value && k < p->count; k++) {
			double w = peer(p, k);

			less += w > 0 && w < v;
			same += w == v;
		}
		if (v > 0 && value && less <= rank && rank < less + same)
			*value = v;
	}
	return n;
}

/* False where this figure cannot be compared. */
static bool compare_column(struct outcome *o, const struct peers *p)
{
	char own_text[SIZE_TEXT], median_text[SIZE_TEXT];
	double own = figure(o, p->column), low = 0, high = 0;
	unsigned n = own > 0 ? peer_rank(p, 0, NULL) : 0;

	if (n + 1 < KIND_LEAST)
		return false;
	peer_rank(p, (n - 1) / 2, &low);
	peer_rank(p, n / 2, &high);
	low = (low + high) / 2;
	if (own < low / 2)
		record_verdict(&o->record, LEVEL_FAULT, "slower-than-its-kind",
			       "%s %s at %.2f x the median of the %u like it (%s, %s MB/s).",
			       *o->name ? o->name : o->record.target,
			       p->column->test == TEST_STREAM_WRITE ? "writes" : "reads", own / low,
			       n, verdict_megabytes(own_text, own),
			       verdict_megabytes(median_text, low));
	return true;
}

static void compare_one(struct outcome *const *all, unsigned count, struct outcome *o)
{
	static const struct {
		enum test test;
		enum mode mode;
	} order[] = {
		{ TEST_STREAM_WRITE, MODE_DIRECT },
		{ TEST_STREAM_WRITE, MODE_DSYNC },
		{ TEST_STREAM_READ, MODE_DIRECT },
		{ TEST_STREAM_READ, MODE_BUFFERED },
	};

	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		for (enum cache_state c = CACHE_AS_IS; c <= CACHE_OFF; c++) {
			struct column column = { order[i].test, order[i].mode, c };
			struct peers peers = { all, count, o, &column };

			if (compare_column(o, &peers))
				return;
		}
}

void verdict_compare(struct outcome *const *all, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		compare_one(all, count, all[i]);
}
