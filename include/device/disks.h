/* SPDX-License-Identifier: MIT */
/* disks - the whole disks of this machine. */
#ifndef DEVICE_DISKS_H
#define DEVICE_DISKS_H

#include <device/blk.h>

/* Whole disks with a medium, as blk_describe() has them, in the order of people: sda, sdb ... sdz,
 * sdaa; nvme2n1 before nvme10n1. Loops with a file behind them; no RAM disks, optical or floppy
 * drives, no hidden paths, no boot areas of eMMC. At most @max are written; returns how many, or
 * -errno without /sys. */
int disks_list(struct blk *list, unsigned max);

/* Compare names so: < 0, 0, > 0. */
int disks_compare(const char *a, const char *b);

#endif
