/* SPDX-License-Identifier: MIT */
/* record - what was found out about one object, and the JSON that carries it. */

#include <stdio.h>
#include <string.h>

#include <core/msg.h>
#include <core/record.h>

/* The length of the well-formed UTF-8 sequence at @p, or 0. */
static unsigned utf8_length(const unsigned char *p)
{
	unsigned n = *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4, code = *p & 0x7f >> n;

	if (*p < 0x80)
		return 1;
	if (*p < 0xc2 || *p > 0xf4)
		return 0;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	/* Neither longer than needed, nor half a surrogate pair, nor beyond U+10FFFF. */
	return code >> (5 * n - 4) && code >> 11 != 0xd800 >> 11 && code < 0x110000 ? n : 0;
}

static void quoted(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	putc('"', out);
	while (*p) {
		unsigned n = utf8_length(p);

		if (!n || *p < 0x20 || *p == 0x7f || *p == '"' || *p == '\\')
			fprintf(out, "\\u%04x", n ? *p : 0xfffd);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
	putc('"', out);
}

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

void json_bool(struct json *j, const char *name, bool value)
{
	key(j, name);
	fputs(value ? "true" : "false", j->out);
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

void json_text(struct json *j, const char *name, const char *text)
{
	if (!text) {
		json_null(j, name);
		return;
	}
	key(j, name);
	quoted(j->out, text);
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
	struct trouble *t = &r->trouble[r->troubles];
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	vsnprintf(t->text, sizeof(t->text), fmt, ap);
	va_end(ap);
	n = strlen(t->text);
	if (rc)
		snprintf(t->text + n, sizeof(t->text) - n, ": %s", msg_reason(-rc));
	warn("%s: %s", r->target, t->text);
	t->err = -rc;
	r->troubles += r->troubles < RECORD_TROUBLES;
	r->status = status_worse(r->status, status);
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
	static const char level[][6] = { "info", "warn", "fault" };
	const struct verdict *v = r->verdict;
	const struct trouble *t = r->trouble;

	json_open(j, NULL, '{');
	json_text(j, "target", r->target);
	json_number(j, "status", r->status);
	json_open(j, "verdicts", '[');
	for (unsigned i = 0; i < r->verdicts; i++, v++) {
		json_open(j, NULL, '{');
		json_text(j, "id", v->id);
		json_text(j, "level", level[v->level]);
		json_text(j, "text", v->text);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_open(j, "errors", '[');
	for (unsigned i = 0; i < r->troubles; i++, t++) {
		json_open(j, NULL, '{');
		json_text(j, "text", t->text);
		json_number(j, "errno", t->err ? (uint64_t)t->err : UINT64_MAX);
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
