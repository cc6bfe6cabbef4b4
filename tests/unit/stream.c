/* SPDX-License-Identifier: MIT */
/* stream - bytes in order through an engine that completes them as it likes. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <timing/clock.h>
#include <timing/progress.h>

#include "../../src/applets/ddtest/stream.h"
#include "../fake/sys.h"
#include "../tap.h"

#define MIB  (1u << 20)
#define DISK (20u * MIB)

/* ---- an engine of our own, on a disk in memory --------------------------------------------- */

enum order { FIRST, LAST, RANDOM };

static struct {
	enum order order;
	unsigned short_every, interrupt_every, again_every; /* completions */
	uint64_t bad_from, bad_to;                          /* bytes of the disk: EIO */
	int bad_error;
	unsigned fail_submit, fail_reap, reap_interrupted; /* at call number; 0: never */
	unsigned stop_after;                               /* completions: a signal comes */
	unsigned sleep_ms;                                 /* before each completion */

	bool busy[ENGINE_DEPTH];
	struct transfer transfer[ENGINE_DEPTH];
	unsigned char *copy[ENGINE_DEPTH]; /* of what is written, at its submission */
	unsigned submits, reaps, completions, in_flight, most_in_flight;
	size_t bytes_in_flight, most_bytes, largest, least;
	unsigned overlaps, changed, misaligned;
} mock;

static unsigned char *disk, *expected, *copies;
static struct engine engine;
static char *slab, *ring;

/* memcmp() of a byte at a time is most of what this test would do. */
static bool differ(const void *a, const void *b, size_t size)
{
	const char *x = a, *y = b;
	uint64_t u, v;

	for (; size >= 8; x += 8, y += 8, size -= 8) {
		memcpy(&u, x, 8);
		memcpy(&v, y, 8);
		if (u != v)
			return true;
	}
	return memcmp(x, y, size);
}

static bool overlap(const struct transfer *a, const struct transfer *b)
{
	const char *x = a->memory.iov_base, *y = b->memory.iov_base;

	return x < y + b->memory.iov_len && y < x + a->memory.iov_len;
}

static int mock_submit(const struct transfer *t)
{
	size_t size = t->memory.iov_len;

	if (++mock.submits == mock.fail_submit)
		return -ENOMEM;
	mock.overlaps += mock.busy[t->slot];
	for (unsigned i = 0; i < ENGINE_DEPTH; i++)
		mock.overlaps += mock.busy[i] && overlap(t, &mock.transfer[i]);
	mock.misaligned += t->offset % 512 || size % 512 || !size;
	mock.busy[t->slot] = true;
	mock.transfer[t->slot] = *t;
	if (t->write) {
		mock.copy[t->slot] = copies + t->slot * engine.largest;
		memcpy(mock.copy[t->slot], t->memory.iov_base, size);
	}
	mock.bytes_in_flight += size;
	if (mock.bytes_in_flight > mock.most_bytes)
		mock.most_bytes = mock.bytes_in_flight;
	if (size > mock.largest)
		mock.largest = size;
	if (++mock.in_flight > mock.most_in_flight)
		mock.most_in_flight = mock.in_flight;
	return 0;
}

static unsigned choose(void)
{
	unsigned slot = ENGINE_DEPTH,
		 skip = mock.order == RANDOM ? (unsigned)rand() % mock.in_flight : 0;

	for (unsigned i = 0; i < ENGINE_DEPTH; i++) {
		if (!mock.busy[i])
			continue;
		if (mock.order == RANDOM) {
			if (!skip--)
				return i;
		} else if (slot == ENGINE_DEPTH ||
			   (mock.transfer[i].offset < mock.transfer[slot].offset) ==
				   (mock.order == FIRST)) {
			slot = i;
		}
	}
	return slot;
}

static ssize_t move(const struct transfer *t, const unsigned char *copy)
{
	uint64_t at = (uint64_t)t->offset, end = at + t->memory.iov_len;

	if (mock.again_every && mock.completions % mock.again_every == 0)
		return -EAGAIN;
	if (mock.interrupt_every && mock.completions % mock.interrupt_every == 0)
		return -EINTR;
	if (mock.short_every && mock.completions % mock.short_every == 0 && end - at > 512)
		end = at + (end - at) / 2 / 512 * 512;
	if (end > DISK)
		end = DISK > at ? DISK : at;
	if (mock.bad_to > at && mock.bad_from < end) {
		if (mock.bad_from <= at)
			return -mock.bad_error;
		end = mock.bad_from;
	}
	if (copy)
		memcpy(disk + at, copy, end - at);
	else
		memcpy(t->memory.iov_base, disk + at, end - at);
	return (ssize_t)(end - at);
}

static int mock_reap(struct completion *done)
{
	struct timespec pause = { .tv_nsec = mock.sleep_ms * 1000000l };
	unsigned slot;

	mock.reaps++;
	if (mock.reaps == mock.fail_reap)
		return -EFAULT;
	if (mock.reap_interrupted && mock.reaps % mock.reap_interrupted == 0)
		return -EINTR;
	if (mock.sleep_ms)
		nanosleep(&pause, NULL);
	mock.completions++;
	if (mock.completions == mock.stop_after)
		stop_signal = 15;
	slot = choose();
	done->slot = slot;
	if (mock.copy[slot])
		mock.changed += differ(mock.copy[slot], mock.transfer[slot].memory.iov_base,
				       mock.transfer[slot].memory.iov_len);
	done->result = move(&mock.transfer[slot], mock.copy[slot]);
	mock.copy[slot] = NULL;
	mock.busy[slot] = false;
	mock.in_flight--;
	mock.bytes_in_flight -= mock.transfer[slot].memory.iov_len;
	mock.least = mock.transfer[slot].memory.iov_len;
	return 0;
}

static struct engine engine = {
	.name = "mock",
	.depth = ENGINE_DEPTH,
	.largest = 2 * MIB,
	.submit = mock_submit,
	.reap = mock_reap,
};

/* ---- what is filled and seen ----------------------------------------------------------------- */

static unsigned char *times; /* that each 512 bytes were seen */

static void fill(void *arg, void *data, size_t size, uint64_t at)
{
	const struct stream *s = arg;

	memcpy(data, expected + s->offset + at, size);
}

static size_t check(void *arg, const void *data, size_t size, uint64_t at)
{
	const struct stream *s = arg;
	const unsigned char *there = data, *right = expected + s->offset + at;
	size_t i = 0;

	for (uint64_t b = at; b < at + size; b++)
		times[b / 512] += b % 512 == 0;
	if (!differ(there, right, size))
		return size;
	while (there[i] == right[i])
		i++;
	return i;
}

static unsigned not_once(uint64_t size)
{
	unsigned bad = 0;

	for (uint64_t i = 0; i < DISK / 512; i++)
		bad += times[i] != (i * 512 < size);
	return bad;
}

static struct stream begin(uint64_t offset, uint64_t size)
{
	memset(&mock, 0, sizeof(mock));
	memset(times, 0, DISK / 512);
	stop_signal = 0;
	engine.depth = ENGINE_DEPTH;
	engine.largest = 2 * MIB;
	memset(ring, 0xaa, STREAM_RING);
	return (struct stream){
		.engine = &engine, .offset = offset, .size = size, .align = 512, .ring = ring
	};
}

static void random_bytes(unsigned char *p)
{
	uint64_t x = 88172645463325252ull;

	for (size_t i = 0; i < DISK; i += 8) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(p + i, &x, 8);
	}
}

/* ---- whole streams ------------------------------------------------------------------------------
 */

struct way {
	const char *name;
	enum order order;
	unsigned short_every, interrupt_every, again_every, reap_interrupted, depth;
	size_t largest;
};

static const struct way ways[] = {
	{ "in order", FIRST, 0, 0, 0, 0, 8, 2 * MIB },
	{ "the last first", LAST, 0, 0, 0, 0, 8, 2 * MIB },
	{ "in any order", RANDOM, 0, 0, 0, 0, 8, 2 * MIB },
	{ "short ones", RANDOM, 3, 0, 0, 0, 8, 2 * MIB },
	{ "interrupted", RANDOM, 0, 2, 0, 3, 8, 2 * MIB },
	{ "all together", LAST, 5, 3, 7, 2, 8, 2 * MIB },
	{ "one at a time", FIRST, 0, 0, 0, 0, 1, 16 * MIB },
	{ "one at a time, short", FIRST, 3, 4, 0, 0, 1, 16 * MIB },
};

static struct stream start(const struct way *w, uint64_t offset, uint64_t size)
{
	struct stream s = begin(offset, size);

	mock.order = w->order;
	mock.short_every = w->short_every;
	mock.interrupt_every = w->interrupt_every;
	mock.again_every = w->again_every;
	mock.reap_interrupted = w->reap_interrupted;
	engine.depth = w->depth;
	engine.largest = w->largest;
	return s;
}

static uint64_t sum(const struct curve *c)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < c->count; i++)
		bytes += c->bytes[i];
	return bytes;
}

static bool whole(const struct stream *s)
{
	return s->bytes == s->size && !s->error && !s->cut && !s->wrong && s->elapsed_ns &&
	       sum(&s->curve) == s->size && !mock.in_flight && !mock.overlaps && !mock.changed &&
	       !mock.misaligned && mock.most_in_flight <= engine.depth &&
	       s->largest == mock.largest;
}

static void test_whole(void)
{
	static const uint64_t sizes[] = { 512, 65 * 1024, 3 * MIB + 512, 8 * MIB + 512,
					  17 * MIB - 512 };

	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		unsigned bad[4] = { 0 };

		for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			uint64_t size = sizes[k], offset = k % 3 * 512;
			struct stream s = start(&ways[i], offset, size);

			/* read into the ring, and look */
			s.check = check;
			s.arg = &s;
			stream_run(&s);
			bad[0] += !whole(&s) || not_once(size);

			/* read into a slab */
			s = start(&ways[i], offset, size);
			memset(slab, 0, size + 512);
			s.slab = slab;
			stream_run(&s);
			bad[1] += !whole(&s) || differ(slab, disk + offset, size) || slab[size];

			/* write from the slab: to a disk that is empty there */
			memset(disk + offset, 0, size);
			s = start(&ways[i], offset, size);
			s.slab = slab;
			s.write = true;
			stream_run(&s);
			bad[2] += !whole(&s) || differ(disk, expected, DISK);

			/* write from the ring */
			memset(disk + offset, 0, size);
			s = start(&ways[i], offset, size);
			s.write = true;
			s.fill = fill;
			s.arg = &s;
			stream_run(&s);
			bad[3] += !whole(&s) || differ(disk, expected, DISK);
		}
		ok(!bad[0], "%s: each byte is read and seen once", ways[i].name);
		ok(!bad[1], "%s: each byte is in its place in the slab", ways[i].name);
		ok(!bad[2], "%s: each byte is written from the slab", ways[i].name);
		ok(!bad[3], "%s: each byte is written from the ring", ways[i].name);
	}
}

/* ---- errors ------------------------------------------------------------------------------------
 */

static void test_errors(void)
{
	unsigned bad[4] = { 0 };

	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		for (unsigned k = 0; k < 12; k++) {
			uint64_t at = k == 0 ? 0 : k == 11 ? 12 * MIB - 512 : k * MIB + k * 512;
			struct stream s = start(&ways[i], 512, 12 * MIB);

			/* Nothing from there on: the first that fails is known. */
			mock.bad_from = 512 + at;
			mock.bad_to = DISK;
			mock.bad_error = EIO;
			s.check = check;
			s.arg = &s;
			stream_run(&s);
			bad[0] += s.error != -EIO || s.error_at != at || s.error_in_flush;
			bad[1] += s.bytes != at || not_once(at) || mock.in_flight || s.cut;

			/* One sector: what was in flight behind it arrives too. */
			s = start(&ways[i], 512, 12 * MIB);
			mock.bad_from = 512 + at;
			mock.bad_to = mock.bad_from + 512;
			mock.bad_error = ENOSPC;
			s.write = true;
			s.slab = (char *)expected + 512;
			stream_run(&s);
			bad[2] += s.error != -ENOSPC || s.error_at != at;
			bad[3] += s.bytes < at || sum(&s.curve) != s.bytes || mock.in_flight ||
				  differ(disk, expected, DISK);
		}
	ok(!bad[0], "the lowest offset that fails, in any order");
	ok(!bad[1], "what lies before it was read, and nothing else was");
	ok(!bad[2], "one sector that takes no write");
	ok(!bad[3], "all that completed is counted");
}

static void test_trouble(void)
{
	struct stream s = begin(0, 8 * MIB);

	mock.fail_submit = 3;
	stream_run(&s);
	ok(s.error == -ENOMEM && s.error_at == 65536 * 2 && !mock.in_flight,
	   "no transfer can be made: the error, and those in flight are waited for");
	s = begin(0, 8 * MIB);
	mock.fail_reap = 1;
	stream_run(&s);
	ok(s.error == -EFAULT && s.error_at == 0 && !s.bytes, "none can be waited for");

	s = begin(DISK - MIB, 2 * MIB);
	stream_run(&s);
	ok(s.error == -ENODATA && s.error_at == MIB && s.bytes == MIB, "the disk ends: read");
	s = begin(DISK - MIB, 2 * MIB);
	s.write = true;
	s.slab = (char *)expected + DISK - 2 * MIB;
	stream_run(&s);
	ok(s.error == -ENOSPC && s.error_at == MIB && s.bytes == MIB, "the disk ends: write");
	memcpy(disk, expected, DISK);
}

static void test_wrong(void)
{
	static const uint64_t places[] = { 0, 511, 65536, 5 * MIB + 777, 12 * MIB - 1 };
	unsigned bad = 0;

	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		for (unsigned k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
			struct stream s = start(&ways[i], 1024, 12 * MIB);

			/* The second is in flight at the same time. */
			disk[1024 + places[k]] ^= 4;
			disk[1024 + places[k] + MIB + 65536] ^= 8;
			s.check = check;
			s.arg = &s;
			stream_run(&s);
			bad += !s.wrong || s.wrong_at != places[k] || s.bytes != s.size || s.error;
			disk[1024 + places[k] + MIB + 65536] ^= 8;
			disk[1024 + places[k]] ^= 4;
		}
	ok(!bad, "the lowest byte that is wrong, in any order");
}

/* ---- the end
 * -------------------------------------------------------------------------------------- */

static void test_ends(void)
{
	struct stream s = begin(0, DISK);

	s.deadline_ns = 1;
	s.check = check;
	s.arg = &s;
	stream_run(&s);
	ok(s.cut && !s.error && s.bytes && s.bytes <= 4 * STREAM_LEAST && !mock.in_flight &&
		   !not_once(s.bytes),
	   "a deadline that has passed: what is in flight, and no more");
	s = begin(0, 65536);
	s.deadline_ns = 1;
	stream_run(&s);
	ok(!s.cut && s.bytes == 65536, "one that was all: not cut");

	s = begin(0, DISK);
	mock.stop_after = 20;
	s.check = check;
	s.arg = &s;
	stream_run(&s);
	ok(!s.cut && !s.error && mock.completions < 20 + ENGINE_DEPTH && !mock.in_flight &&
		   !not_once(s.bytes),
	   "a signal: what is in flight, and no more");
	s = begin(0, DISK);
	mock.stop_after = 1;
	mock.again_every = 1;
	stream_run(&s);
	ok(!s.bytes && !mock.in_flight, "a signal while a transfer is put off again and again");
}

static void test_window(void)
{
	struct stream s = begin(0, DISK);

	s.slab = slab;
	stream_run(&s);
	ok(mock.largest == 2 * MIB && mock.most_bytes > 8 * MIB && mock.most_bytes <= STREAM_MOST &&
		   mock.most_in_flight == 8,
	   "quick transfers: up to 16 MiB in flight");
	s = begin(0, DISK);
	stream_run(&s);
	ok(mock.most_bytes > 4 * MIB && mock.most_bytes <= STREAM_RING,
	   "through the ring: no more than it holds");
	s = begin(0, 16 * 65536);
	mock.sleep_ms = 130;
	stream_run(&s);
	ok(mock.most_bytes == 65536 && s.bytes == s.size,
	   "130 ms for 64 KiB: one at a time to the end");
	s = begin(0, DISK);
	s.slab = slab;
	stream_run(&s);
	s = begin(0, 64 * 65536);
	engine.depth = 1;
	engine.largest = 16 * MIB;
	s.align = MIB;
	s.slab = slab;
	stream_run(&s);
	ok(mock.most_bytes >= MIB && mock.largest % MIB == 0 && s.bytes == s.size,
	   "transfers are multiples of a large sector");
	s = begin(0, 16 * MIB);
	s.align = MIB;
	s.slab = slab;
	stream_run(&s);
	ok(mock.least % MIB == 0 && mock.submits <= 16, "eight at a time too: %u transfers",
	   mock.submits);
}

static unsigned slow_after;

/* Quick at first, then slow: what is in flight shrinks. */
static int slowing_reap(struct completion *done)
{
	mock.sleep_ms =
		mock.completions >= slow_after && mock.completions < slow_after + 6 ? 260 : 0;
	if (mock.completions == slow_after)
		mock.most_bytes = 0;
	return mock_reap(done);
}

static void test_shrinking(void)
{
	struct stream s = begin(0, DISK);

	engine.reap = slowing_reap;
	engine.depth = 1;
	engine.largest = 4 * MIB;
	slow_after = 7;
	s.slab = slab;
	stream_run(&s);
	engine.reap = mock_reap;
	ok(s.bytes == s.size && s.longest_ns >= 250000000, "the longest is known");
	ok(s.largest == 4 * MIB && mock.submits > 7 + 6, "slow transfers: smaller ones (%u)",
	   mock.submits);
}

/* ---- the flush, and the engine that always works
 * ------------------------------------------------- */

extern const struct engine engine_uring __attribute__((weak));

static void test_flush(void)
{
	const struct engine *plain;
	struct fake_disk *d;
	struct stream s;
	int fd;

	fake_begin();
	d = fake_disk("/dev/fake0", 4 * MIB, 512, 512);
	fd = sys.open("/dev/fake0", O_RDWR | O_DIRECT, 0);
	plain = engine_open();
	ok(!strcmp(plain->name, "plain") && !plain->open(), "without rings: plain");
	s = begin(512, 3 * MIB);
	s.engine = plain;
	s.fd = fd;
	s.write = s.flush = true;
	memcpy(slab, d->data + 512, 3 * MIB);
	s.slab = slab;
	d->most = 300 * 512;
	fake_interrupt_every = 3;
	stream_run(&s);
	ok(s.bytes == 3 * MIB && !s.error && d->flushes == 1 &&
		   fake_log[fake_logged - 1].op == FAKE_FLUSH && fake_changed(d) == UINT64_MAX,
	   "plain: written, then one flush");
	s.bytes = s.ops = s.elapsed_ns = 0;
	s.flush = false;
	stream_run(&s);
	ok(s.bytes == 3 * MIB && d->flushes == 1, "none where none is asked for");
	s.bytes = s.ops = 0;
	s.flush = true;
	fake_fail_ops = FAKE_FLUSH;
	fake_fail_at(1, EIO);
	stream_run(&s);
	ok(s.error == -EIO && s.error_in_flush && s.error_at == 3 * MIB && s.bytes == 3 * MIB,
	   "it fails: that is said");
	fake_fail_ops = FAKE_ANY;
	fake_fail_at(0, 0);

	fake_interrupt_every = 0;
	fake_fault(d, FAKE_WRITE, FAKE_SHORT, 512 + MIB, 512 + MIB + 512, EIO);
	s.error = 0;
	s.error_in_flush = false;
	s.bytes = 0;
	stream_run(&s);
	ok(s.error == -EIO && s.error_at == MIB && !s.error_in_flush && s.bytes == MIB,
	   "a write fails");
	d->gone_after = 2;
	s.error = 0;
	s.bytes = 0;
	fake_forget();
	stream_run(&s);
	ok(s.error == -ENODEV && fake_log[fake_logged - 1].op == FAKE_WRITE &&
		   fake_log[fake_logged - 1].rc == -ENODEV && fake_count(d, FAKE_WRITE) == 3,
	   "the disk is gone: no further call");
	sys.close(fd);
	fake_end();
}

int main(void)
{
	progress_init(false, true);
	disk = malloc(DISK + 512);
	expected = malloc(DISK + 512);
	slab = aligned_alloc(4096, DISK + 4096);
	ring = aligned_alloc(4096, STREAM_RING);
	copies = malloc(16 * MIB);
	times = malloc(DISK / 512);
	if (!disk || !expected || !slab || !ring || !times || !copies)
		return 1;
	random_bytes(disk);
	memcpy(expected, disk, DISK);
	test_whole();
	test_errors();
	test_trouble();
	test_wrong();
	test_ends();
	test_window();
	test_shrinking();
	test_flush();
	free(disk);
	free(expected);
	free(slab);
	free(ring);
	free(times);
	free(copies);
	return tap_done();
}
