/* SPDX-License-Identifier: MIT */
/* progress - one line on stderr, each second, in every phase; once on SIGUSR1. */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <core/size.h>
#include <core/text.h>
#include <timing/clock.h>
#include <timing/progress.h>

#define WIDTH (TEXT_COLUMNS - 1) /* the last column would make a terminal wrap */
#define NEVER (UINT64_MAX / 2)

static volatile sig_atomic_t asked;

static struct {
	bool in_place, shown, bytes;
	const char *object, *what;
	uint64_t total, started, deadline, period, next;
} line;

static void on_usr1(int signal)
{
	(void)signal;
	asked = 1;
}

void progress_init(bool always, bool never)
{
	line.in_place = isatty(STDERR_FILENO) && !never;
	line.period = always || line.in_place ? NS_PER_S : NEVER;
	line.next = NEVER;
	signal(SIGUSR1, on_usr1);
}

void progress_phase(const char *object, const char *what, uint64_t total, bool bytes,
		    uint64_t deadline_ns)
{
	line.object = object;
	line.what = what;
	line.total = total;
	line.bytes = bytes;
	line.deadline = deadline_ns;
	line.started = clock_now();
	line.next = line.started + line.period;
}

static const char *number(char buf[SIZE_TEXT], uint64_t n)
{
	snprintf(buf, SIZE_TEXT, "%llu", (unsigned long long)n);
	return buf;
}

/* What is left: at the rate so far, and not beyond the deadline. */
static uint64_t left(uint64_t now, uint64_t done)
{
	int64_t until = line.deadline > now ? (int64_t)(line.deadline - now) : 0, ns = 0;

	if (done)
		ns = (int64_t)((double)(int64_t)(now - line.started) / (double)(int64_t)done *
			       (double)(int64_t)(line.total - done));
	return (uint64_t)(line.deadline && (!done || ns > until) ? until : ns);
}

static void show(uint64_t now, uint64_t done)
{
	char text[WIDTH + 1], object[24], at[SIZE_TEXT], total[SIZE_TEXT], rate[SIZE_TEXT],
		wait[SIZE_TEXT];
	double per_s = (double)(int64_t)done * 1e9 / (double)(int64_t)(now - line.started + 1);
	const char *(*print)(char *, uint64_t) = line.bytes ? size_print : number;

	if (line.bytes)
		size_print_rate(rate, per_s);
	else
		snprintf(rate, sizeof(rate), "%.0f a second", per_s);
	snprintf(text, sizeof(text), "%s: %s %s of %s, %s, %s left",
		 text_cut(object, sizeof(object) - 1, line.object), line.what, print(at, done),
		 print(total, line.total), rate, size_print_wait(wait, left(now, done)));
	fprintf(stderr, line.in_place ? "\r%-*s" : "%.*s\n", WIDTH, text);
	fflush(stderr);
	line.shown = line.in_place;
}

void progress_at(uint64_t now, uint64_t done)
{
	if (now < line.next && !asked)
		return;
	asked = 0;
	if (!line.what)
		return;
	show(now, done);
	line.next = now + line.period;
}

void progress_clear(void)
{
	if (line.shown)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
	fflush(stderr);
	line.shown = false;
}
