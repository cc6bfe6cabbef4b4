/* SPDX-License-Identifier: MIT */
/* target - an operand: what it is, whether it may be tested, and the descriptor to do it by. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <time.h>

#include <core/msg.h>
#include <core/size.h>
#include <device/hazard.h>
#include <device/signature.h>
#include <device/sys.h>
#include <device/use.h>

#include "plan.h"
#include "target.h"

#define DEFAULT_OFFSET (1u << 20)
#define USERS          4

#define trouble(t, status, rc, ...) record_trouble(&(t)->o->record, status, rc, __VA_ARGS__)

/* ---- looking ---------------------------------------------------------------------------- */

static enum status examine_missing(struct target *t, int rc)
{
	if (rc == -ENOENT && !strncmp(t->operand, "/dev/", 5))
		return trouble(t, STATUS_FAILED, 0,
			       "there is no such device; 'ddtest' lists the disks");
	if (rc == -ENOENT)
		return trouble(t, STATUS_FAILED, 0, "there is no such file or device");
	return trouble(t, STATUS_FAILED, rc, "cannot look at it");
}

static enum status examine_other(struct target *t, mode_t mode)
{
	const char *kind = S_ISCHR(mode)    ? "a character device"
			   : S_ISFIFO(mode) ? "a FIFO"
			   : S_ISSOCK(mode) ? "a socket"
					    : "no file";

	return trouble(t, STATUS_REFUSED, 0,
		       "is %s; ddtest takes a block device, a directory or a file", kind);
}

static void copy_identity(struct target *t)
{
	struct outcome *o = t->o;
	const struct blk *b = &t->blk;

	snprintf(o->name, sizeof(o->name), "%s", b->name);
	snprintf(o->disk, sizeof(o->disk), "%s", b->disk);
	snprintf(o->model, sizeof(o->model), "%s", b->model);
	snprintf(o->serial, sizeof(o->serial), "%s", b->serial);
	snprintf(o->bus, sizeof(o->bus), "%s", b->bus);
	snprintf(o->driver, sizeof(o->driver), "%s", b->driver);
	o->logical_block_bytes = b->logical_block_bytes;
	o->physical_block_bytes = b->physical_block_bytes;
	o->rotational = b->rotational == 1;
	o->rpm = b->rpm;
}

static enum status examine_block(struct target *t, const struct config *c, dev_t dev)
{
	int fd = sys.open(t->path, O_RDONLY | O_NONBLOCK, 0), rc;

	if (fd == -ENOMEDIUM)
		return trouble(t, STATUS_UNSUPPORTED, 0, "there is no medium in it");
	if (fd < 0)
		return trouble(t, STATUS_FAILED, fd, "cannot open");
	rc = blk_identify(&t->blk, fd, dev);
	sys.close(fd);
	if (rc < 0)
		return trouble(t, STATUS_FAILED, rc, "cannot ask for its size");
	copy_identity(t);
	t->o->kind = KIND_BLOCK;
	t->o->data = c->destroy ? DATA_PATTERN : c->write ? DATA_KEPT : DATA_READ_ONLY;
	t->o->size_bytes = t->blk.size_bytes;
	t->o->memory = !strcmp(t->blk.bus, "zram");
	if (!t->blk.size_bytes)
		return trouble(t, STATUS_UNSUPPORTED, 0,
			       "has a size of 0: no medium, or nothing behind it");
	return STATUS_OK;
}

static enum status examine_below(struct target *t, const struct stat *st)
{
	int fd = sys.open(t->path, O_RDONLY | O_NONBLOCK, 0), rc;

	if (fd < 0)
		return trouble(t, status_of_errno(fd), fd, "cannot open");
	rc = fs_describe(&t->fs, fd);
	sys.close(fd);
	if (rc < 0)
		return trouble(t, STATUS_FAILED, rc, "cannot ask for its file system");
	if (t->fs.name[0] && !blk_describe(&t->blk, t->fs.name))
		copy_identity(t);
	snprintf(t->o->fs, sizeof(t->o->fs), "%s", t->fs.type);
	t->o->memory = t->fs.memory;
	t->o->size_bytes = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : t->fs.free_bytes;
	return STATUS_OK;
}

static enum status examine_directory(struct target *t, const struct config *c,
				     const struct stat *st)
{
	enum status status = examine_below(t, st);

	t->o->kind = KIND_DIRECTORY;
	t->o->data = DATA_SCRATCH;
	if (c->destroy)
		return usage("--destroy is for block devices; '%.200s' is a directory: use -w",
			     t->operand);
	if (!c->write)
		return usage("'%.200s' is tested by writing into its free space, on %s: add -w",
			     t->operand, status == STATUS_OK ? t->fs.text : "its file system");
	if (status != STATUS_OK)
		return status;
	if (t->fs.memory && !c->force)
		return trouble(t, STATUS_REFUSED, 0,
			       "is on %s, which is memory, no disk; --force measures it",
			       t->fs.type);
	return STATUS_OK;
}

static enum status examine_file(struct target *t, const struct config *c, const struct stat *st)
{
	enum status status;

	t->o->kind = KIND_FILE;
	t->o->data = DATA_READ_ONLY;
	if (c->write || c->destroy)
		return usage("'%.200s' is a file, which cannot be held alone: test its directory",
			     t->operand);
	status = examine_below(t, st);
	if (status != STATUS_OK)
		return status;
	if (!st->st_size)
		return trouble(t, STATUS_UNSUPPORTED, 0, "is empty: there is nothing to read");
	return STATUS_OK;
}

/* What was asked for in bytes, against the target's sectors. */
static enum status fit(const struct target *t, const char *option, uint64_t value, uint32_t sector)
{
	uint64_t below, above;

	if (value == CONFIG_UNSET || value % sector == 0)
		return STATUS_OK;
	plan_nearest_blocks(value, sector, &below, &above);
	return usage("--%s: %llu is no multiple of %.200s's sectors of %u bytes; nearest: "
		     "%.0llu%s%llu",
		     option, (unsigned long long)value, t->operand, sector,
		     (unsigned long long)below, below ? ", " : "", (unsigned long long)above);
}

static enum status fit_block(struct target *t, const struct config *c, uint32_t sector)
{
	char size[2][SIZE_TEXT];
	enum status status = STATUS_OK;

	t->block_bytes = (uint32_t)c->block;
	if (!c->write && !c->destroy)
		return STATUS_OK;
	if (c->block < sector && sector % c->block == 0) {
		t->block_bytes = sector;
		outcome_note(t->o, "Its sectors have %u bytes: small writes are %s instead of %s.",
			     sector, size_print(size[0], sector), size_print(size[1], c->block));
	} else {
		status = fit(t, "block", c->block, sector);
	}
	if (t->block_bytes < t->blk.physical_block_bytes)
		outcome_note(
			t->o,
			"The drive's physical sectors have %u bytes: for a write of %u it reads, "
			"modifies and writes one.",
			t->blk.physical_block_bytes, t->block_bytes);
	return status;
}

static enum status fit_all(struct target *t, const struct config *c)
{
	uint32_t sector = t->blk.logical_block_bytes ? t->blk.logical_block_bytes : 512;
	enum status status = fit(t, "offset", c->offset, sector);

	if (status == STATUS_OK)
		status = fit(t, "size", c->size, sector);
	if (status == STATUS_OK)
		status = fit_block(t, c, sector);
	if (status == STATUS_OK && c->offset != CONFIG_UNSET && t->o->kind != KIND_DIRECTORY &&
	    c->offset >= t->o->size_bytes)
		return usage("--offset: %llu lies beyond the end of %.200s (%llu bytes)",
			     (unsigned long long)c->offset, t->operand,
			     (unsigned long long)t->o->size_bytes);
	return status;
}

/* What a table prints as a name can be typed. */
static int find_path(struct target *t, struct stat *st)
{
	int n = snprintf(t->path, sizeof(t->path), "%s", t->operand), rc;

	if (n >= (int)sizeof(t->path))
		return -ENAMETOOLONG;
	rc = sys.stat(t->path, st);
	if (rc != -ENOENT || strchr(t->operand, '/') || !*t->operand)
		return rc;
	n = snprintf(t->path, sizeof(t->path), "/dev/%s", t->operand);
	if (n < (int)sizeof(t->path) && !sys.stat(t->path, st) && S_ISBLK(st->st_mode))
		return 0;
	snprintf(t->path, sizeof(t->path), "%s", t->operand);
	return rc;
}

enum status target_examine(struct target *t, const char *operand, const struct config *c,
			   struct outcome *o)
{
	enum status status;
	struct stat st;
	int rc;

	memset(t, 0, sizeof(*t));
	t->operand = operand;
	t->o = o;
	t->fd = t->lock = -1;
	o->record.target = operand;
	if (c->destroy && strcmp(c->destroy, operand))
		return usage("--destroy=%.200s does not repeat the target '%.200s'", c->destroy,
			     operand);
	rc = find_path(t, &st);
	snprintf(o->path, sizeof(o->path), "%s", t->path);
	if (rc < 0)
		return examine_missing(t, rc);
	t->dev = st.st_dev;
	t->ino = st.st_ino;
	if (S_ISBLK(st.st_mode))
		status = examine_block(t, c, st.st_rdev);
	else if (S_ISDIR(st.st_mode))
		status = examine_directory(t, c, &st);
	else if (S_ISREG(st.st_mode))
		status = examine_file(t, c, &st);
	else
		status = examine_other(t, st.st_mode);
	if (c->rpm != CONFIG_UNSET)
		o->rpm = (uint32_t)c->rpm;
	return status == STATUS_OK ? fit_all(t, c) : status;
}

bool target_overlaps(const struct target *a, const struct target *b)
{
	if (a->o->kind != b->o->kind)
		return false;
	if (a->o->kind != KIND_BLOCK)
		return a->dev == b->dev && a->ino == b->ino;
	if (a->blk.dev == b->blk.dev)
		return true;
	return a->blk.disk_dev == b->blk.disk_dev && (!a->blk.partition || !b->blk.partition);
}

/* ---- refusing ---------------------------------------------------------------------------- */

static enum status refuse_used(struct target *t)
{
	struct use users[USERS];
	unsigned n = use_find(&t->blk, true, users, USERS);

	for (unsigned i = 0; i < n; i++) {
		bool part = strcmp(users[i].device, t->blk.name) != 0;

		trouble(t, STATUS_REFUSED, 0, "%s%sis %s", part ? users[i].device : "",
			part ? " " : "", users[i].text[0] ? users[i].text : "in use");
		if (users[i].remedy[0])
			warn("first:  %s", users[i].remedy);
	}
	return n ? STATUS_REFUSED : STATUS_OK;
}

static enum status refuse_read_only(struct target *t, int fd)
{
	char which[BLK_NAME];
	int rc = blk_read_only(&t->blk, fd, which);

	if (rc > 0)
		return trouble(t, STATUS_REFUSED, 0,
			       "%s is marked read-only, and nothing here changes that", which);
	if (rc < 0)
		return trouble(t, STATUS_FAILED, rc, "cannot ask whether it is read-only");
	return STATUS_OK;
}

static enum status refuse_hazard(struct target *t, const struct config *c)
{
	char why[200];

	if (c->force || !hazard_find(&t->blk, why, sizeof(why)))
		return STATUS_OK;
	return trouble(t, STATUS_REFUSED, 0, "%s; --force goes on", why);
}

static enum status refuse_signed(struct target *t, const struct config *c, int fd)
{
	struct signature found[4];
	int n = signature_find(fd, t->blk.size_bytes, found, 4);

	if (n < 0)
		return trouble(t, STATUS_FAILED, n, "cannot read its first sectors");
	if (c->destroy && n && !c->force)
		return trouble(t, STATUS_REFUSED, 0,
			       "holds %s; --force with --destroy destroys that too", found[0].name);
	for (int i = 0; i < n && !c->destroy; i++)
		if (found[i].member)
			outcome_note(t->o, "It looks like %s that nothing holds now.",
				     found[i].name);
	return STATUS_OK;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* udev opens a disk again when a writer closes it, and probes it: not while it is locked. */
static void lock_disk(struct target *t)
{
	char path[BLK_NAME + 8];
	struct timespec pause = { .tv_nsec = 50000000 };

	snprintf(path, sizeof(path), "/dev/%s", t->blk.disk);
	t->lock = t->blk.partition ? sys.open(path, O_RDONLY | O_NONBLOCK, 0) : -1;
	for (unsigned i = 0; i < 20; i++) {
		if (sys.flock(t->lock >= 0 ? t->lock : t->fd, LOCK_EX | LOCK_NB) != -EWOULDBLOCK)
			return;
		nanosleep(&pause, NULL);
	}
	outcome_note(t->o,
		     "Another program has locked the disk (flock): it may be looked at meanwhile.");
}

static enum status open_block_write(struct target *t, const struct config *c)
{
	enum status status;
	struct stat st;

	t->fd = sys.open(t->path, O_RDONLY | O_NONBLOCK | O_DIRECT, 0);
	if (t->fd == -EINVAL)
		return trouble(t, STATUS_UNSUPPORTED, 0,
			       "takes no O_DIRECT, and without it no data is safe to rewrite");
	if (t->fd < 0)
		return trouble(t, STATUS_FAILED, t->fd, "cannot open");
	status = refuse_read_only(t, t->fd);
	if (status == STATUS_OK)
		status = refuse_used(t);
	if (status == STATUS_OK)
		status = refuse_hazard(t, c);
	if (status == STATUS_OK)
		status = refuse_signed(t, c, t->fd);
	sys.close(t->fd);
	t->fd = -1;
	if (status != STATUS_OK)
		return status;
	t->fd = sys.open(t->path, O_RDWR | O_EXCL | O_DIRECT, 0);
	if (t->fd == -EBUSY)
		return trouble(t, STATUS_REFUSED, 0,
			       "is held by something this system does not show");
	if (t->fd < 0)
		return trouble(t, status_of_errno(t->fd), t->fd,
			       "cannot open it for writing, alone");
	if (sys.fstat(t->fd, &st) < 0 || st.st_rdev != t->blk.dev) {
		sys.close(t->fd);
		t->fd = -1;
		return trouble(t, STATUS_REFUSED, 0, "is another device than a moment ago");
	}
	t->direct = true;
	lock_disk(t);
	return STATUS_OK;
}

static enum status open_read(struct target *t)
{
	t->fd = sys.open(t->path, O_RDONLY | O_DIRECT, 0);
	t->direct = t->fd >= 0;
	if (t->fd == -EINVAL) {
		t->fd = sys.open(t->path, O_RDONLY, 0);
		outcome_note(t->o, "It takes no O_DIRECT: the page cache may have answered.");
	}
	if (t->fd < 0)
		return trouble(t, STATUS_FAILED, t->fd, "cannot open");
	return STATUS_OK;
}

/* Where O_TMPFILE is not supported (vfat, NFS), a name that is unlinked at once. */
static int open_scratch(const struct target *t)
{
	int fd = sys.open(t->path, O_TMPFILE | O_RDWR | O_EXCL | O_DIRECT, 0600);
	char name[sizeof(t->path) + 32];

	if (fd != -EOPNOTSUPP && fd != -EISDIR && fd != -ENOENT)
		return fd;
	snprintf(name, sizeof(name), "%s/.ddtest.%llx", t->path, (unsigned long long)time(NULL));
	fd = sys.open(name, O_CREAT | O_EXCL | O_RDWR | O_DIRECT, 0600);
	/* That the file system takes no O_DIRECT is found out after it was made. */
	if (fd >= 0 || fd == -EINVAL)
		sys.unlink(name);
	return fd;
}

static enum status open_directory(struct target *t)
{
	uint32_t memory, offset;

	t->fd = open_scratch(t);
	if (t->fd == -EINVAL)
		return trouble(t, STATUS_UNSUPPORTED, 0,
			       "%s takes no O_DIRECT: there would be nothing but memory to measure",
			       t->fs.type);
	if (t->fd == -EACCES || t->fd == -EROFS)
		return trouble(t, STATUS_REFUSED, t->fd, "cannot make a scratch file");
	if (t->fd < 0)
		return trouble(t, STATUS_FAILED, t->fd, "cannot make a scratch file");
	t->direct = true;
	if (sys.dio_align(t->fd, &memory, &offset) < 0 || !offset)
		return STATUS_OK;
	if (t->blk.logical_block_bytes < offset)
		t->blk.logical_block_bytes = offset;
	if (t->block_bytes % offset) {
		t->block_bytes += offset - t->block_bytes % offset;
		outcome_note(t->o,
			     "%s takes direct writes of %u bytes: small writes have %u bytes.",
			     t->fs.type, offset, t->block_bytes);
	}
	return STATUS_OK;
}

enum status target_open(struct target *t, const struct config *c)
{
	if (t->o->kind == KIND_DIRECTORY)
		return open_directory(t);
	if (t->o->data == DATA_READ_ONLY)
		return open_read(t);
	return open_block_write(t, c);
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		sys.close(t->fd);
	if (t->lock >= 0)
		sys.close(t->lock);
	t->fd = t->lock = -1;
}

const char *target_place(const struct target *t, uint64_t offset, char buf[160])
{
	const struct blk *b = &t->blk;
	char disk[40];

	if (t->o->kind != KIND_BLOCK) {
		snprintf(buf, 160, "byte %llu", (unsigned long long)offset);
		return buf;
	}
	snprintf(disk, sizeof(disk), "%.39s", b->disk[0] ? b->disk : b->name);
	snprintf(buf, 160, "sector %llu of %s (byte %llu of %.39s)",
		 (unsigned long long)((b->start_bytes + offset) / b->logical_block_bytes), disk,
		 (unsigned long long)offset, b->name);
	return buf;
}
