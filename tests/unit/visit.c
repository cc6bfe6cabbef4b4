/* SPDX-License-Identifier: MIT */
/* visit - the data is kept, whatever fails; and what is wrong is found, at its byte. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <device/attr.h>
#include <timing/progress.h>

#include "../../src/applets/ddtest/stream.h"
#include "../../src/applets/ddtest/visit.h"
#include "../fake/sys.h"
#include "../tap.h"

#define KIB 1024ull
#define MIB (1024 * KIB)

/* ---- what is written is looked at before it is --------------------------------------------- */

enum harm { NONE, DROP, MISPLACE, FLIP };

static struct {
	unsigned writes, different, after_gone;
	bool gone;
	enum harm harm;
	uint64_t at, from; /* the write over this byte of the disk; where what it moves goes */
	unsigned skip;     /* so many of them are well */
	bool done;
} watch;

static struct fake_disk *d;
static ssize_t (*fake_pwrite)(int fd, const void *buf, size_t size, off_t offset);
static ssize_t (*fake_pread)(int fd, void *buf, size_t size, off_t offset);
static int (*fake_fdatasync)(int fd);

static ssize_t note_gone(ssize_t rc)
{
	watch.gone |= rc == -ENODEV;
	return rc;
}

static ssize_t harm(int fd, const void *buf, size_t size, off_t offset)
{
	watch.done = true;
	if (watch.harm == DROP)
		return (ssize_t)size;
	if (watch.harm == MISPLACE)
		return fake_pwrite(fd, buf, size, (off_t)watch.from);
	fake_pwrite(fd, buf, size, offset);
	d->data[watch.at] ^= 0x20;
	return (ssize_t)size;
}

static ssize_t watched_pwrite(int fd, const void *buf, size_t size, off_t offset)
{
	uint64_t at = (uint64_t)offset;

	watch.writes++;
	watch.after_gone += watch.gone;
	watch.different += at + size > d->size_bytes || memcmp(buf, d->data + at, size);
	if (watch.harm && !watch.done && at <= watch.at && watch.at < at + size && !watch.skip--)
		return harm(fd, buf, size, offset);
	return note_gone(fake_pwrite(fd, buf, size, offset));
}

static struct config c;
static unsigned cut_reads; /* after so many reads -t is none */

static ssize_t watched_pread(int fd, void *buf, size_t size, off_t offset)
{
	if (cut_reads && !--cut_reads)
		c.time_ns = 0;
	return note_gone(fake_pread(fd, buf, size, offset));
}

static int watched_fdatasync(int fd)
{
	return (int)note_gone(fake_fdatasync(fd));
}

/* ---- one visit ---------------------------------------------------------------------------------
 */

struct scene {
	const char *name;
	uint32_t logical, physical;
	uint64_t disk, offset, size, count, block;
	uint64_t slab; /* bytes for the slab, 0: plenty */
	unsigned modes;
	bool destroy, read_only;
};

#define BOTH (1u << MODE_DIRECT | 1u << MODE_DSYNC)

static struct outcome o;
static struct target t;
static struct visit v;
static char root[] = "/tmp/visit.XXXXXX";

static void memory_file(uint64_t bytes)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	f = fopen(path, "w");
	if (!f)
		abort();
	fprintf(f, "MemTotal: 1 kB\nMemAvailable: %llu kB\n",
		(unsigned long long)(bytes / KIB * 4 / 3 + 1));
	fclose(f);
}

static void set_up(const struct scene *s)
{
	memory_file(s->slab ? s->slab : 64 * MIB);
	fake_begin();
	stop_signal = 0;
	memset(&watch, 0, sizeof(watch));
	memset(&o, 0, sizeof(o));
	memset(&v, 0, sizeof(v));
	fake_pwrite = sys.pwrite;
	fake_pread = sys.pread;
	fake_fdatasync = sys.fdatasync;
	sys.pwrite = watched_pwrite;
	sys.pread = watched_pread;
	sys.fdatasync = watched_fdatasync;
	d = fake_disk("/dev/fake0", s->disk, s->logical, s->physical);
	c = (struct config){
		.write = !s->read_only && !s->destroy,
		.destroy = s->destroy ? "/dev/fake0" : NULL,
		.force = s->destroy,
		.size = s->size,
		.offset = s->offset,
		.count = s->count,
		.block = s->block,
		.seed = 1,
		.modes = s->modes,
		.rpm = CONFIG_UNSET,
	};
}

/* An engine that has eight in flight, and completes the last first. */
static struct transfer late[ENGINE_DEPTH];
static unsigned late_count;
static bool use_late;

static int late_submit(const struct transfer *transfer)
{
	late[late_count++] = *transfer;
	return 0;
}

static int late_reap(struct completion *done)
{
	const struct transfer *l = &late[--late_count];

	done->slot = l->slot;
	done->result = l->write
			       ? sys.pwrite(l->fd, l->memory.iov_base, l->memory.iov_len, l->offset)
			       : sys.pread(l->fd, l->memory.iov_base, l->memory.iov_len, l->offset);
	return 0;
}

static void late_close(void)
{
}

static const struct engine late_engine = { .name = "late",
					   .depth = ENGINE_DEPTH,
					   .largest = 2 * MIB,
					   .submit = late_submit,
					   .reap = late_reap,
					   .close = late_close };

static enum status begin(void)
{
	enum status status = target_examine(&t, "/dev/fake0", &c, &o);

	if (status == STATUS_OK)
		status = target_open(&t, &c);
	if (status == STATUS_OK)
		status = visit_prepare(&v, &t, &c, 1);
	late_count = 0;
	if (status == STATUS_OK && use_late)
		v.engine = &late_engine;
	return status;
}

static void finish(void)
{
	visit_close(&v);
	target_close(&t);
}

static void run(const struct scene *s)
{
	set_up(s);
	if (begin() == STATUS_OK)
		visit_run(&v);
	finish();
}

static const struct run *find(enum test test, enum mode m)
{
	return outcome_find(&o, test, m, CACHE_AS_IS);
}

/* The same, but a run of nothing where there is none. */
static const struct run *run_of(enum test test, enum mode m)
{
	static const struct run none;
	const struct run *r = find(test, m);

	return r ? r : &none;
}

static bool unreadable_says(const char *text)
{
	const struct verdict *found = record_has(&o.record, "unreadable");

	return found && strstr(found->text, text);
}

/* ---- the data is kept
 * ------------------------------------------------------------------------------ */

static const struct scene scenes[] = {
	{ "512", 512, 512, 4 * MIB, 1 * MIB, 300 * KIB, 40, 512, 0, BOTH, 0, 0 },
	{ "512e", 512, 4096, 4 * MIB, 4096, 268 * KIB, 40, 512, 0, BOTH, 0, 0 },
	{ "4096", 4096, 4096, 2 * MIB, 1 * MIB, 256 * KIB, 40, 4096, 0, BOTH, 0, 0 },
	{ "4096, block raised", 4096, 4096, 2 * MIB, 0, 64 * KIB, 9, 512, 0, BOTH, 0, 0 },
	{ "odd offset and size", 512, 512, 2 * MIB + 512, 1536, 333312, 33, 1536, 0, BOTH, 0, 0 },
	{ "odd on 512e", 512, 4096, 2 * MIB + 512, 1536, 333312, 33, 512, 0, BOTH, 0, 0 },
	{ "odd on 4096", 4096, 4096, 2 * MIB, 12288, 335872, 33, 8192, 0, BOTH, 0, 0 },
	{ "several slabs", 512, 512, 8 * MIB, 512, 5 * MIB + 512, 20, 512, 2 * MIB, BOTH, 0, 0 },
	{ "several slabs on 4096", 4096, 4096, 8 * MIB, 4096, 5 * MIB, 20, 4096, 2 * MIB, BOTH, 0,
	  0 },
	{ "round and round", 512, 512, 64 * KIB, 16 * KIB, 32 * KIB, 1000, 4096, 0, BOTH, 0, 0 },
	{ "to the last sector", 512, 512, 1 * MIB + 512, 1 * MIB, 1 * MIB, 30, 512, 0, BOTH, 0, 0 },
	{ "one sector", 512, 512, 512, 0, 512, 3, 512, 0, BOTH, 0, 0 },
	{ "less than a physical sector", 512, 4096, 2048, 0, 2048, 3, 512, 0, BOTH, 0, 0 },
	{ "default place on a small disk", 512, 512, 100 * KIB, CONFIG_UNSET, CONFIG_UNSET, 20, 512,
	  0, BOTH, 0, 0 },
	{ "direct alone", 512, 512, 2 * MIB, 0, 1 * MIB, 20, 512, 0, 1u << MODE_DIRECT, 0, 0 },
	{ "slabs, direct alone", 512, 512, 4 * MIB, 0, 3 * MIB, 20, 512, 1 * MIB + 512,
	  1u << MODE_DIRECT, 0, 0 },
	{ "dsync alone", 512, 512, 2 * MIB, 0, 1 * MIB, 20, 512, 0, 1u << MODE_DSYNC, 0, 0 },
};

#define SCENES (sizeof(scenes) / sizeof(scenes[0]))

/* How many bytes of the disk were written at least once. */
static uint64_t covered(void)
{
	unsigned char *hit = calloc(1, d->size_bytes / 512);
	uint64_t n = 0;

	for (size_t i = 0; i < fake_logged; i++)
		if (fake_log[i].op == FAKE_WRITE && fake_log[i].rc > 0)
			memset(hit + fake_log[i].offset / 512, 1, (size_t)fake_log[i].rc / 512);
	for (uint64_t i = 0; i < d->size_bytes / 512; i++)
		n += hit[i];
	free(hit);
	return n * 512;
}

static bool aligned_writes(void)
{
	for (size_t i = 0; i < fake_logged; i++)
		if (fake_log[i].op == FAKE_WRITE &&
		    (!(fake_log[i].flags & O_DIRECT) || !(fake_log[i].flags & O_EXCL)))
			return false;
	return true;
}

/* Whether the whole of what is written was read twice before. */
static bool read_before(void)
{
	unsigned char *reads = calloc(1, d->size_bytes / 512);
	bool good = true;

	for (size_t i = 0; i < fake_logged; i++) {
		const struct fake_call *call = &fake_log[i];
		uint64_t at = call->offset / 512;

		for (ssize_t n = 0; call->rc > 0 && n < call->rc / 512; n++) {
			if (call->op == FAKE_READ && call->size > 4096)
				reads[at + (uint64_t)n] += reads[at + (uint64_t)n] < 2;
			if (call->op == FAKE_WRITE)
				good &= reads[at + (uint64_t)n] >= 2;
		}
	}
	free(reads);
	return good;
}

static void test_kept(void)
{
	for (unsigned i = 0; i < SCENES; i++) {
		const struct scene *s = &scenes[i];
		const struct run *direct, *dsync, *small;

		run(s);
		ok(o.record.status == STATUS_OK && !o.record.troubles && !o.record.verdicts,
		   "%s: nothing is wrong", s->name);
		ok(watch.writes && !watch.different && fake_changed(d) == UINT64_MAX,
		   "%s: %u writes, each of the bytes that were there", s->name, watch.writes);
		ok(aligned_writes(), "%s: O_DIRECT, O_EXCL", s->name);
		ok(o.compared, "%s: read back", s->name);
		ok(fake_descriptors == 0, "%s: nothing is left open", s->name);
		direct = find(TEST_STREAM_WRITE, MODE_DIRECT);
		dsync = find(TEST_STREAM_WRITE, MODE_DSYNC);
		small = find(TEST_LATENCY_WRITE, s->modes & 1 ? MODE_DIRECT : MODE_DSYNC);
		ok(small && small->ops == s->count && small->lat.count == s->count,
		   "%s: all small writes", s->name);
		if (v.slabs > 1)
			ok(!direct && !dsync == !(s->modes & 2), "%s: no figure for direct",
			   s->name);
		else
			ok(!!direct == !!(s->modes & 1) && !!dsync == !!(s->modes & 2),
			   "%s: the modes that were asked for", s->name);
		if (dsync)
			ok(dsync->bytes == v.size, "%s: all of the stream", s->name);
		ok(v.size <= 4096 || read_before(), "%s: read twice before", s->name);
		fake_end();
	}
}

/* The region, computed by hand, and nothing beside it. */
static void test_places(void)
{
	run(&scenes[0]);
	ok(o.offset_bytes == MIB && v.size == 300 * KIB && covered() == 300 * KIB &&
		   d->written_to == MIB + 300 * KIB,
	   "512: the region");
	fake_end();
	run(&scenes[5]);
	/* 1536 up to 4096; 1536 + 333312 = 334848 down to 331776 */
	ok(o.offset_bytes == 4096 && v.size == 331776 - 4096 && covered() == v.size,
	   "odd on 512e: to physical sectors");
	fake_end();
	set_up(&scenes[5]);
	d->alignment_offset = 3584;
	begin();
	visit_run(&v);
	finish();
	/* Physical sectors begin at 3584, 7680 ...; 3584 + 80 x 4096 = 331264 is the last end. */
	ok(o.offset_bytes == 3584 && v.size == 331264 - 3584 && covered() == v.size && o.compared,
	   "where they begin elsewhere than the partition does");
	fake_end();
	run(&scenes[9]);
	ok(covered() == 48 * KIB && run_of(TEST_LATENCY_WRITE, MODE_DIRECT)->ops == 1000 &&
		   o.note_count,
	   "round and round: to the end of the disk, said");
	fake_end();
	run(&scenes[13]);
	ok(o.offset_bytes == 0 && v.size == 100 * KIB, "a disk of 100 KiB: all of it");
	fake_end();
	run(&scenes[7]);
	ok(v.slabs == 3 && covered() == 5 * MIB + 512 && d->flushes == 3 + 20,
	   "three slabs, each with a flush");
	fake_end();
}

static bool has_note(const char *text)
{
	for (unsigned i = 0; i < o.note_count; i++)
		if (strstr(o.notes[i], text))
			return true;
	return false;
}

static bool has_trouble(const char *text)
{
	for (unsigned i = 0; i < o.record.troubles; i++)
		if (strstr(o.record.trouble[i].text, text))
			return true;
	return false;
}

/* The first sector and byte that the verdict names. */
static bool verdict_at(const char *id, uint64_t *sector, uint64_t *byte)
{
	const struct verdict *found = record_has(&o.record, id);
	unsigned long long s, b;

	if (!found ||
	    sscanf(found->text, "sector %llu of 4000:0 (byte %llu of 4000:0)", &s, &b) != 2)
		return false;
	*sector = s;
	*byte = b;
	return true;
}

static bool names(const char *id, uint64_t byte, uint32_t logical)
{
	uint64_t sector, b;

	return verdict_at(id, &sector, &b) && b == byte && sector == byte / logical;
}

/* ---- each call fails
 * ----------------------------------------------------------------------------------- */

/* The first call on the disk that failed, or NULL. */
static const struct fake_call *failed_call(void)
{
	for (size_t i = 0; i < fake_logged; i++)
		if (fake_log[i].rc < 0 && fake_log[i].op & (FAKE_READ | FAKE_WRITE | FAKE_FLUSH))
			return &fake_log[i];
	return NULL;
}

static unsigned calls_after(const struct fake_call *call, unsigned ops)
{
	unsigned n = 0;

	for (call++; call < fake_log + fake_logged; call++)
		n += (call->op & ops) != 0;
	return n;
}

static unsigned incomplete(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < o.runs; i++)
		n += o.run[i].incomplete;
	return n;
}

/* What is not as it must be after a call failed with @err, as a word. */
static const char *judge(int err)
{
	const struct fake_call *call = failed_call();

	if (watch.different || fake_changed(d) != UINT64_MAX)
		return "data changed";
	if (watch.after_gone)
		return "a write after ENODEV";
	if (fake_descriptors)
		return "a descriptor is open";
	/* Of several slabs those before were. */
	if (o.compared && (!call || call->op != FAKE_READ || v.slabs == 1) &&
	    o.record.status != STATUS_OK)
		return "compared, it says";
	if (o.record.status != STATUS_OK && !o.record.troubles)
		return "a status without a message";
	if (o.record.status == STATUS_OK && o.record.troubles)
		return "a message without a status";
	if (o.record.troubles > 1)
		return "said twice";
	if (!call || (err == EINTR && call->op != FAKE_FLUSH))
		return o.record.status != STATUS_OK && call ? "EINTR was no end" : NULL;
	if (o.record.status != STATUS_FAILED)
		return "not status 5";
	if (call->op == FAKE_READ && calls_after(call, FAKE_WRITE | FAKE_FLUSH))
		return "written to after a read error";
	if (call->op == FAKE_WRITE && calls_after(call, FAKE_WRITE))
		return "written to after a write error";
	if (err == ENODEV && !has_trouble("vanished") && !has_trouble("cannot"))
		return "not said that it vanished";
	if (err == EIO && call->op == FAKE_READ && !record_has(&o.record, "unreadable") &&
	    !has_trouble("first sectors"))
		return "not said that it is unreadable";
	if (call->op == FAKE_FLUSH && !has_trouble("flush failed") && err != ENODEV)
		return "not said that the flush failed";
	if (call->op != FAKE_READ && incomplete() != 1)
		return "not marked incomplete";
	return NULL;
}

static void test_each_call(const struct scene *s, unsigned ops, int err, size_t most)
{
	const char *wrong = NULL;
	unsigned n = 1;

	for (; !wrong; n++) {
		set_up(s);
		d->most = most;
		fake_fail_ops = ops;
		fake_fail_at(n, err);
		if (begin() == STATUS_OK)
			visit_run(&v);
		finish();
		wrong = judge(err);
		if (!fake_failed())
			break;
		if (wrong)
			break;
		fake_end();
	}
	ok(!wrong && !fake_failed() && n > 20 && o.record.status == STATUS_OK && o.compared,
	   "%s, %s%s: call 1, 2, 3 ... fails, until call %u: %s", s->name,
	   err == EIO      ? "EIO"
	   : err == ENODEV ? "ENODEV"
	   : err == ENOSPC ? "ENOSPC"
			   : "EINTR",
	   most ? ", short transfers" : "", n, wrong ? wrong : "well");
	if (wrong)
		for (unsigned i = 0; i < o.record.troubles; i++)
			printf("# %s\n", o.record.trouble[i].text);
	fake_end();
}

static const struct scene brief = { "brief", 512, 512, 256 * KIB, 8192, 100 * KIB,
				    7,       512, 0,   BOTH,      0,    0 };
static const struct scene brief4k = { "brief, 4096", 4096, 4096, 256 * KIB, 8192, 64 * KIB, 5,
				      8192,          0,    BOTH, 0,         0 };
static const struct scene slabs = { "brief, slabs", 512,  512, 4 * MIB, 512, 2 * MIB + 512, 4, 512,
				    1 * MIB + 512,  BOTH, 0,   0 };

/* -t ends all at once: what was not read is not written. */
static void test_cut(void)
{
	static const uint64_t blocks[] = { 512, 4096, 256 * KIB };

	for (unsigned i = 0; i < 3; i++) {
		struct scene s = scenes[0];
		uint64_t region = blocks[i] > 64 * KIB ? blocks[i] : 64 * KIB;
		const struct run *r;

		s.count = 1000;
		s.block = blocks[i];
		s.size = 2 * MIB;
		s.disk = 16 * MIB;
		set_up(&s);
		c.time_ns = 1;
		begin();
		visit_run(&v);
		finish();
		r = find(TEST_LATENCY_WRITE, MODE_DSYNC);
		ok(o.record.status == STATUS_OK && !watch.different && o.compared &&
			   v.small_bytes == region && d->written_to <= MIB + region &&
			   covered() <= region,
		   "cut, %u: only what was read is written", (unsigned)blocks[i]);
		ok(r && r->cut && r->ops == 1 && run_of(TEST_STREAM_READ, MODE_DIRECT)->cut &&
			   run_of(TEST_STREAM_WRITE, MODE_DIRECT)->bytes == 64 * KIB &&
			   has_note("round and round"),
		   "cut, %u: and said", (unsigned)blocks[i]);
		fake_end();
	}
}

/* A read that -t ended, and writes that it does not. */
static void test_cut_read(void)
{
	struct scene s = scenes[0];

	s.count = 100;
	s.size = 2 * MIB;
	set_up(&s);
	c.time_ns = 1;
	begin();
	cut_reads = 4;
	visit_run(&v);
	finish();
	ok(find(TEST_STREAM_READ, MODE_DIRECT) && run_of(TEST_STREAM_READ, MODE_DIRECT)->cut &&
		   !run_of(TEST_STREAM_WRITE, MODE_DIRECT)->cut &&
		   run_of(TEST_STREAM_WRITE, MODE_DIRECT)->bytes ==
			   run_of(TEST_STREAM_READ, MODE_DIRECT)->bytes &&
		   run_of(TEST_LATENCY_WRITE, MODE_DIRECT)->ops == 100 && !watch.different &&
		   o.compared,
	   "the reading was cut: the writing goes as far");
	fake_end();
}

static void test_fails(void)
{
	const unsigned transfers = FAKE_READ | FAKE_WRITE | FAKE_FLUSH;

	test_each_call(&brief, FAKE_ANY, EIO, 0);
	test_each_call(&brief, transfers, ENODEV, 0);
	test_each_call(&brief, transfers, EINTR, 0);
	test_each_call(&brief, transfers, ENOSPC, 8192);
	test_each_call(&brief, transfers, EIO, 16384);
	test_each_call(&brief4k, transfers, EIO, 0);
	test_each_call(&slabs, transfers, EIO, 0);
	test_each_call(&slabs, transfers, ENODEV, 0);
}

/* Gone for good after so many transfers. */
static void test_gone(void)
{
	unsigned n = 1, bad = 0, vanished = 0;

	for (; n < 200; n++) {
		set_up(&brief);
		d->gone_after = n;
		if (begin() == STATUS_OK)
			visit_run(&v);
		finish();
		if (!d->gone)
			break;
		vanished += has_trouble("vanished at byte");
		/* The last transfer of all leaves nothing to be missed. */
		if (failed_call())
			bad += watch.after_gone || watch.different || o.compared ||
			       o.record.status != STATUS_FAILED || o.record.troubles != 1 ||
			       record_has(&o.record, "unreadable") || fake_descriptors;
		fake_end();
	}
	ok(n > 30 && n < 200 && !bad && vanished > 30,
	   "gone after 1, 2, 3 ... transfers: said once, and no write after it (%u of %u)", bad, n);
	fake_end();
}

static void short_and_interrupted(void)
{
	for (unsigned i = 0; i < SCENES; i++) {
		set_up(&scenes[i]);
		d->most = d->logical * 3;
		fake_interrupt_every = 3;
		if (begin() == STATUS_OK)
			visit_run(&v);
		finish();
		ok(o.record.status == STATUS_OK && o.compared && !watch.different &&
			   fake_changed(d) == UINT64_MAX && v.o->run[0].bytes == v.size,
		   "%s, three sectors at a time, interrupted: kept", scenes[i].name);
		fake_end();
	}
}

/* ---- signals
 * -------------------------------------------------------------------------------------------- */

static unsigned signal_at, signal_calls, writes_after;

static void signal_hook(const struct fake_call *call)
{
	if (++signal_calls == signal_at)
		stop_signal = 15;
	writes_after += stop_signal && call->op == FAKE_WRITE;
}

static void test_signals(void)
{
	unsigned bad = 0, most = 0;

	for (signal_at = 1;; signal_at++) {
		set_up(&brief);
		fake_hook = signal_hook;
		signal_calls = writes_after = 0;
		if (begin() == STATUS_OK)
			visit_run(&v);
		finish();
		if (!stop_signal)
			break;
		bad += watch.different || fake_changed(d) != UINT64_MAX || fake_descriptors ||
		       o.record.troubles || (o.compared && signal_calls > signal_at + 20);
		/* What was read is not written when it was not read again. */
		if (!find(TEST_STREAM_WRITE, MODE_DIRECT))
			bad += writes_after > 1;
		most = writes_after > most ? writes_after : most;
		fake_end();
	}
	ok(!bad && signal_at > 50, "a signal at call 1, 2, 3 ... %u: kept, no trouble (%u)",
	   signal_at, bad);
	ok(most <= 1, "and one write after it at most (%u)", most);
	fake_end();
}

/* ---- bad memory, cables, drives
 * --------------------------------------------------------------------------- */

/* A second read that differs: @at a byte of the disk, the read over it numbered @skip + 1. */
static void test_two_reads(void)
{
	for (unsigned sector = 512; sector <= 4096; sector *= 8) {
		const struct scene s = { "", sector, sector, 2 * MIB, MIB, 256 * KIB,
					 20, sector, 0,      BOTH,    0,   0 };
		const uint64_t at = MIB + 128 * KIB + 512 * 3;
		struct fake_fault *f;

		set_up(&s);
		f = fake_fault(d, FAKE_READ, FAKE_FLIP, at, at + 1, 0);
		f->skip = 1;
		f->times = 1;
		begin();
		/* The signatures are looked for at both ends, farther off. */
		visit_run(&v);
		finish();
		ok(f->met == 2 && !watch.writes && o.record.status == STATUS_FAULT &&
			   names("miscompare", at, sector) && !o.compared,
		   "%u: the stream's second read differs: found at its byte, nothing written",
		   sector);
		ok(!record_has(&o.record, "unreadable") && has_trouble("two reads"), "%u: and said",
		   sector);
		fake_end();
	}
	{
		/* Small writes that lie beyond the stream. */
		const struct scene s = {
			"", 512, 512, 2 * MIB, MIB, 4096, 100, 512, 0, BOTH, 0, 0
		};
		const uint64_t at = MIB + 4096 + 512 * 7;
		struct fake_fault *f;

		set_up(&s);
		f = fake_fault(d, FAKE_READ, FAKE_FLIP, at, at + 1, 0);
		f->skip = 1;
		f->times = 1;
		begin();
		c.count = 100;
		visit_run(&v);
		finish();
		ok(!watch.writes && o.record.status == STATUS_FAULT && names("miscompare", at, 512),
		   "the small writes' second read differs: nothing written");
		fake_end();
	}
}

/* The bytes of scene[0]'s disk that a harmed write leaves are found when read back. */
static void test_harm(bool destroy)
{
	static const struct {
		const char *name;
		enum harm harm;
		unsigned skip; /* writes over the place that are well: which test is harmed */
		const char *test;
	} cases[] = {
		{ "dropped", DROP, 0, "stream direct" },
		{ "dropped", DROP, 1, "stream dsync" },
		{ "dropped", DROP, 2, "small direct" },
		{ "dropped", DROP, 3, "small dsync" },
		{ "misplaced", MISPLACE, 0, "stream direct" },
		{ "misplaced", MISPLACE, 1, "stream dsync" },
		{ "misplaced", MISPLACE, 2, "small direct" },
		{ "misplaced", MISPLACE, 3, "small dsync" },
		{ "flipped", FLIP, 0, "stream direct" },
		{ "flipped", FLIP, 1, "stream dsync" },
		{ "flipped", FLIP, 2, "small direct" },
		{ "flipped", FLIP, 3, "small dsync" },
	};

	for (unsigned sector = 512; sector <= 4096; sector *= 8)
		for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct scene s = { "", sector, sector, 2 * MIB, MIB, 256 * KIB,
					   64, sector, 0,      BOTH,    0,   0 };
			uint64_t sector_at, byte, want, end;
			bool found, small = cases[i].skip > 1;

			/* Kept data that is not written is as it was. */
			if (!destroy && cases[i].harm == DROP)
				continue;
			s.destroy = destroy;
			set_up(&s);
			watch.harm = cases[i].harm;
			watch.skip = cases[i].skip;
			watch.at = MIB + 16 * KIB + 5;
			watch.from = MIB + 8 * KIB;
			/* Behind the first: what comes later in order would mend it. */
			if (cases[i].harm == MISPLACE && !small)
				watch.at = MIB + 200 * KIB;
			begin();
			visit_run(&v);
			finish();
			/* Where nothing or something else lies now: one of the first 16 bytes
			 * differs in a pattern, of the first two in random data. */
			want = cases[i].harm == FLIP       ? watch.at
			       : cases[i].harm == MISPLACE ? watch.from
			       : small                     ? MIB + 16 * KIB
							   : MIB;
			end = want + (cases[i].harm == FLIP ? 1 : destroy ? 16 : 2);
			found = verdict_at("miscompare", &sector_at, &byte) && byte >= want &&
				byte < end && sector_at == byte / sector;
			ok(watch.done && found && o.record.status == STATUS_FAULT && !o.compared,
			   "%u, %s, %s %s: found at byte %llu", sector,
			   destroy ? "pattern" : "kept", cases[i].test, cases[i].name,
			   found ? (unsigned long long)byte : 0ull);
			fake_end();
		}
}

/* ---- sectors that cannot be read
 * ------------------------------------------------------------------------- */

static void unreadable(const char *name, const struct scene *s, uint64_t at, uint64_t start,
		       enum fake_kind kind, int err)
{
	uint64_t sector, byte;

	set_up(s);
	if (begin() != STATUS_OK) {
		ok(false, "%s: begins", name);
		return;
	}
	t.blk.start_bytes = start;
	fake_fault(d, FAKE_READ, kind, at, at + s->logical, err);
	visit_run(&v);
	finish();
	ok(verdict_at("unreadable", &sector, &byte) && byte == at &&
		   sector == (start + at) / s->logical,
	   "%s: the sector is found", name);
	ok(o.record.status == STATUS_FAILED && !watch.writes && o.record.troubles == 1 &&
		   unreadable_says("nothing was written") && unreadable_says("ddrescue"),
	   "%s: status 5, nothing was written, and said", name);
	ok(!fake_descriptors && !o.compared && incomplete() <= 1, "%s: the end", name);
	fake_end();
}

static void test_unreadable(void)
{
	struct scene s = scenes[0], n = scenes[2], small = scenes[0], read_only = scenes[0];

	unreadable("512", &s, MIB + 200 * KIB + 512, 0, FAKE_ERROR, EIO);
	unreadable("512, ENODATA", &s, MIB + 200 * KIB + 512, 0, FAKE_ERROR, ENODATA);
	unreadable("512, after a short read", &s, MIB + 200 * KIB + 512, 0, FAKE_SHORT, EIO);
	unreadable("512, in a partition", &s, MIB + 100 * KIB, 63 * 512, FAKE_ERROR, EIO);
	unreadable("4096", &n, MIB + 128 * KIB, 0, FAKE_ERROR, EIO);
	unreadable("4096, in a partition", &n, MIB + 252 * KIB, 1 * MIB + 4096, FAKE_SHORT, EIO);
	unreadable("the first", &s, MIB, 0, FAKE_ERROR, EIO);
	unreadable("the last", &s, MIB + 300 * KIB - 512, 0, FAKE_ERROR, EIO);
	small.size = 4096;
	small.offset = 4 * MIB - 4096;
	unreadable("the disk's last", &small, 4 * MIB - 512, 0, FAKE_ERROR, EIO);
	small.offset = 0;
	small.size = 64 * KIB;
	unreadable("the disk's first", &small, 0, 0, FAKE_ERROR, EIO);
	small = scenes[0];
	small.size = 4096;
	small.count = 100;
	unreadable("among the small ones", &small, MIB + 80 * 512, 0, FAKE_ERROR, EIO);
	/* Met by a seek alone: 4096 of 1024 places. */
	small = scenes[0];
	small.size = 64 * KIB;
	small.count = 8192;
	small.block = 512;
	small.offset = 0;
	small.disk = 8 * MIB;
	unreadable("in the seek test", &small, 8 * MIB - 3 * 512, 0, FAKE_ERROR, EIO);
	read_only.read_only = true;
	read_only.offset = 0;
	read_only.size = 4 * MIB;
	unreadable("read only", &read_only, 3 * MIB + 512, 0, FAKE_ERROR, EIO);
}

/* A part that cannot be read the second time: not before, not behind the writing. */
static void test_later(void)
{
	static const unsigned met[] = { 1, 2, 3 };
	static const char *const name[] = { "in the second read", "when read back",
					    "when read back again" };

	for (unsigned i = 0; i < 3; i++) {
		const uint64_t at = MIB + 250 * KIB;
		struct fake_fault *f;

		set_up(&scenes[0]);
		begin();
		f = fake_fault(d, FAKE_READ, FAKE_ERROR, at, at + 512, EIO);
		f->skip = met[i];
		visit_run(&v);
		finish();
		ok(names("unreadable", at, 512) && o.record.status == STATUS_FAILED &&
			   !o.compared && !watch.different,
		   "unreadable %s: found", name[i]);
		ok(!i == !watch.writes && !i == unreadable_says("nothing was written"),
		   "unreadable %s: what was written is said", name[i]);
		fake_end();
	}
	{
		/* Wrong here, unreadable there: both are said. */
		struct fake_fault *f, *g;

		set_up(&scenes[0]);
		begin();
		f = fake_fault(d, FAKE_READ, FAKE_FLIP, MIB + 30 * KIB, MIB + 30 * KIB + 1, 0);
		g = fake_fault(d, FAKE_READ, FAKE_ERROR, MIB + 250 * KIB, MIB + 250 * KIB + 512,
			       EIO);
		f->skip = 1;
		g->skip = 1;
		visit_run(&v);
		finish();
		ok(record_has(&o.record, "miscompare") &&
			   names("unreadable", MIB + 250 * KIB, 512) &&
			   o.record.status == STATUS_FAILED && !watch.writes,
		   "a difference and an unreadable sector: both");
		fake_end();
	}
}

/* ---- writes that fail
 * --------------------------------------------------------------------------------------- */

static void write_fails(const char *name, const struct scene *s, uint64_t from, uint64_t to,
			int err, const char *text)
{
	const struct run *r;

	set_up(s);
	begin();
	fake_fault(d, FAKE_WRITE, FAKE_SHORT, from, to, err);
	visit_run(&v);
	finish();
	r = find(TEST_STREAM_WRITE, MODE_DIRECT);
	ok(o.record.status == STATUS_FAILED && has_trouble(text) && o.record.troubles == 1,
	   "%s: status 5, and the place", name);
	ok(r && r->incomplete && (use_late ? r->bytes >= from - MIB : r->bytes == from - MIB) &&
		   incomplete() == 1,
	   "%s: the run is there, incomplete", name);
	ok(find(TEST_STREAM_READ, MODE_DIRECT) && find(TEST_SEEK_READ, MODE_DIRECT) &&
		   !run_of(TEST_STREAM_READ, MODE_DIRECT)->incomplete &&
		   !find(TEST_LATENCY_WRITE, MODE_DIRECT) && !find(TEST_STREAM_WRITE, MODE_DSYNC),
	   "%s: what came before it too, and nothing after", name);
	ok(!watch.different == !s->destroy && !o.compared && !record_has(&o.record, "miscompare"),
	   "%s: not all was compared, nothing differs", name);
	fake_end();
}

static void test_write_errors(void)
{
	struct scene s = scenes[0], p = scenes[0];
	char place[64];

	p.destroy = true;
	snprintf(place, sizeof(place), "sector %llu of 4000:0 (byte %llu", (MIB + 200 * KIB) / 512,
		 MIB + 200 * KIB);
	write_fails("EIO", &s, MIB + 200 * KIB, MIB + 200 * KIB + 512, EIO, place);
	write_fails("ENOSPC", &s, MIB + 200 * KIB, 4 * MIB, ENOSPC, place);
	write_fails("EIO, pattern", &p, MIB + 200 * KIB, MIB + 200 * KIB + 512, EIO, place);

	set_up(&s);
	begin();
	fake_fail_ops = FAKE_FLUSH;
	fake_fail_at(1, EIO);
	visit_run(&v);
	finish();
	ok(o.record.status == STATUS_FAILED && has_trouble("the flush failed") &&
		   o.record.troubles == 1 && !o.compared && !watch.different &&
		   run_of(TEST_STREAM_WRITE, MODE_DSYNC)->incomplete &&
		   !run_of(TEST_STREAM_WRITE, MODE_DIRECT)->incomplete &&
		   !find(TEST_LATENCY_WRITE, MODE_DIRECT),
	   "the stream's flush fails: said");
	fake_end();
	set_up(&s);
	begin();
	fake_fail_ops = FAKE_FLUSH;
	fake_fail_at(5, EIO);
	visit_run(&v);
	finish();
	ok(o.record.status == STATUS_FAILED && has_trouble("the flush failed") &&
		   o.record.troubles == 1 && !o.compared &&
		   run_of(TEST_LATENCY_WRITE, MODE_DSYNC)->incomplete &&
		   run_of(TEST_LATENCY_WRITE, MODE_DSYNC)->ops == 3,
	   "a small write's flush fails: said");
	fake_end();
	set_up(&s);
	begin();
	fake_fail_ops = FAKE_WRITE;
	fake_fail_at(1, ETIMEDOUT);
	visit_run(&v);
	finish();
	ok(o.record.status == STATUS_FAILED && !o.compared && watch.writes == 1, "the first write");
	fake_end();
	set_up(&s);
	begin();
	fake_fail_ops = FAKE_READ;
	fake_fail_at(2, ENOMEM);
	visit_run(&v);
	finish();
	ok(o.record.status == STATUS_FAILED && !record_has(&o.record, "unreadable") &&
		   o.record.troubles == 1,
	   "no memory for a read: not the disk's fault");
	fake_end();
}

/* ---- the pattern, zeros, what is too small
 * ----------------------------------------------------------------- */

static void test_pattern(void)
{
	struct scene s = scenes[0];

	s.destroy = true;
	run(&s);
	ok(o.record.status == STATUS_OK && o.compared && fake_changed(d) == MIB &&
		   covered() == 300 * KIB && d->written_to == MIB + 300 * KIB,
	   "a pattern: in its region, and nowhere else");
	fake_end();
	s = scenes[0];
	s.slab = 4 * MIB;
	set_up(&s);
	memset(d->data + MIB, 0, 300 * KIB);
	begin();
	visit_run(&v);
	finish();
	ok(o.zeros && o.compared, "zeros are noticed");
	fake_end();
	set_up(&s);
	memset(d->data + MIB, 0, 300 * KIB);
	d->data[MIB + 300 * KIB - 1] = 1;
	begin();
	visit_run(&v);
	finish();
	ok(!o.zeros, "and one byte that is none");
	fake_end();
}

static void test_too_small(void)
{
	struct scene s = scenes[0];

	s.disk = 4096;
	s.offset = 0;
	s.block = 8192;
	run(&s);
	ok(o.record.status == STATUS_UNSUPPORTED && has_trouble("too small for one write") &&
		   !watch.writes && !fake_descriptors,
	   "a disk smaller than a small write");
	fake_end();
	s = scenes[0];
	s.slab = 512 * KIB;
	s.size = 2 * MIB;
	run(&s);
	ok(o.record.status == STATUS_FAILED && has_trouble("no memory to keep the data in") &&
		   !watch.writes,
	   "no memory for a slab");
	fake_end();
	s = scenes[0];
	s.size = CONFIG_UNSET;
	s.slab = MIB + 4096;
	run(&s);
	ok(o.record.status == STATUS_OK && v.slabs == 1 && v.size <= MIB + 8192 && v.size >= MIB &&
		   o.note_count,
	   "the size that nobody asked for: one slab, said");
	fake_end();
	s = scenes[1];
	s.disk = 4 * MIB;
	s.offset = 512;
	s.size = 8192;
	run(&s);
	ok(v.size == 4096 && has_note("whole physical sectors") && o.record.status == STATUS_OK,
	   "what rounding took is said to be that");
	fake_end();
	s.offset = 4 * MIB - 4096;
	s.size = MIB;
	run(&s);
	ok(v.size == 4096 && has_note("the target ends there"), "the end is said to be that");
	fake_end();
}

/* ---- a scratch file
 * ----------------------------------------------------------------------------------------- */

static unsigned entries(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 99 : (unsigned)st.st_nlink;
}

static void test_scratch(void)
{
	char dir[80];
	int fd;

	snprintf(dir, sizeof(dir), "%s/scratch", root);
	if (mkdir(dir, 0700))
		abort();
	fd = open(dir, O_TMPFILE | O_RDWR | O_DIRECT, 0600);
	if (fd < 0) {
		printf("ok %d - # SKIP no O_DIRECT in /tmp\n", ++tap_count);
		rmdir(dir);
		return;
	}
	close(fd);
	for (unsigned i = 0; i < 3; i++) {
		memory_file(64 * MIB);
		fake_begin();
		stop_signal = 0;
		memset(&o, 0, sizeof(o));
		memset(&v, 0, sizeof(v));
		c = (struct config){ .write = true,
				     .force = true,
				     .size = MIB,
				     .offset = CONFIG_UNSET,
				     .count = 20,
				     .block = i == 2 ? 256 * KIB : 4096,
				     .modes = BOTH,
				     .seed = 1,
				     /* A prewrite that is cut: what it left is all there is. */
				     .time_ns = i ? 1 : 0,
				     .rpm = CONFIG_UNSET };
		ok(target_examine(&t, dir, &c, &o) == STATUS_OK &&
			   target_open(&t, &c) == STATUS_OK &&
			   visit_prepare(&v, &t, &c, 1) == STATUS_OK,
		   "a scratch file");
		visit_run(&v);
		finish();
		ok(o.record.status == STATUS_OK && !o.record.troubles && fake_descriptors == 0 &&
			   entries(dir) == 2,
		   "tested, and nothing is left");
		if (!i)
			ok(o.compared && run_of(TEST_STREAM_WRITE, MODE_DSYNC)->bytes == MIB &&
				   run_of(TEST_LATENCY_WRITE, MODE_DSYNC)->ops == 20,
			   "all of it");
		if (i == 1)
			ok(o.compared && run_of(TEST_STREAM_WRITE, MODE_DIRECT)->bytes <= MIB / 4,
			   "as much of it as -t gave time for");
		if (i == 2)
			ok(!find(TEST_LATENCY_WRITE, MODE_DIRECT) && o.note_count,
			   "no small write that does not fit, and said");
		fake_end();
	}
	rmdir(dir);
}

static void clean(void)
{
	char path[80];

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
}

int main(void)
{
	char path[80];
	int nowhere = open("/dev/null", O_WRONLY);

	if (!mkdtemp(root))
		return 1;
	snprintf(path, sizeof(path), "%s/proc", root);
	if (mkdir(path, 0700) || nowhere < 0)
		return 1;
	atexit(clean);
	/* What is said to the user is read from the record. */
	dup2(nowhere, STDERR_FILENO);
	close(nowhere);
	attr_root = root;
	progress_init(false, true);
	use_late = true;
	test_kept();
	test_write_errors();
	use_late = false;
	test_kept();
	test_places();
	test_fails();
	test_cut();
	test_cut_read();
	test_gone();
	short_and_interrupted();
	test_signals();
	test_two_reads();
	test_harm(false);
	test_harm(true);
	test_unreadable();
	test_later();
	test_write_errors();
	test_pattern();
	test_too_small();
	test_scratch();
	return tap_done();
}
