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

static enum status install_one(const char *self, const struct stat *ours, const char *path,
			       bool symbolic)
{
	struct stat there;

	if (!(symbolic ? symlink(self, path) : link(self, path)))
		return STATUS_OK;
	if (errno != EEXIST)
		return fail(-errno, "%s: cannot link%s", path, errno == EXDEV ? ", try -s" : "");
	if (!stat(path, &there) && there.st_dev == ours->st_dev && there.st_ino == ours->st_ino)
		return STATUS_OK;
	warn("%s: exists and is not our link; it was left alone", path);
	return STATUS_REFUSED;
}

enum status install_links(const char *dir, bool symbolic)
{
	enum status worst = STATUS_OK;
	char self[PATH_MAX] = "", path[PATH_MAX];
	struct stat ours;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || stat(self, &ours))
		return fail(-errno,
			    "cannot find this program by /proc/self/exe (is /proc mounted?)");
	for (const struct applet *const *a = applet_table; *a; a++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir, (*a)->name) >= (int)sizeof(path))
			return fail(-ENAMETOOLONG, "%.200s...", dir);
		worst = status_worse(worst, install_one(self, &ours, path, symbolic));
	}
	return worst;
}
