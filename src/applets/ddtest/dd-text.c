/* SPDX-License-Identifier: MIT */
/* dd-text - names, values and reasons as GNU dd prints them in the C locale. */

#include <errno.h>
#include <string.h>

#include "dd-text.h"

static bool printable(char c)
{
	return c >= ' ' && c <= '~';
}

static void escape(FILE *out, char c)
{
	static const char letters[] = "abtnvfr";

	if (c >= '\a' && c <= '\r')
		fprintf(out, "\\%c", letters[c - '\a']);
	else
		fprintf(out, "\\%03o", (unsigned char)c);
}

void dd_text_value(FILE *out, const char *text, size_t size)
{
	putc('\'', out);
	for (; size--; text++) {
		if (!printable(*text)) {
			escape(out, *text);
			continue;
		}
		if (*text == '\'' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('\'', out);
}

/* What gnulib's quotearg.c looks for in a name. */
struct look {
	bool special;  /* a shell would read it otherwise */
	bool quote;    /* has a ' */
	bool harmless; /* all of it stays itself between "" */
};

static struct look look_at(const char *name)
{
	struct look l = { .special = !*name, .harmless = true };

	for (const char *p = name; *p; p++) {
		bool first = p == name && (*p == '#' || *p == '~');
		bool alone = p == name && !p[1] && (*p == '{' || *p == '}');

		l.quote |= *p == '\'';
		l.special |=
			first || alone || !printable(*p) || strchr(" !\"$&'()*:;<=>?[\\^`|", *p);
		if (!first && !alone)
			l.harmless &= printable(*p) && !strchr("!\"#$&()*;<=>?[\\^`{|}~", *p);
	}
	return l;
}

void dd_text_name(FILE *out, const char *name, bool always)
{
	struct look l = look_at(name);
	bool dollar = false;

	if (!always && !l.special) {
		fputs(name, out);
		return;
	}
	if (l.quote && l.harmless) {
		fprintf(out, "\"%s\"", name);
		return;
	}
	putc('\'', out);
	for (; *name; name++) {
		if (!printable(*name)) {
			if (!dollar)
				fputs("'$'", out);
			dollar = true;
			escape(out, *name);
			continue;
		}
		if (*name == '\'')
			fputs("'\\''", out);
		else
			fprintf(out, "%s%c", dollar ? "''" : "", *name);
		dollar = false;
	}
	putc('\'', out);
}

const char *dd_text_reason(int err)
{
	static const struct {
		unsigned char err;
		const char *text;
	} glibc[] = {
		{ EIO, "Input/output error" },
		{ ENOMEM, "Cannot allocate memory" },
		{ EBUSY, "Device or resource busy" },
		{ EMFILE, "Too many open files" },
		{ ENOTTY, "Inappropriate ioctl for device" },
		{ ESPIPE, "Illegal seek" },
		{ ENAMETOOLONG, "File name too long" },
		{ ELOOP, "Too many levels of symbolic links" },
		{ EBADE, "Invalid exchange" },
		{ ETIME, "Timer expired" },
		{ EOVERFLOW, "Value too large for defined data type" },
		{ EILSEQ, "Invalid or incomplete multibyte or wide character" },
		{ EMSGSIZE, "Message too long" },
		{ EOPNOTSUPP, "Operation not supported" },
		{ ENETUNREACH, "Network is unreachable" },
		{ ECONNABORTED, "Software caused connection abort" },
		{ ENOTCONN, "Transport endpoint is not connected" },
		{ ETOOMANYREFS, "Too many references: cannot splice" },
		{ ETIMEDOUT, "Connection timed out" },
		{ EHOSTUNREACH, "No route to host" },
		{ EUCLEAN, "Structure needs cleaning" },
		{ EDQUOT, "Disk quota exceeded" },
		{ EHWPOISON, "Memory page has hardware error" },
	};

	for (size_t i = 0; i < sizeof(glibc) / sizeof(glibc[0]); i++)
		if (glibc[i].err == err)
			return glibc[i].text;
	return strerror(err);
}
