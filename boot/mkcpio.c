/* SPDX-License-Identifier: MIT */
/* mkcpio - an initramfs archive (cpio, newc) from a list, without root, the same bytes each time.
 */
/*
 * mkcpio [LIST] >ARCHIVE, one entry a line as in the kernel's usr/gen_init_cpio.c:
 *   dir NAME MODE UID GID            file NAME SOURCE MODE UID GID
 *   slink NAME TARGET MODE UID GID   nod NAME MODE UID GID b|c MAJOR MINOR
 * Entries keep the list's order; their time is SOURCE_DATE_EPOCH, or 0. Exit 0, or 1 with the
 * line's number and the reason, and then the archive is not to be used. Format: Linux
 * Documentation/driver-api/early-userspace/buffer-format.rst.
 */
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Linux init/initramfs.c: do_header() skips an entry whose name is longer than PATH_MAX. */
enum { NAME_MAX_BYTES = 4095, WORDS_MAX = 9, LINE_MAX_BYTES = 16384 };

static const char *list_name = "-";
static unsigned line;
static uint32_t inode;
static uint32_t mtime;
static unsigned long long written;

static _Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "mkcpio: %s", list_name);
	if (line)
		fprintf(stderr, ":%u", line);
	fputs(": ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static unsigned long number(const char *what, const char *text, int base, unsigned long max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, base);
	if (*text < '0' || *text > '9' || *end || errno || value > max)
		fail("bad %s '%s'", what, text);
	return value;
}

static void put(const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, stdout) != size)
		fail("cannot write the archive: %s", strerror(errno));
	written += size;
}

static void pad(unsigned to)
{
	static const char zeros[512];

	put(zeros, (to - written % to) % to);
}

struct entry {
	const char *name;
	unsigned mode, uid, gid, major, minor;
	uint32_t size;
};

static void put_header(const struct entry *e)
{
	char header[111];

	/* A device number of its own (3:1), so that no two archives look hard-linked. */
	snprintf(header, sizeof(header),
		 "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", inode, e->mode,
		 e->uid, e->gid, 1u, mtime, e->size, 3u, 1u, e->major, e->minor,
		 (unsigned)strlen(e->name) + 1, 0u);
	inode++;
	put(header, 110);
	put(e->name, strlen(e->name) + 1);
	pad(4);
}

/* The first program of a system has no loader and no libraries beside it. */
static void want_static(const char *source, const unsigned char *bytes, size_t size)
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;
	uint64_t at, step;
	unsigned headers;

	if (size >= 2 && !memcmp(bytes, "#!", 2))
		return;
	if (size < sizeof(wide) || memcmp(bytes, ELFMAG, SELFMAG))
		fail("/init: %s is neither a program nor a script", source);
	memcpy(&wide, bytes, sizeof(wide));
	memcpy(&narrow, bytes, sizeof(narrow));
	if (bytes[EI_CLASS] == ELFCLASS64) {
		at = wide.e_phoff, step = wide.e_phentsize, headers = wide.e_phnum;
	} else {
		at = narrow.e_phoff, step = narrow.e_phentsize, headers = narrow.e_phnum;
	}
	/* The type is the first word of a program header of either class. */
	for (unsigned i = 0; i < headers; i++, at += step) {
		uint32_t type;

		if (at > size || size - at < sizeof(type))
			fail("/init: %s is cut short", source);
		memcpy(&type, bytes + at, sizeof(type));
		if (type == PT_INTERP)
			fail("/init: %s is dynamic and would not start: link it with -static",
			     source);
	}
}

static void put_file(struct entry *e, const char *source)
{
	FILE *f = fopen(source, "rb");
	struct stat st;
	unsigned char *bytes;

	if (!f || fstat(fileno(f), &st))
		fail("%s: %s", source, strerror(errno));
	if (!S_ISREG(st.st_mode))
		fail("%s: not a regular file", source);
	if (st.st_size > UINT32_MAX)
		fail("%s: 4 GiB and more do not fit into this format", source);
	bytes = malloc((size_t)st.st_size + 1);
	if (!bytes)
		fail("%s: %s", source, strerror(errno));
	if (fread(bytes, 1, (size_t)st.st_size + 1, f) != (size_t)st.st_size || ferror(f))
		fail("%s: it changed while it was read", source);
	fclose(f);
	e->size = (uint32_t)st.st_size;
	if (!strcmp(e->name, "init")) {
		want_static(source, bytes, e->size);
		if (!(e->mode & 0111))
			fail("/init: mode %o is not executable", e->mode & 07777);
	}
	put_header(e);
	put(bytes, e->size);
	pad(4);
	free(bytes);
}

static void put_entry(char **word, unsigned words)
{
	static const struct {
		const char *kind;
		unsigned words, mode;
	} kinds[] = {
		{ "dir", 5, S_IFDIR },
		{ "file", 6, S_IFREG },
		{ "slink", 6, S_IFLNK },
		{ "nod", 8, 0 },
	};
	struct entry e = { 0 };
	unsigned kind = 0, first;

	while (kind < 4 && strcmp(word[0], kinds[kind].kind))
		kind++;
	if (kind == 4)
		fail("'%s' is none of dir, file, slink, nod", word[0]);
	if (words != kinds[kind].words)
		fail("%s takes %u words, here are %u", word[0], kinds[kind].words, words);

	e.name = word[1];
	while (*e.name == '/')
		e.name++;
	if (!*e.name)
		fail("'%s' names nothing", word[1]);
	if (strlen(e.name) > NAME_MAX_BYTES)
		fail("the name is longer than %d bytes", NAME_MAX_BYTES);
	first = kinds[kind].mode == S_IFREG || kinds[kind].mode == S_IFLNK ? 3 : 2;
	e.mode = kinds[kind].mode | (unsigned)number("mode", word[first], 8, 07777);
	e.uid = (unsigned)number("user", word[first + 1], 10, UINT32_MAX);
	e.gid = (unsigned)number("group", word[first + 2], 10, UINT32_MAX);

	if (kinds[kind].mode == S_IFREG) {
		put_file(&e, word[2]);
		return;
	}
	if (!kinds[kind].mode) {
		if (strcmp(word[5], "b") && strcmp(word[5], "c"))
			fail("'%s' is neither b nor c", word[5]);
		e.mode |= *word[5] == 'b' ? S_IFBLK : S_IFCHR;
		e.major = (unsigned)number("major number", word[6], 10, 4095);
		e.minor = (unsigned)number("minor number", word[7], 10, 1048575);
	}
	if (kinds[kind].mode == S_IFLNK)
		e.size = (uint32_t)strlen(word[2]);
	put_header(&e);
	if (e.size) {
		put(word[2], e.size);
		pad(4);
	}
}

int main(int argc, char **argv)
{
	static char text[LINE_MAX_BYTES];
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	FILE *list = stdin;

	if (argc > 2 || (argc == 2 && argv[1][0] == '-' && argv[1][1])) {
		fputs("Usage: mkcpio [LIST] >ARCHIVE\n", stderr);
		return 2;
	}
	if (argc == 2 && strcmp(argv[1], "-")) {
		list_name = argv[1];
		list = fopen(list_name, "r");
		if (!list)
			fail("%s", strerror(errno));
	}
	if (epoch)
		mtime = (uint32_t)number("SOURCE_DATE_EPOCH", epoch, 10, UINT32_MAX);

	inode = 1;
	while (fgets(text, sizeof(text), list)) {
		char *word[WORDS_MAX], *next = text;
		unsigned words = 0;

		line++;
		if (!strchr(text, '\n') && !feof(list))
			fail("the line is longer than %d bytes", LINE_MAX_BYTES - 2);
		while (words < WORDS_MAX && (word[words] = strtok(next, " \t\r\n"))) {
			next = NULL;
			words++;
		}
		if (words && *word[0] != '#')
			put_entry(word, words);
	}
	if (ferror(list))
		fail("%s", strerror(errno));

	line = inode = 0;
	put_header(&(struct entry){ .name = "TRAILER!!!" });
	pad(512);
	if (fflush(stdout))
		fail("cannot write the archive: %s", strerror(errno));
	return 0;
}
