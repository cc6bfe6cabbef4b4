/* SPDX-License-Identifier: MIT */
/* locate - which sector of a transfer that failed cannot be read. */
#ifndef DDTEST_LOCATE_H
#define DDTEST_LOCATE_H

#include <stddef.h>
#include <stdint.h>

/* The first offset, a multiple of @sector, from which @sector bytes cannot be read, in
 * [@at, @at + @length): by halves, so that few reads touch the bad place, and for ten
 * seconds at most: a failing drive takes its time over each. @at where none fails again.
 * @memory holds half of @length, and a sector. */
uint64_t locate_unreadable(int fd, uint64_t at, size_t length, uint32_t sector, char *memory);

#endif
