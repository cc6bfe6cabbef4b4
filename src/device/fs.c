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
	char type[8];
} magics[] = {
	{ 0xef53, "ext4" }, { 0x58465342, "xfs" },   { 0x9123683e, "btrfs" },
	{ 0x4d44, "vfat" }, { 0x01021994, "tmpfs" }, { 0x858458f6, "ramfs" },
};

static const char *type_of_magic(uint32_t magic)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].magic == magic)
			return magics[i].type;
	return "";
}

/* The mount that @fd was opened through has a number (Linux 3.15), which finds btrfs too. */
static void find_mount(struct mount *m, int fd, dev_t dev, uint32_t magic)
{
	uint64_t id = attr_field(attr_path("/proc/self/fdinfo/%d", fd), "mnt_id:", 10);
	char *at = attr_whole(attr_path("/proc/self/mountinfo"));

	while (mounts_next(&at, m))
		if (id ? m->id == id : m->dev == dev)
			return;
	m->dev = 0;
	m->type = type_of_magic(magic);
	m->source = m->options = at;
}

struct below {
	const struct fs *f;
	char text[80];
};

static void add_leaf(const char *disk, void *arg)
{
	struct below *b = arg;
	size_t n = strlen(b->text), length = strlen(disk);

	/* The disk of the partition goes without saying. */
	if (strncmp(b->f->name, disk, length))
		snprintf(b->text + n, sizeof(b->text) - n, "%s%s", n ? ", " : " on ", disk);
}

static void describe_source(struct fs *f, const char *source)
{
	bool node = !strncmp(source, "/dev/", 5) && strcmp(source, "/dev/root");
	struct below below = { .f = f };

	if (f->name[0])
		blk_each_leaf(f->name, add_leaf, &below);
	if (node || mounts_is_network(f->type))
		snprintf(f->text, sizeof(f->text), "%s on %s%s", f->type, source, below.text);
	else if (f->name[0])
		snprintf(f->text, sizeof(f->text), "%s on /dev/%s%s", f->type, f->name, below.text);
}

/* Live systems run on an overlay ("rw,lowerdir=/l,upperdir=/u,workdir=/w"): what is written
 * lands in the folder upperdir. */
static void look_below_overlay(struct fs *f, char *options)
{
	static const char key[] = "upperdir=";
	struct fs lower;
	int fd;

	while (strncmp(options, key, sizeof(key) - 1)) {
		options = strchr(options, ',');
		if (!options++)
			return;
	}
	options += sizeof(key) - 1;
	options[strcspn(options, ",")] = '\0';
	fd = sys.open(options, O_PATH | O_DIRECTORY, 0);
	if (fd < 0)
		return;
	if (!fs_describe(&lower, fd) && strcmp(lower.type, f->type)) {
		f->memory = lower.memory;
		memcpy(f->name, lower.name, sizeof(f->name));
		snprintf(f->text, sizeof(f->text), "overlay on %.*s", (int)sizeof(f->text) - 12,
			 lower.text);
	}
	sys.close(fd);
}

int fs_describe(struct fs *f, int fd)
{
	static bool below;
	struct statfs sfs;
	struct mount m;
	struct stat st;
	dev_t dev;
	int rc;

	memset(f, 0, sizeof(*f));
	rc = sys.fstat(fd, &st);
	if (!rc)
		rc = sys.fstatfs(fd, &sfs);
	if (rc < 0)
		return rc;
	f->free_bytes = (uint64_t)sfs.f_bavail * (uint64_t)sfs.f_bsize;
	find_mount(&m, fd, st.st_dev, (uint32_t)sfs.f_type);
	dev = major(st.st_dev) ? st.st_dev : major(m.dev) ? m.dev : blk_dev_of_node(m.source);
	if (dev)
		blk_name_of(f->name, dev);
	snprintf(f->type, sizeof(f->type), "%s", m.type);
	strcpy(f->text, f->type);
	f->memory = mounts_is_memory(m.type);
	describe_source(f, m.source);
	/* An upperdir that another root knows may here be on the overlay itself. */
	if (!below && !strcmp(m.type, "overlay")) {
		below = true;
		look_below_overlay(f, m.options);
		below = false;
	}
	return 0;
}
