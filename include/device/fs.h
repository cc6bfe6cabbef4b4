/* SPDX-License-Identifier: MIT */
/* fs - the file system that a file or directory is on. */
#ifndef DEVICE_FS_H
#define DEVICE_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <device/blk.h>

struct fs {
	uint64_t free_bytes; /* that this user may fill */
	bool memory;         /* tmpfs, ramfs, devtmpfs; also an overlay that writes into one */
	char type[32];       /* "ext4", "tmpfs", "fuse.sshfs"; "" where unknown */
	char name[BLK_NAME]; /* of the block device: "sda2"; "": none, or not known */
	char text[160]; /* "ext4 on /dev/sda2", "ext4 on /dev/mapper/vg-root on sda", "tmpfs" */
};

/* Of the open file or directory @fd (O_PATH suffices). 0, or -errno where not even statfs answers.
 */
int fs_describe(struct fs *f, int fd);

#endif
