/* SPDX-License-Identifier: MIT */
/* hazard - stacks in which writing back the same bytes is not free. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/hazard.h>
#include <device/sys.h>

#include <linux/ioctl.h>
#include <linux/dm-ioctl.h>

#define WORD 32

/* What is wrong with the table of @name, with the target in @word; NULL where nothing is. */
static const char *dm_fault(const char *name, char word[WORD])
{
	static union {
		struct dm_ioctl head;
		char bytes[16384];
	} io;
	const char *fault = "has a table that cannot be read";
	const struct dm_target_spec *spec;
	dev_t dev = blk_dev_of(name);
	int fd = sys.open("/dev/mapper/control", O_RDWR, 0), rc;
	size_t at = sizeof(io.head);

	if (fd < 0)
		return fault;
	memset(&io, 0, sizeof(io.head));
	io.head.version[0] = DM_VERSION_MAJOR;
	io.head.data_size = sizeof(io);
	io.head.data_start = sizeof(io.head);
	io.head.flags = DM_STATUS_TABLE_FLAG;
	/* The kernel's huge_encode_dev(): include/linux/kdev_t.h. */
	io.head.dev = (minor(dev) & 0xff) | (uint64_t)major(dev) << 8 |
		      (uint64_t)(minor(dev) & ~0xffu) << 12;
	rc = sys.ioctl(fd, DM_TABLE_STATUS, &io);
	sys.close(fd);
	if (rc < 0 || (io.head.flags & DM_BUFFER_FULL_FLAG))
		return fault;
	for (unsigned i = 0; i < io.head.target_count; i++) {
		if (at + sizeof(*spec) > sizeof(io))
			return fault;
		spec = (const struct dm_target_spec *)(const void *)(io.bytes + at);
		snprintf(word, WORD, "%.*s", (int)sizeof(spec->target_type), spec->target_type);
		if (attr_listed("snapshot-origin snapshot snapshot-merge thin thin-pool vdo era "
				"clone",
				word))
			return "takes up space even for the same bytes: ";
		at = sizeof(io.head) + spec->next;
	}
	return NULL;
}

static const char *fault_of(const char *name, enum blk_part part, char word[WORD])
{
	struct blk b;

	if (part == BLK_LEAF) {
		if (blk_describe(&b, name) || !attr_listed("fc iscsi nvme-of", b.bus))
			return NULL;
		strcpy(word, b.bus);
		return "is on a fabric, whose other hosts are not seen: ";
	}
	attr_text(word, WORD, attr_block(name, "queue/zoned"));
	if (!strcmp(word, "host-managed"))
		return "takes no rewriting: zoned, ";
	if (attr_text(word, WORD, attr_block(name, "md/sync_action")) > 0 &&
	    !attr_listed("idle frozen", word))
		return "is syncing: ";
	word[0] = '\0';
	if (attr_number(attr_block(name, "md/degraded"), 0))
		return "is degraded";
	return attr_exists(attr_block(name, "dm")) ? dm_fault(name, word) : NULL;
}

struct found {
	char *why;
	size_t size;
};

static bool look(const char *name, enum blk_part part, void *arg)
{
	const struct found *f = arg;
	char word[WORD];
	const char *fault = fault_of(name, part, word);

	if (!fault)
		return false;
	snprintf(f->why, f->size, "%s %s%s", name, fault, word);
	return true;
}

bool hazard_find(const struct blk *b, char *why, size_t size)
{
	struct found f = { why, size };

	return blk_walk(b->name, look, &f);
}
