/* SPDX-License-Identifier: MIT */
/* hazard - stacks in which writing back the same bytes is not free. */
#ifndef DEVICE_HAZARD_H
#define DEVICE_HAZARD_H

#include <stdbool.h>
#include <stddef.h>

#include <device/blk.h>

/* Looks at the device and all below it for: a dm table with a snapshot, snapshot-origin, thin,
 * thin-pool or vdo target (a snapshot overflows, a pool fills), or one that cannot be read; an
 * md that is degraded or syncing (may not start again after a crash); a host-managed
 * zoned device; a path over a fabric (other hosts are not seen). True with the reason in
 * @why, as the rest of a sentence after the device's name. */
bool hazard_find(const struct blk *b, char *why, size_t size);

#endif
