/* SPDX-License-Identifier: MIT */
/* opens - block devices that other processes have open for writing. */

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <device/attr.h>
#include <device/mounts.h>
#include <device/opens.h>
#include <device/sys.h>

#define IDS 65536

/* A descriptor is only stat'ed where that cannot hang on a dead server or a stopped FUSE
 * program: when its path begins with /dev/, or when the mount that it was opened through (by
 * its number, which is good in all namespaces) is listed somewhere and is none of those. A
 * node elsewhere on a mount that nothing lists is missed. */
struct search {
	void (*each)(dev_t dev, const char *pid, void *arg);
	void *arg;
	long self, parent;
	bool parent_is_same; /* program */
	uint8_t safe[IDS / 8];
};

static void note_safe(const struct mount *m, const char *pid, void *arg)
{
	struct search *s = arg;

	(void)pid;
	if (m->id < IDS && !mounts_may_hang(m->type))
		s->safe[m->id / 8] |= (uint8_t)(1 << m->id % 8);
}

static long parent_of(const char *pid)
{
	return (long)attr_field(attr_path("/proc/%s/status", pid), "PPid:", 10);
}

static bool is_ours(const struct search *s, const char *pid)
{
	long number = atol(pid), parent = parent_of(pid);

	return parent == s->self ||
	       (s->parent_is_same && (number == s->parent || parent == s->parent));
}

static void look(struct search *s, const char *pid, const char *fd)
{
	char text[512];
	struct stat st;
	uint64_t id;

	attr_link_path(text, sizeof(text), attr_path("/proc/%s/fd/%s", pid, fd));
	if (text[0] != '/')
		return;
	if (strncmp(text, "/dev/", 5)) {
		id = attr_field(attr_path("/proc/%s/fdinfo/%s", pid, fd), "mnt_id:", 10);
		if (id >= IDS || !(s->safe[id / 8] & 1 << id % 8))
			return;
	}
	if (!sys.stat(attr_path("/proc/%s/fd/%s", pid, fd), &st) && S_ISBLK(st.st_mode) &&
	    attr_field(attr_path("/proc/%s/fdinfo/%s", pid, fd), "flags:", 8) &
		    (O_WRONLY | O_RDWR) &&
	    !is_ours(s, pid))
		s->each(st.st_rdev, pid, s->arg);
}

void opens_each(void (*each)(dev_t dev, const char *pid, void *arg), void *arg)
{
	char own[512], other[512];
	struct attr_dir all, one;
	const char *pid, *fd;
	struct search s;

	memset(&s, 0, sizeof(s));
	s.each = each;
	s.arg = arg;
	/* /proc may be that of another PID namespace. */
	attr_link_path(own, sizeof(own), attr_path("/proc/self"));
	s.self = atol(own);
	s.parent = parent_of("self");
	attr_link_path(own, sizeof(own), attr_path("/proc/self/exe"));
	attr_link_path(other, sizeof(other), attr_path("/proc/%ld/exe", s.parent));
	s.parent_is_same = own[0] && !strcmp(own, other);
	mounts_each(note_safe, &s);
	attr_dir_open(&all, attr_path("/proc"));
	while ((pid = attr_dir_next(&all))) {
		if (*pid < '0' || *pid > '9' || atol(pid) == s.self)
			continue;
		attr_dir_open(&one, attr_path("/proc/%s/fd", pid));
		while ((fd = attr_dir_next(&one)))
			look(&s, pid, fd);
	}
}
