/* SPDX-License-Identifier: MIT */
/* counters - what the block layer counted on the disks below a device. */

#include <stdbool.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/blk.h>
#include <device/counters.h>

#define FIELDS 16

static void add(const char *disk, void *arg)
{
	struct counters *c = arg;
	uint64_t field[FIELDS] = { 0 };
	char text[512];
	const char *at = text;
	unsigned n = 0;
	bool queued;

	attr_text(text, sizeof(text), attr_block(disk, "stat"));
	for (; n < FIELDS && *at; n++)
		field[n] = size_digits(&at, 10);
	/* Only drivers with request queues heed iostats and count flushes (field 16, Linux 5.5);
	 * zram and pmem have none. Before 5.0 a queue need not have the folder. */
	queued = n < FIELDS || attr_exists(attr_block(disk, "mq"));
	if (n < 7 || (queued && !attr_number(attr_block(disk, "queue/iostats"), 1)))
		c->sectors_known = false;
	if (n < FIELDS || !queued)
		c->flushes_known = false;
	c->read_sectors += field[2];
	c->write_sectors += field[6];
	c->flushes += field[15];
	c->leaves++;
}

static const struct counters none = { .sectors_known = true, .flushes_known = true };

void counters_read(struct counters *c, const char *name)
{
	*c = none;
	blk_each_leaf(name, add, c);
	if (!c->leaves)
		c->sectors_known = c->flushes_known = false;
}

void counters_read_own(struct counters *c, const char *name)
{
	*c = none;
	add(name, c);
}
