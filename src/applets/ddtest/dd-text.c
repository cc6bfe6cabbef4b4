/* SPDX-License-Identifier: MIT */
/* dd-text - names and values as GNU dd quotes them in the C locale. */

#include <stdbool.h>
#include <string.h>

#include "dd-text.h"

static bool printable(char c)
{
	return c >= ' ' && c <= '~';
}

/* What gnulib's quotearg.c puts around a name: nothing, " or '. */
static const char *quote_of(const char *name, size_t size, enum dd_quote how)
{
	/* The first 20 a shell would read otherwise, the last 4 only as a word's first, or
	 * only, one; but for the first 3 none is itself between "". */
	static const char marks[] = " ':!\"$&()*;<=>?[\\^`|#~{}";
	bool needed = how == DD_QUOTE_NAME || !size, quote = false, harmless = true;

	for (size_t i = 0; i < size; i++) {
		const char *at = printable(name[i]) ? strchr(marks, name[i]) : marks + 3;
		size_t mark = (size_t)(at - marks);
		bool edge = mark >= 20 && !i && (mark < 22 || size == 1);

		if (!at)
			continue;
		needed |= mark < 20 || edge;
		harmless &= mark < 3 || edge;
		quote |= mark == 1;
	}
	return quote && harmless ? "\"" : needed ? "'" : "";
}

void dd_text(FILE *out, const char *text, size_t size, enum dd_quote how)
{
	const char *quote = how ? quote_of(text, size, how) : "'";
	bool dollar = false;

	fputs(quote, out);
	for (; size--; text++) {
		unsigned letter = (unsigned)*text - '\a';

		if (!printable(*text)) {
			if (how && !dollar)
				fputs("'$'", out);
			dollar = how;
			if (letter < 7)
				fprintf(out, "\\%c", "abtnvfr"[letter]);
			else
				fprintf(out, "\\%03o", (unsigned char)*text);
			continue;
		}
		if (*text == '\'' && *quote == '\'')
			fputs(how ? "'\\'" : "\\", out);
		else if (dollar)
			fputs("''", out);
		else if (*text == '\\' && !how)
			putc('\\', out);
		putc(*text, out);
		dollar = false;
	}
	fputs(quote, out);
}
