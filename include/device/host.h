/* SPDX-License-Identifier: MIT */
/* host - the machine a result was measured on. */
#ifndef DEVICE_HOST_H
#define DEVICE_HOST_H

#include <core/record.h>

/* From /sys/class/dmi/id and uname(2); what is not there stays "". */
void host_read(struct host *h);

#endif
