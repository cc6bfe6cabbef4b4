/* SPDX-License-Identifier: MIT */
/* engine - io_uring, aio and plain move the same bytes, on files of the real kernel. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <timing/progress.h>

#include "../../src/applets/ddtest/stream.h"
#include "../fake/sys.h"
#include "../tap.h"

#define MIB  (1u << 20)
#define SIZE (11u * MIB + 512)

extern const struct engine engine_uring __attribute__((weak));
extern const struct engine engine_aio __attribute__((weak));

static char *data, *slab, *ring;
static unsigned char *times;
static char path[] = "/tmp/engine.XXXXXX";

/* ---- the rings, made to fail ---------------------------------------------------------------- */

static long (*real_raw)(long number, long a, long b, long c, long d, long e, long f);
static unsigned raw_calls, interrupt_every;
static long refuse_number;
static int refuse_errno;

static long some_raw(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == refuse_number && refuse_errno)
		return -refuse_errno;
	if (interrupt_every && ++raw_calls % interrupt_every == 0)
		return -EINTR;
	return real_raw(number, a, b, c, d, e, f);
}

/* ---- streams ------------------------------------------------------------------------------------
 */

static size_t check(void *arg, const void *there, size_t size, uint64_t at)
{
	const struct stream *s = arg;
	const char *right = data + s->offset + at;
	size_t i = 0;

	for (uint64_t b = (at + 511) / 512; b < (at + size + 511) / 512; b++)
		times[b]++;
	while (i < size && ((const char *)there)[i] == right[i])
		i++;
	return i;
}

static void fill(void *arg, void *there, size_t size, uint64_t at)
{
	const struct stream *s = arg;

	memcpy(there, data + s->offset + at, size);
}

static struct stream begin(const struct engine *e, int fd, uint64_t offset, uint64_t size)
{
	memset(times, 0, SIZE / 512 + 1);
	return (struct stream){
		.engine = e, .fd = fd, .offset = offset, .size = size, .align = 512, .ring = ring
	};
}

static unsigned not_once(uint64_t size)
{
	unsigned bad = 0;

	for (uint64_t i = 0; i < size / 512; i++)
		bad += times[i] != 1;
	return bad;
}

static bool file_is(int fd, const char *right, uint64_t offset, size_t size)
{
	return pread(fd, slab, size, (off_t)offset) == (ssize_t)size && !memcmp(slab, right, size);
}

static void one_stream(const struct engine *e, int fd, uint64_t offset, uint64_t size,
		       const char *how)
{
	struct stream s = begin(e, fd, offset, size);

	s.check = check;
	s.arg = &s;
	stream_run(&s);
	ok(!s.error && !s.wrong && s.bytes == size && !not_once(size),
	   "%s%s: %u bytes at %u, each seen once", e->name, how, (unsigned)size, (unsigned)offset);
	memset(slab, 0, size);
	s = begin(e, fd, offset, size);
	s.slab = slab;
	stream_run(&s);
	ok(!s.error && s.bytes == size && !memcmp(slab, data + offset, size), "%s%s: into a slab",
	   e->name, how);
	for (size_t i = 0; i < size; i++)
		data[offset + i] = (char)(data[offset + i] * 3 + 1);
	s = begin(e, fd, offset, size);
	s.slab = data + offset;
	s.write = s.flush = true;
	stream_run(&s);
	ok(!s.error && s.bytes == size && file_is(fd, data, 0, SIZE), "%s%s: from a slab", e->name,
	   how);
	for (size_t i = 0; i < size; i++)
		data[offset + i] ^= 0x5a;
	s = begin(e, fd, offset, size);
	s.write = true;
	s.fill = fill;
	s.arg = &s;
	stream_run(&s);
	ok(!s.error && s.bytes == size && file_is(fd, data, 0, SIZE), "%s%s: through the ring",
	   e->name, how);
}

static void test_errors(const struct engine *e, int fd, int read_only)
{
	struct stream s = begin(e, fd, 4 * MIB, SIZE);

	s.check = check;
	s.arg = &s;
	stream_run(&s);
	ok(s.error == -ENODATA && s.error_at == SIZE - 4 * MIB && s.bytes == s.error_at,
	   "%s: the end of the file, at its byte", e->name);
	s = begin(e, read_only, 512, MIB);
	s.write = true;
	s.slab = slab;
	stream_run(&s);
	ok(s.error == -EBADF && s.error_at == 0 && !s.bytes, "%s: a write that fails", e->name);
	s = begin(e, fd, MIB + 3, MIB);
	stream_run(&s);
	ok(s.error == -EINVAL && s.error_at == 0 && !s.bytes,
	   "%s: a place that O_DIRECT does not take", e->name);
	ok(file_is(fd, data, 0, SIZE), "%s: the file is as it was", e->name);
}

static void test_engine(const struct engine *e, int fd, int read_only)
{
	int rc = e->open();

	if (rc < 0) {
		printf("ok %d - # SKIP no %s here (errno %d)\n", ++tap_count, e->name, -rc);
		return;
	}
	one_stream(e, fd, 0, SIZE, "");
	one_stream(e, fd, 512, 512, "");
	one_stream(e, fd, 1536, 65536 + 512, "");
	interrupt_every = 3;
	one_stream(e, fd, MIB, 9 * MIB - 512, ", interrupted");
	interrupt_every = 0;
	test_errors(e, fd, read_only);
	e->close();
	ok(!e->open(), "%s: opens again", e->name);
	one_stream(e, fd, 0, 3 * MIB, ", again");
	e->close();
}

static int lowest_free(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* Which one is taken when others do not open. */
static void test_choice(int direct)
{
	int lowest = lowest_free();
	const struct engine *e = engine_open(), *first = e;
	struct stream s;

	e->close();
	ok(e == &engine_uring || e == &engine_aio || !strcmp(e->name, "plain"), "the best: %s",
	   e->name);
	refuse_number = SYS_io_uring_setup;
	refuse_errno = ENOSYS;
	e = engine_open();
	e->close();
	ok(strcmp(e->name, "io_uring") != 0, "without io_uring: %s", e->name);
	refuse_errno = EPERM;
	e = engine_open();
	e->close();
	ok(strcmp(e->name, "io_uring") != 0, "where it is forbidden: %s", e->name);
	refuse_errno = 0;
	if (first == &engine_uring) {
		refuse_number = SYS_io_uring_enter;
		refuse_errno = ENOMEM;
		e = engine_open();
		s = begin(e, 0, 0, MIB);
		stream_run(&s);
		ok(s.error == -ENOMEM && !s.bytes, "no transfer can be made: the error");
		refuse_errno = 0;
		one_stream(e, direct, 0, MIB, ", after one that could not be made");
		e->close();
	}
	fake_no_rings = true;
	e = engine_open();
	ok(!strcmp(e->name, "plain") && e->depth == 1, "without both: plain");
	fake_no_rings = false;
	ok(lowest_free() == lowest, "no ring stays open");
}

int main(void)
{
	int fd = mkstemp(path), direct, read_only;
	const struct engine *plain;
	uint64_t x = 1;

	data = aligned_alloc(4096, SIZE + 3584);
	slab = aligned_alloc(4096, SIZE + 3584);
	ring = aligned_alloc(4096, STREAM_RING);
	times = malloc(SIZE / 512 + 1);
	if (fd < 0 || !data || !slab || !ring || !times)
		return 1;
	for (size_t i = 0; i < SIZE; i += 8) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		memcpy(data + i, &x, 8);
	}
	if (write(fd, data, SIZE) != (ssize_t)SIZE)
		return 1;
	direct = open(path, O_RDWR | O_DIRECT);
	read_only = open(path, O_RDONLY | O_DIRECT);
	unlink(path);
	if (direct < 0 || read_only < 0) {
		printf("1..0 # SKIP no O_DIRECT in /tmp\n");
		return 0;
	}
	progress_init(false, true);
	fake_begin();
	plain = engine_open();
	fake_no_rings = false;
	real_raw = sys.raw;
	sys.raw = some_raw;
	test_choice(direct);
	if (&engine_uring)
		test_engine(&engine_uring, direct, read_only);
	if (&engine_aio)
		test_engine(&engine_aio, direct, read_only);
	test_engine(plain, direct, read_only);
	fake_end();
	return tap_done();
}
