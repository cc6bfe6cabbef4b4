/* SPDX-License-Identifier: MIT */
/* Values and folders below a root of files that the test makes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <device/attr.h>
#include <device/buf.h>
#include <device/host.h>

#include "../fault.h"
#include "../tap.h"

static char root[] = "/tmp/attr.XXXXXX";

static void put(const char *name, const char *bytes, size_t n)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "w");
	fwrite(bytes, 1, n, f);
	fclose(f);
}

#define PUT(name, text) put(name, text, sizeof(text) - 1)

static void texts(void)
{
	char buf[8];

	memset(buf, 'x', sizeof(buf));
	PUT("plain", "hello\n");
	ok(attr_text(buf, sizeof(buf), "/%s", "plain") == 5 && !strcmp(buf, "hello"), "newline off");
	PUT("blanks", "\t ab c \n\n");
	ok(attr_text(buf, sizeof(buf), "/blanks") == 4 && !strcmp(buf, "ab c"), "blanks around off");
	PUT("long", "0123456789");
	ok(attr_text(buf, sizeof(buf), "/long") == 7 && !strcmp(buf, "0123456"), "cut to the buffer");
	PUT("empty", "");
	ok(attr_text(buf, sizeof(buf), "/empty") == 0 && !buf[0], "empty");
	PUT("nuls", "ab\0\0");
	ok(attr_text(buf, sizeof(buf), "/nuls") == 2 && !strcmp(buf, "ab"), "NULs behind off");
	PUT("control", "a\033[2J\n");
	ok(attr_text(buf, sizeof(buf), "/control") == 5 && !strcmp(buf, "a\033[2J"), "control bytes stay");
	strcpy(buf, "old");
	ok(attr_text(buf, sizeof(buf), "/none") == -ENOENT && !buf[0], "missing: -ENOENT and empty");
	ok(attr_bytes(buf, sizeof(buf), "/blanks") == 8 && !memcmp(buf, "\t ab c \n", 8), "bytes as they are");
	ok(attr_bytes(buf, sizeof(buf), "/none") == -ENOENT, "no bytes");
}

static void numbers(void)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t value;
	} table[] = {
		{ "42\n", 0, 42 },
		{ "0", 0, 0 },
		{ " 7 ", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -EINVAL, 1 },
		{ "-1", -EINVAL, 1 },
		{ "", -EINVAL, 1 },
		{ "0x10", -EINVAL, 1 },
		{ "12 34", -EINVAL, 1 },
		{ "none", -EINVAL, 1 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t value = 1;

		put("number", table[i].text, strlen(table[i].text));
		ok(attr_number(&value, "/number") == table[i].rc &&
			   (table[i].rc || value == table[i].value),
		   "number %u of the table", (unsigned)i);
	}
	ok(attr_number(&(uint64_t){ 0 }, "/none") == -ENOENT, "no number");
}

static void whole(void)
{
	size_t n = 100000;
	char *big = malloc(n), *text;

	memset(big, 'b', n);
	put("big", big, n);
	text = attr_whole("/big");
	ok(text && strlen(text) == n && !memcmp(text, big, n), "a long file is whole");
	free(text);
	free(big);
	text = attr_whole("/empty");
	ok(text && !*text, "an empty one too");
	free(text);
	ok(!attr_whole("/none") && errno == ENOENT, "none: NULL and errno");
	ok(!attr_whole("/") && errno == EISDIR, "a folder: NULL and errno");
}

static void links(void)
{
	char path[128], buf[64];
	struct stat st;

	snprintf(path, sizeof(path), "%s/link", root);
	ok(symlink("../a/b/sda", path) == 0, "a link");
	ok(attr_link(buf, sizeof(buf), "/link") == 3 && !strcmp(buf, "sda"), "its last part");
	ok(attr_link_path(buf, sizeof(buf), "/link") == 10 && !strcmp(buf, "../a/b/sda"), "whole");
	ok(attr_link(buf, 3, "/link") == -ENAMETOOLONG, "too long for the buffer");
	ok(attr_link(buf, sizeof(buf), "/plain") == -EINVAL && !buf[0], "no link");
	ok(attr_exists("/plain") && !attr_exists("/link") && !attr_exists("/none"), "what exists");
	ok(!attr_stat(&st, "/plain") && st.st_size == 6, "stat");
	ok(attr_stat(&st, "/none") == -ENOENT, "stat of nothing");
	unlink(path);
}

static int count(const char *folder)
{
	struct attr_dir d;
	const char *name;
	int n = 0;

	if (attr_dir_open(&d, "%s", folder))
		return -1;
	while ((name = attr_dir_next(&d)))
		n += *name != '.';
	attr_dir_close(&d);
	return n;
}

static void folders(void)
{
	char path[128];
	int i;

	for (i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "entry-with-a-long-name-%d", i);
		put(path, "", 0);
	}
	ok(count("/") == 300 + 8, "every name, without . and ..");
	ok(count("/plain") == -1 && count("/none") == -1, "no folder");
	for (i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "%s/entry-with-a-long-name-%d", root, i);
		unlink(path);
	}
}

static void faults(void)
{
	bool survived, sane = true;
	char buf[64], *text;
	uint64_t value;
	long runs;

	PUT("number", "42\n");
	FAULT_EACH(EIO, survived, runs, {
		int rc = attr_number(&value, "/number");

		sane &= rc == -EIO || (rc == 0 && value == 42);
	});
	ok(survived && sane && runs >= 3, "number: %ld failures", runs);
	FAULT_EACH(EIO, survived, runs, {
		ssize_t n = attr_text(buf, sizeof(buf), "/plain");

		sane &= n == -EIO ? !buf[0] : n == 5;
	});
	ok(survived && sane, "text: %ld failures", runs);
	FAULT_EACH(EIO, survived, runs, {
		text = attr_whole("/big");
		sane &= text ? strlen(text) == 100000 : errno == EIO;
		free(text);
	});
	ok(survived && sane, "whole: %ld failures", runs);
	FAULT_EACH(EINTR, survived, runs, {
		text = attr_whole("/big");
		sane &= text || runs == 1;
		free(text);
	});
	ok(survived && sane, "whole: read again when interrupted");
	FAULT_EACH(EIO, survived, runs, count("/"));
	ok(survived, "folder: %ld failures", runs);
}

static void machine(void)
{
	struct host h;
	struct buf b;
	uint64_t n;

	attr_root = "/nowhere";
	host_read(&h);
	ok(!h.product[0] && !h.serial[0] && h.kernel[0] && h.arch[0], "a host without /sys");
	n = buf_available();
	ok(n > 1 << 20, "memory without /proc");
	attr_root = root;
	PUT("meminfo", "");
	ok(buf_available() > 1 << 20, "memory with a /proc that says nothing");
	ok(buf_open(&b, 100000) == 0 && !((uintptr_t)b.data & 4095) && b.size == 100000 && !b.data[99999],
	   "a page-aligned buffer of zeros");
	buf_close(&b);
	ok(!b.data, "closed");
	buf_close(&b);
	ok(buf_open(&b, SIZE_MAX / 2) == -ENOMEM && !b.data, "more than there is");
}

int main(void)
{
	static const char *const names[] = { "plain", "blanks", "long", "empty", "nuls", "control", "number", "big", "meminfo" };
	char path[128];

	if (!mkdtemp(root))
		return 1;
	attr_root = root;
	texts();
	numbers();
	whole();
	links();
	folders();
	faults();
	machine();
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, names[i]);
		unlink(path);
	}
	ok(rmdir(root) == 0, "nothing is left");
	return tap_done();
}
