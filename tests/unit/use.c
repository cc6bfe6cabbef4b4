/* SPDX-License-Identifier: MIT */
/* use - users of block devices on recorded machines. */

/* Users of block devices on recorded machines. With a device as its argument it prints the
 * real users of that, one a line, for tests/cli/device-use.t. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <device/attr.h>
#include <device/mounts.h>
#include <device/opens.h>
#include <device/use.h>

#include "../fault.h"
#include "../loop.h"
#include "../tap.h"

#define MAX 24

static char root[64];

static void use_root(const char *name)
{
	snprintf(root, sizeof(root), "tests/data/root/%s", name);
	attr_root = root;
}

struct expected {
	const char *root, *name;
	bool deep;
	const char *brief;
	const char *uses[5]; /* "device is text [remedy]", in any order */
};

static const struct expected table[] = {
	{ "laptop",
	  "sda",
	  true,
	  "dm-0 (vg-root), dm-1 (vg-swap), /boot, /mnt/with blank",
	  { "sda2 is held by dm-0 (vg-root), the root file system, mounted on / []",
	    "sda2 is held by dm-1 (vg-swap), swap [swapoff /dev/dm-1; vgchange -an vg]",
	    "sda1 is mounted on /boot [umount /boot]",
	    "sda1 is mounted on /mnt/with blank [umount '/mnt/with blank']" } },
	/* A free partition beside mounted ones. */
	{ "laptop", "sda3", true, "", { NULL } },
	{ "laptop",
	  "sda1",
	  true,
	  "/boot, /mnt/with blank",
	  { "sda1 is mounted on /boot [umount /boot]",
	    "sda1 is mounted on /mnt/with blank [umount '/mnt/with blank']" } },
	{ "laptop",
	  "sdb",
	  true,
	  "/run/live/medium",
	  { "sdb1 is the live medium, mounted on /run/live/medium []" } },
	{ "laptop", "dm-0", true, "/", { "dm-0 is the root file system, mounted on / []" } },
	{ "server",
	  "sdc",
	  true,
	  "md127",
	  { "sdc1 is a member of md127, mounted on /srv/data as smbd (pid 77) sees it "
	    "[nsenter -t 77 -m umount /srv/data; mdadm --stop /dev/md127]" } },
	{ "server", "sdb", true, "", { NULL } },
	{ "server",
	  "md127p1",
	  true,
	  "/srv/data",
	  { "md127p1 is mounted on /srv/data as smbd (pid 77) sees it "
	    "[nsenter -t 77 -m umount /srv/data]" } },
	/* The bind mount that pid 77 sees is not told again. */
	{ "server", "sda", true, "/", { "sda is the root file system, mounted on / []" } },
	{ "nvme", "nvme0n1", true, "/", { "nvme0n1p1 is the root file system, mounted on / []" } },
	{ "nvme", "nvme1n1", true, "", { NULL } },
	{ "iscsi",
	  "sdb",
	  true,
	  "",
	  { "sdb is in use through sdc, another path to it (mounted on /srv) [umount /srv]" } },
	{ "iscsi",
	  "sdb1",
	  true,
	  "",
	  { "sdb1 is in use through sdc, another path to it (mounted on /srv) [umount /srv]" } },
	{ "iscsi", "sdb2", true, "", { NULL } },
	{ "iscsi", "sdb1", false, "", { NULL } },
	{ "iscsi", "vda", true, "/pool", { "vda is mounted on /pool [umount /pool]" } },
	/* Not the source of the mount, but of the same btrfs. */
	{ "iscsi", "vdb", true, "/pool", { "vdb is mounted on /pool [umount /pool]" } },
	{ "iscsi",
	  "vdc",
	  true,
	  "btrfs",
	  { "vdc is part of the btrfs 99999999-1111-2222-3333-444455556666, which is mounted "
	    "[]" } },
	{ "board",
	  "mmcblk0",
	  true,
	  "/, swap",
	  { "mmcblk0p1 is the root file system, mounted on / []",
	    "mmcblk0p2 is the backing of loop3, mounted on /mnt/inner "
	    "[umount /mnt/inner; losetup -d /dev/loop3]",
	    "mmcblk0p2 is swap [swapoff /dev/mmcblk0p2]" } },
	{ "board", "mmcblk0p2", false, "swap", { "mmcblk0p2 is swap [swapoff /dev/mmcblk0p2]" } },
};

static void recorded(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct expected *e = &table[i];
		struct use uses[MAX];
		char line[700], brief[256];
		unsigned n, want = 0;
		struct blk b;

		use_root(e->root);
		blk_describe(&b, e->name);
		n = use_find(&b, e->deep, uses, MAX);
		for (; want < 5 && e->uses[want]; want++) {
			bool found = false;

			for (unsigned j = 0; j < n; j++) {
				snprintf(line, sizeof(line), "%s is %s [%s]", uses[j].device,
					 uses[j].text, uses[j].remedy);
				found |= !strcmp(line, e->uses[want]);
			}
			ok(found, "%s %s: %s", e->root, e->name, e->uses[want]);
		}
		ok(n == want, "%s %s has %u users", e->root, e->name, want);
		if (n != want)
			for (unsigned j = 0; j < n; j++)
				printf("# %s is %s [%s]\n", uses[j].device, uses[j].text,
				       uses[j].remedy);
		ok(use_brief(&b, brief, sizeof(brief)) == (e->brief[0] != '\0') &&
			   !strcmp(brief, e->brief),
		   "%s %s in brief: '%s'", e->root, e->name, e->brief);
		if (strcmp(brief, e->brief))
			printf("# got '%s'\n", brief);
	}
}

static void without_sys(void)
{
	struct use uses[MAX];
	struct blk b = { .dev = makedev(8, 2), .name = "8:2", .disk = "8:2" };

	use_root("bare");
	ok(use_find(&b, true, uses, MAX) == 1 && !strcmp(uses[0].device, "8:2") &&
		   !strcmp(uses[0].text, "mounted on /mnt/x"),
	   "without /sys the mount is found by number");
	attr_root = "/nowhere";
	ok(use_find(&b, true, uses, MAX) == 0, "without /proc nothing is found");
}

static void crowded(void)
{
	char brief[8];
	struct use uses[2];
	struct blk b;

	use_root("laptop");
	blk_describe(&b, "sda");
	ok(use_find(&b, true, uses, 2) == 2, "no more users than asked for");
	ok(use_find(&b, true, uses, 0) == 0, "nor one where none is");
	ok(use_brief(&b, brief, sizeof(brief)) && strlen(brief) == 7, "a short buffer is not left");
}

static void lines(void)
{
	char text[] =
		"no mount\n36 35 98:0 /mnt1 /mnt\\0402\\134x rw,noatime master:1 shared:2 - "
		"ext3 /dev/root rw,errors=continue\n37 35 0:5 / /x rw - tmpfs\n38 1 8:1 / /y rw "
		"ext4 /dev/sda1 rw\n39 1 8:9 / / rw - xfs /dev/sda9 rw";
	char *at = text;
	struct mount m;

	ok(mounts_next(&at, &m) && m.id == 36 && m.dev == makedev(98, 0),
	   "a line with number and device");
	ok(!strcmp(m.point, "/mnt 2\\x") && !strcmp(m.type, "ext3") &&
		   !strcmp(m.source, "/dev/root") && !strcmp(m.options, "rw,errors=continue"),
	   "its escapes, type, source and options");
	ok(mounts_next(&at, &m) && m.id == 37 && !strcmp(m.type, "tmpfs") && !*m.source,
	   "a short line");
	ok(mounts_next(&at, &m) && m.id == 39 && !strcmp(m.point, "/"),
	   "one without '-' is passed over");
	ok(!mounts_next(&at, &m), "the end");
	ok(mounts_may_hang("nfs4") && mounts_may_hang("fuse.sshfs") && mounts_may_hang("fuse") &&
		   mounts_may_hang("autofs") && !mounts_may_hang("ext4") &&
		   !mounts_may_hang("nfsd") && !mounts_may_hang("tmpfs"),
	   "what may hang");
}

static void faults(void)
{
	static const char *const names[][2] = { { "laptop", "sda" },
						{ "server", "sdc" },
						{ "iscsi", "vdb" },
						{ "iscsi", "sdb" },
						{ "board", "mmcblk0p2" } };
	static struct use uses[MAX];
	struct blk b;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		bool survived, sane = true;
		long runs;

		use_root(names[i][0]);
		blk_describe(&b, names[i][1]);
		FAULT_EACH(EIO, survived, runs, {
			unsigned n = use_find(&b, true, uses, MAX);

			for (unsigned j = 0; j < n; j++)
				sane &= uses[j].device[0] && uses[j].text[0];
		});
		ok(survived && sane && runs > 20, "%s %s survives each of %ld failures",
		   names[i][0], names[i][1], runs);
	}
}

struct seen {
	dev_t dev;
	pid_t pid;
	bool found;
};

static void see(dev_t dev, const char *pid, void *arg)
{
	struct seen *s = arg;

	s->found |= dev == s->dev && atoi(pid) == s->pid;
}

/* A process that has @path open for writing until the pipe's end closes; @orphan: not our child. */
static pid_t holder(const char *path, bool orphan, int hold[2])
{
	int tell[2];
	pid_t pid = 0;

	if (pipe(tell) || fork()) {
		close(tell[1]);
		if (read(tell[0], &pid, sizeof(pid)) != sizeof(pid))
			pid = 0;
		close(tell[0]);
		if (orphan)
			wait(NULL);
		return pid;
	}
	if (orphan && fork())
		_exit(0);
	pid = open(path, O_RDWR) >= 0 ? getpid() : 0;
	close(hold[1]);
	if (write(tell[1], &pid, sizeof(pid)) < 0 || read(hold[0], &pid, 1) < 0)
		_exit(1);
	_exit(0);
}

/* One process a target: the parent holds what its children test, and they each other's. */
static void family(void)
{
	struct seen child = { 0 }, orphan = { 0 };
	struct test_loop l;
	int hold[2], status = 0;

	attr_root = "";
	if (getuid() || !test_loop_make(&l, 1 << 20, 512) || pipe(hold)) {
		ok(true, "a real loop device # SKIP not root, or no loop device");
		return;
	}
	child.dev = orphan.dev = l.dev;
	child.pid = holder(l.path, false, hold);
	orphan.pid = holder(l.path, true, hold);
	opens_each(see, &child);
	opens_each(see, &orphan);
	ok(child.pid && !child.found, "a child's descriptor is our own");
	ok(orphan.pid && orphan.found, "another process's is not");
	fflush(stdout);
	if (!fork()) {
		struct seen parent = { .dev = l.dev, .pid = getppid() };

		opens_each(see, &child);
		opens_each(see, &parent);
		_exit(child.found || parent.found);
	}
	wait(&status);
	ok(!status, "nor is the parent's or a sibling's seen from a child");
	close(hold[1]);
	wait(NULL);
	close(l.fd);
}

static int print(const char *path)
{
	struct use uses[MAX];
	char brief[200];
	struct stat st;
	struct blk b;
	unsigned n;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) || blk_identify(&b, fd, st.st_rdev))
		return 1;
	n = use_find(&b, true, uses, MAX);
	for (unsigned i = 0; i < n; i++)
		printf("%s is %s [%s]\n", uses[i].device, uses[i].text, uses[i].remedy);
	use_brief(&b, brief, sizeof(brief));
	printf("brief: %s\n", brief);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return print(argv[1]);
	recorded();
	without_sys();
	crowded();
	lines();
	faults();
	family();
	return tap_done();
}
