/* SPDX-License-Identifier: MIT */
/* attr - values and folders below a root of files that the test makes. */
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
	ok(attr_text(buf, sizeof(buf), attr_path("/%s", "plain")) == 5 && !strcmp(buf, "hello"),
	   "newline off");
	PUT("blanks", "\t ab c \n\n");
	ok(attr_text(buf, sizeof(buf), attr_path("/blanks")) == 4 && !strcmp(buf, "ab c"),
	   "blanks around off");
	PUT("long", "0123456789");
	ok(attr_text(buf, sizeof(buf), attr_path("/long")) == 7 && !strcmp(buf, "0123456"),
	   "cut to the buffer");
	PUT("empty", "");
	ok(attr_text(buf, sizeof(buf), attr_path("/empty")) == 0 && !buf[0], "empty");
	PUT("nuls", "ab\0\0");
	ok(attr_text(buf, sizeof(buf), attr_path("/nuls")) == 2 && !strcmp(buf, "ab"),
	   "NULs behind off");
	PUT("control", "a\033[2J\n");
	ok(attr_text(buf, sizeof(buf), attr_path("/control")) == 5 && !strcmp(buf, "a\033[2J"),
	   "control bytes stay");
	strcpy(buf, "old");
	ok(attr_text(buf, sizeof(buf), attr_path("/none")) == -ENOENT && !buf[0],
	   "missing: -ENOENT and empty");
	ok(attr_bytes(buf, sizeof(buf), attr_path("/blanks")) == 8 && !memcmp(buf, "\t ab c \n", 8),
	   "bytes as they are");
	ok(attr_bytes(buf, sizeof(buf), attr_path("/none")) == -ENOENT, "no bytes");
}

static void numbers(void)
{
	static const struct {
		const char *text;
		uint64_t value; /* 1: none */
	} table[] = {
		{ "42\n", 42 }, { "0", 0 }, { " 7 ", 7 },  { "18446744073709551615", UINT64_MAX },
		{ "-1", 1 },    { "", 1 },  { "0x10", 1 }, { "12 34", 1 },
		{ "none", 1 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		put("number", table[i].text, strlen(table[i].text));
		ok(attr_number(attr_path("/number"), 1) == table[i].value, "number %u of the table",
		   (unsigned)i);
	}
	ok(attr_number(attr_path("/none"), 5) == 5, "no number");
	PUT("fields", "pos:\t0\nflags:\t0100002\nmnt_id:\t27\nMemAvailable:    8123456 kB\n");
	ok(attr_field(attr_path("/fields"), "mnt_id:", 10) == 27, "a field");
	ok(attr_field(attr_path("/fields"), "flags:", 8) == 0100002, "one in octal");
	ok(attr_field(attr_path("/fields"), "MemAvailable:", 10) == 8123456, "one with a unit");
	ok(attr_field(attr_path("/fields"), "id:", 10) == 0, "none that only ends so");
	ok(attr_field(attr_path("/none"), "pos:", 10) == 0, "no file");
}

static void words(void)
{
	ok(attr_listed("nfs nfs4 9p", "nfs") && attr_listed("nfs nfs4 9p", "nfs4") &&
		   attr_listed("nfs nfs4 9p", "9p"),
	   "words of a list");
	ok(!attr_listed("nfs nfs4 9p", "nf") && !attr_listed("nfs nfs4 9p", "nfs4 9p") &&
		   !attr_listed("nfs nfs4 9p", "") && !attr_listed("", "nfs") &&
		   !attr_listed("nfs4", "nfs"),
	   "and what is none");
}

static void whole(void)
{
	size_t n = 100000;
	char *big = malloc(n), *text;

	memset(big, 'b', n);
	put("big", big, n);
	text = attr_whole(attr_path("/big"));
	ok(strlen(text) == n && !memcmp(text, big, n), "a long file is whole");
	free(big);
	ok(!*attr_whole(attr_path("/empty")), "an empty one is empty");
	ok(!*attr_whole(attr_path("/none")) && !*attr_whole(attr_path("/")), "so is what is none");
}

static void links(void)
{
	char path[128], buf[64], name[2000];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ok(!*attr_path("/%s/%s/%s", name, name, name) && *attr_path("/%s/%s", name, name),
	   "a path that is too long is none");
	snprintf(path, sizeof(path), "%s/link", root);
	ok(symlink("../a/b/sda", path) == 0, "a link");
	ok(attr_link(buf, sizeof(buf), attr_path("/link")) == 3 && !strcmp(buf, "sda"),
	   "its last part");
	ok(attr_link_path(buf, sizeof(buf), attr_path("/link")) == 10 && !strcmp(buf, "../a/b/sda"),
	   "whole");
	ok(attr_link(buf, 3, attr_path("/link")) == -ENAMETOOLONG, "too long for the buffer");
	ok(attr_link(buf, sizeof(buf), attr_path("/plain")) == -EINVAL && !buf[0], "no link");
	ok(attr_exists(attr_path("/plain")) && !attr_exists(attr_path("/link")) &&
		   !attr_exists(attr_path("/none")),
	   "what exists");
	unlink(path);
}

static int count(const char *folder)
{
	struct attr_dir d;
	const char *name;
	int n = 0;

	int rc = attr_dir_open(&d, attr_path("%s", folder));

	while ((name = attr_dir_next(&d)))
		n += *name != '.';
	ok(!attr_dir_next(&d), "%s: the end stays", folder);
	return rc ? -1 : n;
}

static void folders(void)
{
	char path[128];
	int i;

	for (i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "entry-with-a-long-name-%d", i);
		put(path, "", 0);
	}
	ok(count("/") == 300 + 9, "every name, without . and ..");
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
	long runs;

	PUT("number", "42\n");
	FAULT_EACH(EIO, survived, runs, {
		uint64_t value = attr_number(attr_path("/number"), 5);

		sane &= value == 5 || value == 42;
	});
	ok(survived && sane && runs >= 3, "number: %ld failures", runs);
	FAULT_EACH(EIO, survived, runs, {
		ssize_t n = attr_text(buf, sizeof(buf), attr_path("/plain"));

		sane &= n == -EIO ? !buf[0] : n == 5;
	});
	ok(survived && sane, "text: %ld failures", runs);
	FAULT_EACH(EIO, survived, runs, {
		text = attr_whole(attr_path("/big"));
		sane &= !*text || strlen(text) == 100000;
	});
	ok(survived && sane, "whole: %ld failures", runs);
	FAULT_EACH(EINTR, survived, runs, {
		text = attr_whole(attr_path("/big"));
		sane &= *text || runs == 1;
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
	ok(buf_open(&b, 100000) == 0 && !((uintptr_t)b.data & 4095) && b.size == 100000 &&
		   !b.data[99999],
	   "a page-aligned buffer of zeros");
	buf_close(&b);
	ok(!b.data, "closed");
	buf_close(&b);
	ok(buf_open(&b, SIZE_MAX / 2) == -ENOMEM && !b.data, "more than there is");
}

int main(void)
{
	static const char *const names[] = { "plain",   "blanks", "long",   "empty", "nuls",
					     "control", "number", "fields", "big",   "meminfo" };
	char path[128];

	if (!mkdtemp(root))
		return 1;
	attr_root = root;
	texts();
	numbers();
	words();
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
