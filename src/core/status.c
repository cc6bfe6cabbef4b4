/* SPDX-License-Identifier: MIT */
/* status - the exit statuses of every applet, and which of two is worse. */

#include <errno.h>

#include <core/status.h>

enum status status_worse(enum status a, enum status b)
{
	static const signed char rank[] = {
		[STATUS_OK] = 0,      [STATUS_UNSUPPORTED] = 1, [STATUS_FAULT] = 2,
		[STATUS_REFUSED] = 3, [STATUS_FAILED] = 4,      [STATUS_USAGE] = 5,
	};

	return rank[a] >= rank[b] ? a : b;
}

enum status status_of_errno(int rc)
{
	switch (-rc) {
	case ENOTTY:
	case ENOSYS:
	case EOPNOTSUPP:
		return STATUS_UNSUPPORTED;
	case EBUSY:
	case ENOTBLK:
	case EROFS:
		return STATUS_REFUSED;
	default:
		return STATUS_FAILED;
	}
}
