/* SPDX-License-Identifier: MIT */
/* config - what the command line asked for. */
#ifndef DDTEST_CONFIG_H
#define DDTEST_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict.h"

#define CONFIG_UNSET UINT64_MAX

struct config {
	bool write, parallel, force, dd, json, quiet, verbose;
	const char *destroy;   /* the target, typed once more; NULL: keep the data */
	uint64_t size, offset; /* CONFIG_UNSET: 1 GiB, 1 MiB */
	uint64_t count, block, time_ns;
	uint64_t rpm; /* CONFIG_UNSET: what the drive says */
	uint64_t seed;
	unsigned modes; /* bits of enum mode */
	int data;       /* 0 random, 1 zero */
	int progress;   /* -1: on a terminal; 0 always, 1 never */
	struct limits limits;
};

#endif
