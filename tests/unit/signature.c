/* SPDX-License-Identifier: MIT */
/* signature - signatures that mkfs and friends wrote (tests/data/signature). */

/* Signatures that mkfs and friends wrote (tests/data/signature: the sectors that matter), and
 * made by hand what only a running kernel writes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <device/signature.h>

#include "../fault.h"
#include "../loop.h"
#include "../tap.h"

#define MIB 1048576ull

static int image(uint64_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (ftruncate(fd, (off_t)size))
		perror("ftruncate");
	return fd;
}

static void put(int fd, uint64_t at, const void *bytes, size_t n)
{
	if (pwrite(fd, bytes, n, (off_t)at) != (ssize_t)n)
		perror("pwrite");
}

/* "size N", then lines "OFFSET BYTES" in hexadecimal. */
static int load(const char *name, uint64_t *size)
{
	char path[80], hex[80];
	unsigned long long n = 0, at;
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), "tests/data/signature/%s", name);
	f = fopen(path, "r");
	if (!f || fscanf(f, "size %llu", &n) != 1)
		printf("# no %s\n", path);
	fd = image(n);
	while (f && fscanf(f, "%llx %79s", &at, hex) == 2)
		for (size_t i = 0; hex[i] && hex[i + 1]; i += 2) {
			unsigned byte;

			sscanf(hex + i, "%2x", &byte);
			put(fd, at + i / 2, &(unsigned char){ (unsigned char)byte }, 1);
		}
	if (f)
		fclose(f);
	*size = n;
	return fd;
}

/* @want: the names, each followed by '+' where it is a member and by a blank. */
static void check(const char *what, int fd, uint64_t size, const char *want)
{
	struct signature found[8];
	int n = signature_find(fd, size, found, 8);
	char got[256] = "";

	for (int i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s ", found[i].name,
			 found[i].member ? "+" : "");
	ok(n >= 0 && !strcmp(got, want), "%s: '%s'", what, want);
	if (strcmp(got, want))
		printf("# got %d '%s'\n", n, got);
}

static void written_by_tools(void)
{
	static const char *const table[][2] = {
		{ "ext2", "ext2, 3 or 4 " },
		{ "ext3", "ext2, 3 or 4 " },
		{ "ext4", "ext2, 3 or 4 " },
		{ "xfs", "xfs " },
		{ "btrfs", "btrfs " },
		{ "fat12", "FAT file system " },
		{ "fat16", "FAT file system " },
		{ "fat32", "FAT file system " },
		{ "ntfs", "NTFS " },
		{ "exfat", "exFAT " },
		{ "swap", "swap " },
		{ "swap64", "swap " },
		{ "luks1", "LUKS " },
		{ "luks2", "LUKS " },
		{ "pv", "LVM physical volume+ " },
		{ "bcache", "bcache member+ " },
		{ "mbr", "MBR partition table " },
		{ "mbrempty", "" },
		{ "gpt", "GPT partition table " },
		{ "gpt-backup", "GPT partition table " },
		{ "gpt4k", "GPT partition table " },
		{ "gpt4k-backup", "GPT partition table " },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t size;
		int fd = load(table[i][0], &size);

		check(table[i][0], fd, size, table[i][1]);
		close(fd);
	}
}

static void one(const char *what, uint64_t size, uint64_t at, const char *bytes, size_t n,
		const char *want)
{
	int fd = image(size);

	put(fd, at, bytes, n);
	check(what, fd, size, want);
	close(fd);
}

#define MD_LE "\xfc\x4e\x2b\xa9"

static void made_by_hand(void)
{
	/* linux/raid/md_p.h: 0.90 at (sectors & ~127) - 128; 1.0 at (sectors - 16) & ~7. */
	one("md 0.90", 64 * MIB, 67043328, MD_LE, 4, "md RAID member+ ");
	one("md 0.90, odd size", 64 * MIB + 12288, 67043328, MD_LE, 4, "md RAID member+ ");
	one("md 0.90, almost 64 KiB more", 64 * MIB + 65024, 67043328, MD_LE, 4,
	    "md RAID member+ ");
	one("md 0.90, big endian", 64 * MIB, 67043328, "\xa9\x2b\x4e\xfc", 4, "md RAID member+ ");
	one("md 1.0", 64 * MIB, 67100672, MD_LE, 4, "md RAID member+ ");
	one("md 1.0, odd size", 64 * MIB + 1536, 67100672, MD_LE, 4, "md RAID member+ ");
	one("md 1.1", 64 * MIB, 0, MD_LE, 4, "md RAID member+ ");
	one("md 1.2", 64 * MIB, 4096, MD_LE, 4, "md RAID member+ ");
	one("md elsewhere", 64 * MIB, 8192, MD_LE, 4, "");
	one("ZFS, first label", 64 * MIB, 0x4000,
	    "\1\1\0\0\0\0\0\0\0\0\0\1\0\0\0\x24\0\0\0\x20\0\0\0\7version", 31, "ZFS member+ ");
	one("ZFS, last uberblocks", 64 * MIB, 64 * MIB - 4096, "\x0c\xb1\xba\0\0\0\0\0", 8,
	    "ZFS member+ ");
	one("LVM, label in the third sector", 64 * MIB, 1024 + 24, "LVM2 001", 8,
	    "LVM physical volume+ ");
	one("nothing", 64 * MIB, 0, "\0", 1, "");
	one("a boot sector without a table", 64 * MIB, 510, "\x55\xaa", 2, "");
	one("a few sectors", 4096, 0, "XFSB", 4, "xfs ");
	one("64 KiB", 65536, 4096, MD_LE, 4, "md RAID member+ ");
	one("no size", 0, 0, "XFSB", 4, "");
}

/* A boot loader's messages, "Disk error" and the like, lie where a table would. */
static void no_table(void)
{
	static const char message[] =
		"Remove disks or other media.\xff\r\nDisk error\xff\r\nPress any key to "
		"restart\r\n";
	int fd = image(64 * MIB);

	put(fd, 440, message, sizeof(message) - 1);
	put(fd, 510, "\x55\xaa", 2);
	check("messages", fd, 64 * MIB, "");
	close(fd);
}

static void several(void)
{
	struct signature found[2];
	int fd = image(64 * MIB);

	put(fd, 0, "LUKS\xba\xbe", 6);
	put(fd, 4096, MD_LE, 4);
	put(fd, 65536 + 64, "_BHRfS_M", 8);
	check("three at once", fd, 64 * MIB, "btrfs LUKS md RAID member+ ");
	ok(signature_find(fd, 64 * MIB, found, 2) == 2, "no more than asked for");
	ok(signature_find(-1, 64 * MIB, found, 2) == -EBADF, "no descriptor");
	close(fd);
}

static void faults(void)
{
	struct signature found[4];
	bool survived, sane = true;
	uint64_t size;
	int fd = load("ext4", &size), rc;
	long runs;

	FAULT_EACH(EIO, survived, runs, {
		rc = signature_find(fd, size, found, 4);
		sane &= rc == 1 || rc == -EIO;
	});
	ok(survived && sane && runs == 2, "each of two failing reads is told");
	FAULT_EACH(EINTR, survived, runs, {
		rc = signature_find(fd, size, found, 4);
		sane &= rc == 1;
	});
	ok(survived && sane, "an interrupted read is repeated");
	close(fd);
}

static void direct(void)
{
	static const unsigned sectors[] = { 512, 4096 };
	char page[4096] __attribute__((aligned(4096))) = "";

	for (size_t i = 0; i < 2; i++) {
		struct test_loop l;
		int fd;

		if (getuid() || !test_loop_make(&l, 8 * MIB + 12288, sectors[i])) {
			ok(true, "O_DIRECT # SKIP not root, or no loop device");
			continue;
		}
		fd = open(l.path, O_RDONLY | O_DIRECT | O_CLOEXEC);
		memcpy(page, MD_LE, 4);
		put(l.fd, 8 * MIB - 65536, page, sizeof(page));
		fsync(l.fd);
		check("O_DIRECT on a loop device", fd, 8 * MIB + 12288, "md RAID member+ ");
		close(fd);
		close(l.fd);
	}
}

int main(void)
{
	written_by_tools();
	made_by_hand();
	no_table();
	several();
	faults();
	direct();
	return tap_done();
}
