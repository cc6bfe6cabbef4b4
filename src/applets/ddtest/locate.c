/* SPDX-License-Identifier: MIT */
/* locate - which sector of a transfer that failed cannot be read. */

#include <stdbool.h>

#include <device/sys.h>
#include <timing/clock.h>

#include "locate.h"

#define PATIENCE_NS (10 * NS_PER_S)

uint64_t locate_unreadable(int fd, uint64_t at, size_t length, uint32_t sector, char *memory)
{
	uint64_t end = clock_now() + PATIENCE_NS, start = at;
	bool failed = false;

	while (sector && length > sector && clock_now() < end) {
		size_t half = length / 2 - length / 2 % sector, done = 0;
		ssize_t n;

		if (!half)
			half = sector;
		n = sys_pread_all(fd, memory, half, (off_t)at, &done);
		done -= done % sector;
		at += done;
		if (n >= 0 && done == half)
			length -= half;
		else
			length = half - done;
		failed |= n < 0;
	}
	/* What reads well the second time was not found. */
	if (failed || !sector || sys_pread_all(fd, memory, sector, (off_t)at, NULL) < 0)
		return at;
	return start;
}
