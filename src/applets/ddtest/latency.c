/* SPDX-License-Identifier: MIT */
/* latency - small accesses one at a time, each timed. */

#include <errno.h>

#include <device/sys.h>
#include <timing/clock.h>
#include <timing/progress.h>

#include "latency.h"
#include "pattern.h"
#include "stream.h"

/* How often to look at the deadline and the progress line; a signal is seen at once. */
#define LOOK_NS (20 * NS_PER_MS)

static int write_one(const struct latency *l, const char *data, uint64_t offset)
{
	ssize_t n = sys.pwrite(l->fd, data, l->block, (off_t)offset);

	if (n != (ssize_t)l->block) {
		size_t done = n > 0 ? (size_t)n : 0;

		if (n < 0 && n != -EINTR)
			return (int)n;
		n = sys_pwrite_all(l->fd, data + done, l->block - done, (off_t)(offset + done),
				   NULL);
		if (n < 0)
			return (int)n;
	}
	return 0;
}

static int read_one(const struct latency *l, uint64_t offset)
{
	ssize_t n = sys_pread_all(l->fd, l->memory, l->block, (off_t)offset, NULL);

	if (n < 0)
		return (int)n;
	return (size_t)n < l->block ? -ENODATA : 0;
}

void latency_run(struct latency *l)
{
	uint64_t state = l->seed * 2 + 1, blocks = l->region / l->block, at = 0;
	uint64_t started = clock_now(), before = started, look = started;
	int rc = 0;

	while (l->ops < l->count && !l->cut && !stop_signal) {
		uint64_t now, where;

		if (l->write) {
			where = l->offset + at;
			rc = write_one(l, l->memory + at, where);
			if (!rc && l->flush) {
				rc = sys.fdatasync(l->fd);
				l->error_in_flush = rc < 0;
			}
			at = at + l->block < l->region ? at + l->block : 0;
		} else {
			where = l->offset + pattern_random(&state) % blocks * l->block;
			rc = read_one(l, where);
		}
		now = clock_now();
		if (rc < 0) {
			l->error = rc;
			l->error_at = where;
			break;
		}
		histogram_add(l->lat, now - before);
		l->ops++;
		l->cut = l->deadline_ns && now + (now - before) >= l->deadline_ns &&
			 l->ops < l->count;
		if (now >= look) {
			/* A serial console takes its time: no operation's. */
			progress_at(now, l->ops);
			before = clock_now();
			started += before - now;
			look = before + LOOK_NS;
		} else {
			before = now;
		}
	}
	l->elapsed_ns = (rc < 0 ? clock_now() : before) - started;
}
