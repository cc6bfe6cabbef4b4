/* SPDX-License-Identifier: MIT */
/* loop - a loop device over memory for one test program; it is gone with the last descriptor,
 * however the program ends. */
#ifndef TESTS_LOOP_H
#define TESTS_LOOP_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>

struct test_loop {
	int fd, number;
	dev_t dev;
	char path[32];
};

static inline bool test_loop_make(struct test_loop *l, uint64_t size, unsigned sector)
{
	struct loop_config config = { .block_size = sector };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int memory = memfd_create("loop", MFD_CLOEXEC);
	struct stat st;

	l->fd = -1;
	config.fd = (uint32_t)memory;
	config.info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_PARTSCAN;
	if (control < 0 || memory < 0 || ftruncate(memory, (off_t)size))
		return false;
	/* Others take free ones at the same time. */
	for (int tries = 0; tries < 50; tries++, usleep(50000)) {
		l->number = ioctl(control, LOOP_CTL_GET_FREE);
		snprintf(l->path, sizeof(l->path), "/dev/loop%d", l->number);
		l->fd = open(l->path, O_RDWR | O_CLOEXEC);
		if (l->fd >= 0 && !ioctl(l->fd, (int)LOOP_CONFIGURE, &config))
			break;
		close(l->fd);
		l->fd = -1;
	}
	close(memory);
	close(control);
	if (l->fd < 0 || fstat(l->fd, &st))
		return false;
	l->dev = st.st_rdev;
	/* A mark set on whoever had the device before outlives him. */
	ioctl(l->fd, (int)BLKROSET, &(int){ 0 });
	return true;
}

/* @op BLKPG_ADD_PARTITION or BLKPG_DEL_PARTITION; bytes. */
static inline bool test_loop_partition(const struct test_loop *l, int op, int number,
				       long long start, long long length)
{
	struct blkpg_partition part = { .start = start, .length = length, .pno = number };
	struct blkpg_ioctl_arg arg = { .op = op, .datalen = sizeof(part), .data = &part };

	return !ioctl(l->fd, (int)BLKPG, &arg);
}

#endif
