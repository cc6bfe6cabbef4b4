/* SPDX-License-Identifier: MIT */
/* screen-dd - what GNU dd would have printed of each write run. */

#include "screen.h"

void screen_dd(const struct outcome *o)
{
	(void)o;
}
