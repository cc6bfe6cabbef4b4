/* SPDX-License-Identifier: MIT */
/* record - what was found out about one object, and the JSON that carries it. */
#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <core/status.h>
#include <core/words.h>

/* ---- JSON, written as it comes ------------------------------------------------------- */

/* One line on @out. Text that is not UTF-8 becomes U+FFFD; a number of 2^53 or more, which
 * a reader in double precision would change, becomes null. @key NULL inside an array. */
struct json {
	FILE *out;
	bool comma;
};

void json_open(struct json *j, const char *key, char bracket);     /* '{' or '[' */
void json_close(struct json *j, char bracket);                     /* '}' or ']' */
void json_text(struct json *j, const char *key, const char *text); /* NULL: null */
void json_number(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* ---- one result ----------------------------------------------------------------------- */

enum level { LEVEL_INFO, LEVEL_WARN, LEVEL_FAULT };

struct verdict {
	const char *id; /* "waits-for-platter": part of the interface */
	enum level level;
	char text[400]; /* one sentence, or a few */
};

struct trouble {
	char text[400];
	int err; /* errno, or 0 */
};

#define RECORD_VERDICTS 24
#define RECORD_TROUBLES 8

/* No pointers to the heap: a result may be handed over in shared memory. @target is the
 * operand as typed, owned by argv. */
struct record {
	const char *target;
	enum status status;
	unsigned verdicts, troubles;
	struct verdict verdict[RECORD_VERDICTS];
	struct trouble trouble[RECORD_TROUBLES + 1]; /* one that finds no room is the last */
};

/* Add a verdict; a fault makes the status at least STATUS_FAULT. */
void record_verdict(struct record *r, enum level level, const char *id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Whether a verdict of that id was given. */
const struct verdict *record_has(const struct record *r, const char *id);

/* Say "applet: TARGET: text" on stderr, with the reason for -errno @rc where it is not 0,
 * and keep it; the status becomes at least @status. Returns @status. */
enum status record_trouble(struct record *r, enum status status, int rc, const char *fmt, ...)
	WORDS(4, 5);

/* ---- the envelope ---------------------------------------------------------------------- */

/* What a result was measured on; an empty string is unknown. device/host.h fills it. */
struct host {
	char product[64], serial[64], uuid[64], kernel[64], arch[32];
};

#define RECORD_SCHEMA 1

/* {tool, version, applet, schema, started_unix_s, host, results: [ */
void record_open_all(struct json *j, uint64_t started_unix_s, const struct host *host);

/* {target, status, verdicts, errors ... : the applet adds its keys and closes with '}'.
 * The target as bytes that are no UTF-8 reads with U+FFFD in it. */
void record_open(struct json *j, const struct record *r);

/* ], status} and a newline */
void record_close_all(struct json *j, int status);

#endif
