/* SPDX-License-Identifier: MIT */
/* msg - what is said on stderr: "applet: object: what could not be done: reason". */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <core/errno_text.h>
#include <core/msg.h>
#include <core/text.h>

const char *msg_name = "pitbox";
char msg_usage[512];

const char *msg_reason(int err)
{
	switch (err) {
	case EIO:
		return "input/output error, the device could not do it";
	case ENODEV:
	case ENXIO:
		return "the device is gone";
	case EPERM:
	case EACCES:
		return "permission denied, this needs root";
	case EBUSY:
		return "in use";
	default:
		return errno_text(err);
	}
}

/* One write(2) a message, so that lines of parallel processes do not mix. */
static void say(const char *text)
{
	char line[8192];
	size_t n = (size_t)snprintf(line, sizeof(line), "%.60s: ", msg_name);

	fflush(stdout);
	n += text_fold(line + n, sizeof(line) - n, (unsigned)n, 2, text);
	fwrite(line, 1, n, stderr);
}

void warn(const char *fmt, ...)
{
	char text[6144];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say(text);
}

enum status fail(int rc, const char *fmt, ...)
{
	char text[5120];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	warn("%s: %s", text, msg_reason(-rc));
	return status_of_errno(rc);
}

enum status usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg_usage, sizeof(msg_usage), fmt, ap);
	va_end(ap);
	warn("%s\nTry '%s --help'.", msg_usage, msg_name);
	return STATUS_USAGE;
}
