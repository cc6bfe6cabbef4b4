/* SPDX-License-Identifier: MIT */
/* blk - what a block device is: numbers, sizes, sectors, the disk it is on, identity. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/blk.h>
#include <device/sys.h>

#include <linux/fs.h>

#define PLACE 1024
#define DEPTH 16

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
	return slash;
}

/* Where the disk of @name lies, from /sys/class/block on: "../../devices/pci0000:00/.../sda". */
static int place_of_disk(char place[PLACE], const char *name)
{
	ssize_t n = attr_link_path(place, PLACE, attr_path("/sys/class/block/%s", name));

	if (n > 0 && attr_exists(attr_block(name, "partition")))
		cut_last(place);
	return n < 0 ? (int)n : 0;
}

/* The component of @place that is @word and a number, with the slash before it, or NULL. */
static char *component(char *place, const char *word)
{
	size_t n = strlen(word);

	while ((place = strchr(place, '/'))) {
		if (!strncmp(place + 1, word, n) && place[1 + n] >= '0' && place[1 + n] <= '9')
			return place;
		place++;
	}
	return NULL;
}

void blk_copy_name(char to[BLK_NAME], const char *name)
{
	snprintf(to, BLK_NAME, "%s", name);
}

int blk_name_of(char name[BLK_NAME], dev_t dev)
{
	ssize_t n = attr_link(name, BLK_NAME,
			      attr_path("/sys/dev/block/%u:%u", major(dev), minor(dev)));

	return n < 0 ? (int)n : 0;
}

dev_t blk_dev_of(const char *name)
{
	char text[32];

	attr_text(text, sizeof(text), attr_block(name, "dev"));
	return blk_dev_parse(text);
}

dev_t blk_dev_parse(const char *text)
{
	unsigned maj = (unsigned)size_digits(&text, 10), min;

	if (*text++ != ':')
		return 0;
	/* Not as an argument: makedev() may be a macro that evaluates it twice. */
	min = (unsigned)size_digits(&text, 10);
	return makedev(maj, min);
}

dev_t blk_dev_of_node(const char *path)
{
	const char *name = last_part(path);
	struct stat st;

	if (strncmp(path, "/dev/", 5))
		return 0;
	if (!sys.stat(attr_path("%s", path), &st))
		return S_ISBLK(st.st_mode) ? st.st_rdev : 0;
	return name == path + 5 ? blk_dev_of(name) : 0;
}

void blk_each_partition(const char *disk, void (*each)(const char *name, void *arg), void *arg)
{
	struct attr_dir d;
	const char *name;

	attr_dir_open(&d, attr_block(disk, ""));
	while ((name = attr_dir_next(&d)))
		if (attr_exists(attr_block(name, "partition")))
			each(name, arg);
}

/* ---- what lies below ------------------------------------------------------------------- */

struct walk {
	bool (*visit)(const char *name, enum blk_part part, void *arg);
	void *arg;
};

/* The paths of the head nvmeXnZ are the hidden disks nvmeXcYnZ; only Linux 6.15 and later
 * link them from the head. */
static bool visit_leaves(const struct walk *w, const char *disk)
{
	const char *name, *space = strrchr(disk, 'n');
	bool any = false, done = false;
	struct attr_dir d;

	if (!strncmp(disk, "nvme", 4) && !strchr(disk, 'c')) {
		attr_dir_open(&d, attr_path("/sys/block"));
		while ((name = attr_dir_next(&d)))
			if (!strncmp(name, disk, (size_t)(space - disk)) &&
			    name[space - disk] == 'c' && !strcmp(strrchr(name, 'n'), space)) {
				any = true;
				done |= w->visit(name, BLK_LEAF, w->arg);
			}
	}
	return any ? done : w->visit(disk, BLK_LEAF, w->arg);
}

static bool walk(const struct walk *w, const char *name, unsigned depth)
{
	char place[PLACE], disk[BLK_NAME];
	bool done = w->visit(name, BLK_COVERED, w->arg), leaf = true;
	struct attr_dir d;
	const char *slave;

	if (done)
		return true;
	if (depth > DEPTH || place_of_disk(place, name) < 0)
		return depth && w->visit(name, BLK_LEAF, w->arg);
	blk_copy_name(disk, last_part(place));
	if (strcmp(disk, name))
		done = w->visit(disk, BLK_CARRIER, w->arg);
	attr_dir_open(&d, attr_block(disk, "slaves"));
	while (!done && (slave = attr_dir_next(&d))) {
		leaf = false;
		done = walk(w, slave, depth + 1);
	}
	attr_dir_close(&d);
	return done || (leaf && visit_leaves(w, disk));
}

bool blk_walk(const char *name, bool (*visit)(const char *name, enum blk_part part, void *arg),
	      void *arg)
{
	struct walk w = { visit, arg };

	return walk(&w, name, 0);
}

struct leaves {
	void (*each)(const char *disk, void *arg);
	void *arg;
	unsigned n;
	char seen[64][BLK_NAME];
};

static bool on_leaf(const char *name, enum blk_part part, void *arg)
{
	struct leaves *l = arg;

	if (part != BLK_LEAF)
		return false;
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->seen[i], name))
			return false;
	if (l->n < sizeof(l->seen) / sizeof(l->seen[0]))
		blk_copy_name(l->seen[l->n++], name);
	l->each(name, l->arg);
	return false;
}

void blk_each_leaf(const char *name, void (*each)(const char *disk, void *arg), void *arg)
{
	struct leaves l;

	l.each = each;
	l.arg = arg;
	l.n = 0;
	blk_walk(name, on_leaf, &l);
}

/* ---- identity -------------------------------------------------------------------------- */

/* SBC-4 6.6.2, ACS-4 7.12.7: 1 does not turn, the others are reserved. */
static void set_rpm(struct blk *b, unsigned rpm)
{
	if (rpm == 1 || (rpm > 0x400 && rpm < 0xffff))
		b->rpm = rpm;
}

static void scsi_identity(struct blk *b)
{
	unsigned char page[572];
	ssize_t n = attr_bytes(page, 256, attr_block(b->disk, "device/vpd_pg80"));

	if (n > 4) {
		attr_trim((char *)page + 4, n - 4);
		snprintf(b->serial, sizeof(b->serial), "%s", page + 4);
	}
	/* INQUIRY cuts an ATA drive's model at 16 bytes; SAT-4 12.4.2 has IDENTIFY DEVICE from
	 * byte 60 on, in which word 27 begins the model, its bytes swapped. */
	if (attr_bytes(page, sizeof(page), attr_block(b->disk, "device/vpd_pg89")) ==
	    sizeof(page)) {
		for (unsigned i = 0; i < 40; i++)
			b->model[i] = (char)page[60 + 2 * 27 + (i ^ 1)];
		attr_trim(b->model, 40);
		set_rpm(b, page[60 + 2 * 217] | (unsigned)page[60 + 2 * 217 + 1] << 8);
	}
	if (attr_bytes(page, sizeof(page), attr_block(b->disk, "device/vpd_pgb1")) >= 6)
		set_rpm(b, (unsigned)page[4] << 8 | page[5]);
}

/* The first of these attributes, each ended by NUL, that says something. */
static void first_text(char *buf, size_t size, const char *disk, const char *names)
{
	for (; *names && attr_text(buf, size, attr_block(disk, names)) <= 0;)
		names += strlen(names) + 1;
}

/* As people say it: a disk behind a USB bridge is a USB disk, though it is also a SCSI one. */
static void bus_of(struct blk *b, char *place)
{
	static const struct {
		char word[12], bus[8];
	} table[] = {
		{ "usb", "usb" },   { "ata", "ata" },   { "session", "iscsi" },
		{ "rport-", "fc" }, { "nvme", "nvme" }, { "end_device-", "sas" },
		{ "host", "scsi" },
	};
	char transport[16];

	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (component(place, table[i].word)) {
			strcpy(b->bus, table[i].bus);
			break;
		}
	/* loop0, dm-0, md127, zram1 have no device below. */
	if (!b->bus[0] &&
	    attr_link(b->bus, sizeof(b->bus), attr_block(b->disk, "device/subsystem")) < 0)
		snprintf(b->bus, sizeof(b->bus), "%.*s", (int)strcspn(b->disk, "-0123456789"),
			 b->disk);
	/* tcp, rdma, fc; not pcie. A multipath head's paths say it. */
	attr_text(transport, sizeof(transport), attr_block(b->disk, "device/transport"));
	if (!strcmp(b->bus, "nvme") && attr_listed("tcp rdma fc", transport))
		strcpy(b->bus, "nvme-of");
}

static void identity(struct blk *b, char *place)
{
	char *host = component(place, "host");

	first_text(b->model, sizeof(b->model), b->disk,
		   "device/model\0device/name\0dm/name\0md/level\0");
	first_text(b->serial, sizeof(b->serial), b->disk, "serial\0device/serial\0");
	first_text(b->wwid, sizeof(b->wwid), b->disk, "wwid\0device/wwid\0");
	bus_of(b, place);
	if (host) {
		scsi_identity(b);
		*host = '\0';
	}
	while (attr_link(b->driver, sizeof(b->driver), attr_block(place, "driver")) < 0 &&
	       cut_last(place))
		;
	if (attr_listed("megaraid_sas hpsa smartpqi aacraid arcmsr", b->driver))
		strcpy(b->bus, "raid");
	/* The driver's is the interface, in the stick. */
	if (!strcmp(b->bus, "usb") && !b->serial[0])
		attr_text(b->serial, sizeof(b->serial), attr_block(place, "../serial"));
}

static uint64_t number(const char *name, const char *attribute)
{
	return attr_number(attr_block(name, attribute), 0);
}

int blk_describe(struct blk *b, const char *name)
{
	char place[PLACE];
	int rc = place_of_disk(place, name);

	memset(b, 0, sizeof(*b));
	b->rotational = -1;
	if (rc < 0)
		return rc;
	blk_copy_name(b->name, name);
	blk_copy_name(b->disk, last_part(place));
	b->partition = strcmp(b->disk, b->name) != 0;
	b->dev = blk_dev_of(b->name);
	b->disk_dev = blk_dev_of(b->disk);
	b->size_bytes = number(b->name, "size") * 512;
	b->start_bytes = number(b->name, "start") * 512;
	b->alignment_offset_bytes = (uint32_t)number(b->name, "alignment_offset");
	b->logical_block_bytes = (uint32_t)number(b->disk, "queue/logical_block_size");
	b->physical_block_bytes = (uint32_t)number(b->disk, "queue/physical_block_size");
	b->rotational = (int)attr_number(attr_block(b->disk, "queue/rotational"), (uint64_t)-1);
	identity(b, place);
	return 0;
}

/* The descriptor knows best; what it does not say stays as /sys had it. */
static int ask_device(struct blk *b, int fd)
{
	int offset, rc = blk_size(fd, &b->size_bytes);

	if (rc < 0 && !b->size_bytes)
		return rc;
	rc = sys.ioctl(fd, BLKSSZGET, &b->logical_block_bytes);
	if (rc < 0 && !b->logical_block_bytes)
		return rc;
	sys.ioctl(fd, BLKPBSZGET, &b->physical_block_bytes);
	if (b->physical_block_bytes < b->logical_block_bytes)
		b->physical_block_bytes = b->logical_block_bytes;
	/* -1: a stack of devices whose sectors do not line up. */
	if (sys.ioctl(fd, BLKALIGNOFF, &offset) >= 0)
		b->alignment_offset_bytes = offset > 0 ? (uint32_t)offset : 0;
	return 0;
}

int blk_identify(struct blk *b, int fd, dev_t dev)
{
	char name[BLK_NAME];

	if (blk_name_of(name, dev) < 0 || blk_describe(b, name) < 0) {
		memset(b, 0, sizeof(*b));
		b->rotational = -1;
		snprintf(b->name, sizeof(b->name), "%u:%u", major(dev), minor(dev));
		strcpy(b->disk, b->name);
	}
	b->dev = dev;
	if (!b->disk_dev)
		b->disk_dev = dev;
	return ask_device(b, fd);
}

/* ---- read-only marks ------------------------------------------------------------------- */

struct marks {
	bool known;
	char *which;
};

static void mark(const char *name, void *arg)
{
	struct marks *m = arg;
	uint64_t ro = attr_number(attr_block(name, "ro"), 2);

	m->known |= ro < 2;
	if (ro == 1)
		blk_copy_name(m->which, name);
}

static bool mark_all(const char *name, enum blk_part part, void *arg)
{
	struct marks *m = arg;

	mark(name, m);
	if (part == BLK_COVERED)
		blk_each_partition(name, mark, m);
	return m->which[0];
}

int blk_read_only(const struct blk *b, int fd, char which[BLK_NAME])
{
	struct marks m = { .which = which };
	int ro = 0, rc = sys.ioctl(fd, BLKROGET, &ro);

	which[0] = '\0';
	if (rc >= 0 && ro)
		blk_copy_name(which, b->name);
	else
		blk_walk(b->name, mark_all, &m);
	if (which[0])
		return 1;
	return m.known || rc >= 0 ? 0 : rc;
}

int blk_size(int fd, uint64_t *bytes)
{
	return sys.ioctl(fd, BLKGETSIZE64, bytes);
}
