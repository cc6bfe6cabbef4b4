/* SPDX-License-Identifier: MIT */
/* dd-refuse - a block device that somebody needs is not overwritten. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include <core/msg.h>
#include <core/status.h>
#include <device/sys.h>

#include "dd-open.h"

int dd_refuse(const char *path, const char *name, dev_t dev, bool deep)
{
	int claim = sys.open(path, O_RDONLY | O_NONBLOCK | O_EXCL, 0);

	(void)dev;
	(void)deep;
	if (claim >= 0)
		sys.close(claim);
	if (claim != -EBUSY)
		return 0;
	fflush(stderr);
	warn("%s is not written: it is in use", name);
	return STATUS_REFUSED;
}
