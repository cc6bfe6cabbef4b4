/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <core/applet.h>
#include "dd.h"
extern int dd_face(int argc, char **argv) __attribute__((weak));
static const struct opt opts[] = { OPT_END };
static int run(char **operand) { (void)operand; return 0; }
const struct applet ddtest_applet = { .name = "ddtest", .brief = "b", .tour="", .usage="", .notes="", .opts = opts, .max_operands = -1, .run = run, .face = dd_face };
