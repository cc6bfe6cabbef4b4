/* SPDX-License-Identifier: MIT */
/* blk - what a block device is: numbers, sizes, sectors, the disk it is on, identity. */
#ifndef DEVICE_BLK_H
#define DEVICE_BLK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define BLK_NAME 64

/* Strings are "" and numbers 0 where nothing says it (no /sys, no such attribute). */
struct blk {
	dev_t dev;           /* the device itself */
	dev_t disk_dev;      /* the whole disk it is on; dev where it is one */
	char name[BLK_NAME]; /* the kernel's: "sda2"; "8:2" without /sys */
	char disk[BLK_NAME]; /* "sda" */
	bool partition;
	uint64_t start_bytes; /* where a partition begins on its disk */
	uint64_t size_bytes;
	uint32_t logical_block_bytes, physical_block_bytes;
	uint32_t alignment_offset_bytes; /* first byte that begins a physical sector */
	char model[64], serial[64], vendor[32];
	char bus[16];    /* ata, scsi, sas, raid (a RAID controller's driver), fc, iscsi, usb, nvme,
			  * virtio, mmc, loop, dm, md, zram, xen ... */
	char driver[32]; /* of the host: ahci, megaraid_sas, nvme ...; dm, md: that of all below */
	char wwid[128];
	uint32_t rpm;    /* SCSI VPD page B1h or IDENTIFY word 217 (VPD page 89h) by sysfs, dm and
			  * md: what all below say; 0: not said; 1: does not turn */
	int rotational;  /* queue/rotational: 1 also where unknown; -1: no /sys */
	char fabric[16]; /* fc, iscsi, nvme-of: other hosts are not seen */
	bool zoned_host_managed;
	uint32_t dma_alignment; /* queue/dma_alignment + 1 (Linux 6.x), else logical_block_bytes */
};

/* Find out about the device numbered @dev, open as @fd (any mode); /sys may be missing.
 * 0 or -errno where not even the size is to be had (BLKGETSIZE64, BLKSSZGET, BLKPBSZGET). */
int blk_identify(struct blk *b, int fd, dev_t dev);

/* The same from /sys alone, without opening the device: for lists. @name "sda". */
int blk_describe(struct blk *b, const char *name);

/* BLKGETSIZE64: 0 or -errno. A device whose medium or backing went away has 0 bytes. */
int blk_size(int fd, uint64_t *bytes);

/* Whether a read-only mark is on it, its disk, any partition of the disk that it is or
 * covers, or any device below it (dm, md): BLKROGET is what /sys/.../ro shows.
 * 1 with the marked device's name in @which, 0, or -errno where neither says. */
int blk_read_only(const struct blk *b, int fd, char which[BLK_NAME]);

/* Kernel name of a device number ("sda2"), or -errno (no /sys). */
int blk_name_of(char name[BLK_NAME], dev_t dev);

/* "8:2", 0 where it is none. */
dev_t blk_dev_parse(const char *text);

/* Device number of a kernel name, 0 where unknown. */
dev_t blk_dev_of(const char *name);

/* Device number of a node named "/dev/...", by stat or else by the kernel's name; 0 where it
 * is no block device. Other paths are not touched: they may be on a mount that hangs. */
dev_t blk_dev_of_node(const char *path);

/* By name; all need /sys. The whole disk a device is on (itself where it is one): 0 or
 * -errno. Its partitions, in no order. */
bool blk_is_partition(const char *name);
int blk_disk_of(char disk[BLK_NAME], const char *name);
void blk_each_partition(const char *disk, void (*each)(const char *name, void *arg), void *arg);

/* Call @each for every disk that lies below @name through dm, md, partitions: the leaves,
 * whole disks, each once. NVMe multipath heads are followed to their paths' hidden disks.
 * Without /sys none. */
void blk_each_leaf(const char *name, void (*each)(const char *disk, void *arg), void *arg);

#endif
