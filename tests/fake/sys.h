/* SPDX-License-Identifier: MIT */
/* sys - a kernel for tests: disks in memory, every call counted, any call made to fail. */
#ifndef FAKE_SYS_H
#define FAKE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <device/sys.h>

/* fake_begin() puts this kernel behind the door (sys). What is no path or descriptor of one of
 * its disks goes on to the real kernel: files, /proc, and /sys below attr_root. */

enum fake_op {
	FAKE_OPEN = 1 << 0,
	FAKE_CLOSE = 1 << 1,
	FAKE_READ = 1 << 2,  /* read and pread */
	FAKE_WRITE = 1 << 3, /* write and pwrite */
	FAKE_FLUSH = 1 << 4, /* fsync and fdatasync */
	FAKE_IOCTL = 1 << 5,
	FAKE_RAW = 1 << 6,
	FAKE_OTHER = 1 << 7, /* every other entry */
	FAKE_ANY = (1 << 8) - 1,
};

enum fake_kind {
	FAKE_ERROR, /* a transfer that touches the range moves what lies before it, and fails */
	FAKE_SHORT, /* such a transfer ends before the range; one that begins in it fails */
	FAKE_FLIP,  /* no error; one bit of each 512 bytes of the range arrives flipped */
};

/* A part of a disk that does not work. */
struct fake_fault {
	unsigned ops; /* FAKE_READ | FAKE_WRITE */
	enum fake_kind kind;
	uint64_t from, to;    /* bytes: [from, to) */
	int err;              /* EIO, ENOSPC ...: unused by FAKE_FLIP */
	unsigned skip, times; /* works @skip times first; then fails @times times, 0: for ever */
	unsigned met;         /* how often a transfer touched it */
};

#define FAKE_FAULTS 8

/* What a test may change after fake_disk(), before or between calls. */
struct fake_disk {
	char path[64];
	dev_t dev;           /* major 4000: unknown to any /sys */
	unsigned char *data; /* what is on it, size_bytes long */
	uint64_t size_bytes;
	uint32_t logical, physical; /* bytes a sector */
	uint32_t alignment_offset;  /* BLKALIGNOFF */
	uint32_t memory_align;      /* O_DIRECT: of the buffer; 4 at first */
	bool read_only;             /* BLKROGET is 1, writes get EPERM; open does not mind */
	bool held;                  /* O_EXCL gets EBUSY */
	bool locked;                /* flock() gets EWOULDBLOCK */
	bool no_direct;             /* open with O_DIRECT gets EINVAL */
	size_t most;                /* a transfer moves at most so much; 0: all */
	unsigned gone_after; /* after so many more transfers and flushes all fails with ENODEV; 0:
				never */
	unsigned flushes;    /* how many there were */
	struct fake_fault fault[FAKE_FAULTS];
	unsigned faults;
	bool gone;
	uint64_t written_to; /* the end of the last byte that a call wrote */
};

/* One call on a disk, in the order of the calls. */
struct fake_call {
	enum fake_op op;
	const struct fake_disk *disk;
	uint64_t offset;       /* of a transfer */
	size_t size;           /* asked for */
	int flags;             /* the descriptor's, as opened */
	unsigned long request; /* of an ioctl */
	long rc;               /* the answer */
};

/* Begin anew: the door leads here, no disks, no faults, empty log, counters at 0. */
void fake_begin(void);

/* The door leads to the real kernel again, and all memory is given back. */
void fake_end(void);

/* A disk of @size bytes that opens as @path (which need not exist) and holds bytes that are
 * different everywhere, the same in each run (zeros from 64 MiB on). Good until fake_begin()
 * or fake_end(). */
struct fake_disk *fake_disk(const char *path, uint64_t size, uint32_t logical, uint32_t physical);

/* A fault of @kind in [from, to), for ever; the result's .skip and .times may be set. */
struct fake_fault *fake_fault(struct fake_disk *d, unsigned ops, enum fake_kind kind, uint64_t from,
			      uint64_t to, int err);

/* The first byte that is not what fake_disk() put there, or UINT64_MAX. */
uint64_t fake_changed(const struct fake_disk *d);

/* The call number @n (from 1) through the door, of those in fake_fail_ops, gets -@err and is not
 * made; a close is made all the same, as close(2) does. 0: none. Counting starts again. */
void fake_fail_at(unsigned n, int err);
extern unsigned fake_fail_ops; /* FAKE_ANY at first */

/* Whether the call that fake_fail_at() waits for was met. The loop over all of them:
 *	for (n = 1;; n++) {
 *		fake_fail_at(n, EIO);
 *		... what is tested ...
 *		if (!fake_failed())
 *			break;
 *	}
 */
bool fake_failed(void);

/* Each read and write whose number is a multiple of it gets EINTR; 0: none. */
extern unsigned fake_interrupt_every;

/* raw() fails with ENOSYS, as where there is no io_uring and no aio: true at first, since
 * rings of the real kernel know no disk of ours. */
extern bool fake_no_rings;

/* Called before each call on a disk is answered, with .rc 0: may raise a signal, change bytes
 * behind the caller's back, or take time. */
extern void (*fake_hook)(const struct fake_call *call);

extern unsigned fake_calls;  /* through the door, since fake_fail_at() or fake_begin() */
extern int fake_descriptors; /* opened and not closed, real ones too: 0 when nothing leaks */
extern struct fake_call *fake_log;
extern size_t fake_logged;

/* How many calls of @ops stand in the log, and the bytes that those of them moved. */
size_t fake_count(const struct fake_disk *d, unsigned ops);
uint64_t fake_moved(const struct fake_disk *d, unsigned ops);

/* Empty the log. */
void fake_forget(void);

#endif
