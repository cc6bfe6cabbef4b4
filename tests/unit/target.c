/* SPDX-License-Identifier: MIT */
/* target - what is tested and how, what is refused, and that nothing is open afterwards. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <core/msg.h>
#include <device/attr.h>

#include "../../src/applets/ddtest/target.h"
#include "../fake/sys.h"
#include "../tap.h"

#define MIB (1u << 20)

static struct fake_disk *d;
static struct outcome o;
static struct target t;
static struct config c;
static char dir[] = "/tmp/target.XXXXXX";

static void begin(uint64_t size, uint32_t logical, uint32_t physical)
{
	fake_begin();
	memset(&o, 0, sizeof(o));
	msg_usage[0] = '\0';
	d = fake_disk("/dev/fake0", size, logical, physical);
	c = (struct config){
		.size = CONFIG_UNSET,
		.offset = CONFIG_UNSET,
		.count = 1000,
		.block = 512,
		.rpm = CONFIG_UNSET,
		.modes = 3,
	};
}

static enum status examine(const char *operand)
{
	return target_examine(&t, operand, &c, &o);
}

static enum status open_it(void)
{
	enum status status = examine("/dev/fake0");

	return status == STATUS_OK ? target_open(&t, &c) : status;
}

static bool said(const char *text)
{
	for (unsigned i = 0; i < o.record.troubles; i++)
		if (strstr(o.record.trouble[i].text, text))
			return true;
	return false;
}

static bool noted(const char *text)
{
	for (unsigned i = 0; i < o.note_count; i++)
		if (strstr(o.notes[i], text))
			return true;
	return false;
}

/* How often the disk was opened in such a way that it could have been written to. */
static unsigned opened_for_writing(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < fake_logged; i++)
		n += fake_log[i].op == FAKE_OPEN && (fake_log[i].flags & O_ACCMODE) != O_RDONLY;
	return n;
}

static void end(const char *name)
{
	target_close(&t);
	ok(!fake_descriptors && !fake_moved(d, FAKE_WRITE), "%s: nothing open, nothing written",
	   name);
	fake_end();
}

/* ---- block devices ---------------------------------------------------------------------- */

static void test_open(void)
{
	begin(4 * MIB, 512, 4096);
	ok(open_it() == STATUS_OK && t.direct && t.fd >= 0 && o.data == DATA_READ_ONLY &&
		   o.kind == KIND_BLOCK && o.size_bytes == 4 * MIB &&
		   o.logical_block_bytes == 512 && o.physical_block_bytes == 4096,
	   "read only: what it is");
	ok(!opened_for_writing() && !o.record.troubles, "and only opened for reading");
	end("read only");

	begin(4 * MIB, 512, 512);
	c.write = true;
	ok(open_it() == STATUS_OK && t.direct && o.data == DATA_KEPT, "-w: the data is kept");
	ok(opened_for_writing() == 1 &&
		   sys.fcntl(t.fd, F_GETFL, 0) == (O_RDWR | O_EXCL | O_DIRECT) && !o.note_count,
	   "alone and directly");
	end("-w");

	begin(4 * MIB, 512, 512);
	c.destroy = "/dev/fake0";
	ok(open_it() == STATUS_OK && o.data == DATA_PATTERN, "--destroy: the target repeated");
	end("--destroy");
	begin(4 * MIB, 512, 512);
	c.destroy = "/dev/fake1";
	fake_fail_at(0, 0);
	ok(open_it() == STATUS_USAGE && fake_calls == 0 &&
		   strstr(msg_usage, "does not repeat the target '/dev/fake0'"),
	   "--destroy of another: refused before the first call");
	end("--destroy of another");
	begin(4 * MIB, 512, 512);
	c.destroy = "fake0";
	ok(open_it() == STATUS_USAGE, "--destroy in other words");
	end("--destroy in other words");
}

static void test_refused(void)
{
	for (unsigned destroy = 0; destroy < 2; destroy++) {
		const char *name = destroy ? "--destroy" : "-w";

#define BEGIN                                                                                      \
	begin(4 * MIB, 512, 512);                                                                  \
	c.write = !destroy;                                                                        \
	c.destroy = destroy ? "/dev/fake0" : NULL

		BEGIN;
		d->read_only = true;
		ok(open_it() == STATUS_REFUSED && said("marked read-only") && !opened_for_writing(),
		   "%s: a read-only mark", name);
		end("read-only");
		BEGIN;
		d->held = true;
		ok(open_it() == STATUS_REFUSED &&
			   said("held by something this system does not show"),
		   "%s: held by the unseen", name);
		end("held");
		BEGIN;
		d->no_direct = true;
		ok(open_it() == STATUS_UNSUPPORTED && said("no O_DIRECT") && !opened_for_writing(),
		   "%s: no O_DIRECT", name);
		end("no O_DIRECT");
		BEGIN;
		d->locked = true;
		ok(open_it() == STATUS_OK && noted("locked"), "%s: locked by another: noted", name);
		end("locked");
		BEGIN;
		fake_fault(d, FAKE_READ, FAKE_ERROR, 0, 512, EIO);
		ok(open_it() == STATUS_FAILED && said("cannot read its first sectors"),
		   "%s: its first sector cannot be read", name);
		end("first sector");
	}
	begin(4 * MIB, 512, 512);
	d->no_direct = true;
	ok(open_it() == STATUS_OK && !t.direct && noted("page cache"),
	   "reading without O_DIRECT: noted");
	end("buffered");
	begin(4 * MIB, 512, 512);
	d->read_only = d->held = true;
	ok(open_it() == STATUS_OK && t.direct, "reading what is held and read-only: why not");
	end("held");
	begin(0, 512, 512);
	ok(open_it() == STATUS_UNSUPPORTED && said("size of 0"), "a size of 0");
	end("size of 0");
	begin(MIB, 512, 512);
	d->gone = true;
	ok(open_it() == STATUS_FAILED && said("cannot open"), "gone before it was opened");
	end("gone");
}

static void sign(uint64_t at, const char *magic, size_t n)
{
	memcpy(d->data + at, magic, n);
}

static void test_signed(void)
{
	begin(4 * MIB, 512, 512);
	c.destroy = "/dev/fake0";
	sign(0, "LUKS\xba\xbe", 6);
	ok(open_it() == STATUS_REFUSED && said("holds LUKS") && !opened_for_writing(),
	   "--destroy: a signature");
	end("signature");
	begin(4 * MIB, 512, 512);
	c.destroy = "/dev/fake0";
	c.force = true;
	sign(0, "LUKS\xba\xbe", 6);
	ok(open_it() == STATUS_OK, "--destroy --force: all the same");
	end("forced");
	begin(4 * MIB, 512, 512);
	c.write = true;
	sign(0x218, "LVM2 001", 8);
	ok(open_it() == STATUS_OK && noted("LVM"), "-w: a member of something is noted");
	end("member");
	begin(4 * MIB, 512, 512);
	c.write = true;
	sign(0, "LUKS\xba\xbe", 6);
	ok(open_it() == STATUS_OK && !o.note_count, "-w: what is no member is not");
	end("no member");
}

static void put(const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void remove_all(const char *what)
{
	char command[100];

	snprintf(command, sizeof(command), "cd %s && rm -rf %s", dir, what);
	if (system(command))
		abort();
}

static void test_used(void)
{
	char link[100];

	put("sys/devices/virtual/block/fake0/dev", "4000:0\n");
	put("sys/devices/virtual/block/fake0/size", "8192\n");
	put("sys/class/block/none", "");
	put("sys/dev/block/none", "");
	snprintf(link, sizeof(link), "%s/sys/class/block/fake0", dir);
	if (symlink("../../devices/virtual/block/fake0", link))
		abort();
	snprintf(link, sizeof(link), "%s/sys/dev/block/4000:0", dir);
	if (symlink("../../devices/virtual/block/fake0", link))
		abort();
	put("proc/self/mountinfo", "36 35 4000:0 / /mnt rw - ext4 /dev/fake0 rw\n");
	begin(4 * MIB, 512, 512);
	c.write = c.force = true;
	ok(open_it() == STATUS_REFUSED && said("is mounted on /mnt") && !opened_for_writing() &&
		   !strcmp(o.name, "fake0"),
	   "-w --force: mounted");
	end("mounted");
	begin(4 * MIB, 512, 512);
	ok(open_it() == STATUS_OK, "reading what is mounted: why not");
	end("mounted");
	put("sys/devices/virtual/block/fake0/md/degraded", "1\n");
	put("proc/self/mountinfo", "");
	begin(4 * MIB, 512, 512);
	c.write = true;
	ok(open_it() == STATUS_REFUSED && said("--force goes on") && !opened_for_writing(),
	   "-w: where it is not free of harm");
	end("hazard");
	begin(4 * MIB, 512, 512);
	c.write = c.force = true;
	ok(open_it() == STATUS_OK, "-w --force: all the same");
	end("hazard, forced");
	remove_all("sys proc");
}

static void swap_devices(const struct fake_call *call)
{
	struct fake_disk *other = d + 1;

	if (call->op != FAKE_CLOSE || call->disk != d || !(call->flags & O_DIRECT))
		return;
	strcpy(d->path, "/dev/fake9");
	strcpy(other->path, "/dev/fake0");
}

/* The node leads to another device after all questions were asked. */
static void test_swapped(void)
{
	begin(4 * MIB, 512, 512);
	c.destroy = "/dev/fake0";
	fake_disk("/dev/fake1", 4 * MIB, 512, 512);
	fake_hook = swap_devices;
	ok(open_it() == STATUS_REFUSED && said("another device"), "another device in its place");
	end("another device");
}

/* ---- blocks, offsets, places ------------------------------------------------------------- */

static void test_blocks(void)
{
	static const struct {
		uint32_t logical, physical;
		uint64_t block;
		uint32_t used; /* 0: refused */
		const char *text;
	} cases[] = {
		{ 512, 512, 512, 512, NULL },
		{ 512, 512, 1, 512, "512 bytes, not 1:" },
		{ 512, 512, 256, 512, "512 bytes, not 256:" },
		{ 512, 512, 100, 0, "nearest: 512" },
		{ 512, 512, 513, 0, "nearest: 512, 1024" },
		{ 512, 512, 1536, 1536, NULL },
		{ 512, 512, 16 * MIB, 16 * MIB, NULL },
		{ 512, 4096, 512, 512, "reads, modifies and writes" },
		{ 512, 4096, 4096, 4096, NULL },
		{ 4096, 4096, 512, 4096, "4096 bytes, not 512:" },
		{ 4096, 4096, 1000, 0, "nearest: 4096" },
		{ 4096, 4096, 5000, 0, "nearest: 4096, 8192" },
		{ 4096, 4096, 8192, 8192, NULL },
		{ 4096, 16384, 512, 4096, "reads, modifies and writes" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum status status;

		begin(4 * MIB, cases[i].logical, cases[i].physical);
		c.write = true;
		c.block = cases[i].block;
		status = examine("/dev/fake0");
		ok(cases[i].used ? status == STATUS_OK && t.block_bytes == cases[i].used &&
					   (cases[i].text ? noted(cases[i].text) : !o.note_count)
				 : status == STATUS_USAGE && strstr(msg_usage, cases[i].text),
		   "blocks of %u on sectors of %u", (unsigned)cases[i].block, cases[i].logical);
		fake_end();
	}
	begin(4 * MIB, 4096, 4096);
	c.block = 100;
	ok(examine("/dev/fake0") == STATUS_OK && !o.note_count, "no small writes: any block");
	fake_end();
}

static void test_offsets(void)
{
	begin(4 * MIB, 512, 512);
	c.offset = 4 * MIB - 512;
	ok(examine("/dev/fake0") == STATUS_OK, "an offset at the last sector");
	c.offset = 4 * MIB;
	ok(examine("/dev/fake0") == STATUS_USAGE && strstr(msg_usage, "beyond the end"),
	   "one at the end");
	c.offset = UINT64_MAX - 1;
	ok(examine("/dev/fake0") == STATUS_USAGE, "one far beyond it");
	fake_end();
}

static void test_places(void)
{
	char buf[160];

	begin(4 * MIB, 512, 512);
	examine("/dev/fake0");
	ok(!strcmp(target_place(&t, 1025, buf), "sector 2 of 4000:0 (byte 1025 of 4000:0)"), "%s",
	   buf);
	strcpy(t.blk.disk, "sda");
	strcpy(t.blk.name, "sda2");
	t.blk.start_bytes = 63 * 512;
	ok(!strcmp(target_place(&t, 0, buf), "sector 63 of sda (byte 0 of sda2)"), "%s", buf);
	t.blk.logical_block_bytes = 4096;
	t.blk.start_bytes = 1ull << 40;
	ok(!strcmp(target_place(&t, (1ull << 41) + 4095, buf),
		   "sector 805306368 of sda (byte 2199023259647 of sda2)"),
	   "%s", buf);
	o.kind = KIND_FILE;
	ok(!strcmp(target_place(&t, 77, buf), "byte 77"), "%s", buf);
	fake_end();
}

/* ---- which are the same --------------------------------------------------------------------- */

static struct outcome oa, ob;
static struct target a, b;

static void device(struct target *x, struct outcome *ox, unsigned disk, unsigned part)
{
	memset(x, 0, sizeof(*x));
	ox->kind = KIND_BLOCK;
	x->o = ox;
	x->blk.dev = makedev(8, disk * 16 + part);
	x->blk.disk_dev = makedev(8, disk * 16);
	x->blk.partition = part;
}

static bool same(unsigned disk, unsigned part, unsigned disk2, unsigned part2)
{
	device(&a, &oa, disk, part);
	device(&b, &ob, disk2, part2);
	return target_overlaps(&a, &b) && target_overlaps(&b, &a);
}

static void test_overlaps(void)
{
	ok(same(0, 0, 0, 0), "sda and sda");
	ok(same(0, 0, 0, 1), "sda and sda1");
	ok(same(0, 1, 0, 1), "sda1 and sda1");
	ok(!same(0, 1, 0, 2), "not sda1 and sda2");
	ok(!same(0, 0, 1, 0), "not sda and sdb");
	ok(!same(0, 1, 1, 1), "not sda1 and sdb1");
	ok(!same(0, 0, 1, 1), "not sda and sdb1");
	begin(MIB, 512, 512);
	c.write = c.force = true;
	target_examine(&a, dir, &c, &oa);
	target_examine(&b, dir, &c, &ob);
	ok(target_overlaps(&a, &b), "one directory twice");
	target_examine(&b, "/dev", &c, &ob);
	ok(!target_overlaps(&a, &b), "not two");
	target_examine(&b, "/dev/fake0", &c, &ob);
	ok(!target_overlaps(&a, &b), "not a device and a directory");
	fake_end();
}

/* ---- what is no block device --------------------------------------------------------------------
 */

static char *in_dir(const char *name)
{
	static char path[80];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void other(const char *operand, bool write, enum status status, const char *text)
{
	enum status got;

	begin(MIB, 512, 512);
	c.write = write;
	got = examine(operand);
	ok(got == status && (said(text) || strstr(msg_usage, text)), "%s%s: %s", operand,
	   write ? " -w" : "", text);
	end(operand);
}

static void test_others(void)
{
	int fd = open(in_dir("file"), O_CREAT | O_WRONLY, 0600);
	struct stat st;

	if (fd < 0 || write(fd, dir, sizeof(dir)) < 0 || mkfifo(in_dir("fifo"), 0600) ||
	    mknod(in_dir("empty"), S_IFREG | 0600, 0))
		abort();
	close(fd);
	other("/dev/none", false, STATUS_FAILED, "there is no such file or device");
	other("none", true, STATUS_FAILED, "there is no such file or device");
	other("", false, STATUS_FAILED, "there is no such file or device");
	other(in_dir("none"), true, STATUS_FAILED, "there is no such file or device");
	ok(stat(in_dir("none"), &st) && stat("none", &st), "and is none afterwards");
	other("/dev/null", false, STATUS_REFUSED, "a character device");
	other(in_dir("fifo"), false, STATUS_REFUSED, "a FIFO");
	other(in_dir("file"), true, STATUS_USAGE, "test its directory");
	other(in_dir("empty"), false, STATUS_UNSUPPORTED, "is empty");
	other(dir, false, STATUS_USAGE, "add -w");
	begin(MIB, 512, 512);
	c.destroy = dir;
	ok(examine(dir) == STATUS_USAGE && strstr(msg_usage, "is a directory"),
	   "--destroy of a directory");
	c.destroy = in_dir("file");
	ok(examine(in_dir("file")) == STATUS_USAGE, "--destroy of a file");
	c.destroy = NULL;
	ok(examine(in_dir("file")) == STATUS_OK && o.kind == KIND_FILE &&
		   o.size_bytes == sizeof(dir) && o.data == DATA_READ_ONLY,
	   "a file: read only");
	fake_end();
	unlink(in_dir("file"));
	unlink(in_dir("fifo"));
	unlink(in_dir("empty"));
}

/* ---- a scratch file where O_TMPFILE and O_DIRECT are unknown --------------------------------- */

static int (*fake_open)(const char *path, int flags, mode_t mode);
static int (*fake_dio)(int fd, uint32_t *memory, uint32_t *offset);
static uint32_t dio_offset;
static bool no_direct;

/* As vfat does: and where O_DIRECT is refused, the file was made before that is found out. */
static int plain_open(const char *path, int flags, mode_t mode)
{
	int fd;

	if ((flags & O_TMPFILE) == O_TMPFILE)
		return -EOPNOTSUPP;
	fd = fake_open(path, flags & ~O_DIRECT, mode);
	if (fd >= 0 && no_direct && (flags & O_DIRECT)) {
		sys.close(fd);
		return -EINVAL;
	}
	return fd;
}

static int some_dio(int fd, uint32_t *memory, uint32_t *offset)
{
	(void)fd;
	*memory = 4;
	*offset = dio_offset;
	return 0;
}

static unsigned names_in_dir(void)
{
	struct attr_dir all;
	unsigned n = 0;
	const char *root = attr_root;

	attr_root = "";
	if (!attr_dir_open(&all, dir)) {
		while (attr_dir_next(&all))
			n++;
		attr_dir_close(&all);
	}
	attr_root = root;
	return n;
}

static enum status open_directory(void)
{
	enum status status;

	c.write = c.force = true;
	fake_open = sys.open;
	fake_dio = sys.dio_align;
	sys.open = plain_open;
	sys.dio_align = some_dio;
	status = examine(dir);
	return status == STATUS_OK ? target_open(&t, &c) : status;
}

static void test_scratch(void)
{
	begin(MIB, 512, 512);
	no_direct = false;
	dio_offset = 0;
	ok(open_directory() == STATUS_OK && !names_in_dir() && t.fd >= 0 && t.block_bytes == 512,
	   "without O_TMPFILE: a file without a name");
	end("no O_TMPFILE");
	begin(MIB, 512, 512);
	no_direct = true;
	ok(open_directory() == STATUS_UNSUPPORTED && !names_in_dir() && said("no O_DIRECT"),
	   "without O_DIRECT: refused, and nothing is left");
	end("no O_DIRECT");
	no_direct = false;
	begin(MIB, 512, 512);
	dio_offset = 4096;
	ok(open_directory() == STATUS_OK && t.block_bytes == 4096 && noted("4096") &&
		   t.blk.logical_block_bytes >= 4096,
	   "direct writes of 4096 bytes: small writes are raised");
	end("raised");
	begin(MIB, 512, 512);
	c.block = 8192;
	ok(open_directory() == STATUS_OK && t.block_bytes == 8192 && !noted("4096") &&
		   t.blk.logical_block_bytes >= 4096,
	   "larger ones are not, and the stream keeps to it too");
	end("large");
	begin(MIB, 512, 512);
	c.block = 4096 + 512;
	ok(open_directory() == STATUS_OK && t.block_bytes == 8192 && noted("8192"),
	   "no multiple: the next");
	end("no multiple");
}

/* ---- each call fails ----------------------------------------------------------------------------
 */

static void each_call(bool write, bool destroy, int err)
{
	unsigned n = 1, bad = 0;
	enum status status;

	for (;; n++) {
		begin(MIB, 512, 512);
		c.write = write;
		c.destroy = destroy ? "/dev/fake0" : NULL;
		fake_fail_at(n, err);
		status = open_it();
		bad += status == STATUS_OK ? t.fd < 0 : !o.record.troubles || t.fd >= 0;
		bad += status == STATUS_OK && !t.direct && (write || destroy);
		bad += o.record.status != status;
		target_close(&t);
		bad += fake_descriptors != 0 || fake_moved(d, FAKE_WRITE) != 0;
		if (!fake_failed())
			break;
		fake_end();
	}
	ok(!bad && status == STATUS_OK && n > 10, "%s: errno %d at call 1, 2, 3 ... %u",
	   destroy ? "--destroy"
	   : write ? "-w"
		   : "read only",
	   err, n);
	fake_end();
}

int main(void)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (!mkdtemp(dir) || nowhere < 0)
		return 1;
	/* What is said to the user is read from the record. */
	dup2(nowhere, STDERR_FILENO);
	close(nowhere);
	attr_root = dir;
	test_open();
	test_refused();
	test_signed();
	test_used();
	test_swapped();
	test_blocks();
	test_offsets();
	test_places();
	test_overlaps();
	test_others();
	test_scratch();
	each_call(false, false, EIO);
	each_call(true, false, EIO);
	each_call(true, false, ENODEV);
	each_call(false, true, EINTR);
	each_call(false, true, EINVAL);
	remove_all(dir);
	return tap_done();
}
