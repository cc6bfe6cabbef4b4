/* SPDX-License-Identifier: MIT */
/* main - find the applet, run it, and see that stdout took what it printed. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <core/applet.h>
#include <core/install.h>
#include <core/msg.h>
#include <core/opt.h>

static const struct applet *find(const char *name)
{
	const struct applet *const *a = applet_table;

	while (*a && strcmp((*a)->name, name) != 0)
		a++;
	return *a;
}

static void list(FILE *out)
{
	for (const struct applet *const *a = applet_table; *a; a++)
		fprintf(out, "%s\n", (*a)->name);
}

static void first_screen(void)
{
	const struct applet *const *a;

	puts(PITBOX_NAME " " PITBOX_VERSION "   measure a machine, adjust it, send it out again\n");
	for (a = applet_table; *a; a++)
		printf("  %-8s %s\n", (*a)->name, (*a)->brief);
	if (applet_table[0])
		puts("\nThese look and change nothing:");
	for (a = applet_table; *a; a++)
		fputs((*a)->tour, stdout);
	puts("\n'APPLET --help' tells the rest. No link to it?  '" PITBOX_NAME " APPLET ...'\n"
	     "'" PITBOX_NAME " --list', '--version', '--install [-s] DIR' (links in DIR).");
}

static int applet_main(const struct applet *a, int argc, char **argv)
{
	bool json = opt_wants_json(argv + 1);
	int status, rc;

	msg_name = a->name;
	status = a->face ? a->face(argc, argv) : -1;
	if (status >= 0)
		return status;
	rc = opt_parse(a, argv);
	status = rc ? -1 - rc : a->run(argv);
	if (status == STATUS_USAGE && a->refuse && json)
		a->refuse(msg_usage);
	return status;
}

static int own_option(char **argv)
{
	bool symbolic = argv[1] && !strcmp(argv[1], "-s");

	if (!strcmp(argv[0], "--install")) {
		if (!argv[1 + symbolic] || argv[2 + symbolic])
			return (int)usage("--install [-s] takes one folder");
		return (int)install_links(argv[1 + symbolic], symbolic);
	}
	if (!strcmp(argv[0], "--list"))
		list(stdout);
	else if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
		first_screen();
	else if (!strcmp(argv[0], "--version"))
		applet_print_version();
	else
		return (int)usage("there is no option '%.200s'", argv[0]);
	return STATUS_OK;
}

static int dispatch(int argc, char **argv)
{
	const struct applet *a;
	const char *name = argc ? strrchr(argv[0], '/') : NULL;

	a = argc ? find(name ? name + 1 : argv[0]) : NULL;
	if (!a && argc >= 2 && argv[1][0] != '-') {
		a = find(*++argv);
		argc--;
		if (!a) {
			warn("there is no applet '%.200s' here; these are built in:", *argv);
			list(stderr);
			return STATUS_NO_APPLET;
		}
	}
	if (a)
		return applet_main(a, argc, argv);
	if (argc >= 2)
		return own_option(argv + 1);
	first_screen();
	return STATUS_OK;
}

/* A descriptor 0, 1 or 2 that came closed would be the first disk that is opened, and
 * a table printed to stdout would be written on it. A folder takes no write at all. */
static void hold_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/", O_RDONLY | O_DIRECTORY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	int status;

	hold_standard_descriptors();
	status = dispatch(argc, argv);
	/* Nothing counts as done until stdout has taken it. */
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		fail(-(errno ? errno : EIO), "standard output: cannot write");
		if (status < STATUS_SIGNAL)
			status = STATUS_FAILED;
	}
	/* A shell that runs a loop over many disks ends it only for one that ^C really ended. */
	if (status > STATUS_SIGNAL) {
		signal(status - STATUS_SIGNAL, SIG_DFL);
		raise(status - STATUS_SIGNAL);
	}
	return status;
}
