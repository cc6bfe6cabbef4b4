/* SPDX-License-Identifier: MIT */
/* dd - the dd face: GNU dd's operands, copying, statistics and exit statuses. */
#ifndef DDTEST_DD_H
#define DDTEST_DD_H

/* -1 when argv[1] is no dd operand (letters, then '='), else dd's exit status: 0, 1,
 * 4 where the target is refused. After SIGINT or SIGTERM it ends the process by that signal. */
int dd_face(int argc, char **argv);

/* What differs from GNU dd, for --help: lines of at most 79 columns. */
extern const char dd_help[];

#endif
