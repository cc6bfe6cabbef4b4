/* SPDX-License-Identifier: MIT */
/* stream - bytes in order, with enough of them in flight, until the end, a deadline,
 * an error or a signal. */

#include <errno.h>
#include <string.h>

#include <device/sys.h>
#include <timing/clock.h>
#include <timing/progress.h>

#include "stream.h"

volatile int stop_signal;

struct flight {
	struct stream *s;
	struct transfer transfer[ENGINE_DEPTH];
	uint64_t at[ENGINE_DEPTH], submitted[ENGINE_DEPTH];
	bool busy[ENGINE_DEPTH];
	unsigned busy_count, until_change;
	uint64_t started, next, last_ns;
	size_t window, in_flight, least, most;
	bool ending;
};

static void fail_at(struct flight *f, uint64_t at, int error)
{
	struct stream *s = f->s;

	if (!s->error || at < s->error_at) {
		s->error = error;
		s->error_at = at;
	}
	f->ending = true;
}

/* The place of the oldest transfer in flight: ring memory behind it is free. */
static uint64_t oldest(const struct flight *f)
{
	uint64_t at = f->next;

	for (unsigned i = 0; i < ENGINE_DEPTH; i++)
		if (f->busy[i] && f->at[i] < at)
			at = f->at[i];
	return at;
}

static size_t next_size(const struct flight *f)
{
	const struct stream *s = f->s;
	size_t size = f->window / s->engine->depth;

	if (size < f->least)
		size = f->least;
	if (size > s->engine->largest)
		size = s->engine->largest;
	if (!s->slab && size > STREAM_RING / 2)
		size = STREAM_RING / 2;
	if (!s->slab && size > STREAM_RING - f->next % STREAM_RING)
		size = STREAM_RING - f->next % STREAM_RING;
	return size < s->size - f->next ? size : (size_t)(s->size - f->next);
}

static bool room(const struct flight *f, size_t size)
{
	const struct stream *s = f->s;

	if (f->ending || f->next >= s->size || f->busy_count == s->engine->depth)
		return false;
	if (f->busy_count && f->in_flight + size > f->window)
		return false;
	return s->slab || f->next + size - oldest(f) <= STREAM_RING;
}

static void launch(struct flight *f, unsigned slot)
{
	int rc = f->s->engine->submit(&f->transfer[slot]);

	if (rc < 0) {
		fail_at(f, f->at[slot], rc);
		return;
	}
	f->busy[slot] = true;
	f->busy_count++;
	f->in_flight += f->transfer[slot].memory.iov_len;
}

static void submit_next(struct flight *f, size_t size)
{
	struct stream *s = f->s;
	unsigned slot = 0;
	char *data = s->slab ? s->slab + f->next : s->ring + f->next % STREAM_RING;

	while (f->busy[slot])
		slot++;
	if (s->fill)
		s->fill(s->arg, data, size, f->next);
	f->transfer[slot] = (struct transfer){
		.write = s->write,
		.fd = s->fd,
		.memory = { data, size },
		.offset = (off_t)(s->offset + f->next),
		.slot = slot,
	};
	f->at[slot] = f->next;
	f->submitted[slot] = clock_now();
	if (size > s->largest)
		s->largest = (uint32_t)size;
	launch(f, slot);
	f->next += size;
}

/* One change for each window's worth of completions, so that the change is felt first. */
static void adapt(struct flight *f, uint64_t took_ns)
{
	if (f->until_change && --f->until_change)
		return;
	if (took_ns > STREAM_WINDOW_NS && f->window > f->least)
		f->window /= 2;
	else if (took_ns <= STREAM_WINDOW_NS / 2 && f->window < f->most)
		f->window *= 2;
	f->until_change = f->busy_count + 1;
}

static void look(struct flight *f, const struct transfer *t, uint64_t at, size_t size)
{
	struct stream *s = f->s;
	size_t wrong;

	if (!s->check)
		return;
	wrong = s->check(s->arg, t->memory.iov_base, size, at);
	if (wrong < size && (!s->wrong || at + wrong < s->wrong_at)) {
		s->wrong = true;
		s->wrong_at = at + wrong;
	}
}

static void complete(struct flight *f, const struct completion *done)
{
	struct stream *s = f->s;
	struct transfer *t = &f->transfer[done->slot];
	uint64_t at = f->at[done->slot], now = clock_now();
	size_t n = done->result > 0 ? (size_t)done->result : 0;

	f->busy[done->slot] = false;
	f->busy_count--;
	f->in_flight -= t->memory.iov_len;
	f->last_ns = now - f->submitted[done->slot];
	if (f->last_ns > s->longest_ns)
		s->longest_ns = f->last_ns;
	if (n) {
		s->bytes += n;
		curve_add(&s->curve, now - f->started, n);
		look(f, t, at, n);
	}
	if (stop_signal)
		f->ending = true;
	if (done->result == -EINTR || done->result == -EAGAIN || (n && n < t->memory.iov_len)) {
		/* The rest of a short transfer, in the same slot. */
		if (stop_signal)
			return;
		f->at[done->slot] += n;
		t->memory.iov_base = (char *)t->memory.iov_base + n;
		t->memory.iov_len -= n;
		t->offset += (off_t)n;
		launch(f, done->slot);
		return;
	}
	if (done->result <= 0) {
		fail_at(f, at,
			done->result < 0 ? (int)done->result
			: s->write       ? -ENOSPC
					 : -ENODATA);
		return;
	}
	s->ops++;
	adapt(f, f->last_ns);
	progress_at(now, s->bytes);
	/* What is in flight still has to arrive: stop where that would be too late. */
	if (s->deadline_ns && now + f->last_ns >= s->deadline_ns && f->next < s->size) {
		s->cut = true;
		f->ending = true;
	}
}

static void finish(struct flight *f)
{
	struct stream *s = f->s;

	if (s->write && s->flush && s->bytes && s->error != -ENODEV) {
		int rc = sys.fdatasync(s->fd);

		if (rc < 0 && !s->error) {
			s->error = rc;
			s->error_at = s->bytes;
			s->error_in_flush = true;
		}
	}
	s->elapsed_ns = clock_now() - f->started;
}

void stream_run(struct stream *s)
{
	struct flight f = { .s = s, .least = STREAM_LEAST };

	f.most = s->slab ? STREAM_MOST : STREAM_RING;
	if (f.least < s->align)
		f.least = s->align;
	f.window = f.least;
	f.started = clock_now();
	for (;;) {
		struct completion done;
		size_t size = next_size(&f);
		int rc;

		for (; room(&f, size); size = next_size(&f))
			submit_next(&f, size);
		if (!f.busy_count)
			break;
		do
			rc = s->engine->reap(&done);
		while (rc == -EINTR);
		if (rc < 0) {
			fail_at(&f, oldest(&f), rc);
			break;
		}
		complete(&f, &done);
	}
	finish(&f);
}
