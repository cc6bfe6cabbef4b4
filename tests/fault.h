/* SPDX-License-Identifier: MIT */
/* fault - makes the Nth system call fail, N = 1, 2, 3 ... until a run needs fewer than N. */
#ifndef TESTS_FAULT_H
#define TESTS_FAULT_H

#include <fcntl.h>
#include <stdbool.h>

#include <device/sys.h>

static struct sys fault_real;
static long fault_calls, fault_at;
static int fault_error;

static inline bool fault_now(void)
{
	return ++fault_calls == fault_at;
}

#define FAULT(type, name, parameters, arguments)                                                   \
	static inline type fault_##name parameters                                                 \
	{                                                                                          \
		return fault_now() ? -fault_error : fault_real.name arguments;                     \
	}

FAULT(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
FAULT(ssize_t, read, (int fd, void *buf, size_t size), (fd, buf, size))
FAULT(ssize_t, write, (int fd, const void *buf, size_t size), (fd, buf, size))
FAULT(ssize_t, pread, (int fd, void *buf, size_t size, off_t at), (fd, buf, size, at))
FAULT(ssize_t, pwrite, (int fd, const void *buf, size_t size, off_t at), (fd, buf, size, at))
FAULT(off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence))
FAULT(int, fsync, (int fd), (fd))
FAULT(int, fdatasync, (int fd), (fd))
FAULT(int, ftruncate, (int fd, off_t size), (fd, size))
FAULT(int, fcntl, (int fd, int command, long value), (fd, command, value))
FAULT(int, flock, (int fd, int operation), (fd, operation))
FAULT(int, ioctl, (int fd, unsigned long request, void *argument), (fd, request, argument))
FAULT(int, stat, (const char *path, struct stat *st), (path, st))
FAULT(int, fstat, (int fd, struct stat *st), (fd, st))
FAULT(int, fstatfs, (int fd, struct statfs *st), (fd, st))
FAULT(int, unlink, (const char *path), (path))
FAULT(ssize_t, readlink, (const char *path, char *buf, size_t size), (path, buf, size))
FAULT(ssize_t, getdents, (int fd, void *buf, size_t size), (fd, buf, size))
FAULT(int, dio_align, (int fd, uint32_t *memory, uint32_t *offset), (fd, memory, offset))
FAULT(long, raw, (long n, long a, long b, long c, long d, long e, long f), (n, a, b, c, d, e, f))

/* A close that fails has closed. */
static inline int fault_close(int fd)
{
	int rc = fault_real.close(fd);

	return fault_now() ? -fault_error : rc;
}

/* From now on call number @at fails with -@error; 0: none, they are only counted. */
static inline void fault_begin(long at, int error)
{
	fault_real = sys;
	fault_calls = 0;
	fault_at = at;
	fault_error = error;
	sys = (struct sys){
		fault_open,    fault_close,  fault_read,     fault_write,     fault_pread,
		fault_pwrite,  fault_lseek,  fault_fsync,    fault_fdatasync, fault_ftruncate,
		fault_fcntl,   fault_flock,  fault_ioctl,    fault_stat,      fault_fstat,
		fault_fstatfs, fault_unlink, fault_readlink, fault_getdents,  fault_dio_align,
		fault_raw,
	};
}

/* Back to the real ones. Returns whether the fault came: false ends the loop. */
static inline bool fault_end(void)
{
	sys = fault_real;
	return fault_calls >= fault_at;
}

/* Descriptors that are open, to compare before and after. */
static inline int fault_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Run @call once for each of its system calls, that one failing. @survived is false where
 * one left a descriptor open. @runs is how many there were. */
#define FAULT_EACH(error, survived, runs, call)                                                    \
	do {                                                                                       \
		int before_ = fault_descriptors();                                                 \
		(survived) = true;                                                                 \
		for ((runs) = 1;; (runs)++) {                                                      \
			bool came_;                                                                \
			fault_begin((runs), (error));                                              \
			call;                                                                      \
			came_ = fault_end();                                                       \
			(survived) &= fault_descriptors() == before_;                              \
			if (!came_)                                                                \
				break;                                                             \
		}                                                                                  \
		(runs)--;                                                                          \
	} while (0)

#endif
