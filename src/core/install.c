/* SPDX-License-Identifier: MIT */
/* install - links named after the applets. */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <core/applet.h>
#include <core/install.h>
#include <core/msg.h>

static enum status install_one(const char *self, const struct stat *ours, const char *path, bool symbolic)
{
	struct stat there;

	if (!(symbolic ? symlink(self, path) : link(self, path)))
		return STATUS_OK;
	if (errno != EEXIST)
		return fail(-errno, errno == EXDEV ? "%s: cannot link across file systems, try -s" : "%s: cannot link",
			    path);
	if (!stat(path, &there) && there.st_dev == ours->st_dev && there.st_ino == ours->st_ino)
		return STATUS_OK;
	warn("%s: exists and is not our link; it was left alone", path);
	return STATUS_REFUSED;
}

enum status install_links(const char *dir, bool symbolic)
{
	enum status worst = STATUS_OK;
	char self[PATH_MAX], path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct stat ours;

	if (n < 0)
		return fail(-errno, "/proc/self/exe: cannot find this program's own path (is /proc mounted?)");
	self[n] = '\0';
	if (stat(self, &ours))
		return fail(-errno, "%s: cannot look at this program", self);
	for (const struct applet *const *a = applet_table; *a; a++) {
		n = snprintf(path, sizeof(path), "%s/%s", dir, (*a)->name);
		if (n >= (ssize_t)sizeof(path))
			return fail(-ENAMETOOLONG, "%.200s...", dir);
		worst = status_worse(worst, install_one(self, &ours, path, symbolic));
	}
	return worst;
}
