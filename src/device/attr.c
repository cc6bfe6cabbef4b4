/* SPDX-License-Identifier: MIT */
/* attr - values and folders of /sys and /proc. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/sys.h>

const char *attr_root = "";

const char *attr_path(const char *fmt, ...)
{
	static char path[PATH_MAX];
	size_t n = strlen(attr_root);
	va_list ap;

	strcpy(path, attr_root);
	va_start(ap, fmt);
	if (vsnprintf(path + n, sizeof(path) - n, fmt, ap) >= (int)(sizeof(path) - n))
		path[0] = '\0';
	va_end(ap);
	return path;
}

const char *attr_block(const char *name, const char *attribute)
{
	return attr_path("/sys/class/block/%s/%s", name, attribute);
}

ssize_t attr_bytes(void *buf, size_t size, const char *path)
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

ssize_t attr_trim(char *text, ssize_t n)
{
	ssize_t lead;

	text[n < 0 ? 0 : n] = '\0';
	while (n > 0 && (unsigned char)text[n - 1] <= ' ')
		text[--n] = '\0';
	lead = (ssize_t)strspn(text, " \t\n");
	if (!lead)
		return n;
	memmove(text, text + lead, (size_t)(n - lead) + 1);
	return n - lead;
}

ssize_t attr_text(char *buf, size_t size, const char *path)
{
	return attr_trim(buf, attr_bytes(buf, size - 1, path));
}

char *attr_whole(const char *path)
{
	static char text[2 << 20];

	attr_text(text, sizeof(text), path);
	return text;
}

uint64_t attr_number(const char *path, uint64_t otherwise)
{
	char text[64];
	const char *at = text;
	uint64_t value;

	attr_text(text, sizeof(text), path);
	value = size_digits(&at, 10);
	return at == text || *at ? otherwise : value;
}

uint64_t attr_field(const char *path, const char *name, unsigned base)
{
	char text[1024];
	const char *at = text;
	size_t n = strlen(name);

	attr_text(text, sizeof(text), path);
	while (strncmp(at, name, n)) {
		at = strchr(at, '\n');
		if (!at)
			return 0;
		at++;
	}
	at += n;
	return size_digits(&at, base);
}

ssize_t attr_link_path(char *buf, size_t size, const char *path)
{
	ssize_t n = sys.readlink(path, buf, size - 1);

	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

ssize_t attr_link(char *buf, size_t size, const char *path)
{
	char whole[1024], *slash;
	ssize_t n = attr_link_path(whole, sizeof(whole), path);

	slash = strrchr(whole, '/');
	slash = slash ? slash + 1 : whole;
	if (n >= 0)
		n = (ssize_t)strlen(slash);
	if (n >= (ssize_t)size) {
		n = -ENAMETOOLONG;
		slash = "";
	}
	strcpy(buf, slash);
	return n;
}

bool attr_exists(const char *path)
{
	struct stat st;

	return !sys.stat(path, &st);
}

bool attr_listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *list; list += strspn(list, " ")) {
		size_t length = strcspn(list, " ");

		if (length == n && !memcmp(list, word, n))
			return true;
		list += length;
	}
	return false;
}

/* include/linux/dirent.h */
struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

int attr_dir_open(struct attr_dir *d, const char *path)
{
	d->at = d->filled = 0;
	d->fd = sys.open(path, O_RDONLY | O_DIRECTORY, 0);
	return d->fd < 0 ? d->fd : 0;
}

const char *attr_dir_next(struct attr_dir *d)
{
	while (d->fd >= 0) {
		struct dirent64 *e = (struct dirent64 *)(void *)(d->buf + d->at);
		ssize_t n;

		if (d->at < d->filled) {
			d->at += e->reclen;
			if (strcmp(e->name, ".") && strcmp(e->name, ".."))
				return e->name;
			continue;
		}
		n = sys.getdents(d->fd, d->buf, sizeof(d->buf));
		d->at = 0;
		d->filled = (unsigned)n;
		if (n <= 0)
			attr_dir_close(d);
	}
	return NULL;
}

void attr_dir_close(struct attr_dir *d)
{
	if (d->fd >= 0)
		sys.close(d->fd);
	d->fd = -1;
}
