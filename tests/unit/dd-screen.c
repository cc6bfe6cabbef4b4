/* SPDX-License-Identifier: MIT */
/* dd-screen - --dd prints of each write run what GNU dd would have printed. */

#include <string.h>
#include <unistd.h>

#include "../../src/applets/ddtest/screen.h"
#include "../tap.h"

static struct outcome o;
static char shown[4096];

static void show(void)
{
	int saved = dup(STDOUT_FILENO);
	FILE *file = tmpfile();
	ssize_t n;

	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	screen_dd(&o);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	n = pread(fileno(file), shown, sizeof(shown) - 1, 0);
	shown[n > 0 ? n : 0] = '\0';
	fclose(file);
}

static size_t widest(void)
{
	size_t most = 0;

	for (const char *p = shown; *p; p += strcspn(p, "\n") + 1)
		if (strcspn(p, "\n") > most)
			most = strcspn(p, "\n");
	return most;
}

int main(void)
{
	char path[200];

	/* The figures of the wiki page's first lines, the rates as dd printed them there. */
	o.record.target = "/dev/sda6";
	o.runs = 5;
	o.run[0] = (struct run){ .test = TEST_STREAM_READ, .ops = 9, .bytes = 9, .elapsed_ns = 9 };
	o.run[1] = (struct run){ .test = TEST_STREAM_WRITE,
				 .mode = MODE_DIRECT,
				 .cache = CACHE_ON,
				 .ops = 1024,
				 .bytes = 1073741824,
				 .elapsed_ns = 32474000000 };
	o.run[2] = (struct run){ .test = TEST_LATENCY_WRITE,
				 .mode = MODE_DSYNC,
				 .ops = 1000,
				 .bytes = 512000,
				 .elapsed_ns = 11186500000 };
	o.run[3] = (struct run){ .test = TEST_LATENCY_WRITE, .mode = MODE_DIRECT };
	o.run[4] = (struct run){ .test = TEST_SEEK_READ, .ops = 9, .bytes = 9, .elapsed_ns = 9 };
	show();
	ok(!strcmp(shown, "/dev/sda6 stream-write direct on:\n"
			  "1+0 records in\n1+0 records out\n"
			  "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 32.474 s, 33.1 MB/s\n"
			  "/dev/sda6 latency-write dsync as-is:\n"
			  "1000+0 records in\n1000+0 records out\n"
			  "512000 bytes (512 kB, 500 KiB) copied, 11.1865 s, 45.8 kB/s\n"),
	   "two write runs that did something, no read");
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	o.record.target = path;
	show();
	ok(widest() <= 79 && strstr(shown, "45.8 kB/s"), "a long path stays within 79 columns");
	return tap_done();
}
