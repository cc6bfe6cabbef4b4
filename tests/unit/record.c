/* SPDX-License-Identifier: MIT */
/* record - JSON that any reader takes, whatever the names are, and no more than fits. */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <core/msg.h>
#include <core/record.h>

#include "../tap.h"

static char *got;
static size_t length;
static struct json j;

static void begin(void)
{
	j = (struct json){ .out = open_memstream(&got, &length) };
}

static bool ends_as(const char *wanted)
{
	bool same;

	fclose(j.out);
	same = !strcmp(got, wanted) && length == strlen(wanted);
	if (!same)
		printf("# got    %s\n# wanted %s\n", got, wanted);
	free(got);
	return same;
}

static const struct {
	const char *what, *text, *json;
} texts[] = {
	{ "nothing", "", "\"\"" },
	{ "no text", NULL, "null" },
	{ "quotes and backslashes", "a\"b\\c/d", "\"a\\u0022b\\u005cc/d\"" },
	{ "control bytes", "\x01\b\t\n\f\r\x1b\x1f",
	  "\"\\u0001\\u0008\\u0009\\u000a\\u000c\\u000d\\u001b\\u001f\"" },
	{ "delete", "\x7f", "\"\\u007f\"" },
	{ "a percent sign", "100 %s %n", "\"100 %s %n\"" },
	{ "two bytes", "\xc2\x80\xc3\xa9\xdf\xbf", "\"\xc2\x80\xc3\xa9\xdf\xbf\"" },
	{ "three bytes", "\xe0\xa0\x80\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
	  "\"\xe0\xa0\x80\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"" },
	{ "four bytes", "\xf0\x90\x80\x80\xf0\x9f\x92\xbe\xf4\x8f\xbf\xbf",
	  "\"\xf0\x90\x80\x80\xf0\x9f\x92\xbe\xf4\x8f\xbf\xbf\"" },
	{ "a lone continuation", "a\x80z", "\"a\\ufffdz\"" },
	{ "bytes that never are", "\xc0\xc1\xf5\xfe\xff",
	  "\"\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	{ "overlong two", "\xc0\xaf", "\"\\ufffd\\ufffd\"" },
	{ "overlong three", "\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"" },
	{ "overlong four", "\xf0\x8f\xbf\xbf", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	{ "half a surrogate pair", "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
	{ "beyond U+10FFFF", "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	{ "a first byte of none", "\xf5\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	{ "cut off after one", "a\xe2", "\"a\\ufffd\"" },
	{ "cut off after two", "a\xe2\x82", "\"a\\ufffd\\ufffd\"" },
	{ "cut off after three", "a\xf0\x9f\x92", "\"a\\ufffd\\ufffd\\ufffd\"" },
	{ "cut off by ASCII", "\xe2\x82z", "\"\\ufffd\\ufffdz\"" },
	{ "cut off by a quote", "\xc3\"", "\"\\ufffd\\u0022\"" },
};

static void strings(void)
{
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		begin();
		json_text(&j, NULL, texts[i].text);
		ok(ends_as(texts[i].json), "%s", texts[i].what);
	}
}

static void numbers(void)
{
	begin();
	json_open(&j, NULL, '[');
	json_number(&j, NULL, 0);
	json_number(&j, NULL, 9007199254740991); /* 2^53 - 1 */
	json_number(&j, NULL, 9007199254740992);
	json_number(&j, NULL, UINT64_MAX);
	json_close(&j, ']');
	ok(ends_as("[0,9007199254740991,null,null]"), "2^53 and more are null");
}

static void nesting(void)
{
	begin();
	json_open(&j, NULL, '{');
	json_bool(&j, "a\"", true);
	json_open(&j, "list", '[');
	json_close(&j, ']');
	json_open(&j, "b", '{');
	json_close(&j, '}');
	json_open(&j, "c", '[');
	json_open(&j, NULL, '{');
	json_null(&j, "d");
	json_close(&j, '}');
	json_open(&j, NULL, '{');
	json_bool(&j, "e", false);
	json_close(&j, '}');
	json_close(&j, ']');
	json_text(&j, "f", "g");
	json_close(&j, '}');
	ok(ends_as("{\"a\\u0022\":true,\"list\":[],\"b\":{},\"c\":[{\"d\":null},{\"e\":false}],"
		   "\"f\":"
		   "\"g\"}"),
	   "commas stand between, and only there");
}

/* stderr into a file; what was said is then in @said. */
static char said[4096];

static int hush(FILE *file)
{
	int saved = dup(STDERR_FILENO);

	dup2(fileno(file), STDERR_FILENO);
	return saved;
}

static void hear(FILE *file, int saved)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
}

static void whole(void)
{
	static struct record r = { .target = "/dev/\xff\"sd" };
	struct host host = {
		.product = "T43", .serial = "", .uuid = "", .kernel = "6.1", .arch = "i686"
	};
	FILE *file = tmpfile();
	int saved = hush(file);

	msg_name = "ddtest";
	record_verdict(&r, LEVEL_INFO, "waits-for-platter", "%s %d.", "One", 1);
	record_verdict(&r, LEVEL_WARN, "noisy", "12 %% of it.");
	record_trouble(&r, STATUS_FAILED, -EIO, "sector %d cannot be read", 7);
	record_trouble(&r, STATUS_REFUSED, 0, "in \"use\"");
	hear(file, saved);
	ok(!strcmp(said,
		   "ddtest: /dev/?\"sd: sector 7 cannot be read: input/output error, the device\n"
		   "  could not do it\n"
		   "ddtest: /dev/?\"sd: in \"use\"\n"),
	   "each trouble is said once");
	ok(r.status == STATUS_FAILED && r.verdicts == 2 && r.troubles == 2 &&
		   r.trouble[0].err == EIO && !r.trouble[1].err,
	   "and kept, the worst status too");

	begin();
	record_open_all(&j, 1700000000, &host);
	record_open(&j, &r);
	json_number(&j, "size_bytes", 512);
	json_close(&j, '}');
	record_open(&j, &(struct record){ .status = STATUS_OK });
	json_close(&j, '}');
	record_close_all(&j, 5);
	ok(ends_as("{\"tool\":\"" PITBOX_NAME "\",\"version\":\"" PITBOX_VERSION
		   "\",\"applet\":\"ddtest\",\"schema\":1,"
		   "\"started_unix_s\":1700000000,\"host\":{\"product\":\"T43\",\"serial\":null,"
		   "\"uuid\":null,"
		   "\"kernel\":\"6.1\",\"arch\":\"i686\"},\"results\":["
		   "{\"target\":\"/dev/\\ufffd\\u0022sd\",\"status\":5,\"verdicts\":["
		   "{\"id\":\"waits-for-platter\",\"level\":\"info\",\"text\":\"One 1.\"},"
		   "{\"id\":\"noisy\",\"level\":\"warn\",\"text\":\"12 % of it.\"}],"
		   "\"errors\":[{\"text\":\"sector 7 cannot be read: input/output error, the "
		   "device could not do "
		   "it\",\"errno\":5},{\"text\":\"in "
		   "\\u0022use\\u0022\",\"errno\":null}],\"size_bytes\":512},"
		   "{\"target\":null,\"status\":0,\"verdicts\":[],\"errors\":[]}],\"status\":5}\n"),
	   "the envelope, on one line");
}

static void overflow(void)
{
	static struct {
		struct record r;
		char behind[64];
	} room;
	static const char untouched[sizeof(room.behind)];
	struct record *r = &room.r;
	char text[1000];
	FILE *file = tmpfile();
	int saved = hush(file);

	r->target = "a";
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (unsigned i = 0; i < RECORD_VERDICTS + 3; i++)
		record_verdict(r, LEVEL_WARN, i ? "more" : "first", "%s", text);
	ok(r->verdicts == RECORD_VERDICTS && r->status == STATUS_OK,
	   "verdicts stop when there are enough");
	ok(strlen(r->verdict[0].text) == sizeof(r->verdict[0].text) - 1,
	   "a text is cut to what is there for it");
	record_verdict(r, LEVEL_FAULT, "last", "Late.");
	ok(r->status == STATUS_FAULT && !record_has(r, "last"),
	   "a fault counts even where it finds no room");
	ok(record_has(r, "first") == &r->verdict[0] && record_has(r, "more") == &r->verdict[1] &&
		   !record_has(r, "mor"),
	   "the first of an id is found");

	for (unsigned i = 0; i < RECORD_TROUBLES + 3; i++)
		record_trouble(r, i > RECORD_TROUBLES ? STATUS_FAILED : STATUS_OK, i ? -EIO : 0,
			       "%s%u", text, i);
	hear(file, saved);
	ok(r->troubles == RECORD_TROUBLES && r->status == STATUS_FAILED && said[0],
	   "so do troubles, and are still said");
	ok(strlen(r->trouble[0].text) == sizeof(r->trouble[0].text) - 1,
	   "their text is cut as well");
	ok(!memcmp(room.behind, untouched, sizeof(untouched)), "nothing behind it was written to");
	r->status = STATUS_REFUSED;
	record_verdict(r, LEVEL_FAULT, "last", "Late.");
	ok(r->status == STATUS_REFUSED, "a fault does not make a worse status better");
}

int main(void)
{
	strings();
	numbers();
	nesting();
	whole();
	overflow();
	return tap_done();
}
