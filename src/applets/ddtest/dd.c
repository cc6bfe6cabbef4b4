/* SPDX-License-Identifier: MIT */
/* dd - the dd face: GNU dd's operands, copying, statistics and exit statuses. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <core/applet.h>
#include <device/sys.h>
#include <timing/clock.h>

#include "dd-copy.h"
#include "dd-open.h"
#include "dd-operands.h"
#include "dd.h"

const char dd_help[] =
	"Operands, output and exit status are GNU dd's (C locale), but:\n"
	"  memory stays at 16 MiB for any bs=: a longer record goes in pieces; with\n"
	"  dsync or sync they are flushed together, and count when that worked;\n"
	"  a record may be over 2 GiB; one over the target or its free space is refused;\n"
	"  of= on a block device in use or marked read-only: refused (4);\n"
	"  no file is made below /dev; if=/dev/zero is not read; SIGUSR1 cuts nothing\n"
	"  short; SIGTERM prints statistics too; oflag=dsync works on standard output;\n"
	"  oflag=direct says which sizes it takes, and that a short block is cached;\n"
	"  no cbs=, text conversions, nocache, directory, noctty.\n";

static void on_signal(int signal)
{
	if (signal == SIGUSR1)
		dd_asked = 1;
	else
		dd_interrupt = signal;
}

/* No SA_RESTART: a read that waits for a pipe has to come back for what was asked. What is
 * ignored from the start (nohup, a script's "&") stays so. */
static void catch_signals(void)
{
	static const unsigned char signals[] = { SIGUSR1, SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = on_signal }, old;

	dd_interrupt = dd_asked = 0;
	for (unsigned i = 0; i < sizeof(signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
		action.sa_flags = (int)SA_RESETHAND;
	}
}

/* Whole 64 KiB, the largest page there is. */
static size_t capacity(uint64_t record, size_t most)
{
	return record < most ? (size_t)(record | 0xffff) + 1 : most;
}

static int set_up(struct dd *d)
{
	/* With bs= one buffer serves both sides. */
	bool two = d->o.conv & DD_TWOBUFS;
	size_t most = two ? DD_BUFFER / 2 : DD_BUFFER;
	int rc;

	d->icap = capacity(d->o.ibs, most);
	d->ocap = capacity(d->o.obs, most);
	d->piece = 1 << 20;
	d->in_name = d->o.in ? d->o.in : "standard input";
	d->out_name = d->o.out ? d->o.out : "standard output";
	/* As GNU dd: said where what was asked for in records could come out otherwise. */
	d->warn_partial =
		!two && !d->o.fullblock &&
		(d->o.skip_records || (d->o.max_records && d->o.max_records != UINT64_MAX) ||
		 ((d->o.iflags | d->o.oflags) & O_DIRECT));
	rc = buf_open(&d->buf, two ? d->icap + d->ocap : d->icap);
	if (rc)
		return dd_say(d, rc, "no buffer of 16 MiB");
	d->ibuf = d->buf.data;
	d->obuf = two ? d->ibuf + d->icap : d->ibuf;
	rc = dd_open_input(d);
	return rc ? rc : dd_open_output(d);
}

static int copy(struct dd *d)
{
	int rc;

	d->started = d->piece_started = clock_now();
	d->next = d->started + NS_PER_S;
	d->reported = UINT64_MAX;
	rc = dd_copy(d);
	if (rc != DD_QUIT)
		rc |= dd_synchronize(d);
	dd_signals(d);
	if (dd_cleanup(d))
		return 1;
	dd_print_stats(d);
	return rc != 0;
}

static bool is_operand(const char *text)
{
	const char *p = text;

	while ((*p | 32) >= 'a' && (*p | 32) <= 'z')
		p++;
	return p > text && *p == '=';
}

int dd_face(int argc, char **argv)
{
	struct dd d = { .in = -1, .out = -1 };
	enum dd_parsed parsed;
	int rc;

	if (argc < 2 || !is_operand(argv[1]))
		return -1;
	parsed = dd_operands_parse(&d.o, argv, stderr);
	if (parsed == DD_PARSED_HELP)
		fputs(dd_help, stdout);
	else if (parsed == DD_PARSED_VERSION)
		applet_print_version();
	if (parsed != DD_PARSED)
		return parsed == DD_PARSED_WRONG;
	catch_signals();
	rc = set_up(&d);
	if (!rc)
		rc = copy(&d);
	buf_close(&d.buf);
	sys.close(d.in);
	sys.close(d.out);
	/* GNU dd: 1 where a message could not be written. */
	return rc ? rc : fflush(stderr) || ferror(stderr);
}
