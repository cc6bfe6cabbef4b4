/* SPDX-License-Identifier: MIT */
/* dd-open - opening both ends of a copy, and what is refused before the first byte. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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
static int set_flags(struct dd *d, int fd, int flags, const char *name)
{
	int now, rc;

	flags &= ~O_NOFOLLOW;
	if (!flags)
		return 0;
	now = sys.fcntl(fd, F_GETFL, 0);
	rc = now < 0 || (now | flags) == now ? now : sys.fcntl(fd, F_SETFL, now | flags);
	if (rc < 0)
		dd_say(d, -rc, "setting flags for ", name, "");
	return rc < 0;
}

int dd_open_input(struct dd *d)
{
	struct stat st;
	off_t at;

	d->in_name = d->o.in ? d->o.in : "standard input";
	if (!d->o.in) {
		d->in = standard(STDIN_FILENO);
		if (set_flags(d, d->in, d->o.iflags, d->in_name))
			return 1;
	} else {
		d->in = open_again(d, d->o.in, O_RDONLY | d->o.iflags);
		if (d->in < 0) {
			dd_say(d, -d->in, "failed to open ", d->in_name, "");
			return 1;
		}
	}
	at = sys.lseek(d->in, 0, SEEK_CUR);
	d->in_seekable = at >= 0;
	d->in_seek_err = at < 0 ? (int)-at : 0;
	d->in_offset = at < 0 ? 0 : (uint64_t)at;
	if (!sys.fstat(d->in, &st) && S_ISCHR(st.st_mode) && major(st.st_rdev) == 1) {
		d->zeros = minor(st.st_rdev) == 5;
		d->unbroken = minor(st.st_rdev) >= 7 && minor(st.st_rdev) <= 9;
	}
	return 0;
}

/* ---- a record has to fit --------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b, uint64_t plus)
{
	uint64_t v;

	if (__builtin_mul_overflow(a, b, &v) || __builtin_add_overflow(v, plus, &v))
		return UINT64_MAX;
	return v;
}

/* How much the input has from where copying begins; false where nobody knows. */
static bool input_left(const struct dd *d, uint64_t *left)
{
	uint64_t skip = times(d->o.skip_records, d->o.ibs, d->o.skip_bytes), size = UINT64_MAX;
	struct stat st;

	if (!d->zeros && !d->unbroken) {
		if (sys.fstat(d->in, &st))
			return false;
		size = (uint64_t)st.st_size;
		if (S_ISBLK(st.st_mode) && sys.ioctl(d->in, BLKGETSIZE64, &size))
			return false;
		if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
			return false;
		skip = times(skip, 1, d->in_offset);
		size = size > skip ? size - skip : 0;
	}
	*left = size;
	return true;
}

/* The first output record: at most obs, at most what there is to copy. */
static bool first_record(const struct dd *d, uint64_t *size)
{
	uint64_t left, count = times(d->o.max_records, d->o.ibs, d->o.max_bytes);

	if (!input_left(d, &left))
		return false;
	if (left > count)
		left = count;
	if (left && left < d->o.ibs && (d->o.conv & DD_SYNC))
		left = d->o.ibs;
	*size = left < d->o.obs ? left : d->o.obs;
	return true;
}

/* A block device's size, or what a file may still grow to; false where nobody knows. */
static bool output_room(const struct dd *d, const struct stat *st, uint64_t *room)
{
	struct statfs fs;

	if (S_ISBLK(st->st_mode))
		return !sys.ioctl(d->out, BLKGETSIZE64, room);
	if (!S_ISREG(st->st_mode) || sys.fstatfs(d->out, &fs) || !fs.f_blocks)
		return false;
	*room = times(fs.f_bfree, (uint64_t)fs.f_bsize, (uint64_t)st->st_blocks * 512);
	return true;
}

static int fits(struct dd *d, const struct stat *st)
{
	char text[2][DD_STATS_TEXT];
	uint64_t size, room;
	uint32_t unit = 1;

	if (!first_record(d, &size))
		return 0;
	if ((d->o.oflags & O_DIRECT) && size == d->o.obs && size > d->ocap)
		unit = dd_direct_unit(d->out);
	if (unit > 1 && size % unit) {
		d->err = EINVAL;
		dd_complain_of_output(d, "error writing ");
		return 1;
	}
	if ((d->o.conv & DD_SPARSE) || !output_room(d, st, &room) || size <= room)
		return 0;
	fflush(stderr);
	warn("a record of %s is larger than %s%s, %s: take a smaller %s",
	     dd_stats_both(text[0], size), S_ISBLK(st->st_mode) ? "" : "the free space for ",
	     d->out_name, dd_stats_both(text[1], room), d->o.conv & DD_TWOBUFS ? "obs=" : "bs=");
	return 1;
}

/* ---- output ---------------------------------------------------------------------------- */

/* Where @path would be made: symbolic links that lead nowhere are followed, as open(2) does. */
static void follow(char path[PATH_MAX])
{
	char target[PATH_MAX];

	for (int i = 0; i < 40; i++) {
		ssize_t n = sys.readlink(path, target, sizeof(target) - 1);
		char *slash = strrchr(path, '/');
		size_t folder = slash ? (size_t)(slash + 1 - path) : 0;

		if (n <= 0)
			return;
		target[n] = '\0';
		if (target[0] == '/')
			folder = 0;
		if (folder + (size_t)n >= PATH_MAX)
			return;
		memcpy(path + folder, target, (size_t)n + 1);
	}
}

/* A mistyped device would become a file in memory. /dev/shm and other mounts below /dev are
 * for files. */
static bool is_below_dev(const char *name)
{
	char path[PATH_MAX], folder[PATH_MAX], *slash;
	struct stat there, dev;

	if (strlen(name) >= sizeof(path))
		return false;
	strcpy(path, name);
	follow(path);
	slash = strrchr(path, '/');
	if (slash)
		slash[1] = '\0';
	if (!realpath(slash ? path : ".", folder))
		return false;
	return (!strcmp(folder, "/dev") || !strncmp(folder, "/dev/", 5)) &&
	       !sys.stat(folder, &there) && !sys.stat("/dev", &dev) && there.st_dev == dev.st_dev;
}

static int held(struct dd *d)
{
	fflush(stderr);
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

static int truncate_to(struct dd *d, uint64_t size)
{
	int rc;

	do {
		dd_signals(d);
		rc = sys.ftruncate(d->out, (off_t)size);
	} while (rc == -EINTR);
	return rc;
}

/* After GNU dd has said that it cannot truncate, it goes on. */
static int truncate_output(struct dd *d, bool existed)
{
	uint64_t size = d->o.seek_records ? times(d->o.seek_records, d->o.obs, d->o.seek_bytes) : 0;
	char text[72];
	int rc;

	if ((d->o.conv & DD_NOTRUNC) || (!existed && !size))
		return 0;
	rc = truncate_to(d, size);
	if (rc && !d->o.seek_records) {
		dd_say(d, -rc, "failed to open ", d->out_name, "");
		return 1;
	}
	if (rc) {
		snprintf(text, sizeof(text), "failed to truncate to %llu bytes in output file ",
			 (unsigned long long)size);
		dd_say(d, -rc, text, d->out_name, "");
	}
	return 0;
}

static int open_named(struct dd *d)
{
	int flags = d->o.oflags & ~(d->flush ? O_SYNC : 0), rc, there;
	struct stat before, st;
	char link[16];
	bool device;

	if (times(d->o.seek_records, d->o.obs, d->o.seek_bytes) > INT64_MAX &&
	    !(d->o.conv & DD_NOTRUNC)) {
		char text[128];

		snprintf(text, sizeof(text),
			 "offset too large: cannot truncate to a length of seek=%llu (%llu-byte) "
			 "blocks",
			 (unsigned long long)d->o.seek_records, (unsigned long long)d->o.obs);
		dd_say(d, 0, text, NULL, "");
		return 1;
	}
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
	if (rc < 0) {
		dd_say(d, -rc, "failed to open ", d->out_name, "");
		return 1;
	}
	rc = fits(d, &st);
	if (rc && there == -ENOENT && sys.readlink(d->o.out, link, sizeof(link)) < 0)
		sys.unlink(d->o.out);
	if (!rc && S_ISREG(st.st_mode))
		rc = truncate_output(d, !there);
	return rc;
}

static int open_standard(struct dd *d)
{
	struct stat st;
	int rc;

	d->out = standard(STDOUT_FILENO);
	if (set_flags(d, d->out, d->o.oflags, d->out_name))
		return 1;
	if (sys.fstat(d->out, &st))
		return 0;
	rc = S_ISBLK(st.st_mode) ? dd_refuse("/proc/self/fd/1", d->out_name, st.st_rdev, false) : 0;
	return rc ? rc : fits(d, &st);
}

int dd_open_output(struct dd *d)
{
	int durable = d->o.oflags & O_SYNC;

	d->out_name = d->o.out ? d->o.out : "standard output";
	/* Pieces of a record are flushed together; and an open descriptor takes no O_DSYNC. */
	if (durable && (!d->o.out || d->o.obs > d->ocap))
		d->flush = durable;
	d->behind = d->flush && d->o.obs > d->ocap && !(d->o.oflags & O_DIRECT) &&
		    sizeof(long) == sizeof(off_t);
	return d->o.out ? open_named(d) : open_standard(d);
}
