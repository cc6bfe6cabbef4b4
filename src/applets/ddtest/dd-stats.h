/* SPDX-License-Identifier: MIT */
/* dd-stats - the lines that GNU dd ends with. */
#ifndef DDTEST_DD_STATS_H
#define DDTEST_DD_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dd_stats {
	uint64_t r_full, r_partial, w_full, w_partial, bytes;
};

#define DD_STATS_TEXT 192
#define DD_STATS_SIZE 24

/* "1+0 records in\n1+0 records out\n" */
const char *dd_stats_records(char buf[DD_STATS_TEXT], const struct dd_stats *s);

/* Bytes and nanoseconds are at most INT64_MAX. */

/* "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.37738 s, 245 MB/s", no newline. @progress:
 * the time in whole seconds. */
const char *dd_stats_bytes(char buf[DD_STATS_TEXT], uint64_t bytes, uint64_t ns, bool progress);

/* "1073741824 bytes (1.1 GB, 1.0 GiB)", "1000 bytes (1.0 kB)", "1 byte". */
const char *dd_stats_both(char buf[DD_STATS_TEXT], uint64_t bytes);

#endif
