/* SPDX-License-Identifier: MIT */
/* clock - the one clock that everything is measured with. */
#ifndef TIMING_CLOCK_H
#define TIMING_CLOCK_H

#include <stdint.h>

#define NS_PER_MS 1000000ull
#define NS_PER_S  1000000000ull

/* CLOCK_MONOTONIC in nanoseconds: does not jump when the date is set. */
uint64_t clock_now(void);

#endif
