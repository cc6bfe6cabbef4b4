/* SPDX-License-Identifier: MIT */
/* size - whatever is typed as a number, nothing breaks, and what is out of range says so. */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <core/size.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int rc, uint64_t value, uint64_t before)
{
	if (rc != 0 && rc != -EINVAL && rc != -ERANGE)
		abort();
	if (rc && value != before)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint64_t before = 0x4711;
	char *text = malloc(size + 1), shown[SIZE_TEXT];
	uint64_t value = before;
	unsigned zeros = 0;
	bool bytes = false;
	int rc;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	rc = size_parse_dd(text, &value, &bytes, &zeros);
	check(rc, value, before);
	if (!rc && (value > INT64_MAX || bytes != !!strchr(text, 'B') || zeros > size / 2))
		abort();
	value = before;
	check(size_parse(text, &value), value, before);
	if (strlen(size_print(shown, value)) >= SIZE_TEXT)
		abort();
	value = before;
	check(size_parse_rate(text, &value), value, before);
	size_print_rate(shown, (double)value);
	value = before;
	check(size_parse_time(text, &value), value, before);
	size_print_time(shown, value);
	size_print_wait(shown, value);
	free(text);
	return 0;
}
