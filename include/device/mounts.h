/* SPDX-License-Identifier: MIT */
/* mounts - the lines of /proc/PID/mountinfo. */
#ifndef DEVICE_MOUNTS_H
#define DEVICE_MOUNTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Pointers into the text that mounts_next() walks; escapes (\040) are decoded. */
struct mount {
	dev_t dev; /* what stat(2) gives, but on btrfs and others that number subvolumes */
	unsigned id;
	const char *point, *type, *source;
	char *options;
};

/* Take the next line at *@at apart, in place, and move *@at behind it. False at the end;
 * lines that are none are passed over. */
bool mounts_next(char **at, struct mount *m);

/* Call @each for every mount that this process sees (@pid "self"), that process 1 sees, which
 * is more where this one lives in a chroot, and of every other mount namespace, by one process
 * that lives there. Needs /proc; only root sees all. */
void mounts_each(void (*each)(const struct mount *m, const char *pid, void *arg), void *arg);

/* Whether asking a file system of that type may wait for another machine or program. */
bool mounts_may_hang(const char *type);

/* A memory file system; one on another machine. */
bool mounts_is_memory(const char *type);
bool mounts_is_network(const char *type);

#endif
