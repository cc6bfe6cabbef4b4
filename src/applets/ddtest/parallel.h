/* SPDX-License-Identifier: MIT */
/* parallel - all targets at the same time, each in a process of its own. */
#ifndef DDTEST_PARALLEL_H
#define DDTEST_PARALLEL_H

#include "target.h"

/* Run @work(&targets[i]) in a child each and wait for all. A child that dies leaves a trouble
 * in its outcome, which must lie in memory shared with the children. A signal that stops this
 * process is passed on. A disk that hangs holds up the end, not the other disks. */
void parallel_run(struct target *targets, unsigned count, void (*work)(struct target *t, void *arg),
		  void *arg);

#endif
