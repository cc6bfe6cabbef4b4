/* SPDX-License-Identifier: MIT */
/* printf - as much of the printf family as this program uses, in a tenth of libc's size.
 *
 * These are libc's names: a static link takes them from here and leaves out its own, which
 * with wide characters, %n and exact long doubles weigh more than any file of ours. Of the
 * conversions there are d i u x o c s p f g %, of the flags '-' and '0', width and precision,
 * also as '*', and the lengths l ll z L. Anything else prints as it stands in the format,
 * which tests look for. %f is good to 9 places, %g to 15 digits, below 2^63; a half
 * is rounded up. */

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct sink {
	char *text;
	size_t size, length; /* length: also of what did not fit */
};

struct field {
	bool left, zero;
	int width, precision; /* precision -1: none given */
};

static void put(struct sink *s, const char *text, size_t n)
{
	if (s->length < s->size) {
		size_t room = s->size - s->length;

		memcpy(s->text + s->length, text, n < room ? n : room);
	}
	s->length += n;
}

static void pad(struct sink *s, char c, int n)
{
	while (n-- > 0)
		put(s, &c, 1);
}

static void put_field(struct sink *s, const struct field *f, const char *text, size_t n)
{
	int space = f->width - (int)n;
	bool sign = f->zero && n && *text == '-';

	if (sign)
		put(s, text, 1);
	if (!f->left)
		pad(s, f->zero ? '0' : ' ', space);
	put(s, text + sign, n - sign);
	if (f->left)
		pad(s, ' ', space);
}

/* Digits of @value, ending before @end, at least @least of them. Returns the first. */
static char *digits(char *end, uint64_t value, unsigned base, int least)
{
	for (; value || least > 0; value /= base, least--)
		*--end = "0123456789abcdef"[value % base];
	return end;
}

static uint64_t power_of_ten(int n)
{
	uint64_t p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

/* "-12.50" before @end. */
static char *fixed(char *end, double v, int places)
{
	uint64_t unit = power_of_ten(places), whole;
	double rest;
	char *p = end;

	whole = (uint64_t)fabs(v);
	rest = (fabs(v) - (double)whole) * (double)unit + 0.5;
	if ((uint64_t)rest >= unit) {
		whole++;
		rest -= (double)unit;
	}
	if (places) {
		p = digits(p, (uint64_t)rest, 10, places);
		*--p = '.';
	}
	p = digits(p, whole, 10, 1);
	if (v < 0)
		*--p = '-';
	return p;
}

/* %g: @digits_wanted significant digits, no zeros at the end. */
static char *general(char *end, double v, int wanted)
{
	double scaled = fabs(v), rounded;
	int exponent = 0, negative;
	char *p = end, *start;

	for (; scaled >= 10; exponent++)
		scaled /= 10;
	for (; scaled > 0 && scaled < 1; exponent--)
		scaled *= 10;
	rounded = exponent < -4 || exponent >= wanted ?
			  scaled * (double)power_of_ten(wanted - 1) :
			  fabs(v) * (double)power_of_ten(wanted - 1 - exponent);
	if ((uint64_t)(rounded + 0.5) >= power_of_ten(wanted)) {
		scaled /= 10;
		exponent++;
	}
	negative = exponent < 0;
	if (exponent < -4 || exponent >= wanted) {
		p = digits(p, (uint64_t)(negative ? -exponent : exponent), 10, 2);
		*--p = negative ? '-' : '+';
		*--p = 'e';
		v = v < 0 ? -scaled : scaled;
		exponent = 0;
	}
	start = fixed(p, v, wanted - 1 - exponent);
	if (memchr(start, '.', (size_t)(p - start))) {
		size_t cut = 0;

		while (p[-1 - (long)cut] == '0')
			cut++;
		cut += p[-1 - (long)cut] == '.';
		memmove(start + cut, start, (size_t)(p - start) - cut);
		start += cut;
	}
	return start;
}

static int number(const char **format, va_list *ap)
{
	int n = 0;

	if (**format == '*') {
		(*format)++;
		return va_arg(*ap, int);
	}
	for (; **format >= '0' && **format <= '9'; (*format)++)
		n = n * 10 + (**format - '0');
	return n;
}

static int64_t integer(va_list *ap, int longs, bool is_signed)
{
	if (longs)
		return longs > 1 ? va_arg(*ap, long long) : va_arg(*ap, long);
	return is_signed ? va_arg(*ap, int) : (int64_t)va_arg(*ap, unsigned);
}

/* One conversion, after its '%'. Returns the rest of the format. */
static const char *convert(struct sink *s, const char *format, va_list *ap)
{
	const char *start = format - 1;
	struct field f = { .precision = -1 };
	char text[64], *end = text + sizeof(text), *p = end;
	const char *string;
	bool wide = false;
	int longs = 0;
	int64_t value;
	double v;

	for (; *format == '-' || *format == '0'; format++) {
		f.left |= *format == '-';
		f.zero |= *format == '0';
	}
	f.width = number(&format, ap);
	if (*format == '.') {
		format++;
		f.precision = number(&format, ap);
	}
	for (; *format == 'l' || *format == 'z' || *format == 'L'; format++) {
		longs += *format == 'z' ? (int)(sizeof(size_t) / sizeof(long)) : 1;
		wide = *format == 'L';
	}
	switch (*format) {
	case 'd':
	case 'i':
		value = integer(ap, longs, true);
		p = digits(p, value < 0 ? -(uint64_t)value : (uint64_t)value, 10, 1);
		if (value < 0)
			*--p = '-';
		break;
	case 'u':
	case 'x':
	case 'o':
		value = integer(ap, longs, false);
		p = digits(p, (uint64_t)value, *format == 'u' ? 10 : *format == 'x' ? 16 : 8, 1);
		break;
	case 'c':
		*--p = (char)va_arg(*ap, int);
		break;
	case 'f':
	case 'g':
		v = wide ? (double)va_arg(*ap, long double) : va_arg(*ap, double);
		if (!(fabs(v) < 0x1p63)) {
			p -= 3;
			memcpy(p, v != v ? "nan" : "inf", 3);
		} else if (*format == 'f') {
			p = fixed(p, v, f.precision < 0 ? 6 : f.precision > 9 ? 9 : f.precision);
		} else {
			p = general(p, v, f.precision <= 0 ? 6 : f.precision > 15 ? 15 : f.precision);
		}
		break;
	case 's':
		string = va_arg(*ap, const char *);
		put_field(s, &f, string, strnlen(string, f.precision < 0 ? INT_MAX : (size_t)f.precision));
		return format + 1;
	case '%':
		*--p = '%';
		break;
	default:
		put(s, start, (size_t)(format - start));
		return format;
	}
	put_field(s, &f, p, (size_t)(end - p));
	return format + 1;
}

int vsnprintf(char *text, size_t size, const char *format, va_list ap)
{
	struct sink s = { .text = text, .size = size ? size - 1 : 0 };
	va_list copy;

	va_copy(copy, ap);
	while (*format) {
		size_t n = strcspn(format, "%");

		put(&s, format, n);
		format += n;
		if (*format)
			format = convert(&s, format + 1, &copy);
	}
	va_end(copy);
	if (size)
		text[s.length < s.size ? s.length : s.size] = '\0';
	return (int)s.length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, size, format, ap);
	va_end(ap);
	return n;
}

/* No line that this program prints comes near the buffer; what did not fit would be lost. */
#define LINE 4096

int fprintf(FILE *out, const char *format, ...)
{
	char line[LINE];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	fwrite(line, 1, n < LINE ? (size_t)n : LINE - 1, out);
	return n;
}

int printf(const char *format, ...)
{
	char line[LINE];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	fwrite(line, 1, n < LINE ? (size_t)n : LINE - 1, stdout);
	return n;
}

int dprintf(int fd, const char *format, ...)
{
	char line[LINE];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	return (int)write(fd, line, n < LINE ? (size_t)n : LINE - 1);
}
