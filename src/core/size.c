/* SPDX-License-Identifier: MIT */
/* size - read and print numbers with units: sizes, rates, durations. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <core/size.h>

#define PREFIXES "KMGTPEZYRQ"

/* Each 1000 of the one before, but a minute is 60 seconds. */
static const char times[][4] = { "ns", "us", "ms", "s", "min" };

/* Digits of @base at *text, and -ERANGE where they do not fit. */
static int number(const char **text, unsigned base, uint64_t *value)
{
	const char *p = *text;
	bool wide = false;

	for (*value = 0; (unsigned char)(*p - '0') < base; p++) {
		wide |= __builtin_mul_overflow(*value, base, value);
		wide |= __builtin_add_overflow(*value, (unsigned)(*p - '0'), value);
	}
	if (p == *text)
		return -EINVAL;
	*text = p;
	return wide ? -ERANGE : 0;
}

uint64_t size_digits(const char **text, unsigned base)
{
	const char *p = *text + strspn(*text, " \t");
	uint64_t value;

	if (number(&p, base, &value) != -EINVAL)
		*text = p;
	return value;
}

/* gnulib's xstrtoumax: blanks, '+', digits, a suffix; a suffix alone stands for 1 of it. What
 * does not fit is UINT64_MAX. kB and KB are 1000, k, K, kiB and KiB 1024; only k has a lower
 * case. False where there is none of them. */
static bool factor(const char **text, uint64_t *value)
{
	static const char suffixes[] = "cwb" PREFIXES;
	const char *p = *text + strspn(*text, " \t\n\v\f\r");
	unsigned base = 1024, power = 1, i = 0;
	bool wide;
	int rc;

	p += *p == '+';
	rc = number(&p, 10, value);
	wide = rc == -ERANGE;
	if (rc == -EINVAL)
		p = *text;
	while (suffixes[i] && suffixes[i] != (*p == 'k' ? 'K' : *p))
		i++;
	if (suffixes[i]) {
		if (rc == -EINVAL)
			*value = 1;
		p++;
		if (i < 3) {
			base = i < 2 ? i + 1 : 512;
		} else {
			power = i - 2;
			if (p[0] == 'i' && p[1] == 'B') {
				p += 2;
			} else if (*p == 'B' || *p == 'D') {
				base = 1000;
				p++;
			}
		}
		while (power--)
			wide |= __builtin_mul_overflow(*value, base, value);
	} else if (rc == -EINVAL) {
		return false;
	}
	if (*p == 'B' && p[-1] != 'B')
		p++;
	if (wide)
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
		wide |= __builtin_mul_overflow(product, v, &product) || product > INT64_MAX;
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

	if (text[strspn(text, "0123456789iBk" PREFIXES)] || !strspn(text, "0123456789") ||
	    !factor(&text, &v) || *text)
		return -EINVAL;
	if (v == UINT64_MAX)
		return -ERANGE;
	*value = v;
	return 0;
}

/* A decimal number, nine digits of its fraction, and a unit. */
static int scaled(const char *text, bool time, uint64_t *value)
{
	uint64_t whole, part = 0, unit = 1, scale = 1;
	int rc = number(&text, 10, &whole);

	if (rc)
		return rc;
	if (*text == '.') {
		text++;
		if (!strspn(text, "0123456789"))
			return -EINVAL;
		for (; (unsigned char)(*text - '0') < 10; text++)
			if (unit < 1000000000) {
				part = part * 10 + (unsigned)(*text - '0');
				unit *= 10;
			}
	}
	if (time) {
		unsigned i = 0;

		for (text = *text ? text : "s"; strcmp(times[i], text); scale *= i < 4 ? 1000 : 60)
			if (++i == 5)
				return -EINVAL;
	} else {
		if (strspn(text, "k" PREFIXES))
			factor(&text, &scale);
		else
			text += *text == 'B';
		if (*text && strcmp(text, "/s"))
			return -EINVAL;
	}
	if (__builtin_mul_overflow(whole, scale, &whole) ||
	    __builtin_mul_overflow(part, scale, &part) || whole > INT64_MAX)
		return -ERANGE;
	*value = whole + (part + unit / 2) / unit;
	return 0;
}

int size_parse_rate(const char *text, uint64_t *per_s)
{
	return scaled(text, false, per_s);
}

int size_parse_time(const char *text, uint64_t *ns)
{
	return scaled(text, true, ns);
}

const char *size_print(char buf[SIZE_TEXT], uint64_t bytes)
{
	uint64_t unit = 1;
	unsigned i = 0;

	for (; bytes / unit >= 1024; i++)
		unit *= 1024;
	snprintf(buf, SIZE_TEXT, "%.*f %.*sB", bytes % unit ? 1 : 0,
		 (double)bytes / (double)(int64_t)unit, i ? 2 : 0,
		 &"KiMiGiTiPiEi"[i ? 2 * i - 2 : 0]);
	return buf;
}

const char *size_print_rate(char buf[SIZE_TEXT], double per_s)
{
	unsigned i = 0;

	for (; i < 4 && per_s >= 999.5; i++)
		per_s /= 1000;
	snprintf(buf, SIZE_TEXT, "%.*f %.*sB/s", i && per_s < 99.95 ? 1 : 0, per_s, i ? 1 : 0,
		 &" kMGT"[i]);
	return buf;
}

const char *size_print_time(char buf[SIZE_TEXT], uint64_t ns)
{
	double v = (double)(int64_t)ns;
	unsigned i = 0;

	for (; i < 3 && v >= 999.5; i++)
		v /= 1000;
	snprintf(buf, SIZE_TEXT, "%.*f %s",
		 !i          ? 0
		 : v < 9.995 ? 2
		 : v < 99.95 ? 1
			     : 0,
		 v, times[i]);
	return buf;
}

const char *size_print_wait(char buf[SIZE_TEXT], uint64_t ns)
{
	uint64_t s = (ns + 500000000) / 1000000000;
	bool hours = s >= 3600;

	if (hours)
		s /= 60;
	if (ns >= 1000000 && ns < 9950000000)
		return size_print_time(buf, ns);
	if (s < 60)
		snprintf(buf, SIZE_TEXT, "%u s", (unsigned)s);
	else
		snprintf(buf, SIZE_TEXT, s % 60 ? "%u %s %u %s" : "%u %s", (unsigned)(s / 60),
			 hours ? "h" : "min", (unsigned)(s % 60), hours ? "min" : "s");
	return buf;
}
