/* SPDX-License-Identifier: MIT */
/* dd-text - names, values and reasons as GNU dd prints them in the C locale. */
#ifndef DDTEST_DD_TEXT_H
#define DDTEST_DD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Quoted for a shell: 'a b', "it's", 'a'$'\n'; without @always only where a shell needs it. */
void dd_text_name(FILE *out, const char *name, bool always);

/* A part of the command line, @size bytes of it: 'a\nb'. */
void dd_text_value(FILE *out, const char *text, size_t size);

/* glibc's words for errno @err. */
const char *dd_text_reason(int err);

#endif
