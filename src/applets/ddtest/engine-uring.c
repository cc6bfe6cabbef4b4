/* SPDX-License-Identifier: MIT */
/* engine-uring - transfers by io_uring(7), through its three system calls alone. */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <device/sys.h>

#include "engine.h"

#include <linux/io_uring.h>

static struct {
	int fd;
	void *sq, *cq;
	size_t sq_size, cq_size, sqes_size;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
	unsigned *sq_tail, *sq_array, *cq_head, *cq_tail;
	unsigned sq_mask, cq_mask;
	struct iovec iov[ENGINE_DEPTH]; /* read by the kernel until the completion */
} ring;

static unsigned *field(void *base, unsigned offset)
{
	return (unsigned *)(void *)((char *)base + offset);
}

static void uring_close(void)
{
	if (ring.sqes)
		munmap(ring.sqes, ring.sqes_size);
	if (ring.cq && ring.cq != ring.sq)
		munmap(ring.cq, ring.cq_size);
	if (ring.sq)
		munmap(ring.sq, ring.sq_size);
	sys.close(ring.fd);
	memset(&ring, 0, sizeof(ring));
}

static void *map(size_t size, off_t what)
{
	void *p =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, what);

	return p == MAP_FAILED ? NULL : p;
}

static int uring_open(void)
{
	struct io_uring_params p;
	long fd;

	memset(&p, 0, sizeof(p));
	fd = sys.raw(SYS_io_uring_setup, ENGINE_DEPTH, (long)&p, 0, 0, 0, 0);
	if (fd < 0)
		return (int)fd;
	ring.fd = (int)fd;
	ring.sq_size = p.sq_off.array + p.sq_entries * sizeof(unsigned);
	ring.cq_size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
	ring.sqes_size = p.sq_entries * sizeof(struct io_uring_sqe);
	/* Since Linux 5.4 both rings lie in one mapping, as long as the longer. */
	if (p.features & IORING_FEAT_SINGLE_MMAP) {
		ring.sq_size = ring.sq_size > ring.cq_size ? ring.sq_size : ring.cq_size;
		ring.sq = ring.cq = map(ring.sq_size, IORING_OFF_SQ_RING);
	} else {
		ring.sq = map(ring.sq_size, IORING_OFF_SQ_RING);
		ring.cq = map(ring.cq_size, IORING_OFF_CQ_RING);
	}
	ring.sqes = map(ring.sqes_size, IORING_OFF_SQES);
	if (!ring.sq || !ring.cq || !ring.sqes) {
		uring_close();
		return -ENOMEM;
	}
	ring.sq_tail = field(ring.sq, p.sq_off.tail);
	ring.sq_array = field(ring.sq, p.sq_off.array);
	ring.sq_mask = *field(ring.sq, p.sq_off.ring_mask);
	ring.cq_head = field(ring.cq, p.cq_off.head);
	ring.cq_tail = field(ring.cq, p.cq_off.tail);
	ring.cq_mask = *field(ring.cq, p.cq_off.ring_mask);
	ring.cqes = (struct io_uring_cqe *)(void *)((char *)ring.cq + p.cq_off.cqes);
	return 0;
}

static int uring_submit(const struct transfer *t)
{
	unsigned tail = *ring.sq_tail, i = tail & ring.sq_mask;
	struct io_uring_sqe *e = &ring.sqes[i];
	long n;

	ring.iov[t->slot] = t->memory;
	memset(e, 0, sizeof(*e));
	e->opcode = t->write ? IORING_OP_WRITEV : IORING_OP_READV;
	e->fd = t->fd;
	e->off = (uint64_t)t->offset;
	e->addr = (uint64_t)(uintptr_t)&ring.iov[t->slot];
	e->len = 1;
	e->user_data = t->slot;
	ring.sq_array[i] = i;
	__atomic_store_n(ring.sq_tail, tail + 1, __ATOMIC_RELEASE);
	do
		n = sys.raw(SYS_io_uring_enter, ring.fd, 1, 0, 0, 0, 0);
	while (n == -EINTR || n == -EAGAIN);
	if (n == 1)
		return 0;
	__atomic_store_n(ring.sq_tail, tail, __ATOMIC_RELEASE);
	return n < 0 ? (int)n : -EIO;
}

static int uring_reap(struct completion *done)
{
	unsigned head = *ring.cq_head;

	while (head == __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE)) {
		long n = sys.raw(SYS_io_uring_enter, ring.fd, 0, 1, IORING_ENTER_GETEVENTS, 0, 0);

		if (n < 0)
			return (int)n;
	}
	done->slot = (unsigned)ring.cqes[head & ring.cq_mask].user_data;
	done->result = ring.cqes[head & ring.cq_mask].res;
	__atomic_store_n(ring.cq_head, head + 1, __ATOMIC_RELEASE);
	return 0;
}

const struct engine engine_uring = {
	.name = "io_uring",
	.depth = ENGINE_DEPTH,
	.largest = 2u << 20,
	.open = uring_open,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
