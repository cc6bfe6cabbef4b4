/* SPDX-License-Identifier: MIT */
/* dd-open - opening both ends of a copy, and what is refused before the first byte. */
#ifndef DDTEST_DD_OPEN_H
#define DDTEST_DD_OPEN_H

#include "dd-copy.h"

/* Get the buffers, open input and output, truncate as GNU dd would: 0 or an exit status, with
 * all said. A block device in use, or marked read-only, is refused: 4. */
int dd_open(struct dd *d);

/* Whether the block device numbered @dev may be written: 0, or 1 or 4 with all said.
 * @path opens it; @deep: look at the descriptors of other processes too. */
int dd_refuse(const char *path, const char *name, dev_t dev, bool deep);

#endif
