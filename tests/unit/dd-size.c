/* SPDX-License-Identifier: MIT */
/* dd-size - dd's numbers, as coreutils documents and reads them. */

#include <errno.h>
#include <string.h>

#include <core/size.h>

#include "../tap.h"

#define MAX INT64_MAX

static const struct {
	const char *text;
	int rc;
	uint64_t value;
	bool bytes;
	unsigned zeros;
} rows[] = {
	{ "0", 0, 0, false, 0 },
	{ "1", 0, 1, false, 0 },
	{ "512", 0, 512, false, 0 },
	{ "010", 0, 10, false, 0 },
	{ "+7", 0, 7, false, 0 },
	{ " \t7", 0, 7, false, 0 },
	{ "3c", 0, 3, false, 0 },
	{ "3w", 0, 6, false, 0 },
	{ "3b", 0, 1536, false, 0 },
	{ "1kB", 0, 1000, true, 0 },
	{ "1KB", 0, 1000, true, 0 },
	{ "1kD", 0, 1000, false, 0 },
	{ "1k", 0, 1024, false, 0 },
	{ "1K", 0, 1024, false, 0 },
	{ "1KiB", 0, 1024, true, 0 },
	{ "1kiB", 0, 1024, true, 0 },
	{ "1MB", 0, 1000000, true, 0 },
	{ "1M", 0, 1 << 20, false, 0 },
	{ "1MiB", 0, 1 << 20, true, 0 },
	{ "3GB", 0, 3000000000, true, 0 },
	{ "3G", 0, 3221225472, false, 0 },
	{ "1T", 0, 1ull << 40, false, 0 },
	{ "1TB", 0, 1000000000000, true, 0 },
	{ "1P", 0, 1ull << 50, false, 0 },
	{ "7E", 0, 7ull << 60, false, 0 },
	{ "9EB", 0, 9000000000000000000, true, 0 },
	{ "1B", 0, 1, true, 0 },
	{ "3cB", 0, 3, true, 0 },
	{ "3wB", 0, 6, true, 0 },
	{ "1bB", 0, 512, true, 0 },
	{ "0B", 0, 0, true, 0 },
	{ "M", 0, 1 << 20, false, 0 },
	{ "kB", 0, 1000, true, 0 },
	{ "b", 0, 512, false, 0 },
	{ "bB", 0, 512, true, 0 },
	{ "2x3", 0, 6, false, 0 },
	{ "2x3x4", 0, 24, false, 0 },
	{ "2xk", 0, 2048, false, 0 },
	{ "MxM", 0, 1ull << 40, false, 0 },
	{ "1Bx2", 0, 2, true, 0 },
	{ "2x3B", 0, 6, true, 0 },
	{ "1KiBx2k", 0, 2097152, true, 0 },
	{ "0x10", 0, 0, false, 1 },
	{ "00x10", 0, 0, false, 0 },
	{ "0x0x5", 0, 0, false, 2 },
	{ "5x0x3", 0, 0, false, 1 },
	{ "0Z", 0, 0, false, 0 },
	{ "1Zx0", 0, 0, false, 0 },
	{ "0x1Z", 0, 0, false, 1 },
	{ "99999999999999999999x0", 0, 0, false, 0 },
	{ "4294967296x4294967296x0", 0, 0, false, 0 },
	{ "9223372036854775807", 0, MAX, false, 0 },
	{ "4611686018427387903x2", 0, MAX - 1, false, 0 },
	{ "9223372036854775808", -ERANGE, 0, false, 0 },
	{ "18446744073709551615", -ERANGE, 0, false, 0 },
	{ "18446744073709551616", -ERANGE, 0, false, 0 },
	{ "9223372036854775807x2", -ERANGE, 0, false, 0 },
	{ "4294967296x4294967296", -ERANGE, 0, false, 0 },
	{ "2x99999999999999999999", -ERANGE, 0, false, 0 },
	{ "8E", -ERANGE, 0, false, 0 },
	{ "1Z", -ERANGE, 0, false, 0 },
	{ "1YiB", -ERANGE, 0, false, 0 },
	{ "1R", -ERANGE, 0, false, 0 },
	{ "1Q", -ERANGE, 0, false, 0 },
	{ "99999999999999999999a", -ERANGE, 0, false, 0 },
	{ "1Ya", -ERANGE, 0, false, 0 },
	{ "99999999999999999999xa", -EINVAL, 0, false, 0 },
	{ "", -EINVAL, 0, false, 0 },
	{ " ", -EINVAL, 0, false, 0 },
	{ "+", -EINVAL, 0, false, 0 },
	{ "-1", -EINVAL, 0, false, 0 },
	{ "-0", -EINVAL, 0, false, 0 },
	{ " -0", -EINVAL, 0, false, 0 },
	{ "+-1", -EINVAL, 0, false, 0 },
	{ " k", -EINVAL, 0, false, 0 },
	{ "1 ", -EINVAL, 0, false, 0 },
	{ "1 k", -EINVAL, 0, false, 0 },
	{ "B", -EINVAL, 0, false, 0 },
	{ "x", -EINVAL, 0, false, 0 },
	{ "1x", -EINVAL, 0, false, 0 },
	{ "x1", -EINVAL, 0, false, 0 },
	{ "1xx2", -EINVAL, 0, false, 0 },
	{ "0x", -EINVAL, 0, false, 0 },
	{ "0xa", -EINVAL, 0, false, 0 },
	{ "1m", -EINVAL, 0, false, 0 },
	{ "1g", -EINVAL, 0, false, 0 },
	{ "1t", -EINVAL, 0, false, 0 },
	{ "1mb", -EINVAL, 0, false, 0 },
	{ "1Mi", -EINVAL, 0, false, 0 },
	{ "1iB", -EINVAL, 0, false, 0 },
	{ "1BB", -EINVAL, 0, false, 0 },
	{ "1KBB", -EINVAL, 0, false, 0 },
	{ "1KiBB", -EINVAL, 0, false, 0 },
	{ "1kk", -EINVAL, 0, false, 0 },
	{ "1b2", -EINVAL, 0, false, 0 },
	{ "1.5", -EINVAL, 0, false, 0 },
	{ "1e3", -EINVAL, 0, false, 0 },
	{ "1,2", -EINVAL, 0, false, 0 },
};

int main(void)
{
	uint64_t value;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned zeros = 77;
		bool bytes = false;
		int rc;

		value = 4711;
		rc = size_parse_dd(rows[i].text, &value, &bytes, &zeros);
		ok(rc == rows[i].rc && value == (rc ? 4711 : rows[i].value) &&
			   (rc || (bytes == rows[i].bytes && zeros == rows[i].zeros)),
		   "'%s'", rows[i].text);
	}
	ok(!size_parse_dd("2x3", &value, NULL, NULL) && value == 6, "without the flags");
	ok(size_parse("2x3", &value) == -EINVAL && size_parse("1c", &value) == -EINVAL &&
		   size_parse("k", &value) == -EINVAL && size_parse("1kD", &value) == -EINVAL,
	   "an option takes no product, no c, no bare suffix");
	ok(!size_parse("1KiB", &value) && value == 1024 && !size_parse("1kB", &value) &&
		   value == 1000 && !size_parse("7B", &value) && value == 7,
	   "but the same suffixes");
	return tap_done();
}
