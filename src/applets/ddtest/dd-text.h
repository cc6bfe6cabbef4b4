/* SPDX-License-Identifier: MIT */
/* dd-text - names and values as GNU dd quotes them in the C locale. */
#ifndef DDTEST_DD_TEXT_H
#define DDTEST_DD_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum dd_quote {
	DD_QUOTE_VALUE,  /* a part of the command line: 'a\nb' */
	DD_QUOTE_NAME,   /* for a shell: 'a b', "it's", 'a'$'\n' */
	DD_QUOTE_NEEDED, /* the same, only where a shell needs it */
};

/* @size bytes of @text on @out. */
void dd_text(FILE *out, const char *text, size_t size, enum dd_quote how);

#endif
