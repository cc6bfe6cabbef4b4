/* SPDX-License-Identifier: MIT */
/* fs - the file system that a file or directory is on. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/fs.h>
#include <device/mounts.h>
#include <device/sys.h>

/* For where /proc is missing (include/uapi/linux/magic.h). */
static const struct {
	uint32_t magic;
	const char *type;
} magics[] = {
	{ 0xef53, "ext4" },      { 0x58465342, "xfs" },     { 0x9123683e, "btrfs" },
	{ 0x4d44, "vfat" },      { 0x2011bab0, "exfat" },   { 0x5346544e, "ntfs" },
	{ 0xf2f52010, "f2fs" },  { 0x2fc12fc1, "zfs" },     { 0x01021994, "tmpfs" },
	{ 0x858458f6, "ramfs" }, { 0x794c7630, "overlay" }, { 0x6969, "nfs" },
	{ 0xfe534d42, "smb3" },  { 0xff534d42, "cifs" },    { 0x01021997, "9p" },
	{ 0x65735546, "fuse" },  { 0x9660, "iso9660" },     { 0x73717368, "squashfs" },
};

static const char *type_of_magic(uint32_t magic)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].magic == magic)
			return magics[i].type;
	return "";
}

/* The mount that @fd was opened through (Linux 3.15), which finds btrfs too, or 0. */
static unsigned mount_id(int fd)
{
	char text[256], *at;

	if (attr_text(text, sizeof(text), "/proc/self/fdinfo/%d", fd) < 0)
		return 0;
	at = strstr(text, "mnt_id:");
	return at ? (unsigned)atol(at + strlen("mnt_id:")) : 0;
}

static bool find_mount(struct mount *m, char *at, int fd, dev_t dev)
{
	unsigned id = mount_id(fd);

	while (mounts_next(&at, m))
		if (id ? m->id == id : m->dev == dev)
			return true;
	return false;
}

struct below {
	const char *name;
	char text[80];
};

static void add_leaf(const char *disk, void *arg)
{
	struct below *b = arg;
	size_t n = strlen(b->text);
	char own[BLK_NAME];

	if (!blk_disk_of(own, b->name) && strcmp(disk, own))
		snprintf(b->text + n, sizeof(b->text) - n, "%s%s", n ? ", " : " on ", disk);
}

static void describe_source(struct fs *f, const struct mount *m)
{
	struct below below = { .name = f->name };
	bool node = !strncmp(m->source, "/dev/", 5) && strcmp(m->source, "/dev/root");

	if (f->dev && blk_name_of(f->name, f->dev))
		f->name[0] = '\0';
	if (f->name[0])
		blk_each_leaf(f->name, add_leaf, &below);
	if (f->name[0] && !node)
		snprintf(f->text, sizeof(f->text), "%s on /dev/%s%s", f->type, f->name, below.text);
	else if (node || f->network)
		snprintf(f->text, sizeof(f->text), "%s on %s%s", f->type, m->source, below.text);
}

/* Live systems run on an overlay: what is written lands in the folder upperdir. */
static void look_below_overlay(struct fs *f, const struct mount *m)
{
	const char *upper = strstr(m->options, "upperdir=");
	struct fs lower;
	char path[512];
	int fd;

	if (!upper)
		return;
	upper += strlen("upperdir=");
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(upper, ","), upper);
	fd = sys.open(path, O_PATH | O_DIRECTORY, 0);
	if (fd < 0)
		return;
	if (!fs_describe(&lower, fd) && strcmp(lower.type, "overlay")) {
		f->memory = lower.memory;
		f->network = lower.network;
		f->dev = lower.dev;
		memcpy(f->name, lower.name, sizeof(f->name));
		snprintf(f->text, sizeof(f->text), "overlay on %.*s", (int)sizeof(f->text) - 12,
			 lower.text);
	}
	sys.close(fd);
}

int fs_describe(struct fs *f, int fd)
{
	struct statfs sfs;
	struct mount m;
	struct stat st;
	char *text;
	int rc;

	memset(f, 0, sizeof(*f));
	rc = sys.fstat(fd, &st);
	if (!rc)
		rc = sys.fstatfs(fd, &sfs);
	if (rc < 0)
		return rc;
	f->free_bytes = (uint64_t)sfs.f_bavail * (uint64_t)sfs.f_bsize;
	f->dev = major(st.st_dev) ? st.st_dev : 0;
	text = attr_whole("/proc/self/mountinfo");
	if (!text || !find_mount(&m, text, fd, st.st_dev)) {
		memset(&m, 0, sizeof(m));
		m.type = type_of_magic((uint32_t)sfs.f_type);
		m.source = m.options = "";
	}
	if (!f->dev && major(m.dev))
		f->dev = m.dev;
	if (!f->dev)
		f->dev = blk_dev_of_node(m.source);
	snprintf(f->type, sizeof(f->type), "%s", m.type);
	snprintf(f->text, sizeof(f->text), "%s", m.type);
	f->memory = mounts_is_memory(m.type);
	f->network = mounts_is_network(m.type);
	describe_source(f, &m);
	if (!strcmp(m.type, "overlay"))
		look_below_overlay(f, &m);
	attr_free(text);
	return 0;
}
