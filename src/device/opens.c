/* SPDX-License-Identifier: MIT */
/* opens - block devices that other processes have open for writing. */

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/mounts.h>
#include <device/opens.h>

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

static unsigned long field(const char *text, const char *name, unsigned base)
{
	const char *at = strstr(text, name);

	if (!at)
		return 0;
	at += strlen(name);
	return (unsigned long)size_digits(&at, base);
}

/* "4711 (some) name) S 1 ...": the parent is the second field behind the last ')'. */
static long parent_of(const char *pid)
{
	char text[512], *end;

	if (attr_text(text, sizeof(text), "/proc/%s/stat", pid) < 0)
		return 0;
	end = strrchr(text, ')');
	return end && strlen(end) > 4 ? atol(end + 4) : 0;
}

static bool is_ours(const struct search *s, const char *pid)
{
	long number = atol(pid), parent = parent_of(pid);

	return parent == s->self ||
	       (s->parent_is_same && (number == s->parent || parent == s->parent));
}

static void look(struct search *s, const char *pid, const char *fd)
{
	char text[512], info[256] = "";
	unsigned long access, id;
	struct stat st;

	if (attr_link_path(text, sizeof(text), "/proc/%s/fd/%s", pid, fd) <= 0 || text[0] != '/')
		return;
	if (strncmp(text, "/dev/", 5)) {
		attr_text(info, sizeof(info), "/proc/%s/fdinfo/%s", pid, fd);
		id = field(info, "mnt_id:", 10);
		if (id >= IDS || !(s->safe[id / 8] & 1 << id % 8))
			return;
	}
	if (attr_stat(&st, "/proc/%s/fd/%s", pid, fd) || !S_ISBLK(st.st_mode))
		return;
	if (!info[0])
		attr_text(info, sizeof(info), "/proc/%s/fdinfo/%s", pid, fd);
	access = field(info, "flags:", 8) & O_ACCMODE;
	if ((access == O_WRONLY || access == O_RDWR) && !is_ours(s, pid))
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
	s.self = attr_link(own, sizeof(own), "/proc/self") > 0 ? atol(own) : getpid();
	s.parent = parent_of("self");
	s.parent_is_same = attr_link_path(own, sizeof(own), "/proc/self/exe") > 0 &&
			   attr_link_path(other, sizeof(other), "/proc/%ld/exe", s.parent) > 0 &&
			   !strcmp(own, other);
	if (attr_dir_open(&all, "/proc"))
		return;
	mounts_each(note_safe, &s);
	while ((pid = attr_dir_next(&all))) {
		if (*pid < '0' || *pid > '9' || atol(pid) == s.self ||
		    attr_dir_open(&one, "/proc/%s/fd", pid))
			continue;
		while ((fd = attr_dir_next(&one)))
			look(&s, pid, fd);
		attr_dir_close(&one);
	}
	attr_dir_close(&all);
}
