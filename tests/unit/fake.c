/* SPDX-License-Identifier: MIT */
/* fake - the kernel for tests answers as the real one does, and fails where it is told to. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fake/sys.h"
#include "../tap.h"

#include <linux/fs.h>

#define MIB (1u << 20)

static char buf[2 * MIB] __attribute__((aligned(4096)));
static char was[2 * MIB] __attribute__((aligned(4096)));

static void test_disk(void)
{
	struct fake_disk *d;
	uint64_t size = 0;
	unsigned physical = 0;
	int logical = 0, ro = -1, fd;
	struct stat st;

	fake_begin();
	d = fake_disk("/dev/fake0", 4 * MIB, 512, 4096);
	ok(d->data[0] != d->data[8] || d->data[1] != d->data[9], "a disk is filled");
	ok(memcmp(d->data, d->data + 512, 512) != 0, "no two sectors are alike");
	fd = sys.open("/dev/fake0", O_RDWR | O_DIRECT, 0);
	ok(fd >= 0, "opens");
	ok(fake_descriptors == 1, "counts descriptors");
	ok(!sys.ioctl(fd, BLKGETSIZE64, &size) && size == 4 * MIB, "BLKGETSIZE64");
	ok(!sys.ioctl(fd, BLKSSZGET, &logical) && logical == 512, "BLKSSZGET");
	ok(!sys.ioctl(fd, BLKPBSZGET, &physical) && physical == 4096, "BLKPBSZGET");
	ok(!sys.ioctl(fd, BLKROGET, &ro) && ro == 0, "BLKROGET");
	ok(sys.ioctl(fd, BLKTRACESTOP, NULL) == -ENOTTY, "any other ioctl: ENOTTY");
	ok(!sys.fstat(fd, &st) && S_ISBLK(st.st_mode) && st.st_rdev == d->dev,
	   "fstat: a block device");
	ok(!sys.stat("/dev/fake0", &st) && st.st_rdev == d->dev, "stat: the same");
	ok(sys.pread(fd, buf, 8192, 4096) == 8192 && !memcmp(buf, d->data + 4096, 8192), "pread");
	ok(sys.pwrite(fd, buf, 512, 512) == 512 && !memcmp(buf, d->data + 512, 512), "pwrite");
	ok(fake_changed(d) == 512, "fake_changed: the first byte that differs");
	ok(!sys.fdatasync(fd) && d->flushes == 1, "fdatasync");
	ok(fake_count(d, FAKE_READ) == 1 && fake_moved(d, FAKE_READ) == 8192,
	   "the log has the read");
	ok(fake_moved(d, FAKE_READ | FAKE_WRITE) == 8704, "and both together");
	ok(fake_log[fake_logged - 1].op == FAKE_FLUSH &&
		   fake_log[fake_logged - 2].op == FAKE_WRITE &&
		   fake_log[fake_logged - 2].offset == 512 &&
		   fake_log[fake_logged - 2].size == 512 && fake_log[fake_logged - 2].rc == 512,
	   "in the order of the calls");
	ok(sys.lseek(fd, 0, SEEK_END) == 4 * MIB, "SEEK_END is the size");
	ok(sys.read(fd, buf, 512) == 0, "read at the end: 0");
	ok(sys.write(fd, buf, 512) == -ENOSPC, "write at the end: ENOSPC");
	ok(sys.pwrite(fd, buf, 1024, 4 * MIB - 512) == 512, "across the end: short");
	ok(sys.lseek(fd, 0, SEEK_SET) == 0 && sys.read(fd, buf, 512) == 512 &&
		   sys.read(fd, was, 512) == 512 && !memcmp(was, d->data + 512, 512),
	   "read goes on where it was");
	ok(!sys.close(fd) && fake_descriptors == 0, "close");
	ok(sys.close(fd) == -EBADF && fake_descriptors == 0, "a second close: EBADF");
	ok(sys.pread(fd, buf, 512, 0) == -EBADF, "a closed descriptor: EBADF");
	fake_end();
	ok(sys.open("/dev/fake0", O_RDONLY, 0) == -ENOENT, "after fake_end() the disk is gone");
}

static void test_rules(void)
{
	struct fake_disk *d;
	int fd;

	fake_begin();
	d = fake_disk("/dev/fake0", MIB, 4096, 4096);
	fd = sys.open("/dev/fake0", O_RDWR | O_DIRECT, 0);
	ok(sys.pread(fd, buf, 512, 0) == -EINVAL, "O_DIRECT: length");
	ok(sys.pread(fd, buf, 4096, 512) == -EINVAL, "O_DIRECT: offset");
	ok(sys.pwrite(fd, buf + 1, 4096, 0) == -EINVAL, "O_DIRECT: memory");
	ok(fake_changed(d) == UINT64_MAX, "nothing was written");
	ok(sys.fcntl(fd, F_GETFL, 0) & O_DIRECT, "F_GETFL");
	ok(!sys.fcntl(fd, F_SETFL, 0) && sys.pread(fd, buf, 100, 3) == 100,
	   "F_SETFL: without it any length");
	sys.close(fd);
	fd = sys.open("/dev/fake0", O_RDONLY, 0);
	ok(sys.pwrite(fd, buf, 4096, 0) == -EBADF, "O_RDONLY does not write");
	sys.close(fd);
	d->read_only = true;
	fd = sys.open("/dev/fake0", O_RDWR | O_EXCL, 0);
	ok(fd >= 0, "a read-only disk opens for writing");
	ok(sys.pwrite(fd, buf, 4096, 0) == -EPERM, "and the write gets EPERM");
	ok(!sys.flock(fd, 2), "flock");
	d->locked = true;
	ok(sys.flock(fd, 2) == -EWOULDBLOCK, "flock: locked");
	sys.close(fd);
	d->held = true;
	ok(sys.open("/dev/fake0", O_RDWR | O_EXCL, 0) == -EBUSY, "O_EXCL: EBUSY while held");
	d->no_direct = true;
	ok(sys.open("/dev/fake0", O_RDONLY | O_DIRECT, 0) == -EINVAL, "no O_DIRECT: EINVAL");
	ok(sys.open("/dev/fake0", O_RDONLY | O_DIRECTORY, 0) == -ENOTDIR, "O_DIRECTORY: ENOTDIR");
	ok(sys.raw(425, 1, 0, 0, 0, 0, 0) == -ENOSYS, "no rings");
	ok(fake_descriptors == 0, "nothing is open");
	fake_end();
}

static void test_faults(void)
{
	struct fake_fault *f;
	struct fake_disk *d;
	int fd;

	fake_begin();
	d = fake_disk("/dev/fake0", MIB, 512, 512);
	fd = sys.open("/dev/fake0", O_RDWR, 0);
	fake_fault(d, FAKE_READ, FAKE_ERROR, 65536, 66048, EIO);
	ok(sys.pread(fd, buf, 65536, 0) == 65536, "before the bad sector: reads");
	ok(sys.pread(fd, buf, 131072, 0) == -EIO, "over it: EIO");
	ok(sys.pread(fd, buf, 512, 66048) == 512, "behind it: reads");
	ok(sys.pwrite(fd, buf, 512, 65536) == 512, "it can be written");
	memset(buf, 0, sizeof(buf));
	fake_fault(d, FAKE_WRITE, FAKE_ERROR, 1024, 1536, EIO);
	ok(sys.pwrite(fd, buf, 4096, 0) == -EIO, "a write over a bad sector: EIO");
	ok(fake_changed(d) == 0 && d->data[1023] == 0 && !memcmp(buf, d->data + 512, 512) &&
		   memcmp(buf, d->data + 1024, 512) && memcmp(buf, d->data + 1536, 512),
	   "what lies before it was written, the rest not");
	fake_fault(d, FAKE_WRITE, FAKE_SHORT, 524288, MIB, ENOSPC);
	ok(sys.pwrite(fd, buf, 131072, 524288 - 65536) == 65536, "FAKE_SHORT: up to the range");
	ok(sys.pwrite(fd, buf, 512, 524288) == -ENOSPC, "in it: the error");
	sys.close(fd);

	d = fake_disk("/dev/fake1", MIB, 512, 512);
	fd = sys.open("/dev/fake1", O_RDWR, 0);
	f = fake_fault(d, FAKE_READ, FAKE_FLIP, 512, 1024, 0);
	f->skip = 1;
	f->times = 1;
	ok(sys.pread(fd, was, 2048, 0) == 2048 && !memcmp(was, d->data, 2048),
	   "skip: right at first");
	ok(sys.pread(fd, was, 2048, 0) == 2048 && memcmp(was, d->data, 2048),
	   "FAKE_FLIP: then wrong");
	ok(!memcmp(was, d->data, 512) && !memcmp(was + 1024, d->data + 1024, 1024),
	   "in its range only");
	ok(sys.pread(fd, was, 2048, 0) == 2048 && !memcmp(was, d->data, 2048),
	   "times: right again");
	ok(f->met == 3, "met three times");
	d->most = 1536;
	ok(sys.pread(fd, was, 4096, 0) == 1536, "most: a short transfer");
	d->most = 0;
	fake_interrupt_every = 3;
	ok(sys.pread(fd, was, 512, 0) == 512 && sys.pread(fd, was, 512, 0) == 512 &&
		   sys.pread(fd, was, 512, 0) == -EINTR && sys.pread(fd, was, 512, 0) == 512,
	   "every third transfer: EINTR");
	fake_interrupt_every = 0;
	ok(sys_pread_all(fd, was, MIB, 0, NULL) == MIB && !memcmp(was, d->data, MIB), "all of it");
	d->gone_after = 2;
	ok(sys.pread(fd, was, 512, 0) == 512 && !sys.fsync(fd), "two more calls are answered");
	ok(sys.pread(fd, was, 512, 0) == -ENODEV && sys.pwrite(fd, was, 512, 0) == -ENODEV &&
		   sys.fdatasync(fd) == -ENODEV && sys.ioctl(fd, BLKROGET, was) == -ENODEV,
	   "then the disk is gone");
	ok(sys.open("/dev/fake1", O_RDONLY, 0) == -ENXIO, "and does not open");
	ok(!sys.close(fd) && fake_descriptors == 0, "but closes");
	fake_end();
}

/* What a caller does: 0, or the first error. */
static int copy_sector(const char *path)
{
	int in = sys.open(path, O_RDWR, 0), rc;
	struct stat st;

	if (in < 0)
		return in;
	rc = sys.fstat(in, &st);
	if (!rc)
		rc = (int)sys.pread(in, buf, 512, 0);
	if (rc >= 0)
		rc = (int)sys.pwrite(in, buf, 512, 512);
	if (rc >= 0)
		rc = sys.fsync(in);
	if (rc < 0) {
		sys.close(in);
		return rc;
	}
	return sys.close(in);
}

static void each_call(const char *path, unsigned calls)
{
	unsigned n = 1;
	int rc = 0;

	for (; n < 100; n++) {
		fake_fail_at(n, EIO);
		rc = copy_sector(path);
		if (!fake_failed())
			break;
		if (!ok(rc == -EIO && fake_descriptors == 0, "%s: call %u fails", path, n))
			return;
	}
	ok(n == calls + 1 && rc == 0, "%s: %u calls, then success", path, calls);
}

static void test_nth_call(void)
{
	char name[] = "/tmp/fake.XXXXXX", path[32];
	int fd = mkstemp(name);
	struct stat st;

	if (!ok(fd >= 0 && write(fd, buf, 1024) == 1024, "a file of the real kernel"))
		return;
	unlink(name);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fake_begin();
	fake_disk("/dev/fake0", MIB, 512, 512);
	each_call("/dev/fake0", 6);
	each_call(path, 6);
	fake_fail_ops = FAKE_WRITE;
	fake_fail_at(1, ENOSPC);
	ok(copy_sector(path) == -ENOSPC && fake_calls == 1, "fake_fail_ops: only writes count");
	fake_fail_ops = FAKE_ANY;
	fake_fail_at(1, EIO);
	ok(sys.stat("/", &st) == -EIO && !sys.stat("/", &st), "one call fails, the next does not");
	fake_fail_at(0, 0);
	ok(copy_sector(path) == 0, "and none when switched off");
	fake_end();
	close(fd);
}

static unsigned hooked;

static void change_behind(const struct fake_call *call)
{
	hooked++;
	if (call->op == FAKE_READ)
		call->disk->data[0] = (unsigned char)hooked;
}

static void test_hook(void)
{
	struct fake_disk *d;
	int fd;

	fake_begin();
	d = fake_disk("/dev/fake0", MIB, 512, 512);
	fake_hook = change_behind;
	fd = sys.open("/dev/fake0", O_RDWR, 0);
	ok(sys.pread(fd, buf, 512, 0) == 512 && buf[0] == 2, "the hook runs before the call");
	sys.close(fd);
	ok(hooked == 3, "before each call");
	fake_forget();
	ok(fake_count(d, FAKE_ANY) == 0, "an empty log");
	fake_end();
}

int main(void)
{
	test_disk();
	test_rules();
	test_faults();
	test_nth_call();
	test_hook();
	return tap_done();
}
