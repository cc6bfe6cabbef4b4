/* SPDX-License-Identifier: MIT */
/* pwrite - the least a tester can do: pwrite what was there, in order, and count. */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* pwrite DEVICE BLOCK COUNT OFFSET: prints operations a second */
int main(int argc, char **argv)
{
	size_t block = argc == 5 ? strtoul(argv[2], NULL, 10) : 0,
	       count = block ? strtoul(argv[3], NULL, 10) : 0;
	off_t offset = block ? (off_t)strtoull(argv[4], NULL, 10) : 0;
	int fd = block ? open(argv[1], O_RDWR | O_DIRECT) : -1;
	char *slab = mmap(NULL, block * count + 1, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	double begin;

	if (fd < 0 || slab == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < count; i++)
		if (pread(fd, slab + i * block, block, offset + (off_t)(i * block)) !=
		    (ssize_t)block)
			return 1;
	begin = now();
	for (size_t i = 0; i < count; i++)
		if (pwrite(fd, slab + i * block, block, offset + (off_t)(i * block)) !=
		    (ssize_t)block)
			return 1;
	printf("%.0f\n", (double)count / (now() - begin));
	return 0;
}
