/* SPDX-License-Identifier: MIT */
/* disks - the whole disks of this machine. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/disks.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters count like digits of a number (sdz, sdaa), so the shorter run of them is first. */
int disks_compare(const char *a, const char *b)
{
	while (*a && *b) {
		bool digits = is_digit(*a);
		size_t i = 0, j = 0;
		int rc;

		if (digits != is_digit(*b))
			break;
		while (a[i] && is_digit(a[i]) == digits)
			i++;
		while (b[j] && is_digit(b[j]) == digits)
			j++;
		/* vda after sdaa: only names of one driver count on. */
		rc = !digits && i != j ? strncmp(a, b, 2) : 0;
		if (!rc && i != j)
			return i < j ? -1 : 1;
		if (!rc)
			rc = memcmp(a, b, i);
		if (rc)
			return rc;
		a += i;
		b += j;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static void sort(struct blk *list, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct blk moved = list[i];
		unsigned at = i;

		for (; at && disks_compare(moved.name, list[at - 1].name) < 0; at--)
			list[at] = list[at - 1];
		list[at] = moved;
	}
}

static bool is_listed(const char *name)
{
	uint64_t hidden = 0;

	if (!strncmp(name, "ram", 3) || !strncmp(name, "sr", 2) || !strncmp(name, "fd", 2) ||
	    (!strncmp(name, "mmcblk", 6) && strstr(name, "boot")))
		return false;
	attr_number(&hidden, "/sys/block/%s/hidden", name);
	return !hidden;
}

static int list_sys(struct blk *list, unsigned max)
{
	struct attr_dir d;
	const char *name;
	unsigned n = 0;
	int rc = attr_dir_open(&d, "/sys/block");

	if (rc)
		return rc;
	while (n < max && (name = attr_dir_next(&d)))
		if (is_listed(name) && !blk_describe(&list[n], name) && list[n].size_bytes)
			n++;
	attr_dir_close(&d);
	return (int)n;
}

/* Which of them are partitions only their names say: a number behind a letter (sda1), or
 * behind 'p' and a number (nvme0n1p1). */
static bool looks_like_partition(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && is_digit(end[-1]))
		end--;
	if (!*end || end == name)
		return false;
	if (end[-1] == 'p' && end - 1 > name)
		return is_digit(end[-2]);
	return strspn(name, "abcdefghijklmnopqrstuvwxyz") == (size_t)(end - name) &&
	       (!strncmp(name, "sd", 2) || !strncmp(name, "vd", 2) || !strncmp(name, "hd", 2) ||
		!strncmp(name, "xvd", 3));
}

static int list_proc(struct blk *list, unsigned max)
{
	char *text = attr_whole("/proc/partitions"), *save = NULL, *line;
	unsigned n = 0;

	if (!text)
		return -errno;
	for (line = strtok_r(text, "\n", &save); line && n < max;
	     line = strtok_r(NULL, "\n", &save)) {
		struct blk *b = &list[n];
		const char *at = line, *name;
		unsigned maj = (unsigned)size_digits(&at, 10), min = (unsigned)size_digits(&at, 10);
		uint64_t kib = size_digits(&at, 10);

		name = at + strspn(at, " ");
		if (!kib || strlen(name) >= BLK_NAME || looks_like_partition(name) ||
		    !is_listed(name))
			continue;
		memset(b, 0, sizeof(*b));
		strcpy(b->name, name);
		strcpy(b->disk, name);
		b->dev = b->disk_dev = makedev(maj, min);
		b->size_bytes = kib * 1024;
		b->rotational = -1;
		n++;
	}
	attr_free(text);
	return (int)n;
}

int disks_list(struct blk *list, unsigned max)
{
	int n = list_sys(list, max);

	if (n < 0)
		n = list_proc(list, max);
	if (n > 1)
		sort(list, (unsigned)n);
	return n;
}
