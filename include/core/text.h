/* SPDX-License-Identifier: MIT */
/* text - lines of at most 79 columns, and foreign strings made fit for them. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#define TEXT_COLUMNS 79

/* Copy @src into @dst as printable ASCII ('?' for the rest), at most @width columns
 * (and @width + 1 bytes); what does not fit ends in '~'. NULL gives "-". Returns @dst. */
char *text_cut(char *dst, size_t width, const char *src);

/* Fold @text at spaces into lines of at most 79 columns in @dst of @size bytes, each but
 * the first after @indent spaces, except where @text itself has a newline; @column is
 * where the first starts. A word longer than
 * a line is cut with '~'. Returns the length; always ends with a newline. */
size_t text_fold(char *dst, size_t size, unsigned column, unsigned indent, const char *text);

/* The same, printed on @out. */
void text_print(FILE *out, unsigned indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
