/* SPDX-License-Identifier: MIT */
/* counters - what the block layer counted on the disks below a device. */
#ifndef DEVICE_COUNTERS_H
#define DEVICE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over the leaf disks (blk_each_leaf): /sys/block/X/stat (Documentation/block/stat.rst)
 * fields 3 and 7 (sectors of 512 bytes), 16 (flush requests, since Linux 5.5). */
struct counters {
	uint64_t read_sectors, write_sectors, flushes;
	bool sectors_known; /* false: no /sys, or iostats=0 on a leaf */
	bool flushes_known; /* false: no field 16, or a leaf that counts none */
	unsigned leaves;
};

void counters_read(struct counters *c, const char *name);

/* The same of the device @name alone, a partition too. */
void counters_read_own(struct counters *c, const char *name);

#endif
