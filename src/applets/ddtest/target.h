/* SPDX-License-Identifier: MIT */
/* target - an operand: what it is, whether it may be tested, and the descriptor to do it by. */
#ifndef DDTEST_TARGET_H
#define DDTEST_TARGET_H

#include <device/blk.h>
#include <device/fs.h>

#include "config.h"
#include "run.h"

struct target {
	const char *operand;
	struct outcome *o; /* o->path is what is opened: the operand, or /dev/ and the operand */
	int fd;            /* for the tests; -1 */
	int lock;          /* the whole disk, flock()ed; -1 */
	dev_t dev;         /* of its inode */
	ino_t ino;
	pid_t process;        /* that tests it, with -P; 0 */
	uint32_t block_bytes; /* of a small write, raised to what the target takes */
	bool direct;          /* fd is open with O_DIRECT */
	struct blk blk; /* of a block device; of a folder or file, the device below where known */
	struct fs fs;   /* of a folder or file */
};

/* Look at the operand without touching it. Fills o and t. STATUS_OK, or STATUS_USAGE
 * (said; the whole run is off), or the status of this target alone (said and recorded). */
enum status target_examine(struct target *t, const char *operand, const struct config *c,
			   struct outcome *o);

/* Whether two examined targets are the same device, or one contains the other. */
bool target_overlaps(const struct target *a, const struct target *b);

/* Refuse what is unsafe, then open it. STATUS_OK or the status, said and recorded. */
enum status target_open(struct target *t, const struct config *c);

void target_close(struct target *t);

/* Where byte @offset of the target is, for a message: "sector 8123456 of sda (byte 4096
 * of sda2)", "byte 4096". */
const char *target_place(const struct target *t, uint64_t offset, char buf[160]);

#endif
