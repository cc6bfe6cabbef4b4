/* SPDX-License-Identifier: MIT */
/* sys - reading and writing all of it, over short transfers and interruptions. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <device/sys.h>

#include "../tap.h"

/* What each call returns; the last one is repeated. */
static const ssize_t *script;
static off_t at[8];
static size_t sizes[8];
static int calls;

static ssize_t next(size_t size, off_t offset)
{
	ssize_t n = script[calls];

	at[calls] = offset;
	sizes[calls++] = size;
	return n;
}

static ssize_t fake_pread(int fd, void *buf, size_t size, off_t offset)
{
	ssize_t n = next(size, offset);

	(void)fd;
	if (n > 0)
		memset(buf, '0' + calls, (size_t)n);
	return n;
}

static ssize_t fake_pwrite(int fd, const void *buf, size_t size, off_t offset)
{
	(void)fd;
	(void)buf;
	return next(size, offset);
}

static ssize_t run(bool write, const ssize_t *s, char *buf, size_t size, size_t *done)
{
	script = s;
	calls = 0;
	*done = 99;
	return write ? sys_pwrite_all(3, buf, size, 1000, done)
		     : sys_pread_all(3, buf, size, 1000, done);
}

int main(void)
{
	char buf[16] = "";
	size_t done;

	sys.pread = fake_pread;
	sys.pwrite = fake_pwrite;
	for (int write = 0; write < 2; write++) {
		const char *what = write ? "write" : "read";

		ok(run(write, (ssize_t[]){ 10 }, buf, 10, &done) == 10 && done == 10 && calls == 1,
		   "%s at once", what);
		ok(run(write, (ssize_t[]){ 3, -EINTR, 7 }, buf, 10, &done) == 10 && done == 10 &&
			   calls == 3 && at[1] == 1003 && sizes[1] == 7 && at[2] == 1003,
		   "%s in two, interrupted between", what);
		ok(run(write, (ssize_t[]){ 4, -EIO }, buf, 10, &done) == -EIO && done == 4,
		   "%s fails behind 4", what);
		ok(run(write, (ssize_t[]){ -ENODEV }, buf, 10, &done) == -ENODEV && done == 0,
		   "%s fails at once", what);
		ok(run(write, (ssize_t[]){ 0 }, buf, 0, &done) == 0 && done == 0 && calls == 0,
		   "%s nothing", what);
	}
	ok(run(false, (ssize_t[]){ 4, 0 }, buf, 10, &done) == 4 && done == 4, "read to the end");
	ok(run(false, (ssize_t[]){ 2, 2 }, buf, 4, &done) == 4 && !memcmp(buf, "1122", 4),
	   "read side by side");
	ok(run(true, (ssize_t[]){ 4, 0 }, buf, 10, &done) == -ENOSPC && done == 4,
	   "a write that takes nothing is a full device");
	ok(sys_pread_all(-1, buf, 0, 0, NULL) == 0, "done may be missing");
	return tap_done();
}
