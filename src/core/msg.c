/* SPDX-License-Identifier: MIT */
/* msg - what is said on stderr: "applet: object: what could not be done: reason". */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
		return strerror(err);
	}
}

/* One write(2) a message, so that lines of parallel processes do not mix. */
static void say(const char *text)
{
	char line[8192];
	size_t n, at;

	fflush(stdout);
	n = (size_t)snprintf(line, 64, "%.60s: ", msg_name);
	n += text_fold(line + n, sizeof(line) - n, (unsigned)n, 2, text);
	for (at = 0; at < n;) {
		ssize_t done = write(STDERR_FILENO, line + at, n - at);

		if (done <= 0 && errno != EINTR)
			return;
		at += done > 0 ? (size_t)done : 0;
	}
}

void vwarn(const char *fmt, va_list ap)
{
	char text[6144];

	vsnprintf(text, sizeof(text), fmt, ap);
	say(text);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
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
