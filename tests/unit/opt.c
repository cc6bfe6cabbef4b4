/* SPDX-License-Identifier: MIT */
/* opt - what a command line means, and what is said where it means nothing. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <core/applet.h>
#include <core/msg.h>

#include "../tap.h"

static struct {
	bool write, quiet, json, force, dd;
	uint64_t size, count, time, rate;
	int cache;
	unsigned modes;
	const char *destroy;
} cfg;

static const struct opt opts[] = {
	OPT_FLAG('w', "write", &cfg.write, "write tests too", .excludes = 1),
	OPT_CHOICE('c', "cache", "STATE", "both, on, off, keep", &cfg.cache,
		   "state of the cache\nin two lines"),
	OPT_SIZE('s', "size", &cfg.size, "length", .min = 1),
	OPT_NUMBER('n', "count", &cfg.count, "how many", .min = 1, .max = 1000000),
	OPT_TIME('t', "time", "SECONDS", &cfg.time, "end after this"),
	OPT_SET('m', "mode", "LIST", "direct, dsync", &cfg.modes, "modes"),
	OPT_RATE(0, "min-rate", &cfg.rate, NULL),
	OPT_FLAG(0, "dd", &cfg.dd, "as dd prints it"),
	OPT_TEXT(0, "destroy", "TARGET", &cfg.destroy, "write a pattern", .exact = true,
		 .excludes = 1),
	OPT_FLAG(0, "force", &cfg.force, "all the same", .exact = true),
	OPT_FLAG(0, "json", &cfg.json, NULL, .excludes = 2),
	OPT_FLAG('q', "quiet", &cfg.quiet, "the verdict only", .excludes = 2),
	OPT_END
};

static const struct applet applet = {
	.name = "ddtest",
	.opts = opts,
	.max_operands = 3,
	.usage = "Usage.\n",
	.notes = "Notes.\n",
};

/* ---- running it ---------------------------------------------------------------------------- */

static char line[1024], *argv[80], out[4096], err[4096];

static void take_over(FILE *file, int fd, int *saved)
{
	fflush(stdout);
	*saved = dup(fd);
	dup2(fileno(file), fd);
}

static void give_back(FILE *file, int fd, int saved, char *text)
{
	fflush(stdout);
	dup2(saved, fd);
	close(saved);
	rewind(file);
	text[fread(text, 1, 4095, file)] = '\0';
	fclose(file);
}

/* @words, cut at spaces; "''" is an empty one. */
static int parse(const char *words)
{
	FILE *files[2] = { tmpfile(), tmpfile() };
	int saved[2], rc;
	unsigned n = 1;

	memset(&cfg, 0, sizeof(cfg));
	msg_usage[0] = '\0';
	msg_name = "ddtest";
	memset(argv, 0, sizeof(argv));
	argv[0] = (char *)"ddtest";
	snprintf(line, sizeof(line), "%s", words);
	for (char *p = strtok(line, " "); p; p = strtok(NULL, " "))
		argv[n++] = strcmp(p, "''") ? p : (char *)"";
	take_over(files[0], STDOUT_FILENO, &saved[0]);
	take_over(files[1], STDERR_FILENO, &saved[1]);
	rc = opt_parse(&applet, argv);
	give_back(files[0], STDOUT_FILENO, saved[0], out);
	give_back(files[1], STDERR_FILENO, saved[1], err);
	return rc;
}

/* Whether the operands are @words, spaces between. */
static bool operands(const char *words)
{
	char joined[256] = "";

	for (char **a = argv; *a; a++) {
		strcat(joined, a == argv ? "" : " ");
		strcat(joined, *a);
	}
	return !strcmp(joined, words);
}

/* ---- what is right ------------------------------------------------------------------------- */

static const struct {
	const char *words, *operands;
	const bool *flag; /* must be set */
	const uint64_t *number;
	uint64_t value;
} right[] = {
	{ "", "", NULL, NULL, 0 },
	{ "a b c", "a b c", NULL, NULL, 0 },
	{ "-w a", "a", &cfg.write, NULL, 0 },
	{ "a -w", "a", &cfg.write, NULL, 0 },
	{ "--write a", "a", &cfg.write, NULL, 0 },
	{ "--wri a", "a", &cfg.write, NULL, 0 },
	{ "-wn10 a", "a", &cfg.write, &cfg.count, 10 },
	{ "-wn 10 a", "a", &cfg.write, &cfg.count, 10 },
	{ "-n 10 -n 11 a", "a", NULL, &cfg.count, 11 },
	{ "--count=7", "", NULL, &cfg.count, 7 },
	{ "--count 7 x", "x", NULL, &cfg.count, 7 },
	{ "-n 1000000", "", NULL, &cfg.count, 1000000 },
	{ "-s 64KiB", "", NULL, &cfg.size, 65536 },
	{ "-s1GB", "", NULL, &cfg.size, 1000000000 },
	{ "-t 0.5", "", NULL, &cfg.time, 500000000 },
	{ "-t 0", "", NULL, &cfg.time, 0 },
	{ "--min-rate 50MB/s", "", NULL, &cfg.rate, 50000000 },
	{ "--dd", "", &cfg.dd, NULL, 0 },
	{ "--force", "", &cfg.force, NULL, 0 },
	{ "--destroy=/dev/sdb --force", "", &cfg.force, NULL, 0 },
	{ "-- -w --force", "-w --force", NULL, NULL, 0 },
	{ "- -q", "-", &cfg.quiet, NULL, 0 },
	{ "-q -- --", "--", &cfg.quiet, NULL, 0 },
	{ "'' a", " a", NULL, NULL, 0 },
	{ "if=a ./a=b", "if=a ./a=b", NULL, NULL, 0 },
};

static void good(void)
{
	for (unsigned i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		int rc = parse(right[i].words);

		ok(!rc && operands(right[i].operands) && (!right[i].flag || *right[i].flag) &&
			   (!right[i].number || *right[i].number == right[i].value) && !*out &&
			   !*err,
		   "'%s'", right[i].words);
	}
	ok(!parse("-c off -m dsync") && cfg.cache == 2 && cfg.modes == 2, "words");
	ok(!parse("-cboth --mode=dsync,direct") && cfg.cache == 0 && cfg.modes == 3,
	   "lists of words");
	ok(!parse("--destroy=/dev/s=db") && !strcmp(cfg.destroy, "/dev/s=db"), "a text with '='");
	ok(!parse("--destroy -w") && !strcmp(cfg.destroy, "-w") && !cfg.write,
	   "a value may look like an option");
	ok(!parse("--destroy=") && cfg.destroy && !*cfg.destroy, "an empty text");
	ok(!parse("-q -q -q"), "the same twice does not clash");
}

/* ---- what is wrong --------------------------------------------------------------------------- */

static const struct {
	const char *words, *said;
} wrong[] = {
	{ "-x", "there is no option '-x'" },
	{ "-w\x01", "there is no option '-\x01'" },
	{ "--nothing", "there is no option '--nothing'" },
	{ "--writes", "there is no option '--writes'" },
	{ "--forc", "there is no option '--forc'" },
	{ "--destro=a", "there is no option '--destro'" },
	{ "--m=direct", "option '--m' is short for more than one" },
	{ "--=x", "option '--' is short for more than one" },
	{ "--write=yes", "--write takes no value" },
	{ "--help=me", "--help takes no value" },
	{ "--version=2", "--version takes no value" },
	{ "-n", "--count needs a value: N" },
	{ "--cache", "--cache needs a value: STATE" },
	{ "-n 0", "--count: 0 is below 1" },
	{ "-n 1000001", "--count: 1000001 is above 1000000" },
	{ "-n 1k", "--count: '1k' is not a whole number" },
	{ "-n ''", "--count: '' is not a whole number" },
	{ "-n -1", "--count: '-1' is not a whole number" },
	{ "-n 99999999999999999999", "--count: '99999999999999999999' is too large" },
	{ "-s 1.5G", "--size: '1.5G' is not a size like 512, 64KiB, 1GiB or 1GB" },
	{ "-s 0", "--size: 0 is below 1" },
	{ "-s 16E", "--size: '16E' is too large" },
	{ "-t soon", "--time: 'soon' is not a time like 15, 0.5s or 10ms" },
	{ "--min-rate fast", "--min-rate: 'fast' is not a rate like 50MB/s" },
	{ "-c maybe", "--cache: 'maybe' is not one of both, on, off, keep" },
	{ "-c ''", "--cache: '' is not one of both, on, off, keep" },
	{ "-c o", "--cache: 'o' is not one of both, on, off, keep" },
	{ "-c 10", "--cache: '10' is not one of both, on, off, keep" },
	{ "-m direct,", "--mode: 'direct,' is not one of direct, dsync" },
	{ "-m direct,,dsync", "--mode: 'direct,,dsync' is not one of direct, dsync" },
	{ "-m sync", "--mode: 'sync' is not one of direct, dsync" },
	{ "-w --destroy=a", "--write and --destroy exclude each other" },
	{ "-q --json", "--quiet and --json exclude each other" },
	{ "a b c d", "'d' is one operand too many" },
	{ "-w a b c -- d", "'d' is one operand too many" },
	/* 64 times the same do not push the other one out */
	{ "-wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwq --json",
	  "--quiet and --json exclude each other" },
};

static void bad(void)
{
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int rc = parse(wrong[i].words);
		bool same = !strcmp(msg_usage, wrong[i].said);

		ok(rc == -1 - (int)STATUS_USAGE && same && !*out && !strncmp(err, "ddtest: ", 8) &&
			   strstr(err, "\nTry 'ddtest --help'.\n"),
		   "'%.20s': %s", wrong[i].words, wrong[i].said);
		if (!same)
			printf("# got: %s\n", msg_usage);
	}
}

/* ---- help -------------------------------------------------------------------------------------
 */

static void help(void)
{
	static const char wanted[] =
		"Usage.\n"
		"  -w, --write          write tests too\n"
		"  -c, --cache STATE    state of the cache\n"
		"                       in two lines\n"
		"  -s, --size SIZE      length\n"
		"  -n, --count N        how many\n"
		"  -t, --time SECONDS   end after this\n"
		"  -m, --mode LIST      modes\n"
		"      --min-rate RATE, --dd\n"
		"                       as dd prints it\n"
		"      --destroy=TARGET write a pattern\n"
		"      --force          all the same\n"
		"      --json, -q, --quiet\n"
		"                       the verdict only\n"
		"  -h, --help           this;  --version: version and features\n"
		"Notes.\n";

	ok(parse("--help") == -1 - (int)STATUS_OK && !strcmp(out, wanted) && !*err,
	   "--help is made from the table");
	if (strcmp(out, wanted))
		printf("# got:\n%s", out);
	ok(parse("-w a b c d -h") == -1 - (int)STATUS_OK && !strcmp(out, wanted),
	   "-h goes before the operands");
	ok(parse("-h -x") == -1 - (int)STATUS_USAGE && !*out, "not before what is wrong");
	ok(parse("--version") == -1 - (int)STATUS_OK &&
		   !strncmp(out, PITBOX_NAME " " PITBOX_VERSION " (", 12) && !*err,
	   "--version");
	ok(parse("--vers") == -1 - (int)STATUS_OK, "which may be shortened too");
}

static bool json(const char *a, const char *b)
{
	char *words[] = { (char *)a, (char *)b, NULL };

	return opt_wants_json(words);
}

int main(void)
{
	good();
	bad();
	help();
	ok(json("--json", NULL) && json("-x", "--json") && json("--js", NULL),
	   "--json is found in a broken line");
	parse("-w\x01");
	ok(strstr(err, "there is no option '-?'\n"), "no control byte reaches the terminal");
	ok(!json("--", "--json") && !json("--jsonx", NULL) && !json("json", NULL) &&
		   !json("-", "") && !json(NULL, NULL),
	   "and only where it is one");
	return tap_done();
}
