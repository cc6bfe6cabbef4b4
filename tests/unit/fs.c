/* SPDX-License-Identifier: MIT */
/* fs - the file system below a folder, by made and recorded mountinfo. */

/* The file system below a folder: made and recorded mountinfo, with stat's and statfs's answers
 * as they would be there, and then what this machine itself has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <device/attr.h>
#include <device/fs.h>

#include "../fault.h"
#include "../tap.h"

static char root[] = "/tmp/fs.XXXXXX";
static int fake_fd;
static dev_t fake_dev;
static unsigned long fake_type;
static struct sys real;

static int fake_fstat(int fd, struct stat *st)
{
	int rc = real.fstat(fd, st);

	if (fd == fake_fd)
		st->st_dev = fake_dev;
	return rc;
}

static int fake_fstatfs(int fd, struct statfs *st)
{
	int rc = real.fstatfs(fd, st);

	if (fd != fake_fd)
		return rc;
	st->f_type = fake_type;
	st->f_bsize = 4096;
	st->f_bavail = 1000;
	return rc;
}

static void put(const char *name, const char *text)
{
	char path[128], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = strchr(path + sizeof(root), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

struct expected {
	const char *what, *mountinfo, *fdinfo; /* or NULL and the root */
	unsigned maj, min;
	unsigned long magic;
	const char *type, *name, *text;
	bool memory;
};

/* clang-format off */
static const struct expected table[] = {
	{ "by number", "26 1 8:2 / / rw - ext4 /dev/root rw\n", "",
	  8, 2, 0xef53, "ext4", "", "ext4", false },
	{ "by mount", "26 1 0:40 / / rw - tmpfs tmpfs rw\n27 1 0:41 / /p rw - btrfs /dev/sdx1 rw\n",
	  "pos:\t0\nflags:\t010000000\nmnt_id:\t27\n",
	  0, 99, 0x9123683e, "btrfs", "", "btrfs on /dev/sdx1", false },
	{ "memory", "26 1 0:40 / / rw - tmpfs none rw\n", "",
	  0, 40, 0x01021994, "tmpfs", "", "tmpfs", true },
	{ "the first root", "1 1 0:2 / / rw - rootfs rootfs rw\n", "",
	  0, 2, 0x858458f6, "rootfs", "", "rootfs", true },
	{ "network", "26 1 0:50 / /n rw - nfs4 server:/export rw\n", "",
	  0, 50, 0x6969, "nfs4", "", "nfs4 on server:/export", false },
	{ "not listed", "26 1 8:2 / / rw - ext4 /dev/sda2 rw\n", "",
	  8, 3, 0x58465342, "xfs", "", "xfs", false },
	/* What is written to a live system's root lands in memory, as in /dev/shm here. */
	{ "overlay", "26 1 0:60 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/dev/shm,workdir=/w\n", "",
	  0, 60, 0x794c7630, "overlay", "", "overlay on tmpfs", true },
	{ "overlay of nothing", "26 1 0:60 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/no/where\n", "",
	  0, 60, 0x794c7630, "overlay", "", "overlay", false },
	{ "/nowhere", NULL, NULL, 0, 7, 0x01021994, "tmpfs", "", "tmpfs", true },
	{ "/nowhere", NULL, NULL, 0, 7, 0x12345678, "", "", "", false },
	{ "tests/data/root/laptop", NULL, NULL, 253, 0, 0xef53,
	  "ext4", "dm-0", "ext4 on /dev/mapper/vg-root on sda", false },
	{ "tests/data/root/laptop", NULL, NULL, 8, 1, 0xef53,
	  "ext2", "sda1", "ext2 on /dev/sda1", false },
	{ "tests/data/root/board", NULL, NULL, 179, 1, 0xef53,
	  "ext4", "mmcblk0p1", "ext4 on /dev/mmcblk0p1", false },
	{ "tests/data/root/iscsi", NULL, NULL, 0, 40, 0x9123683e,
	  "btrfs", "vda", "btrfs on /dev/vda", false },
};
/* clang-format on */

static void made(void)
{
	char fdinfo[48];

	fake_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(fdinfo, sizeof(fdinfo), "proc/self/fdinfo/%d", fake_fd);
	real = sys;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct expected *e = &table[i];
		struct fs f;
		int rc;

		attr_root = e->mountinfo ? root : e->what;
		if (e->mountinfo) {
			put("proc/self/mountinfo", e->mountinfo);
			put(fdinfo, e->fdinfo);
		}
		fake_dev = makedev(e->maj, e->min);
		fake_type = e->magic;
		sys.fstat = fake_fstat;
		sys.fstatfs = fake_fstatfs;
		rc = fs_describe(&f, fake_fd);
		sys = real;
		ok(rc == 0 && !strcmp(f.type, e->type), "%s: type '%s'", e->what, e->type);
		ok(!strcmp(f.text, e->text), "%s: '%s'", e->what, e->text);
		if (strcmp(f.text, e->text))
			printf("# got '%s'\n", f.text);
		ok(!strcmp(f.name, e->name), "%s: device '%s'", e->what, e->name);
		ok(f.memory == e->memory, "%s: memory", e->what);
		ok(f.free_bytes == 4096000, "%s: free bytes", e->what);
	}
	close(fake_fd);
	fake_fd = -1;
}

static void clean(void)
{
	static const char *const folders[] = { "proc/self/fdinfo", "proc/self", "proc", "" };
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	unlink(path);
	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "%s/proc/self/fdinfo/%d", root, fd);
		unlink(path);
	}
	for (size_t i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		rmdir(path);
	}
	ok(access(root, F_OK) != 0, "nothing is left");
}

static void real_ones(void)
{
	int fd = open("/proc", O_PATH | O_CLOEXEC);
	bool survived, sane = true;
	struct fs f;
	long runs;

	attr_root = "";
	ok(fs_describe(&f, fd) == 0 && !strcmp(f.type, "proc") && !f.memory && !f.name[0],
	   "/proc is proc");
	close(fd);
	ok(fs_describe(&f, -1) == -EBADF, "no descriptor");
	fd = open("/dev/shm", O_PATH | O_CLOEXEC);
	if (fs_describe(&f, fd) || strcmp(f.type, "tmpfs"))
		ok(true, "/dev/shm # SKIP is no tmpfs");
	else
		ok(f.memory && f.free_bytes && !strcmp(f.text, "tmpfs"), "/dev/shm is memory");
	close(fd);
	attr_root = "tests/data/root/laptop";
	fd = open("/", O_PATH | O_CLOEXEC);
	FAULT_EACH(EIO, survived, runs, {
		int rc = fs_describe(&f, fd);

		sane &= rc == -EIO || (rc == 0 && strlen(f.text) < sizeof(f.text));
	});
	ok(survived && sane && runs > 4, "survives each of %ld failures", runs);
	close(fd);
}

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	made();
	real_ones();
	clean();
	return tap_done();
}
