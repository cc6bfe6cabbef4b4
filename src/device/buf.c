/* SPDX-License-Identifier: MIT */
/* buf - memory that a device can read and write directly. */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <device/attr.h>
#include <device/buf.h>

int buf_open(struct buf *b, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	b->data = NULL;
	b->size = 0;
	if (p == MAP_FAILED)
		return -ENOMEM;
	madvise(p, size, MADV_HUGEPAGE);
	/* mlock faults every page in; where RLIMIT_MEMLOCK forbids it, writing does. */
	if (mlock(p, size))
		memset(p, 0, size);
	b->data = p;
	b->size = size;
	return 0;
}

void buf_close(struct buf *b)
{
	if (b->data)
		munmap(b->data, b->size);
	b->data = NULL;
}

uint64_t buf_available(void)
{
	uint64_t kib = attr_field(attr_path("/proc/meminfo"), "MemAvailable:", 10);
	struct sysinfo info;

	if (kib)
		return kib * 1024;
	if (sysinfo(&info))
		return 0;
	return ((uint64_t)info.freeram + info.bufferram) * info.mem_unit;
}
