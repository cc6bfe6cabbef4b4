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
	char bytes[SIZE_TEXT], sector[SIZE_TEXT], model[44];
	size_t n = (size_t)snprintf(buf, size, "%s%s", size_print(bytes, o->size_bytes),
				    o->kind == KIND_DIRECTORY ? " free" : "");

#define ADD(...) (n += n < size ? (size_t)snprintf(buf + n, size - n, __VA_ARGS__) : 0)
	if (o->fs[0])
		ADD(" on %s", o->fs);
	if (o->name[0] && (o->kind != KIND_BLOCK || strcmp(o->name, o->disk)))
		ADD(" on %s", o->kind == KIND_BLOCK ? o->disk : o->name);
	if (o->model[0])
		ADD(", %s", text_cut(model, sizeof(model) - 1, o->model));
	if (o->bus[0])
		ADD(", %s", o->bus);
	if (o->rpm > 1)
		ADD(", %u rpm", o->rpm);
	if (o->logical_block_bytes)
		ADD(", %s sectors", size_print(sector, o->logical_block_bytes));
	if (o->physical_block_bytes > o->logical_block_bytes)
		ADD(" (%s physical)", size_print(sector, o->physical_block_bytes));
#undef ADD
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
		text_print(stdout, 0, "%s %u tests, at most %s; ^C stops at once.", what[o->data],
			   v->plan.count, size_print_wait(wait, v->longest_ns));
	else
		text_print(stdout, 0, "%s %u tests, however long they take (-t 0); ^C stops.",
			   what[o->data], v->plan.count);
	notes(o);
	fflush(stdout);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct {
	enum cache_state state;
	const char *heading;
} columns[] = {
	{ CACHE_AS_IS, NULL },
	{ CACHE_ON, "cache on" },
	{ CACHE_OFF, "cache off" },
};

static bool has_state(const struct outcome *o, enum cache_state state)
{
	for (unsigned i = 0; i < o->runs; i++)
		if (o->run[i].cache == state && o->run[i].ops &&
		    o->run[i].test >= TEST_STREAM_WRITE)
			return true;
	return false;
}

/* The column a run is shown in: reads, which run once, stand in the first one. */
static const struct run *cell(const struct outcome *o, enum test test, enum mode mode,
			      unsigned column, bool first)
{
	const struct run *r = outcome_find(o, test, mode, columns[column].state);

	if (!r && first && test <= TEST_SEEK_READ)
		r = outcome_find(o, test, mode, CACHE_AS_IS);
	if (!r && first && test <= TEST_SEEK_READ)
		r = outcome_find(o, test, MODE_BUFFERED, CACHE_AS_IS);
	return r;
}

static const char *mark(const struct run *r)
{
	return r->incomplete ? "incomplete" : r->mode == MODE_BUFFERED ? "buffered" : "";
}

static void stream_row(const struct outcome *o, const unsigned *shown, unsigned count,
		       const char *label, enum test test, enum mode mode)
{
	char line[128] = "", rate[SIZE_TEXT];
	bool any = false;
	size_t n = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct run *r = cell(o, test, mode, shown[i], i == 0);

		if (r && r->elapsed_ns) {
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%*s %-10s", i ? 15 : 19,
					      size_print_rate(rate, run_rate(r)), mark(r));
			any = true;
		} else {
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%*s %-10s", i ? 15 : 19,
					      "", "");
		}
	}
	while (n && line[n - 1] == ' ')
		line[--n] = '\0';
	if (any)
		printf("%-21s%s\n", label, line);
}

static void latency_row(const struct outcome *o, const unsigned *shown, unsigned count,
			const char *label, enum test test, enum mode mode)
{
	const struct run *runs[sizeof(columns) / sizeof(columns[0])];
	bool any = false, micro = true, incomplete = false;
	char line[128];
	size_t n = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct run *r = runs[i] = cell(o, test, mode, shown[i], i == 0);

		if (!r)
			continue;
		any = true;
		incomplete |= r->incomplete;
		micro &= histogram_quantile(&r->lat, 990) < 1000000;
	}
	if (!any)
		return;
	for (unsigned i = 0; i < count; i++) {
		double unit = micro ? 1e3 : 1e6;
		uint64_t value[3];

		if (!runs[i]) {
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%*s", i ? 27 : 26, "");
			continue;
		}
		value[0] = histogram_mean(&runs[i]->lat);
		value[1] = histogram_quantile(&runs[i]->lat, 500);
		value[2] = histogram_quantile(&runs[i]->lat, 990);
		for (unsigned k = 0; k < 3; k++)
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%*.2f",
					      k == 0 ? (i ? 11 : 10) : 8, (double)value[k] / unit);
	}
	printf("%-21s%s  %s%s\n", label, line, micro ? "us" : "ms",
	       incomplete ? " incomplete" : "");
}

static void label(char *buf, size_t size, const struct outcome *o, enum test test, const char *what)
{
	const struct run *r = NULL;
	char block[SIZE_TEXT];

	for (unsigned i = 0; i < o->runs && !r; i++)
		if (o->run[i].test == test && o->run[i].ops)
			r = &o->run[i];
	snprintf(buf, size, "%-8s %s", r ? size_print(block, r->block_bytes) : "", what);
}

static void table(const struct outcome *o)
{
	unsigned shown[3], count = 0;
	char text[64];

	for (unsigned i = 0; i < 3; i++)
		if (has_state(o, columns[i].state))
			shown[count++] = i;
	if (!count)
		shown[count++] = 0;
	putchar('\n');
	if (columns[shown[0]].heading) {
		printf("%-21s%*s", "", 17, columns[shown[0]].heading);
		for (unsigned i = 1; i < count; i++)
			printf("%*s", 27, columns[shown[i]].heading);
		putchar('\n');
	}
	stream_row(o, shown, count, "stream   write direct", TEST_STREAM_WRITE, MODE_DIRECT);
	stream_row(o, shown, count,
		   outcome_find(o, TEST_STREAM_WRITE, MODE_DIRECT, columns[shown[0]].state)
			   ? "         write dsync"
			   : "stream   write dsync",
		   TEST_STREAM_WRITE, MODE_DSYNC);
	stream_row(o, shown, count,
		   has_state(o, columns[shown[0]].state) ? "         read" : "stream   read",
		   TEST_STREAM_READ, MODE_DIRECT);
	printf("%-21s", "");
	for (unsigned i = 0; i < count; i++)
		printf("%*s%8s%8s", i ? 11 : 10, "mean", "median", "99 %");
	putchar('\n');
	label(text, sizeof(text), o, TEST_LATENCY_WRITE, "write direct");
	latency_row(o, shown, count, text, TEST_LATENCY_WRITE, MODE_DIRECT);
	if (outcome_find(o, TEST_LATENCY_WRITE, MODE_DIRECT, columns[shown[0]].state))
		snprintf(text, sizeof(text), "         write dsync");
	else
		label(text, sizeof(text), o, TEST_LATENCY_WRITE, "write dsync");
	latency_row(o, shown, count, text, TEST_LATENCY_WRITE, MODE_DSYNC);
	label(text, sizeof(text), o, TEST_SEEK_READ, "seek and read");
	latency_row(o, shown, count, text, TEST_SEEK_READ, MODE_DIRECT);
	putchar('\n');
}

/* ---- the sentences -----------------------------------------------------------------------------
 */

/* "steady": the last half of a stream went at another rate than the whole. */
static void steady(const struct outcome *o)
{
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];
		double whole = run_rate(r), half;
		char rate[SIZE_TEXT];

		if ((r->test != TEST_STREAM_READ && r->test != TEST_STREAM_WRITE) ||
		    r->elapsed_ns < 1000000000)
			continue;
		half = curve_rate_between(&r->curve, (double)r->bytes / 2, (double)r->bytes);
		if (whole > 0 && half > 0 && (half < 0.9 * whole || half > 1.1 * whole))
			text_print(stdout, 0, "Steady, in its last half: %s (%s %s).",
				   size_print_rate(rate, half), run_test_name(r->test),
				   run_mode_name(r->mode));
	}
}

static void data_sentence(const struct outcome *o)
{
	bool wrote = false,
	     noisy = record_has(&o->record, "noisy") || record_has(&o->record, "foreign-writes");

	for (unsigned i = 0; i < o->runs; i++)
		wrote |= o->run[i].test >= TEST_STREAM_WRITE && o->run[i].bytes;
	if (!wrote)
		return;
	if (!o->compared) {
		if (!record_has(&o->record, "miscompare"))
			text_print(stdout, 0,
				   o->data == DATA_KEPT ? "Not everything was read back; only the "
							  "bytes that were there were written."
							: "Not everything was read back.");
		return;
	}
	text_print(stdout, 0, "Read back and compared: every byte is as it %s.%s",
		   o->data == DATA_KEPT ? "was" : "was written",
		   noisy || o->kind != KIND_BLOCK ? "" : " Nobody else wrote to it.");
}

static void early(const struct outcome *o, const struct config *c)
{
	unsigned cut = 0;
	char wait[SIZE_TEXT];

	for (unsigned i = 0; i < o->runs; i++)
		cut += o->run[i].cut;
	if (cut)
		text_print(stdout, 0,
			   "-t %g ended %u of the %u tests early (-v: which; -t 0: let them run).",
			   (double)c->time_ns / 1e9, cut, o->runs);
	if (o->interrupted)
		text_print(stdout, 0, "Stopped by a signal after %s: incomplete.",
			   size_print_wait(wait, o->elapsed_ns));
}

static void sentences(struct outcome *o, const struct config *c)
{
	char wait[SIZE_TEXT];

	notes(o);
	data_sentence(o);
	early(o, c);
	steady(o);
	for (unsigned i = 0; i < o->record.verdicts; i++)
		text_print(stdout, 0, "%s", o->record.verdict[i].text);
	if (o->elapsed_ns && !o->interrupted)
		text_print(stdout, 0, "Done in %s.", size_print_wait(wait, o->elapsed_ns));
}

static void verdict_only(const struct outcome *o)
{
	char path[60];

	text_cut(path, sizeof(path) - 1, o->record.target);
	for (unsigned i = 0; i < o->record.verdicts; i++)
		text_print(stdout, 0, "%s: %s", path, o->record.verdict[i].text);
	if (!o->record.verdicts)
		text_print(stdout, 0, "%s: %s", path,
			   o->record.troubles ? o->record.trouble[0].text : "nothing stands out");
}

void screen_result(struct outcome *o, const struct config *c)
{
	bool measured = false;

	if (c->quiet) {
		verdict_only(o);
		return;
	}
	for (unsigned i = 0; i < o->runs; i++)
		measured |= o->run[i].ops != 0;
	if (measured)
		table(o);
	sentences(o, c);
}
