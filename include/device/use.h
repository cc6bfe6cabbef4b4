/* SPDX-License-Identifier: MIT */
/* use - who uses a block device, by name. */
#ifndef DEVICE_USE_H
#define DEVICE_USE_H

#include <stdbool.h>

#include <device/blk.h>

#define USE_TEXT 300

/* One user. text completes "sda2 is ...": "mounted on /mnt", "the root file system, mounted on /",
 * "the live medium, mounted on /cdrom", "swap", "a member of md0", "held by dm-0 (vg-root), mounted
 * on /srv", "the backing of loop3", "open for writing by qemu (pid 4711)", "in use through sdb,
 * another path to it (mounted on /mnt)", "mounted on /x as smbd (pid 77) sees it". remedy is the
 * command that ends it, or commands with "; " between, or "". Bytes are as the kernel has them. */
struct use {
	char device[BLK_NAME]; /* which device it is about: a partition's name for a whole disk */
	char text[USE_TEXT];
	char remedy[USE_TEXT];
};

/* Users of @b: the device itself, for a whole disk any of its partitions, for a partition its
 * whole disk (a file system or dm on the disk itself), and, with @deep, loops backed by it or by
 * a file on it, descriptors open for writing in other processes (device/opens.h says which), other
 * paths with the same wwid. Siblings of a partition do not count. At most @max are written;
 * returns how many. What cannot be seen (no /proc, no /sys) is simply not found: O_EXCL is
 * tried by the caller. */
unsigned use_find(const struct blk *b, bool deep, struct use *users, unsigned max);

/* A few words for a list: "/, /home", "swap", "md0", "dm-0 (vg-root)", "" for nobody; of the
 * whole disk and its partitions. Returns whether anybody. */
bool use_brief(const struct blk *disk, char *buf, unsigned size);

#endif
