/* SPDX-License-Identifier: MIT */
/* sys - the one door to the kernel, which tests can replace. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <device/sys.h>

#define STATX_DIOALIGN_BIT 0x2000u

/* libc's answer with errno in it. */
static long answer(long rc)
{
	return rc < 0 ? -errno : rc;
}

static int sys_open(const char *path, int flags, mode_t mode)
{
	return (int)answer(open(path, flags | O_CLOEXEC, mode));
}

static int sys_close(int fd)
{
	return (int)answer(close(fd));
}

static ssize_t sys_read(int fd, void *buf, size_t size)
{
	return answer(read(fd, buf, size));
}

static ssize_t sys_write(int fd, const void *buf, size_t size)
{
	return answer(write(fd, buf, size));
}

static ssize_t sys_pread(int fd, void *buf, size_t size, off_t offset)
{
	return answer(pread(fd, buf, size, offset));
}

static ssize_t sys_pwrite(int fd, const void *buf, size_t size, off_t offset)
{
	return answer(pwrite(fd, buf, size, offset));
}

static off_t sys_lseek(int fd, off_t offset, int whence)
{
	off_t at = lseek(fd, offset, whence);

	return at < 0 ? -errno : at;
}

static int sys_fsync(int fd)
{
	return (int)answer(fsync(fd));
}

static int sys_fdatasync(int fd)
{
	return (int)answer(fdatasync(fd));
}

static int sys_ftruncate(int fd, off_t size)
{
	return (int)answer(ftruncate(fd, size));
}

static int sys_fcntl(int fd, int command, long value)
{
	return (int)answer(fcntl(fd, command, value));
}

static int sys_flock(int fd, int operation)
{
	return (int)answer(flock(fd, operation));
}

/* musl's ioctl takes an int: the cast is here, and nowhere else. */
static int sys_ioctl(int fd, unsigned long request, void *argument)
{
	return (int)answer(ioctl(fd, (int)request, argument));
}

static int sys_stat(const char *path, struct stat *st)
{
	return (int)answer(stat(path, st));
}

static int sys_fstat(int fd, struct stat *st)
{
	return (int)answer(fstat(fd, st));
}

static int sys_fstatfs(int fd, struct statfs *st)
{
	return (int)answer(fstatfs(fd, st));
}

static int sys_unlink(const char *path)
{
	return (int)answer(unlink(path));
}

static ssize_t sys_readlink(const char *path, char *buf, size_t size)
{
	return answer(readlink(path, buf, size));
}

static ssize_t sys_getdents(int fd, void *buf, size_t size)
{
	return answer(syscall(SYS_getdents64, fd, buf, size));
}

/* struct statx by offset (include/uapi/linux/stat.h): musl 1.2.3 has none. */
static int sys_dio_align(int fd, uint32_t *memory, uint32_t *offset)
{
	unsigned char stx[256] = { 0 };
	uint32_t mask;

	*memory = *offset = 0;
	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN_BIT, stx))
		return -errno;
	memcpy(&mask, stx, sizeof(mask));
	if (mask & STATX_DIOALIGN_BIT) {
		memcpy(memory, stx + 0x98, sizeof(*memory));
		memcpy(offset, stx + 0x9c, sizeof(*offset));
	}
	return 0;
}

static long sys_raw(long number, long a, long b, long c, long d, long e, long f)
{
	return answer(syscall(number, a, b, c, d, e, f));
}

struct sys sys = {
	.open = sys_open,
	.close = sys_close,
	.read = sys_read,
	.write = sys_write,
	.pread = sys_pread,
	.pwrite = sys_pwrite,
	.lseek = sys_lseek,
	.fsync = sys_fsync,
	.fdatasync = sys_fdatasync,
	.ftruncate = sys_ftruncate,
	.fcntl = sys_fcntl,
	.flock = sys_flock,
	.ioctl = sys_ioctl,
	.stat = sys_stat,
	.fstat = sys_fstat,
	.fstatfs = sys_fstatfs,
	.unlink = sys_unlink,
	.readlink = sys_readlink,
	.getdents = sys_getdents,
	.dio_align = sys_dio_align,
	.raw = sys_raw,
};

ssize_t sys_pread_all(int fd, void *buf, size_t size, off_t offset, size_t *done)
{
	size_t at = 0;
	ssize_t n = 0;

	while (at < size) {
		n = sys.pread(fd, (char *)buf + at, size - at, offset + (off_t)at);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	if (done)
		*done = at;
	return n < 0 ? n : (ssize_t)at;
}

ssize_t sys_pwrite_all(int fd, const void *buf, size_t size, off_t offset, size_t *done)
{
	size_t at = 0;
	ssize_t n = 0;

	while (at < size) {
		n = sys.pwrite(fd, (const char *)buf + at, size - at, offset + (off_t)at);
		if (n == -EINTR)
			continue;
		if (n == 0)
			n = -ENOSPC;
		if (n < 0)
			break;
		at += (size_t)n;
	}
	if (done)
		*done = at;
	return n < 0 ? n : (ssize_t)at;
}
