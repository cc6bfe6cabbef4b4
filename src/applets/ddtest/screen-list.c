/* SPDX-License-Identifier: MIT */
/* screen-list - the disks that can be tested, and who uses them. */

#include <stdio.h>

#include <core/size.h>
#include <core/text.h>

#include "screen.h"

void screen_list(struct outcome *const *all, unsigned count)
{
	char name[13], size[SIZE_TEXT], bus[8], model[22], serial[14], used[20];

	printf("%-12s %9s %-7s %-20s %-12s %s\n", "DISK", "SIZE", "BUS", "MODEL", "SERIAL",
	       "IN USE BY");
	for (unsigned i = 0; i < count; i++) {
		const struct outcome *o = all[i];

		text_cut(name, 12, o->name);
		text_cut(bus, 7, o->bus[0] ? o->bus : NULL);
		text_cut(model, 20, o->model[0] ? o->model : NULL);
		text_cut(serial, 12, o->serial[0] ? o->serial : NULL);
		text_cut(used, 14, o->used_by[0] ? o->used_by : "nobody");
		printf("%-12s %9s %-7s %-20s %-12s %s\n", name, size_print(size, o->size_bytes),
		       bus, model, serial, used);
	}
	if (!count)
		puts("No disk is to be seen: is /sys mounted, is the driver loaded?");
}
