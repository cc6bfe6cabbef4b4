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

static enum status examine_block(struct target *t, const struct config *c, dev_t dev)
{
	struct outcome *o = t->o;
	int fd = sys.open(o->path, O_RDONLY | O_NONBLOCK, 0), rc = fd;

	o->kind = KIND_BLOCK;
	o->data = c->destroy ? DATA_PATTERN : c->write ? DATA_KEPT : DATA_READ_ONLY;
	if (fd >= 0) {
		rc = blk_identify(&t->blk, fd, dev);
		sys.close(fd);
	}
	if (rc < 0 && rc != -ENOMEDIUM)
		return trouble(t, STATUS_FAILED, rc, "cannot open it and ask for its size");
	if (!t->blk.size_bytes)
		return trouble(t, STATUS_UNSUPPORTED, 0,
			       "has a size of 0: no medium, or nothing behind it");
	outcome_identify(o, &t->blk);
	o->size_bytes = t->blk.size_bytes;
	o->memory = !strcmp(t->blk.bus, "zram");
	return STATUS_OK;
}

static enum status examine_folder_or_file(struct target *t, const struct config *c,
					  const struct stat *st)
{
	struct outcome *o = t->o;
	bool folder = S_ISDIR(st->st_mode);
	int fd = sys.open(o->path, O_RDONLY | O_NONBLOCK, 0), rc = fd;

	o->kind = folder ? KIND_DIRECTORY : KIND_FILE;
	o->data = folder ? DATA_SCRATCH : DATA_READ_ONLY;
	if (fd >= 0) {
		rc = fs_describe(&t->fs, fd);
		sys.close(fd);
	}
	if (c->destroy || (c->write && !folder))
		return usage("'%.200s' is %s", t->operand,
			     folder ? "a directory: test it with -w"
				    : "a file, which cannot be held alone: test its directory");
	if (folder && !c->write)
		return usage("'%.200s' is tested by writing into its free space, on %s: add -w",
			     t->operand, rc < 0 ? "its file system" : t->fs.text);
	if (rc < 0)
		return trouble(t, status_of_errno(rc), rc, "cannot open");
	if (*t->fs.name && !blk_describe(&t->blk, t->fs.name))
		outcome_identify(o, &t->blk);
	snprintf(o->fs, sizeof(o->fs), "%s", t->fs.type);
	o->memory = t->fs.memory;
	o->size_bytes = folder ? t->fs.free_bytes : (uint64_t)st->st_size;
	if (folder && o->memory && !c->force)
		return trouble(t, STATUS_REFUSED, 0,
			       "is on %s, which is memory, no disk; --force measures it", o->fs);
	if (!folder && !o->size_bytes)
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
	return usage(
		"--%s: %llu is no multiple of %.200s's sectors of %u bytes; nearest: %llu, %llu",
		option, (unsigned long long)value, t->operand, sector,
		(unsigned long long)(below ? below : above), (unsigned long long)above);
}

static enum status fit_all(struct target *t, const struct config *c)
{
	uint32_t sector = t->blk.logical_block_bytes ? t->blk.logical_block_bytes : 512;
	enum status status = fit(t, "offset", c->offset, sector);

	t->block_bytes = (uint32_t)c->block;
	if (status == STATUS_OK)
		status = fit(t, "size", c->size, sector);
	if (c->offset != CONFIG_UNSET && t->o->kind == KIND_DIRECTORY)
		return usage("--offset is for devices and files, '%.200s' is a directory",
			     t->operand);
	if (status == STATUS_OK && c->offset != CONFIG_UNSET && c->offset >= t->o->size_bytes)
		return usage("--offset: %llu lies beyond the end of %.200s (%llu bytes)",
			     (unsigned long long)c->offset, t->operand,
			     (unsigned long long)t->o->size_bytes);
	if (t->o->data == DATA_READ_ONLY || status != STATUS_OK)
		return status;
	if (c->block < sector && sector % c->block == 0) {
		t->block_bytes = sector;
		outcome_note(t->o, "Small writes have %u bytes, not %u: so large are its sectors.",
			     sector, (unsigned)c->block);
	}
	if (t->block_bytes < t->blk.physical_block_bytes)
		outcome_note(t->o,
			     "For a write of %u bytes the drive reads, modifies and writes %u.",
			     t->block_bytes, t->blk.physical_block_bytes);
	return fit(t, "block", t->block_bytes, sector);
}

/* What a table prints as a name can be typed. */
static int find_path(const char *operand, char *path, size_t size, struct stat *st)
{
	int rc = -ENAMETOOLONG;

	if (snprintf(path, size, "/dev/%s", operand) < (int)size && !strchr(operand, '/') &&
	    !sys.stat(path, st) && S_ISBLK(st->st_mode)) {
		struct stat here;

		/* Unless there is something of that name here. */
		rc = sys.stat(operand, &here);
		if (rc)
			return 0;
	}
	if (snprintf(path, size, "%s", operand) < (int)size)
		rc = sys.stat(path, st);
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
	rc = find_path(operand, o->path, sizeof(o->path), &st);
	if (rc == -ENOENT)
		return trouble(t, STATUS_FAILED, 0,
			       "there is no such file or device; 'ddtest' lists the disks");
	if (rc < 0)
		return trouble(t, STATUS_FAILED, rc, "cannot look at it");
	t->dev = st.st_dev;
	t->ino = st.st_ino;
	if (S_ISBLK(st.st_mode))
		status = examine_block(t, c, st.st_rdev);
	else if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))
		status = examine_folder_or_file(t, c, &st);
	else
		return trouble(t, STATUS_REFUSED, 0,
			       "is %s; ddtest takes a block device, a directory or a file",
			       S_ISCHR(st.st_mode)    ? "a character device"
			       : S_ISFIFO(st.st_mode) ? "a FIFO"
						      : "a socket");
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

	for (const struct use *u = users; u < users + n; u++) {
		bool part = strcmp(u->device, t->blk.name) != 0;

		trouble(t, STATUS_REFUSED, 0, "%s%sis %s%s%s", part ? u->device : "",
			part ? " " : "", u->text, *u->remedy ? "; first:  " : "", u->remedy);
	}
	return n ? STATUS_REFUSED : STATUS_OK;
}

static enum status refuse_signed(struct target *t, const struct config *c)
{
	struct signature found[4];
	int n = signature_find(t->fd, t->blk.size_bytes, found, 4);

	if (n < 0)
		return trouble(t, STATUS_FAILED, n, "cannot read its first sectors");
	if (c->destroy && n && !c->force)
		return trouble(t, STATUS_REFUSED, 0, "holds %s; --force destroys that too",
			       found[0].name);
	while (n--)
		if (found[n].member)
			outcome_note(t->o, "It looks like %s that nothing holds now.",
				     found[n].name);
	return STATUS_OK;
}

static enum status refuse(struct target *t, const struct config *c)
{
	char which[BLK_NAME], why[200];
	int marked = blk_read_only(&t->blk, t->fd, which);

	if (marked > 0)
		return trouble(t, STATUS_REFUSED, 0,
			       "%s is marked read-only, and nothing here changes that", which);
	if (marked < 0)
		return trouble(t, STATUS_FAILED, marked, "cannot ask whether it is read-only");
	if (refuse_used(t))
		return STATUS_REFUSED;
	if (!c->force && hazard_find(&t->blk, why, sizeof(why)))
		return trouble(t, STATUS_REFUSED, 0, "%s; --force goes on", why);
	return refuse_signed(t, c);
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
		     "Another program has locked the disk (flock): it may look at it meanwhile.");
}

/* Without O_DIRECT no data is safe to rewrite, and a folder would measure memory. */
static enum status no_direct(struct target *t, const char *what)
{
	if (t->fd == -EINVAL)
		return trouble(t, STATUS_UNSUPPORTED, 0,
			       "takes no O_DIRECT, so there are no write tests");
	return trouble(t, t->fd == -EACCES || t->fd == -EROFS ? STATUS_REFUSED : STATUS_FAILED,
		       t->fd, "%s", what);
}

static enum status open_block_write(struct target *t, const struct config *c)
{
	enum status status;
	struct stat st;

	t->fd = sys.open(t->o->path, O_RDONLY | O_NONBLOCK | O_DIRECT, 0);
	if (t->fd < 0)
		return no_direct(t, "cannot open");
	status = refuse(t, c);
	target_close(t);
	if (status != STATUS_OK)
		return status;
	t->fd = sys.open(t->o->path, O_RDWR | O_EXCL | O_DIRECT, 0);
	if (t->fd == -EBUSY)
		return trouble(t, STATUS_REFUSED, 0,
			       "is held by something this system does not show");
	if (t->fd < 0)
		return trouble(t, status_of_errno(t->fd), t->fd,
			       "cannot open it for writing, alone");
	if (sys.fstat(t->fd, &st) < 0 || st.st_rdev != t->blk.dev)
		return trouble(t, STATUS_REFUSED, 0, "is another device than a moment ago");
	t->direct = true;
	lock_disk(t);
	return STATUS_OK;
}

static enum status open_read(struct target *t)
{
	t->fd = sys.open(t->o->path, O_RDONLY | O_DIRECT, 0);
	t->direct = t->fd >= 0;
	if (t->fd == -EINVAL) {
		t->fd = sys.open(t->o->path, O_RDONLY, 0);
		outcome_note(t->o, "It takes no O_DIRECT: the page cache may have answered.");
	}
	if (t->fd < 0)
		return trouble(t, STATUS_FAILED, t->fd, "cannot open");
	return STATUS_OK;
}

/* Where O_TMPFILE is not supported (vfat, NFS), a name that is unlinked at once. */
static int open_scratch(const struct target *t)
{
	int fd = sys.open(t->o->path, O_TMPFILE | O_RDWR | O_EXCL | O_DIRECT, 0600);
	char name[sizeof(t->o->path) + 32];

	if (fd != -EOPNOTSUPP && fd != -EISDIR && fd != -ENOENT)
		return fd;
	snprintf(name, sizeof(name), "%s/.ddtest.%llx", t->o->path, (unsigned long long)time(NULL));
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
	if (t->fd < 0)
		return no_direct(t, "cannot make a scratch file");
	t->direct = true;
	if (sys.dio_align(t->fd, &memory, &offset) < 0 || !offset)
		return STATUS_OK;
	if (t->blk.logical_block_bytes < offset)
		t->blk.logical_block_bytes = offset;
	if (t->block_bytes % offset) {
		t->block_bytes += offset - t->block_bytes % offset;
		outcome_note(t->o, "Small writes have %u bytes: %s takes direct ones of %u.",
			     t->block_bytes, t->fs.type, offset);
	}
	return STATUS_OK;
}

void target_close(struct target *t)
{
	if (t->fd >= 0)
		sys.close(t->fd);
	if (t->lock >= 0)
		sys.close(t->lock);
	t->fd = t->lock = -1;
}

enum status target_open(struct target *t, const struct config *c)
{
	enum status status = t->o->kind == KIND_DIRECTORY   ? open_directory(t)
			     : t->o->data == DATA_READ_ONLY ? open_read(t)
							    : open_block_write(t, c);

	if (status != STATUS_OK)
		target_close(t);
	return status;
}

const char *target_place(const struct target *t, uint64_t offset, char buf[160])
{
	const struct blk *b = &t->blk;
	unsigned long long byte = offset, sector;

	if (t->o->kind != KIND_BLOCK) {
		snprintf(buf, 160, "byte %llu", byte);
		return buf;
	}
	sector = (b->start_bytes + offset) / b->logical_block_bytes;
	snprintf(buf, 160, "sector %llu of %.39s (byte %llu of %.39s)", sector,
		 *b->disk ? b->disk : b->name, byte, b->name);
	return buf;
}
