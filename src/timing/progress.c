/* SPDX-License-Identifier: MIT */
/* progress - one line on stderr, each second, in every phase; once on SIGUSR1. */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <core/size.h>
#include <core/text.h>
#include <timing/clock.h>
#include <timing/progress.h>

static volatile sig_atomic_t asked;

static struct {
	bool wanted, terminal, shown, bytes;
	const char *object, *what;
	uint64_t total, started, deadline, next;
} line;

static void on_usr1(int signal)
{
	(void)signal;
	asked = 1;
}

void progress_init(bool always, bool never)
{
	struct sigaction action = { .sa_handler = on_usr1, .sa_flags = SA_RESTART };

	line.terminal = isatty(STDERR_FILENO);
	line.wanted = always || (line.terminal && !never);
	line.next = line.wanted ? 0 : UINT64_MAX;
	sigaction(SIGUSR1, &action, NULL);
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
	if (line.wanted)
		line.next = line.started + NS_PER_S;
}

/* What is left: at the rate so far, and not beyond the deadline. */
static uint64_t left(uint64_t now, uint64_t done)
{
	double ns = 0;

	if (done)
		ns = (double)(now - line.started) / (double)done * (double)(line.total - done);
	if (line.deadline && (!done || ns > (double)(line.deadline - now)))
		return line.deadline > now ? line.deadline - now : 0;
	return (uint64_t)ns;
}

static void show(uint64_t now, uint64_t done)
{
	char text[TEXT_COLUMNS + 8], object[24], rate[SIZE_TEXT], wait[SIZE_TEXT], amount[2][SIZE_TEXT];
	double per_s = (double)done * 1e9 / (double)(now > line.started ? now - line.started : 1);
	int n;

	text_cut(object, sizeof(object) - 1, line.object);
	size_print_wait(wait, left(now, done));
	if (line.bytes)
		n = snprintf(text, sizeof(text), "%s: %s %s of %s, %s, %s left", object, line.what,
			     size_print(amount[0], done), size_print(amount[1], line.total),
			     size_print_rate(rate, per_s), wait);
	else
		n = snprintf(text, sizeof(text), "%s: %s %llu of %llu, %.0f a second, %s left", object,
			     line.what, (unsigned long long)done, (unsigned long long)line.total, per_s, wait);
	if (n > TEXT_COLUMNS - 1)
		n = TEXT_COLUMNS - 1;
	if (line.terminal && line.wanted)
		dprintf(STDERR_FILENO, "\r%-*.*s", TEXT_COLUMNS - 1, n, text);
	else
		dprintf(STDERR_FILENO, "%.*s\n", n, text);
	line.shown = line.terminal && line.wanted;
}

void progress_at(uint64_t now, uint64_t done)
{
	if (now < line.next && !asked)
		return;
	asked = 0;
	if (!line.what)
		return;
	show(now, done);
	if (line.wanted)
		line.next = now + NS_PER_S;
}

void progress_clear(void)
{
	if (line.shown)
		dprintf(STDERR_FILENO, "\r%*s\r", TEXT_COLUMNS - 1, "");
	line.shown = false;
}
