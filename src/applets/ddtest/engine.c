/* SPDX-License-Identifier: MIT */
/* engine - which engines were built in, and the one that always works. */

#include <device/sys.h>

#include "engine.h"

extern const struct engine engine_uring __attribute__((weak));
extern const struct engine engine_aio __attribute__((weak));

static struct completion finished;

static int plain_open(void)
{
	return 0;
}

static int plain_submit(const struct transfer *t)
{
	finished.slot = t->slot;
	finished.result =
		t->write ? sys.pwrite(t->fd, t->memory.iov_base, t->memory.iov_len, t->offset)
			 : sys.pread(t->fd, t->memory.iov_base, t->memory.iov_len, t->offset);
	return 0;
}

static int plain_reap(struct completion *done)
{
	*done = finished;
	return 0;
}

static void plain_close(void)
{
}

/* The kernel splits one large transfer into several requests, all in flight at once. */
static const struct engine engine_plain = {
	.name = "plain",
	.depth = 1,
	.largest = 16u << 20,
	.open = plain_open,
	.submit = plain_submit,
	.reap = plain_reap,
	.close = plain_close,
};

const struct engine *engine_open(void)
{
	const struct engine *const table[] = { &engine_uring, &engine_aio };

	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i] && !table[i]->open())
			return table[i];
	return &engine_plain;
}
