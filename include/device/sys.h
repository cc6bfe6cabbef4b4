/* SPDX-License-Identifier: MIT */
/* sys - the one door to the kernel, which tests can replace. */
#ifndef DEVICE_SYS_H
#define DEVICE_SYS_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Every entry is the system call of that name, but returns -errno instead of -1. None
 * retries: EINTR and short transfers are the caller's. All descriptors are close-on-exec. */
struct sys {
	int (*open)(const char *path, int flags, mode_t mode);
	int (*close)(int fd);
	ssize_t (*read)(int fd, void *buf, size_t size);
	ssize_t (*write)(int fd, const void *buf, size_t size);
	ssize_t (*pread)(int fd, void *buf, size_t size, off_t offset);
	ssize_t (*pwrite)(int fd, const void *buf, size_t size, off_t offset);
	off_t (*lseek)(int fd, off_t offset, int whence);
	int (*fsync)(int fd);
	int (*fdatasync)(int fd);
	int (*ftruncate)(int fd, off_t size);
	int (*fcntl)(int fd, int command, long value);
	int (*flock)(int fd, int operation);
	int (*ioctl)(int fd, unsigned long request, void *argument);
	int (*stat)(const char *path, struct stat *st);
	int (*fstat)(int fd, struct stat *st);
	int (*fstatfs)(int fd, struct statfs *st);
	int (*unlink)(const char *path);
	ssize_t (*readlink)(const char *path, char *buf, size_t size);
	/* getdents64(2): records of struct linux_dirent64 */
	ssize_t (*getdents)(int fd, void *buf, size_t size);
	/* statx(2)'s STATX_DIOALIGN (Linux 6.1): the alignments O_DIRECT needs; 0: not said */
	int (*dio_align)(int fd, uint32_t *memory, uint32_t *offset);
	/* the rings of io_uring(7) and aio; see engine-uring.c, engine-aio.c */
	long (*raw)(long number, long a, long b, long c, long d, long e, long f);
};

extern struct sys sys;

/* Read or write all of it from @offset on, over EINTR and short transfers. Returns the
 * bytes done, which is less than @size only at the end of the object, or -errno with
 * nothing said of how much was done before where @done is NULL. */
ssize_t sys_pread_all(int fd, void *buf, size_t size, off_t offset, size_t *done);
ssize_t sys_pwrite_all(int fd, const void *buf, size_t size, off_t offset, size_t *done);

#endif
