/* SPDX-License-Identifier: MIT */
/* verdict - every other verdict fires, and not when any one condition is taken away. */

#include "verdict-make.h"

struct row {
	const char *what;
	const char *id;
	void (*make)(void);
	void (*change)(void);
	bool wanted;
};

static void none(void)
{
}

/* clang-format off */
#define CHANGE(name, ...) static void name(void) { __VA_ARGS__; }
/* clang-format on */

/* ---- limits: the slowest stream makes 100 MiB/s, the slowest 1 % of the writes take 5 ms ---- */

#define MIB 1048576ull

static void make_rate(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 1, 100);
	limits.min_rate = 101 * MIB;
}

static void make_slow(void)
{
	make_disk();
	make_ops(make_latency(MODE_DSYNC, CACHE_AS_IS, 980, 1000000), 20, 5000000, 512);
	limits.max_latency_ns = 4950000;
}

CHANGE(rate_met, limits.min_rate = 99 * MIB)
CHANGE(time_met, limits.max_latency_ns = 5050000)
CHANGE(no_limit, limits = (struct limits){ 0, 0 })
CHANGE(one_in_100, make_slow(); o.run[0].lat = (struct histogram){ 0 };
       make_ops(&o.run[0], 991, 1000000, 512); make_ops(&o.run[0], 9, 5000000, 512))
CHANGE(incomplete, o.run[0].incomplete = true)
CHANGE(incomplete_few, o.run[0].incomplete = true; o.run[0].ops = VERDICT_OPS - 1)
CHANGE(cut_few, o.run[0].cut = true; o.run[0].ops = 1)
CHANGE(no_ops, o.run[0].ops = 0)
CHANGE(no_time, o.run[0].elapsed_ns = 0)
CHANGE(stream_read, o.run[0].test = TEST_STREAM_READ)
CHANGE(seek_read, o.run[0].test = TEST_SEEK_READ)
CHANGE(latency_write, o.run[0].test = TEST_LATENCY_WRITE)
CHANGE(memory, o.memory = true)

/* ---- others on the disk ------------------------------------------------------------------ */

static void make_foreign(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 1, 100);
	o.run[0].foreign_written = 1;
	o.run[0].foreign_sectors = 1;
}

CHANGE(nobody, o.run[0].foreign_written = 0)
CHANGE(folder, o.kind = KIND_DIRECTORY)
CHANGE(partition, strcpy(o.name, "sda2"))
CHANGE(dm, strcpy(o.bus, "dm"))
CHANGE(md, strcpy(o.bus, "md"))
CHANGE(loop, strcpy(o.bus, "loop"))
CHANGE(uncounted, o.run[0].sectors_known = false)
CHANGE(direct, o.run[0].mode = MODE_DIRECT)

/* 950 sectors of our own: 50 more are 5 % of all. */
static void make_noise(void)
{
	make_disk();
	make_latency(MODE_DSYNC, CACHE_AS_IS, 950, 1000000);
	o.run[0].foreign_sectors = 51;
}

CHANGE(still_quiet, o.run[0].foreign_sectors = 49)
CHANGE(few, o.run[0].ops = VERDICT_OPS - 1)

static void make_zeros(void)
{
	make_disk();
	o.zeros = true;
}

CHANGE(no_zeros, o.zeros = false)

/* ---- flushes ------------------------------------------------------------------------------ */

static void make_unflushed(void)
{
	make_disk();
	make_latency(MODE_DSYNC, CACHE_ON, VERDICT_OPS, 1000000);
	o.run[0].flushes_known = true;
}

CHANGE(flush, o.run[0].flushes = 1)
CHANGE(flushes_unknown, o.run[0].flushes_known = false)
CHANGE(cache_off, o.run[0].cache = CACHE_OFF)
CHANGE(as_is, o.run[0].cache = CACHE_AS_IS)
CHANGE(as_is_on, o.run[0].cache = CACHE_AS_IS; o.drive_cache = DRIVE_CACHE_ON)
CHANGE(as_is_off, o.run[0].cache = CACHE_AS_IS; o.drive_cache = DRIVE_CACHE_OFF)
CHANGE(one_less, o.run[0].lat = (struct histogram){ 0 }; o.run[0].ops = 0;
       make_ops(&o.run[0], VERDICT_OPS - 1, 1000000, 512))

static void make_flushed(void)
{
	make_unflushed();
	o.run[0].flushes = VERDICT_OPS;
}

CHANGE(no_flush, o.run[0].flushes = 0)

/* ---- streams ------------------------------------------------------------------------------- */

/* 4.8 GiB at 200 MiB/s, but for the last 600 MiB. */
static void make_slump(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 21, 200);
	make_flow(&o.run[0], 6, 99);
}

/* 26 s are 203.1 bins of 128 ms: the last is nearly empty. */
static void make_dip(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 20, 200);
	make_flow(&o.run[0], 6, 101);
}

/* 8 x 512 MiB, one per cent either side. */
static void make_length(unsigned mib)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 1, mib - 600);
	make_flow(&o.run[0], 6, 100);
}

CHANGE(make_long, make_length(4096 * 101 / 100))
CHANGE(make_short, make_length(4096 * 99 / 100))
CHANGE(buffer_small, o.buffer_bytes = 128 << 20)
CHANGE(buffer_large, o.buffer_bytes = 1 << 30)

/* ---- on against off ------------------------------------------------------------------------ */

static void make_gain(void)
{
	make_disk();
	make_latency(MODE_DSYNC, CACHE_ON, VERDICT_OPS, 1000000);
	make_latency(MODE_DSYNC, CACHE_OFF, VERDICT_OPS, 2000000);
}

static void make_gain_stream(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_ON, 1, 100);
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_OFF, 1, 50);
}

CHANGE(stream_mode, o.run[1].mode = MODE_DSYNC)
CHANGE(other_mode, o.run[1].mode = MODE_DIRECT)

static const struct row rows[] = {
	{ "a stream below the rate", "limit-missed", make_rate, none, true },
	{ "a read as well", "limit-missed", make_rate, stream_read, true },
	{ "1 % below the limit", "limit-missed", make_rate, rate_met, false },
	{ "no limit, none missed", "limit-missed", make_rate, no_limit, false },
	{ "a latency over the time", "limit-missed", make_slow, none, true },
	{ "a seek as well", "limit-missed", make_slow, seek_read, true },
	{ "1 % above the 99 %", "limit-missed", make_slow, time_met, false },
	{ "no time limit", "limit-missed", make_slow, no_limit, false },
	{ "less than one in 100", "limit-missed", make_slow, one_in_100, false },
	{ "a run that -t ended after one", "limit-missed", make_rate, cut_few, true },
	{ "20 operations before an error", "limit-missed", make_rate, incomplete, true },
	{ "19 operations before an error", "limit-missed", make_rate, incomplete_few, false },
	{ "nothing done", "limit-missed", make_rate, no_ops, false },
	{ "no time gone by", "limit-missed", make_rate, no_time, false },
	{ "memory as well", "limit-missed", make_rate, memory, true },

	{ "one sector", "foreign-writes", make_foreign, none, true },
	{ "a loop device as well", "foreign-writes", make_foreign, loop, true },
	{ "none", "foreign-writes", make_foreign, nobody, false },
	{ "in a folder", "foreign-writes", make_foreign, folder, false },
	{ "beside a partition", "foreign-writes", make_foreign, partition, false },
	{ "below a volume", "foreign-writes", make_foreign, dm, false },
	{ "below an array", "foreign-writes", make_foreign, md, false },
	{ "while reading", "foreign-writes", make_foreign, stream_read, false },
	{ "while seeking", "foreign-writes", make_foreign, seek_read, false },
	{ "during latency writes", "foreign-writes", make_foreign, latency_write, true },
	{ "not counted", "foreign-writes", make_foreign, uncounted, false },

	{ "over 5 %", "noisy", make_noise, none, true },
	{ "under 5 %", "noisy", make_noise, still_quiet, false },
	{ "latency writes in a folder", "noisy", make_noise, folder, false },
	{ "not counted", "noisy", make_noise, uncounted, false },
	{ "19 operations", "noisy", make_noise, few, false },

	{ "fires", "zeros", make_zeros, none, true },
	{ "not otherwise", "zeros", make_zeros, no_zeros, false },

	{ "fires", "no-flush-sent", make_unflushed, none, true },
	{ "as it is, on", "no-flush-sent", make_unflushed, as_is_on, true },
	{ "as it is, off", "no-flush-sent", make_unflushed, as_is_off, false },
	{ "as it is, unknown", "no-flush-sent", make_unflushed, as_is, false },
	{ "switched off", "no-flush-sent", make_unflushed, cache_off, false },
	{ "one flush", "no-flush-sent", make_unflushed, flush, false },
	{ "not counted", "no-flush-sent", make_unflushed, flushes_unknown, false },
	{ "direct", "no-flush-sent", make_unflushed, direct, false },
	{ "19 writes", "no-flush-sent", make_unflushed, one_less, false },
	{ "memory", "no-flush-sent", make_unflushed, memory, false },

	{ "fires", "flushes-sent", make_flushed, none, true },
	{ "cache unknown", "flushes-sent", make_flushed, as_is, true },
	{ "cache off", "flushes-sent", make_flushed, cache_off, true },
	{ "none sent", "flushes-sent", make_flushed, no_flush, false },
	{ "not counted", "flushes-sent", make_flushed, flushes_unknown, false },
	{ "direct", "flushes-sent", make_flushed, direct, false },
	{ "19 writes", "flushes-sent", make_flushed, one_less, false },
	{ "memory", "flushes-sent", make_flushed, memory, false },

	{ "below half", "slowed-down", make_slump, none, true },
	{ "reads too", "slowed-down", make_slump, stream_read, true },
	{ "1 % above half", "slowed-down", make_dip, none, false },
	{ "8 x 512 MiB", "slowed-down", make_long, none, true },
	{ "less than 8 x 512 MiB", "slowed-down", make_short, none, false },
	{ "8 x a small buffer", "slowed-down", make_short, buffer_small, true },
	{ "less than 8 x a large buffer", "slowed-down", make_long, buffer_large, false },

	{ "latencies", "cache-gain", make_gain, none, true },
	{ "not unless both", "cache-gain", make_gain, as_is, false },
	{ "not of two modes", "cache-gain", make_gain, other_mode, false },
	{ "not from 19 writes", "cache-gain", make_gain, one_less, false },
	{ "streams", "cache-gain", make_gain_stream, none, true },
	{ "not of streams as they are", "cache-gain", make_gain_stream, as_is, false },
	{ "not of two modes of stream", "cache-gain", make_gain_stream, stream_mode, false },
};

static void conditions(void)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct verdict *v;
		enum status wanted;

		rows[i].make();
		rows[i].change();
		v = judged(rows[i].id);
		wanted = STATUS_OK;
		for (unsigned k = 0; k < o.record.verdicts; k++)
			if (o.record.verdict[k].level == LEVEL_FAULT)
				wanted = STATUS_FAULT;
		ok(!v == !rows[i].wanted && texts_are_good() && o.record.status == wanted, "%s: %s",
		   rows[i].id, rows[i].what);
	}
}

static void text_is(const char *id, enum level level, const char *wanted)
{
	const struct verdict *v = record_has(&o.record, id);

	ok(v && v->level == level && !strcmp(v->text, wanted), "%s says: %s", id, wanted);
	if (v && strcmp(v->text, wanted))
		printf("# got: %s\n", v->text);
}

static void words(void)
{
	make_disk();
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_OFF, 1, 100);
	limits.min_rate = 200000000;
	verdict_judge(&o, &limits, false);
	text_is("limit-missed", LEVEL_FAULT,
		"Limit missed: A direct stream-write with the cache off: 105 MB/s, limit 200 "
		"MB/s.");
	make_disk();
	make_latency(MODE_DSYNC, CACHE_AS_IS, 1, 5000000);
	limits.max_latency_ns = 4950000;
	verdict_judge(&o, &limits, false);
	text_is("limit-missed", LEVEL_FAULT,
		"Limit missed: A dsync latency-write: 5.00 ms at 99 %, limit 4.95 ms.");
	make_rate();
	make_stream(TEST_STREAM_READ, MODE_DIRECT, CACHE_AS_IS, 1, 100);
	verdict_judge(&o, &limits, false);
	ok(o.record.verdicts == 2 && !strcmp(o.record.verdict[1].id, "limit-missed"),
	   "each missed limit is named");

	make_foreign();
	verdict_judge(&o, &limits, false);
	text_is("foreign-writes", LEVEL_FAULT,
		"Somebody else wrote 1 sectors meanwhile: they may be lost.");

	make_unflushed();
	verdict_judge(&o, &limits, false);
	text_is("no-flush-sent", LEVEL_FAULT,
		"20 dsync writes with the cache on made 0 flushes: a power cut loses what the "
		"cache holds.");

	make_disk();
	make_latency(MODE_DSYNC, CACHE_OFF, 1000, 1000000)->flushes_known = true;
	make_latency(MODE_DSYNC, CACHE_ON, 1000, 1000000)->flushes_known = true;
	o.run[0].flushes = 7;
	o.run[1].flushes = 1000;
	verdict_judge(&o, &limits, false);
	text_is("flushes-sent", LEVEL_INFO,
		"1000 dsync writes with the cache on made 1000 flushes: fsync reaches this "
		"drive.");
	o.run[1].flushes = 999;
	o.run[1].cache = CACHE_AS_IS;
	o.record.verdicts = 0;
	verdict_judge(&o, &limits, false);
	text_is("flushes-sent", LEVEL_INFO,
		"1000 dsync writes made 999 flushes: not every fsync reaches this drive.");

	make_noise();
	o.run[0].foreign_sectors = 130; /* of 1080 */
	make_stream(TEST_STREAM_READ, MODE_DIRECT, CACHE_AS_IS, 1, 100)->foreign_sectors = 20000;
	verdict_judge(&o, &limits, false);
	text_is("noisy", LEVEL_WARN,
		"A dsync latency-write is noisy: somebody else moved 12 % of the sectors.");

	make_slump();
	verdict_judge(&o, &limits, false);
	/* 21 x 200 MiB = 4.1 GiB; 200 and 99 MiB/s */
	text_is("slowed-down", LEVEL_WARN,
		"A direct stream-write slows down after 4.1 GiB, from 210 MB/s to 104 MB/s: SLC "
		"cache full, SMR or heat.");

	make_disk();
	make_latency(MODE_DIRECT, CACHE_ON, 20, 350000);
	make_latency(MODE_DIRECT, CACHE_OFF, 20, 11110000);
	make_latency(MODE_DSYNC, CACHE_ON, 20, 11120000);
	make_latency(MODE_DSYNC, CACHE_OFF, 20, 11110000);
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_ON, 1, 100);
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_OFF, 1, 10);
	verdict_judge(&o, &limits, false);
	text_is("cache-gain", LEVEL_INFO,
		"The cache on instead of off: direct stream-write 105 MB/s, not 10.5 MB/s; direct "
		"latency-write 350 us, not 11.1 ms; dsync latency-write 11.1 ms, not "
		"11.1 ms.");

	make_disk();
	make_ops(make_latency(MODE_DSYNC, CACHE_AS_IS, 90, 1000000), 10, 12000000, 512);
	verdict_judge(&o, &limits, true);
	text_is("etcd", LEVEL_INFO,
		"A dsync latency-write takes 12.000 ms at 99 %: not fit for etcd.");
}

static void order(void)
{
	enum level last = LEVEL_FAULT;
	bool sorted = true;

	make_slump();
	limits.min_rate = 1000000000;
	verbose = o.zeros = true;
	o.rpm = 5400;
	o.run[0].foreign_written = 1;
	make_latency(MODE_DSYNC, CACHE_ON, 20, 11111111)->flushes_known = true;
	make_latency(MODE_DIRECT, CACHE_ON, 20, 300000);
	make_latency(MODE_DIRECT, CACHE_OFF, 20, 1111111);
	record_verdict(&o.record, LEVEL_FAULT, "miscompare", "It was there %s.", "before");
	verdict_judge(&o, &limits, verbose);
	for (unsigned i = 0; i < o.record.verdicts; i++) {
		sorted &= o.record.verdict[i].level <= last;
		last = o.record.verdict[i].level;
	}
	ok(sorted && o.record.verdicts >= 11 && !strcmp(o.record.verdict[0].id, "miscompare"),
	   "faults, warnings, information: %u verdicts, behind what was there", o.record.verdicts);
	ok(texts_are_good(), "one of each id");

	make_disk();
	verdict_judge(&o, &limits, true);
	ok(!o.record.verdicts && o.record.status == STATUS_OK, "nothing is said of no run");
}

/* ---- many of a kind ------------------------------------------------------------------------- */

#define DISKS 24

static struct outcome disk[DISKS];
static struct outcome *all[DISKS];

/* @count of them write @mib MiB/s; the second writes @odd. */
static void make_shelf(unsigned count, unsigned mib, unsigned odd)
{
	for (unsigned i = 0; i < count; i++) {
		make_disk();
		make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 1, i == 1 ? odd : mib);
		snprintf(o.name, sizeof(o.name), "sd%c", 'a' + (int)i);
		disk[i] = o;
		all[i] = &disk[i];
	}
}

static void make_flow_of(struct outcome *d, unsigned mib)
{
	o = *d;
	o.runs = 0;
	make_stream(TEST_STREAM_WRITE, MODE_DIRECT, CACHE_AS_IS, 1, mib);
	*d = o;
}

static unsigned slow_ones(unsigned count)
{
	unsigned n = 0;

	verdict_compare(all, count);
	for (unsigned i = 0; i < count; i++)
		n += record_has(&disk[i].record, "slower-than-its-kind") != NULL;
	return n;
}

static void each_disk(unsigned from, unsigned to, void (*change)(struct outcome *))
{
	for (unsigned i = from; i < to; i++)
		change(&disk[i]);
}

static void model_off(struct outcome *d)
{
	d->model[0] = '\0';
}

static void nothing_known(struct outcome *d)
{
	d->model[0] = d->bus[0] = '\0';
}

static void model_other(struct outcome *d)
{
	strcpy(d->model, "OTHER");
}

static void size_other(struct outcome *d)
{
	model_off(d);
	d->size_bytes /= 2;
}

static void reads(struct outcome *d)
{
	d->run[0].test = TEST_STREAM_READ;
}

static void dsync(struct outcome *d)
{
	d->run[0].mode = MODE_DSYNC;
}

static void switched(struct outcome *d)
{
	d->run[0].cache = CACHE_ON;
}

static void in_folder(struct outcome *d)
{
	d->kind = KIND_DIRECTORY;
}

static void ended_early(struct outcome *d)
{
	d->run[0].incomplete = true;
	d->run[0].ops = VERDICT_OPS - 1;
}

static void good_read(struct outcome *d)
{
	o = *d;
	make_stream(TEST_STREAM_READ, MODE_DIRECT, CACHE_AS_IS, 1, d == &disk[2] ? 20 : 100);
	*d = o;
}

static void kind(void)
{
	const struct verdict *v;

	make_shelf(DISKS, 186, 58); /* 195 and 60.8 MB/s */
	disk[7].run[0].ops = 0;     /* and one that failed */
	ok(slow_ones(DISKS) == 1, "one of 24 is slower than its kind");
	v = record_has(&disk[1].record, "slower-than-its-kind");
	ok(v && v->level == LEVEL_FAULT && disk[1].record.status == STATUS_FAULT,
	   "which is a fault");
	ok(v && !strcmp(v->text,
			"sdb writes at 0.31 x the median of the 22 like it (60.8 MB/s, 195 MB/s)."),
	   "named with both figures");
	if (v)
		printf("# %s\n", v->text);

	make_shelf(4, 100, 49);
	ok(slow_ones(4) == 1, "1 %% below half the median");
	make_shelf(4, 100, 51);
	ok(slow_ones(4) == 0, "1 %% above half the median");
	make_shelf(3, 100, 20);
	ok(slow_ones(3) == 0, "three are too few");
	make_shelf(4, 100, 20);
	each_disk(3, 4, ended_early);
	ok(slow_ones(4) == 0, "so are four of which one has no figure");

	make_shelf(4, 100, 49);
	make_flow_of(&disk[0], 200);
	make_flow_of(&disk[2], 40);
	ok(slow_ones(4) == 2 && strstr(record_has(&disk[1].record, "slower-than-its-kind")->text,
				       " at 0.49 x the median of the 3 "),
	   "the median of 40, 100 and 200");

	make_shelf(4, 100, 20);
	each_disk(3, 4, model_other);
	ok(slow_ones(4) == 0, "another model is another kind");
	make_shelf(4, 100, 20);
	each_disk(0, 4, model_off);
	ok(slow_ones(4) == 1, "without a model, one driver and size");
	make_shelf(4, 100, 20);
	each_disk(0, 4, model_off);
	each_disk(3, 4, size_other);
	ok(slow_ones(4) == 0, "without a model another size is another kind");
	make_shelf(4, 100, 20);
	each_disk(0, 4, nothing_known);
	ok(slow_ones(4) == 0, "what is not known at all is of no kind");
	make_shelf(4, 100, 20);
	each_disk(3, 4, in_folder);
	ok(slow_ones(4) == 0, "a folder is not compared with a disk");

	make_shelf(4, 100, 20);
	each_disk(0, 4, dsync);
	ok(slow_ones(4) == 1, "dsync where there is no direct");
	make_shelf(4, 100, 20);
	each_disk(0, 4, switched);
	ok(slow_ones(4) == 1, "with the cache on");
	make_shelf(4, 100, 20);
	each_disk(2, 4, switched);
	ok(slow_ones(4) == 0, "not across states of the cache");
	make_shelf(4, 100, 20);
	each_disk(0, 4, reads);
	ok(slow_ones(4) == 1 && !strncmp(record_has(&disk[1].record, "slower-than-its-kind")->text,
					 "sdb reads at ", 13),
	   "stream-read where nothing is written");
	make_shelf(4, 100, 20);
	each_disk(0, 4, good_read);
	ok(slow_ones(4) == 2 && record_has(&disk[2].record, "slower-than-its-kind"),
	   "who writes well may still read slowly");
	make_shelf(5, 100, 90);
	disk[0].name[0] = '\0';
	disk[0].run[0].elapsed_ns *= 3;
	ok(slow_ones(5) == 1 && !strncmp(record_has(&disk[0].record, "slower-than-its-kind")->text,
					 "/dev/sda writes at 0.3", 22),
	   "the operand where there is no name");
	ok(slow_ones(0) == 0, "no outcome, no verdict");
}

int main(void)
{
	conditions();
	words();
	order();
	kind();
	return tap_done();
}
