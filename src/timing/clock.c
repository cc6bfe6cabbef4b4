/* SPDX-License-Identifier: MIT */
/* clock - the one clock that everything is measured with. */

#include <time.h>

#include <timing/clock.h>

uint64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}
