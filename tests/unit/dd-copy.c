/* SPDX-License-Identifier: MIT */
/* dd-copy - the dd face on disks that fail: what it says, counts and leaves. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <core/msg.h>

#include "../../src/applets/ddtest/dd.h"
#include "../fake/sys.h"
#include "../tap.h"

#define MIB  (1u << 20)
#define DISK "/dev/fake1"

static struct fake_disk *from, *to;
static char said[8192];

/* Runs the dd face with the operands of @line; said[] is its standard error. */
static int dd(const char *line)
{
	char copy[512], *argv[16] = { (char *)"ddtest" };
	int n = 1, status, saved = dup(STDERR_FILENO), fd;
	FILE *file = tmpfile();
	ssize_t size;

	strcpy(copy, line);
	for (char *at = strtok(copy, " "); at; at = strtok(NULL, " "))
		argv[n++] = at;
	fd = fileno(file);
	dup2(fd, STDERR_FILENO);
	status = dd_face(n, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	size = pread(fd, said, sizeof(said) - 1, 0);
	said[size > 0 ? size : 0] = '\0';
	fclose(file);
	return status;
}

static void disks(uint64_t in, uint64_t out, uint32_t sector)
{
	fake_begin();
	from = fake_disk("/dev/fake0", in, 512, 512);
	to = fake_disk(DISK, out, sector, sector);
	memset(to->data, 0xee, out);
}

static bool copied(uint64_t size)
{
	return !memcmp(from->data, to->data, size);
}

static bool says(const char *text)
{
	if (strstr(said, text))
		return true;
	printf("# it said: %s\n", said);
	return false;
}

static void test_plain(void)
{
	disks(3 * MIB + 512, 4 * MIB, 512);
	ok(dd("if=/dev/fake0 of=" DISK " bs=1M") == 0 && copied(3 * MIB + 512), "copies");
	ok(to->written_to == 3 * MIB + 512, "and not a byte more");
	ok(says("3+1 records in\n3+1 records out\n3146240 bytes (3.1 MB, 3.0 MiB) copied, "),
	   "counts");
	ok(fake_count(to, FAKE_WRITE) == 4 && !to->flushes, "a write a record, no flush");
	ok(dd("if=/dev/fake0 of=" DISK " bs=1M conv=fsync") == 0 && to->flushes == 1, "fsync");
	fake_forget();
	ok(dd("if=/dev/zero of=" DISK " bs=512 count=1000 oflag=direct") == 0, "the latency line");
	ok(fake_count(to, FAKE_WRITE) == 1000 && fake_moved(to, FAKE_WRITE) == 512000,
	   "1000 writes of 512 bytes");
	ok(!fake_descriptors, "all closed");
	fake_end();
}

static unsigned between, stage;

/* Counts the calls on the output between its first write and its last. */
static void count_between(const struct fake_call *call)
{
	if (call->disk != to)
		return;
	if (call->op == FAKE_WRITE)
		stage = 1;
	else if (stage)
		between++;
}

static void test_nothing_between(void)
{
	disks(MIB, MIB, 512);
	between = stage = 0;
	fake_hook = count_between;
	ok(dd("if=/dev/zero of=" DISK " bs=512 count=1000 oflag=direct") == 0, "runs");
	ok(between == 1, "no other call on the output but its close: %u", between);
	fake_hook = NULL;
	fake_end();
}

static void test_long(void)
{
	uint64_t size = 40 * MIB;
	unsigned late = 0;
	size_t at;

	disks(size, size + 4096, 512);
	ok(dd("if=/dev/fake0 of=" DISK " bs=1G") == 0 && copied(size), "one record in pieces");
	ok(says("0+1 records in\n0+1 records out\n41943040 bytes"), "a short record is one");
	ok(dd("if=/dev/fake0 of=" DISK " bs=40M") == 0 && says("1+0 records in\n1+0 records out"),
	   "a full record is one");
	fake_forget();
	to->flushes = 0;
	ok(dd("if=/dev/fake0 of=" DISK " bs=40M oflag=dsync") == 0 && to->flushes == 1,
	   "dsync: one flush at the record's end");
	for (at = fake_logged; at && fake_log[at - 1].op != FAKE_FLUSH; at--)
		late += fake_log[at - 1].op == FAKE_WRITE;
	ok(at && !late, "behind the last piece");
	to->flushes = 0;
	ok(dd("if=/dev/fake0 of=" DISK " bs=20M oflag=direct,dsync") == 0 && to->flushes == 2,
	   "two records: two flushes");
	ok(dd("if=/dev/fake0 of=" DISK " bs=64G count=1 conv=notrunc") == 0 && copied(size),
	   "bs=64G of a small input");
	ok(dd("if=/dev/fake0 of=" DISK " obs=20M") == 0 && copied(size) &&
		   says("81920+0 records in\n2+0 records out"),
	   "gathered: long output records");
	ok(dd("if=/dev/fake0 of=" DISK " ibs=30M obs=1M") == 0 && copied(size) &&
		   says("1+1 records in\n40+0 records out"),
	   "gathered: long input records");
	fake_end();
}

static void test_write_errors(void)
{
	disks(4 * MIB, 4 * MIB, 512);
	fake_fault(to, FAKE_WRITE, FAKE_SHORT, 2 * MIB + 4096, 2 * MIB + 4608, EIO);
	ok(dd("if=/dev/fake0 of=" DISK " bs=1M") == 1, "EIO in the third record: 1");
	ok(says("ddtest: error writing '/dev/fake1': Input/output error\n"
		"3+0 records in\n2+0 records out\n2101248 bytes (2.1 MB, 2.0 MiB) copied, "),
	   "with the bytes that were written");
	ok(dd("if=/dev/fake0 of=" DISK " obs=1M") == 1 &&
		   says("ddtest: writing to '/dev/fake1': Input/output error\n"
			"6144+0 records in\n2+1 records out\n2101248 bytes"),
	   "gathered: the same, and a partial record");
	fake_end();

	disks(4 * MIB, 2 * MIB + 1024, 512);
	ok(dd("if=/dev/fake0 of=" DISK " bs=1M") == 1 &&
		   says("ddtest: error writing '/dev/fake1': No space left on device\n"
			"3+0 records in\n2+0 records out\n2098176 bytes (2.1 MB, 2.0 MiB) "
			"copied, "),
	   "the end of the device");
	fake_end();

	disks(40 * MIB, 40 * MIB, 512);
	fake_fault(to, FAKE_WRITE, FAKE_SHORT, 20 * MIB, 20 * MIB + 512, EIO);
	ok(dd("if=/dev/fake0 of=" DISK " bs=40M oflag=direct") == 1 &&
		   says("0+1 records in\n0+0 records out\n20971520 bytes (21 MB, 20 MiB) copied"),
	   "EIO within a long record");
	ok(dd("if=/dev/zero of=" DISK " bs=40M count=1") == 1 &&
		   says("1+0 records in\n0+0 records out\n20971520 bytes (21 MB, 20 MiB) copied"),
	   "of /dev/zero: as if read at once");
	fake_fail_ops = FAKE_FLUSH;
	fake_fail_at(1, EIO);
	to->faults = 0;
	ok(dd("if=/dev/zero of=" DISK " bs=40M count=1 oflag=dsync") == 1 &&
		   says("ddtest: error writing '/dev/fake1': Input/output error\n"
			"1+0 records in\n0+0 records out\n0 bytes copied, "),
	   "a failed flush un-counts the whole record");
	fake_fail_at(2, EIO);
	ok(dd("if=/dev/zero of=" DISK " bs=20M count=2 oflag=dsync") == 1 &&
		   says("2+0 records in\n1+0 records out\n20971520 bytes"),
	   "but not the one before");
	fake_fail_at(1, EIO);
	ok(dd("if=/dev/zero of=" DISK " bs=1M count=2 conv=fdatasync") == 1 &&
		   says("ddtest: fdatasync failed for '/dev/fake1': Input/output error\n"),
	   "conv=fdatasync failed");
	fake_fail_at(1, EINVAL);
	to->flushes = 0;
	ok(dd("if=/dev/zero of=" DISK " bs=1M count=2 conv=fdatasync") == 0 && to->flushes == 1,
	   "where there is none, fsync instead");
	fake_fail_ops = FAKE_ANY;
	fake_fail_at(0, 0);
	fake_end();
}

static void test_read_errors(void)
{
	disks(8 * 4096, 8 * 4096, 512);
	fake_fault(from, FAKE_READ, FAKE_ERROR, 4096, 4608, EIO);
	ok(dd("if=/dev/fake0 of=" DISK " bs=4096") == 1 && copied(4096) && to->written_to == 4096 &&
		   says("ddtest: error reading '/dev/fake0': Input/output error\n"
			"1+0 records in\n1+0 records out\n4096 bytes"),
	   "an unreadable sector ends it");
	ok(dd("if=/dev/fake0 of=" DISK " bs=4096 conv=noerror,sync") == 0 && copied(4096) &&
		   !memcmp(from->data + 8192, to->data + 8192, 6 * 4096),
	   "conv=noerror,sync goes on behind it");
	ok(to->data[4096] == 0 && !memcmp(to->data + 4096, to->data + 4097, 4095),
	   "with NULs in its place");
	ok(says("1+0 records in\n1+0 records out\n4096 bytes (4.1 kB, 4.0 KiB) copied") &&
		   says("7+1 records in\n8+0 records out\n32768 bytes"),
	   "statistics at the error and at the end");
	ok(dd("if=/dev/fake0 of=" DISK " bs=4096 conv=noerror") == 0 && copied(4096) &&
		   !memcmp(from->data + 8192, to->data + 4096, 6 * 4096) &&
		   says("7+0 records in\n7+0 records out\n28672 bytes"),
	   "conv=noerror alone leaves it out");
	fake_end();

	disks(40 * MIB, 60 * MIB, 512);
	fake_fault(from, FAKE_READ, FAKE_SHORT, 25 * MIB, 25 * MIB + 512, EIO);
	ok(dd("if=/dev/fake0 of=" DISK " bs=40M") == 1 && says("error reading '/dev/fake0'") &&
		   copied(25 * MIB),
	   "within a long record: what came before it is kept");
	ok(dd("if=/dev/fake0 of=" DISK " bs=18M conv=noerror,sync") == 0 && copied(18 * MIB) &&
		   !memcmp(from->data + 36 * MIB, to->data + 36 * MIB, 4 * MIB),
	   "conv=noerror,sync keeps the place of what follows");
	fake_end();
}

static void test_refused(void)
{
	disks(MIB, 4 * MIB, 4096);
	to->held = true;
	ok(dd("if=/dev/fake0 of=" DISK " bs=4096") == 4 && says("/dev/fake1 is not written"),
	   "held: 4");
	to->held = false;
	to->read_only = true;
	ok(dd("if=/dev/fake0 of=" DISK " bs=4096") == 4 && says("marked read-only"),
	   "read-only: 4");
	to->read_only = false;
	ok(dd("if=/dev/zero of=" DISK " bs=1G count=1") == 1 &&
		   says("a record of 1073741824 bytes (1.1 GB, 1.0 GiB) is larger") &&
		   says("4194304 bytes (4.2 MB, 4.0") && says("MiB)"),
	   "larger than the device: 1, with both sizes");
	ok(dd("if=/dev/zero of=" DISK " bs=512 count=9 oflag=direct") == 1 &&
		   says("ddtest: error writing '/dev/fake1': Invalid argument\n") &&
		   says(" takes multiples of 4096 bytes"),
	   "oflag=direct says which sizes are taken");
	ok(fake_moved(to, FAKE_WRITE) == 0, "none of these wrote a byte");
	ok(!fake_descriptors, "all closed");
	fake_end();
}

/* Each call in turn fails: never success without the bytes, never bytes that are not there. */
static void fail_each(const char *line, unsigned ops, uint64_t size)
{
	unsigned n, bad = 0, open = 0;

	for (n = 1; n < 2000; n++) {
		uint64_t moved, told = 0;
		const char *copied_line;
		int status;

		disks(size, size, 512);
		fake_fail_ops = ops;
		fake_fail_at(n, EIO);
		status = dd(line);
		fake_fail_ops = FAKE_ANY;
		moved = fake_moved(to, FAKE_WRITE);
		copied_line = strstr(said, "records out\n");
		if (copied_line)
			told = strtoull(copied_line + strlen("records out\n"), NULL, 10);
		bad += told > moved || (status == 0 && !copied(size)) ||
		       (status != 0 && status != 1 && status != 4) || (status && !*said);
		open += fake_descriptors != 0;
		if (!fake_failed())
			break;
		fake_end();
	}
	fake_end();
	ok(!bad && n > 1 && n < 2000, "%s: %u calls failed, each was told rightly", line, n - 1);
	ok(!open, "and nothing stayed open");
}

static void test_each_failure(void)
{
	fail_each("if=/dev/fake0 of=" DISK " bs=64k oflag=dsync", FAKE_WRITE, MIB);
	fail_each("if=/dev/fake0 of=" DISK " obs=100k ibs=64k conv=fsync", FAKE_WRITE | FAKE_FLUSH,
		  MIB);
	fail_each("if=/dev/fake0 of=" DISK " bs=17M oflag=dsync", FAKE_WRITE | FAKE_FLUSH,
		  18 * MIB);
	fail_each("if=/dev/fake0 of=" DISK " bs=64k", FAKE_IOCTL | FAKE_CLOSE, MIB);
}

static void test_interrupted_calls(void)
{
	disks(4 * MIB, 4 * MIB, 512);
	fake_interrupt_every = 3;
	to->most = 100000;
	ok(dd("if=/dev/fake0 of=" DISK " bs=1M") == 0 && copied(4 * MIB) &&
		   says("4+0 records in\n4+0 records out"),
	   "EINTR and short writes change nothing");
	fake_interrupt_every = 0;
	fake_end();
}

static void ask(const struct fake_call *call)
{
	if (call->op == FAKE_WRITE && call->disk == to)
		raise(SIGUSR1);
}

static void test_asked(void)
{
	disks(40 * MIB, 40 * MIB, 512);
	fake_hook = ask;
	ok(dd("if=/dev/fake0 of=" DISK " bs=40M oflag=direct") == 0 && copied(40 * MIB) &&
		   says("1+0 records in\n1+0 records out\n41943040 bytes"),
	   "SIGUSR1 at each write changes nothing");
	ok(says("0+0 records in\n0+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, "),
	   "and prints what is done, pieces too");
	fake_hook = NULL;
	fake_end();
}

int main(void)
{
	char *none[] = { (char *)"ddtest", (char *)"./a=b", NULL };

	msg_name = "ddtest";
	ok(dd_face(1, none) == -1 && dd_face(2, none) == -1, "no operand of dd's: another face");
	test_plain();
	test_nothing_between();
	test_long();
	test_write_errors();
	test_read_errors();
	test_refused();
	test_each_failure();
	test_interrupted_calls();
	test_asked();
	return tap_done();
}
