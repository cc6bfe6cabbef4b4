/* SPDX-License-Identifier: MIT */
/* text - no line is wider than 79 columns, and no foreign byte comes through. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <core/text.h>

#include "../tap.h"

#define W10 "abcdefghij"
#define W60 W10 W10 W10 W10 W10 W10
#define W70 W60 W10
#define W79 W70 "abcdefghi"

static const struct {
	const char *src;
	size_t width;
	const char *dst;
} cuts[] = {
	{ "", 5, "" },
	{ NULL, 5, "-" },
	{ "abcde", 5, "abcde" },
	{ "abcdef", 5, "abcd~" },
	{ "abcdef", 1, "~" },
	{ "a", 1, "a" },
	{ "abcdef", 0, "" },
	{ "a\tb\nc", 5, "a?b?c" },
	{ "\x1b[31m\x7f", 9, "?[31m?" },
	{ "\xc3\xa9\xff", 9, "???" },
	{ " ~ ", 9, " ~ " },
};

static void cut(void)
{
	for (unsigned i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		char dst[16];

		memset(dst, '#', sizeof(dst));
		ok(text_cut(dst, cuts[i].width, cuts[i].src) == dst && !strcmp(dst, cuts[i].dst) &&
			   dst[cuts[i].width + 1] == '#',
		   "cut to %zu: %s", cuts[i].width, cuts[i].dst);
	}
}

static const struct {
	const char *what;
	unsigned column, indent;
	const char *text, *folded;
} folds[] = {
	{ "nothing is a line", 0, 0, "", "\n" },
	{ "a word", 0, 0, "word", "word\n" },
	{ "a newline at the end stays one", 0, 0, "word\n", "word\n" },
	{ "79 columns are a line", 0, 2, W79, W79 "\n" },
	{ "79 columns in words", 0, 2, W70 " 12345678", W70 " 12345678\n" },
	{ "80 columns are two lines", 0, 2, W70 " 123456789", W70 "\n  123456789\n" },
	{ "the first line starts at its column", 8, 2, W70 " 1", W70 "\n  1\n" },
	{ "and has room up to 79", 7, 2, W70 " 1", W70 " 1\n" },
	{ "the text's own newline is not indented", 0, 4, "one\ntwo three", "one\ntwo three\n" },
	{ "an empty line stays", 0, 4, "one\n\ntwo", "one\n\ntwo\n" },
	{ "after it the full width counts", 0, 9, "one\n" W79, "one\n" W79 "\n" },
	{ "spaces are one", 0, 0, "a    b ", "a b\n" },
	{ "a word longer than a line is cut", 0, 2, W79 "0", W70 "abcdefgh~\n" },
	{ "also after the first line", 0, 9, "1 " W79, "1\n         " W60 "abcdefghi~\n" },
	{ "a word that fits a line is not cut", 30, 2, W70 " 1", "\n  " W70 " 1\n" },
	{ "a line that is full before it begins", 85, 9, W79, "\n         " W60 "abcdefghi~\n" },
	{ "control bytes and UTF-8 do not come through", 0, 0, "a\x1b[1m\tb \xc3\xa9",
	  "a?[1m?b ??\n" },
};

static void fold(void)
{
	for (unsigned i = 0; i < sizeof(folds) / sizeof(folds[0]); i++) {
		char dst[512];
		size_t n = text_fold(dst, sizeof(dst), folds[i].column, folds[i].indent,
				     folds[i].text);
		ok(n == strlen(dst) && !strcmp(dst, folds[i].folded), "%s", folds[i].what);
		if (strcmp(dst, folds[i].folded))
			printf("# got '%s'\n", dst);
	}
}

/* Whatever the text, the column and the indent: never over 79, never over the buffer, and
 * where all words fit a line, none is lost. */
static void any(void)
{
	unsigned seed = 3, bad = 0, lost = 0;

	for (unsigned i = 0; i < 20000; i++) {
		char text[400], dst[sizeof(text) * 4], *line = dst;
		unsigned indent, column, words = 0;
		size_t length, size, n;

#define DICE (seed = seed * 1103515245 + 12345, seed >> 16)
		length = DICE % sizeof(text);
		indent = DICE % 40;
		column = DICE % 90;
		size = i % 3 ? sizeof(dst) : 2 + DICE % 300;
		memset(dst, '#', sizeof(dst));
		for (n = 0; n < length; n++) {
			unsigned d = DICE % 64;

			text[n] = d < 8 + i % 5    ? ' '
				  : d < 10 + i % 5 ? '\n'
						   : (char)('a' + d % 26);
		}
		text[n ? n - 1 : 0] = '\0';
		n = text_fold(dst, size, column, indent, text);
		bad += n >= size || dst[n] || !n || dst[n - 1] != '\n' ||
		       (size < sizeof(dst) && dst[size] != '#');
		for (size_t at = column > 79 ? 0 : column; *line; line++, at++) {
			bad += at > 79 || (at == 79 && *line != '\n');
			if (*line == '\n')
				at = (size_t)-1;
		}
		for (n = 0; text[n]; n++)
			words += text[n] >= 'a';
		for (line = dst; *line; line++)
			words -= *line >= 'a' && *line <= 'z';
		lost += size == sizeof(dst) && words && !strchr(dst, '~');
	}
	ok(!bad, "20000 texts stay within 79 columns and their buffers");
	ok(!lost, "and lose nothing without a '~'");
}

static void print(void)
{
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);

	text_print(f, 4, "%s %d", W70, 123456);
	text_print(f, 0, "%s", "x");
	fclose(f);
	ok(got && !strcmp(got, "    " W70 "\n    123456\nx\n"), "every line is indented");
	free(got);
}

int main(void)
{
	cut();
	fold();
	any();
	print();
	return tap_done();
}
