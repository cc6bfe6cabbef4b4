/* SPDX-License-Identifier: MIT */
/* json - all that was found out, for programs. */

#include <stdio.h>

#include <core/record.h>
#include <device/host.h>

#include "screen.h"

static void known_text(struct json *j, const char *key, const char *text)
{
	json_text(j, key, text[0] ? text : NULL);
}

static void known_number(struct json *j, const char *key, bool known, uint64_t value)
{
	if (known)
		json_number(j, key, value);
	else
		json_null(j, key);
}

static void print_latency(struct json *j, const struct histogram *h)
{
	if (!h->count) {
		json_null(j, "lat_ns");
		return;
	}
	json_open(j, "lat_ns", '{');
	json_number(j, "min", h->min_ns);
	json_number(j, "mean", histogram_mean(h));
	json_number(j, "p50", histogram_quantile(h, 500));
	json_number(j, "p90", histogram_quantile(h, 900));
	json_number(j, "p99", histogram_quantile(h, 990));
	json_number(j, "p999", histogram_quantile(h, 999));
	json_number(j, "max", h->max_ns);
	json_close(j, '}');
}

static void print_run(struct json *j, const struct run *r)
{
	json_open(j, NULL, '{');
	json_text(j, "test", run_test_name(r->test));
	json_text(j, "mode", run_mode_name(r->mode));
	json_text(j, "cache", run_cache_name(r->cache));
	json_text(j, "engine", r->engine);
	json_number(j, "block_bytes", r->block_bytes);
	json_number(j, "bytes", r->bytes);
	json_number(j, "ops", r->ops);
	json_number(j, "elapsed_ns", r->elapsed_ns);
	known_number(j, "bytes_per_s", r->elapsed_ns, (uint64_t)(run_rate(r) + 0.5));
	json_bool(j, "upper_bound", r->upper_bound);
	print_latency(j, &r->lat);
	known_number(j, "flushes", r->flushes_known, r->flushes);
	known_number(j, "foreign_sectors", r->sectors_known, r->foreign_sectors);
	json_bool(j, "incomplete", r->incomplete || r->cut);
	known_text(j, "note", r->note[0] ? r->note : r->cut ? "ended by -t" : "");
	json_close(j, '}');
}

static void print_cache(struct json *j, const struct outcome *o)
{
	static const char *const state[] = { NULL, "on", "off" };

	json_open(j, "cache", '{');
	json_text(j, "drive", state[o->drive_cache]);
	known_number(j, "buffer_bytes", o->buffer_bytes, o->buffer_bytes);
	json_close(j, '}');
}

static void print_result(struct json *j, const struct outcome *o)
{
	static const char *const kind[] = { "block", "directory", "file" };
	static const char *const data[] = { "read-only", "kept", "pattern", "scratch" };
	bool looked = o->path[0] != '\0' && o->record.target;

	record_open(j, &o->record);
	known_text(j, "path", o->path);
	json_text(j, "kind", looked && o->size_bytes ? kind[o->kind] : NULL);
	known_text(j, "disk", o->disk);
	known_text(j, "model", o->model);
	known_text(j, "serial", o->serial);
	known_text(j, "bus", o->bus);
	known_text(j, "file_system", o->fs);
	known_text(j, "in_use_by", o->used_by);
	known_number(j, "size_bytes", o->size_bytes, o->size_bytes);
	known_number(j, "logical_block_bytes", o->logical_block_bytes, o->logical_block_bytes);
	known_number(j, "physical_block_bytes", o->physical_block_bytes, o->physical_block_bytes);
	known_number(j, "rotation_rpm", o->rpm, o->rpm);
	print_cache(j, o);
	json_text(j, "data", looked && o->size_bytes ? data[o->data] : NULL);
	json_open(j, "runs", '[');
	for (unsigned i = 0; i < o->runs; i++)
		if (o->run[i].ops)
			print_run(j, &o->run[i]);
	json_close(j, ']');
	json_open(j, "notes", '[');
	for (unsigned i = 0; i < o->note_count; i++)
		json_text(j, NULL, o->notes[i]);
	json_close(j, ']');
	json_bool(j, "incomplete", o->interrupted);
	/* Nothing is switched, so nothing had to be put back. */
	json_null(j, "restored");
	json_close(j, '}');
}

void json_print(struct outcome *const *all, unsigned count, uint64_t started_unix_s, int status)
{
	struct json j = { .out = stdout };
	struct host host;

	host_read(&host);
	record_open_all(&j, started_unix_s, &host);
	for (unsigned i = 0; i < count; i++)
		print_result(&j, all[i]);
	record_close_all(&j, status);
}
