/* SPDX-License-Identifier: MIT */
/* ddtest - the disk test with dd, as one command that loses no data. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <core/applet.h>
#include <core/msg.h>
#include <core/size.h>
#include <device/disks.h>
#include <device/use.h>
#include <timing/clock.h>
#include <timing/progress.h>

#include "dd.h"
#include "parallel.h"
#include "screen.h"
#include "stream.h"

extern int dd_face(int argc, char **argv) __attribute__((weak));

#define MODES_BOTH (1u << MODE_DIRECT | 1u << MODE_DSYNC)

static struct config config = {
	.size = CONFIG_UNSET,
	.offset = CONFIG_UNSET,
	.count = 1000,
	.block = 512,
	.time_ns = 15 * NS_PER_S,
	.rpm = CONFIG_UNSET,
	.seed = 1,
	.modes = MODES_BOTH,
	.progress = -1,
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG('w', "write", &config.write, "write tests too; the data is kept, see WARNING", .excludes = 1),
	OPT_SIZE('s', "size", &config.size, "length of a stream                          [1GiB]", .min = 1),
	OPT_NUMBER('n', "count", &config.count, "number of small writes, and of seeks        [1000]", .min = 1,
		   .max = UINT32_MAX),
	OPT_SIZE('b', "block", &config.block, "size of a small write                       [512]", .min = 1, .max = 16 << 20),
	OPT_SIZE('o', "offset", &config.offset, "where to write                              [1MiB]"),
	OPT_TIME('t', "time", "SECONDS", &config.time_ns, "end each test after this; 0: never          [15]"),
	OPT_SET('m', "mode", "LIST", "direct, dsync", &config.modes, "direct, dsync                               [both]"),
	OPT_FLAG('P', "parallel", &config.parallel, "all TARGETs at the same time"),
	OPT_RATE(0, "min-rate", &config.limits.min_rate, NULL, .min = 1),
	OPT_TIME(0, "max-latency", "TIME", &config.limits.max_latency_ns,
		 "exit 1 if a stream is slower, if 1 in 100 takes longer", .min = 1),
	OPT_TEXT(0, "destroy", "TARGET", &config.destroy, "write a pattern instead: THE DATA IS LOST",
		 .exact = true, .excludes = 1),
	OPT_FLAG(0, "force", &config.force, "snapshots, thin pools, degraded arrays, tmpfs; with\n"
		 "--destroy also over a file system or other signature", .exact = true),
	OPT_NUMBER(0, "rpm", &config.rpm, "turns a minute, where the drive does not say", .min = 1, .max = 65534),
	OPT_CHOICE(0, "data", "zero", "random, zero", &config.data, NULL),
	OPT_NUMBER(0, "seed", &config.seed, NULL),
	OPT_CHOICE(0, "progress", "always|never", "always, never", &config.progress, ""),
	OPT_FLAG(0, "dd", &config.dd, NULL, .excludes = 2),
	OPT_FLAG(0, "json", &config.json, "also as dd prints it; one JSON object instead", .excludes = 2),
	OPT_FLAG('q', "quiet", &config.quiet, "the verdict only", .excludes = 3),
	OPT_FLAG('v', "verbose", &config.verbose, "histogram, curve, flushes, evidence", .excludes = 3),
	OPT_END,
};
/* clang-format on */

/* ---- signals -----------------------------------------------------------------------------------
 */

static void on_stop(int signal)
{
	stop_signal = signal;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_stop }, old;

	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	signal(SIGCHLD, SIG_DFL);
	/* A reader that went away must not end a run between a switch and its restoring. */
	signal(SIGPIPE, SIG_IGN);
}

/* ---- the list
 * ------------------------------------------------------------------------------------ */

static void list_entry(struct outcome *o, const struct blk *b)
{
	o->kind = KIND_BLOCK;
	o->record.target = o->name;
	outcome_identify(o, b);
	snprintf(o->path, sizeof(o->path), "/dev/%s", b->name);
	o->size_bytes = b->size_bytes;
	if (!use_brief(b, o->used_by, sizeof(o->used_by)) && !b->dev)
		strcpy(o->used_by, "?");
}

/* ---- outcomes lie in memory that children share
 * ----------------------------------------------------- */

static void *shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static struct outcome **outcomes_new(unsigned count)
{
	struct outcome **all = shared((count + 1) * (sizeof(*all) + sizeof(**all)));
	struct outcome *o = (struct outcome *)(void *)(all + count + 1);

	for (unsigned i = 0; all && i < count; i++)
		all[i] = o + i;
	return all;
}

#define LIST_MOST 256

static int list(uint64_t started)
{
	static struct blk disks[LIST_MOST];
	int count = disks_list(disks, LIST_MOST);
	struct outcome **all = outcomes_new(count > 0 ? (unsigned)count : 1);
	enum status status = STATUS_OK;

	if (!all)
		return (int)fail(-ENOMEM, "the list of disks");
	all[0]->record.target = "/sys/block";
	if (count < 0)
		status = record_trouble(&all[0]->record, STATUS_FAILED, count,
					"cannot list the disks (is /sys or /proc mounted?)");
	for (int i = 0; i < count; i++)
		list_entry(all[i], &disks[i]);
	if (config.json)
		json_print(all, (unsigned)(count < 0 ? 1 : count), started, (int)status);
	else if (!status)
		screen_list(all, (unsigned)count);
	return (int)status;
}

/* ---- the test
 * ----------------------------------------------------------------------------------------- */

struct job {
	unsigned share; /* that run at the same time */
	bool heading;
};

static void test_one(struct target *t, void *arg)
{
	const struct job *job = arg;
	struct visit v = { 0 };
	enum status status;

	t->o->interrupted = stop_signal != 0;
	if (stop_signal)
		return;
	status = target_open(t, &config);

	if (status == STATUS_OK)
		status = visit_prepare(&v, t, &config, job->share);
	if (status == STATUS_OK) {
		if (job->heading)
			screen_heading(&v);
		visit_run(&v);
		verdict_judge(t->o, &config.limits, config.verbose);
	}
	visit_close(&v);
	target_close(t);
}

/* One that is, or lies on, a drive named before is done once. */
static bool named_before(struct target *targets, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (targets[k].o->record.status == STATUS_OK &&
		    target_overlaps(&targets[k], &targets[i])) {
			warn("%s: is the same as %s or overlaps it, and is left out",
			     targets[i].operand, targets[k].operand);
			return true;
		}
	return false;
}

static enum status examine(struct target *targets, struct outcome **all, char **operand,
			   unsigned *count)
{
	unsigned n = 0;

	for (; *operand; operand++) {
		enum status status = target_examine(&targets[n], *operand, &config, all[n]);

		if (status == STATUS_USAGE)
			return status;
		if (status == STATUS_OK && named_before(targets, n))
			memset(all[n], 0, sizeof(*all[n]));
		else
			n++;
	}
	*count = n;
	return STATUS_OK;
}

static void run_all(struct target *targets, unsigned count)
{
	bool text = !config.json && !config.quiet;
	struct job job = { .share = config.parallel ? count : 1, .heading = text && count == 1 };
	bool write = config.write || config.destroy;
	static const enum cache_state as_is[] = { CACHE_AS_IS };
	struct plan plan;

	plan_make(&plan, write, config.modes, as_is, 1);
	if (text && count > 1)
		screen_table_heading(count, plan.count,
				     plan_longest_ns(&plan, config.time_ns) *
					     (config.parallel ? 1 : count),
				     write);
	if (config.parallel && count > 1) {
		parallel_run(targets, count, test_one, &job);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		if (targets[i].o->record.status == STATUS_OK)
			test_one(&targets[i], &job);
}

static enum status report(struct outcome **all, unsigned count)
{
	enum status status = STATUS_OK;

	verdict_compare(all, count);
	for (unsigned i = 0; i < count; i++)
		status = status_worse(status, all[i]->record.status);
	if (config.json)
		return status;
	if (count > 1 && !config.quiet)
		screen_table(all, count);
	for (unsigned i = 0; i < count; i++) {
		if (count == 1 || config.quiet)
			screen_result(all[i], &config);
		if (config.dd)
			screen_dd(all[i]);
		if (config.verbose)
			screen_evidence(all[i]);
	}
	return status;
}

static int run(char **operand)
{
	uint64_t started = (uint64_t)time(NULL);
	struct target *targets;
	struct outcome **all;
	unsigned count = 0;
	enum status status;

	for (; operand[count]; count++) {
		size_t letters = strspn(operand[count], "abcdefghijklmnopqrstuvwxyz");

		if (letters && operand[count][letters] == '=')
			return (int)usage("'%.200s' is an operand of dd, which takes no options "
					  "and must come first",
					  operand[count]);
	}
	if (!count && config.destroy)
		return (int)usage("--destroy=%.200s needs the target once more, as operand",
				  config.destroy);
	catch_signals();
	if (!count)
		return list(started);
	progress_init(config.progress == 0, config.progress == 1 || config.json);
	all = outcomes_new(count);
	targets = shared(count * sizeof(*targets));
	if (!all || !targets)
		return (int)fail(-ENOMEM, "the results");
	status = examine(targets, all, operand, &count);
	if (status == STATUS_OK) {
		run_all(targets, count);
		status = report(all, count);
		if (config.json)
			json_print(all, count, started,
				   stop_signal ? STATUS_SIGNAL + stop_signal : (int)status);
	}
	return stop_signal ? STATUS_SIGNAL + stop_signal : (int)status;
}

static void refuse(const char *text)
{
	static struct outcome nothing;
	struct outcome *all[] = { &nothing };

	nothing.record.status = STATUS_USAGE;
	nothing.record.troubles = 1;
	snprintf(nothing.record.trouble[0].text, sizeof(nothing.record.trouble[0].text), "%s",
		 text);
	json_print(all, 1, (uint64_t)time(NULL), STATUS_USAGE);
}

const struct applet ddtest_applet = {
	.name = "ddtest",
	.brief = "test a disk with dd's own figures, without losing its data",
	.tour = "  ddtest              list the disks that can be tested, and who uses them\n"
		"  ddtest /dev/sda     read test, half a minute\n",
	.usage = "Usage: ddtest [OPTION]... [TARGET]...     without TARGET: list the disks\n"
		 "       ddtest if=FILE of=FILE bs=N ...    dd itself: OF= IS OVERWRITTEN\n"
		 "\n"
		 "Streams 1 GiB, then times 1000 accesses one by one. Without -w it only reads.\n"
		 "\n"
		 "TARGET          ddtest TARGET         ddtest -w TARGET\n"
		 "  block device  stream, 4 KiB seeks   + writes; each block keeps its data\n"
		 "  directory     no: it must write     a scratch file that nobody ever sees\n"
		 "  file          stream, 4 KiB seeks   no: test its directory\n"
		 "\n",
	.notes = "\n"
		 "direct = oflag=direct, what the drive acknowledges. dsync = oflag=dsync, what\n"
		 "survives a power cut. 1 MB = 1000000 bytes, 1 MiB = 1048576 bytes.\n"
		 "\n"
		 "WARNING  -w writes back what it has read. If the power fails, a drive may\n"
		 "lose the sector it is writing. Not on a failing disk: copy that one first.\n"
		 "\n"
		 "  ddtest -w /dev/sda2               the whole test, 3 minutes at most\n"
		 "  ddtest -w -t 0 /dev/sda2          to the end of 1 GiB, however slow\n"
		 "  ddtest -w -P /dev/sd[b-y]         24 new disks, one table\n"
		 "\n"
		 "Exit: 0 done  1 fault, or limit missed  2 usage  3 cannot  4 refused: unsafe\n"
		 "5 device or system failed  128+N signal N, all restored.  dd itself: 0, 1, 4\n",
	.opts = opts,
	.max_operands = -1,
	.face = dd_face,
	.run = run,
	.refuse = refuse,
};
