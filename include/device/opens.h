/* SPDX-License-Identifier: MIT */
/* opens - block devices that other processes have open for writing. */
#ifndef DEVICE_OPENS_H
#define DEVICE_OPENS_H

#include <sys/types.h>

/* Call @each for every descriptor open for writing on a block device, with the device's number
 * and the process's. Left out are this process and its children and, where the parent runs the
 * same program (one process a target), that and its other children. Needs /proc; only
 * root sees all. */
void opens_each(void (*each)(dev_t dev, const char *pid, void *arg), void *arg);

#endif
