/* SPDX-License-Identifier: MIT */
/* counters - what the block layer counted on the disks below a device. */

#include <stdbool.h>
#include <string.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/blk.h>
#include <device/counters.h>

#define FIELDS 16

struct sum {
	struct counters *c;
	unsigned leaves;
};

static void add(const char *disk, void *arg)
{
	struct sum *sum = arg;
	uint64_t field[FIELDS] = { 0 }, iostats = 1;
	char text[512], where[256];
	const char *at = text;
	unsigned n = 0;
	bool queued;

	sum->leaves++;
	attr_text(text, sizeof(text), "/sys/class/block/%s/stat", disk);
	for (; n < FIELDS; n++) {
		const char *start = at;

		field[n] = size_digits(&at, 10);
		if (at == start)
			break;
	}
	attr_number(&iostats, "/sys/class/block/%s/queue/iostats", disk);
	attr_link_path(where, sizeof(where), "/sys/class/block/%s", disk);
	/* A multipath head whose paths are not shown counts nothing (6.1), or flushes as reads. */
	if (strstr(where, "/nvme-subsystem/"))
		n = 0;
	/* Only drivers with request queues heed iostats and count flushes (field 16, Linux 5.5);
	 * zram and pmem have none. Before 5.0 a queue need not have the folder. */
	queued = n < FIELDS || attr_exists("/sys/class/block/%s/mq", disk);
	if (n < 7 || (queued && !iostats))
		sum->c->sectors_known = false;
	if (n < FIELDS || !queued)
		sum->c->flushes_known = false;
	sum->c->read_sectors += field[2];
	sum->c->write_sectors += field[6];
	sum->c->flushes += field[15];
}

void counters_read(struct counters *c, const char *name)
{
	struct sum sum = { .c = c };

	memset(c, 0, sizeof(*c));
	c->sectors_known = c->flushes_known = true;
	blk_each_leaf(name, add, &sum);
	if (!sum.leaves)
		c->sectors_known = c->flushes_known = false;
}

void counters_read_own(struct counters *c, const char *name)
{
	struct sum sum = { .c = c };

	memset(c, 0, sizeof(*c));
	c->sectors_known = c->flushes_known = true;
	add(name, &sum);
}
