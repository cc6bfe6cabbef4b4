/* SPDX-License-Identifier: MIT */
/* verdict-platter - who answered a write: the platter, a cache, or something between. */

#include <string.h>

#include "verdict.h"

#define NEAR_MEDIAN   0.05 /* of one, two or three turns */
#define NEAR_MULTIPLE 0.08 /* of a turn */
#define COMB_SHARE    0.60
#define GUESS_SHARE   0.80 /* where the speed itself is guessed: six guesses hit more often */
#define SKEWED        0.10 /* mean from median */
#define FLOOR_NS      2e6  /* half a turn at 15000 rpm, the fastest there are */
#define EARLY_FACTOR  3

/* One turn in ns; 0: the speed is not known, or it does not turn. */
static double turn_of(const struct outcome *o)
{
	return o->rpm > 1 && !o->memory ? 60e9 / o->rpm : 0;
}

static double median_of(const struct run *r)
{
	return (double)histogram_quantile(&r->lat, 500);
}

static double mean_of(const struct run *r)
{
	return (double)histogram_mean(&r->lat);
}

/* "With the cache off a dsync write", "A direct write". */
static const char *subject(const struct outcome *o, const struct run *r)
{
	static const char *const text[2][3] = {
		{ "A direct write", "With the cache on a write", "With the cache off a write" },
		{ "A dsync write", "With the cache on a dsync write",
		  "With the cache off a dsync write" },
	};

	return text[r->mode == MODE_DSYNC][verdict_cache(o, r)];
}

/* The mean, since dd's is one, and the median where that is far from it. */
#define FIGURES (2 * SIZE_TEXT + 32)
static const char *figures(char buf[FIGURES], const struct run *r)
{
	char mean[SIZE_TEXT], median[SIZE_TEXT];

	verdict_time(mean, mean_of(r));
	if (mean_of(r) > median_of(r) * (1 + SKEWED) || mean_of(r) < median_of(r) * (1 - SKEWED))
		snprintf(buf, FIGURES, "%s in the mean and %s in the median", mean,
			 verdict_time(median, median_of(r)));
	else
		snprintf(buf, FIGURES, "%s", mean);
	return buf;
}

/* The @n-th telling latency write: dsync before direct, cache off before unknown before on. */
#define TELLING 6
static const struct run *telling(const struct outcome *o, unsigned n)
{
	static const signed char cache[] = { DRIVE_CACHE_OFF, DRIVE_CACHE_UNKNOWN, DRIVE_CACHE_ON };

	return verdict_latency(o, n < 3 ? MODE_DSYNC : MODE_DIRECT, cache[n % 3]);
}

struct comb {
	double share; /* of the operations that took about a whole multiple of a turn */
	double step;  /* what a turn then took, in the mean */
};

static struct comb comb_of(const struct histogram *h, double turn)
{
	double fit = 0, ns = 0, turns = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		double at = (double)histogram_middle(i), n = h->bucket[i];
		double multiple = (double)(uint64_t)(at / turn + 0.5), off = at - multiple * turn;

		if (!h->bucket[i] || multiple < 1 || off > NEAR_MULTIPLE * turn ||
		    off < -NEAR_MULTIPLE * turn)
			continue;
		fit += n;
		ns += n * at;
		turns += n * multiple;
	}
	return (struct comb){ h->count ? fit / (double)h->count : 0, turns > 0 ? ns / turns : 0 };
}

static bool near(double ns, double wanted)
{
	return ns >= wanted * (1 - NEAR_MEDIAN) && ns <= wanted * (1 + NEAR_MEDIAN);
}

/* How many turns the median is, if the operations wait for whole turns; else 0. The mean would
 * not do: a heap of anything lies near some multiple. */
static unsigned turns_waited(const struct run *r, double turn, double share)
{
	double median = median_of(r);

	for (unsigned k = 1; k <= 3; k++)
		if (near(median, k * turn))
			return comb_of(&r->lat, turn).share >= share ? k : 0;
	return 0;
}

void verdict_waits_for_platter(struct outcome *o)
{
	static const char *const turns[] = { "", "one turn", "two turns", "three turns" };
	char took[FIGURES], turn_text[SIZE_TEXT];
	double turn = turn_of(o);

	for (unsigned n = 0; turn > 0 && n < TELLING; n++) {
		const struct run *r = telling(o, n);
		unsigned k = r ? turns_waited(r, turn, COMB_SHARE) : 0;

		if (!k)
			continue;
		record_verdict(&o->record, LEVEL_INFO, "waits-for-platter",
			       "%s takes %s, %s at %u rpm (%s): it waits for the platter.",
			       subject(o, r), figures(took, r), turns[k], o->rpm,
			       verdict_time(turn_text, k * turn));
		return;
	}
}

void verdict_acknowledged_early(struct outcome *o)
{
	const struct run *on = verdict_latency(o, MODE_DIRECT, DRIVE_CACHE_ON);
	const struct run *off = verdict_latency(o, MODE_DIRECT, DRIVE_CACHE_OFF);
	double turn = turn_of(o);
	char took[FIGURES];

	if (!on || o->memory)
		return;
	if (!off)
		off = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_OFF);
	if (!(off && median_of(on) * EARLY_FACTOR <= median_of(off)) && !(median_of(on) < turn / 2))
		return;
	record_verdict(
		&o->record, LEVEL_INFO, "acknowledged-early",
		"With the cache on the drive answers before it writes (%s): what it holds then %s.",
		figures(took, on),
		o->drive_cache_nonvolatile ? "it keeps over a power cut, it says"
					   : "is lost in a power cut");
}

/* The least that a turning disk needs; 0 where nothing says that this is one. */
static double floor_of(const struct outcome *o)
{
	if (o->rpm || o->memory)
		return turn_of(o) / 2;
	if (!o->rotational || !*o->bus || !strcmp(o->bus, "loop") || !strcmp(o->bus, "zram"))
		return 0;
	return FLOOR_NS;
}

void verdict_faster_than_medium(struct outcome *o)
{
	char took[FIGURES], turn[SIZE_TEXT], speed[64];

	for (unsigned n = 0; n < TELLING; n++) {
		const struct run *r = telling(o, n);
		bool unflushed, off;

		if (!r || !(median_of(r) < floor_of(o)))
			continue;
		off = verdict_cache(o, r) == DRIVE_CACHE_OFF;
		unflushed = r->mode == MODE_DSYNC && r->flushes_known && !r->flushes && !off;
		if (r->mode != MODE_DSYNC && !off)
			continue;
		/* The drive's own cache answers: that is "no-flush-sent". */
		if (unflushed && verdict_cache(o, r) == DRIVE_CACHE_ON)
			continue;
		if (o->rpm)
			snprintf(speed, sizeof(speed), "one turn at %u rpm %s", o->rpm,
				 verdict_time(turn, turn_of(o)));
		else
			snprintf(speed, sizeof(speed),
				 "a disk that turns, as this one claims, 2 ms or more");
		record_verdict(
			&o->record, LEVEL_WARN, "faster-than-medium",
			"%s takes %s, %s: something between answers. A RAID controller's cache, a "
			"hypervisor, flash that claims to rotate, a hybrid's or SMR drive's media "
			"cache, a power-protected cache, or a drive that ignores flushes.%s",
			subject(o, r), figures(took, r), speed,
			unflushed ? " No flush was sent: the drive's own cache may answer too."
				  : "");
		return;
	}
}

/* The driver tells; where a hypervisor passes the volume on, its name still does. */
static bool behind_controller(const struct outcome *o)
{
	static const char *const driver[] = { "megaraid_sas", "hpsa", "smartpqi", "aacraid",
					      "arcmsr" };
	static const char *const volume[] = { "PERC ",          "MegaRAID",  "MR9",
					      "LOGICAL VOLUME", "ServeRAID", "ARC-1" };

	for (unsigned i = 0; i < sizeof(driver) / sizeof(driver[0]); i++)
		if (!strcmp(o->driver, driver[i]))
			return true;
	for (unsigned i = 0; i < sizeof(volume) / sizeof(volume[0]); i++)
		if (!strncmp(o->model, volume[i], strlen(volume[i])))
			return true;
	return false;
}

void verdict_controller_waits(struct outcome *o)
{
	const struct run *r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_UNKNOWN);
	char took[FIGURES];

	if (!r)
		r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_ON);
	if (!r)
		r = verdict_latency(o, MODE_DSYNC, DRIVE_CACHE_OFF);
	if (!r || r->cache == CACHE_OFF || o->memory || !behind_controller(o) ||
	    median_of(r) <= FLOOR_NS)
		return;
	record_verdict(
		&o->record, LEVEL_WARN, "controller-waits",
		"%s takes %s: the RAID controller's cache does not answer. Its battery is dead or "
		"charging, it is set to write-through, or the disk is passed through; ask storcli, "
		"ssacli or arcconf.",
		subject(o, r), figures(took, r));
}

/* The usual speed whose turns the latencies show best; 0: none. */
static unsigned guess_rpm(const struct run *r)
{
	static const unsigned short speed[] = { 15000, 10000, 7200, 5900, 5400, 4200 };
	double best = 0;
	unsigned rpm = 0;

	for (unsigned i = 0; i < sizeof(speed) / sizeof(speed[0]); i++) {
		double turn = 60e9 / speed[i], share = comb_of(&r->lat, turn).share;

		if (share > best && turns_waited(r, turn, GUESS_SHARE)) {
			best = share;
			rpm = speed[i];
		}
	}
	return rpm;
}

void verdict_rotation(struct outcome *o)
{
	const struct run *r = NULL;
	char who[64], step[SIZE_TEXT];
	double found;
	unsigned rpm;

	/* Up to the direct writes with the cache off: the others wait for nothing. */
	for (unsigned n = 0; n < 4 && !r; n++)
		r = telling(o, n);
	if (!r || !(floor_of(o) > 0))
		return;
	rpm = o->rpm && turns_waited(r, turn_of(o), COMB_SHARE) ? o->rpm : guess_rpm(r);
	snprintf(who, sizeof(who), "Its %s writes%s", run_mode_name(r->mode),
		 verdict_with_cache(o, r));
	if (!rpm && o->rpm)
		record_verdict(&o->record, LEVEL_INFO, "rotation-from-timing",
			       "%s show no steps of a whole turn (%s at %u rpm).", who,
			       verdict_time(step, turn_of(o)), o->rpm);
	if (!rpm)
		return;
	found = comb_of(&r->lat, 60e9 / rpm).step;
	verdict_time(step, found);
	if (rpm == o->rpm)
		record_verdict(&o->record, LEVEL_INFO, "rotation-from-timing",
			       "%s come in steps of %s, that is %.0f rpm; %u are claimed.", who,
			       step, 60e9 / found, o->rpm);
	else if (o->rpm)
		record_verdict(
			&o->record, LEVEL_INFO, "rotation-from-timing",
			"%s come in steps of %s: that fits %u rpm, not the %u that are claimed.",
			who, step, rpm, o->rpm);
	else
		record_verdict(&o->record, LEVEL_INFO, "rotation-from-timing",
			       "%s come in steps of %s: that fits %u rpm.", who, step, rpm);
}
