/* SPDX-License-Identifier: MIT */
/* use - who uses a block device, by name. */

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/mounts.h>
#include <device/opens.h>
#include <device/sys.h>
#include <device/use.h>

#include <linux/loop.h>

#define WATCHED 160
#define LOOPS   128
#define CLASS   "/sys/class/block/%s"

/* A device whose users are users of the target: the target, its partitions or its disk, the
 * same on another path to it, and what is stacked on any of these. */
struct watch {
	dev_t dev;
	char name[BLK_NAME];
	char about[BLK_NAME]; /* which of the target's devices its users are told of */
	char path[BLK_NAME];  /* the disk it is on where that is another path */
	int use;              /* what is stacked on others adds to this one; else -1 */
	bool mounted;
	char btrfs[40]; /* UUID of the mounted btrfs it is part of */
	bool sibling;   /* another device of the same btrfs: only its mounts count */
};

struct loop {
	char name[BLK_NAME];
	dev_t backing, fs; /* the device behind it, or the file system of the file behind it */
};

struct search {
	const struct blk *b;
	bool brief;
	struct use *users;
	unsigned n, max;
	unsigned watched, loops;
	struct watch watch[WATCHED];
	struct loop loop[LOOPS];
};

/* ---- saying it ------------------------------------------------------------------------- */

WORDS(2, 3) static void append(char text[USE_TEXT], const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + n, USE_TEXT - n, fmt, ap);
	va_end(ap);
}

/* What is on top has to go first. A command that does not fit would be another command. */
static void prepend_remedy(struct use *u, const char *command)
{
	char rest[USE_TEXT];

	if (!*command || strstr(u->remedy, command))
		return;
	strcpy(rest, u->remedy);
	if (snprintf(u->remedy, USE_TEXT, "%s%s%s", command, *rest ? "; " : "", rest) >= USE_TEXT)
		u->remedy[0] = '\0';
}

/* Returns the place of the new one, of the same one said before, or -1 where it is full. */
static int add(struct search *s, const struct watch *w, const char *text, const char *remedy)
{
	struct use u;

	strcpy(u.device, w->about);
	u.text[0] = u.remedy[0] = '\0';
	if (w->path[0] && !s->brief)
		append(u.text, "in use through %s, another path to it (%s)", w->path, text);
	else
		append(u.text, "%s", text);
	prepend_remedy(&u, remedy);
	for (unsigned i = 0; i < s->n; i++)
		if (!strcmp(s->users[i].device, u.device) && !strcmp(s->users[i].text, u.text))
			return (int)i;
	if (s->n == s->max)
		return -1;
	s->users[s->n] = u;
	return (int)s->n++;
}

/* A user of a watched device: one of its own, or more about what is stacked there. */
static void say(struct search *s, const struct watch *w, const char *text, const char *remedy)
{
	char more[USE_TEXT];
	struct use *u;

	if (w->use < 0) {
		add(s, w, text, remedy);
		return;
	}
	u = &s->users[w->use];
	snprintf(more, sizeof(more), ", %s", text);
	if (!s->brief && !strstr(u->text, more))
		append(u->text, "%s", more);
	prepend_remedy(u, remedy);
	/* Nothing ends the use of what the system runs from. */
	if (!*remedy)
		u->remedy[0] = '\0';
}

/* @word as a shell takes it. */
static const char *quoted(char buf[USE_TEXT], const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@%=";
	size_t n = 0;

	if (word[strspn(word, plain)] == '\0')
		return word;
	buf[n++] = '\'';
	for (; *word && n < USE_TEXT - 6; word++) {
		if (*word == '\'') {
			memcpy(buf + n, "'\\'", 3);
			n += 3;
		}
		buf[n++] = *word;
	}
	buf[n++] = '\'';
	buf[n] = '\0';
	return buf;
}

/* ---- what is watched ------------------------------------------------------------------- */

static struct watch *watch(struct search *s, const char *name, const struct watch *like, int use)
{
	dev_t dev = blk_dev_of(name);
	struct watch *w = &s->watch[s->watched];

	if (!dev || s->watched == WATCHED)
		return NULL;
	for (unsigned i = 0; i < s->watched; i++)
		if (s->watch[i].dev == dev && s->watch[i].use == use)
			return NULL;
	*w = *like;
	w->dev = dev;
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->use = use;
	w->mounted = w->sibling = false;
	w->btrfs[0] = '\0';
	s->watched++;
	return w;
}

struct partition {
	struct search *s;
	const struct watch *like;
	uint64_t start; /* only the one that begins there; 0: all */
};

static void watch_partition(const char *name, void *arg)
{
	struct partition *p = arg;
	struct watch *w;
	uint64_t start;

	if (p->start && (attr_number(&start, CLASS "/start", name) || start * 512 != p->start))
		return;
	w = watch(p->s, name, p->like, p->like->use);
	if (w && w->use < 0 && !w->path[0])
		strcpy(w->about, w->name);
}

static void watch_target(struct search *s)
{
	struct watch *w = &s->watch[s->watched++];
	struct partition p = { .s = s, .like = w };

	memset(w, 0, sizeof(*w));
	w->dev = s->b->dev;
	w->use = -1;
	strcpy(w->name, s->b->name);
	strcpy(w->about, s->b->name);
	if (!s->b->partition) {
		blk_each_partition(s->b->name, watch_partition, &p);
		return;
	}
	w = watch(s, s->b->disk, w, -1);
	if (w)
		strcpy(w->about, w->name);
}

/* A second path to the same LUN is another disk to the kernel: O_EXCL does not see it. Bridges
 * of one make of USB stick give all of them the same name, which says nothing. */
static void watch_other_paths(struct search *s)
{
	struct partition p = { .s = s, .start = s->b->start_bytes };
	struct blk disk, other;
	struct watch like;
	struct attr_dir d;
	const char *name;

	if (!s->b->wwid[0] || !strcmp(s->b->bus, "usb") || blk_describe(&disk, s->b->disk) < 0 ||
	    attr_dir_open(&d, "/sys/block"))
		return;
	while ((name = attr_dir_next(&d))) {
		if (!strcmp(name, disk.name) || blk_describe(&other, name) < 0 || !other.dev ||
		    strcmp(other.wwid, disk.wwid) || other.size_bytes != disk.size_bytes)
			continue;
		like = s->watch[0];
		strcpy(like.path, other.name);
		watch(s, name, &like, -1);
		p.like = &like;
		blk_each_partition(name, watch_partition, &p);
	}
	attr_dir_close(&d);
}

/* "vg-root" and "my--vg-root": the first single hyphen ends the name of the group. */
static void lvm_remedy(char remedy[USE_TEXT], const char *name)
{
	char group[BLK_NAME * 2];
	size_t n = 0;

	for (; *name && n + 1 < sizeof(group); name++) {
		if (*name == '-' && *++name != '-')
			break;
		group[n++] = *name;
	}
	group[n] = '\0';
	append(remedy, "vgchange -an %s", group);
}

static void describe_holder(const char *name, char text[USE_TEXT], char remedy[USE_TEXT],
			    bool brief)
{
	char dm[128], uuid[32], quote[USE_TEXT];

	text[0] = remedy[0] = '\0';
	if (!strncmp(name, "md", 2)) {
		append(text, brief ? "%s" : "a member of %s", name);
		append(remedy, "mdadm --stop /dev/%s", name);
		return;
	}
	append(text, brief ? "%s" : "held by %s", name);
	if (!strncmp(name, "bcache", 6))
		append(remedy, "echo 1 >/sys/block/%s/bcache/stop", name);
	if (attr_text(dm, sizeof(dm), CLASS "/dm/name", name) <= 0)
		return;
	append(text, " (%s)", dm);
	attr_text(uuid, sizeof(uuid), CLASS "/dm/uuid", name);
	if (!strncmp(uuid, "LVM-", 4))
		lvm_remedy(remedy, dm);
	else if (!strncmp(uuid, "CRYPT-", 6))
		append(remedy, "cryptsetup close %s", quoted(quote, dm));
	else if (!strncmp(uuid, "mpath-", 6))
		append(remedy, "multipath -f %s", quoted(quote, dm));
	else
		append(remedy, "dmsetup remove %s", quoted(quote, dm));
}

/* @name is stacked on @w: watch it too, and its partitions. */
static void stack(struct search *s, const struct watch *w, const char *name, const char *text,
		  const char *remedy)
{
	struct watch like = *w, *upper;
	struct partition p = { .s = s };
	int use = w->use;

	if (use < 0)
		use = add(s, w, text, remedy);
	else
		prepend_remedy(&s->users[use], remedy);
	if (use < 0)
		return;
	upper = watch(s, name, &like, use);
	if (!upper)
		return;
	p.like = upper;
	blk_each_partition(name, watch_partition, &p);
}

static void stack_holders(struct search *s, const struct watch *w)
{
	char text[USE_TEXT], remedy[USE_TEXT];
	struct attr_dir d;
	const char *name;

	if (attr_dir_open(&d, CLASS "/holders", w->name))
		return;
	while ((name = attr_dir_next(&d))) {
		describe_holder(name, text, remedy, s->brief);
		stack(s, w, name, text, remedy);
	}
	attr_dir_close(&d);
}

static void describe_loop(const char *name, char text[USE_TEXT], char remedy[USE_TEXT])
{
	snprintf(text, USE_TEXT, "the backing of %s", name);
	snprintf(remedy, USE_TEXT, "losetup -d /dev/%s", name);
}

static void stack_loops(struct search *s, const struct watch *w)
{
	char text[USE_TEXT], remedy[USE_TEXT];

	for (unsigned i = 0; i < s->loops; i++) {
		if (s->loop[i].backing != w->dev)
			continue;
		describe_loop(s->loop[i].name, text, remedy);
		stack(s, w, s->loop[i].name, text, remedy);
	}
}

/* A btrfs has a device number of its own and names only one of its devices as its source. */
static void watch_btrfs(struct search *s, struct watch *w)
{
	struct attr_dir all, one;
	struct watch *sibling;
	const char *uuid, *name;

	if (attr_dir_open(&all, "/sys/fs/btrfs"))
		return;
	while ((uuid = attr_dir_next(&all))) {
		if (!attr_exists("/sys/fs/btrfs/%s/devices/%s", uuid, w->name) ||
		    attr_dir_open(&one, "/sys/fs/btrfs/%s/devices", uuid))
			continue;
		snprintf(w->btrfs, sizeof(w->btrfs), "%s", uuid);
		while ((name = attr_dir_next(&one))) {
			sibling = watch(s, name, w, w->use);
			if (!sibling)
				continue;
			sibling->sibling = true;
			strcpy(sibling->btrfs, w->btrfs);
		}
		attr_dir_close(&one);
	}
	attr_dir_close(&all);
}

/* The kernel's encoding in loop_info64 (new_encode_dev). */
static dev_t loop_dev(uint64_t n)
{
	return makedev(n >> 8 & 0xfff, (n & 0xff) | (n >> 12 & 0xfff00));
}

/* Opening a loop device for reading has no side effect. Its file's name is only looked at
 * where there is no node to ask. */
static void list_loop(struct search *s, const char *name)
{
	struct loop *l = &s->loop[s->loops];
	struct loop_info64 info;
	char file[512];
	int fd, rc;

	if (s->loops == LOOPS ||
	    attr_text(file, sizeof(file), CLASS "/loop/backing_file", name) <= 0)
		return;
	memset(l, 0, sizeof(*l));
	snprintf(l->name, sizeof(l->name), "%s", name);
	fd = attr_open(O_RDONLY | O_NONBLOCK, "/dev/%s", name);
	rc = fd < 0 ? fd : sys.ioctl(fd, LOOP_GET_STATUS64, &info);
	if (fd >= 0)
		sys.close(fd);
	if (!rc) {
		l->backing = loop_dev(info.lo_rdevice);
		l->fs = l->backing ? 0 : loop_dev(info.lo_device);
	} else {
		l->backing = blk_dev_of_node(file);
	}
	s->loops++;
}

static void list_loops(struct search *s)
{
	struct attr_dir d;
	const char *name;

	if (attr_dir_open(&d, "/sys/block"))
		return;
	while ((name = attr_dir_next(&d)))
		if (!strncmp(name, "loop", 4))
			list_loop(s, name);
	attr_dir_close(&d);
}

/* ---- who uses what is watched ---------------------------------------------------------- */

static bool is_live_medium(const char *point)
{
	static const char *const points[] = { "/run/live/medium",
					      "/lib/live/mount/medium",
					      "/usr/lib/live/mount/medium",
					      "/run/initramfs/live",
					      "/run/archiso/bootmnt",
					      "/live/image",
					      "/cdrom",
					      NULL };

	for (const char *const *p = points; *p; p++)
		if (!strcmp(*p, point))
			return true;
	return false;
}

static void say_mount(struct search *s, struct watch *w, const struct mount *m, const char *pid)
{
	char text[USE_TEXT] = "", remedy[USE_TEXT] = "", quote[USE_TEXT], comm[32];
	bool ours = !strcmp(pid, "self");

	/* Others see the same under other names, bind mounts of containers among them. */
	if (!ours && w->mounted)
		return;
	w->mounted = true;
	if (s->brief) {
		say(s, w, m->point, "");
		return;
	}
	if (ours && is_live_medium(m->point)) {
		append(text, "the live medium, mounted on %s", m->point);
	} else if (ours && !strcmp(m->point, "/")) {
		append(text, "the root file system, mounted on /");
	} else if (ours) {
		append(text, "mounted on %s", m->point);
		append(remedy, "umount %s", quoted(quote, m->point));
	} else {
		attr_text(comm, sizeof(comm), "/proc/%s/comm", pid);
		append(text, "mounted on %s as %s (pid %s) sees it", m->point, comm, pid);
		append(remedy, "nsenter -t %s -m umount %s", pid, quoted(quote, m->point));
	}
	say(s, w, text, remedy);
}

static void on_mount(const struct mount *m, const char *pid, void *arg)
{
	struct search *s = arg;
	dev_t dev = major(m->dev) ? m->dev : blk_dev_of_node(m->source);

	for (unsigned i = 0; dev && i < s->watched; i++)
		if (s->watch[i].dev == dev)
			say_mount(s, &s->watch[i], m, pid);
}

/* "/dev/sda3 partition 1048572 0 -2"; a file's name may lie on a mount that hangs. */
static void find_swaps(struct search *s)
{
	static const char gone[] = " (deleted)";
	char *text = attr_whole("/proc/swaps"), *save = NULL, *line;
	char remedy[USE_TEXT], quote[USE_TEXT];

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *end = line + strcspn(line, " \t"), *type = end + strspn(end, " \t");
		size_t n;
		dev_t dev;

		if (strncmp(type, "partition", 9))
			continue;
		*end = '\0';
		mounts_decode(line);
		n = strlen(line);
		if (n > sizeof(gone) && !strcmp(line + n - (sizeof(gone) - 1), gone))
			line[n - (sizeof(gone) - 1)] = '\0';
		dev = blk_dev_of_node(line);
		snprintf(remedy, sizeof(remedy), "swapoff %s", quoted(quote, line));
		for (unsigned i = 0; dev && i < s->watched; i++)
			if (s->watch[i].dev == dev)
				say(s, &s->watch[i], "swap", remedy);
	}
	attr_free(text);
}

/* A file system that was unmounted lazily lives on below its loop devices. */
static void find_loop_files(struct search *s)
{
	char text[USE_TEXT], remedy[USE_TEXT];

	for (unsigned i = 0; i < s->loops; i++)
		for (unsigned j = 0; s->loop[i].fs && j < s->watched; j++) {
			if (s->watch[j].dev != s->loop[i].fs || s->watch[j].mounted)
				continue;
			describe_loop(s->loop[i].name, text, remedy);
			append(text, " (a file on it)");
			say(s, &s->watch[j], text, remedy);
		}
}

/* Mounted, but nobody's view has it: unmounted lazily while files are open. */
static void find_hidden_btrfs(struct search *s)
{
	char text[USE_TEXT];

	for (unsigned i = 0; i < s->watched; i++) {
		const struct watch *w = &s->watch[i];
		bool mounted = w->sibling || !w->btrfs[0];

		for (unsigned j = 0; j < s->watched && !mounted; j++)
			mounted = s->watch[j].mounted && !strcmp(s->watch[j].btrfs, w->btrfs);
		if (mounted)
			continue;
		snprintf(text, sizeof(text), "part of the btrfs %s, which is mounted", w->btrfs);
		say(s, w, s->brief ? "btrfs" : text, "");
	}
}

static void on_open(dev_t dev, const char *pid, void *arg)
{
	char text[USE_TEXT], remedy[USE_TEXT], comm[32];
	struct search *s = arg;

	for (unsigned i = 0; i < s->watched; i++) {
		const struct watch *w = &s->watch[i];

		if (w->dev != dev || w->use >= 0 || w->sibling)
			continue;
		attr_text(comm, sizeof(comm), "/proc/%s/comm", pid);
		snprintf(text, sizeof(text), "open for writing by %s (pid %s)", comm, pid);
		snprintf(remedy, sizeof(remedy), "kill %s", pid);
		say(s, w, text, remedy);
	}
}

static void search(struct search *s, const struct blk *b, bool deep)
{
	s->b = b;
	s->n = s->watched = s->loops = 0;
	watch_target(s);
	if (deep) {
		watch_other_paths(s);
		list_loops(s);
	}
	/* The list grows as it is walked, from the bottom up. */
	for (unsigned i = 0; i < s->watched; i++) {
		if (s->watch[i].sibling)
			continue;
		watch_btrfs(s, &s->watch[i]);
		stack_holders(s, &s->watch[i]);
		stack_loops(s, &s->watch[i]);
	}
	mounts_each(on_mount, s);
	find_swaps(s);
	find_hidden_btrfs(s);
	if (!deep)
		return;
	find_loop_files(s);
	opens_each(on_open, s);
}

unsigned use_find(const struct blk *b, bool deep, struct use *users, unsigned max)
{
	struct search s;

	s.brief = false;
	s.users = users;
	s.max = max;
	search(&s, b, deep);
	return s.n;
}

bool use_brief(const struct blk *disk, char *buf, unsigned size)
{
	struct use users[24];
	struct search s;
	size_t at = 0;

	s.brief = true;
	s.users = users;
	s.max = sizeof(users) / sizeof(users[0]);
	search(&s, disk, false);
	buf[0] = '\0';
	for (unsigned i = 0; i < s.n; i++) {
		unsigned j = 0;

		while (strcmp(users[j].text, users[i].text))
			j++;
		if (j == i && at < size)
			at += (size_t)snprintf(buf + at, size - at, "%s%s", at ? ", " : "",
					       users[i].text);
	}
	return s.n;
}
