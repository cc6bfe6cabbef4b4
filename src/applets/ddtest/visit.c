/* SPDX-License-Identifier: MIT */
/* visit - the tests of one opened target, in the order that loses no data. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <device/counters.h>
#include <device/sys.h>
#include <timing/clock.h>
#include <timing/progress.h>

#include "latency.h"
#include "locate.h"
#include "stream.h"
#include "visit.h"

#define DEFAULT_SIZE   (1ull << 30)
#define DEFAULT_OFFSET (1ull << 20)
#define SEEK_BLOCK     4096u
#define SMALL_MOST     (16u << 20)
#define SLAB_LEAST     (1u << 20)

#define trouble(v, status, rc, ...) record_trouble(&(v)->o->record, status, rc, __VA_ARGS__)

/* ---- before the first test -------------------------------------------------------------- */

static bool writes(const struct visit *v)
{
	return v->o->data != DATA_READ_ONLY;
}

static enum status place_stream(struct visit *v)
{
	const struct config *c = v->config;
	const struct blk *b = &v->target->blk;
	struct outcome *o = v->o;
	bool folder = o->kind == KIND_DIRECTORY;
	uint64_t asked = c->size == CONFIG_UNSET ? DEFAULT_SIZE : c->size, start = DEFAULT_OFFSET;
	uint32_t logical = b->logical_block_bytes ? b->logical_block_bytes : 512, lead;
	uint64_t room = folder ? o->size_bytes / 2 : o->size_bytes;
	char text[2][SIZE_TEXT];

	if (c->offset != CONFIG_UNSET)
		start = c->offset;
	if (folder || (c->offset == CONFIG_UNSET && start >= room))
		start = 0;
	v->align = b->physical_block_bytes > logical ? b->physical_block_bytes : logical;
	/* Physical sectors need not begin where a partition does: count from where one does. */
	lead = (v->align - b->alignment_offset_bytes % v->align) % v->align;
	v->offset = start + lead;
	v->size = asked;
	if (!plan_region(room + lead, v->align, &v->offset, &v->size)) {
		/* A physical sector that does not fit: take the ends as they are. */
		v->align = logical;
		v->offset = start + lead;
		v->size = asked;
		if (!plan_region(room + lead, v->align, &v->offset, &v->size) && !folder)
			return trouble(v, STATUS_UNSUPPORTED, 0, "is too small for a stream");
		outcome_note(o, "The ends of the stream do not lie on physical sectors.");
	}
	v->offset -= lead;
	/* A stream of a few sectors would give a figure that means nothing. */
	if (folder && v->size < asked && v->size < SLAB_LEAST)
		return trouble(v, STATUS_FAILED, -ENOSPC, "no room for a scratch file");
	if (v->size < asked)
		outcome_note(o, "The stream has %s, not %s: %s.", size_print(text[0], v->size),
			     size_print(text[1], asked),
			     folder                  ? "half of the free space"
			     : asked <= room - start ? "whole physical sectors"
						     : "the target ends there");
	return STATUS_OK;
}

static enum status take_slab(struct visit *v, unsigned share)
{
	uint64_t most = buf_available() / 4 * 3 / share, size = v->size;
	char text[2][SIZE_TEXT];

	if (size > most)
		size = most - most % v->align;
	if ((size < SLAB_LEAST && size < v->size) || size > SIZE_MAX ||
	    buf_open(&v->slab, (size_t)size) < 0)
		return trouble(v, STATUS_FAILED, -ENOMEM, "no memory to keep the data in");
	if (size < v->size && v->config->size == CONFIG_UNSET) {
		outcome_note(v->o, "The stream has %s, not %s: more does not fit into memory.",
			     size_print(text[0], size), size_print(text[1], v->size));
		v->size = size;
	}
	v->slabs = (unsigned)((v->size + size - 1) / size);
	return STATUS_OK;
}

static enum status take_small(struct visit *v)
{
	struct outcome *o = v->o;
	uint32_t block = v->target->block_bytes;
	uint64_t room = o->kind == KIND_DIRECTORY ? v->size : o->size_bytes - v->offset;
	uint64_t most = SMALL_MOST > block ? SMALL_MOST : block, size;
	char text[SIZE_TEXT];

	if (__builtin_mul_overflow(v->config->count, block, &size) || size > most)
		size = most;
	if (size > room)
		size = room;
	size -= size % block;
	if (!size)
		return trouble(v, STATUS_UNSUPPORTED, 0, "is too small for one write of %u bytes",
			       block);
	if (size / block < v->config->count)
		outcome_note(o, "Small writes go round and round over %s.", size_print(text, size));
	if (buf_open(&v->small, (size_t)size) < 0)
		return trouble(v, STATUS_FAILED, -ENOMEM, "no memory for small writes");
	return STATUS_OK;
}

enum status visit_prepare(struct visit *v, struct target *t, const struct config *c, unsigned share)
{
	static const enum cache_state as_is[] = { CACHE_AS_IS };
	enum status status;

	memset(v, 0, sizeof(*v));
	v->config = c;
	v->target = t;
	v->o = t->o;
	v->slabs = 1;
	plan_make(&v->plan, writes(v), c->modes, as_is, 1);
	v->longest_ns = plan_longest_ns(&v->plan, c->time_ns);
	status = place_stream(v);
	if (status == STATUS_OK && v->o->data == DATA_KEPT)
		status = take_slab(v, share);
	if (status == STATUS_OK && writes(v))
		status = take_small(v);
	if (status != STATUS_OK)
		return status;
	if (buf_open(&v->ring, STREAM_RING) < 0 ||
	    (v->o->data > DATA_KEPT && buf_open(&v->master, PATTERN_MASTER) < 0))
		return trouble(v, STATUS_FAILED, -ENOMEM, "no memory for transfers");
	if (v->master.data) {
		v->pattern = (struct pattern){ .master = v->master.data,
					       .seed = c->seed,
					       .zero = c->data == 1 };
		pattern_init(&v->pattern);
	}
	v->o->offset_bytes = v->offset;
	v->engine = engine_open();
	return STATUS_OK;
}

void visit_close(struct visit *v)
{
	if (v->engine)
		v->engine->close();
	buf_close(&v->slab);
	buf_close(&v->small);
	buf_close(&v->ring);
	buf_close(&v->master);
}

/* ---- one measured piece ------------------------------------------------------------------- */

static struct run *run_of(struct visit *v, const struct step *step)
{
	struct outcome *o = v->o;
	struct run *r;

	for (unsigned i = 0; i < o->runs; i++)
		if (o->run[i].test == step->test && o->run[i].mode == step->mode &&
		    o->run[i].cache == step->cache)
			return &o->run[i];
	r = &o->run[o->runs++];
	r->test = step->test;
	r->mode = step->mode;
	r->cache = step->cache;
	r->flushes_known = r->sectors_known = true;
	return r;
}

struct evidence {
	struct counters leaves, own;
};

static void evidence_take(const struct visit *v, struct evidence *e)
{
	counters_read(&e->leaves, v->o->name);
	counters_read_own(&e->own, v->o->name);
}

/* What the kernel counted since @before, less what was ours. It counts what failed too. */
static void evidence_add(const struct visit *v, struct run *r, const struct evidence *before,
			 uint64_t bytes, bool write, int error)
{
	uint64_t ours = bytes / 512, moved, read, wrote;
	struct evidence now;

	evidence_take(v, &now);
	r->flushes_known &= now.leaves.flushes_known && before->leaves.flushes_known;
	r->sectors_known &= now.leaves.sectors_known && before->leaves.sectors_known && !error &&
			    now.leaves.leaves == 1; /* md writes some more than once */
	r->flushes += now.leaves.flushes - before->leaves.flushes;
	read = now.leaves.read_sectors - before->leaves.read_sectors;
	wrote = now.leaves.write_sectors - before->leaves.write_sectors;
	moved = write ? wrote : read;
	r->moved_sectors += moved;
	r->foreign_sectors += (moved > ours ? moved - ours : 0) + (write ? read : wrote);
	wrote = now.own.write_sectors - before->own.write_sectors;
	if (v->o->kind == KIND_BLOCK && now.own.sectors_known && before->own.sectors_known)
		r->foreign_written += wrote > (write ? ours : 0) ? wrote - (write ? ours : 0) : 0;
}

static uint64_t deadline(const struct visit *v, uint64_t used_ns)
{
	uint64_t t = v->config->time_ns;

	if (!t || t >> 63)
		return 0;
	used_ns += v->small_ns;
	return clock_now() + (t > used_ns ? t - used_ns : 1);
}

/* ---- what went wrong ------------------------------------------------------------------------ */

static bool is_gone(struct visit *v, int error)
{
	uint64_t size = 0;
	bool ended = error == -ENODATA || error == -ENOSPC || error == -EIO;

	/* A device whose backing went away has no size any more. */
	v->gone = error == -ENODEV || error == -ENXIO || error == -ESHUTDOWN ||
		  (ended && v->o->kind == KIND_BLOCK &&
		   (blk_size(v->target->fd, &size) < 0 || !size));
	return v->gone;
}

static void stop_read(struct visit *v, int error, uint64_t at, size_t length)
{
	const char *advice = v->written ? "" : "; nothing was written to it";
	bool medium = error == -EIO || error == -ENODATA || error == -EREMOTEIO || error == -EILSEQ;
	char place[160];
	uint64_t bad = at;

	v->ended = true;
	if (is_gone(v, error)) {
		trouble(v, STATUS_FAILED, -ENODEV, "vanished at byte %llu", (unsigned long long)at);
		return;
	}
	if (medium)
		bad = locate_unreadable(v->target->fd, at, length,
					v->target->blk.logical_block_bytes, v->ring.data);
	target_place(v->target, bad, place);
	trouble(v, STATUS_FAILED, error, "%s cannot be read", place);
	if (medium)
		record_verdict(&v->o->record, LEVEL_FAULT, "unreadable",
			       "%s cannot be read%s: stop using it; copy it with ddrescue first.",
			       place, advice);
}

static void stop_write(struct visit *v, int error, uint64_t at, bool in_flush)
{
	char place[160];

	v->ended = v->unproved = true;
	if (is_gone(v, error)) {
		trouble(v, STATUS_FAILED, -ENODEV,
			"vanished at byte %llu; nothing more was written", (unsigned long long)at);
		return;
	}
	if (in_flush) {
		trouble(v, STATUS_FAILED, error,
			"the flush failed: what was written before it may not be on the medium");
		return;
	}
	trouble(v, STATUS_FAILED, error, "%s cannot be written",
		target_place(v->target, at, place));
}

static void miscompare(struct visit *v, uint64_t at, const char *what)
{
	char place[160];

	v->ended = true;
	target_place(v->target, at, place);
	record_verdict(&v->o->record, LEVEL_FAULT, "miscompare", "%s: %s.", place, what);
	trouble(v, STATUS_FAULT, 0, "%s: %s", place, what);
}

/* ---- streams ----------------------------------------------------------------------------------
 */

static struct stream stream_of(struct visit *v, uint64_t offset, uint64_t size)
{
	return (struct stream){
		.engine = v->engine,
		.fd = v->target->fd,
		.offset = offset,
		.size = size,
		.align = v->align,
		.ring = v->ring.data,
		.arg = v,
	};
}

static void announce(const struct visit *v, const char *what, uint64_t total, bool bytes,
		     uint64_t end)
{
	progress_phase(v->o->name[0] ? v->o->name : v->o->path, what, total, bytes, end);
}

/* One stream as a test, into its run. Returns how much was done without a gap. */
static uint64_t measure_stream(struct visit *v, const struct step *step, struct stream *s,
			       const char *what)
{
	struct run *r = run_of(v, step);
	struct evidence before;

	s->deadline_ns = deadline(v, r->elapsed_ns);
	announce(v, what, s->size, true, s->deadline_ns);
	evidence_take(v, &before);
	stream_run(s);
	evidence_add(v, r, &before, s->bytes, s->write, s->error);
	r->engine = v->engine->name;
	if (s->largest > r->block_bytes)
		r->block_bytes = s->largest;
	if (v->slabs == 1)
		r->curve = s->curve;
	r->bytes += s->bytes;
	r->ops += s->ops;
	r->elapsed_ns += s->elapsed_ns;
	r->cut |= s->cut;
	r->incomplete |= s->error || stop_signal;
	if (s->error && s->write)
		stop_write(v, s->error, s->offset + s->error_at, s->error_in_flush);
	else if (s->error)
		stop_read(v, s->error, s->offset + s->error_at, s->largest);
	v->written |= s->write;
	v->ended |= stop_signal != 0;
	return s->error && s->error_at < s->bytes ? s->error_at : s->bytes;
}

static size_t check_slab(void *arg, const void *data, size_t size, uint64_t at)
{
	const struct visit *v = arg;

	return pattern_differ(v->slab.data + at, data, size);
}

static size_t check_small(void *arg, const void *data, size_t size, uint64_t at)
{
	const struct visit *v = arg;

	return pattern_differ(v->small.data + at, data, size);
}

static size_t check_pattern(void *arg, const void *data, size_t size, uint64_t at)
{
	const struct visit *v = arg;

	return pattern_check(&v->pattern, data, size, v->offset + at, v->pass);
}

static void fill_pattern(void *arg, void *data, size_t size, uint64_t at)
{
	const struct visit *v = arg;

	pattern_stamp(&v->pattern, data, size, v->offset + at, v->pass);
}

/* A slow one is finished, and said. */
static void read_all(struct visit *v, struct stream *s, const char *what, const char *wrong)
{
	uint64_t t = v->config->time_ns;

	announce(v, what, s->size, true, 0);
	stream_run(s);
	if (t && s->elapsed_ns > t + t / 8 && !v->slow && !s->error && !stop_signal)
		outcome_note(v->o, "Comparing took longer than -t; it was finished.");
	v->slow |= t && s->elapsed_ns > t + t / 8;
	v->unproved |= v->written && (s->error || stop_signal);
	v->ended |= stop_signal != 0;
	if (s->wrong)
		miscompare(v, s->offset + s->wrong_at, wrong);
	if (s->error)
		stop_read(v, s->error, s->offset + s->error_at, s->largest);
}

/* Read again what was read or written, and look at it. */
static void compare(struct visit *v, uint64_t offset, uint64_t size, const char *what,
		    const char *wrong, size_t (*check)(void *, const void *, size_t, uint64_t))
{
	struct stream s = stream_of(v, offset, size);

	if (!size || v->gone) {
		v->unproved |= v->written;
		v->ended = true;
		return;
	}
	s.check = check;
	read_all(v, &s, what, wrong);
}

/* ---- small accesses
 * ------------------------------------------------------------------------------ */

static void measure_small(struct visit *v, const struct step *step, struct latency *l,
			  const char *what)
{
	struct run *r = run_of(v, step);
	struct evidence before;

	l->deadline_ns = deadline(v, r->elapsed_ns);
	l->lat = &r->lat;
	announce(v, what, l->count, false, l->deadline_ns);
	evidence_take(v, &before);
	latency_run(l);
	r->engine = l->write ? "pwrite" : "pread";
	r->block_bytes = l->block;
	r->ops += l->ops;
	r->bytes += l->ops * l->block;
	r->elapsed_ns += l->elapsed_ns;
	r->cut |= l->cut;
	r->incomplete |= l->error || stop_signal;
	evidence_add(v, r, &before, l->ops * l->block, l->write, l->error);
	v->written |= l->write;
	v->ended |= stop_signal != 0;
	if (l->error && l->write)
		stop_write(v, l->error, l->error_at, l->error_in_flush);
	else if (l->error)
		stop_read(v, l->error, l->error_at, l->block);
}

static void seek(struct visit *v, const struct step *step)
{
	struct outcome *o = v->o;
	uint32_t block = SEEK_BLOCK > v->target->blk.logical_block_bytes
				 ? SEEK_BLOCK
				 : v->target->blk.logical_block_bytes;
	uint64_t region = o->kind == KIND_DIRECTORY ? v->size : o->size_bytes;
	struct latency l = {
		.fd = v->target->fd,
		.count = v->config->count,
		.block = block,
		.memory = v->ring.data,
		.region = region - region % block,
		.seed = v->config->seed,
	};

	if (l.region)
		measure_small(v, step, &l, "seek and read");
	else
		outcome_note(o, "It is too small to seek in.");
}

/* Returns how much of the region was written, once or more often. */
static uint64_t small_write(struct visit *v, const struct step *step, uint64_t region)
{
	struct latency l = {
		.fd = v->target->fd,
		.write = true,
		.flush = step->mode == MODE_DSYNC,
		.offset = v->offset,
		.count = v->config->count,
		.block = v->target->block_bytes,
		.memory = v->small.data,
		.region = region,
	};

	measure_small(v, step, &l, l.flush ? "small writes dsync" : "small writes direct");
	return l.ops < region / l.block ? l.ops * l.block : region;
}

/* ---- the order of things
 * ---------------------------------------------------------------------------- */

static const char not_twice_the_same[] =
	"two reads gave different bytes, so it was not written: suspect "
	"memory, cable or controller";
static const char not_what_was_written[] = "reads back differently from what was written";

static bool all_zero(const struct buf *b, uint64_t size)
{
	return size && !b->data[0] && !memcmp(b->data, b->data + 1, (size_t)size - 1);
}

static const struct step *step_of(const struct visit *v, enum test test)
{
	for (unsigned i = 0; i < v->plan.count; i++)
		if (v->plan.step[i].test == test)
			return &v->plan.step[i];
	return NULL;
}

static uint64_t read_stream(struct visit *v, uint64_t offset, uint64_t size, char *slab)
{
	struct stream s = stream_of(v, offset, size);

	s.slab = slab;
	return measure_stream(v, step_of(v, TEST_STREAM_READ), &s, "stream read");
}

static uint64_t write_stream(struct visit *v, const struct step *step, uint64_t offset,
			     uint64_t size)
{
	struct stream s = stream_of(v, offset, size);

	s.write = true;
	s.flush = step->mode == MODE_DSYNC;
	s.slab = v->slab.data;
	if (!s.slab) {
		v->pass++;
		pattern_fill(&v->pattern, v->ring.data, STREAM_RING, v->offset, v->pass);
		s.fill = fill_pattern;
	}
	return measure_stream(v, step, &s, s.flush ? "stream write dsync" : "stream write direct");
}

static void write_streams(struct visit *v, uint64_t offset, uint64_t size)
{
	for (unsigned i = 0; i < v->plan.count && !v->ended; i++) {
		const struct step *step = &v->plan.step[i];
		uint64_t done;

		if (step->test != TEST_STREAM_WRITE || (v->slabs > 1 && step->mode == MODE_DIRECT))
			continue;
		done = write_stream(v, step, offset, size);
		compare(v, offset, done, "reading back", not_what_was_written,
			v->slab.data ? check_slab : check_pattern);
	}
}

static void small_writes(struct visit *v)
{
	uint64_t region = v->small_bytes;

	for (unsigned i = 0; i < v->plan.count && region && !v->ended; i++) {
		const struct step *step = &v->plan.step[i];
		uint64_t done;

		if (step->test != TEST_LATENCY_WRITE)
			continue;
		if (!v->slab.data) {
			v->pass++;
			pattern_fill(&v->pattern, v->small.data, region, v->offset, v->pass);
		}
		done = small_write(v, step, region);
		compare(v, v->offset, done, "reading back", not_what_was_written, check_small);
	}
}

/* Read the region of the small writes, and see how long that takes: where it is more than a
 * small part of -t, the region ends there. */
static void small_read(struct visit *v)
{
	uint64_t t = v->config->time_ns, size = v->small.size;
	uint32_t block = v->target->block_bytes;
	struct stream s = stream_of(v, v->offset, size);

	/* A scratch file may have become shorter than it was to be. */
	if (v->o->kind == KIND_DIRECTORY && size > v->size)
		s.size = v->size - v->size % block;
	if (!s.size) {
		outcome_note(v->o, "The scratch file is too small for small writes of %u bytes.",
			     block);
		return;
	}
	s.slab = v->small.data;
	s.deadline_ns = deadline(v, t - t / 8);
	read_all(v, &s, "first read", NULL);
	if (s.cut && s.bytes < block) {
		s = stream_of(v, v->offset, block);
		s.slab = v->small.data;
		read_all(v, &s, "first read", NULL);
	}
	v->small_bytes = s.bytes - s.bytes % block;
	v->small_ns = s.elapsed_ns;
	if (v->small_bytes < size && !v->ended)
		outcome_note(v->o, "Small writes go round and round over %llu bytes: -t ends soon.",
			     (unsigned long long)v->small_bytes);
}

/* Each sector is only ever given the bytes that it holds. */
static void keep(struct visit *v)
{
	uint64_t slab = v->slab.size, at, done;

	/* Before the stream, so that the drive's buffer does not hold it. */
	small_read(v);
	for (at = 0; at < v->size && !v->ended; at += slab) {
		uint64_t size = v->size - at < slab ? v->size - at : slab;

		done = read_stream(v, v->offset + at, size, v->slab.data);
		done -= done % v->align;
		if (!at) {
			v->o->zeros = all_zero(&v->slab, done);
			if (!v->ended)
				seek(v, step_of(v, TEST_SEEK_READ));
			if (!v->ended)
				compare(v, v->offset, v->small_bytes, "second read",
					not_twice_the_same, check_small);
		}
		if (!v->ended)
			compare(v, v->offset + at, done, "second read", not_twice_the_same,
				check_slab);
		write_streams(v, v->offset + at, done);
		if (done < size)
			break;
	}
	small_writes(v);
}

static bool prewrite(struct visit *v)
{
	struct stream s = stream_of(v, v->offset, v->size);
	int rc;

	s.write = s.flush = true;
	s.fill = fill_pattern;
	s.deadline_ns = deadline(v, 0);
	pattern_fill(&v->pattern, v->ring.data, STREAM_RING, v->offset, v->pass);
	announce(v, "writing the scratch file", v->size, true, s.deadline_ns);
	stream_run(&s);
	v->ended |= stop_signal != 0;
	if (s.error) {
		stop_write(v, s.error, s.error_at, s.error_in_flush);
		return false;
	}
	v->size = s.bytes - s.bytes % v->align;
	rc = sys.ftruncate(v->target->fd, (off_t)v->size);
	if (rc < 0 || !v->size) {
		trouble(v, STATUS_FAILED, rc, "cannot prepare the scratch file");
		v->ended = true;
	}
	return !v->ended;
}

static void overwrite(struct visit *v)
{
	if (v->o->kind == KIND_DIRECTORY && !prewrite(v))
		return;
	small_read(v);
	if (!v->ended)
		read_stream(v, v->offset, v->size, NULL);
	if (!v->ended)
		seek(v, step_of(v, TEST_SEEK_READ));
	write_streams(v, v->offset, v->size);
	small_writes(v);
}

static void only_read(struct visit *v)
{
	read_stream(v, v->offset, v->size, NULL);
	if (!v->ended)
		seek(v, step_of(v, TEST_SEEK_READ));
}

static void judge_evidence(struct visit *v)
{
	struct outcome *o = v->o;

	for (unsigned i = 0; i < o->runs; i++) {
		struct run *r = &o->run[i];

		if (!v->target->direct)
			r->mode = MODE_BUFFERED;
		r->upper_bound = r->mode == MODE_BUFFERED;
		if (r->test > TEST_SEEK_READ || !r->sectors_known || o->kind == KIND_DIRECTORY ||
		    o->memory)
			continue;
		if (r->moved_sectors * 512 + r->bytes / 100 < r->bytes) {
			r->upper_bound = true;
			snprintf(r->note, sizeof(r->note),
				 "only %llu of %llu bytes came from the device",
				 (unsigned long long)(r->moved_sectors * 512),
				 (unsigned long long)r->bytes);
		}
	}
}

void visit_run(struct visit *v)
{
	uint64_t started = clock_now();

	if (v->o->data == DATA_KEPT)
		keep(v);
	else if (v->o->data == DATA_READ_ONLY)
		only_read(v);
	else
		overwrite(v);
	progress_clear();
	judge_evidence(v);
	if (v->slabs > 1)
		outcome_note(v->o,
			     "It is more than fits into memory: no stream is measured direct.");
	v->o->interrupted = stop_signal != 0;
	v->o->compared = v->written && !v->unproved && !record_has(&v->o->record, "miscompare");
	v->o->elapsed_ns = clock_now() - started;
}
