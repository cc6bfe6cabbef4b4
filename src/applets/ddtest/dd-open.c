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

/* What cannot be changed on an open descriptor the kernel leaves alone without a word. */
static int set_flags(struct dd *d, int fd, int flags, const char *what)
{
	int now, rc;

	flags &= ~O_NOFOLLOW;
	if (!flags)
		return 0;
	now = sys.fcntl(fd, F_GETFL, 0);
	rc = now < 0 || (now | flags) == now ? now : sys.fcntl(fd, F_SETFL, now | flags);
	return rc < 0 ? dd_say(d, rc, "%s", what) : 0;
}

int dd_open_input(struct dd *d)
{
	struct stat st;
	off_t at;

	if (!d->o.in) {
		d->in = standard(STDIN_FILENO);
		if (set_flags(d, d->in, d->o.iflags, "setting flags for <"))
			return 1;
	} else {
		d->in = open_again(d, d->o.in, O_RDONLY | d->o.iflags);
		if (d->in < 0)
			return dd_say(d, d->in, "failed to open <");
	}
	at = sys.lseek(d->in, 0, SEEK_CUR);
	d->in_seek = at < 0 ? (int)at : 0;
	d->in_offset = at < 0 ? 0 : (uint64_t)at;
	if (sys.fstat(d->in, &st) || !S_ISCHR(st.st_mode))
		return 0;
	d->zeros = d->endless = st.st_rdev == makedev(1, 5);
	/* /dev/full, /dev/random, /dev/urandom: a read of these ends early only for a signal. */
	if (st.st_rdev - makedev(1, 7) < 3)
		d->endless = d->o.fullblock = true;
	return 0;
}

/* ---- a record has to fit --------------------------------------------------------------- */

/* The first output record: at most obs, at most what there is to copy; 0 where nobody knows. */
static uint64_t first_record(const struct dd *d)
{
	uint64_t left = UINT64_MAX, count = dd_bytes(d->o.max_records, d->o.ibs, d->o.max_bytes);

	if (!d->endless) {
		uint64_t start = dd_bytes(d->o.skip_records, d->o.ibs, d->o.skip_bytes);
		off_t end = d->in_seek ? 0 : sys.lseek(d->in, 0, SEEK_END);

		start = dd_bytes(start, 1, d->in_offset);
		left = end > 0 && (uint64_t)end > start ? (uint64_t)end - start : 0;
		if (!d->in_seek)
			sys.lseek(d->in, (off_t)d->in_offset, SEEK_SET);
	}
	if (left > count)
		left = count;
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
	*room = dd_bytes(fs.f_bfree, (uint64_t)fs.f_bsize, (uint64_t)st->st_blocks * 512);
	return true;
}

static int fits(struct dd *d, const struct stat *st)
{
	uint64_t size = first_record(d), room;
	char text[2][DD_STATS_TEXT];
	uint32_t unit = 0;

	if ((d->o.oflags & O_DIRECT) && size == d->o.obs && size > d->ocap)
		unit = dd_direct_unit(d->out);
	if (unit && size % unit) {
		d->err = -EINVAL;
		return dd_complain_of_output(d, "error writing >");
	}
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

static int held(struct dd *d)
{
	warn("%s is not written: it is held by something this system does not show", d->out_name);
	return STATUS_REFUSED;
}

/* Opens with read access only where seek= may have to read. */
static int open_file(struct dd *d, int flags)
{
	int fd = -1;

	if (d->o.seek_records)
		fd = open_again(d, d->o.out, O_RDWR | flags);
	if (fd < 0)
		fd = open_again(d, d->o.out, O_WRONLY | flags);
	return fd;
}

static int open_named(struct dd *d)
{
	uint64_t size = dd_bytes(d->o.seek_records, d->o.obs, d->o.seek_bytes);
	int flags = d->o.oflags & ~(d->flush ? O_SYNC : 0), rc, there;
	struct stat before, st;
	char link[16];
	bool device;

	if (size > INT64_MAX && !(d->o.conv & DD_NOTRUNC))
		return dd_say(d, 0,
			      "offset too large: cannot truncate to a length of seek=%llu "
			      "(%llu-byte) blocks",
			      (unsigned long long)d->o.seek_records, (unsigned long long)d->o.obs);
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
	d->out = open_file(d, flags);
	if (device && d->out == -EBUSY)
		return held(d);
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
	/* Without seek= GNU dd truncates as it opens; else it goes on where it cannot. */
	if (!d->o.seek_records)
		return dd_truncate(d, 0);
	dd_truncate(d, size);
	return 0;
}

static int open_standard(struct dd *d)
{
	struct stat st;
	int rc;

	d->out = standard(STDOUT_FILENO);
	if (set_flags(d, d->out, d->o.oflags, "setting flags for >"))
		return 1;
	if (sys.fstat(d->out, &st))
		return 0;
	rc = S_ISBLK(st.st_mode) ? dd_refuse("/proc/self/fd/1", d->out_name, st.st_rdev, false) : 0;
	return rc ? rc : fits(d, &st);
}

int dd_open_output(struct dd *d)
{
	int durable = d->o.oflags & O_SYNC;

	/* Pieces of a record are flushed together; and an open descriptor takes no O_DSYNC. */
	if (durable && (!d->o.out || d->o.obs > d->ocap))
		d->flush = durable;
	return d->o.out ? open_named(d) : open_standard(d);
}
