/* SPDX-License-Identifier: MIT */
/* screen - what a person reads of one target. */

#include <stdio.h>
#include <string.h>

#include <core/size.h>
#include <core/text.h>

#include "screen.h"

/* "6.0 GiB on sda, FUJITSU MHT2060AH, ata, 5400 rpm, 512 B sectors" */
static void describe(const struct outcome *o, char *buf, size_t size)
{
	const char *below = o->kind != KIND_BLOCK      ? o->name
			    : strcmp(o->name, o->disk) ? o->disk
						       : "";
	char bytes[SIZE_TEXT], sector[SIZE_TEXT], physical[SIZE_TEXT], model[44], rpm[24] = "";

	if (o->rpm > 1)
		snprintf(rpm, sizeof(rpm), ", %u rpm", o->rpm);
	snprintf(buf, size, "%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s",
		 size_print(bytes, o->size_bytes), o->kind == KIND_DIRECTORY ? " free" : "",
		 *o->fs ? " on " : "", o->fs, *below ? " on " : "", below, *o->model ? ", " : "",
		 *o->model ? text_cut(model, sizeof(model) - 1, o->model) : "", *o->bus ? ", " : "",
		 o->bus, rpm, o->logical_block_bytes ? ", " : "",
		 o->logical_block_bytes ? size_print(sector, o->logical_block_bytes) : "",
		 o->logical_block_bytes ? " sectors" : "",
		 o->physical_block_bytes > o->logical_block_bytes ? " (" : "",
		 o->physical_block_bytes > o->logical_block_bytes
			 ? size_print(physical, o->physical_block_bytes)
			 : "",
		 o->physical_block_bytes > o->logical_block_bytes ? " physical)" : "", "");
}

static void notes(struct outcome *o)
{
	while (o->notes_shown < o->note_count)
		text_print(stdout, 0, "%s", o->notes[o->notes_shown++]);
}

void screen_heading(const struct visit *v)
{
	static const char *const what[] = {
		[DATA_READ_ONLY] = "It is only read.",
		[DATA_KEPT] = "The data is kept.",
		[DATA_PATTERN] = "THE DATA IS LOST.",
		[DATA_SCRATCH] = "In a scratch file that nobody sees.",
	};
	struct outcome *o = v->o;
	char text[400], wait[SIZE_TEXT], path[60];

	describe(o, text, sizeof(text));
	text_print(stdout, 0, "%s: %s", text_cut(path, sizeof(path) - 1, o->record.target), text);
	if (v->longest_ns)
		text_print(stdout, 0, "%s %u tests, at most %s; ^C stops.", what[o->data],
			   v->plan.count, size_print_wait(wait, v->longest_ns));
	else
		text_print(stdout, 0, "%s %u tests, however long they take (-t 0); ^C stops.",
			   what[o->data], v->plan.count);
	notes(o);
	fflush(stdout);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define STATES 3

static const char *const headings[STATES] = { [CACHE_ON] = "cache on", [CACHE_OFF] = "cache off" };

/* What is shown: the states that were written under, or the one that reads have. */
struct table {
	const struct outcome *o;
	enum cache_state shown[STATES];
	unsigned count;
	const char *group; /* what stands before the next row: once, then blanks */
};

/* Reads run once: they stand in the first column. */
static const struct run *cell(const struct table *t, enum test test, enum mode mode,
			      unsigned column)
{
	const struct run *r = NULL;

	if (test > TEST_SEEK_READ)
		return outcome_find(t->o, test, mode, t->shown[column]);
	if (!column)
		r = outcome_find(t->o, test, mode, CACHE_AS_IS);
	return r || column ? r : outcome_find(t->o, test, MODE_BUFFERED, CACHE_AS_IS);
}

static void row(struct table *t, enum test test, enum mode mode, const char *what)
{
	const struct run *runs[STATES];
	bool any = false, micro = true, times = false;
	char text[SIZE_TEXT];

	for (unsigned i = 0; i < t->count; i++) {
		const struct run *r = runs[i] = cell(t, test, mode, i);

		any |= r != NULL;
		times |= r && r->lat.count;
		micro &= !r || histogram_quantile(&r->lat, 990) < 1000000;
	}
	if (!any)
		return;
	printf("%-9s%-12s", t->group, what);
	t->group = "";
	for (unsigned i = 0; i < t->count; i++) {
		const struct run *r = runs[i];
		double unit = micro ? 1e3 : 1e6;

		if (i)
			putchar(' ');
		if (!r)
			printf("%26s", "");
		else if (times)
			printf("%10.2f%8.2f%8.2f", (double)histogram_mean(&r->lat) / unit,
			       (double)histogram_quantile(&r->lat, 500) / unit,
			       (double)histogram_quantile(&r->lat, 990) / unit);
		else
			printf("%18s%s", size_print_rate(text, run_rate(r)),
			       i + 1 < t->count ? "        " : "");
	}
	for (unsigned i = 0; i < t->count; i++)
		any &= !runs[i] || !(runs[i]->incomplete || runs[i]->mode == MODE_BUFFERED);
	printf("%s%s\n", times ? micro ? "  us" : "  ms" : "",
	       any                                         ? ""
	       : runs[0] && runs[0]->mode == MODE_BUFFERED ? " buffered"
							   : " incomplete");
}

static const char *block_of(const struct outcome *o, enum test test, char text[SIZE_TEXT])
{
	for (unsigned i = 0; i < o->runs; i++)
		if (o->run[i].test == test && o->run[i].ops)
			return size_print(text, o->run[i].block_bytes);
	return "";
}

static void print_table(const struct outcome *o)
{
	struct table t = { .o = o, .group = "stream" };
	bool wrote[STATES] = { false };
	char text[SIZE_TEXT];

	for (unsigned i = 0; i < o->runs; i++)
		wrote[o->run[i].cache] |= o->run[i].ops && o->run[i].test >= TEST_STREAM_WRITE;
	for (enum cache_state s = 0; s < STATES; s++)
		if (wrote[s])
			t.shown[t.count++] = s;
	if (!t.count)
		t.count = 1;
	putchar('\n');
	if (headings[t.shown[0]]) {
		printf("%38s", headings[t.shown[0]]);
		for (unsigned i = 1; i < t.count; i++)
			printf("%27s", headings[t.shown[i]]);
		putchar('\n');
	}
	row(&t, TEST_STREAM_WRITE, MODE_DIRECT, "write direct");
	row(&t, TEST_STREAM_WRITE, MODE_DSYNC, "write dsync");
	row(&t, TEST_STREAM_READ, MODE_DIRECT, "read");
	printf("%21s", "");
	for (unsigned i = 0; i < t.count; i++)
		printf("%*s%8s%8s", i ? 11 : 10, "mean", "median", "99 %");
	putchar('\n');
	t.group = block_of(o, TEST_LATENCY_WRITE, text);
	row(&t, TEST_LATENCY_WRITE, MODE_DIRECT, "write direct");
	row(&t, TEST_LATENCY_WRITE, MODE_DSYNC, "write dsync");
	t.group = block_of(o, TEST_SEEK_READ, text);
	row(&t, TEST_SEEK_READ, MODE_DIRECT, "seek and read");
	putchar('\n');
}

/* ---- the sentences -------------------------------------------------------------------------- */

/* "steady": the last half of a stream went at another rate than the whole. */
static void steady(const struct run *r)
{
	double whole = run_rate(r), half;
	char rate[SIZE_TEXT];

	if (!r->curve.count || r->mode == MODE_DSYNC || r->elapsed_ns < 1000000000)
		return;
	half = curve_rate_between(&r->curve, (double)r->bytes / 2, (double)r->bytes);
	if (half > 0 && (half < 0.9 * whole || half > 1.1 * whole))
		text_print(stdout, 0, "Steady, in its last half: %s (%s %s).",
			   size_print_rate(rate, half), run_test_name(r->test),
			   run_mode_name(r->mode));
}

static void sentences(const struct outcome *o, const struct config *c)
{
	bool wrote = false, alone = o->kind == KIND_BLOCK;
	char wait[SIZE_TEXT];
	unsigned cut = 0;

	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		wrote |= r->test >= TEST_STREAM_WRITE && r->bytes;
		alone &= r->sectors_known && !r->foreign_written;
		cut += r->cut;
	}
	if (wrote && o->compared)
		text_print(stdout, 0, "Read back and compared: every byte is as it was%s.%s",
			   o->data == DATA_KEPT ? "" : " written",
			   alone ? " Nobody else wrote during the tests." : "");
	else if (wrote && !record_has(&o->record, "miscompare"))
		text_print(stdout, 0, "Not everything was read back%s.",
			   o->data == DATA_KEPT ? "; only bytes that were there were written" : "");
	if (cut)
		text_print(stdout, 0,
			   "-t %g ended %u of the %u tests early (-v: which; -t 0: let them run).",
			   (double)c->time_ns / 1e9, cut, o->runs);
	for (unsigned i = 0; i < o->runs; i++)
		steady(&o->run[i]);
	for (unsigned i = 0; i < o->record.verdicts; i++)
		text_print(stdout, 0, "%s", o->record.verdict[i].text);
	if (o->elapsed_ns)
		text_print(stdout, 0,
			   o->interrupted ? "Stopped by a signal after %s: incomplete."
					  : "Done in %s.",
			   size_print_wait(wait, o->elapsed_ns));
}

static void verdict_only(const struct outcome *o)
{
	const struct record *r = &o->record;
	char path[60];

	text_cut(path, sizeof(path) - 1, r->target);
	for (unsigned i = 0; i < r->verdicts; i++)
		text_print(stdout, 0, "%s: %s", path, r->verdict[i].text);
	if (!r->verdicts)
		text_print(stdout, 0, "%s: %s", path,
			   r->troubles      ? r->trouble[0].text
			   : o->interrupted ? "incomplete"
					    : "nothing stands out");
}

void screen_result(struct outcome *o, const struct config *c)
{
	if (c->quiet) {
		verdict_only(o);
		return;
	}
	if (o->runs && o->run[0].ops)
		print_table(o);
	notes(o);
	sentences(o, c);
}
