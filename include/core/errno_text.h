/* SPDX-License-Identifier: MIT */
/* errno_text - the reason in words for an errno. */
#ifndef CORE_ERRNO_TEXT_H
#define CORE_ERRNO_TEXT_H

/* glibc's English text for what files and disks answer, else "error N", which the next call
 * overwrites. */
const char *errno_text(int err);

#endif
