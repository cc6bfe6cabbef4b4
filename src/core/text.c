/* SPDX-License-Identifier: MIT */
/* text - lines of at most 79 columns, and foreign strings made fit for them. */

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <core/text.h>

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

char *text_cut(char *dst, size_t width, const char *src)
{
	size_t i;

	if (!src)
		src = "-";
	for (i = 0; i < width && src[i]; i++)
		dst[i] = printable(src[i]);
	if (src[i] && width)
		dst[width - 1] = '~';
	dst[i] = '\0';
	return dst;
}

size_t text_fold(char *dst, size_t size, unsigned column, unsigned indent, const char *text)
{
	unsigned n = 0, col = column, most = (unsigned)size - 2;
	bool fresh = true;

#define PUT(c) (n < most ? (void)(dst[n++] = (c)) : (void)0)
	while (*text) {
		unsigned word = (unsigned)strcspn(text, " \n"), room;
		bool fits = col + !fresh + word <= TEXT_COLUMNS;
		bool fits_alone = indent + word <= TEXT_COLUMNS;

		if (!fits && (!fresh || (col > indent && (fits_alone || col >= TEXT_COLUMNS)))) {
			PUT('\n');
			for (col = 0; col < indent; col++)
				PUT(' ');
			fresh = true;
		}
		if (!fresh) {
			PUT(' ');
			col++;
		}
		room = TEXT_COLUMNS - col;
		for (unsigned i = 0; i < word && i < room; i++, col++)
			PUT(i == room - 1 && word > room ? '~' : printable(text[i]));
		fresh = false;
		text += word;
		while (*text == ' ')
			text++;
		if (*text == '\n') {
			PUT('\n');
			text++;
			col = 0;
			fresh = true;
		}
	}
#undef PUT
	if (!n || dst[n - 1] != '\n')
		dst[n++] = '\n';
	dst[n] = '\0';
	return n;
}

void text_print(FILE *out, unsigned indent, const char *fmt, ...)
{
	char text[2048], folded[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (unsigned i = 0; i < indent; i++)
		putc(' ', out);
	text_fold(folded, sizeof(folded), indent, indent, text);
	fputs(folded, out);
}
