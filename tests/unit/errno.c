/* SPDX-License-Identifier: MIT */
/* errno - the texts are glibc's, whatever the libc. */

#include <errno.h>
#include <string.h>

#include <core/errno_text.h>

#include "../tap.h"

static const struct {
	int err;
	const char *text;
} rows[] = {
	/* As python3 -c 'import os; print(os.strerror(N))' prints them on Debian. */
	{ EPERM, "Operation not permitted" },
	{ ENOENT, "No such file or directory" },
	{ EIO, "Input/output error" },
	{ ENOMEM, "Cannot allocate memory" },
	{ EBUSY, "Device or resource busy" },
	{ EINVAL, "Invalid argument" },
	{ ENOTTY, "Inappropriate ioctl for device" },
	{ ENOSPC, "No space left on device" },
	{ EPIPE, "Broken pipe" },
	{ ELOOP, "Too many levels of symbolic links" },
	{ EOVERFLOW, "Value too large for defined data type" },
	{ EOPNOTSUPP, "Operation not supported" },
	{ EDQUOT, "Disk quota exceeded" },
	{ ESHUTDOWN, "Cannot send after transport endpoint shutdown" },
	{ 0, "error 0" },
	{ ENOMSG, "error 42" },
	{ 4095, "error 4095" },
	{ EPERM + 256, "error 257" },
	{ -EIO, "error -5" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(!strcmp(errno_text(rows[i].err), rows[i].text), "%d: %s", rows[i].err,
		   errno_text(rows[i].err));
	return tap_done();
}
