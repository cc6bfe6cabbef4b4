/* SPDX-License-Identifier: MIT */
/* disks - the whole disks of this machine. */

#include <errno.h>
#include <string.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/disks.h>

#define DIGITS "0123456789"

/* Letters count like digits of a number (sdz, sdaa), so the shorter name is first; but vda is after
 * sdaa: only names of one driver count on. */
int disks_compare(const char *a, const char *b)
{
	const char *start = a;
	size_t i, j;

	for (; *a && *a == *b; b++)
		a++;
	i = strspn(a, DIGITS);
	j = strspn(b, DIGITS);
	if (!i && !j) {
		i = strlen(a);
		j = strlen(b);
	}
	if (a - start > 1 && i != j)
		return i < j ? -1 : 1;
	return (unsigned char)*a - (unsigned char)*b;
}

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool is_listed(const char *name)
{
	/* mmcblk0boot0 */
	return !begins(name, "ram") && !begins(name, "sr") && !begins(name, "fd") &&
	       !(begins(name, "mmcblk") && strchr(name, 't')) &&
	       !attr_number(attr_block(name, "hidden"), 0);
}

static void insert(struct blk *list, unsigned n, const struct blk *b)
{
	for (; n && disks_compare(b->name, list[n - 1].name) < 0; n--)
		list[n] = list[n - 1];
	list[n] = *b;
}

/* sda1 after sda, nvme0n1p1 after nvme0n1; but not sdaa, nor loop10 after loop1. */
static bool is_part_of(const char *name, const char *disk)
{
	size_t n = strlen(disk);
	bool digit = strchr(DIGITS, disk[n - 1]);

	return begins(name, disk) && name[n] &&
	       (digit ? name[n] == 'p' : strchr(DIGITS, name[n]) != NULL);
}

/* "   8        1    1048576 sda1", a disk before its partitions. */
static int list_proc(struct blk *list, unsigned max)
{
	const char *at = attr_whole(attr_path("/proc/partitions"));
	unsigned n = 0, i;

	while (*at && n < max) {
		struct blk b = { .rotational = -1 };

		size_digits(&at, 10);
		size_digits(&at, 10);
		b.size_bytes = size_digits(&at, 10) * 1024;
		at += *at == ' ';
		i = (unsigned)strcspn(at, "\n");
		if (i < sizeof(b.name))
			memcpy(b.name, at, i);
		memcpy(b.disk, b.name, sizeof(b.disk));
		at += i + (at[i] != '\0');
		for (i = 0; i < n && !is_part_of(b.name, list[i].name); i++)
			;
		if (i == n && b.size_bytes && is_listed(b.name))
			insert(list, n++, &b);
	}
	return n ? (int)n : -ENOENT;
}

int disks_list(struct blk *list, unsigned max)
{
	unsigned n = 0;
	struct attr_dir d;
	const char *name;
	struct blk b;

	if (attr_dir_open(&d, attr_path("/sys/block")))
		return list_proc(list, max);
	while (n < max && (name = attr_dir_next(&d)))
		if (is_listed(name) && !blk_describe(&b, name) && b.size_bytes)
			insert(list, n++, &b);
	attr_dir_close(&d);
	return (int)n;
}
