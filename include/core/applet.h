/* SPDX-License-Identifier: MIT */
/* applet - all that main knows of a command. */
#ifndef CORE_APPLET_H
#define CORE_APPLET_H

#include <core/opt.h>
#include <core/status.h>

struct applet {
	const char *name;
	const char *brief; /* one line, for the list of applets */
	const char *tour;  /* lines for the first screen: calls that only look */
	const char *usage; /* --help above the options */
	const char *notes; /* --help below them */
	const struct opt *opts;
	int max_operands; /* < 0: any number */

	/* Another command line under the same name: returns its exit status, or -1 when argv
	 * is not in that form. NULL: there is none. */
	int (*face)(int argc, char **argv);

	/* The operands, ended by NULL. Returns an exit status, 128 + n after signal n. */
	int (*run)(char **operand);

	/* Print a usage error that stopped the run as JSON on stdout. */
	void (*refuse)(const char *text);
};

/* Sorted by name, ended by NULL. */
extern const struct applet *const applet_table[];

/* "pitbox 0.1 (x86_64-linux-musl)" and what is built in, on stdout. */
void applet_print_version(void);

#endif
