/* SPDX-License-Identifier: MIT */
/* use - who uses a block device, by name. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/mounts.h>
#include <device/opens.h>
#include <device/sys.h>
#include <device/use.h>

#include <linux/loop.h>

#define WATCHED 160
#define LOOPS   1024

/* A device whose users are users of the target: the target, its partitions or its disk, the
 * same on another path to it, and what is stacked on any of these. */
struct watch {
	dev_t dev;
	int use; /* what is stacked on others adds to this one; else -1 */
	bool mounted;
	char about[BLK_NAME]; /* which of the target's devices its users are told of */
	char name[BLK_NAME];
	char path[BLK_NAME]; /* the disk it is on where that is another path */
	char btrfs[40];      /* UUID of the mounted btrfs it is part of */
};

struct loop {
	dev_t backing, fs; /* the device behind it, or the file system of the file behind it */
	char name[BLK_NAME];
};

struct search {
	const struct blk *b;
	struct use *users;
	unsigned n, max;
	unsigned watched, loops;
	bool brief;
	struct loop loop[LOOPS];
	struct watch watch[WATCHED];
};

/* ---- saying it ------------------------------------------------------------------------- */

/* What is on top has to go first. A command that does not fit would be another command. */
static void prepend(char remedy[USE_TEXT], const char *command, const char *operand)
{
	const char *quote = operand[strcspn(operand, " \t\n'\"\\$&;()<>|*?[]`!#~")] ? "'" : "";
	char quoted[USE_TEXT], rest[USE_TEXT], *q = quoted;
	int n;

	for (; *operand && q < quoted + sizeof(quoted) - 5; operand++) {
		if (*operand == '\'') {
			memcpy(q, "'\\'", 3);
			q += 3;
		}
		*q++ = *operand;
	}
	*q = '\0';
	strcpy(rest, remedy);
	n = snprintf(remedy, USE_TEXT, "%s%s%s%s", command, quote, quoted, quote);
	/* The layers of one volume group go together. */
	if (*rest && n < USE_TEXT && strncmp(rest, remedy, (size_t)n))
		n += snprintf(remedy + n, (size_t)(USE_TEXT - n), "; %s", rest);
	if (n >= USE_TEXT || *operand)
		remedy[0] = '\0';
}

/* A user of a watched device, or where it is stacked more about what it is stacked in. @how is left
 * out in brief. @command NULL: nothing ends it. Returns the user's place, -1 where it is full. */
static int say(struct search *s, const struct watch *w, const char *how, const char *who,
	       const char *command, const char *operand)
{
	bool stacked = w->use >= 0;
	struct use new, *u = stacked ? &s->users[w->use] : &new;
	size_t n;
	int i;

	if (!stacked) {
		strcpy(u->device, w->about);
		u->text[0] = u->remedy[0] = '\0';
	}
	n = strlen(u->text);
	if (!stacked || (!s->brief && *who))
		snprintf(u->text + n, USE_TEXT - n,
			 !stacked && w->path[0] ? "in use through %s, another path to it (%s%s)"
						: "%s%s%s",
			 stacked ? ", " : w->path, s->brief ? "" : how, who);
	if (command)
		prepend(u->remedy, command, operand);
	else
		u->remedy[0] = '\0';
	if (stacked)
		return w->use;
	for (i = 0; i < (int)s->n; i++)
		if (!strcmp(s->users[i].device, u->device) && !strcmp(s->users[i].text, u->text))
			return i;
	if (s->n == s->max)
		return -1;
	s->users[s->n] = *u;
	return (int)s->n++;
}

/* ---- what is watched ------------------------------------------------------------------- */

static struct watch *watch(struct search *s, const char *name, const struct watch *like, int use)
{
	struct watch *w = &s->watch[s->watched];
	dev_t dev = blk_dev_of(name);

	if (!dev || s->watched == WATCHED)
		return NULL;
	for (unsigned i = 0; i < s->watched; i++)
		if (s->watch[i].dev == dev && s->watch[i].use == use)
			return NULL;
	*w = *like;
	w->dev = dev;
	w->use = use;
	w->mounted = false;
	w->btrfs[0] = '\0';
	blk_copy_name(w->name, name);
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

	if (p->start && attr_number(attr_block(name, "start"), 0) * 512 != p->start)
		return;
	w = watch(p->s, name, p->like, p->like->use);
	if (w && w->use < 0 && !w->path[0])
		strcpy(w->about, w->name);
}

static void watch_with_partitions(struct search *s, const char *name, const struct watch *like,
				  int use, uint64_t start)
{
	struct partition p = { s, watch(s, name, like, use), start };

	if (p.like)
		blk_each_partition(name, watch_partition, &p);
}

static void watch_target(struct search *s)
{
	struct watch *w = &s->watch[s->watched++];
	struct partition p = { .s = s, .like = w };

	memset(w, 0, sizeof(*w));
	w->dev = s->b->dev;
	w->use = -1;
	strcpy(w->name, s->b->name);
	strcpy(w->about, w->name);
	if (s->b->partition)
		watch_partition(s->b->disk, &p);
	else
		blk_each_partition(w->name, watch_partition, &p);
}

/* A second path to the same LUN is another disk to the kernel: O_EXCL does not see it. Bridges
 * of one make of USB stick give all of them the same name, which says nothing. */
static void watch_other_paths(struct search *s)
{
	struct watch like = s->watch[0];
	struct attr_dir d;
	const char *name;
	struct blk other;

	if (!s->b->wwid[0] || !strcmp(s->b->bus, "usb"))
		return;
	attr_dir_open(&d, attr_path("/sys/block"));
	while ((name = attr_dir_next(&d))) {
		if (!strcmp(name, s->b->disk) || blk_describe(&other, name) < 0 ||
		    strcmp(other.wwid, s->b->wwid) ||
		    other.size_bytes != attr_number(attr_block(s->b->disk, "size"), 0) * 512)
			continue;
		strcpy(like.path, other.name);
		watch_with_partitions(s, name, &like, -1, s->b->start_bytes);
	}
}

/* @name is stacked on @w: watch it too, and its partitions. */
static void stack(struct search *s, const struct watch *w, const char *name, const char *how,
		  const char *who, const char *command, const char *operand)
{
	int use = say(s, w, how, w->use < 0 ? who : "", command, operand);

	if (use >= 0)
		watch_with_partitions(s, name, w, use, 0);
}

/* "vg-root" and "my--vg-root": the first single hyphen ends the name of the group. */
static void cut_to_group(char *name)
{
	char *to = name;

	for (; *name && (*name != '-' || *++name == '-'); name++)
		*to++ = *name;
	*to = '\0';
}

static void stack_holder(struct search *s, const struct watch *w, const char *name)
{
	static const char *const commands[][2] = {
		{ "LVM-", "vgchange -an " },
		{ "CRYPT-", "cryptsetup close " },
		{ "mpath-", "multipath -f " },
		{ "", "dmsetup remove " },
	};
	char who[USE_TEXT], dm[128], uuid[32];
	unsigned i = 0;

	if (!strncmp(name, "md", 2)) {
		stack(s, w, name, "a member of ", name, "mdadm --stop /dev/", name);
		return;
	}
	if (attr_text(dm, sizeof(dm), attr_block(name, "dm/name")) <= 0) {
		stack(s, w, name, "held by ", name, NULL, NULL);
		return;
	}
	snprintf(who, sizeof(who), "%s (%s)", name, dm);
	attr_text(uuid, sizeof(uuid), attr_block(name, "dm/uuid"));
	while (strncmp(uuid, commands[i][0], strlen(commands[i][0])))
		i++;
	if (!i)
		cut_to_group(dm);
	stack(s, w, name, "held by ", who, commands[i][1], dm);
}

static void stack_all(struct search *s, struct watch *w)
{
	struct attr_dir d;
	const char *name;

	attr_dir_open(&d, attr_block(w->name, "holders"));
	while ((name = attr_dir_next(&d)))
		stack_holder(s, w, name);
	for (struct loop *l = s->loop; l < s->loop + s->loops; l++)
		if (l->backing == w->dev)
			stack(s, w, l->name, "the backing of ", l->name, "losetup -d /dev/",
			      l->name);
	attr_dir_open(&d, attr_path("/sys/fs/btrfs"));
	while ((name = attr_dir_next(&d)))
		if (attr_exists(attr_path("/sys/fs/btrfs/%s/devices/%s", name, w->name)))
			snprintf(w->btrfs, sizeof(w->btrfs), "%s", name);
}

/* The kernel's encoding in loop_info64 (new_encode_dev). */
static dev_t loop_dev(uint64_t n)
{
	return makedev(n >> 8 & 0xfff, (n & 0xff) | (n >> 12 & 0xfff00));
}

/* Opening a loop device for reading has no side effect. Its file's name is only looked at
 * where there is no node to ask. */
static void list_loops(struct search *s)
{
	struct loop_info64 info;
	struct attr_dir d;
	const char *name;
	char file[512];
	int fd, rc;

	attr_dir_open(&d, attr_path("/sys/block"));
	while ((name = attr_dir_next(&d))) {
		struct loop *l = &s->loop[s->loops];

		if (s->loops == LOOPS ||
		    attr_text(file, sizeof(file), attr_block(name, "loop/backing_file")) <= 0)
			continue;
		blk_copy_name(l->name, name);
		l->fs = 0;
		fd = sys.open(attr_path("/dev/%s", name), O_RDONLY | O_NONBLOCK, 0);
		rc = sys.ioctl(fd, LOOP_GET_STATUS64, &info);
		if (fd >= 0)
			sys.close(fd);
		if (rc < 0) {
			l->backing = blk_dev_of_node(file);
		} else {
			l->backing = loop_dev(info.lo_rdevice);
			if (!l->backing)
				l->fs = loop_dev(info.lo_device);
		}
		s->loops++;
	}
}

/* ---- who uses what is watched ---------------------------------------------------------- */

static void on_mount(const struct mount *m, const char *pid, void *arg)
{
	dev_t dev = major(m->dev) ? m->dev : blk_dev_of_node(m->source);
	char comm[32], other[64], name[BLK_NAME], who[USE_TEXT];
	bool ours = !strcmp(pid, "self"), root = ours && !strcmp(m->point, "/");
	bool live = attr_listed("/run/live/medium /lib/live/mount/medium /cdrom", m->point);
	struct search *s = arg;

	for (struct watch *w = s->watch; dev && w < s->watch + s->watched; w++) {
		/* A btrfs names only one of its devices as its source. */
		if (w->dev != dev &&
		    (!w->btrfs[0] || blk_name_of(name, dev) < 0 ||
		     !attr_exists(attr_path("/sys/fs/btrfs/%s/devices/%s", w->btrfs, name))))
			continue;
		/* Others see the same under other names, bind mounts of containers among them. */
		if (!ours && w->mounted)
			continue;
		w->mounted = true;
		if (ours || s->brief) {
			say(s, w,
			    root   ? "the root file system, mounted on "
			    : live ? "the live medium, mounted on "
				   : "mounted on ",
			    m->point, root || live ? NULL : "umount ", m->point);
			continue;
		}
		attr_text(comm, sizeof(comm), attr_path("/proc/%s/comm", pid));
		snprintf(who, sizeof(who), "%s as %s (pid %s) sees it", m->point, comm, pid);
		snprintf(other, sizeof(other), "nsenter -t %s -m umount ", pid);
		say(s, w, "mounted on ", who, other, m->point);
	}
}

/* "/dev/sda3 partition 1048572 0 -2"; a file's name may lie on a mount that hangs, but not below
 * /dev. Behind the name of a node that was removed stands "\040(deleted)". */
static void find_swaps(struct search *s)
{
	char *save = NULL, *line = strtok_r(attr_whole(attr_path("/proc/swaps")), "\n", &save);

	for (; line; line = strtok_r(NULL, "\n", &save)) {
		dev_t dev;

		line[strcspn(line, " \t\\")] = '\0';
		dev = blk_dev_of_node(line);
		for (unsigned i = 0; dev && i < s->watched; i++)
			if (s->watch[i].dev == dev)
				say(s, &s->watch[i], "", "swap", "swapoff ", line);
	}
}

/* Mounted, but nobody's view has it: unmounted lazily while files are open, or a file on it is
 * behind a loop device. */
static void find_hidden(struct search *s, const struct watch *w)
{
	char who[USE_TEXT];

	if (w->mounted)
		return;
	for (struct loop *l = s->loop; l < s->loop + s->loops; l++)
		if (l->fs == w->dev) {
			snprintf(who, sizeof(who), "%s (a file on it)", l->name);
			say(s, w, "the backing of ", who, "losetup -d /dev/", l->name);
		}
	if (w->btrfs[0]) {
		snprintf(who, sizeof(who), "%s, which is mounted", w->btrfs);
		say(s, w, "part of the btrfs ", s->brief ? "btrfs" : who, NULL, NULL);
	}
}

static void on_open(dev_t dev, const char *pid, void *arg)
{
	char comm[32], who[USE_TEXT];
	struct search *s = arg;

	attr_text(comm, sizeof(comm), attr_path("/proc/%s/comm", pid));
	snprintf(who, sizeof(who), "%s (pid %s)", comm, pid);
	for (struct watch *w = s->watch; w < s->watch + s->watched; w++)
		if (w->dev == dev && w->use < 0)
			say(s, w, "open for writing by ", who, "kill ", pid);
}

/* A loop takes a block device without holding it: who uses that one would have to be asked too. */
static void find_backing(struct search *s)
{
	char file[USE_TEXT / 2];

	if (attr_text(file, sizeof(file), attr_block(s->b->disk, "loop/backing_file")) > 0 &&
	    !strncmp(file, "/dev/", 5) && blk_dev_of_node(file))
		say(s, &s->watch[0], "a loop over a device, to be tested itself: ", file, "", "");
}

static void search(struct search *s, const struct blk *b, bool deep)
{
	s->b = b;
	s->n = s->watched = s->loops = 0;
	watch_target(s);
	if (deep) {
		watch_other_paths(s);
		list_loops(s);
		find_backing(s);
	}
	/* The list grows as it is walked, from the bottom up. */
	for (unsigned i = 0; i < s->watched; i++)
		stack_all(s, &s->watch[i]);
	mounts_each(on_mount, s);
	find_swaps(s);
	for (unsigned i = 0; i < s->watched; i++)
		find_hidden(s, &s->watch[i]);
	if (deep)
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
