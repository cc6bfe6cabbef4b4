/* SPDX-License-Identifier: MIT */
/* stdio - stdout and stderr, each behind a buffer, in a fifth of libc's size.
 *
 * These are libc's names, and its FILE is completed here: a static link leaves out its own.
 * There are no other streams; whatever else of libc looks into a FILE must not be linked, which
 * tests look for. stdout leaves when it is full or flushed, stderr at the end of a line too. */

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct _IO_FILE {
	unsigned used;
	bool failed; /* for good */
	char text[8192];
};

static FILE streams[2];

FILE *const stdout = &streams[0];
FILE *const stderr = &streams[1];

int fflush(FILE *f)
{
	unsigned at = 0;

	while (at < f->used) {
		ssize_t n = write(f == streams ? STDOUT_FILENO : STDERR_FILENO, f->text + at,
				  f->used - at);

		if (n > 0) {
			at += (unsigned)n;
		} else if (errno != EINTR) {
			f->failed = true;
			break;
		}
	}
	f->used = 0;
	return -f->failed;
}

int ferror(FILE *f)
{
	return f->failed;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *f)
{
	const char *p = from, *end = p + size * count;

	if (p == end)
		return count;
	while (p < end) {
		if (f->used == sizeof(f->text))
			fflush(f);
		f->text[f->used++] = *p++;
	}
	if (f != streams && p[-1] == '\n')
		fflush(f);
	return count;
}

int fputs(const char *text, FILE *f)
{
	fwrite(text, 1, strlen(text), f);
	return 0;
}

int putc(int c, FILE *f)
{
	char text = (char)c;

	fwrite(&text, 1, 1, f);
	return c;
}

/* The compiler makes these of the ones above. */
int fputc(int c, FILE *f) __attribute__((alias("putc")));

int putchar(int c)
{
	return putc(c, stdout);
}

int puts(const char *text)
{
	fputs(text, stdout);
	return putchar('\n');
}

/* No line that this program prints comes near the buffer; what did not fit would be lost. */
static int print(FILE *f, const char *format, va_list ap)
{
	char line[4096];
	int n = vsnprintf(line, sizeof(line), format, ap);

	fputs(line, f);
	return n;
}

int fprintf(FILE *f, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = print(f, format, ap);
	va_end(ap);
	return n;
}

int printf(const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = print(stdout, format, ap);
	va_end(ap);
	return n;
}
