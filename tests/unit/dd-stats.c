/* SPDX-License-Identifier: MIT */
/* dd-stats - the statistics are those that coreutils prints. */

#include <string.h>

#include "../../src/applets/ddtest/dd-stats.h"
#include "../tap.h"

/* Printed by GNU dd 8.32 and 9.1, or calculated by hand after the coreutils manual. */
static const struct {
	uint64_t bytes, ns;
	bool progress;
	const char *text;
} lines[] = {
	{ 0, 2570000, false, "0 bytes copied, 0.00257 s, 0.0 kB/s" },
	{ 0, 0, false, "0 bytes copied, 0 s, Infinity B/s" },
	{ 1, 69629, false, "1 byte copied, 6.9629e-05 s, 14.4 kB/s" },
	{ 999, 69629, false, "999 bytes copied, 6.9629e-05 s, 14.3 MB/s" },
	{ 1000, 69629, false, "1000 bytes (1.0 kB) copied, 6.9629e-05 s, 14.4 MB/s" },
	{ 1023, 69629, false, "1023 bytes (1.0 kB) copied, 6.9629e-05 s, 14.7 MB/s" },
	{ 1024, 69629, false, "1024 bytes (1.0 kB, 1.0 KiB) copied, 6.9629e-05 s, 14.7 MB/s" },
	{ 9949, 3000001, false, "9949 bytes (9.9 kB, 9.7 KiB) copied, 0.003 s, 3.3 MB/s" },
	{ 9950, 3000001, false, "9950 bytes (10 kB, 9.7 KiB) copied, 0.003 s, 3.3 MB/s" },
	{ 512000, 360840000, false, "512000 bytes (512 kB, 500 KiB) copied, 0.36084 s, 1.4 MB/s" },
	{ 512000, 11186500000, false,
	  "512000 bytes (512 kB, 500 KiB) copied, 11.1865 s, 45.8 kB/s" },
	{ 512000, 83902000, false, "512000 bytes (512 kB, 500 KiB) copied, 0.083902 s, 6.1 MB/s" },
	{ 1073741824, 4377380000, false,
	  "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 4.37738 s, 245 MB/s" },
	{ 1073741824, 32474000000, false,
	  "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 32.474 s, 33.1 MB/s" },
	{ 1073741824, 123370000000, false,
	  "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 123.37 s, 8.7 MB/s" },
	{ 1073741824, 5112730000, false,
	  "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 5.11273 s, 210 MB/s" },
	{ 537000000, 1730960000, true, "537000000 bytes (537 MB, 512 MiB) copied, 2 s, 310 MB/s" },
	{ 1000000, 999999000, false,
	  "1000000 bytes (1.0 MB, 977 KiB) copied, 0.999999 s, 1.0 MB/s" },
	{ 500, 1000000000, false, "500 bytes copied, 1 s, 500 B/s" },
	{ 45849, 1000000000, false, "45849 bytes (46 kB, 45 KiB) copied, 1 s, 46 kB/s" },
	{ 1000, 1000001, false, "1000 bytes (1.0 kB) copied, 0.001 s, 1000 kB/s" },
	{ 99949, 1000000001, false, "99949 bytes (100 kB, 98 KiB) copied, 1 s, 99.9 kB/s" },
	{ 99951, 1000000001, false, "99951 bytes (100 kB, 98 KiB) copied, 1 s, 100 kB/s" },
	{ 9223372036854775807, 1234567890123456789, false,
	  "9223372036854775807 bytes (9.2 EB, 8.0 EiB) copied, 1.23457e+09 s, 7.5 GB/s" },
};

static const struct {
	uint64_t bytes;
	const char *text;
} sizes[] = {
	{ 2, "2 bytes" },
	{ 1049, "1049 bytes (1.0 kB, 1.0 KiB)" },
	{ 1050, "1050 bytes (1.0 kB, 1.0 KiB)" }, /* a tie, to the even tenth */
	{ 1150, "1150 bytes (1.2 kB, 1.1 KiB)" },
	{ 10500, "10500 bytes (10 kB, 10 KiB)" },
	{ 11500, "11500 bytes (12 kB, 11 KiB)" },
	{ 999499, "999499 bytes (999 kB, 976 KiB)" },
	{ 999500, "999500 bytes (1.0 MB, 976 KiB)" },
	{ 1047552, "1047552 bytes (1.0 MB, 1023 KiB)" },
	{ 1048064, "1048064 bytes (1.0 MB, 1.0 MiB)" },
	{ 1048575, "1048575 bytes (1.0 MB, 1.0 MiB)" },
	{ 1048576, "1048576 bytes (1.0 MB, 1.0 MiB)" },
	{ 68719476736, "68719476736 bytes (69 GB, 64 GiB)" },
};

int main(void)
{
	struct dd_stats stats = { 3, 1, 2, 4, 0 };
	char text[DD_STATS_TEXT];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!ok(!strcmp(dd_stats_bytes(text, lines[i].bytes, lines[i].ns,
					       lines[i].progress),
				lines[i].text),
			"%s", lines[i].text))
			printf("# got: %s\n", text);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!ok(!strcmp(dd_stats_both(text, sizes[i].bytes), sizes[i].text), "%s",
			sizes[i].text))
			printf("# got: %s\n", text);
	ok(!strcmp(dd_stats_records(text, &stats), "3+1 records in\n2+4 records out\n"), "records");
	stats = (struct dd_stats){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	ok(strlen(dd_stats_records(text, &stats)) == 107, "the largest records fit");
	ok(strlen(dd_stats_bytes(text, INT64_MAX, 1, false)) < DD_STATS_TEXT - 1,
	   "the longest line fits");
	return tap_done();
}
