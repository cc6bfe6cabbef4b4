/* SPDX-License-Identifier: MIT */
/* dd-open - opening both ends of a copy, and what is refused before the first byte. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <core/msg.h>
#include <core/status.h>
#include <device/sys.h>

#include "dd-open.h"

#include <linux/fs.h>

static int open_again(struct dd *d, const char *path, int flags)
{
	int fd;

	do {
		dd_signals(d);
		fd = sys.open(path, flags, 0666);
	} while (fd == -EINTR);
	return fd;
}

/* main() put a folder where a standard descriptor was closed: here it is closed still, and
 * GNU dd's errors are those of a closed one. */
static int standard(int fd)
{
	int flags = sys.fcntl(fd, F_GETFL, 0);

	return flags >= 0 && (flags & O_DIRECTORY) ? -1 : fd;
}

static int open_input(struct dd *d)
{
	struct stat st;
	off_t at;

	if (!d->o.in) {
		d->in = standard(STDIN_FILENO);
		if (d->o.iflags && dd_flags(d, d->in, d->o.iflags, 0, "setting flags for <"))
			return 1;
	} else {
		d->in = open_again(d, d->o.in, O_RDONLY | d->o.iflags);
		if (d->in < 0)
			return dd_say(d, d->in, "failed to open <");
	}
	at = sys.lseek(d->in, 0, SEEK_CUR);
	d->in_seek = at < 0 ? (int)at : 0;
	d->in_offset = at < 0 ? 0 : (uint64_t)at;
	if (sys.fstat(d->in, &st) || S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
		return 0;
	if (S_ISCHR(st.st_mode)) {
		d->zeros = d->endless = st.st_rdev == makedev(1, 5);
		/* /dev/full, /dev/random, /dev/urandom: reads end early only for a signal. */
		if (st.st_rdev - makedev(1, 7) < 3)
			d->endless = d->o.fullblock = true;
	}
	d->stream = !d->endless;
	return 0;
}

/* ---- a record has to fit --------------------------------------------------------------- */

/* The first output record: at most obs, at most what there is to copy; 0 where nobody knows. */
static uint64_t first_record(const struct dd *d)
{
	uint64_t left = UINT64_MAX, count;

	if (!d->endless) {
		off_t end = sys.lseek(d->in, 0, SEEK_END) - (off_t)d->in_offset;

		left = end > 0 && (uint64_t)end > d->o.skip ? (uint64_t)end - d->o.skip : 0;
		sys.lseek(d->in, (off_t)d->in_offset, SEEK_SET);
	}
	if (!__builtin_mul_overflow(d->o.max_records, d->o.ibs, &count) &&
	    left > count + d->o.max_bytes)
		left = count + d->o.max_bytes;
	if (left && left < d->o.ibs && (d->o.conv & DD_SYNC))
		left = d->o.ibs;
	return left < d->o.obs ? left : d->o.obs;
}

/* A block device's size, or what a file may still grow to; false where nobody knows. */
static bool output_room(const struct dd *d, const struct stat *st, uint64_t *room)
{
	struct statfs fs;

	if (S_ISBLK(st->st_mode))
		return !sys.ioctl(d->out, BLKGETSIZE64, room);
	if (!S_ISREG(st->st_mode) || sys.fstatfs(d->out, &fs) || !fs.f_blocks)
		return false;
	*room = fs.f_bfree * (uint64_t)fs.f_bsize + (uint64_t)st->st_blocks * 512;
	return true;
}

static int fits(struct dd *d, const struct stat *st)
{
	uint64_t size = first_record(d), room;
	char text[2][DD_STATS_TEXT];

	if ((d->o.conv & DD_SPARSE) || !output_room(d, st, &room) || size <= room)
		return 0;
	warn("a record of %s is larger than %s%s, %s: take a smaller %s",
	     dd_stats_both(text[0], size), S_ISBLK(st->st_mode) ? "" : "the free space for ",
	     d->out_name, dd_stats_both(text[1], room), d->o.conv & DD_TWOBUFS ? "obs=" : "bs=");
	return 1;
}

/* ---- output ---------------------------------------------------------------------------- */

/* A mistyped device would become a file in memory; symbolic links that lead nowhere are
 * followed, as open(2) does. /dev/shm and other mounts below /dev are for files. */
static bool is_below_dev(const char *name)
{
	char path[PATH_MAX], target[PATH_MAX], *file = path + 2;
	struct stat there, dev, root;
	ssize_t n;

	memcpy(path, "./", 2);
	do {
		if (*name == '/')
			file = path;
		snprintf(file, (size_t)(path + PATH_MAX - file), "%s", name);
		file = strrchr(path, '/') + 1;
		n = sys.readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		name = target;
	} while (*name);
	*file = '\0';
	return !sys.stat(path, &there) && !sys.stat("/dev", &dev) && !sys.stat("/", &root) &&
	       there.st_dev == dev.st_dev &&
	       (dev.st_dev != root.st_dev || !strncmp(path, "/dev/", 5));
}

static int open_named(struct dd *d)
{
	int flags = d->o.oflags & ~(d->flush ? O_SYNC : 0), rc, there;
	bool device, seek = d->o.seek >= d->o.obs;
	struct stat before, st;
	char link[16];

	if (d->o.seek > INT64_MAX && !(d->o.conv & DD_NOTRUNC))
		return dd_say(d, 0,
			      "offset too large: cannot truncate to a length of seek=%llu "
			      "(%llu-byte) blocks",
			      (unsigned long long)d->o.seek_given, (unsigned long long)d->o.obs);
	there = sys.stat(d->o.out, &before);
	device = !there && S_ISBLK(before.st_mode) && !(d->o.conv & DD_EXCL);
	if (device) {
		rc = dd_refuse(d->o.out, d->out_name, before.st_rdev, true);
		if (rc)
			return rc;
		/* Alone it keeps mount(8), swapon(8) and mkfs(8) off while we write. */
		flags |= O_EXCL;
	} else {
		flags |= d->o.conv & DD_EXCL ? O_EXCL : 0;
		if (!(d->o.conv & DD_NOCREAT) && !(there == -ENOENT && is_below_dev(d->o.out)))
			flags |= O_CREAT;
	}
	/* As GNU dd does. */
	d->out = seek ? open_again(d, d->o.out, O_RDWR | flags) : -1;
	if (d->out < 0)
		d->out = open_again(d, d->o.out, O_WRONLY | flags);
	rc = d->out < 0 ? d->out : sys.fstat(d->out, &st);
	/* The path led elsewhere a moment ago. */
	if (!rc && S_ISBLK(st.st_mode) && (!device || st.st_rdev != before.st_rdev))
		rc = -EBUSY;
	if (rc < 0)
		return dd_say(d, rc, "failed to open >");
	rc = fits(d, &st);
	if (rc && there == -ENOENT && sys.readlink(d->o.out, link, sizeof(link)) < 0)
		sys.unlink(d->o.out);
	if (rc || !S_ISREG(st.st_mode) || (d->o.conv & DD_NOTRUNC))
		return rc;
	/* GNU dd goes on where it cannot truncate behind seek=. */
	rc = dd_truncate(d, seek ? d->o.seek : 0);
	return rc && !seek;
}

static int open_standard(struct dd *d)
{
	struct stat st;
	int rc;

	d->out = standard(STDOUT_FILENO);
	if (d->o.oflags && dd_flags(d, d->out, d->o.oflags, 0, "setting flags for >"))
		return 1;
	if (sys.fstat(d->out, &st))
		return 0;
	rc = S_ISBLK(st.st_mode) ? dd_refuse("/proc/self/fd/1", d->out_name, st.st_rdev, false) : 0;
	return rc ? rc : fits(d, &st);
}

static int open_output(struct dd *d)
{
	int durable = d->o.oflags & O_SYNC;

	/* Pieces of a record are flushed together; and an open descriptor takes no O_DSYNC. */
	if (durable && (!d->o.out || d->o.obs > DD_BUFFER))
		d->flush = durable;
	return d->o.out ? open_named(d) : open_standard(d);
}

int dd_open(struct dd *d)
{
	bool two = d->o.conv & DD_TWOBUFS;
	int rc;

	d->piece = 1 << 20;
	d->in_name = d->o.in ? d->o.in : "standard input";
	d->out_name = d->o.out ? d->o.out : "standard output";
	/* As GNU dd: said where what was asked for in records could come out otherwise. */
	d->warn_partial = !two && !d->o.fullblock &&
			  (d->o.skip >= d->o.ibs || d->o.max_records - 1 < UINT64_MAX - 1 ||
			   ((d->o.iflags | d->o.oflags) & O_DIRECT));
	rc = buf_open(&d->buf, two ? 2 * DD_BUFFER : DD_BUFFER);
	if (rc)
		return dd_say(d, rc, "no buffer of 8 or 16 MiB");
	d->ibuf = d->obuf = d->buf.data;
	if (two)
		d->obuf += DD_BUFFER;
	rc = open_input(d);
	return rc ? rc : open_output(d);
}
