/* SPDX-License-Identifier: MIT */
/* blk - block devices of recorded machines, and a real loop device. */
#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <device/attr.h>
#include <device/blk.h>
#include <device/disks.h>
#include <device/hazard.h>

#include "../fault.h"
#include "../loop.h"
#include "../tap.h"

struct expected {
	const char *root, *name, *disk;
	unsigned maj, min, disk_min;
	bool partition;
	uint64_t start, size;
	unsigned logical, physical, offset;
	const char *model, *serial, *bus, *driver, *wwid;
	unsigned rpm;
	int rotational;
};

/* clang-format off */
static const struct expected table[] = {
	{ "laptop", "sda", "sda", 8, 0, 0, false, 0, 60011642880, 512, 512, 0, "FUJITSU MHT2060AH", "NP0KT4818ABC", "ata", "ahci",
	  "t10.ATA     FUJITSU MHT2060AH                       NP0KT4818ABC", 5400, 1 },
	{ "laptop", "sda2", "sda", 8, 2, 0, true, 537919488, 51200000000, 512, 512, 0, "FUJITSU MHT2060AH", "NP0KT4818ABC", "ata", "ahci",
	  "t10.ATA     FUJITSU MHT2060AH                       NP0KT4818ABC", 5400, 1 },
	{ "laptop", "sdb", "sdb", 8, 16, 16, false, 0, 15597568000, 512, 512, 0, "Cruzer Blade", "4C530001230527116203", "usb", "usb-storage",
	  "", 0, 1 },
	{ "laptop", "dm-0", "dm-0", 253, 0, 0, false, 0, 40960000000, 512, 512, 0, "vg-root", "", "dm", "", "", 0, 1 },
	{ "server", "sda", "sda", 8, 0, 0, false, 0, 597998698496, 512, 4096, 0, "PERC H730 Mini", "005e4d2c0b3a6d0d1f002b1f7ca06d86", "raid", "megaraid_sas",
	  "naa.61866da07c1f2b001f0d6d3a0b2c4d5e", 0, 1 },
	{ "server", "sdb", "sdb", 8, 16, 16, false, 0, 600127266816, 512, 512, 512, "ST600MP0006", "WAF0A1B20000E825ABCD", "sas", "mpt3sas",
	  "naa.5000c500a1b2c3d7", 15000, 1 },
	{ "server", "sdc1", "sdc", 8, 33, 32, true, 1048576, 4000785104896, 512, 4096, 0, "WDC WD40EFRX-68N32N0", "WD-WCC7K0AAAAAA", "ata", "ahci",
	  "naa.50014ee2b0000003", 7200, 1 },
	{ "server", "md127", "md127", 9, 127, 127, false, 0, 4000649838592, 512, 4096, 0, "raid1", "", "md", "", "", 0, 1 },
	{ "nvme", "nvme0n1p1", "nvme0n1", 259, 1, 0, true, 1048576, 536870912, 512, 512, 0, "SAMSUNG MZVL2512HCJQ-00B00", "S675NX0T123456", "nvme", "nvme",
	  "eui.002538b111b2c3d4", 0, 0 },
	{ "nvme", "nvme1n1", "nvme1n1", 259, 2, 2, false, 0, 1073741824, 512, 512, 0, "Linux", "6ad3f26dd5bb1e8e8a07", "nvme", "",
	  "uuid.b1d5a2c0-9df0-4e8e-9b0a-6b1b5f3c2d10", 0, 0 },
	{ "iscsi", "sdb", "sdb", 8, 16, 16, false, 0, 10737418240, 512, 512, 0, "disk0", "b1c2d3e4-f5a6-b7c8-d9e0-f1a2b3c4d5e6", "iscsi", "",
	  "naa.6001405b1c2d3e4f5a6b7c8d9e0f1a2b", 0, 1 },
	{ "iscsi", "vda", "vda", 254, 0, 0, false, 0, 1073741824, 512, 512, 0, "", "disk-vda", "virtio", "virtio_blk", "", 0, 1 },
	{ "board", "mmcblk0p2", "mmcblk0", 179, 2, 0, true, 272629760, 15361638400, 512, 512, 0, "DF4016", "0xb3c1a2f4", "mmc", "mmcblk",
	  "", 0, 0 },
	{ "board", "zram0", "zram0", 252, 0, 0, false, 0, 104857600, 4096, 4096, 0, "", "", "zram", "", "", 0, 0 },
	{ "board", "loop3", "loop3", 7, 3, 3, false, 0, 104857600, 512, 512, 0, "", "", "loop", "", "", 0, 1 },
};
/* clang-format on */

static char root[64];

static void use_root(const char *name)
{
	snprintf(root, sizeof(root), "tests/data/root/%s", name);
	attr_root = root;
}

static void text(const char *name, const char *what, const char *got, const char *want)
{
	ok(!strcmp(got, want), "%s: %s is '%s'", name, what, want);
	if (strcmp(got, want))
		printf("# got '%s'\n", got);
}

static void number(const char *name, const char *what, uint64_t got, uint64_t want)
{
	ok(got == want, "%s: %s is %llu", name, what, (unsigned long long)want);
	if (got != want)
		printf("# got %llu\n", (unsigned long long)got);
}

static void described(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct expected *e = &table[i];
		struct blk b;

		use_root(e->root);
		ok(blk_describe(&b, e->name) == 0, "%s: %s is described", e->root, e->name);
		text(e->name, "name", b.name, e->name);
		text(e->name, "disk", b.disk, e->disk);
		number(e->name, "dev", b.dev, makedev(e->maj, e->min));
		number(e->name, "disk dev", b.disk_dev, makedev(e->maj, e->disk_min));
		number(e->name, "partition", b.partition, e->partition);
		number(e->name, "start", b.start_bytes, e->start);
		number(e->name, "size", b.size_bytes, e->size);
		number(e->name, "logical block", b.logical_block_bytes, e->logical);
		number(e->name, "physical block", b.physical_block_bytes, e->physical);
		number(e->name, "alignment offset", b.alignment_offset_bytes, e->offset);
		text(e->name, "model", b.model, e->model);
		text(e->name, "serial", b.serial, e->serial);
		text(e->name, "bus", b.bus, e->bus);
		text(e->name, "driver", b.driver, e->driver);
		text(e->name, "wwid", b.wwid, e->wwid);
		number(e->name, "rpm", b.rpm, e->rpm);
		number(e->name, "rotational", (uint64_t)b.rotational, (uint64_t)e->rotational);
	}
}

static void join(const char *disk, void *arg)
{
	strcat(strcat(arg, disk), " ");
}

static void leaves(const char *machine, const char *name, const char *want, const char * or)
{
	char got[512] = "";

	use_root(machine);
	blk_each_leaf(name, join, got);
	ok(!strcmp(got, want) || !strcmp(got, or), "%s: below %s: '%s'", machine, name, want);
	if (strcmp(got, want))
		printf("# got '%s'\n", got);
}

static void stacks(void)
{
	char name[BLK_NAME];

	leaves("laptop", "dm-0", "sda ", "");
	leaves("laptop", "sda2", "sda ", "");
	leaves("laptop", "sdb", "sdb ", "");
	leaves("server", "md127p1", "sdc sdd ", "sdd sdc ");
	leaves("nvme", "nvme0n1p1", "nvme0n1 ", "");
	leaves("nvme", "nvme1n1", "nvme1c1n1 nvme1c2n1 ", "nvme1c2n1 nvme1c1n1 ");
	leaves("board", "loop3", "loop3 ", "");
	leaves("bare", "sda", "", "");
	use_root("server");
	ok(!blk_name_of(name, makedev(259, 0)) && !strcmp(name, "md127p1"), "259:0 is md127p1");
	ok(blk_name_of(name, makedev(99, 0)) < 0, "99:0 is nothing");
	number("server", "sdb", blk_dev_of("sdb"), makedev(8, 16));
	number("server", "/dev/sdb without a node", blk_dev_of_node("/dev/sdb"), makedev(8, 16));
	number("server", "/dev/mapper/sdb", blk_dev_of_node("/dev/mapper/sdb"), 0);
	number("server", "/mnt/sdb", blk_dev_of_node("/mnt/sdb"), 0);
	number("server", "nfs source", blk_dev_of_node("server:/sdb"), 0);
}

static int read_only(const char *machine, const char *name, char which[BLK_NAME])
{
	struct blk b;

	use_root(machine);
	blk_describe(&b, name);
	return blk_read_only(&b, -1, which);
}

static void marks(void)
{
	char which[BLK_NAME];

	ok(read_only("laptop", "sda", which) == 0 && !which[0], "sda is not read-only");
	ok(read_only("laptop", "dm-0", which) == 0, "dm-0 is not read-only");
	ok(read_only("laptop", "sdb", which) == 1, "sdb has a read-only partition");
	text("sdb", "which", which, "sdb1");
	ok(read_only("board", "mmcblk0boot0", which) == 1, "mmcblk0boot0 is read-only");
	ok(read_only("bare", "sda", which) < 0, "without /sys and a descriptor nothing is known");
}

static void hazard(const char *machine, const char *name, const char *want)
{
	char why[200] = "";
	struct blk b;

	use_root(machine);
	blk_describe(&b, name);
	ok(hazard_find(&b, why, sizeof(why)) == (want[0] != '\0'), "%s: %s is %sa hazard", machine,
	   name, want[0] ? "" : "not ");
	/* The paths of nvme1n1 come in any order. */
	if (!strncmp(why, "nvme1c2n1", 9))
		why[6] = '1';
	text(name, "hazard", why, want);
}

static void hazards(void)
{
	hazard("laptop", "sda2", "");
	hazard("server", "md127p1", "");
	hazard("server", "sdb", "sdb takes no rewriting: zoned, host-managed");
	hazard("nvme", "nvme0n1p1", "");
	hazard("nvme", "nvme1n1",
	       "nvme1c1n1 is on a fabric, whose other hosts are not seen: nvme-of");
	hazard("iscsi", "sdb1", "sdb is on a fabric, whose other hosts are not seen: iscsi");
	hazard("bare", "sda", "");
}

static void listed(const char *machine, const char *want)
{
	struct blk list[16];
	char got[256] = "";
	int n;

	use_root(machine);
	n = disks_list(list, 16);
	for (int i = 0; i < n; i++)
		join(list[i].name, got);
	text(machine, "list of disks", got, want);
	ok(disks_list(list, 2) == 2, "%s: no more than asked for", machine);
}

static void disks(void)
{
	listed("laptop", "dm-0 dm-1 sda sdb ");
	listed("server", "md127 sda sdb sdc sdd ");
	listed("nvme", "nvme0n1 nvme1n1 ");
	listed("board", "loop3 mmcblk0 zram0 ");
	listed("order", "loop1 md0 nvme2n1 nvme10n1 sda sdb sdz sdaa vda ");
	listed("bare", "loop1 mmcblk0 nvme0n1 sda sdb ");
	use_root("none");
	ok(disks_list((struct blk[2]){ 0 }, 2) == -ENOENT, "no list without /sys and /proc");
	ok(disks_compare("sdz", "sdaa") < 0 && disks_compare("sdaa", "sdz") > 0,
	   "sdz is before sdaa");
	ok(disks_compare("sda", "sda") == 0 && disks_compare("sda", "sda1") < 0,
	   "sda is before sda1");
}

/* Whatever fails, what is said stays within what is there. */
static void faults(void)
{
	static const int errors[] = { EIO, ENOMEM, ENOENT };
	static struct blk b, list[16];
	bool survived, sane = true;
	char names[512];
	long runs;

	for (size_t i = 0; i < 3; i++) {
		use_root("server");
		FAULT_EACH(errors[i], survived, runs, {
			int rc = blk_describe(&b, "md127p1");

			sane &= rc == 0 || rc == -errors[i];
			sane &= !b.rpm && !b.driver[0];
		});
		ok(survived && sane && runs > 40, "describe survives each of %ld failures", runs);
		FAULT_EACH(errors[i], survived, runs, {
			names[0] = '\0';
			blk_each_leaf("md127p1", join, names);
		});
		ok(survived && runs > 10, "leaves survive each of %ld failures", runs);
		FAULT_EACH(errors[i], survived, runs, disks_list(list, 16));
		ok(survived && runs > 100, "list survives each of %ld failures", runs);
	}
}

static void compare_real(const struct test_loop *l, bool with_sys)
{
	const char *how = with_sys ? "with /sys" : "without /sys";
	char name[BLK_NAME], which[BLK_NAME];
	struct blk b;

	snprintf(name, sizeof(name), with_sys ? "loop%d" : "7:%d", l->number);
	ok(blk_identify(&b, l->fd, l->dev) == 0, "%s: identified", how);
	text(how, "name", b.name, name);
	text(how, "disk", b.disk, name);
	number(how, "size", b.size_bytes, 8 << 20);
	number(how, "logical block", b.logical_block_bytes, 4096);
	number(how, "physical block", b.physical_block_bytes, 4096);
	number(how, "disk dev", b.disk_dev, l->dev);
	ok(b.rotational == (with_sys ? b.rotational : -1), "%s: rotational", how);
	ok(blk_read_only(&b, l->fd, which) == 0, "%s: not read-only", how);
	ioctl(l->fd, (int)BLKROSET, &(int){ 1 });
	ok(blk_read_only(&b, l->fd, which) == 1, "%s: read-only", how);
	text(how, "which", which, name);
	ioctl(l->fd, (int)BLKROSET, &(int){ 0 });
}

static void real(void)
{
	char path[48], which[BLK_NAME], name[BLK_NAME];
	struct test_loop l;
	struct stat st;
	struct blk b;
	bool survived;
	long runs;
	int fd;

	attr_root = "";
	if (getuid() || !test_loop_make(&l, 8 << 20, 4096)) {
		ok(true, "a real loop device # SKIP not root, or no loop device");
		return;
	}
	compare_real(&l, true);
	attr_root = "/nowhere";
	compare_real(&l, false);
	ok(blk_identify(&b, -1, l.dev) == -EBADF, "without /sys and descriptor: -EBADF");
	attr_root = "";
	FAULT_EACH(EIO, survived, runs, blk_identify(&b, l.fd, l.dev));
	ok(survived && runs > 10, "identify survives each of %ld failures", runs);

	ok(test_loop_partition(&l, BLKPG_ADD_PARTITION, 1, 1 << 20, 2 << 20) &&
		   test_loop_partition(&l, BLKPG_ADD_PARTITION, 2, 3 << 20, 4 << 20),
	   "two partitions");
	snprintf(path, sizeof(path), "%sp2", l.path);
	fd = open(path, O_RDONLY);
	ok(fd >= 0 && !fstat(fd, &st) && !blk_identify(&b, fd, st.st_rdev),
	   "the second is identified");
	snprintf(name, sizeof(name), "loop%dp2", l.number);
	text("partition", "name", b.name, name);
	number("partition", "is one", b.partition, true);
	number("partition", "start", b.start_bytes, 3 << 20);
	number("partition", "size", b.size_bytes, 4 << 20);
	number("partition", "disk dev", b.disk_dev, l.dev);
	ok(blk_read_only(&b, fd, which) == 0, "not read-only");
	ioctl(fd, (int)BLKROSET, &(int){ 1 });
	ok(blk_read_only(&b, fd, which) == 1 && !strcmp(which, name), "marked itself");
	ok(!blk_identify(&b, l.fd, l.dev) && blk_read_only(&b, l.fd, which) == 1 &&
		   !strcmp(which, name),
	   "its disk is, by that partition");
	ioctl(fd, (int)BLKROSET, &(int){ 0 });
	ioctl(l.fd, (int)BLKROSET, &(int){ 1 });
	ok(!blk_identify(&b, fd, st.st_rdev) && blk_read_only(&b, fd, which) == 1, "by its disk");
	ioctl(l.fd, (int)BLKROSET, &(int){ 0 });
	close(fd);
	test_loop_partition(&l, BLKPG_DEL_PARTITION, 1, 0, 0);
	test_loop_partition(&l, BLKPG_DEL_PARTITION, 2, 0, 0);
	close(l.fd);
}

int main(void)
{
	described();
	stacks();
	marks();
	hazards();
	disks();
	faults();
	real();
	return tap_done();
}
