/* SPDX-License-Identifier: MIT */
/* size - what an option's number means, and how numbers read on a screen. */

#include <errno.h>
#include <string.h>

#include <core/size.h>

#include "../tap.h"

static const struct {
	int (*parse)(const char *text, uint64_t *value);
	const char *text;
	int rc;
	uint64_t value;
} parsed[] = {
	{ size_parse, "512", 0, 512 },
	{ size_parse, "7B", 0, 7 },
	{ size_parse, "64KiB", 0, 65536 },
	{ size_parse, "64k", 0, 65536 },
	{ size_parse, "1GB", 0, 1000000000 },
	{ size_parse, "9223372036854775807", 0, INT64_MAX },
	{ size_parse, "8EiB", 0, 1ull << 63 },
	{ size_parse, "18446744073709551616", -ERANGE, 0 },
	{ size_parse, "16E", -ERANGE, 0 },
	{ size_parse, "17Y", -ERANGE, 0 },
	{ size_parse, "", -EINVAL, 0 },
	{ size_parse, "+1", -EINVAL, 0 },
	{ size_parse, " 1", -EINVAL, 0 },
	{ size_parse, "1x2", -EINVAL, 0 },
	{ size_parse, "1.5G", -EINVAL, 0 },
	{ size_parse, "1KBB", -EINVAL, 0 },
	{ size_parse_rate, "50MB/s", 0, 50000000 },
	{ size_parse_rate, "1.5MB/s", 0, 1500000 },
	{ size_parse_rate, "100", 0, 100 },
	{ size_parse_rate, "100B/s", 0, 100 },
	{ size_parse_rate, "2GiB", 0, 2147483648 },
	{ size_parse_rate, "0.1k", 0, 102 },
	{ size_parse_rate, "99999999999999999999", -ERANGE, 0 },
	{ size_parse_rate, "9Y", -ERANGE, 0 },
	{ size_parse_rate, "1Y", -ERANGE, 0 },
	{ size_parse_rate, "", -EINVAL, 0 },
	{ size_parse_rate, "/s", -EINVAL, 0 },
	{ size_parse_rate, "MB/s", -EINVAL, 0 },
	{ size_parse_rate, "1MB/s/s", -EINVAL, 0 },
	{ size_parse_rate, "1 MB/s", -EINVAL, 0 },
	{ size_parse_rate, "1m", -EINVAL, 0 },
	{ size_parse_rate, "1.MB", -EINVAL, 0 },
	{ size_parse_time, "15", 0, 15000000000 },
	{ size_parse_time, "0.5s", 0, 500000000 },
	{ size_parse_time, "10ms", 0, 10000000 },
	{ size_parse_time, "1.5us", 0, 1500 },
	{ size_parse_time, "3ns", 0, 3 },
	{ size_parse_time, "2min", 0, 120000000000 },
	{ size_parse_time, "0.000000001", 0, 1 },
	{ size_parse_time, "0.33333333333333333333333", 0, 333333333 },
	{ size_parse_time, "0.5ns", 0, 1 },
	{ size_parse_time, "9223372037", -ERANGE, 0 },
	{ size_parse_time, "1h", -EINVAL, 0 },
	{ size_parse_time, "5 s", -EINVAL, 0 },
	{ size_parse_time, ".5", -EINVAL, 0 },
	{ size_parse_time, "-1", -EINVAL, 0 },
};

static const char *rate(char buf[SIZE_TEXT], uint64_t per_s)
{
	return size_print_rate(buf, (double)per_s);
}

static const struct {
	const char *(*print)(char buf[SIZE_TEXT], uint64_t value);
	uint64_t value;
	const char *text;
} printed[] = {
	{ size_print, 0, "0 B" },
	{ size_print, 1023, "1023 B" },
	{ size_print, 1024, "1 KiB" },
	{ size_print, 1536, "1.5 KiB" },
	{ size_print, 21474836480, "20 GiB" },
	{ size_print, 500107862016, "465.8 GiB" },
	{ size_print, 1ull << 60, "1 EiB" },
	{ size_print, 1ull << 63, "8 EiB" },
	{ rate, 0, "0 B/s" },
	{ rate, 999, "999 B/s" },
	{ rate, 1000, "1.0 kB/s" },
	{ rate, 45800, "45.8 kB/s" },
	{ rate, 33100000, "33.1 MB/s" },
	{ rate, 99960000, "100 MB/s" },
	{ rate, 999600000, "1.0 GB/s" },
	{ rate, 12000000000000000, "12000 TB/s" },
	{ size_print_time, 0, "0 ns" },
	{ size_print_time, 999, "999 ns" },
	{ size_print_time, 1000, "1.00 us" },
	{ size_print_time, 84000, "84.0 us" },
	{ size_print_time, 360840, "361 us" },
	{ size_print_time, 999499, "999 us" },
	{ size_print_time, 999500, "1.00 ms" },
	{ size_print_time, 11186500, "11.2 ms" },
	{ size_print_time, 2500000000, "2.50 s" },
	{ size_print_time, 120000000000, "120 s" },
	{ size_print_wait, 0, "0 s" },
	{ size_print_wait, 420000000, "420 ms" },
	{ size_print_wait, 9949000000, "9.95 s" },
	{ size_print_wait, 9950000000, "10 s" },
	{ size_print_wait, 59400000000, "59 s" },
	{ size_print_wait, 59600000000, "1 min" },
	{ size_print_wait, 225000000000, "3 min 45 s" },
	{ size_print_wait, 3599400000000, "59 min 59 s" },
	{ size_print_wait, 3600000000000, "1 h" },
	{ size_print_wait, 7530000000000, "2 h 5 min" },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(parsed) / sizeof(parsed[0]); i++) {
		uint64_t value = 4711;
		int rc = parsed[i].parse(parsed[i].text, &value);

		ok(rc == parsed[i].rc && value == (rc ? 4711 : parsed[i].value), "'%s'",
		   parsed[i].text);
	}
	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		char text[SIZE_TEXT];

		printed[i].print(text, printed[i].value);
		ok(!strcmp(text, printed[i].text), "%s", printed[i].text);
		if (strcmp(text, printed[i].text))
			printf("# got %s\n", text);
	}
	return tap_done();
}
