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

#define DEPTH 8

/* The first target type of @dev's table that is in the list; "" if none, NULL: unreadable. */
static const char *dm_costly_target(dev_t dev)
{
	static const char *const costly[] = { "snapshot-origin",
					      "snapshot",
					      "snapshot-merge",
					      "thin",
					      "thin-pool",
					      "vdo",
					      "era",
					      "clone" };
	static union {
		struct dm_ioctl head;
		char bytes[16384];
	} io;
	int fd = sys.open("/dev/mapper/control", O_RDWR, 0), rc;
	size_t at;

	if (fd < 0)
		return NULL;
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
		return NULL;
	at = io.head.data_start;
	for (unsigned i = 0; i < io.head.target_count; i++) {
		struct dm_target_spec spec;

		if (at + sizeof(spec) > sizeof(io))
			return NULL;
		memcpy(&spec, io.bytes + at, sizeof(spec));
		for (unsigned k = 0; k < sizeof(costly) / sizeof(costly[0]); k++)
			if (!strncmp(spec.target_type, costly[k], sizeof(spec.target_type)))
				return costly[k];
		at = io.head.data_start + spec.next;
	}
	return "";
}

static bool md_unsteady(const char *name, char *why, size_t size)
{
	uint64_t degraded = 0;
	char action[32];

	if (!attr_number(&degraded, "/sys/class/block/%s/md/degraded", name) && degraded) {
		snprintf(why, size,
			 "%s is degraded: after a crash while writing it may not start again",
			 name);
		return true;
	}
	if (attr_text(action, sizeof(action), "/sys/class/block/%s/md/sync_action", name) > 0 &&
	    strcmp(action, "idle") && strcmp(action, "frozen")) {
		snprintf(why, size, "%s is syncing (%s): wait for its end", name, action);
		return true;
	}
	return false;
}

static bool one(const char *name, char *why, size_t size)
{
	char zoned[32];

	if (attr_exists("/sys/class/block/%s/dm", name)) {
		const char *target = dm_costly_target(blk_dev_of(name));

		if (!target)
			snprintf(why, size, "%s is a dm device whose table cannot be read", name);
		else if (*target)
			snprintf(why, size,
				 "%s has a %s target: even the same bytes take up space in it",
				 name, target);
		if (!target || *target)
			return true;
	}
	if (md_unsteady(name, why, size))
		return true;
	if (attr_text(zoned, sizeof(zoned), "/sys/class/block/%s/queue/zoned", name) > 0 &&
	    !strcmp(zoned, "host-managed")) {
		snprintf(why, size, "%s is host-managed zoned: it takes no rewriting", name);
		return true;
	}
	return false;
}

static bool below(const char *name, unsigned depth, char *why, size_t size)
{
	char slave[BLK_NAME];
	struct attr_dir dir;
	bool found = false;
	const char *entry;

	if (one(name, why, size))
		return true;
	if (!depth || attr_dir_open(&dir, "/sys/class/block/%s/slaves", name) < 0)
		return false;
	while (!found && (entry = attr_dir_next(&dir))) {
		snprintf(slave, sizeof(slave), "%s", entry);
		found = below(slave, depth - 1, why, size);
	}
	attr_dir_close(&dir);
	return found;
}

bool hazard_find(const struct blk *b, char *why, size_t size)
{
	if (b->fabric[0]) {
		snprintf(why, size,
			 "is reached over a fabric (%s): other hosts that use it are not seen",
			 b->fabric);
		return true;
	}
	if (b->zoned_host_managed) {
		snprintf(why, size, "is host-managed zoned: it takes no rewriting");
		return true;
	}
	return below(b->name, DEPTH, why, size) ||
	       (b->partition && below(b->disk, DEPTH, why, size));
}
