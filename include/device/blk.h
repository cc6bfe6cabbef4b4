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
	dev_t dev;      /* the device itself */
	dev_t disk_dev; /* the whole disk it is on; dev where it is one */
	uint64_t size_bytes;
	uint64_t start_bytes; /* where a partition begins on its disk */
	uint32_t logical_block_bytes, physical_block_bytes;
	uint32_t alignment_offset_bytes; /* first byte that begins a physical sector */
	uint32_t rpm;   /* SCSI VPD page B1h or 89h by sysfs; 0: not said; 1: does not turn */
	int rotational; /* queue/rotational: 1 also where unknown; -1: no /sys */
	bool partition;
	char bus[16];    /* ata, scsi, sas, raid (a RAID controller's driver), fc, iscsi, usb, nvme,
			  * nvme-of, virtio, mmc, loop, dm, md, zram, xen ... */
	char driver[32]; /* of the host: ahci, megaraid_sas, nvme ... */
	char name[BLK_NAME]; /* the kernel's: "sda2"; "8:2" without /sys */
	char disk[BLK_NAME]; /* "sda" */
	char model[64], serial[64];
	char wwid[128];
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
void blk_copy_name(char to[BLK_NAME], const char *name);

/* "8:2", 0 where it is none. */
dev_t blk_dev_parse(const char *text);

/* Device number of a kernel name, 0 where unknown. */
dev_t blk_dev_of(const char *name);

/* Device number of a node named "/dev/...", by stat or else by the kernel's name; 0 where it
 * is no block device. Other paths are not touched: they may be on a mount that hangs. */
dev_t blk_dev_of_node(const char *path);

/* Call @each for every partition, in no order; needs /sys. */
void blk_each_partition(const char *disk, void (*each)(const char *name, void *arg), void *arg);

enum blk_part {
	BLK_COVERED, /* all of it lies below the device, or is the device */
	BLK_CARRIER, /* the disk of a covered partition */
	BLK_LEAF,    /* a whole disk, already visited, that stands on no other; or one of the
		      * hidden disks that are the paths of an NVMe multipath head */
};

/* Call @visit for all that lies below @name, dm, md, partitions and disks, until it returns true,
 * which is returned. Without /sys for @name alone. */
bool blk_walk(const char *name, bool (*visit)(const char *name, enum blk_part part, void *arg),
	      void *arg);

/* Call @each for every leaf, each once. Without /sys none. */
void blk_each_leaf(const char *name, void (*each)(const char *disk, void *arg), void *arg);

#endif
