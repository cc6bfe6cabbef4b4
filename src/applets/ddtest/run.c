/* SPDX-License-Identifier: MIT */
/* run - one test as it was run, and all that was found out about one target. */

#include <stdarg.h>
#include <stdio.h>

#include <device/blk.h>

#include "run.h"

const char *run_test_name(enum test t)
{
	static const char *const name[] = { "stream-read", "seek-read", "stream-write",
					    "latency-write" };

	return name[t];
}

const char *run_mode_name(enum mode m)
{
	static const char *const name[] = { "direct", "dsync", "buffered" };

	return name[m];
}

const char *run_cache_name(enum cache_state c)
{
	static const char *const name[] = { "as-is", "on", "off" };

	return name[c];
}

double run_rate(const struct run *r)
{
	return r->elapsed_ns ? (double)r->bytes * 1e9 / (double)r->elapsed_ns : 0;
}

const struct run *outcome_find(const struct outcome *o, enum test t, enum mode m,
			       enum cache_state c)
{
	for (unsigned i = 0; i < o->runs; i++)
		if (o->run[i].test == t && o->run[i].mode == m && o->run[i].cache == c &&
		    o->run[i].ops)
			return &o->run[i];
	return NULL;
}

void outcome_identify(struct outcome *o, const struct blk *b)
{
	const struct {
		char *to;
		const char *from;
		size_t size;
	} copies[] = {
		{ o->name, b->name, sizeof(o->name) },
		{ o->disk, b->disk, sizeof(o->disk) },
		{ o->model, b->model, sizeof(o->model) },
		{ o->serial, b->serial, sizeof(o->serial) },
		{ o->bus, b->bus, sizeof(o->bus) },
		{ o->driver, b->driver, sizeof(o->driver) },
	};

	for (unsigned i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		snprintf(copies[i].to, copies[i].size, "%s", copies[i].from);
	o->logical_block_bytes = b->logical_block_bytes;
	o->physical_block_bytes = b->physical_block_bytes;
	o->rotational = b->rotational == 1;
	o->rpm = b->rpm;
}

void outcome_note(struct outcome *o, const char *fmt, ...)
{
	va_list ap;

	if (o->note_count == sizeof(o->notes) / sizeof(o->notes[0]))
		return;
	va_start(ap, fmt);
	vsnprintf(o->notes[o->note_count++], sizeof(o->notes[0]), fmt, ap);
	va_end(ap);
}
