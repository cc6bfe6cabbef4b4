/* SPDX-License-Identifier: MIT */
/* blk - what a block device is: numbers, sizes, sectors, the disk it is on, identity. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <core/size.h>
#include <device/attr.h>
#include <device/blk.h>
#include <device/sys.h>

#include <linux/fs.h>

#define CLASS "/sys/class/block/%s"

/* Where a device lies below /sys: "devices/pci0000:00/.../block/sda/sda2". */
struct place {
	char path[1024];
};

static int place_of(struct place *p, const char *name)
{
	ssize_t n = attr_link_path(p->path, sizeof(p->path), CLASS, name);
	char *devices = n < 0 ? NULL : strstr(p->path, "devices/");

	if (n < 0)
		return (int)n;
	if (!devices)
		return -ENOENT;
	memmove(p->path, devices, strlen(devices) + 1);
	return 0;
}

static bool place_up(struct place *p)
{
	char *slash = strrchr(p->path, '/');

	if (slash)
		*slash = '\0';
	return slash;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The number behind "/word" where a component of the path is that word and a number, or -1. */
static long place_number(const struct place *p, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = strchr(p->path, '/'); at; at = strchr(at + 1, '/'))
		if (!strncmp(at + 1, word, n) && at[1 + n] >= '0' && at[1 + n] <= '9')
			return atol(at + 1 + n);
	return -1;
}

/* Whether @word stands in @list, which has a blank around each. */
static bool is_one_of(const char *list, const char *word)
{
	char key[48];

	snprintf(key, sizeof(key), " %s ", word);
	return strstr(list, key);
}

int blk_name_of(char name[BLK_NAME], dev_t dev)
{
	ssize_t n = attr_link(name, BLK_NAME, "/sys/dev/block/%u:%u", major(dev), minor(dev));

	return n < 0 ? (int)n : 0;
}

dev_t blk_dev_of(const char *name)
{
	char text[32];

	return attr_text(text, sizeof(text), CLASS "/dev", name) > 0 ? blk_dev_parse(text) : 0;
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
	if (!attr_stat(&st, "%s", path))
		return S_ISBLK(st.st_mode) ? st.st_rdev : 0;
	return name == path + 5 && *name ? blk_dev_of(name) : 0;
}

bool blk_is_partition(const char *name)
{
	return attr_exists(CLASS "/partition", name);
}

int blk_disk_of(char disk[BLK_NAME], const char *name)
{
	struct place p;
	int rc = place_of(&p, name);

	if (rc < 0)
		return rc;
	if (blk_is_partition(name))
		place_up(&p);
	snprintf(disk, BLK_NAME, "%s", last_part(p.path));
	return 0;
}

void blk_each_partition(const char *disk, void (*each)(const char *name, void *arg), void *arg)
{
	struct attr_dir d;
	const char *name;

	if (attr_dir_open(&d, CLASS, disk))
		return;
	while ((name = attr_dir_next(&d)))
		if (!strncmp(name, disk, strlen(disk)) && blk_is_partition(name))
			each(name, arg);
	attr_dir_close(&d);
}

/* ---- what lies below ------------------------------------------------------------------- */

struct leaves {
	void (*each)(const char *disk, void *arg);
	void *arg;
	unsigned n;
	char seen[64][BLK_NAME];
};

static void leaf(struct leaves *l, const char *disk)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->seen[i], disk))
			return;
	if (l->n < sizeof(l->seen) / sizeof(l->seen[0]))
		snprintf(l->seen[l->n++], BLK_NAME, "%s", disk);
	l->each(disk, l->arg);
}

/* The paths of the head nvmeXnZ are the hidden disks nvmeXcYnZ; only Linux 6.15 and later
 * link them from the head. Returns whether there were any. */
static bool nvme_paths(struct leaves *l, const char *head)
{
	const char *name, *space = strrchr(head, 'n');
	struct attr_dir d;
	bool any = false;
	size_t subsystem;

	if (strncmp(head, "nvme", 4) || !space || space < head + 5 ||
	    attr_dir_open(&d, "/sys/block"))
		return false;
	subsystem = (size_t)(space - head);
	while ((name = attr_dir_next(&d))) {
		const char *tail = strrchr(name, 'n');

		if (strncmp(name, head, subsystem) || name[subsystem] != 'c' || strcmp(tail, space))
			continue;
		leaf(l, name);
		any = true;
	}
	attr_dir_close(&d);
	return any;
}

static void leaves_below(struct leaves *l, const char *name, unsigned depth)
{
	char disk[BLK_NAME];
	struct attr_dir d;
	bool any = false;
	const char *slave;

	if (depth > 16)
		return;
	if (blk_disk_of(disk, name) < 0) {
		if (depth)
			leaf(l, name);
		return;
	}
	if (!attr_dir_open(&d, CLASS "/slaves", disk)) {
		while ((slave = attr_dir_next(&d))) {
			leaves_below(l, slave, depth + 1);
			any = true;
		}
		attr_dir_close(&d);
	}
	if (!any && !nvme_paths(l, disk))
		leaf(l, disk);
}

void blk_each_leaf(const char *name, void (*each)(const char *disk, void *arg), void *arg)
{
	struct leaves l;

	l.each = each;
	l.arg = arg;
	l.n = 0;
	leaves_below(&l, name, 0);
}

/* ---- identity -------------------------------------------------------------------------- */

static void copy_trimmed(char *dst, size_t size, const unsigned char *src, size_t n, unsigned swap)
{
	size_t at = 0;

	for (size_t i = 0; i < n && at + 1 < size; i++) {
		char c = (char)src[i ^ swap];

		if (at || (c && c != ' '))
			dst[at++] = c;
	}
	while (at && (!dst[at - 1] || dst[at - 1] == ' '))
		at--;
	dst[at] = '\0';
}

static uint32_t known_rpm(unsigned value)
{
	return value == 1 || (value >= 0x401 && value <= 0xfffe) ? value : 0;
}

/* INQUIRY cuts an ATA drive's model at 16 bytes; page 89h (SAT-4 12.4.2) has IDENTIFY DEVICE
 * from byte 60 on: words 10 and 27 are the serial number and the model, their bytes swapped. */
static void ata_information(struct blk *b)
{
	unsigned char page[572];

	if (attr_bytes(page, sizeof(page), CLASS "/device/vpd_pg89", b->disk) != sizeof(page) ||
	    page[1] != 0x89 || page[56] != 0xec)
		return;
	copy_trimmed(b->model, sizeof(b->model), page + 60 + 2 * 27, 40, 1);
	if (!b->serial[0])
		copy_trimmed(b->serial, sizeof(b->serial), page + 60 + 2 * 10, 20, 1);
	if (!b->rpm)
		b->rpm = known_rpm(page[60 + 2 * 217] | (unsigned)page[60 + 2 * 217 + 1] << 8);
}

static void scsi_identity(struct blk *b)
{
	unsigned char page[260];
	ssize_t n;

	attr_text(b->vendor, sizeof(b->vendor), CLASS "/device/vendor", b->disk);
	n = attr_bytes(page, sizeof(page), CLASS "/device/vpd_pg80", b->disk);
	if (n > 4 && page[1] == 0x80)
		copy_trimmed(b->serial, sizeof(b->serial), page + 4, (size_t)n - 4, 0);
	n = attr_bytes(page, sizeof(page), CLASS "/device/vpd_pgb1", b->disk);
	if (n >= 6 && page[1] == 0xb1)
		b->rpm = known_rpm((unsigned)page[4] << 8 | page[5]);
	/* SAT puts this where a vendor would be. */
	if (!strcmp(b->vendor, "ATA"))
		b->vendor[0] = '\0';
	ata_information(b);
}

/* The first of these attributes that says something. */
static void first_text(char *buf, size_t size, const char *disk, const char *const *names)
{
	for (buf[0] = '\0'; *names && !buf[0]; names++)
		attr_text(buf, size, CLASS "/%s", disk, *names);
}

static void usb_serial(struct blk *b, struct place p)
{
	while (!b->serial[0] && place_up(&p))
		if (attr_exists("/sys/%s/idVendor", p.path)) {
			attr_text(b->serial, sizeof(b->serial), "/sys/%s/serial", p.path);
			return;
		}
}

/* The driver of the nearest device that sits on a bus of the machine. */
static void host_driver(struct blk *b, struct place p)
{
	long host = place_number(&p, "host");
	char bus[32];

	while (place_up(&p))
		if (attr_link(bus, sizeof(bus), "/sys/%s/subsystem", p.path) > 0 &&
		    is_one_of(" pci platform usb virtio vmbus xen ccw amba firewire pcmcia pnp ",
			      bus) &&
		    attr_link(b->driver, sizeof(b->driver), "/sys/%s/driver", p.path) > 0)
			return;
	if (host >= 0)
		attr_text(b->driver, sizeof(b->driver), "/sys/class/scsi_host/host%ld/proc_name",
			  host);
}

static void nvme_transport(struct blk *b)
{
	char transport[16], controller[BLK_NAME + 16] = "device";
	struct attr_dir d;
	const char *name;

	/* A multipath head's device is the subsystem; its controllers are links in there. */
	if (!attr_exists(CLASS "/device/transport", b->disk) &&
	    !attr_dir_open(&d, CLASS "/device", b->disk)) {
		while ((name = attr_dir_next(&d)))
			if (attr_exists(CLASS "/device/%s/transport", b->disk, name)) {
				snprintf(controller, sizeof(controller), "device/%s", name);
				break;
			}
		attr_dir_close(&d);
	}
	attr_text(transport, sizeof(transport), CLASS "/%s/transport", b->disk, controller);
	if (is_one_of(" tcp rdma fc ", transport))
		snprintf(b->fabric, sizeof(b->fabric), "nvme-of");
	if (!b->driver[0] &&
	    attr_link(b->driver, sizeof(b->driver), CLASS "/%s/device/driver", b->disk,
		      controller) < 0 &&
	    b->fabric[0])
		snprintf(b->driver, sizeof(b->driver), "nvme-%s", transport);
}

static const char *scsi_bus(struct blk *b, const struct place *p, long host)
{
	if (place_number(p, "session") >= 0 || attr_exists("/sys/class/iscsi_host/host%ld", host)) {
		strcpy(b->fabric, "iscsi");
		return "iscsi";
	}
	if (attr_exists("/sys/class/fc_host/host%ld", host)) {
		strcpy(b->fabric, "fc");
		return "fc";
	}
	if (is_one_of(" megaraid_sas hpsa smartpqi aacraid arcmsr ", b->driver))
		return "raid";
	if (attr_exists("/sys/class/sas_host/host%ld", host) ||
	    attr_exists(CLASS "/device/sas_address", b->disk))
		return "sas";
	return "scsi";
}

/* As people say it: a disk behind a USB bridge is a USB disk, though it is also a SCSI one. */
static void bus_of(struct blk *b, const struct place *p)
{
	long host = place_number(p, "host");
	const char *bus = NULL;
	size_t n;

	if (place_number(p, "usb") >= 0)
		bus = "usb";
	else if (place_number(p, "ata") >= 0)
		bus = "ata";
	else if (!strncmp(b->disk, "nvme", 4))
		bus = "nvme";
	else if (!strncmp(b->disk, "mmcblk", 6))
		bus = "mmc";
	else if (!strncmp(b->disk, "xvd", 3))
		bus = "xen";
	else if (host >= 0)
		bus = scsi_bus(b, p, host);
	if (bus) {
		snprintf(b->bus, sizeof(b->bus), "%s", bus);
		return;
	}
	if (attr_link(b->bus, sizeof(b->bus), CLASS "/device/subsystem", b->disk) > 0)
		return;
	/* loop0, dm-0, md127, zram1: no device below. */
	n = strcspn(b->disk, "-0123456789");
	snprintf(b->bus, sizeof(b->bus), "%.*s", (int)n, b->disk);
}

/* What all disks below a dm or md device have in common. */
struct common {
	struct blk *b;
	bool first;
};

static void below(const char *disk, void *arg)
{
	struct common *c = arg;
	struct blk lower;

	if (!strcmp(disk, c->b->disk))
		return;
	/* Of what cannot be described nothing is known, and so nothing is common. */
	blk_describe(&lower, disk);
	if (c->first) {
		c->b->rpm = lower.rpm;
		memcpy(c->b->driver, lower.driver, sizeof(lower.driver));
	}
	if (c->b->rpm != lower.rpm)
		c->b->rpm = 0;
	if (strcmp(c->b->driver, lower.driver))
		c->b->driver[0] = '\0';
	if (lower.fabric[0])
		memcpy(c->b->fabric, lower.fabric, sizeof(lower.fabric));
	c->first = false;
}

static void identity(struct blk *b, const struct place *p)
{
	static const char *const model[] = { "device/model", "device/name", "dm/name", "md/level",
					     NULL };
	static const char *const serial[] = { "serial", "device/serial", NULL };
	static const char *const wwid[] = { "wwid", "device/wwid", "device/cid", NULL };
	struct common c = { .b = b, .first = true };

	first_text(b->model, sizeof(b->model), b->disk, model);
	first_text(b->serial, sizeof(b->serial), b->disk, serial);
	first_text(b->wwid, sizeof(b->wwid), b->disk, wwid);
	host_driver(b, *p);
	bus_of(b, p);
	if (place_number(p, "host") >= 0)
		scsi_identity(b);
	if (!strcmp(b->bus, "usb"))
		usb_serial(b, *p);
	if (!strcmp(b->bus, "nvme"))
		nvme_transport(b);
	if (attr_exists(CLASS "/slaves", b->disk))
		blk_each_leaf(b->disk, below, &c);
}

static uint64_t number(const char *name, const char *attribute)
{
	uint64_t value = 0;

	attr_number(&value, CLASS "/%s", name, attribute);
	return value;
}

int blk_describe(struct blk *b, const char *name)
{
	uint64_t value;
	struct place p;
	char zoned[32];
	int rc;

	memset(b, 0, sizeof(*b));
	b->rotational = -1;
	rc = place_of(&p, name);
	if (rc < 0)
		return rc;
	snprintf(b->name, sizeof(b->name), "%s", name);
	b->dev = b->disk_dev = blk_dev_of(name);
	b->size_bytes = number(name, "size") * 512;
	b->alignment_offset_bytes = (uint32_t)number(name, "alignment_offset");
	b->partition = blk_is_partition(name);
	if (b->partition) {
		b->start_bytes = number(name, "start") * 512;
		place_up(&p);
	}
	snprintf(b->disk, sizeof(b->disk), "%s", last_part(p.path));
	if (b->partition)
		b->disk_dev = blk_dev_of(b->disk);
	b->logical_block_bytes = (uint32_t)number(b->disk, "queue/logical_block_size");
	b->physical_block_bytes = (uint32_t)number(b->disk, "queue/physical_block_size");
	b->dma_alignment = b->logical_block_bytes;
	if (!attr_number(&value, CLASS "/queue/dma_alignment", b->disk))
		b->dma_alignment = (uint32_t)value + 1;
	if (!attr_number(&value, CLASS "/queue/rotational", b->disk))
		b->rotational = value != 0;
	attr_text(zoned, sizeof(zoned), CLASS "/queue/zoned", b->disk);
	b->zoned_host_managed = !strcmp(zoned, "host-managed");
	identity(b, &p);
	return 0;
}

/* The descriptor knows best; what it does not say stays as /sys had it. */
static int ask_device(struct blk *b, int fd)
{
	unsigned physical = 0;
	int logical = 0, offset = 0;
	uint64_t size = 0;
	int rc = sys.ioctl(fd, BLKGETSIZE64, &size);

	if (rc >= 0)
		b->size_bytes = size;
	else if (!b->size_bytes)
		return rc;
	rc = sys.ioctl(fd, BLKSSZGET, &logical);
	if (rc >= 0)
		b->logical_block_bytes = (uint32_t)logical;
	else if (!b->logical_block_bytes)
		return rc;
	if (sys.ioctl(fd, BLKPBSZGET, &physical) >= 0)
		b->physical_block_bytes = physical;
	if (b->physical_block_bytes < b->logical_block_bytes)
		b->physical_block_bytes = b->logical_block_bytes;
	/* -1: a stack of devices whose sectors do not line up. */
	if (sys.ioctl(fd, BLKALIGNOFF, &offset) >= 0)
		b->alignment_offset_bytes = offset > 0 ? (uint32_t)offset : 0;
	if (!b->dma_alignment)
		b->dma_alignment = b->logical_block_bytes;
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
	bool marked;
	char *which;
	unsigned depth;
};

static void mark(struct marks *m, const char *name)
{
	uint64_t ro;

	if (m->marked || attr_number(&ro, CLASS "/ro", name))
		return;
	m->known = true;
	m->marked = ro != 0;
	if (m->marked)
		snprintf(m->which, BLK_NAME, "%s", name);
}

static void mark_partition(const char *name, void *arg)
{
	mark(arg, name);
}

static void marks_below(struct marks *m, const char *name)
{
	char disk[BLK_NAME];
	struct attr_dir d;
	const char *slave;

	mark(m, name);
	if (m->depth > 16 || blk_disk_of(disk, name) < 0)
		return;
	if (strcmp(disk, name))
		mark(m, disk);
	else
		blk_each_partition(name, mark_partition, m);
	if (attr_dir_open(&d, CLASS "/slaves", disk))
		return;
	m->depth++;
	while (!m->marked && (slave = attr_dir_next(&d)))
		marks_below(m, slave);
	m->depth--;
	attr_dir_close(&d);
}

int blk_read_only(const struct blk *b, int fd, char which[BLK_NAME])
{
	struct marks m = { .which = which };
	int ro = 0, rc = sys.ioctl(fd, BLKROGET, &ro);

	which[0] = '\0';
	if (rc >= 0 && ro) {
		snprintf(which, BLK_NAME, "%s", b->name);
		return 1;
	}
	marks_below(&m, b->name);
	if (m.marked)
		return 1;
	return m.known || rc >= 0 ? 0 : rc;
}

int blk_size(int fd, uint64_t *bytes)
{
	return sys.ioctl(fd, BLKGETSIZE64, bytes);
}
