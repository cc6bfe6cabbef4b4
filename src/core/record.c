/* SPDX-License-Identifier: MIT */
/* record - what was found out about one object, and the JSON that carries it. */

#include <stdio.h>
#include <string.h>

#include <core/msg.h>
#include <core/record.h>

static void quoted(FILE *out, const char *text);

static void key(struct json *j, const char *name)
{
	if (j->comma)
		putc(',', j->out);
	j->comma = true;
	if (name) {
		quoted(j->out, name);
		putc(':', j->out);
	}
}

/* The length of the well-formed UTF-8 sequence at @p (Unicode 15, table 3-7), or 0. */
static unsigned utf8_length(const unsigned char *p)
{
	unsigned n, low = 0x80, high = 0xbf;

	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		n = 2;
	} else if (p[0] >= 0xe0 && p[0] <= 0xef) {
		n = 3;
		low = p[0] == 0xe0 ? 0xa0 : low;
		high = p[0] == 0xed ? 0x9f : high;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		n = 4;
		low = p[0] == 0xf0 ? 0x90 : low;
		high = p[0] == 0xf4 ? 0x8f : high;
	} else {
		return 0;
	}
	if (p[1] < low || p[1] > high)
		return 0;
	for (unsigned i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	putc('"', out);
	while (*p) {
		unsigned n = *p < 0x80 ? 1 : utf8_length(p);

		if (!n)
			fputs("\\ufffd", out);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(out, "\\u%04x", *p);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
	putc('"', out);
}

void json_open(struct json *j, const char *name, char bracket)
{
	key(j, name);
	putc(bracket, j->out);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	putc(bracket, j->out);
	j->comma = true;
}

void json_null(struct json *j, const char *name)
{
	key(j, name);
	fputs("null", j->out);
}

void json_text(struct json *j, const char *name, const char *text)
{
	if (!text) {
		json_null(j, name);
		return;
	}
	key(j, name);
	quoted(j->out, text);
}

void json_number(struct json *j, const char *name, uint64_t value)
{
	if (value >> 53) {
		json_null(j, name);
		return;
	}
	key(j, name);
	fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_bool(struct json *j, const char *name, bool value)
{
	key(j, name);
	fputs(value ? "true" : "false", j->out);
}

void record_verdict(struct record *r, enum level level, const char *id, const char *fmt, ...)
{
	struct verdict *v = &r->verdict[r->verdicts];
	va_list ap;

	if (level == LEVEL_FAULT)
		r->status = status_worse(r->status, STATUS_FAULT);
	if (r->verdicts == RECORD_VERDICTS)
		return;
	r->verdicts++;
	v->id = id;
	v->level = level;
	va_start(ap, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, ap);
	va_end(ap);
}

const struct verdict *record_has(const struct record *r, const char *id)
{
	for (unsigned i = 0; i < r->verdicts; i++)
		if (!strcmp(r->verdict[i].id, id))
			return &r->verdict[i];
	return NULL;
}

enum status record_trouble(struct record *r, enum status status, int rc, const char *fmt, ...)
{
	char text[sizeof(r->trouble[0].text)];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (rc && n >= 0 && (size_t)n < sizeof(text))
		snprintf(text + n, sizeof(text) - (size_t)n, ": %s", msg_reason(-rc));
	if (r->target)
		warn("%s: %s", r->target, text);
	else
		warn("%s", text);
	r->status = status_worse(r->status, status);
	if (r->troubles < RECORD_TROUBLES) {
		struct trouble *t = &r->trouble[r->troubles++];

		memcpy(t->text, text, sizeof(text));
		t->err = -rc;
	}
	return status;
}

static void known(struct json *j, const char *name, const char *text)
{
	json_text(j, name, *text ? text : NULL);
}

void record_open_all(struct json *j, uint64_t started_unix_s, const struct host *host)
{
	j->comma = false;
	json_open(j, NULL, '{');
	json_text(j, "tool", PITBOX_NAME);
	json_text(j, "version", PITBOX_VERSION);
	json_text(j, "applet", msg_name);
	json_number(j, "schema", RECORD_SCHEMA);
	json_number(j, "started_unix_s", started_unix_s);
	json_open(j, "host", '{');
	known(j, "product", host->product);
	known(j, "serial", host->serial);
	known(j, "uuid", host->uuid);
	known(j, "kernel", host->kernel);
	known(j, "arch", host->arch);
	json_close(j, '}');
	json_open(j, "results", '[');
}

void record_open(struct json *j, const struct record *r)
{
	static const char *const level[] = { "info", "warn", "fault" };

	json_open(j, NULL, '{');
	json_text(j, "target", r->target);
	json_number(j, "status", r->status);
	json_open(j, "verdicts", '[');
	for (unsigned i = 0; i < r->verdicts; i++) {
		json_open(j, NULL, '{');
		json_text(j, "id", r->verdict[i].id);
		json_text(j, "level", level[r->verdict[i].level]);
		json_text(j, "text", r->verdict[i].text);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_open(j, "errors", '[');
	for (unsigned i = 0; i < r->troubles; i++) {
		json_open(j, NULL, '{');
		json_text(j, "text", r->trouble[i].text);
		if (r->trouble[i].err)
			json_number(j, "errno", (uint64_t)r->trouble[i].err);
		else
			json_null(j, "errno");
		json_close(j, '}');
	}
	json_close(j, ']');
}

void record_close_all(struct json *j, int status)
{
	json_close(j, ']');
	json_number(j, "status", (uint64_t)status);
	json_close(j, '}');
	putc('\n', j->out);
}
