/* SPDX-License-Identifier: MIT */
/* latency - small accesses: in order or at random, flushed or not, each counted once. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <timing/clock.h>
#include <timing/progress.h>

#include "../../src/applets/ddtest/latency.h"
#include "../../src/applets/ddtest/locate.h"
#include "../../src/applets/ddtest/stream.h"
#include "../fake/sys.h"
#include "../tap.h"

#define MIB (1u << 20)

static char memory[MIB] __attribute__((aligned(4096)));
static struct histogram lat;
static struct fake_disk *d;
static int fd;

static void begin(uint32_t sector)
{
	fake_begin();
	stop_signal = 0;
	d = fake_disk("/dev/fake0", MIB, sector, sector);
	fd = sys.open("/dev/fake0", O_RDWR | O_DIRECT, 0);
	memset(&lat, 0, sizeof(lat));
}

static struct latency writes(uint64_t offset, uint64_t region, uint64_t count, uint32_t block)
{
	memcpy(memory, d->data + offset, region);
	fake_forget();
	return (struct latency){ .fd = fd,
				 .write = true,
				 .offset = offset,
				 .count = count,
				 .block = block,
				 .memory = memory,
				 .region = region,
				 .lat = &lat };
}

static void end(const char *name)
{
	sys.close(fd);
	ok(fake_changed(d) == UINT64_MAX, "%s: each byte went to its place", name);
	fake_end();
}

/* Whether write number @i of the log (flushes left out) is at the place it must be at. */
static unsigned out_of_order(uint64_t offset, uint64_t region, uint32_t block)
{
	uint64_t at = 0;
	unsigned bad = 0;

	for (size_t i = 0; i < fake_logged; i++) {
		const struct fake_call *c = &fake_log[i];

		if (c->op != FAKE_WRITE)
			continue;
		bad += c->offset != offset + at || c->size != block;
		at = (at + block) % region;
	}
	return bad;
}

static void test_order(void)
{
	static const struct {
		uint32_t sector, block;
		uint64_t offset, region, count;
		bool flush;
	} cases[] = {
		{ 512, 512, 4096, 8192, 10, false },  { 512, 512, 4096, 8192, 16, true },
		{ 512, 512, 512, 8192, 17, false },   { 512, 512, 0, 512, 5, true },
		{ 512, 1536, 1024, 6144, 11, false }, { 4096, 4096, 4096, 16384, 9, true },
		{ 4096, 65536, 0, 131072, 3, false }, { 512, 512, MIB - 1024, 1024, 7, true },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct latency l;
		uint64_t took;
		char name[64];

		begin(cases[i].sector);
		l = writes(cases[i].offset, cases[i].region, cases[i].count, cases[i].block);
		l.flush = cases[i].flush;
		snprintf(name, sizeof(name), "%u x %u at %u%s", (unsigned)cases[i].count,
			 cases[i].block, (unsigned)cases[i].offset, l.flush ? ", flushed" : "");
		took = clock_now();
		latency_run(&l);
		took = clock_now() - took;
		ok(!l.error && !l.cut && l.ops == cases[i].count && lat.count == l.ops,
		   "%s: all done, all in the histogram", name);
		ok(fake_count(d, FAKE_WRITE) == l.count &&
			   !out_of_order(l.offset, l.region, l.block),
		   "%s: in order, round and round", name);
		ok(d->flushes == (l.flush ? l.count : 0), "%s: %u flushes", name, d->flushes);
		ok(took >= l.elapsed_ns && l.elapsed_ns >= lat.sum_ns && lat.sum_ns > 0,
		   "%s: no time counted twice", name);
		if (l.flush)
			ok(fake_log[0].op == FAKE_WRITE && fake_log[1].op == FAKE_FLUSH &&
				   fake_log[2].op == FAKE_WRITE,
			   "%s: a flush after each write", name);
		end(name);
	}
}

static void test_short(void)
{
	struct latency l;

	begin(512);
	l = writes(4096, 65536, 40, 4096);
	d->most = 1536;
	fake_interrupt_every = 3;
	latency_run(&l);
	ok(!l.error && l.ops == 40 && lat.count == 40, "short and interrupted: all done");
	ok(fake_moved(d, FAKE_WRITE) == 40 * 4096, "and nothing twice");
	end("short and interrupted");

	begin(512);
	memset(memory, 0, sizeof(memory));
	l = (struct latency){ .fd = fd,
			      .count = 50,
			      .block = 4096,
			      .memory = memory,
			      .region = MIB,
			      .seed = 5,
			      .lat = &lat };
	d->most = 512;
	fake_interrupt_every = 2;
	latency_run(&l);
	ok(!l.error && l.ops == 50 && fake_moved(d, FAKE_READ) == 50 * 4096, "reads too");
	end("reads too");
}

static void test_errors(void)
{
	struct latency l;

	begin(512);
	l = writes(4096, 8192, 40, 512);
	fake_fault(d, FAKE_WRITE, FAKE_ERROR, 4096 + 3 * 512, 4096 + 4 * 512, EIO);
	latency_run(&l);
	ok(l.error == -EIO && l.error_at == 4096 + 3 * 512 && !l.error_in_flush,
	   "a write fails, at its offset");
	ok(l.ops == 3 && lat.count == 3, "what was done before it is counted, it is not");
	ok(fake_count(d, FAKE_WRITE) == 4, "and it is the last");
	end("a write fails");

	begin(512);
	l = writes(4096, 8192, 40, 512);
	l.flush = true;
	fake_fail_ops = FAKE_FLUSH;
	fake_fail_at(6, EIO);
	latency_run(&l);
	ok(l.error == -EIO && l.error_in_flush && l.ops == 5 && lat.count == 5,
	   "a flush fails: it says so");
	ok(l.error_at == 4096 + 5 * 512, "with the write it belongs to");
	end("a flush fails");

	begin(512);
	l = writes(4096, 8192, 40, 512);
	fake_fault(d, FAKE_WRITE, FAKE_SHORT, 4096 + 512, 4096 + 1024, ENOSPC);
	l.block = 1024;
	latency_run(&l);
	ok(l.error == -ENOSPC && l.ops == 0, "a short write, then no room");
	end("no room");

	begin(512);
	l = (struct latency){ .fd = fd,
			      .count = 9,
			      .block = 4096,
			      .memory = memory,
			      .offset = MIB - 2048,
			      .region = 4096,
			      .lat = &lat };
	latency_run(&l);
	ok(l.error == -ENODATA && l.error_at == MIB - 2048, "a read beyond the end");
	end("beyond the end");
}

/* A terminal that takes 200 ms for the line of progress that SIGUSR1 asks for. */
static void test_slow_console(void)
{
	struct timespec pause = { .tv_nsec = 200000000 };
	int ends[2], old = dup(STDERR_FILENO);
	static char full[4096];
	struct latency l;
	uint64_t took;
	pid_t child;

	if (old < 0 || pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, 4096) != 4096 ||
	    write(ends[1], full, 4096) != 4096)
		abort();
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	child = fork();
	if (!child) {
		close(STDERR_FILENO);
		nanosleep(&pause, NULL);
		while (read(ends[0], full, sizeof(full)) > 0)
			;
		_exit(0);
	}
	begin(512);
	l = writes(0, 4096, 100, 512);
	progress_phase("disk", "writes", 100, false, 0);
	raise(SIGUSR1);
	took = clock_now();
	latency_run(&l);
	took = clock_now() - took;
	dup2(old, STDERR_FILENO);
	close(old);
	close(ends[0]);
	waitpid(child, NULL, 0);
	ok(l.ops == 100 && took > l.elapsed_ns + 150000000 && took > lat.sum_ns + 150000000,
	   "what printing progress takes is no operation's time");
	end("a slow terminal");
}

static void raise_stop(const struct fake_call *call)
{
	static unsigned calls;

	(void)call;
	if (++calls == 6)
		stop_signal = 15;
}

static void test_ends(void)
{
	struct latency l;

	begin(512);
	l = writes(0, 4096, 1000000, 512);
	l.deadline_ns = 1;
	latency_run(&l);
	ok(l.cut && l.ops == 1 && !l.error, "a deadline that has passed: after the first");
	end("deadline");

	begin(512);
	l = writes(0, 4096, 1, 512);
	l.deadline_ns = 1;
	latency_run(&l);
	ok(!l.cut && l.ops == 1, "one that was all there is to do: not cut");
	end("all done");

	begin(512);
	l = writes(0, 4096, 1000, 512);
	fake_hook = raise_stop;
	latency_run(&l);
	ok(l.ops == 6 && !l.cut && !l.error, "a signal: at once");
	end("signal");
}

static uint64_t seen[2][4096];

static unsigned seeks(unsigned into, uint64_t seed, uint64_t region, uint32_t block)
{
	struct latency l;
	unsigned bad = 0, n = 0;

	begin(512);
	l = (struct latency){ .fd = fd,
			      .count = 4096,
			      .block = block,
			      .memory = memory,
			      .region = region,
			      .seed = seed,
			      .lat = &lat };
	latency_run(&l);
	for (size_t i = 0; i < fake_logged; i++) {
		const struct fake_call *c = &fake_log[i];

		if (c->op != FAKE_READ)
			continue;
		bad += c->offset % block || c->offset + block > region || c->size != block;
		seen[into][n++] = c->offset;
	}
	bad += n != 4096 || l.ops != 4096 || lat.count != 4096;
	sys.close(fd);
	fake_end();
	return bad;
}

static void test_seeks(void)
{
	bool hit[256] = { 0 };
	unsigned missed = 0, repeated = 0;

	ok(!seeks(0, 1, MIB, 4096), "seeks are aligned, whole, and in the region");
	for (unsigned i = 0; i < 4096; i++) {
		hit[seen[0][i] / 4096] = true;
		repeated += i && seen[0][i] == seen[0][i - 1] + 4096;
	}
	for (unsigned i = 0; i < 256; i++)
		missed += !hit[i];
	ok(!missed, "each of 256 places is met in 4096 seeks, the first and the last too");
	ok(repeated < 60, "and they do not go in order");
	ok(!seeks(1, 1, MIB, 4096) && !memcmp(seen[0], seen[1], sizeof(seen[0])),
	   "the same seed: the same sequence");
	ok(!seeks(1, 2, MIB, 4096) && memcmp(seen[0], seen[1], sizeof(seen[0])),
	   "another seed: another one");
	ok(!seeks(1, UINT64_MAX, MIB, 4096) && !seeks(1, 0, MIB, 4096) &&
		   !seeks(1, 1ull << 63, MIB, 4096),
	   "any seed");
	ok(!seeks(1, 3, 4096, 4096) && !seeks(1, 3, 12288, 4096), "regions of one block and three");
}

/* ---- which sector it is -------------------------------------------------------------- */

static uint64_t locate(uint32_t sector, uint64_t bad, uint64_t at, size_t length, enum fake_kind k)
{
	uint64_t found;

	begin(sector);
	fake_fault(d, FAKE_READ, k, bad, bad + sector, EIO);
	found = locate_unreadable(fd, at, length, sector, memory);
	sys.close(fd);
	return found;
}

static void test_locate(void)
{
	unsigned wrong = 0, most = 0;

	for (unsigned sector = 512; sector <= 4096; sector *= 8)
		for (unsigned i = 0; i < 65536 / sector; i++) {
			uint64_t bad = 131072 + i * sector;

			wrong += locate(sector, bad, 131072, 65536, FAKE_ERROR) != bad;
			if (fake_count(d, FAKE_READ) > most)
				most = (unsigned)fake_count(d, FAKE_READ);
			fake_end();
			wrong += locate(sector, bad, 131072, 65536, FAKE_SHORT) != bad;
			fake_end();
		}
	ok(!wrong, "the one bad sector of a transfer, wherever it is");
	ok(most <= 9, "by halves: %u reads", most);
	ok(locate(512, 131072 + 512 * 5, 131072, 512 * 7, FAKE_ERROR) == 131072 + 512 * 5,
	   "of an odd number of sectors");
	fake_end();
	ok(locate(512, 131072, 131072, 512, FAKE_ERROR) == 131072, "of one sector");
	fake_end();
	ok(locate(512, MIB - 512, MIB - 4096, 65536, FAKE_ERROR) == MIB - 512,
	   "the disk's last, where the transfer would end beyond it");
	fake_end();
	ok(locate(4096, 0, 0, 65536, FAKE_ERROR) == 0, "the disk's first");
	fake_end();
	begin(512);
	fake_fault(d, FAKE_READ, FAKE_ERROR, 8192 + 1024, 8192 + 1536, EIO);
	fake_fault(d, FAKE_READ, FAKE_ERROR, 8192 + 4096, 8192 + 8192, EIO);
	ok(locate_unreadable(fd, 8192, 16384, 512, memory) == 8192 + 1024, "the first of several");
	fake_end();
	begin(512);
	ok(locate_unreadable(fd, 8192, 16384, 512, memory) == 8192,
	   "none that fails again: where the transfer began");
	ok(locate_unreadable(fd, MIB - 4096, 16384, 512, memory) == MIB - 4096,
	   "the same at the end of the disk");
	ok(locate_unreadable(fd, 8192, 16384, 0, memory) == 8192, "no sector size: as it is");
	fake_end();
}

int main(void)
{
	progress_init(false, true);
	test_order();
	test_short();
	test_errors();
	test_slow_console();
	test_ends();
	test_seeks();
	test_locate();
	return tap_done();
}
