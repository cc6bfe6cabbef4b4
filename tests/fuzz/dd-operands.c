/* SPDX-License-Identifier: MIT */
/* dd-operands - any command line, a line an operand, is read or complained of. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/applets/ddtest/dd-operands.h"
#include "../../src/applets/ddtest/dd-text.h"

#define OPERANDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct dd_operands *o)
{
	if (!o->ibs || !o->obs || o->ibs >= INT64_MAX || o->obs >= INT64_MAX)
		abort();
	if (o->max_bytes >= o->ibs || o->seek_given > INT64_MAX)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *said = NULL, *argv[OPERANDS] = { (char *)"ddtest" };
	struct dd_operands o;
	size_t length = 0, n = 1;
	enum dd_parsed rc;
	FILE *err = open_memstream(&said, &length);

	if (!text || !err)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *at = strtok(text, "\n"); at && n < OPERANDS - 1; at = strtok(NULL, "\n"))
		argv[n++] = at;
	rc = dd_operands_parse(&o, argv, err);
	if (rc == DD_PARSED) {
		check(&o);
		dd_text(err, o.in, o.in ? strlen(o.in) : 0, DD_QUOTE_NEEDED);
		dd_text(err, o.out, o.out ? strlen(o.out) : 0, DD_QUOTE_NAME);
	}
	fclose(err);
	if (rc == DD_PARSED_WRONG && (!length || said[length - 1] != '\n'))
		abort();
	free(said);
	free(text);
	return 0;
}
