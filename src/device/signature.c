/* SPDX-License-Identifier: MIT */
/* signature - what the first and last sectors say is on a device. */

#include <errno.h>
#include <string.h>

#include <device/buf.h>
#include <device/signature.h>
#include <device/sys.h>

#define SPAN 131072u

struct magic {
	uint32_t offset;
	uint8_t length;
	bool member;
	char magic[8];
	const char *name;
};

static const char md[] = "md RAID member", gpt[] = "GPT partition table", zfs[] = "ZFS member";
static const char fat[] = "FAT file system", lvm[] = "LVM physical volume", swap[] = "swap";

/* clang-format off */
static const struct magic heads[] = {
	{ 0x438,   2, false, { 0x53, (char)0xef }, "ext2, 3 or 4" },
	{ 0,       4, false, "XFSB", "xfs" },
	{ 0x10040, 8, false, { '_', 'B', 'H', 'R', 'f', 'S', '_', 'M' }, "btrfs" },
	{ 0x36,    4, false, "FAT1", fat },
	{ 0x52,    5, false, "FAT32", fat },
	{ 3,       4, false, "NTFS", "NTFS" },
	{ 3,       5, false, "EXFAT", "exFAT" },
	{ 0,       6, false, { 'L', 'U', 'K', 'S', (char)0xba, (char)0xbe }, "LUKS" },
	/* At the end of the first page, of 4, 16 or 64 KiB. */
	{ 0xff6,   8, false, { 'S', 'W', 'A', 'P', 'S', 'P', 'A', 'C' }, swap },
	{ 0x3ff6,  8, false, { 'S', 'W', 'A', 'P', 'S', 'P', 'A', 'C' }, swap },
	{ 0xfff6,  8, false, { 'S', 'W', 'A', 'P', 'S', 'P', 'A', 'C' }, swap },
	/* The label is in one of the first four sectors; its type is 24 bytes into it. */
	{ 0x018,   8, true, { 'L', 'V', 'M', '2', ' ', '0', '0', '1' }, lvm },
	{ 0x218,   8, true, { 'L', 'V', 'M', '2', ' ', '0', '0', '1' }, lvm },
	{ 0x418,   8, true, { 'L', 'V', 'M', '2', ' ', '0', '0', '1' }, lvm },
	{ 0x618,   8, true, { 'L', 'V', 'M', '2', ' ', '0', '0', '1' }, lvm },
	{ 0,       4, true, { (char)0xfc, 0x4e, 0x2b, (char)0xa9 }, md },
	{ 0x1000,  4, true, { (char)0xfc, 0x4e, 0x2b, (char)0xa9 }, md },
	/* The name of the first pair in the label's list, in XDR. */
	{ 0x4017,  8, true, { 7, 'v', 'e', 'r', 's', 'i', 'o', 'n' }, zfs },
	{ 0x1018,  8, true, { (char)0xc6, (char)0x85, 0x73, (char)0xf6, 0x4e, 0x1a, 0x45, (char)0xca }, "bcache member" },
	{ 512,     8, false, { 'E', 'F', 'I', ' ', 'P', 'A', 'R', 'T' }, gpt },
	{ 4096,    8, false, { 'E', 'F', 'I', ' ', 'P', 'A', 'R', 'T' }, gpt },
};
/* clang-format on */

struct search {
	struct signature *found;
	unsigned n, max;
	const unsigned char *data;
	size_t size;
};

static void add(struct search *s, const char *name, bool member)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!strcmp(s->found[i].name, name))
			return;
	if (s->n < s->max)
		s->found[s->n++] = (struct signature){ name, member };
}

static bool is_at(const struct search *s, uint64_t offset, const void *magic, size_t n)
{
	return offset + n <= s->size && !memcmp(s->data + offset, magic, n);
}

/* A FAT or NTFS boot sector ends in the same 55 AA; what it has instead of a table is code
 * and messages, which make no four entries. */
static bool is_mbr(const struct search *s)
{
	unsigned used = 0;

	if (!is_at(s, 510, "\x55\xaa", 2))
		return false;
	for (unsigned i = 0; i < s->n; i++)
		if (s->found[i].name == fat || s->found[i].name == gpt)
			return false;
	for (const unsigned char *e = s->data + 446; e < s->data + 510; e += 16) {
		bool start = e[8] | e[9] | e[10] | e[11], length = e[12] | e[13] | e[14] | e[15];

		if (e[0] & 0x7f || (e[4] && !(start && length)))
			return false;
		used += e[4] != 0;
	}
	return used;
}

static ssize_t fill(struct search *s, const struct buf *b, int fd, uint64_t from, size_t size)
{
	ssize_t n = sys_pread_all(fd, b->data, size, (off_t)from, NULL);

	s->data = (const unsigned char *)b->data;
	s->size = n < 0 ? 0 : (size_t)n;
	return n;
}

/* md 1.0 lies at least 8 KiB before the end, at a multiple of 4 KiB; 0.90 at the last
 * multiple of 64 KiB with 64 KiB behind it, in the byte order of who made it. ZFS has a ring
 * of uberblocks in the last 128 KiB. @from is a multiple of 64 KiB. */
static void look_at_tail(struct search *s, uint64_t size, uint64_t from)
{
	static const char le[] = "\xfc\x4e\x2b\xa9", be[] = "\xa9\x2b\x4e\xfc";

	if (is_at(s, size - from - 512, "EFI PART", 8) ||
	    is_at(s, size - from - 4096, "EFI PART", 8))
		add(s, gpt, false);
	if (is_at(s, (((size >> 9) - 16) & ~7ull) * 512 - from, le, 4) || is_at(s, 0, le, 4) ||
	    is_at(s, 0, be, 4))
		add(s, md, true);
	for (size_t at = 0; at < s->size; at += 1024)
		if (is_at(s, at, "\x0c\xb1\xba\0\0\0\0\0", 8))
			add(s, zfs, true);
}

int signature_find(int fd, uint64_t size, struct signature *found, unsigned max)
{
	struct search s = { .found = found, .max = max };
	uint64_t from = (size & ~0xffffull) - 0x10000;
	scoped(buf) b = { NULL, 0 };
	ssize_t n = buf_open(&b, SPAN);

	if (n < 0)
		return (int)n;
	n = fill(&s, &b, fd, 0, size < SPAN ? (size_t)size : SPAN);
	if (n < 0)
		return (int)n;
	for (const struct magic *m = heads; m < heads + sizeof(heads) / sizeof(heads[0]); m++)
		if (is_at(&s, m->offset, m->magic, m->length))
			add(&s, m->name, m->member);
	if (is_mbr(&s))
		add(&s, "MBR partition table", false);
	if (size < 0x10000)
		return (int)s.n;
	n = fill(&s, &b, fd, from, (size_t)(size - from));
	if (n < 0)
		return (int)n;
	look_at_tail(&s, size, from);
	return (int)s.n;
}
