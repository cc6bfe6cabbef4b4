/* SPDX-License-Identifier: MIT */
/* mounts - the lines of /proc/PID/mountinfo. */

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/blk.h>
#include <device/mounts.h>

/* The next field, in which \ooo is a byte, in place. */
static char *field(char **at)
{
	char *from = *at, *to = from, *start = from;

	while (*from && *from != ' ') {
		if (*from == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to++ = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 |
				       (from[3] - '0'));
			from += 4;
			continue;
		}
		*to++ = *from++;
	}
	*at = *from ? from + 1 : from;
	*to = '\0';
	return start;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue"
 * (Documentation/filesystems/proc.rst 3.5) */
static bool take_apart(char *line, struct mount *m)
{
	char *text;

	m->id = (unsigned)atol(field(&line));
	field(&line);
	m->dev = blk_dev_parse(field(&line));
	field(&line);
	m->point = field(&line);
	do
		text = field(&line);
	while (*text && strcmp(text, "-"));
	m->type = field(&line);
	m->source = field(&line);
	m->options = field(&line);
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
	char *at = attr_whole(attr_path("/proc/%s/mountinfo", pid));
	struct mount m;

	while (mounts_next(&at, &m))
		each(&m, pid, arg);
}

/* "mnt:[4026531841]"; 0 where it cannot be read. */
static unsigned namespace_of(const char *pid)
{
	char link[64];
	ssize_t n = attr_link_path(link, sizeof(link), attr_path("/proc/%s/ns/mnt", pid));

	return n > 5 ? (unsigned)atol(link + 5) : 0;
}

void mounts_each(void (*each)(const struct mount *m, const char *pid, void *arg), void *arg)
{
	unsigned seen[512] = { namespace_of("self"), namespace_of("1") }, n = 2, i;
	struct attr_dir d;
	const char *name;

	each_of("self", each, arg);
	each_of("1", each, arg);
	attr_dir_open(&d, attr_path("/proc"));
	while ((name = attr_dir_next(&d))) {
		unsigned namespace = namespace_of(name);

		for (i = 0; i < n && seen[i] != namespace; i++)
			;
		if (!namespace || i < n || n == sizeof(seen) / sizeof(seen[0]))
			continue;
		seen[n++] = namespace;
		each_of(name, each, arg);
	}
}

bool mounts_is_memory(const char *type)
{
	return attr_listed("tmpfs ramfs devtmpfs rootfs", type);
}

bool mounts_is_network(const char *type)
{
	return attr_listed("nfs nfs4 cifs smb3 9p ceph afs", type);
}

bool mounts_may_hang(const char *type)
{
	return mounts_is_network(type) || !strncmp(type, "fuse", 4) ||
	       attr_listed("autofs virtiofs", type);
}
