/* SPDX-License-Identifier: MIT */
#include "dd.h"
int dd_face(int argc, char **argv) { (void)argc; (void)argv; return -1; }
