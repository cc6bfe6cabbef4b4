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

/* kB and KB are 1000, k, K, kiB and KiB 1024; only k has a lower case. @thousand: the letters
 * that make it a power of 1000. */
static int prefix(const char **text, uint64_t *value, const char *thousand)
{
	const char *p = *text, *at = *p ? strchr(prefixes, *p == 'k' ? 'K' : *p) : NULL;
	unsigned base = 1024;

	if (!at)
		return 0;
	p++;
	if (p[0] == 'i' && p[1] == 'B') {
		p += 2;
	} else if (*p && strchr(thousand, *p)) {
		base = 1000;
		p++;
	}
	*text = p;
	return power(value, base, (unsigned)(at - prefixes) + 1);
}

/* gnulib's xstrtoumax: blanks, '+', digits, a suffix; a suffix alone stands for 1 of it. What
 * does not fit is UINT64_MAX. False where there is none of them. */
static bool factor(const char **text, uint64_t *value)
{
	const char *p = *text + strspn(*text, " \t\n\v\f\r");
	int rc;

	p += *p == '+';
	rc = digits(&p, value);
	if (rc == -EINVAL) {
		p = *text;
		*value = 1;
		if (!*p || !strchr("bcEGkKMPQRTwYZ", *p))
			return false;
		rc = 0;
	}
	if (*p == 'c' || *p == 'w' || *p == 'b') {
		if (__builtin_mul_overflow(*value, *p == 'c' ? 1u : *p == 'w' ? 2u : 512u, value))
			rc = -ERANGE;
		p++;
	} else if (prefix(&p, value, "BD") < 0) {
		rc = -ERANGE;
	}
	if (*p == 'B' && p > *text && p[-1] != 'B')
		p++;
	if (rc < 0)
		*value = UINT64_MAX;
	*text = p;
	return true;
}

/* A factor of zero makes up for one that does not fit, even for rubbish behind that one:
 * GNU dd multiplies from the right and looks at the product alone. */
int size_parse_dd(const char *text, uint64_t *value, bool *bytes, unsigned *zeros)
{
	bool has_bytes = strchr(text, 'B'), wide = false, nothing = false;
	uint64_t product = 1, v;
	unsigned count = 0;

	for (;; text++) {
		const char *start = text;

		if (!factor(&text, &v))
			return -EINVAL;
		wide |= v > INT64_MAX || __builtin_mul_overflow(product, v, &product) ||
			product > INT64_MAX;
		nothing |= !v;
		if (*text != 'x')
			break;
		count += start[0] == '0' && text == start + 1;
	}
	if (*text && v <= INT64_MAX)
		return -EINVAL;
	if (zeros)
		*zeros = count;
	if (wide && !nothing)
		return -ERANGE;
	*value = nothing ? 0 : product;
	if (bytes)
		*bytes = has_bytes;
	return 0;
}

int size_parse(const char *text, uint64_t *value)
{
	uint64_t v;
	int rc = digits(&text, &v);

	if (rc == -EINVAL)
		return rc;
	if (*text == 'B')
		text++;
	else if (prefix(&text, &v, "B") < 0)
		rc = -ERANGE;
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
