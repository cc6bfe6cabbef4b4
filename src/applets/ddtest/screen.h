/* SPDX-License-Identifier: MIT */
/* screen - what a person reads, on stdout, in 79 columns. */
#ifndef DDTEST_SCREEN_H
#define DDTEST_SCREEN_H

#include "config.h"
#include "target.h"
#include "visit.h"

/* ---- one target (screen.c) --------------------------------------------------------------- */

/* Before the first test: what it is, what happens to the data, how long at most. */
void screen_heading(const struct visit *v);

/* After the last: the table and the sentences; -q: these alone. */
void screen_result(struct outcome *o, const struct config *c);

/* ---- with -v: histogram, curve, evidence (screen-evidence.c) ------------------------------ */

void screen_evidence(const struct outcome *o);

/* ---- with --dd (screen-dd.c): what GNU dd would have printed of each write run ------------ */

void screen_dd(const struct outcome *o);

/* ---- many targets (screen-table.c): a line each -------------------------------------------- */

/* "24 disks, 6 tests each, at most 3 min" */
void screen_table_heading(unsigned count, unsigned tests, uint64_t longest_ns, bool writes);
void screen_table(struct outcome *const *all, unsigned count);

/* ---- the list of disks (screen-list.c) ------------------------------------------------------ */

void screen_list(struct outcome *const *all, unsigned count);

/* ---- JSON (json.c) --------------------------------------------------------------------------- */

void json_print(struct outcome *const *all, unsigned count, uint64_t started_unix_s, int status);

#endif
