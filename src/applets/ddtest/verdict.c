/* SPDX-License-Identifier: MIT */
#include "verdict.h"
void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose) { (void)o; (void)limits; (void)verbose; }
void verdict_compare(struct outcome *const *all, unsigned count) { (void)all; (void)count; }
