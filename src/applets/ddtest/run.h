/* SPDX-License-Identifier: MIT */
/* run - one test as it was run, and all that was found out about one target. */
#ifndef DDTEST_RUN_H
#define DDTEST_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <core/record.h>
#include <timing/curve.h>
#include <timing/histogram.h>

enum test { TEST_STREAM_READ, TEST_SEEK_READ, TEST_STREAM_WRITE, TEST_LATENCY_WRITE };

/* direct: acknowledged by the drive. dsync: followed by a flush (each write, or the stream).
 * buffered: the target takes no O_DIRECT, so the page cache may have answered. */
enum mode { MODE_DIRECT, MODE_DSYNC, MODE_BUFFERED };

enum cache_state { CACHE_AS_IS, CACHE_ON, CACHE_OFF };

enum kind { KIND_BLOCK, KIND_DIRECTORY, KIND_FILE };

enum data { DATA_READ_ONLY, DATA_KEPT, DATA_PATTERN, DATA_SCRATCH };

/* Small fields come first: what lies behind the arrays costs longer instructions. */
struct run {
	enum test test;
	enum mode mode;
	enum cache_state cache; /* what it was switched to; as-is: not switched */
	uint32_t block_bytes;   /* of one operation; of a stream: the largest */
	const char *engine;     /* "io_uring", "aio", "pread", "pwrite": a literal */
	uint64_t bytes, ops, elapsed_ns;
	bool cut;         /* -t ended it */
	bool incomplete;  /* an error, a signal or the end of the slab ended it */
	bool upper_bound; /* a cache may have answered: no figure of the medium */
	bool flushes_known, sectors_known;
	uint64_t flushes;         /* sent by the kernel to the leaf disks */
	uint64_t moved_sectors;   /* by anybody, in this run's direction, 512 bytes each */
	uint64_t foreign_written; /* sectors written by others meanwhile */
	uint64_t foreign_sectors; /* moved by others meanwhile, both directions */
	char note[160];
	struct curve curve;   /* of streams */
	struct histogram lat; /* of latency and seek tests; empty for streams */
};

#define OUTCOME_RUNS 16

/* All about one target. Holds no heap: -P hands it over in shared memory. */
struct outcome {
	enum kind kind;
	enum data data;
	uint32_t logical_block_bytes, physical_block_bytes;
	uint64_t size_bytes, offset_bytes;
	uint64_t elapsed_ns;   /* the whole visit */
	uint64_t buffer_bytes; /* the drive's own, IDENTIFY word 21; 0: not known */
	uint32_t rpm; /* known from VPD page B1h or --rpm; 0: not known; 1: does not turn */
	/* The drive's cache: whether it is on while nothing is switched; NV_SUP. */
	enum { DRIVE_CACHE_UNKNOWN, DRIVE_CACHE_ON, DRIVE_CACHE_OFF } drive_cache;
	bool drive_cache_nonvolatile;
	bool rotational;  /* queue/rotational, true also where unknown */
	bool memory;      /* tmpfs, zram: RAM, not a disk */
	bool interrupted; /* by a signal */
	bool compared;    /* everything written was read back */
	bool zeros;
	unsigned runs, note_count, notes_shown;
	char name[64], disk[64], model[64], serial[64], bus[16], driver[32];
	char fs[32];                  /* the file system's type, of a directory or file */
	char path[256], used_by[128]; /* used_by: in the list of disks */
	struct record record;
	char notes[8][200]; /* what was raised, shrunk, clipped: for the screen and JSON */
	struct run run[OUTCOME_RUNS];
};

/* "stream-read", "direct", "as-is": as in JSON. */
const char *run_test_name(enum test t);
const char *run_mode_name(enum mode m);
const char *run_cache_name(enum cache_state c);

/* Bytes a second, 0 where nothing was done. */
double run_rate(const struct run *r);

/* The run of that kind that did something, or NULL. */
const struct run *outcome_find(const struct outcome *o, enum test t, enum mode m,
			       enum cache_state c);

struct blk;

/* Take over what @b is. */
void outcome_identify(struct outcome *o, const struct blk *b);

void outcome_note(struct outcome *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
