/* SPDX-License-Identifier: MIT */
/* signature - what the first and last sectors say is on a device. */
#ifndef DEVICE_SIGNATURE_H
#define DEVICE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct signature {
	const char *name; /* "xfs", "LVM physical volume", "GPT partition table" */
	bool member;      /* LVM, ZFS, md, bcache: part of something that may be assembled */
};

/* Looks at the first and the last 128 KiB of @fd, open for reading; aligned for O_DIRECT. Each
 * name once. Returns how many were found, at most @max, or -errno. */
int signature_find(int fd, uint64_t size, struct signature *found, unsigned max);

#endif
