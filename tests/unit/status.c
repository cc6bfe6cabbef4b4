/* SPDX-License-Identifier: MIT */
/* status - which of two is worse, and what an errno means. */

#include <errno.h>

#include <core/status.h>

#include "../tap.h"

/* A usage error stops the run; then 5, 4, 1, 3, 0. */
static const enum status worst_first[] = { STATUS_USAGE, STATUS_FAILED,      STATUS_REFUSED,
					   STATUS_FAULT, STATUS_UNSUPPORTED, STATUS_OK };
#define STATUSES (sizeof(worst_first) / sizeof(worst_first[0]))

static const struct {
	int rc;
	enum status status;
} means[] = {
	{ -ENOTTY, STATUS_UNSUPPORTED },
	{ -ENOSYS, STATUS_UNSUPPORTED },
	{ -EOPNOTSUPP, STATUS_UNSUPPORTED },
	{ -EBUSY, STATUS_REFUSED },
	{ -ENOTBLK, STATUS_REFUSED },
	{ -EROFS, STATUS_REFUSED },
	{ -EIO, STATUS_FAILED },
	{ -ENODEV, STATUS_FAILED },
	{ -ENOSPC, STATUS_FAILED },
	{ -ENOENT, STATUS_FAILED },
	{ -EACCES, STATUS_FAILED },
	{ -ENOMEM, STATUS_FAILED },
	{ -EINVAL, STATUS_FAILED },
};

int main(void)
{
	for (unsigned i = 0; i < STATUSES; i++)
		for (unsigned k = i; k < STATUSES; k++) {
			enum status a = worst_first[i], b = worst_first[k];

			ok(status_worse(a, b) == a && status_worse(b, a) == a,
			   "%d is worse than %d", (int)a, (int)b);
		}
	for (unsigned i = 0; i < sizeof(means) / sizeof(means[0]); i++)
		ok(status_of_errno(means[i].rc) == means[i].status, "%d gives %d", means[i].rc,
		   (int)means[i].status);
	ok(STATUS_OK == 0 && STATUS_FAULT == 1 && STATUS_USAGE == 2 && STATUS_UNSUPPORTED == 3 &&
		   STATUS_REFUSED == 4 && STATUS_FAILED == 5 && STATUS_NO_APPLET == 127 &&
		   STATUS_SIGNAL == 128,
	   "the numbers are part of the interface");
	return tap_done();
}
