/* SPDX-License-Identifier: MIT */
/* msg - what is said on stderr: "applet: object: what could not be done: reason". */
#ifndef CORE_MSG_H
#define CORE_MSG_H

#include <core/status.h>
#include <core/words.h>

/* The running applet, set once by main(). */
extern const char *msg_name;

/* The text of the last usage(), without the applet's name: for a JSON refusal. */
extern char msg_usage[512];

/* "applet: text" in one write(2), after stdout was flushed, folded at 79 columns. */
void warn(const char *fmt, ...) WORDS(1, 2);

/* "applet: text: why" for -errno @rc; returns the status that @rc means. */
enum status fail(int rc, const char *fmt, ...) WORDS(2, 3);

/* "applet: text", then where the help is; returns STATUS_USAGE. */
enum status usage(const char *fmt, ...) WORDS(1, 2);

/* The reason in words for errno @err: what it means for a disk where that is known,
 * else the libc's text. */
const char *msg_reason(int err);

#endif
