/* SPDX-License-Identifier: MIT */
/* mounts - the lines of /proc/PID/mountinfo. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/blk.h>
#include <device/mounts.h>

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

void mounts_decode(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
			continue;
		}
		*to++ = *text++;
	}
	*to = '\0';
}

static char *field(char **at)
{
	char *start = *at, *end = start + strcspn(start, " ");

	*at = *end ? end + 1 : end;
	*end = '\0';
	return start;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
 * (Documentation/filesystems/proc.rst 3.5) */
static bool take_apart(char *line, struct mount *m)
{
	char *point, *text;

	m->id = (unsigned)atol(field(&line));
	field(&line);
	text = field(&line);
	if (!strchr(text, ':'))
		return false;
	m->dev = blk_dev_parse(text);
	field(&line);
	point = field(&line);
	do
		text = field(&line);
	while (*text && strcmp(text, "-"));
	if (!*text)
		return false;
	mounts_decode(point);
	m->point = point;
	m->type = field(&line);
	text = field(&line);
	mounts_decode(text);
	m->source = text;
	text = field(&line);
	mounts_decode(text);
	m->options = text;
	return *m->type;
}

bool mounts_next(char **at, struct mount *m)
{
	while (**at) {
		char *line = *at, *end = line + strcspn(line, "\n");

		*at = *end ? end + 1 : end;
		*end = '\0';
		if (take_apart(line, m))
			return true;
	}
	return false;
}

static void each_of(const char *pid, void (*each)(const struct mount *, const char *, void *),
		    void *arg)
{
	char *text = attr_whole("/proc/%s/mountinfo", pid), *at = text;
	struct mount m;

	while (text && mounts_next(&at, &m))
		each(&m, pid, arg);
	attr_free(text);
}

/* "mnt:[4026531841]"; 0 where it cannot be read. */
static unsigned long namespace_of(const char *pid)
{
	char link[64], *number;

	if (attr_link_path(link, sizeof(link), "/proc/%s/ns/mnt", pid) < 0)
		return 0;
	number = strchr(link, '[');
	return number ? (unsigned long)atol(number + 1) : 0;
}

void mounts_each(void (*each)(const struct mount *m, const char *pid, void *arg), void *arg)
{
	unsigned long seen[512] = { namespace_of("self"), namespace_of("1") };
	struct attr_dir d;
	unsigned n = 2, i;
	const char *name;

	each_of("self", each, arg);
	each_of("1", each, arg);
	if (attr_dir_open(&d, "/proc"))
		return;
	while ((name = attr_dir_next(&d))) {
		unsigned long namespace = *name >= '0' && *name <= '9' ? namespace_of(name) : 0;

		for (i = 0; i < n && seen[i] != namespace; i++)
			;
		if (!namespace || i < n || n == sizeof(seen) / sizeof(seen[0]))
			continue;
		seen[n++] = namespace;
		each_of(name, each, arg);
	}
	attr_dir_close(&d);
}

static bool is_one_of(const char *list, const char *type)
{
	char key[48];

	snprintf(key, sizeof(key), " %s ", type);
	return strstr(list, key);
}

bool mounts_is_memory(const char *type)
{
	return is_one_of(" tmpfs ramfs devtmpfs rootfs ", type);
}

bool mounts_is_network(const char *type)
{
	return is_one_of(" nfs nfs4 cifs smb3 smbfs 9p ceph afs lustre fuse.sshfs fuse.glusterfs"
			 " fuse.rclone fuse.s3fs fuse.davfs ",
			 type);
}

bool mounts_may_hang(const char *type)
{
	return mounts_is_network(type) || !strncmp(type, "fuse", 4) || !strcmp(type, "autofs") ||
	       !strcmp(type, "virtiofs");
}
