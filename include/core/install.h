/* SPDX-License-Identifier: MIT */
/* install - links named after the applets. */
#ifndef CORE_INSTALL_H
#define CORE_INSTALL_H

#include <stdbool.h>

#include <core/status.h>

/* Make a hard (or symbolic) link to this program in @dir for each applet. What is
 * already our link stays; anything else of that name is left alone and said, and the
 * result is STATUS_REFUSED. */
enum status install_links(const char *dir, bool symbolic);

#endif
