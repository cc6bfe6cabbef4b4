/* SPDX-License-Identifier: MIT */
/* attr - values and folders of /sys and /proc. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/sys.h>

const char *attr_root = "";

struct path {
	char text[PATH_MAX];
};

__attribute__((format(printf, 2, 0))) static int path_make(struct path *p, const char *fmt,
							   va_list ap)
{
	int n = snprintf(p->text, sizeof(p->text), "%s", attr_root);

	n += vsnprintf(p->text + n, sizeof(p->text) - (size_t)n, fmt, ap);
	return n < (int)sizeof(p->text) ? 0 : -ENAMETOOLONG;
}

#define PATH_OF(p, fmt)                                                                            \
	do {                                                                                       \
		va_list ap_;                                                                       \
		va_start(ap_, fmt);                                                                \
		rc = path_make(&(p), fmt, ap_);                                                    \
		va_end(ap_);                                                                       \
	} while (0)

static ssize_t slurp(const char *path, void *buf, size_t size)
{
	int fd = sys.open(path, O_RDONLY | O_NONBLOCK, 0);
	size_t at = 0;
	ssize_t n = 0;

	if (fd < 0)
		return fd;
	while (at < size) {
		n = sys.read(fd, (char *)buf + at, size - at);
		if (n == -EINTR)
			continue;
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	sys.close(fd);
	return n < 0 ? n : (ssize_t)at;
}

ssize_t attr_bytes(void *buf, size_t size, const char *fmt, ...)
{
	struct path p;
	int rc;

	PATH_OF(p, fmt);
	return rc < 0 ? rc : slurp(p.text, buf, size);
}

static size_t trim(char *text, size_t n)
{
	size_t lead = 0;

	while (n && strchr(" \t\n", text[n - 1]))
		n--;
	while (lead < n && strchr(" \t\n", text[lead]))
		lead++;
	memmove(text, text + lead, n - lead);
	text[n - lead] = '\0';
	return n - lead;
}

ssize_t attr_text(char *buf, size_t size, const char *fmt, ...)
{
	struct path p;
	ssize_t n;
	int rc;

	buf[0] = '\0';
	PATH_OF(p, fmt);
	if (rc < 0)
		return rc;
	n = slurp(p.text, buf, size - 1);
	if (n < 0) {
		buf[0] = '\0';
		return n;
	}
	return (ssize_t)trim(buf, (size_t)n);
}

/* The mapping's size stands before the text. */
#define HEAD sizeof(size_t)

static char *grow(char *text, size_t size)
{
	size_t *head = text ? (size_t *)(void *)(text - HEAD) : NULL;
	void *p =
		head ? mremap(head, *head, size, MREMAP_MAYMOVE)
		     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	*(size_t *)p = size;
	return (char *)p + HEAD;
}

void attr_free(char *text)
{
	size_t *head = (size_t *)(void *)(text - HEAD);

	if (text)
		munmap(head, *head);
}

char *attr_whole(const char *fmt, ...)
{
	size_t size = 16384, at = 0;
	char *text = NULL;
	struct path p;
	ssize_t n;
	int rc, fd;

	PATH_OF(p, fmt);
	fd = rc < 0 ? rc : sys.open(p.text, O_RDONLY, 0);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	do {
		char *more = !text || HEAD + at + 1 >= size ? grow(text, size *= 2) : text;

		if (!more) {
			n = -ENOMEM;
			break;
		}
		text = more;
		n = sys.read(fd, text + at, size - HEAD - at - 1);
		at += n > 0 ? (size_t)n : 0;
	} while (n > 0 || n == -EINTR);
	sys.close(fd);
	if (n < 0) {
		attr_free(text);
		errno = (int)-n;
		return NULL;
	}
	text[at] = '\0';
	return text;
}

int attr_number(uint64_t *value, const char *fmt, ...)
{
	char text[64];
	const char *at;
	struct path p;
	ssize_t n;
	int rc;

	PATH_OF(p, fmt);
	n = rc < 0 ? rc : slurp(p.text, text, sizeof(text) - 1);
	if (n < 0)
		return (int)n;
	text[trim(text, (size_t)n)] = '\0';
	if (*text < '0' || *text > '9')
		return -EINVAL;
	at = text;
	*value = size_digits(&at, 10);
	return *at ? -EINVAL : 0;
}

ssize_t attr_link_path(char *buf, size_t size, const char *fmt, ...)
{
	struct path p;
	ssize_t n;
	int rc;

	buf[0] = '\0';
	PATH_OF(p, fmt);
	n = rc < 0 ? rc : sys.readlink(p.text, buf, size - 1);
	if (n < 0)
		return n;
	buf[n] = '\0';
	return n;
}

ssize_t attr_link(char *buf, size_t size, const char *fmt, ...)
{
	char whole[PATH_MAX], *slash;
	struct path p;
	ssize_t n;
	int rc;

	buf[0] = '\0';
	PATH_OF(p, fmt);
	n = rc < 0 ? rc : sys.readlink(p.text, whole, sizeof(whole) - 1);
	if (n < 0)
		return n;
	whole[n] = '\0';
	slash = strrchr(whole, '/');
	n = snprintf(buf, size, "%s", slash ? slash + 1 : whole);
	return n < (ssize_t)size ? n : -ENAMETOOLONG;
}

int attr_open(int flags, const char *fmt, ...)
{
	struct path p;
	int rc;

	PATH_OF(p, fmt);
	return rc < 0 ? rc : sys.open(p.text, flags, 0);
}

int attr_stat(struct stat *st, const char *fmt, ...)
{
	struct path p;
	int rc;

	PATH_OF(p, fmt);
	return rc < 0 ? rc : sys.stat(p.text, st);
}

bool attr_exists(const char *fmt, ...)
{
	struct stat st;
	struct path p;
	int rc;

	PATH_OF(p, fmt);
	return rc == 0 && sys.stat(p.text, &st) == 0;
}

/* include/linux/dirent.h */
struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

int attr_dir_open(struct attr_dir *d, const char *fmt, ...)
{
	struct path p;
	int rc;

	d->at = d->filled = 0;
	PATH_OF(p, fmt);
	d->fd = rc < 0 ? rc : sys.open(p.text, O_RDONLY | O_DIRECTORY, 0);
	return d->fd < 0 ? d->fd : 0;
}

const char *attr_dir_next(struct attr_dir *d)
{
	for (;;) {
		struct dirent64 *e;

		if (d->at >= d->filled) {
			ssize_t n = sys.getdents(d->fd, d->buf, sizeof(d->buf));

			if (n <= 0)
				return NULL;
			d->at = 0;
			d->filled = (size_t)n;
		}
		e = (struct dirent64 *)(void *)(d->buf + d->at);
		d->at += e->reclen;
		if (strcmp(e->name, ".") && strcmp(e->name, ".."))
			return e->name;
	}
}

void attr_dir_close(struct attr_dir *d)
{
	sys.close(d->fd);
}
