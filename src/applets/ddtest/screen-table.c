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

		if (r->test == test && r->ops && r->mode % MODE_BUFFERED == mode)
			return r;
	}
	return NULL;
}

/* MB/s of a stream, else the median in ms. */
static void print_cell(const struct outcome *o, enum test test, enum mode mode)
{
	const struct run *r = find(o, test, mode);
	bool stream = test == TEST_STREAM_READ || test == TEST_STREAM_WRITE;
	double value;

	if (!r) {
		printf("%*s", stream ? 6 : 7, "-");
		return;
	}
	value = stream ? run_rate(r) / 1e6 : (double)histogram_quantile(&r->lat, 500) / 1e6;
	printf("%*.*f", stream ? 6 : 7,
	       stream          ? value < 9.95
	       : value < 0.995 ? 3
	       : value < 99.5  ? 2
			       : 0,
	       value);
}

/* In the words of the table: the worst that was found. */
static void print_word(const struct outcome *o)
{
	const struct verdict *slow = record_has(&o->record, "slower-than-its-kind");
	static const char *const of_status[] = { "ok", "FAULT", "", "cannot", "refused", "FAILED" };
	static const char *const of_verdict[][2] = {
		{ "unreadable", "READ ERROR" },
		{ "miscompare", "MISCOMPARE" },
		{ "limit-missed", "LIMIT" },
	};

	const char *word = o->interrupted ? "incomplete" : of_status[o->record.status];

	for (unsigned i = 0; i < sizeof(of_verdict) / sizeof(of_verdict[0]); i++)
		if (record_has(&o->record, of_verdict[i][0]))
			word = of_verdict[i][1];
	if (slow && o->record.status == STATUS_FAULT) {
		const char *factor = slow->text; /* "... at 0.31 x ..." */

		while (*factor && strncmp(factor, " at ", 4))
			factor++;
		printf("  SLOW%.7s\n", factor + 3);
	} else {
		printf("  %s\n", word);
	}
}

static void line(const struct outcome *o)
{
	const char *path = *o->name ? o->name : o->record.target;
	size_t length = strlen(path);
	char name[12], model[17], serial[11];

	/* Paths differ at their ends. */
	text_cut(name, 8, length > 8 ? path + length - 8 : path);
	if (length > 8)
		name[0] = '~';
	text_cut(model, 15, *o->model ? o->model : *o->fs ? o->fs : NULL);
	text_cut(serial, 8, *o->serial ? o->serial : NULL);
	printf("%-8s %-15s %-8s", name, model, serial);
	print_cell(o, TEST_STREAM_READ, MODE_DIRECT);
	print_cell(o, TEST_STREAM_WRITE, MODE_DIRECT);
	print_cell(o, TEST_STREAM_WRITE, MODE_DSYNC);
	print_cell(o, TEST_LATENCY_WRITE, MODE_DSYNC);
	print_cell(o, TEST_SEEK_READ, MODE_DIRECT);
	print_word(o);
}

/* A comparison names its disk itself. */
static void say(const char *name, const char *text)
{
	bool named = !strncmp(text, name, strlen(name));

	text_print(stdout, 0, "%s%s%s", named ? "" : name, named ? "" : ": ", text);
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

	text_cut(name, sizeof(name) - 1, *o->name ? o->name : r->target);
	for (unsigned i = 0; i < r->verdicts; i++)
		if (r->verdict[i].level != LEVEL_INFO)
			say(name, r->verdict[i].text);
	for (unsigned i = 0; i < r->troubles; i++)
		if (!r->verdicts)
			say(name, r->trouble[i].text);
	for (unsigned i = 0; i < o->note_count; i++)
		if (!noted_before(all, at, o->notes[i]))
			say(name, o->notes[i]);
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
