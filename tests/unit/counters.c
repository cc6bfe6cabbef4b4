/* SPDX-License-Identifier: MIT */
/* counters - sums of /sys/block/X/stat over the leaves of recorded machines. */
#include <errno.h>
#include <string.h>

#include <device/attr.h>
#include <device/counters.h>

#include "../fault.h"
#include "../loop.h"
#include "../tap.h"

static char root[64];

static void use_root(const char *name)
{
	snprintf(root, sizeof(root), "tests/data/root/%s", name);
	attr_root = root;
}

struct expected {
	const char *root, *name;
	uint64_t read, written, flushes;
	bool sectors_known, flushes_known;
};

static const struct expected table[] = {
	{ "laptop", "sda", 400000, 160000, 120, true, true },
	{ "laptop", "sda2", 400000, 160000, 120, true, true },
	{ "laptop", "dm-0", 400000, 160000, 120, true, true },
	{ "server", "md127p1", 2000, 4007, 27, true, true },
	{ "server", "sda", 8, 8, 7, true, true },
	{ "nvme", "nvme0n1p1", 72, 144, 33, true, true },
	/* The head itself says 0 reads and no flush: its two paths count. */
	{ "nvme", "nvme1n1", 300, 320, 21, true, true },
	/* Linux 4.4: eleven fields. */
	{ "board", "mmcblk0p2", 40, 80, 0, true, false },
	{ "bare", "sda", 0, 0, 0, false, false },
	{ "odd", "sda", 8, 16, 5, false, true },
	{ "odd", "zram0", 8, 16, 0, true, false },
};

static void recorded(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct expected *e = &table[i];
		struct counters c;

		use_root(e->root);
		counters_read(&c, e->name);
		ok(c.sectors_known == e->sectors_known && c.flushes_known == e->flushes_known,
		   "%s %s: sectors %sknown, flushes %sknown", e->root, e->name,
		   e->sectors_known ? "" : "un", e->flushes_known ? "" : "un");
		if (e->sectors_known)
			ok(c.read_sectors == e->read && c.write_sectors == e->written,
			   "%s %s: %u and %u sectors", e->root, e->name, (unsigned)e->read,
			   (unsigned)e->written);
		if (e->flushes_known)
			ok(c.flushes == e->flushes, "%s %s: %u flushes", e->root, e->name,
			   (unsigned)e->flushes);
	}
}

static void faults(void)
{
	struct counters c;
	bool survived, sane = true;
	long runs;

	use_root("server");
	FAULT_EACH(EIO, survived, runs, {
		counters_read(&c, "sdb");
		sane &= !c.sectors_known || (c.read_sectors == 16 && c.write_sectors == 24);
		sane &= !c.flushes_known || c.flushes == 3;
	});
	ok(survived && sane && runs > 5, "each of %ld failures gives unknown or the truth", runs);
}

static void real(void)
{
	static char page[4096] __attribute__((aligned(4096)));
	struct counters before, after;
	struct test_loop l;
	char name[32];
	int fd;

	attr_root = "";
	if (getuid() || !test_loop_make(&l, 8 << 20, 512)) {
		ok(true, "a real loop device # SKIP not root, or no loop device");
		return;
	}
	fd = open(l.path, O_RDWR | O_DIRECT | O_CLOEXEC);
	snprintf(name, sizeof(name), "loop%d", l.number);
	counters_read(&before, name);
	for (int i = 0; i < 5; i++) {
		ok(pwrite(fd, page, 4096, i * 4096) == 4096 && !fdatasync(fd), "write and flush");
		ok(pread(fd, page, 512, 1 << 20) == 512, "read");
	}
	counters_read(&after, name);
	ok(before.sectors_known && after.sectors_known && before.flushes_known &&
		   after.flushes_known,
	   "known");
	ok(after.write_sectors - before.write_sectors == 40, "40 sectors were written");
	ok(after.read_sectors - before.read_sectors == 5, "5 sectors were read");
	ok(after.flushes - before.flushes == 5, "5 flushes were sent");
	close(fd);
	close(l.fd);
}

int main(void)
{
	recorded();
	faults();
	real();
	return tap_done();
}
