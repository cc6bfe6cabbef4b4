/* SPDX-License-Identifier: MIT */
/* verdict - what the measured numbers say, by rule; no system call. */

#include <string.h>

#include <core/size.h>

#include "verdict.h"

#define BUFFER_UNKNOWN (512ull << 20)
#define MINUTE_NS      60000000000
#define FLOOR_NS       2000000  /* half a turn at 15000 rpm, the fastest there are */
#define ETCD_NS        10000000 /* its documentation, "Hardware recommendations" */
#define EARLY_FACTOR   3

bool verdict_counts(const struct run *r)
{
	return r->ops && r->elapsed_ns && (!r->incomplete || r->ops >= VERDICT_OPS);
}

static bool is_write(const struct run *r)
{
	return r->test >= TEST_STREAM_WRITE;
}

static unsigned cache_of(const struct outcome *o, const struct run *r)
{
	if (r->cache == CACHE_AS_IS)
		return o->drive_cache;
	return r->cache == CACHE_ON ? DRIVE_CACHE_ON : DRIVE_CACHE_OFF;
}

static const char *with_cache(const struct outcome *o, const struct run *r)
{
	static const char *const text[] = { "", " with the cache on", " with the cache off" };

	return text[cache_of(o, r)];
}

/* "A dsync latency-write with the cache off": most sentences begin so. */
static const char *what(const struct outcome *o, const struct run *r)
{
	static char text[64];

	snprintf(text, sizeof(text), "A %s %s%s", run_mode_name(r->mode), run_test_name(r->test),
		 with_cache(o, r));
	return text;
}

static double ms(uint64_t ns)
{
	return (double)(int64_t)ns / 1e6;
}

static uint64_t median(const struct run *r)
{
	return histogram_quantile(&r->lat, 500);
}

static bool within(uint64_t value, uint64_t wanted, uint64_t off)
{
	return value - wanted + off <= 2 * off;
}

/* The latency writes, the most telling first. */
enum { DSYNC_OFF, DSYNC_UNKNOWN, DSYNC_ON, DIRECT_OFF, DIRECT_UNKNOWN, DIRECT_ON, LATENCIES };

static const struct run *latency(const struct outcome *o, unsigned which)
{
	enum mode mode = which < DIRECT_OFF ? MODE_DSYNC : MODE_DIRECT;

	for (const struct run *r = o->run; r < o->run + o->runs; r++)
		if (r->test == TEST_LATENCY_WRITE && r->mode == mode &&
		    (cache_of(o, r) + 1) % 3 == which % 3 && r->lat.count >= VERDICT_OPS &&
		    !o->memory)
			return r;
	return NULL;
}

/* The dsync writes as the drive is used: with the cache on rather than off. */
static const struct run *durable(const struct outcome *o)
{
	const struct run *r = latency(o, DSYNC_ON);

	if (!r)
		r = latency(o, DSYNC_UNKNOWN);
	return r ? r : latency(o, DSYNC_OFF);
}

/* Of a stream its rate, else the time that so many of 1000 did not exceed. */
static double value(const struct run *r, unsigned per_mille)
{
	return verdict_is_stream(r) ? run_rate(r)
				    : (double)(int64_t)histogram_quantile(&r->lat, per_mille);
}

static const char *print(char buf[SIZE_TEXT], const struct run *r, double v)
{
	return verdict_is_stream(r) ? size_print_rate(buf, v) : size_print_time(buf, (uint64_t)v);
}

/* ---- any target ---------------------------------------------------------------------------- */

static void limit_missed(struct outcome *o, const struct limits *l)
{
	char figure[SIZE_TEXT], limit[SIZE_TEXT];

	for (const struct run *r = o->run; r < o->run + o->runs; r++) {
		bool stream = verdict_is_stream(r);
		double got = value(r, 990);
		double wanted = (double)(int64_t)(stream ? l->min_rate : l->max_latency_ns);

		if (verdict_counts(r) && wanted > 0 && (stream ? got < wanted : got > wanted))
			record_verdict(&o->record, LEVEL_FAULT, "limit-missed",
				       "Limit missed: %s: %s%s, limit %s.", what(o, r),
				       print(figure, r, got), stream ? "" : " at 99 %",
				       print(limit, r, wanted));
	}
}

static void foreign_writes(struct outcome *o)
{
	uint64_t sectors = 0;

	for (const struct run *r = o->run; r < o->run + o->runs; r++)
		if (is_write(r) && r->sectors_known)
			sectors += r->foreign_written;
	if (sectors && o->kind == KIND_BLOCK && !strcmp(o->name, o->disk) && strcmp(o->bus, "dm") &&
	    strcmp(o->bus, "md"))
		record_verdict(&o->record, LEVEL_FAULT, "foreign-writes",
			       "Somebody else wrote %llu sectors meanwhile: they may be lost.",
			       (unsigned long long)sectors);
}

/* The part of the sectors that others moved, per cent. */
static unsigned noise(const struct outcome *o, const struct run *r)
{
	uint64_t own = r->bytes / 512;

	if (!own || !r->sectors_known || r->ops < VERDICT_OPS ||
	    (o->kind == KIND_DIRECTORY && r->test == TEST_LATENCY_WRITE))
		return 0;
	return (unsigned)(r->foreign_sectors * 100 / (own + r->foreign_sectors));
}

static void noisy(struct outcome *o)
{
	const struct run *worst = NULL;
	unsigned most = VERDICT_NOISE - 1;

	for (const struct run *r = o->run; r < o->run + o->runs; r++)
		if (noise(o, r) > most) {
			most = noise(o, r);
			worst = r;
		}
	if (worst)
		record_verdict(&o->record, LEVEL_WARN, "noisy",
			       "%s is noisy: somebody else moved %u %% of the sectors.",
			       what(o, worst), most);
}

/* The bytes done when it became slower: where it was farthest ahead of its mean. */
static uint64_t turning_point(const struct curve *c, int64_t total)
{
	int64_t done = 0, best = 0, at = 0;

	for (unsigned i = 0; i < c->count; i++) {
		int64_t ahead = done * c->count - total * i;

		if (ahead > best) {
			best = ahead;
			at = done;
		}
		done += (int64_t)c->bytes[i];
	}
	return (uint64_t)at;
}

static void slowed_down(struct outcome *o)
{
	char from[SIZE_TEXT], to[SIZE_TEXT], where[SIZE_TEXT];

	/* From the end: writes before reads, dsync before direct, off before on. */
	for (const struct run *r = o->run + o->runs; r-- > o->run;) {
		double total = curve_bytes_by(&r->curve, UINT64_MAX), before, after, end;

		if (total / 8 < (double)(int64_t)(o->buffer_bytes ?: BUFFER_UNKNOWN))
			continue;
		/* The last bin is not full, and a flush may come after it. */
		end = curve_time_of(&r->curve, total);
		if (end > (double)(int64_t)r->elapsed_ns)
			end = (double)(int64_t)r->elapsed_ns;
		before = curve_rate_between(&r->curve, total / 4, total / 2);
		after = total * 1e8 / (end - curve_time_of(&r->curve, total * 0.9));
		if (after * 2 >= before)
			continue;
		record_verdict(&o->record, LEVEL_WARN, "slowed-down",
			       "%s slows down after %s, from %s to %s: %sheat.", what(o, r),
			       size_print(where, turning_point(&r->curve, (int64_t)total)),
			       size_print_rate(from, before), size_print_rate(to, after),
			       is_write(r) ? "SLC cache full, SMR or " : "");
		return;
	}
}

static bool comparable(const struct run *r)
{
	return r && (verdict_is_stream(r) ? verdict_counts(r) : r->ops >= VERDICT_OPS);
}

static void cache_gain(struct outcome *o)
{
	char text[256], a[SIZE_TEXT], b[SIZE_TEXT];
	size_t n = 0;

	for (enum test t = TEST_STREAM_WRITE; t <= TEST_LATENCY_WRITE; t++)
		for (enum mode m = MODE_DIRECT; m <= MODE_DSYNC; m++) {
			const struct run *on = outcome_find(o, t, m, CACHE_ON);
			const struct run *off = outcome_find(o, t, m, CACHE_OFF);

			if (comparable(on) && comparable(off))
				n += (size_t)snprintf(text + n, sizeof(text) - n,
						      "; %s %s %s, not %s", run_mode_name(m),
						      run_test_name(t),
						      print(a, on, value(on, 500)),
						      print(b, off, value(off, 500)));
		}
	if (n)
		record_verdict(&o->record, LEVEL_INFO, "cache-gain",
			       "The cache on instead of off:%s.", text + 1);
}

/* ---- flushes ------------------------------------------------------------------------------- */

static void flushes(struct outcome *o, bool fault)
{
	const struct run *r = durable(o);

	if (!r || !r->flushes_known || fault == (r->flushes > 0) ||
	    (fault && cache_of(o, r) != DRIVE_CACHE_ON))
		return;
	record_verdict(&o->record, fault ? LEVEL_FAULT : LEVEL_INFO,
		       fault ? "no-flush-sent" : "flushes-sent",
		       "%llu dsync writes%s made %llu flushes: %s.", (unsigned long long)r->ops,
		       with_cache(o, r), (unsigned long long)r->flushes,
		       fault                  ? "a power cut loses what the cache holds"
		       : r->flushes >= r->ops ? "fsync reaches this drive"
					      : "not every fsync reaches this drive");
}

static void etcd(struct outcome *o)
{
	const struct run *r = durable(o);
	uint64_t slow;

	if (!r)
		return;
	slow = histogram_quantile(&r->lat, 990);
	record_verdict(&o->record, LEVEL_INFO, "etcd", "%s takes %.3f ms at 99 %%: %sfit for etcd.",
		       what(o, r), ms(slow), slow < ETCD_NS ? "" : "not ");
}

static void controller_waits(struct outcome *o)
{
	static const char drivers[] = "megaraid_sas\0hpsa\0smartpqi\0aacraid\0arcmsr\0";
	const struct run *r = durable(o);
	const char *driver = drivers;

	while (*driver && strcmp(driver, o->driver))
		driver += strlen(driver) + 1;
	if (r && *driver && median(r) > FLOOR_NS)
		record_verdict(&o->record, LEVEL_WARN, "controller-waits",
			       "%s takes %.3f ms: the controller's cache does not answer. Its "
			       "battery is dead or charging, or it is set to write-through: ask "
			       "storcli, ssacli or arcconf.",
			       what(o, r), ms(median(r)));
}

/* ---- the platter --------------------------------------------------------------------------- */

/* One turn in ns; 0: the speed is not known, or it does not turn. */
static uint64_t turn_of(const struct outcome *o)
{
	return o->rpm > 1 ? MINUTE_NS / o->rpm : 0;
}

/* What a turn took in the mean, where 60 % of the operations are within 8 % of a turn of a
 * whole multiple; else 0. */
static uint64_t comb(const struct histogram *h, uint64_t turn)
{
	uint64_t fit = 0, ns = 0, turns = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t at = histogram_middle(i), n = h->bucket[i];
		uint64_t multiple = (at + turn / 2) / turn;

		if (!multiple || !within(at, multiple * turn, turn * 2 / 25))
			continue;
		fit += n;
		ns += n * at;
		turns += n * multiple;
	}
	return fit * 5 >= h->count * 3 ? ns / turns : 0;
}

/* The mean is shown, since dd's is one, but the median judged: the mean of a heap of anything
 * lies near some multiple. */
static void waits_for_platter(struct outcome *o)
{
	uint64_t turn = turn_of(o);

	for (unsigned i = 0; turn && i < LATENCIES; i++) {
		const struct run *r = latency(o, i);
		uint64_t turns = r ? (median(r) + turn / 2) / turn : 0;

		if (turns < 1 || turns > 3 || !within(median(r), turns * turn, turns * turn / 20) ||
		    !comb(&r->lat, turn))
			continue;
		record_verdict(&o->record, LEVEL_INFO, "waits-for-platter",
			       "%s takes %.3f ms: it waits for the platter (%.3f ms a turn at %u "
			       "rpm).",
			       what(o, r), ms(histogram_mean(&r->lat)), ms(turn), o->rpm);
		return;
	}
}

static void rotation(struct outcome *o)
{
	uint64_t turn = turn_of(o), step;
	const struct run *r = NULL;

	for (unsigned i = 0; turn && !r && i <= DIRECT_OFF; i++)
		r = latency(o, i);
	if (!r)
		return;
	step = comb(&r->lat, turn);
	if (step)
		record_verdict(&o->record, LEVEL_INFO, "rotation-from-timing",
			       "%s comes in steps of %.3f ms, %u rpm; %u are claimed.", what(o, r),
			       ms(step), (unsigned)(MINUTE_NS / step), o->rpm);
	else
		record_verdict(&o->record, LEVEL_INFO, "rotation-from-timing",
			       "%s shows no steps of a turn at %u rpm (%.3f ms).", what(o, r),
			       o->rpm, ms(turn));
}

static void acknowledged_early(struct outcome *o)
{
	const struct run *on = latency(o, DIRECT_ON), *off = latency(o, DIRECT_OFF);

	if (on &&
	    ((off && median(on) * EARLY_FACTOR <= median(off)) || median(on) < turn_of(o) / 2))
		record_verdict(&o->record, LEVEL_INFO, "acknowledged-early",
			       "With the cache on the drive answers before it writes (%.3f ms)%s.",
			       ms(histogram_mean(&on->lat)),
			       o->drive_cache_nonvolatile
				       ? " and keeps it over a power cut, it says"
				       : ": a power cut loses what it holds");
}

static void faster_than_medium(struct outcome *o)
{
	uint64_t least = turn_of(o) / 2;

	if (!o->rpm && o->rotational && *o->bus && strcmp(o->bus, "loop"))
		least = FLOOR_NS;
	for (unsigned i = DSYNC_OFF; i <= DIRECT_OFF; i++) {
		const struct run *r = latency(o, i);

		/* Without a flush it is the drive's own cache that answers. */
		if (!r || median(r) >= least ||
		    (i == DSYNC_ON && record_has(&o->record, "no-flush-sent")))
			continue;
		record_verdict(&o->record, LEVEL_WARN, "faster-than-medium",
			       "%s takes %.3f ms, less than a platter needs. Something answers "
			       "before it: a RAID controller's cache, a hypervisor, flash that "
			       "claims to rotate, a hybrid's or SMR drive's media cache, a "
			       "power-protected cache, or a drive that ignores flushes.",
			       what(o, r), ms(median(r)));
		return;
	}
}

void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose)
{
	limit_missed(o, limits);
	foreign_writes(o);
	flushes(o, true);

	if (o->zeros)
		record_verdict(&o->record, LEVEL_WARN, "zeros",
			       "The data is all zeros: compressing or thin storage reports "
			       "fiction.");
	noisy(o);
	faster_than_medium(o);
	controller_waits(o);
	slowed_down(o);

	acknowledged_early(o);
	waits_for_platter(o);
	flushes(o, false);
	cache_gain(o);
	if (verbose) {
		etcd(o);
		rotation(o);
	}
}
