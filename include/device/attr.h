/* SPDX-License-Identifier: MIT */
/* attr - values and folders of /sys and /proc. */
#ifndef DEVICE_ATTR_H
#define DEVICE_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <core/words.h>

/* Put before every path; "" but in unit tests, which read a recorded tree. */
extern const char *attr_root;

/* The file's bytes, at most @size - 1, with a NUL behind; the newline at the end and blanks
 * around are removed. Returns the length or -errno. */
ssize_t attr_text(char *buf, size_t size, const char *fmt, ...)
	WORDS(3, 4);

/* The file's bytes as they are, up to @size, no NUL added. Returns the length or -errno. */
ssize_t attr_bytes(void *buf, size_t size, const char *fmt, ...)
	WORDS(3, 4);

/* The whole file, however long, on the heap with a NUL behind; attr_free() it. NULL
 * with errno set. (/proc/self/mountinfo, /proc/swaps) */
char *attr_whole(const char *fmt, ...) WORDS(1, 2);
void attr_free(char *text);

/* A decimal number. 0, -errno, or -EINVAL where the file holds no number. */
int attr_number(uint64_t *value, const char *fmt, ...) WORDS(2, 3);

/* The last component of what a link points to. Returns the length or -errno. */
ssize_t attr_link(char *buf, size_t size, const char *fmt, ...)
	WORDS(3, 4);

/* Where a link points, whole. Returns the length or -errno. */
ssize_t attr_link_path(char *buf, size_t size, const char *fmt, ...)
	WORDS(3, 4);

/* A descriptor that the caller closes, or -errno. */
int attr_open(int flags, const char *fmt, ...) WORDS(2, 3);

/* Through all links, as stat(2). 0 or -errno. */
int attr_stat(struct stat *st, const char *fmt, ...) WORDS(2, 3);

bool attr_exists(const char *fmt, ...) WORDS(1, 2);

/* The names in a folder, one a call, without "." and "..". */
struct attr_dir {
	int fd;
	size_t at, filled;
	char buf[2048] __attribute__((aligned(8)));
};

/* 0 or -errno; attr_dir_close() only after 0. */
int attr_dir_open(struct attr_dir *d, const char *fmt, ...) WORDS(2, 3);
/* NULL at the end; the name is good until the next call. */
const char *attr_dir_next(struct attr_dir *d);
void attr_dir_close(struct attr_dir *d);

#endif
