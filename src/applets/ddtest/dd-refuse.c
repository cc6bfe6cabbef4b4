/* SPDX-License-Identifier: MIT */
/* dd-refuse - a block device that somebody needs is not overwritten. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include <core/msg.h>
#include <core/status.h>
#include <device/blk.h>
#include <device/sys.h>
#include <device/use.h>

#include "dd-open.h"

#define USERS 4

static int look(const char *name, int fd, dev_t dev, bool deep)
{
	struct use users[USERS];
	char which[BLK_NAME];
	struct blk b;
	unsigned n;
	int rc;

	rc = blk_identify(&b, fd, dev);
	if (rc < 0) {
		fail(rc, "%s is not written: its size is not known", name);
		return 1;
	}
	if (blk_read_only(&b, fd, which) == 1) {
		warn("%s is not written: %s is marked read-only; 'blockdev --setrw /dev/%s' ends "
		     "that",
		     name, which, which);
		return STATUS_REFUSED;
	}
	n = use_find(&b, deep, users, USERS);
	for (unsigned i = 0; i < n; i++)
		warn("%s is not written: %s is %s%s%s%s", name, users[i].device, users[i].text,
		     users[i].remedy[0] ? "; '" : "", users[i].remedy,
		     users[i].remedy[0] ? "' ends that" : "");
	return n ? STATUS_REFUSED : 0;
}

int dd_refuse(const char *path, const char *name, dev_t dev, bool deep)
{
	int fd = sys.open(path, O_RDONLY | O_NONBLOCK, 0), rc, claim;

	if (fd < 0)
		return 0;
	fflush(stderr);
	rc = look(name, fd, dev, deep);
	sys.close(fd);
	if (rc)
		return rc;
	claim = sys.open(path, O_RDONLY | O_NONBLOCK | O_EXCL, 0);
	if (claim >= 0)
		sys.close(claim);
	if (claim != -EBUSY)
		return 0;
	warn("%s is not written: it is held by something this system does not show", name);
	return STATUS_REFUSED;
}
