/* SPDX-License-Identifier: MIT */
/* screen-dd - what GNU dd would have printed of each write run. */

#include <stdio.h>

#include <core/text.h>

#include "dd-stats.h"
#include "screen.h"

void screen_dd(const struct outcome *o)
{
	char text[DD_STATS_TEXT];

	for (const struct run *r = o->run; r < o->run + o->runs; r++) {
		uint64_t records = r->test == TEST_STREAM_WRITE ? 1 : r->ops;
		struct dd_stats stats = { .r_full = records, .w_full = records };

		if (r->test < TEST_STREAM_WRITE || !r->ops)
			continue;
		text_print(stdout, 0, "%s %s %s %s:", o->record.target, run_test_name(r->test),
			   run_mode_name(r->mode), run_cache_name(r->cache));
		fputs(dd_stats_records(text, &stats), stdout);
		puts(dd_stats_bytes(text, r->bytes, r->elapsed_ns, false));
	}
}
