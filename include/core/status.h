/* SPDX-License-Identifier: MIT */
/* status - the exit statuses of every applet, and which of two is worse. */
#ifndef CORE_STATUS_H
#define CORE_STATUS_H

enum status {
	STATUS_OK = 0,          /* done, or the answer is yes */
	STATUS_FAULT = 1,       /* ran to its end and found a fault, or missed a limit */
	STATUS_USAGE = 2,       /* the command line is wrong; nothing was touched */
	STATUS_UNSUPPORTED = 3, /* the device or the kernel cannot */
	STATUS_REFUSED = 4,     /* unsafe, and not forced */
	STATUS_FAILED = 5, /* the system or the device failed; or stdout could not be written */
};

#define STATUS_NO_APPLET 127 /* main only */
#define STATUS_SIGNAL    128 /* + the signal's number, after everything was put back */

/* Of many objects the worst counts: 5, 4, 1, 3, 0. A usage error stops the whole run
 * before any object has a status, so it outranks all. */
enum status status_worse(enum status a, enum status b);

/* What -errno @rc means for the one object it came from: cannot (3), unsafe (4) or failed (5). */
enum status status_of_errno(int rc);

#endif
