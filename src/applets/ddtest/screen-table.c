/* SPDX-License-Identifier: MIT */
/* screen-table - many targets, a line each. */

#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <core/text.h>

#include "screen.h"

void screen_table_heading(unsigned count, unsigned tests, uint64_t longest_ns, bool write)
{
	char wait[SIZE_TEXT];

	if (longest_ns)
		text_print(stdout, 0, "%u targets, %u tests each, at most %s; %s; ^C stops.", count,
			   tests, size_print_wait(wait, longest_ns),
			   write ? "writing" : "only reading");
	else
		text_print(stdout, 0,
			   "%u targets, %u tests each, however long they take (-t 0); ^C stops.",
			   count, tests);
	fflush(stdout);
}

/* The run of that kind under whatever state the cache was in, the first of them. */
static const struct run *find(const struct outcome *o, enum test test, enum mode mode)
{
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		if (r->test == test && r->ops &&
		    (r->mode == mode || (r->mode == MODE_BUFFERED && mode == MODE_DIRECT)))
			return r;
	}
	return NULL;
}

static void rate_cell(const struct outcome *o, enum test test, enum mode mode)
{
	const struct run *r = find(o, test, mode);
	double mb = r ? run_rate(r) / 1e6 : 0;

	if (!r)
		printf("%6s", "-");
	else
		printf("%6.*f", mb < 9.95 ? 1 : 0, mb);
}

static void time_cell(const struct outcome *o, enum test test, enum mode mode)
{
	const struct run *r = find(o, test, mode);
	double ms = r ? (double)histogram_quantile(&r->lat, 500) / 1e6 : 0;

	if (!r)
		printf("%7s", "-");
	else
		printf("%7.*f", ms < 0.995 ? 3 : ms < 99.5 ? 2 : 0, ms);
}

/* In the words of the table: the worst that was found. */
static void verdict_cell(const struct outcome *o, char *buf, size_t size)
{
	const struct record *r = &o->record;
	const struct verdict *slow = record_has(r, "slower-than-its-kind");
	const char *factor = slow ? strstr(slow->text, " at ") : NULL;

	if (record_has(r, "unreadable"))
		snprintf(buf, size, "READ ERROR");
	else if (record_has(r, "miscompare"))
		snprintf(buf, size, "MISCOMPARE");
	else if (r->status == STATUS_FAILED)
		snprintf(buf, size, "FAILED");
	else if (r->status == STATUS_REFUSED)
		snprintf(buf, size, "refused");
	else if (r->status == STATUS_UNSUPPORTED)
		snprintf(buf, size, "cannot");
	else if (factor)
		snprintf(buf, size, "SLOW%.6s x", factor + 3);
	else if (record_has(r, "limit-missed"))
		snprintf(buf, size, "LIMIT");
	else if (r->status == STATUS_FAULT)
		snprintf(buf, size, "FAULT");
	else
		snprintf(buf, size, "%s", o->interrupted ? "incomplete" : "ok");
}

static void line(const struct outcome *o)
{
	const char *path = o->kind == KIND_BLOCK && o->name[0] ? o->name : o->record.target;
	size_t length = strlen(path);
	char name[12], model[17], serial[11], verdict[32];

	/* Paths differ at their ends. */
	text_cut(name, 8, length > 8 ? path + length - 8 : path);
	if (length > 8)
		name[0] = '~';
	text_cut(model, 15, o->model[0] ? o->model : o->fs[0] ? o->fs : NULL);
	text_cut(serial, 8, o->serial[0] ? o->serial : NULL);
	printf("%-8s %-15s %-8s", name, model, serial);
	rate_cell(o, TEST_STREAM_READ, MODE_DIRECT);
	rate_cell(o, TEST_STREAM_WRITE, MODE_DIRECT);
	rate_cell(o, TEST_STREAM_WRITE, MODE_DSYNC);
	time_cell(o, TEST_LATENCY_WRITE, MODE_DSYNC);
	time_cell(o, TEST_SEEK_READ, MODE_DIRECT);
	verdict_cell(o, verdict, sizeof(verdict));
	printf("  %s\n", verdict);
}

static bool noted_before(struct outcome *const *all, unsigned at, const char *note)
{
	for (unsigned i = 0; i < at; i++)
		for (unsigned k = 0; k < all[i]->note_count; k++)
			if (!strcmp(all[i]->notes[k], note))
				return true;
	return false;
}

/* What a line's last word does not say; a note that many have is said of the first. */
static void sentences(struct outcome *const *all, unsigned at)
{
	const struct outcome *o = all[at];
	const struct record *r = &o->record;
	char name[40];

	text_cut(name, sizeof(name) - 1, o->kind == KIND_BLOCK && o->name[0] ? o->name : r->target);
	for (unsigned i = 0; i < r->verdicts; i++)
		if (r->verdict[i].level != LEVEL_INFO)
			text_print(stdout, 0, "%s: %s", name, r->verdict[i].text);
	for (unsigned i = 0; i < r->troubles; i++)
		if (!record_has(r, "unreadable") && !record_has(r, "miscompare"))
			text_print(stdout, 0, "%s: %s", name, r->trouble[i].text);
	for (unsigned i = 0; i < o->note_count; i++)
		if (!noted_before(all, at, o->notes[i]))
			text_print(stdout, 0, "%s: %s", name, o->notes[i]);
}

void screen_table(struct outcome *const *all, unsigned count)
{
	unsigned good = 0;

	printf("%-8s %-15s %-8s%6s%6s%6s%7s%7s\n", "DISK", "MODEL", "SERIAL", "READ", "WRITE",
	       "DSYNC", "SMALL", "SEEK");
	printf("%33s%6s%6s%6s%7s%7s\n", "", "MB/s", "MB/s", "MB/s", "ms", "ms");
	for (unsigned i = 0; i < count; i++) {
		line(all[i]);
		good += all[i]->record.status == STATUS_OK && !all[i]->interrupted;
	}
	text_print(stdout, 0, "%u targets: %u ok.", count, good);
	for (unsigned i = 0; i < count; i++)
		sentences(all, i);
}
