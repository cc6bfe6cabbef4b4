/* SPDX-License-Identifier: MIT */
/* engine-aio - transfers by native aio, for kernels before io_uring (5.1) or without it. */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include <device/sys.h>

#include "engine.h"

#include <linux/aio_abi.h>

static aio_context_t context;
static struct iocb iocb[ENGINE_DEPTH];

static int aio_open(void)
{
	context = 0;
	return (int)sys.raw(SYS_io_setup, ENGINE_DEPTH, (long)&context, 0, 0, 0, 0);
}

static void aio_close(void)
{
	sys.raw(SYS_io_destroy, (long)context, 0, 0, 0, 0, 0);
}

static int aio_submit(const struct transfer *t)
{
	struct iocb *cb = &iocb[t->slot];
	long n;

	memset(cb, 0, sizeof(*cb));
	cb->aio_data = t->slot;
	cb->aio_lio_opcode = t->write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
	cb->aio_fildes = (uint32_t)t->fd;
	cb->aio_buf = (uint64_t)(uintptr_t)t->memory.iov_base;
	cb->aio_nbytes = t->memory.iov_len;
	cb->aio_offset = t->offset;
	do
		n = sys.raw(SYS_io_submit, (long)context, 1, (long)&cb, 0, 0, 0);
	while (n == -EINTR || n == -EAGAIN);
	return n == 1 ? 0 : n < 0 ? (int)n : -EIO;
}

static int aio_reap(struct completion *done)
{
	struct io_event event;
	long n = sys.raw(SYS_io_getevents, (long)context, 1, 1, (long)&event, 0, 0);

	if (n != 1)
		return n < 0 ? (int)n : -EINTR;
	done->slot = (unsigned)event.data;
	done->result = (ssize_t)event.res;
	return 0;
}

const struct engine engine_aio = {
	.name = "aio",
	.depth = ENGINE_DEPTH,
	.largest = 2u << 20,
	.open = aio_open,
	.submit = aio_submit,
	.reap = aio_reap,
	.close = aio_close,
};
