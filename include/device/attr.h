/* SPDX-License-Identifier: MIT */
/* attr - values and folders of /sys and /proc. */
#ifndef DEVICE_ATTR_H
#define DEVICE_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <core/words.h>

/* Put before every path; "" but in unit tests, which read a recorded tree. */
extern const char *attr_root;

/* A path below the root, good until the next call; "" where it is too long. */
const char *attr_path(const char *fmt, ...) WORDS(1, 2);

/* The same of /sys/class/block/NAME/ATTRIBUTE. */
const char *attr_block(const char *name, const char *attribute);

/* The file's bytes, at most @size - 1, with a NUL behind; the newline at the end and blanks
 * around are removed. Returns the length or -errno, with "" in @buf. */
ssize_t attr_text(char *buf, size_t size, const char *path);

/* So that of @n bytes of @text, or of a negative @n, which it returns. */
ssize_t attr_trim(char *text, ssize_t n);

/* The file's bytes as they are, up to @size, no NUL added. Returns the length or -errno. */
ssize_t attr_bytes(void *buf, size_t size, const char *path);

/* A file of many lines (/proc/self/mountinfo, /proc/swaps), up to 2 MiB, in memory that the next
 * call takes; "" where it cannot be read. */
char *attr_whole(const char *path);

/* A decimal number, or @otherwise where there is no file, or none in it. */
uint64_t attr_number(const char *path, uint64_t otherwise);

/* The number of @base behind @name, which begins a line of a short file; 0 where there is none.
 * (/proc/PID/fdinfo/N "mnt_id:", /proc/meminfo) */
uint64_t attr_field(const char *path, const char *name, unsigned base);

/* The last component of what a link points to. Returns the length or -errno, with "" in @buf. */
ssize_t attr_link(char *buf, size_t size, const char *path);

/* Where a link points, whole. Returns the length or -errno, with "" in @buf. */
ssize_t attr_link_path(char *buf, size_t size, const char *path);

bool attr_exists(const char *path);

/* Whether @word is one of the words of @list, with a blank between. */
bool attr_listed(const char *list, const char *word);

/* The names in a folder, one a call, without "." and "..". */
struct attr_dir {
	int fd;
	unsigned at, filled;
	char buf[2048] __attribute__((aligned(8)));
};

/* 0 or -errno; then the folder has no names. */
int attr_dir_open(struct attr_dir *d, const char *path);
/* NULL at the end, where it closes; the name is good until the next call. */
const char *attr_dir_next(struct attr_dir *d);
/* Needed only before the end. */
void attr_dir_close(struct attr_dir *d);

#endif
