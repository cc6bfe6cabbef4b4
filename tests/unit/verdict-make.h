/* SPDX-License-Identifier: MIT */
/* verdict-make - outcomes made by hand, for the tests of the verdicts. */
#ifndef TESTS_UNIT_VERDICT_MAKE_H
#define TESTS_UNIT_VERDICT_MAKE_H

#include <stdio.h>
#include <string.h>

#include "../../src/applets/ddtest/verdict.h"
#include "../tap.h"

static struct outcome o;
static struct limits limits;
static bool verbose;

/* A whole, free disk of which nothing more is known, and no run. */
static inline void make_disk(void)
{
	memset(&o, 0, sizeof(o));
	limits = (struct limits){ 0, 0 };
	verbose = false;
	o.record.target = "/dev/sda";
	strcpy(o.name, "sda");
	strcpy(o.disk, "sda");
	strcpy(o.bus, "ata");
	strcpy(o.driver, "ahci");
	strcpy(o.model, "DISK");
	o.kind = KIND_BLOCK;
	o.data = DATA_KEPT;
	o.size_bytes = 4000000000000;
}

static inline struct run *make_run(enum test t, enum mode m, enum cache_state c)
{
	struct run *r = &o.run[o.runs++];

	memset(r, 0, sizeof(*r));
	r->test = t;
	r->mode = m;
	r->cache = c;
	r->engine = "pwrite";
	r->sectors_known = true;
	return r;
}

/* @n operations of @block bytes that took @ns each. */
static inline void make_ops(struct run *r, unsigned n, uint64_t ns, uint32_t block)
{
	r->block_bytes = block;
	r->ops += n;
	r->bytes += (uint64_t)n * block;
	r->elapsed_ns += n * ns;
	while (n--)
		histogram_add(&r->lat, ns);
}

static inline struct run *make_latency(enum mode m, enum cache_state c, unsigned n, uint64_t ns)
{
	struct run *r = make_run(TEST_LATENCY_WRITE, m, c);

	make_ops(r, n, ns, 512);
	return r;
}

/* A stream of @seconds at @mib MiB/s, 1 MiB an operation; again: it goes on at that rate. */
static inline void make_flow(struct run *r, unsigned seconds, unsigned mib)
{
	uint64_t step = 1000000000 / mib;

	r->block_bytes = 1 << 20;
	for (unsigned i = 0; i < seconds * mib; i++) {
		r->elapsed_ns += step;
		curve_add(&r->curve, r->elapsed_ns - step / 2, 1 << 20);
		r->bytes += 1 << 20;
		r->ops++;
	}
}

static inline struct run *make_stream(enum test t, enum mode m, enum cache_state c,
				      unsigned seconds, unsigned mib)
{
	struct run *r = make_run(t, m, c);

	make_flow(r, seconds, mib);
	return r;
}

static inline const struct verdict *judged(const char *id)
{
	verdict_judge(&o, &limits, verbose);
	return record_has(&o.record, id);
}

/* Every text fits, is one line of ASCII, and is a sentence. */
static inline bool texts_are_good(void)
{
	for (unsigned i = 0; i < o.record.verdicts; i++) {
		const char *text = o.record.verdict[i].text;
		size_t n = strlen(text);

		if (n + 1 >= sizeof(o.record.verdict[0].text) || n < 20 || text[n - 1] != '.')
			return false;
		for (; *text; text++)
			if (*text < ' ' || *text > '~' || (text[0] == ' ' && text[1] == ' '))
				return false;
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(o.record.verdict[i].id, o.record.verdict[k].id) &&
			    strcmp(o.record.verdict[i].id, "limit-missed"))
				return false;
	}
	return true;
}

#endif
