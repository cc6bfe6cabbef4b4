/* SPDX-License-Identifier: MIT */
/* buf - memory that a device can read and write directly. */
#ifndef DEVICE_BUF_H
#define DEVICE_BUF_H

#include <stddef.h>
#include <stdint.h>

struct buf {
	char *data; /* page aligned; NULL when closed */
	size_t size;
};

#define scoped(type) struct type __attribute__((cleanup(type##_close)))

/* @size bytes of zeroed pages, faulted in and, where allowed, locked (mlock). 0 or -ENOMEM. */
int buf_open(struct buf *b, size_t size);
void buf_close(struct buf *b);

/* MemAvailable of /proc/meminfo, else free + buffer RAM of sysinfo(2). */
uint64_t buf_available(void);

#endif
