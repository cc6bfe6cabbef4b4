/* SPDX-License-Identifier: MIT */
/* printf - each conversion that the sources use, against what C says it prints. */

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "../tap.h"

/* The compiler knows snprintf() and would answer itself. */
static int (*volatile print)(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4))) = snprintf;

static char got[80];

#define is(wanted, ...)                                                                            \
	({                                                                                         \
		int n_ = print(got, sizeof(got), __VA_ARGS__);                                     \
		ok(n_ == (int)strlen(wanted) && !strcmp(got, wanted), "\"%s\"", wanted);           \
		if (strcmp(got, wanted))                                                           \
			printf("# got \"%s\"\n", got);                                             \
	})

static void texts(void)
{
	is("a % b", "a %% b");
	is("<x>", "<%c>", 'x');
	is("<abc>", "<%s>", "abc");
	is("<>", "<%s>", "");
	is("<   abc>", "<%6s>", "abc");
	is("<abc   >", "<%-6s>", "abc");
	is("<abcdefg>", "<%6s>", "abcdefg");
	is("<ab>", "<%.2s>", "abc");
	is("<abc>", "<%.3s>", "abcd");
	is("<>", "<%.0s>", "abcd");
	is("<ab>", "<%.*s>", 2, "abcd");
	is("<    ab>", "<%*.2s>", 6, "abc");
	is("<ab    >", "<%-*.*s>", 6, 2, "abc");
	is("<    >", "<%*s>", 4, "");
	is("<abc>", "<%*s>", 0, "abc");
}

static void integers(void)
{
	is("0", "%d", 0);
	is("-1", "%d", -1);
	is("-2147483648", "%d", INT_MIN);
	is("2147483647", "%d", INT_MAX);
	is("4294967295", "%u", UINT_MAX);
	is("-2147483649", "%lld", -2147483649ll);
	is("-7", "%ld", -7l);
	is("-9223372036854775808", "%lld", LLONG_MIN);
	is("9223372036854775807", "%lld", LLONG_MAX);
	is("18446744073709551615", "%llu", ULLONG_MAX);
	is("4294967296", "%llu", 4294967296ull);
	is("7", "%zu", sizeof("123456"));
	is("<     512>", "<%8llu>", 512ull);
	is("<512     >", "<%-8llu>", 512ull);
	is("<  -5>", "<%4d>", -5);
	is("<512>", "<%.0llu%u>", 0ull, 512);
	is("<256512>", "<%.0llu%u>", 256ull, 512);
	is("ffffffffffffffff", "%llx", ULLONG_MAX);
	is("0", "%llx", 0ull);
	is("1c0ffee", "%llx", 0x1c0ffeeull);
	is("001f", "%04x", 0x1f);
	is("12345", "%04x", 0x12345);
	is("033", "%03o", 27);
	is("377", "%03o", 255);
}

static void reals(void)
{
	is("0", "%.0f", 0.0);
	is("0.000", "%.3f", 0.0);
	is("1", "%.0f", 0.75);
	is("0", "%.0f", 0.25);
	is("0.1", "%.1f", 0.0625);
	is("0.062", "%.3f", 0.0621);
	is("0.36", "%.2f", 0.36084);
	is("10.0", "%.1f", 9.96);
	is("100", "%.0f", 99.6);
	is("0.008", "%.3f", 0.0084);
	is("-1.5", "%.1f", -1.5);
	is("<  33.1>", "<%6.1f>", 33.1);
	is("<   0.36>", "<%7.*f>", 2, 0.36);
	is("<  12>", "<%*.0f>", 4, 12.4);
	is("4503599627370496", "%.0f", 0x1p52);
	is("281474976710656.000", "%.3f", 0x1p48);
	is("999.9", "%.1Lf", 999.94L);
	is("1000", "%.0Lf", 999.6L);
}

/* Seconds as GNU dd prints them, and three digits. */
static void generals(void)
{
	is("0", "%g", 0.0);
	is("1", "%g", 1.0);
	is("100000", "%g", 100000.0);
	is("999999", "%g", 999999.0);
	is("1e+06", "%g", 1000000.0);
	is("1e+06", "%g", 999999.7);
	is("1.23457e+08", "%g", 123456789.0);
	is("1.5e+10", "%g", 1.5e10);
	is("0.36084", "%g", 0.36084);
	is("0.360844", "%g", 0.3608441);
	is("11.1865", "%g", 11.1865);
	is("0.083902", "%g", 0.083902);
	is("0.0001", "%g", 0.0001);
	is("0.000123457", "%g", 0.000123456789);
	is("9.9999e-05", "%g", 0.000099999);
	is("0.0001", "%g", 0.00009999999);
	is("2.3e-05", "%g", 0.000023);
	is("1e-09", "%g", 0.000000001);
	is("0.42", "%.3g", 0.42);
	is("9.95", "%.3g", 9.949);
	is("2", "%.3g", 2.0);
	is("33.1", "%.3g", 33.14);
	is("100", "%.3g", 99.96);
	is("1e+03", "%.3g", 999.9);
	is("120", "%.3g", 120.0);
}

static void bounds(void)
{
	char text[8];

	memset(text, '#', sizeof(text));
	ok(print(text, 4, "%s", "abcdef") == 6 && !strcmp(text, "abc") && text[4] == '#',
	   "what does not fit is counted and left out");
	memset(text, '#', sizeof(text));
	ok(print(text, 4, "%6d", 1) == 6 && !strcmp(text, "   ") && text[4] == '#',
	   "also in the middle of a field");
	ok(print(text, 1, "%s", "abcdef") == 6 && !*text, "room for the end alone");
	ok(print(NULL, 0, "%s", "abcdef") == 6, "no room at all");
	ok(print(text, 4, "abc") == 3 && !strcmp(text, "abc"), "just enough");
	is("9 1 2 3 4 5 6 7 8 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 x",
	   "%d %d %d %lld %d %d %d %d %d %g %g %g %g %g %g %g %g %g %s", 9, 1, 2, 3ll, 4, 5, 6, 7,
	   8, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, "x");
}

int main(void)
{
	texts();
	integers();
	reals();
	generals();
	bounds();
	return tap_done();
}
