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

#include "dd-copy.h"
#include "dd-open.h"
#include "dd-operands.h"
#include "dd.h"

const char dd_help[] =
	"Operands, output and exit status are GNU dd's, but:\n"
	"  any bs= takes 16 MiB of memory: longer records go in pieces, with dsync or\n"
	"  sync flushed together, and count when that worked; refused are a record over\n"
	"  the target or its free space, and a block device in use or read-only (4);\n"
	"  no file is made below /dev; if=/dev/zero is not read; SIGUSR1 cuts nothing\n"
	"  short; SIGTERM prints too; oflag=direct says which sizes it takes, and when a\n"
	"  short block is cached; no cbs=, text conversions, nocache, directory, noctty.\n";

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
	if (parsed != DD_PARSED)
		return parsed == DD_PARSED_WRONG;
	catch_signals();
	rc = dd_open(&d);
	if (!rc)
		rc = dd_copy(&d);
	buf_close(&d.buf);
	sys.close(d.in);
	sys.close(d.out);
	/* GNU dd: 1 where a message could not be written. */
	return rc ? rc : fflush(stderr) || ferror(stderr);
}
