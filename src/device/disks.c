/* SPDX-License-Identifier: MIT */
/* disks - the whole disks of this machine. */

#include <string.h>

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

int disks_list(struct blk *list, unsigned max)
{
	unsigned n = 0, at;
	struct attr_dir d;
	const char *name;
	struct blk b;
	int rc = attr_dir_open(&d, attr_path("/sys/block"));

	while (n < max && (name = attr_dir_next(&d))) {
		if (!is_listed(name) || blk_describe(&b, name) || !b.size_bytes)
			continue;
		for (at = n++; at && disks_compare(b.name, list[at - 1].name) < 0; at--)
			list[at] = list[at - 1];
		list[at] = b;
	}
	attr_dir_close(&d);
	return rc ? rc : (int)n;
}
