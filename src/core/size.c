/* SPDX-License-Identifier: MIT */
/* size - read and print numbers with units: sizes, rates, durations. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <core/size.h>

static const char prefixes[] = "KMGTPEZYRQ";

uint64_t size_digits(const char **text, unsigned base)
{
	const char *p = *text + strspn(*text, " \t");
	uint64_t value = 0;

	for (; (unsigned char)(*p - '0') < base; p++, *text = p)
		value = value * base + (unsigned)(*p - '0');
	return value;
}

static int power(uint64_t *value, unsigned base, unsigned exponent)
{
	uint64_t v = *value;

	while (exponent--)
		if (__builtin_mul_overflow(v, base, &v))
			return -ERANGE;
	*value = v;
	return 0;
}

static int digits(const char **text, uint64_t *value)
{
	const char *p = *text;
	bool wide = false;
	uint64_t v = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++)
		wide |= __builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (unsigned)(*p - '0'), &v);
	*text = p;
	*value = v;
	return wide ? -ERANGE : 0;
}

/* kB and KB are 1000, k, K, kiB and KiB 1024; only k has a lower case. */
static int suffix(const char **text, uint64_t *value, bool *bytes)
{
	const char *p = *text, *at = *p ? strchr(prefixes, *p == 'k' ? 'K' : *p) : NULL;
	unsigned base = 1024;

	if (*p == 'B') {
		*bytes = true;
		*text = p + 1;
		return 0;
	}
	if (!at)
		return 0;
	p++;
	if (*p == 'B') {
		base = 1000;
		p++;
	} else if (p[0] == 'i' && p[1] == 'B') {
		p += 2;
	}
	*bytes |= p[-1] == 'B';
	*text = p;
	return power(value, base, (unsigned)(at - prefixes) + 1);
}

int size_parse_dd(const char *text, uint64_t *value, bool *bytes, bool *zero)
{
	bool has_bytes = false, has_zero = false, wide = false;
	uint64_t product = 1;

	for (;; text++) {
		const char *start = text;
		uint64_t v;
		int rc = digits(&text, &v);

		if (rc == -EINVAL)
			return rc;
		wide |= rc < 0;
		if (*text == 'c' || *text == 'w' || *text == 'b') {
			unsigned unit = *text == 'c' ? 1 : *text == 'w' ? 2 : 512;

			wide |= __builtin_mul_overflow(v, unit, &v);
			text++;
		} else {
			wide |= suffix(&text, &v, &has_bytes) < 0;
		}
		has_zero |= *text == 'x' && text - start == 1 && *start == '0';
		wide |= __builtin_mul_overflow(product, v, &product);
		if (*text != 'x')
			break;
	}
	if (*text)
		return -EINVAL;
	if (wide)
		return -ERANGE;
	*value = product;
	if (bytes)
		*bytes = has_bytes;
	if (zero)
		*zero = has_zero;
	return 0;
}

int size_parse(const char *text, uint64_t *value)
{
	bool bytes = false;
	uint64_t v;
	int rc = digits(&text, &v);

	if (rc == -EINVAL)
		return rc;
	rc = suffix(&text, &v, &bytes) < 0 || rc < 0 ? -ERANGE : 0;
	if (*text)
		return -EINVAL;
	if (!rc)
		*value = v;
	return rc;
}

struct unit {
	const char *name;
	uint64_t scale;
};

/* A decimal number times the unit named behind it, with at most nine digits of fraction. */
static int scaled(const char *text, const struct unit *units, uint64_t *value)
{
	uint64_t whole, part = 0, unit = 1;
	int rc = digits(&text, &whole);

	if (rc < 0)
		return rc;
	if (*text == '.') {
		if (text[1] < '0' || text[1] > '9')
			return -EINVAL;
		for (text++; *text >= '0' && *text <= '9'; text++)
			if (unit < 1000000000) {
				part = part * 10 + (unsigned)(*text - '0');
				unit *= 10;
			}
	}
	for (; units->name; units++)
		if (!strcmp(units->name, text))
			break;
	if (!units->name)
		return -EINVAL;
	if (__builtin_mul_overflow(whole, units->scale, &whole))
		return -ERANGE;
	if (__builtin_add_overflow(
		    whole, (uint64_t)((double)part / (double)unit * (double)units->scale + 0.5),
		    value))
		return -ERANGE;
	return 0;
}

int size_parse_rate(const char *text, uint64_t *per_s)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "k", 1ull << 10 },
		{ "K", 1ull << 10 },
		{ "KiB", 1ull << 10 },
		{ "kB", 1000 },
		{ "KB", 1000 },
		{ "M", 1ull << 20 },
		{ "MiB", 1ull << 20 },
		{ "MB", 1000000 },
		{ "G", 1ull << 30 },
		{ "GiB", 1ull << 30 },
		{ "GB", 1000000000 },
		{ NULL, 0 },
	};
	size_t n = strlen(text);
	char plain[64];
	uint64_t value;
	int rc;

	if (n >= sizeof(plain))
		return -EINVAL;
	memcpy(plain, text, n + 1);
	if (n > 2 && !strcmp(plain + n - 2, "/s"))
		plain[n - 2] = '\0';
	rc = scaled(plain, units, &value);
	if (!rc)
		*per_s = value;
	return rc;
}

int size_parse_time(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{ "", 1000000000 }, { "s", 1000000000 },    { "ms", 1000000 }, { "us", 1000 },
		{ "ns", 1 },        { "min", 60000000000 }, { NULL, 0 },
	};
	uint64_t value;
	int rc = scaled(text, units, &value);

	if (!rc)
		*ns = value;
	return rc;
}

const char *size_print(char buf[SIZE_TEXT], uint64_t bytes)
{
	uint64_t unit = 1;
	unsigned i = 0;

	for (; i < 6 && bytes / unit >= 1024; i++)
		unit *= 1024;
	if (!i)
		snprintf(buf, SIZE_TEXT, "%llu B", (unsigned long long)bytes);
	else
		snprintf(buf, SIZE_TEXT, "%.*f %ciB", bytes % unit ? 1 : 0,
			 (double)bytes / (double)unit, prefixes[i - 1]);
	return buf;
}

/* Three significant digits, without an exponent. */
static void three(char buf[SIZE_TEXT], double v, const char *unit)
{
	snprintf(buf, SIZE_TEXT, "%.*f %s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, unit);
}

const char *size_print_rate(char buf[SIZE_TEXT], double per_s)
{
	static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
	unsigned i = 0;

	for (; i < 4 && per_s >= 999.5; i++)
		per_s /= 1000;
	if (per_s >= 99.95 || !i)
		snprintf(buf, SIZE_TEXT, "%.0f %s", per_s, units[i]);
	else
		snprintf(buf, SIZE_TEXT, "%.1f %s", per_s, units[i]);
	return buf;
}

const char *size_print_time(char buf[SIZE_TEXT], uint64_t ns)
{
	if (ns < 1000)
		snprintf(buf, SIZE_TEXT, "%u ns", (unsigned)ns);
	else if (ns < 999500)
		three(buf, (double)ns / 1e3, "us");
	else if (ns < 999500000)
		three(buf, (double)ns / 1e6, "ms");
	else
		three(buf, (double)ns / 1e9, "s");
	return buf;
}

const char *size_print_wait(char buf[SIZE_TEXT], uint64_t ns)
{
	unsigned long long s = (ns + 500000000) / 1000000000;

	if (ns < 9950000000)
		snprintf(buf, SIZE_TEXT, "%.3g s", (double)ns / 1e9);
	else if (s < 60)
		snprintf(buf, SIZE_TEXT, "%llu s", s);
	else if (s < 3600 && s % 60)
		snprintf(buf, SIZE_TEXT, "%llu min %llu s", s / 60, s % 60);
	else if (s < 3600)
		snprintf(buf, SIZE_TEXT, "%llu min", s / 60);
	else
		snprintf(buf, SIZE_TEXT, "%llu h %llu min", s / 3600, s / 60 % 60);
	return buf;
}
