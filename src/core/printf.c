/* SPDX-License-Identifier: MIT */
/* printf - as much of the printf family as this program uses, in a tenth of libc's size.
 *
 * These are libc's names: a static link takes them from here and leaves out its own, which
 * with wide characters, %n and exact long doubles weigh more than any file of ours. Of the
 * conversions there are d u x o c s f g %, of the flags one of '-' and '0', width and
 * precision, also as '*' (of an integer .0 alone), and the lengths l ll z L. Anything else
 * prints as it stands in the format, which tests look for. %f has three places at most and %g an
 * exponent of two digits; a half is rounded up, and from 2^53 on there is "inf". */

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sink {
	char *text;
	size_t size, length; /* length: also of what did not fit */
};

static void put(struct sink *s, char c)
{
	if (s->length < s->size)
		s->text[s->length] = c;
	s->length++;
}

/* An argument of 64 bits, or one of 32. Not inlined: each va_arg() is forty bytes. */
static __attribute__((noinline)) int64_t fetch(va_list *ap, bool wide)
{
	return wide ? va_arg(*ap, int64_t) : va_arg(*ap, int);
}

static int number(const char **format, va_list *ap)
{
	int n = 0;

	if (**format == '*') {
		(*format)++;
		return (int)fetch(ap, false);
	}
	for (; **format >= '0' && **format <= '9'; (*format)++)
		n = n * 10 + (**format - '0');
	return n;
}

/* Digits of @value before @end, with a point before the last @places. Returns the first. */
static char *digits(char *end, uint64_t value, unsigned base, int places)
{
	for (int i = 0; value || i <= places; i++, value /= base) {
		if (i && i == places)
			*--end = '.';
		*--end = "0123456789abcdef"[value % base];
	}
	return end;
}

/* @v >= 0 before @end, as %f with @precision places or as %g with that many digits. */
static char *real(char *end, double v, int precision, bool general)
{
	double unit = 1, most;
	int exponent = -precision, point;
	uint64_t value;

	if (!(v < 0x1p53)) {
		memcpy(end - 3, "inf", 3);
		return end - 3;
	}
	for (int i = 0; i < precision; i++)
		unit *= 10;
	if (general) {
		most = unit - 0.5;
		exponent = 0;
		for (unit = 1; v / unit >= most; exponent++)
			unit *= 10;
		for (; v > 0 && v * unit * 10 < most; exponent--)
			unit *= 10;
	}
	value = (uint64_t)(int64_t)((exponent > 0 ? v / unit : v * unit) + 0.5);
	if (general && value) {
		point = exponent + precision - 1;
		if (point < -4 || point >= precision) {
			char sign = point < 0 ? '-' : '+';
			unsigned size = (unsigned)(point < 0 ? -point : point);

			*--end = (char)('0' + size % 10);
			*--end = (char)('0' + size / 10);
			*--end = sign;
			*--end = 'e';
			exponent -= point;
		}
		for (; exponent < 0 && value % 10 == 0; exponent++)
			value /= 10;
	}
	return digits(end, value, 10, -exponent);
}

/* One conversion, after its '%'. Returns the last of its letters. */
static const char *convert(struct sink *s, const char *format, va_list *ap)
{
	const char *start = format;
	char text[64], *end = text + sizeof(text), *p = end, flag = *format;
	int width, precision = -1;
	unsigned longs = 0;
	bool minus = false;
	int64_t value;
	double v;

	format += flag == '-';
	width = number(&format, ap);
	if (*format == '.') {
		format++;
		precision = number(&format, ap);
	}
	for (; *format == 'l' || *format == 'z' || *format == 'L'; format++)
		longs++;
	switch (*format) {
	case 'd':
	case 'u':
	case 'x':
	case 'o':
		value = fetch(ap, longs * sizeof(long) >= sizeof(value));
		minus = *format == 'd' && value < 0;
		if (minus)
			value = -value;
		else if (!longs)
			value = (unsigned)value;
		if (value || precision)
			p = digits(p, (uint64_t)value,
				   *format == 'x'   ? 16
				   : *format == 'o' ? 8
						    : 10,
				   0);
		break;
	case 'f':
	case 'g':
		v = longs ? (double)va_arg(*ap, long double) : va_arg(*ap, double);
		minus = v < 0;
		p = real(p, fabs(v), precision < 0 ? 6 : precision, *format == 'g');
		break;
	case 's':
		p = (char *)(uintptr_t)fetch(ap, sizeof(p) == sizeof(int64_t));
		for (end = p; precision-- && *end;)
			end++;
		break;
	case 'c':
		*--p = (char)fetch(ap, false);
		break;
	default:
		format = start - (*format != '%');
		*--p = '%';
	}
	if (minus)
		*--p = '-';
	for (width -= (int)(end - p); flag != '-' && width > 0; width--)
		put(s, flag == '0' ? '0' : ' ');
	while (p < end)
		put(s, *p++);
	for (; width > 0; width--)
		put(s, ' ');
	return format;
}

int vsnprintf(char *text, size_t size, const char *format, va_list ap)
{
	struct sink s = { .text = text, .size = size ? size - 1 : 0 };
	va_list copy;

	va_copy(copy, ap);
	for (; *format; format++)
		if (*format == '%')
			format = convert(&s, format + 1, &copy);
		else
			put(&s, *format);
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
