/* SPDX-License-Identifier: MIT */
/* sys - a kernel for tests: disks in memory, every call counted, any call made to fail. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys.h"

#include <linux/fs.h>
#include <linux/magic.h>

#define DISKS    32
#define FILES    256
#define FIRST_FD (1 << 20) /* no descriptor of the real kernel */
#define MAJOR    4000
#define FILLED   (64ull << 20)

struct file {
	struct fake_disk *disk;
	int flags;
	uint64_t at;
};

static struct fake_disk disks[DISKS];
static unsigned disk_count;
static struct file files[FILES];
static struct sys real;
static unsigned fail_at, transfers;
static int fail_err;
static bool failed;
static size_t log_room;

unsigned fake_fail_ops = FAKE_ANY, fake_interrupt_every, fake_calls;
bool fake_no_rings = true;
void (*fake_hook)(const struct fake_call *call);
int fake_descriptors;
struct fake_call *fake_log;
size_t fake_logged;

static void out_of(const char *what)
{
	fprintf(stderr, "fake kernel: out of %s\n", what);
	abort();
}

/* 0, or what the call that is due now fails with. */
static int due(enum fake_op op)
{
	if (!(fake_fail_ops & op))
		return 0;
	fake_calls++;
	if (!fail_at || fake_calls != fail_at)
		return 0;
	failed = true;
	return -fail_err;
}

static struct file *file_of(int fd)
{
	int i = fd - FIRST_FD;

	return i >= 0 && i < FILES && files[i].disk ? &files[i] : NULL;
}

static bool is_ours(int fd)
{
	return fd >= FIRST_FD && fd < FIRST_FD + FILES;
}

static struct fake_disk *disk_at(const char *path)
{
	for (unsigned i = 0; i < disk_count; i++)
		if (!strcmp(disks[i].path, path))
			return &disks[i];
	return NULL;
}

static size_t logged(struct fake_call call)
{
	if (fake_logged == log_room) {
		log_room = log_room ? log_room * 2 : 1024;
		fake_log = realloc(fake_log, log_room * sizeof(*fake_log));
		if (!fake_log)
			out_of("memory");
	}
	if (fake_hook)
		fake_hook(&call);
	fake_log[fake_logged] = call;
	return fake_logged++;
}

static long answer(size_t entry, long rc)
{
	fake_log[entry].rc = rc;
	return rc;
}

static int open_disk(struct fake_disk *d, int flags)
{
	unsigned i = 0;

	if (d->gone)
		return -ENXIO;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (flags & O_DIRECTORY)
		return -ENOTDIR;
	if ((flags & O_EXCL) && d->held)
		return -EBUSY;
	if ((flags & O_DIRECT) && d->no_direct)
		return -EINVAL;
	while (i < FILES && files[i].disk)
		i++;
	if (i == FILES)
		return -EMFILE;
	files[i] = (struct file){ .disk = d, .flags = flags };
	return FIRST_FD + (int)i;
}

static int fake_open(const char *path, int flags, mode_t mode)
{
	struct fake_disk *d = disk_at(path);
	int rc = due(FAKE_OPEN);
	size_t entry;

	if (!d) {
		rc = rc ? rc : real.open(path, flags, mode);
	} else {
		entry = logged((struct fake_call){ .op = FAKE_OPEN, .disk = d, .flags = flags });
		rc = (int)answer(entry, rc ? rc : open_disk(d, flags));
	}
	fake_descriptors += rc >= 0;
	return rc;
}

static int fake_close(int fd)
{
	struct file *f = file_of(fd);
	int injected = due(FAKE_CLOSE), rc = 0;

	if (f) {
		logged((struct fake_call){
			.op = FAKE_CLOSE, .disk = f->disk, .flags = f->flags, .rc = injected });
		f->disk = NULL;
	} else {
		rc = is_ours(fd) ? -EBADF : real.close(fd);
	}
	fake_descriptors -= rc != -EBADF;
	return injected ? injected : rc;
}

/* The first fault of @op in [from, to) that is due, with the bytes before it in *before. */
static const struct fake_fault *meet(struct fake_disk *d, enum fake_op op, uint64_t from,
				     uint64_t to, uint64_t *before)
{
	const struct fake_fault *first = NULL;

	for (unsigned i = 0; i < d->faults; i++) {
		struct fake_fault *f = &d->fault[i];
		uint64_t begin = f->from > from ? f->from : from;

		if (!(f->ops & op) || f->kind == FAKE_FLIP || f->from >= to || f->to <= from)
			continue;
		f->met++;
		if (f->met <= f->skip || (f->times && f->met > f->skip + f->times))
			continue;
		if (first && begin - from >= *before)
			continue;
		first = f;
		*before = begin - from;
	}
	return first;
}

static void flip(struct fake_disk *d, enum fake_op op, unsigned char *bytes, uint64_t from,
		 uint64_t to)
{
	for (unsigned i = 0; i < d->faults; i++) {
		struct fake_fault *f = &d->fault[i];
		uint64_t at = f->from > from ? f->from : from, end = f->to < to ? f->to : to;

		if (!(f->ops & op) || f->kind != FAKE_FLIP || at >= end)
			continue;
		f->met++;
		if (f->met <= f->skip || (f->times && f->met > f->skip + f->times))
			continue;
		for (; at < end; at += 512)
			bytes[at - from] ^= 0x10;
	}
}

/* Only one of @in and @out is given. */
static void copy(struct fake_disk *d, void *in, const void *out, size_t size, uint64_t offset)
{
	if (in) {
		memcpy(in, d->data + offset, size);
		flip(d, FAKE_READ, in, offset, offset + size);
	} else {
		memcpy(d->data + offset, out, size);
		if (offset + size > d->written_to)
			d->written_to = offset + size;
		flip(d, FAKE_WRITE, d->data + offset, offset, offset + size);
	}
}

static bool aligned(const struct file *f, const void *buf, size_t size, uint64_t offset)
{
	const struct fake_disk *d = f->disk;

	return !(f->flags & O_DIRECT) || (size % d->logical == 0 && offset % d->logical == 0 &&
					  (uintptr_t)buf % d->memory_align == 0);
}

static long transfer(const struct file *f, void *in, const void *out, size_t size, uint64_t offset)
{
	enum fake_op op = in ? FAKE_READ : FAKE_WRITE;
	int mode = f->flags & O_ACCMODE;
	struct fake_disk *d = f->disk;
	const struct fake_fault *fault;
	uint64_t before = 0;

	if (mode == (in ? O_WRONLY : O_RDONLY))
		return -EBADF;
	if (d->gone)
		return -ENODEV;
	if (!in && d->read_only)
		return -EPERM;
	if (!aligned(f, in ? in : out, size, offset))
		return -EINVAL;
	if (!size)
		return 0;
	if (offset >= d->size_bytes)
		return in ? 0 : -ENOSPC;
	if (size > d->size_bytes - offset)
		size = d->size_bytes - offset;
	if (d->most && size > d->most)
		size = d->most;
	fault = meet(d, op, offset, offset + size, &before);
	if (fault)
		size = before;
	copy(d, in, out, size, offset);
	if (fault && (fault->kind == FAKE_ERROR || !size))
		return -fault->err;
	return (long)size;
}

static void wear_out(struct fake_disk *d)
{
	if (d->gone_after && !--d->gone_after)
		d->gone = true;
}

static long moved(struct file *f, void *in, const void *out, size_t size, uint64_t offset)
{
	enum fake_op op = in ? FAKE_READ : FAKE_WRITE;
	long rc = due(op);
	size_t entry = logged((struct fake_call){
		.op = op, .disk = f->disk, .offset = offset, .size = size, .flags = f->flags });

	if (!rc && fake_interrupt_every && ++transfers % fake_interrupt_every == 0)
		rc = -EINTR;
	if (rc)
		return answer(entry, rc);
	rc = transfer(f, in, out, size, offset);
	wear_out(f->disk);
	return answer(entry, rc);
}

/* 0 when the real kernel is to answer. */
static int elsewhere(int fd, enum fake_op op)
{
	int rc = due(op);

	if (!rc && is_ours(fd))
		rc = -EBADF;
	if (!rc && (op & (FAKE_READ | FAKE_WRITE)) && fake_interrupt_every &&
	    ++transfers % fake_interrupt_every == 0)
		rc = -EINTR;
	return rc;
}

static ssize_t fake_pread(int fd, void *buf, size_t size, off_t offset)
{
	struct file *f = file_of(fd);
	int rc;

	if (f)
		return moved(f, buf, NULL, size, (uint64_t)offset);
	rc = elsewhere(fd, FAKE_READ);
	return rc ? rc : real.pread(fd, buf, size, offset);
}

static ssize_t fake_pwrite(int fd, const void *buf, size_t size, off_t offset)
{
	struct file *f = file_of(fd);
	int rc;

	if (f)
		return moved(f, NULL, buf, size, (uint64_t)offset);
	rc = elsewhere(fd, FAKE_WRITE);
	return rc ? rc : real.pwrite(fd, buf, size, offset);
}

static ssize_t fake_read(int fd, void *buf, size_t size)
{
	struct file *f = file_of(fd);
	long n;

	if (!f) {
		int rc = elsewhere(fd, FAKE_READ);

		return rc ? rc : real.read(fd, buf, size);
	}
	n = moved(f, buf, NULL, size, f->at);
	f->at += n > 0 ? (uint64_t)n : 0;
	return n;
}

static ssize_t fake_write(int fd, const void *buf, size_t size)
{
	struct file *f = file_of(fd);
	long n;

	if (!f) {
		int rc = elsewhere(fd, FAKE_WRITE);

		return rc ? rc : real.write(fd, buf, size);
	}
	n = moved(f, NULL, buf, size, f->at);
	f->at += n > 0 ? (uint64_t)n : 0;
	return n;
}

static int flush(struct file *f)
{
	size_t entry =
		logged((struct fake_call){ .op = FAKE_FLUSH, .disk = f->disk, .flags = f->flags });
	long rc = due(FAKE_FLUSH);

	if (!rc && f->disk->gone)
		rc = -ENODEV;
	if (!rc) {
		f->disk->flushes++;
		wear_out(f->disk);
	}
	return (int)answer(entry, rc);
}

static int fake_fsync(int fd)
{
	struct file *f = file_of(fd);
	int rc;

	if (f)
		return flush(f);
	rc = elsewhere(fd, FAKE_FLUSH);
	return rc ? rc : real.fsync(fd);
}

static int fake_fdatasync(int fd)
{
	struct file *f = file_of(fd);
	int rc;

	if (f)
		return flush(f);
	rc = elsewhere(fd, FAKE_FLUSH);
	return rc ? rc : real.fdatasync(fd);
}

static int ask(const struct fake_disk *d, unsigned long request, void *argument)
{
	if (d->gone)
		return -ENODEV;
	switch (request) {
	case BLKGETSIZE64:
		*(uint64_t *)argument = d->size_bytes;
		return 0;
	case BLKGETSIZE:
		*(unsigned long *)argument = (unsigned long)(d->size_bytes / 512);
		return 0;
	case BLKSSZGET:
		*(int *)argument = (int)d->logical;
		return 0;
	case BLKPBSZGET:
		*(unsigned *)argument = d->physical;
		return 0;
	case BLKALIGNOFF:
		*(int *)argument = (int)d->alignment_offset;
		return 0;
	case BLKROGET:
		*(int *)argument = d->read_only;
		return 0;
	case BLKFLSBUF:
		return 0;
	default:
		return -ENOTTY;
	}
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	struct file *f = file_of(fd);
	int rc;

	if (f) {
		size_t entry = logged((struct fake_call){
			.op = FAKE_IOCTL, .disk = f->disk, .flags = f->flags, .request = request });

		rc = due(FAKE_IOCTL);
		return (int)answer(entry, rc ? rc : ask(f->disk, request, argument));
	}
	rc = elsewhere(fd, FAKE_IOCTL);
	return rc ? rc : real.ioctl(fd, request, argument);
}

static off_t fake_lseek(int fd, off_t offset, int whence)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc || !f)
		return rc ? rc : real.lseek(fd, offset, whence);
	if (whence == SEEK_CUR)
		offset += (off_t)f->at;
	else if (whence == SEEK_END)
		offset += (off_t)f->disk->size_bytes;
	else if (whence != SEEK_SET)
		return -EINVAL;
	if (offset < 0 || (uint64_t)offset > f->disk->size_bytes)
		return -EINVAL;
	f->at = (uint64_t)offset;
	return offset;
}

static int fake_ftruncate(int fd, off_t size)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc)
		return rc;
	return f ? -EINVAL : real.ftruncate(fd, size);
}

static int fake_fcntl(int fd, int command, long value)
{
	const int changeable = O_APPEND | O_DIRECT | O_NOATIME | O_NONBLOCK;
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc || !f)
		return rc ? rc : real.fcntl(fd, command, value);
	switch (command) {
	case F_GETFL:
		return f->flags;
	case F_SETFL:
		if ((value & O_DIRECT) && f->disk->no_direct)
			return -EINVAL;
		f->flags = (f->flags & ~changeable) | ((int)value & changeable);
		return 0;
	case F_GETFD:
		return FD_CLOEXEC;
	case F_SETFD:
		return 0;
	default:
		return -EINVAL;
	}
}

static int fake_flock(int fd, int operation)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc)
		return rc;
	if (!f)
		return real.flock(fd, operation);
	return f->disk->locked ? -EWOULDBLOCK : 0;
}

static void describe(const struct fake_disk *d, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFBLK | 0660;
	st->st_nlink = 1;
	st->st_rdev = d->dev;
	st->st_ino = (ino_t)minor(d->dev) + 1;
	st->st_blksize = 4096;
}

static int fake_stat(const char *path, struct stat *st)
{
	const struct fake_disk *d = disk_at(path);
	int rc = due(FAKE_OTHER);

	if (rc || !d)
		return rc ? rc : real.stat(path, st);
	describe(d, st);
	return 0;
}

static int fake_fstat(int fd, struct stat *st)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc || !f)
		return rc ? rc : real.fstat(fd, st);
	describe(f->disk, st);
	return 0;
}

/* Device nodes lie on devtmpfs, which calls itself tmpfs. */
static int fake_fstatfs(int fd, struct statfs *st)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc || !f)
		return rc ? rc : real.fstatfs(fd, st);
	memset(st, 0, sizeof(*st));
	st->f_type = TMPFS_MAGIC;
	st->f_bsize = 4096;
	return 0;
}

static int fake_unlink(const char *path)
{
	int rc = due(FAKE_OTHER);

	if (rc)
		return rc;
	return disk_at(path) ? -EPERM : real.unlink(path);
}

static ssize_t fake_readlink(const char *path, char *buf, size_t size)
{
	int rc = due(FAKE_OTHER);

	if (rc)
		return rc;
	return disk_at(path) ? -EINVAL : real.readlink(path, buf, size);
}

static ssize_t fake_getdents(int fd, void *buf, size_t size)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc)
		return rc;
	return f ? -ENOTDIR : real.getdents(fd, buf, size);
}

static int fake_dio_align(int fd, uint32_t *memory, uint32_t *offset)
{
	struct file *f = file_of(fd);
	int rc = f ? due(FAKE_OTHER) : elsewhere(fd, FAKE_OTHER);

	if (rc || !f)
		return rc ? rc : real.dio_align(fd, memory, offset);
	*memory = f->disk->no_direct ? 0 : f->disk->memory_align;
	*offset = f->disk->no_direct ? 0 : f->disk->logical;
	return 0;
}

static long fake_raw(long number, long a, long b, long c, long d, long e, long f)
{
	int rc = due(FAKE_RAW);

	if (rc)
		return rc;
	return fake_no_rings ? -ENOSYS : real.raw(number, a, b, c, d, e, f);
}

static void clear(void)
{
	for (unsigned i = 0; i < disk_count; i++)
		munmap(disks[i].data, disks[i].size_bytes + 1);
	free(fake_log);
	memset(disks, 0, sizeof(disks));
	memset(files, 0, sizeof(files));
	disk_count = 0;
	fake_log = NULL;
	log_room = 0;
	fake_fail_ops = FAKE_ANY;
	fake_interrupt_every = transfers = 0;
	fake_no_rings = true;
	fake_hook = NULL;
	fake_descriptors = 0;
	fake_forget();
	fake_fail_at(0, 0);
}

void fake_begin(void)
{
	if (!real.open)
		real = sys;
	clear();
	sys = real;
	sys.open = fake_open;
	sys.close = fake_close;
	sys.read = fake_read;
	sys.write = fake_write;
	sys.pread = fake_pread;
	sys.pwrite = fake_pwrite;
	sys.lseek = fake_lseek;
	sys.fsync = fake_fsync;
	sys.fdatasync = fake_fdatasync;
	sys.ftruncate = fake_ftruncate;
	sys.fcntl = fake_fcntl;
	sys.flock = fake_flock;
	sys.ioctl = fake_ioctl;
	sys.stat = fake_stat;
	sys.fstat = fake_fstat;
	sys.fstatfs = fake_fstatfs;
	sys.unlink = fake_unlink;
	sys.readlink = fake_readlink;
	sys.getdents = fake_getdents;
	sys.dio_align = fake_dio_align;
	sys.raw = fake_raw;
}

void fake_end(void)
{
	clear();
	if (real.open)
		sys = real;
}

/* splitmix64 of the word's number: the same in each run, no two words alike. */
static uint64_t word(uint64_t number)
{
	uint64_t z = (number + 1) * 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* The first @size bytes of the disk's word at @offset, a multiple of 8. */
static size_t original(unsigned char bytes[8], uint64_t offset, uint64_t size)
{
	uint64_t w = offset < FILLED ? word(offset / 8) : 0;

	memcpy(bytes, &w, sizeof(w));
	return size - offset < 8 ? (size_t)(size - offset) : 8;
}

struct fake_disk *fake_disk(const char *path, uint64_t size, uint32_t logical, uint32_t physical)
{
	struct fake_disk *d = &disks[disk_count];
	void *data;

	if (disk_count == DISKS)
		out_of("disks");
	data = mmap(NULL, size + 1, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (data == MAP_FAILED)
		out_of("memory");
	snprintf(d->path, sizeof(d->path), "%s", path);
	d->dev = makedev(MAJOR, disk_count);
	d->data = data;
	d->size_bytes = size;
	d->logical = logical;
	d->physical = physical;
	d->memory_align = 4;
	for (uint64_t at = 0; at < size && at < FILLED; at += 8) {
		unsigned char bytes[8];
		size_t n = original(bytes, at, size);

		memcpy(d->data + at, bytes, n);
	}
	disk_count++;
	return d;
}

struct fake_fault *fake_fault(struct fake_disk *d, unsigned ops, enum fake_kind kind, uint64_t from,
			      uint64_t to, int err)
{
	struct fake_fault *f = &d->fault[d->faults];

	if (d->faults == FAKE_FAULTS)
		out_of("faults");
	d->faults++;
	*f = (struct fake_fault){ .ops = ops, .kind = kind, .from = from, .to = to, .err = err };
	return f;
}

uint64_t fake_changed(const struct fake_disk *d)
{
	uint64_t end = d->written_to > FILLED ? d->written_to : FILLED;

	for (uint64_t at = 0; at < d->size_bytes && at < end; at += 8) {
		unsigned char bytes[8];
		size_t n = original(bytes, at, d->size_bytes);

		for (size_t i = 0; i < n; i++)
			if (d->data[at + i] != bytes[i])
				return at + i;
	}
	return UINT64_MAX;
}

void fake_fail_at(unsigned n, int err)
{
	fail_at = n;
	fail_err = err;
	failed = false;
	fake_calls = 0;
}

bool fake_failed(void)
{
	return failed;
}

size_t fake_count(const struct fake_disk *d, unsigned ops)
{
	size_t count = 0;

	for (size_t i = 0; i < fake_logged; i++)
		count += fake_log[i].disk == d && (fake_log[i].op & ops);
	return count;
}

uint64_t fake_moved(const struct fake_disk *d, unsigned ops)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < fake_logged; i++)
		if (fake_log[i].disk == d && (fake_log[i].op & ops & (FAKE_READ | FAKE_WRITE)) &&
		    fake_log[i].rc > 0)
			bytes += (uint64_t)fake_log[i].rc;
	return bytes;
}

void fake_forget(void)
{
	fake_logged = 0;
}
