/* SPDX-License-Identifier: MIT */
/* dd-operands - dd's command line, and what is said of a wrong one. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/applets/ddtest/dd-operands.h"
#include "../../src/applets/ddtest/dd-text.h"
#include "../tap.h"

static struct dd_operands o;
static char *said;

static enum dd_parsed parse(const char *line)
{
	static char copy[512];
	char *argv[32] = { (char *)"ddtest" }, *at = copy;
	enum dd_parsed rc;
	size_t size;
	FILE *err;

	free(said);
	err = open_memstream(&said, &size);
	strcpy(copy, line);
	for (int n = 1; *at && n < 31; n++) {
		argv[n] = at;
		at += strcspn(at, "|");
		if (*at)
			*at++ = '\0';
	}
	rc = dd_operands_parse(&o, argv, err);
	fclose(err);
	return rc;
}

static void good(const char *line, bool as_wanted)
{
	ok(as_wanted && !*said, "%s", line);
}

#define GOOD(line, ...) good(line, parse(line) == DD_PARSED && (__VA_ARGS__))

#define TRY "Try 'ddtest --help' for more information.\n"

static const struct {
	const char *line, *text;
} wrong[] = {
	{ "if=a|b", "ddtest: unrecognized operand 'b'\n" TRY },
	{ "if=a|b=1", "ddtest: unrecognized operand 'b=1'\n" TRY },
	{ "if=a|=1", "ddtest: unrecognized operand '=1'\n" TRY },
	{ "if=a|-", "ddtest: unrecognized operand '-'\n" TRY },
	{ "if=a|-x", "ddtest: invalid option -- 'x'\n" TRY },
	{ "if=a|--x", "ddtest: unrecognized option '--x'\n" TRY },
	{ "bs=0", "ddtest: invalid number: '0'\n" },
	{ "bs=x", "ddtest: invalid number: 'x'\n" },
	{ "bs=a'b\n\\", "ddtest: invalid number: 'a\\'b\\n\\\\'\n" },
	{ "count=-1", "ddtest: invalid number: '-1'\n" },
	{ "bs=8E", "ddtest: invalid number: '8E': Value too large for defined data type\n" },
	{ "bs=9223372036854775807", "ddtest: invalid number: '9223372036854775807': Value too "
				    "large for defined data type\n" },
	{ "bs=0x4", "ddtest: warning: '0x' is a zero multiplier; use '00x' if that is intended\n"
		    "ddtest: invalid number: '0x4'\n" },
	{ "conv=sync,", "ddtest: invalid conversion: ''\n" TRY },
	{ "conv=syn", "ddtest: invalid conversion: 'syn'\n" TRY },
	{ "iflag=a,b", "ddtest: invalid input flag: 'a'\n" TRY },
	{ "oflag=cio", "ddtest: invalid output flag: 'cio'\n" TRY },
	{ "oflag=fullblock", "ddtest: invalid output flag: 'fullblock'\n" TRY },
	{ "status=x", "ddtest: invalid status level: 'x'\n" TRY },
	{ "conv=excl|conv=nocreat", "ddtest: cannot combine excl and nocreat\n" },
	{ "conv=swab", "ddtest: conv=swab is not built in: use dd\n" },
	{ "conv=sync,ibm", "ddtest: conv=ibm is not built in: use dd\n" },
	{ "cbs=8", "ddtest: cbs=8 is not built in: use dd\n" },
	{ "iflag=nocache", "ddtest: iflag=nocache is not built in: use dd\n" },
};

static const struct {
	const char *name, *always, *needed;
} names[] = {
	{ "a", "'a'", "a" },
	{ "", "''", "''" },
	{ "a b", "'a b'", "'a b'" },
	{ "it's", "\"it's\"", "\"it's\"" },
	{ "a'b\"", "'a'\\''b\"'", "'a'\\''b\"'" },
	{ "a'!", "'a'\\''!'", "'a'\\''!'" },
	{ "a\nb", "'a'$'\\n''b'", "'a'$'\\n''b'" },
	{ "\001", "''$'\\001'", "''$'\\001'" },
	{ "\303\251'x", "''$'\\303\\251'\\''x'", "''$'\\303\\251'\\''x'" },
	{ "a:b", "'a:b'", "'a:b'" },
	{ "#a", "'#a'", "'#a'" },
	{ "a#~", "'a#~'", "a#~" },
	{ "{", "'{'", "'{'" },
	{ "{}", "'{}'", "{}" },
	{ "%+,-./@]_", "'%+,-./@]_'", "%+,-./@]_" },
};

static const char *quoted(const char *name, bool always)
{
	static char *text;
	size_t size;
	FILE *out;

	free(text);
	out = open_memstream(&text, &size);
	dd_text(out, name, strlen(name), always ? DD_QUOTE_NAME : DD_QUOTE_NEEDED);
	fclose(out);
	return text;
}

int main(void)
{
	GOOD("if=a", !strcmp(o.in, "a") && !o.out && o.ibs == 512 && o.obs == 512 &&
			     o.conv == DD_TWOBUFS && o.max_records == UINT64_MAX && !o.max_bytes &&
			     o.level == DD_LEVEL_DEFAULT);
	GOOD("if=a|if=b|of=c=d", !strcmp(o.in, "b") && !strcmp(o.out, "c=d"));
	GOOD("bs=4k|ibs=1|obs=2", o.ibs == 4096 && o.obs == 4096 && !o.conv);
	GOOD("ibs=1|obs=2", o.ibs == 1 && o.obs == 2 && o.conv == DD_TWOBUFS);
	GOOD("bs=1G|count=1", o.max_records == 1 && o.ibs == 1 << 30);
	GOOD("bs=1000|count=2500B", o.max_records == 2 && o.max_bytes == 500);
	GOOD("bs=1000|count=2500|iflag=count_bytes", o.max_records == 2 && o.max_bytes == 500);
	GOOD("bs=1000|count=2500|oflag=count_bytes", o.max_records == 2500 && !o.max_bytes);
	GOOD("count=1B|count=2", o.max_records == 2 && !o.max_bytes);
	GOOD("count=9223372036854775807", o.max_records == UINT64_MAX);
	GOOD("count=1|count=9223372036854775807", o.max_records == UINT64_MAX);
	GOOD("count=0", !o.max_records && !o.max_bytes);
	GOOD("skip=3|seek=4", o.skip == 1536 && o.seek == 2048 && o.seek_given == 4);
	GOOD("iseek=513B|oseek=1kB", o.skip == 513 && o.seek == 1000);
	GOOD("skip=513|seek=514|iflag=skip_bytes|oflag=seek_bytes", o.skip == 513 && o.seek == 514);
	GOOD("iflag=seek_bytes|oflag=skip_bytes|skip=5|seek=5", o.skip == 2560 && o.seek == 2560);
	GOOD("ibs=7|obs=3|skip=5|seek=5", o.skip == 35 && o.seek == 15);
	GOOD("skip=18014398509481983", o.skip == 9223372036854775296);
	GOOD("bs=1G|seek=9223372036854775806",
	     o.seek == UINT64_MAX && o.seek_given == 9223372036854775806);
	GOOD("iflag=direct,nonblock|iflag=fullblock,nofollow",
	     o.iflags == (O_DIRECT | O_NONBLOCK | O_NOFOLLOW) && o.fullblock);
	GOOD("iflag=dsync", o.iflags == O_SYNC);
	GOOD("oflag=dsync,append,noatime", o.oflags == (O_DSYNC | O_APPEND | O_NOATIME));
	GOOD("oflag=sync", o.oflags == O_SYNC);
	GOOD("conv=notrunc,fsync|conv=fdatasync,noerror,sync,sparse|bs=1",
	     o.conv == (DD_NOTRUNC | DD_FSYNC | DD_FDATASYNC | DD_NOERROR | DD_SYNC | DD_SPARSE));
	GOOD("status=none|status=progress", o.level == DD_LEVEL_PROGRESS);
	GOOD("status=progress,noxfer", o.level == DD_LEVEL_NOXFER);
	GOOD("if=a|--|of=b", !strcmp(o.out, "b"));
	GOOD("bs=9223372036854775806", o.ibs == INT64_MAX - 1);
	ok(parse("count=0x1|skip=0x1") == DD_PARSED && strlen(said) == 2 * 74,
	   "a zero multiplier is warned of each time");
	ok(parse("if=a|--help") == DD_PARSED_HELP, "--help");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!ok(parse(wrong[i].line) == DD_PARSED_WRONG && !strcmp(said, wrong[i].text),
			"wrong: row %zu", i))
			printf("# got: %s\n", said);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!ok(!strcmp(quoted(names[i].name, true), names[i].always) &&
				!strcmp(quoted(names[i].name, false), names[i].needed),
			"quoted: %s", names[i].always))
			printf("# got: %s\n", quoted(names[i].name, false));
	free(said);
	return tap_done();
}
