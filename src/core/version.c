/* SPDX-License-Identifier: MIT */
/* version - what this binary is and what was built into it. */

#include <stdio.h>

#include <core/applet.h>
#include <core/text.h>

void applet_print_version(void)
{
	static const char *const features[] = {
#define FEATURE(name) name,
#include <generated/features.def>
#undef FEATURE
		NULL
	};

	char line[1024] = " none";
	int n = 0;

	puts(PITBOX_NAME " " PITBOX_VERSION " (" PITBOX_TARGET ")");
	for (const char *const *f = features; *f; f++)
		n += snprintf(line + n, sizeof(line) - (size_t)n, " %s", *f);
	text_print(stdout, 0, "features:%s", line);
}
