/* SPDX-License-Identifier: MIT */
/* dd - the dd face: GNU dd's operands, copying, statistics and exit statuses. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
	"As dd, operands, statistics and exit statuses are GNU dd's (C locale), but:\n"
	"  memory stays at 16 MiB for any bs=: a longer record goes in pieces; with\n"
	"  dsync or sync they are flushed together, and count when that worked;\n"
	"  a record larger than the target or its free space is refused (1);\n"
	"  of= on a block device that is in use or marked read-only is refused (4);\n"
	"  a missing path below /dev is never created; if=/dev/zero is not read;\n"
	"  a record may be longer than 2 GiB; SIGUSR1 cuts no transfer short, SIGTERM\n"
	"  prints statistics too; oflag=dsync works on standard output;\n"
	"  oflag=direct says which sizes the device takes, and when a short block went\n"
	"  through the cache; cbs=, text conversions, nocache, directory and noctty\n"
	"  are not built in.\n";

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
	struct sigaction action = { .sa_handler = on_signal }, old;
	static const int fatal[] = { SIGINT, SIGTERM };

	dd_interrupt = dd_asked = 0;
	if (!getenv("POSIXLY_CORRECT"))
		sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_NODEFER | (int)SA_RESETHAND;
	for (unsigned i = 0; i < 2; i++) {
		sigaction(fatal[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &action, NULL);
	}
}

static size_t capacity(uint64_t record, size_t most)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return ((record < most ? (size_t)record : most) + page - 1) / page * page;
}

/* With bs= one buffer serves both sides. */
static int make_buffers(struct dd *d)
{
	bool two = d->o.conv & DD_TWOBUFS;
	size_t most = two ? DD_BUFFER / 2 : DD_BUFFER;

	d->icap = capacity(d->o.ibs, most);
	d->ocap = capacity(d->o.obs, most);
	d->piece = 1 << 20;
	if (buf_open(&d->buf, two ? d->icap + d->ocap : d->icap)) {
		dd_say(d, ENOMEM, "no buffer of 16 MiB", NULL, "");
		return 1;
	}
	d->ibuf = d->buf.data;
	d->obuf = two ? d->ibuf + d->icap : d->ibuf;
	return 0;
}

static int set_up(struct dd *d)
{
	int rc = make_buffers(d);

	/* As GNU dd: said where what was asked for in records could come out otherwise. */
	d->warn_partial =
		!(d->o.conv & DD_TWOBUFS) && !d->o.fullblock &&
		(d->o.skip_records || (d->o.max_records && d->o.max_records != UINT64_MAX) ||
		 ((d->o.iflags | d->o.oflags) & O_DIRECT));
	if (!rc)
		rc = dd_open_input(d);
	if (!rc)
		rc = dd_open_output(d);
	return rc;
}

static int copy(struct dd *d)
{
	int rc, synced;

	d->started = clock_now();
	d->next = d->started + NS_PER_S;
	d->reported = UINT64_MAX;
	rc = dd_copy(d);
	if (rc == DD_EXIT)
		return 1;
	if (rc != DD_QUIT) {
		synced = dd_synchronize(d);
		rc = synced ? synced : rc;
		/* What the short block left in the page cache has no business there. */
		if (d->direct_off && d->drop_from >= 0)
			sys.fadvise(d->out, d->drop_from & -4096, 0, POSIX_FADV_DONTNEED);
	}
	dd_signals(d);
	if (dd_cleanup(d))
		return 1;
	dd_print_stats(d);
	return rc ? 1 : 0;
}

static bool is_operand(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return n && text[n] == '=';
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
	if (d.in >= 0)
		sys.close(d.in);
	if (d.out >= 0)
		sys.close(d.out);
	/* GNU dd: 1 where a message could not be written. */
	if (fflush(stderr) || ferror(stderr))
		rc = rc ? rc : 1;
	return rc;
}
