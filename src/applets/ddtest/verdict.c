/* SPDX-License-Identifier: MIT */
/* verdict - what the measured numbers say, by rule; no system call. */

#include <string.h>

#include "verdict.h"

#define GIB            (1ull << 30)
#define BUFFER_UNKNOWN (GIB / 2)
#define ETCD_NS        10e6 /* its documentation, "Hardware recommendations": 99 % of fdatasync */

int verdict_cache(const struct outcome *o, const struct run *r)
{
	if (r->cache == CACHE_AS_IS)
		return (int)o->drive_cache;
	return r->cache == CACHE_ON ? DRIVE_CACHE_ON : DRIVE_CACHE_OFF;
}

const char *verdict_with_cache(const struct outcome *o, const struct run *r)
{
	static const char *const text[] = { "", " with the cache on", " with the cache off" };

	return text[verdict_cache(o, r)];
}

const struct run *verdict_latency(const struct outcome *o, enum mode m, int cache)
{
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		if (r->test == TEST_LATENCY_WRITE && r->mode == m && verdict_cache(o, r) == cache &&
		    r->lat.count >= VERDICT_OPS)
			return r;
	}
	return NULL;
}

const char *verdict_time(char buf[SIZE_TEXT], double ns)
{
	double ms = ns / 1e6;

	if (ms < 0.01 || ms >= 1000)
		return size_print_time(buf, (uint64_t)(ns + 0.5));
	snprintf(buf, SIZE_TEXT, "%.*f ms", ms < 0.1 ? 3 : 2, ms);
	return buf;
}

const char *verdict_megabytes(char buf[SIZE_TEXT], double per_s)
{
	snprintf(buf, SIZE_TEXT, per_s < 99.5e6 ? "%.3g" : "%.0f", per_s / 1e6);
	return buf;
}

static bool is_stream(const struct run *r)
{
	return r->test == TEST_STREAM_READ || r->test == TEST_STREAM_WRITE;
}

static bool is_write(const struct run *r)
{
	return r->test == TEST_STREAM_WRITE || r->test == TEST_LATENCY_WRITE;
}

bool verdict_counts(const struct run *r)
{
	return r->ops && r->elapsed_ns && (!r->incomplete || r->ops >= VERDICT_OPS);
}

/* ---- faults ------------------------------------------------------------------------------ */

/* "FIGURE (limit LIMIT)" where it was missed; else "". */
static const char *missed(char buf[2 * SIZE_TEXT + 16], const struct run *r, const struct limits *l)
{
	char figure[SIZE_TEXT], limit[SIZE_TEXT];
	uint64_t slow = histogram_quantile(&r->lat, 990);

	buf[0] = '\0';
	if (is_stream(r) && run_rate(r) < (double)l->min_rate)
		snprintf(buf, 2 * SIZE_TEXT + 16, "%s (limit %s)",
			 size_print_rate(figure, run_rate(r)),
			 size_print_rate(limit, (double)l->min_rate));
	if (!is_stream(r) && l->max_latency_ns && slow > l->max_latency_ns)
		snprintf(buf, 2 * SIZE_TEXT + 16, "99 %% %s (limit %s)",
			 verdict_time(figure, (double)slow),
			 size_print_time(limit, l->max_latency_ns));
	return buf;
}

static void limit_missed(struct outcome *o, const struct limits *l)
{
	char text[300] = "", how[2 * SIZE_TEXT + 16];
	unsigned more = 0;
	size_t n = 0;

	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];
		char item[160];
		size_t len;

		if (!verdict_counts(r) || !*missed(how, r, l))
			continue;
		len = (size_t)snprintf(item, sizeof(item), "%s%s %s%s %s", n ? "; " : "",
				       run_test_name(r->test), run_mode_name(r->mode),
				       verdict_with_cache(o, r), how);
		if (more || n + len >= sizeof(text)) {
			more++;
			continue;
		}
		memcpy(text + n, item, len + 1);
		n += len;
	}
	if (more)
		record_verdict(&o->record, LEVEL_FAULT, "limit-missed",
			       "Limits missed: %s; and %u more.", text, more);
	else if (n)
		record_verdict(&o->record, LEVEL_FAULT, "limit-missed", "Limits missed: %s.", text);
}

static void foreign_writes(struct outcome *o)
{
	bool whole = !strcmp(o->name, o->disk) && strcmp(o->bus, "dm") && strcmp(o->bus, "md");
	uint64_t sectors = 0;

	for (unsigned i = 0; i < o->runs; i++)
		if (is_write(&o->run[i]) && o->run[i].sectors_known)
			sectors += o->run[i].foreign_written;
	if (o->kind == KIND_BLOCK && whole && sectors)
		record_verdict(&o->record, LEVEL_FAULT, "foreign-writes",
			       "Somebody else wrote %llu sectors to this disk during the write "
			       "tests, which need it alone: what was written there may be lost.",
			       (unsigned long long)sectors);
}

/* A stream has its one flush at the end. */
static bool unflushed_stream(const struct outcome *o)
{
	for (unsigned i = 0; i < o->runs; i++) {
		const struct run *r = &o->run[i];

		if (r->test == TEST_STREAM_WRITE && r->mode == MODE_DSYNC && r->ops &&
		    !r->incomplete && r->flushes_known && !r->flushes &&
		    verdict_cache(o, r) == DRIVE_CACHE_ON)
			return true;
	}
	return false;
}

static void no_flush_sent(struct outcome *o)
{
	const struct run *r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_ON);
	char what[32] = "A dsync stream";

	if (o->memory)
		return;
	if (r && r->flushes_known) {
		if (r->flushes)
			return;
		snprintf(what, sizeof(what), "%llu dsync writes", (unsigned long long)r->ops);
	} else if (!unflushed_stream(o)) {
		return;
	}
	record_verdict(&o->record, LEVEL_FAULT, "no-flush-sent",
		       "%s with the cache on made no flush: no fsync empties the drive's cache, "
		       "and a power cut loses what it holds.",
		       what);
}

/* ---- warnings ---------------------------------------------------------------------------- */

static void zeros(struct outcome *o)
{
	if (o->zeros)
		record_verdict(
			&o->record, LEVEL_WARN, "zeros",
			"The data is all zeros: compressing or thin storage then reports fiction.");
}

/* The part of the sectors that others moved during @r. */
static double noise_of(const struct outcome *o, const struct run *r)
{
	double own = (double)r->bytes / 512, foreign = (double)r->foreign_sectors;

	if (!r->sectors_known || r->ops < VERDICT_OPS ||
	    (o->kind == KIND_DIRECTORY && r->test == TEST_LATENCY_WRITE))
		return 0;
	return foreign / (own + foreign);
}

static void noisy(struct outcome *o)
{
	const struct run *worst = NULL;

	for (unsigned i = 0; i < o->runs; i++)
		if (!worst || noise_of(o, &o->run[i]) > noise_of(o, worst))
			worst = &o->run[i];
	if (!worst || noise_of(o, worst) <= VERDICT_NOISE / 100.0)
		return;
	record_verdict(
		&o->record, LEVEL_WARN, "noisy",
		"Somebody else moved %.0f %% of the sectors during %s %s%s: its figures are noisy.",
		noise_of(o, worst) * 100, run_test_name(worst->test), run_mode_name(worst->mode),
		verdict_with_cache(o, worst));
}

struct slump {
	double before, after; /* bytes per second in the second quarter and in the last tenth */
};

static bool slumps(const struct outcome *o, const struct run *r, struct slump *s)
{
	double total = curve_bytes_by(&r->curve, UINT64_MAX), end = curve_time_of(&r->curve, total);

	if (!is_stream(r) || r->bytes / 8 < (o->buffer_bytes ? o->buffer_bytes : BUFFER_UNKNOWN))
		return false;
	/* The last bin is not full, and a flush may come after it. */
	if (end > (double)r->elapsed_ns)
		end = (double)r->elapsed_ns;
	end -= curve_time_of(&r->curve, total * 0.9);
	s->before = curve_rate_between(&r->curve, total * 0.25, total * 0.5);
	s->after = end > 0 ? total / 10 / end * 1e9 : 0;
	return s->after > 0 && s->after * 2 < s->before;
}

/* The bytes done when it became slower: the cut that leaves the least variance on both sides. */
static double slump_at(const struct curve *c)
{
	double total = curve_bytes_by(c, UINT64_MAX), done = 0, best = 0, at = 0;

	for (unsigned i = 1; i < c->count; i++) {
		double before, after, gain;

		done += (double)c->bytes[i - 1];
		before = done / i;
		after = (total - done) / (c->count - i);
		gain = (before - after) * (before - after) * i * (c->count - i);
		if (before > after && gain > best) {
			best = gain;
			at = done;
		}
	}
	return at;
}

static void slowed_down(struct outcome *o)
{
	const struct run *worst = NULL;
	struct slump s, deepest = { 0, 0 };
	char before[SIZE_TEXT], after[SIZE_TEXT], where[SIZE_TEXT];

	for (unsigned i = 0; i < o->runs; i++)
		if (slumps(o, &o->run[i], &s) &&
		    (!worst || s.after / s.before < deepest.after / deepest.before)) {
			worst = &o->run[i];
			deepest = s;
		}
	if (!worst)
		return;
	record_verdict(
		&o->record, LEVEL_WARN, "slowed-down",
		"The %s %s%s slowed down from about byte %s on, %s to %s MB/s: %s.",
		run_mode_name(worst->mode), run_test_name(worst->test),
		verdict_with_cache(o, worst), size_print(where, (uint64_t)slump_at(&worst->curve)),
		verdict_megabytes(before, deepest.before), verdict_megabytes(after, deepest.after),
		is_write(worst) ? "an SLC cache that is full, heat, or an SMR drive"
				: "heat, or sectors that are hard to read");
}

/* ---- information ------------------------------------------------------------------------- */

static void flushes_sent(struct outcome *o)
{
	static const char *const state[] = { "", " (cache on)", " (cache off)" };
	const struct run *r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_ON);

	if (!r)
		r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_UNKNOWN);
	if (!r)
		r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_OFF);
	if (!r || !r->flushes_known || !r->flushes || o->memory)
		return;
	record_verdict(&o->record, LEVEL_INFO, "flushes-sent",
		       "%llu dsync writes made %llu flushes%s: %s.", (unsigned long long)r->ops,
		       (unsigned long long)r->flushes, state[verdict_cache(o, r)],
		       r->flushes >= r->ops ? "fsync reaches this drive"
					    : "not every fsync reaches this drive");
}

/* The stream that shows what the cache is worth: not one that ended before the cache did. */
static const struct run *gain_stream(const struct outcome *o, enum cache_state c)
{
	const struct run *r = outcome_find(o, TEST_STREAM_WRITE, MODE_DIRECT, c);

	return r && verdict_counts(r) && !r->upper_bound ? r : NULL;
}

static void cache_gain(struct outcome *o)
{
	const struct run *on = gain_stream(o, CACHE_ON), *off = gain_stream(o, CACHE_OFF);
	char text[300] = "", a[SIZE_TEXT], b[SIZE_TEXT];
	size_t n = 0;

	if (on && off)
		n = (size_t)snprintf(text, sizeof(text), "; a stream makes %s, not %s MB/s",
				     verdict_megabytes(a, run_rate(on)),
				     verdict_megabytes(b, run_rate(off)));
	for (enum mode m = MODE_DIRECT; m <= MODE_DSYNC; m++) {
		double fast, slow;

		on = verdict_latency(o, m, DRIVE_CACHE_ON);
		off = verdict_latency(o, m, DRIVE_CACHE_OFF);
		if (!on || !off)
			continue;
		fast = (double)histogram_quantile(&on->lat, 500);
		slow = (double)histogram_quantile(&off->lat, 500);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "; a %s write takes %s, not %s",
				      run_mode_name(m), verdict_time(a, fast),
				      verdict_time(b, slow));
	}
	if (n)
		record_verdict(&o->record, LEVEL_INFO, "cache-gain",
			       "With the cache on instead of off%s.", text + 1);
}

static void etcd(struct outcome *o)
{
	static const signed char cache[] = { DRIVE_CACHE_ON, DRIVE_CACHE_UNKNOWN, DRIVE_CACHE_OFF };
	const struct run *r = NULL;
	char figure[SIZE_TEXT];
	double slow;

	for (unsigned i = 0; i < sizeof(cache) && !r; i++)
		r = verdict_latency(o, MODE_DSYNC, cache[i]);
	if (!r || o->memory)
		return;
	slow = (double)histogram_quantile(&r->lat, 990);
	record_verdict(&o->record, LEVEL_INFO, "etcd",
		       "99 %% of the dsync writes%s take %s or less; etcd wants 10 ms: %s.",
		       verdict_with_cache(o, r), verdict_time(figure, slow),
		       slow < ETCD_NS ? "the device's part is fit for it"
				      : "the device is not fit for it");
}

void verdict_judge(struct outcome *o, const struct limits *limits, bool verbose)
{
	limit_missed(o, limits);
	foreign_writes(o);
	no_flush_sent(o);

	zeros(o);
	noisy(o);
	verdict_faster_than_medium(o);
	verdict_controller_waits(o);
	slowed_down(o);

	verdict_acknowledged_early(o);
	verdict_waits_for_platter(o);
	flushes_sent(o);
	cache_gain(o);
	if (verbose) {
		etcd(o);
		verdict_rotation(o);
	}
}
