/* SPDX-License-Identifier: MIT */
/* visit - the tests of one opened target, in the order that loses no data. */
#ifndef DDTEST_VISIT_H
#define DDTEST_VISIT_H

#include <device/buf.h>

#include "config.h"
#include "engine.h"
#include "pattern.h"
#include "plan.h"
#include "target.h"

struct visit {
	const struct config *config;
	struct target *target;
	struct outcome *o;
	const struct engine *engine;
	struct plan plan;
	uint64_t longest_ns; /* the whole visit; 0: no end is known */

	uint64_t offset, size; /* the stream's place */
	uint32_t align;
	struct buf slab;      /* what a kept stream reads, writes and is compared with */
	struct buf small;     /* the same for small writes */
	uint64_t small_bytes; /* of it that are written, round and round */
	uint64_t small_ns;    /* reading these takes so long; each test ends earlier by it */
	struct buf ring, master;
	struct pattern pattern;
	uint32_t pass; /* number of the pattern's latest run */
	unsigned slabs;
	bool ended;    /* a fault or a signal: no more tests here */
	bool gone;     /* the device is not there any more */
	bool slow;     /* a comparison took longer than -t */
	bool written;  /* something was written */
	bool unproved; /* something written was not read back */
};

/* Plan, clip, allocate: everything before the first test. @share: how many visits run at the
 * same time and divide the memory. STATUS_OK or the status, said and recorded. */
enum status visit_prepare(struct visit *v, struct target *t, const struct config *c,
			  unsigned share);

/* Run the plan; results go to the outcome, with the verdicts miscompare and unreadable. */
void visit_run(struct visit *v);

void visit_close(struct visit *v);

#endif
