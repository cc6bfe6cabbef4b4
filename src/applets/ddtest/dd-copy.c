/* SPDX-License-Identifier: MIT */
/* dd-copy - what dd does between opening and closing: records in, records out. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <core/errno_text.h>
#include <core/msg.h>
#include <device/sys.h>
#include <timing/clock.h>

#include "dd-copy.h"
#include "dd-text.h"

#include <linux/fs.h>

#define PIECE_LEAST (64u << 10)

/* How copying ends, beside its exit status: 1, and without conv=fsync. */
enum { DD_QUIT = -1 };

volatile sig_atomic_t dd_interrupt, dd_asked;

/* ---- what is said ---------------------------------------------------------------------- */

static void end_progress(struct dd *d)
{
	if (d->progress)
		putc('\n', stderr);
	d->progress = 0;
}

int dd_say(struct dd *d, int rc, const char *fmt, ...)
{
	char text[160];
	const char *name;
	size_t n;
	va_list ap;

	if (rc > 0 && d->o.level == DD_LEVEL_NONE)
		return 1;
	end_progress(d);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strcspn(text, "<>");
	fprintf(stderr, "ddtest: %.*s", (int)n, text);
	if (text[n]) {
		name = text[n] == '<' ? d->in_name : d->out_name;
		dd_text(stderr, name, strlen(name), n ? DD_QUOTE_NAME : DD_QUOTE_NEEDED);
		n++;
	}
	fprintf(stderr, "%s%s%s\n", text + n, rc < 0 ? ": " : "", rc < 0 ? errno_text(-rc) : "");
	return 1;
}

static void print_bytes(struct dd *d, bool progress)
{
	/* A record that will be flushed as a whole counts when it was. */
	uint64_t bytes = d->stats.bytes + (d->flush && dd_interrupt ? 0 : d->record);
	char text[DD_STATS_TEXT];

	dd_stats_bytes(text, bytes, clock_now() - d->started, progress);
	if (!progress) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	fprintf(stderr, "\r%-*s", d->progress, text);
	fflush(stderr);
	d->progress = (int)strlen(text);
}

static void print_stats(struct dd *d)
{
	char text[DD_STATS_TEXT];

	if (d->o.level == DD_LEVEL_NONE)
		return;
	end_progress(d);
	fputs(dd_stats_records(text, &d->stats), stderr);
	if (d->o.level != DD_LEVEL_NOXFER)
		print_bytes(d, false);
}

static void progress(struct dd *d)
{
	if (d->o.level != DD_LEVEL_PROGRESS || clock_now() < d->next)
		return;
	print_bytes(d, true);
	d->next += NS_PER_S;
}

/* ---- signals and closing --------------------------------------------------------------- */

static int cleanup(struct dd *d);

void dd_signals(struct dd *d)
{
	while (dd_interrupt || dd_asked) {
		int signal = dd_interrupt;

		dd_asked = 0;
		if (signal && cleanup(d))
			_exit(1);
		print_stats(d);
		if (signal)
			raise(signal);
		dd_interrupt = 0;
	}
}

static int flush(struct dd *d, int (*how)(int fd))
{
	int rc;

	do {
		dd_signals(d);
		rc = how(d->out);
	} while (rc == -EINTR);
	return rc;
}

static int synchronize(struct dd *d)
{
	unsigned conv = d->o.conv;
	int rc = 0, status = 0;

	d->o.conv &= ~(unsigned)(DD_FDATASYNC | DD_FSYNC);
	if (conv & DD_FDATASYNC)
		rc = flush(d, sys.fdatasync);
	if (rc) {
		conv |= DD_FSYNC;
		if (rc != -ENOSYS && rc != -EINVAL)
			status = dd_say(d, rc, "fdatasync failed for >");
	}
	rc = conv & DD_FSYNC ? flush(d, sys.fsync) : 0;
	return rc ? dd_say(d, rc, "fsync failed for >") : status;
}

static int shut(struct dd *d, int *fd, const char *what)
{
	int rc = sys.close(*fd);

	*fd = -1;
	return rc && rc != -EINTR ? dd_say(d, rc, "%s", what) : 0;
}

static int cleanup(struct dd *d)
{
	return (!dd_interrupt && synchronize(d)) || shut(d, &d->in, "closing input file <") ||
	       shut(d, &d->out, "closing output file >");
}

int dd_truncate(struct dd *d, uint64_t size)
{
	int rc = sys.ftruncate(d->out, (off_t)size);

	return rc ? dd_say(d, rc, "failed to truncate to %llu bytes in output file >",
			   (unsigned long long)size)
		  : 0;
}

int dd_flags(struct dd *d, int fd, int on, int off, const char *what)
{
	int rc = sys.fcntl(fd, F_GETFL, 0);

	if (rc >= 0)
		rc = sys.fcntl(fd, F_SETFL, (rc | on) & ~off);
	return rc < 0 ? dd_say(d, rc, "%s", what) : 0;
}

/* For O_DIRECT also what GNU dd says nothing of: which sizes it takes. */
static int complain(struct dd *d, int rc, bool in, const char *what)
{
	int fd = in ? d->in : d->out, flags = in ? d->o.iflags : d->o.oflags;
	uint32_t memory, unit;

	dd_say(d, rc, "%s", what);
	if (rc != -EINVAL || !(flags & O_DIRECT))
		return 1;
	sys.dio_align(fd, &memory, &unit);
	if (unit || !sys.ioctl(fd, BLKSSZGET, &unit))
		warn("%cflag=direct: %s takes multiples of %u bytes", in ? 'i' : 'o',
		     in ? d->in_name : d->out_name, unit);
	return 1;
}

/* ---- input ----------------------------------------------------------------------------- */

/* Of the bytes asked for, @request are what GNU dd would have asked for: more than @size at
 * the start of a long record, 0 within one. */
static ssize_t read_once(struct dd *d, char *buf, size_t size, uint64_t request)
{
	bool after_short = d->before > 0 && (uint64_t)d->before < request;
	ssize_t n;

	do {
		dd_signals(d);
		n = d->zeros ? (ssize_t)size : sys.read(d->in, buf, size);
	} while (n == -EINTR);
	/* O_DIRECT at the unaligned end of a file. */
	if (n == -EINVAL && after_short && (d->o.iflags & O_DIRECT))
		n = 0;
	if (n > 0 && after_short && d->warn_partial) {
		dd_say(d, DD_NOTE, "warning: partial read (%lld byte%s); suggest iflag=fullblock",
		       (long long)d->before, d->before == 1 ? "" : "s");
		d->warn_partial = false;
	}
	d->before = n;
	return n;
}

/* With iflag=fullblock an error loses what came before it, as with GNU dd. */
static ssize_t read_full(struct dd *d, size_t size, uint64_t request)
{
	size_t done = 0;
	ssize_t n;

	do {
		n = read_once(d, d->ibuf + done, size - done, done ? size - done : request);
		if (n < 0)
			return n;
		done += (size_t)n;
	} while (d->o.fullblock && n && done < size);
	return (ssize_t)done;
}

/* A record that fits the buffer is one piece. */
static size_t piece_of(const struct dd *d, uint64_t record, uint64_t left)
{
	size_t most = record <= DD_BUFFER ? DD_BUFFER : d->piece;

	return left < most ? (size_t)left : most;
}

/* Pieces grow only while they are quick: a transfer sleeps uninterruptibly, and neither ^C
 * nor a line of progress may wait for 8 MiB on a slow stick. */
static void pace(struct dd *d)
{
	uint64_t now = clock_now(), took = now - d->piece_started;

	if (took < 125 * NS_PER_MS && d->piece < DD_BUFFER)
		d->piece *= 2;
	else if (took > 500 * NS_PER_MS && d->piece > PIECE_LEAST)
		d->piece /= 2;
	d->piece_started = now;
	progress(d);
}

/* ---- output ---------------------------------------------------------------------------- */

static bool is_nul(const char *buf, size_t size)
{
	return !*buf && !memcmp(buf, buf + 1, size - 1);
}

static ssize_t write_once(struct dd *d, const char *buf, size_t size)
{
	d->was_seek = false;
	if ((d->o.conv & DD_SPARSE) && is_nul(buf, size)) {
		if (sys.lseek(d->out, (off_t)size, SEEK_CUR) >= 0) {
			d->was_seek = true;
			return (ssize_t)size;
		}
		d->o.conv &= ~(unsigned)DD_SPARSE;
	}
	return sys.write(d->out, buf, size);
}

/* Returns how much was written; less than @size with the reason in d->err. */
static size_t write_all(struct dd *d, const char *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n;

		dd_signals(d);
		n = write_once(d, buf + done, size - done);
		if (n == -EINTR)
			continue;
		if (n <= 0) {
			d->err = n ? (int)n : -ENOSPC;
			break;
		}
		done += (size_t)n;
	}
	return done;
}

/* GNU dd does the same: the last, short block through the page cache, then fsync. */
static void turn_direct_off(struct dd *d, size_t size)
{
	dd_flags(d, d->out, 0, O_DIRECT, "failed to turn off O_DIRECT: >");
	d->o.oflags &= ~O_DIRECT;
	dd_say(d, DD_NOTE, "a block of %zu bytes goes through the cache, then fsync", size);
}

/* The record is complete, or as much of it as could be written. */
static bool settle(struct dd *d)
{
	int rc = 0;

	if (d->flush && d->record)
		rc = flush(d, d->flush == O_DSYNC ? sys.fdatasync : sys.fsync);
	/* A pipe or character device has nothing to flush. */
	if (rc == -EINVAL || rc == -ENOSYS)
		rc = d->flush = 0;
	if (rc) {
		d->err = rc;
		d->record = 0;
	}
	d->stats.bytes += d->record;
	d->written = d->record;
	d->record = 0;
	return !rc;
}

/* A piece of an output record, or all of it; false with d->err set. */
static bool put(struct dd *d, const char *buf, size_t size, bool last)
{
	size_t n;

	if ((d->o.oflags & O_DIRECT) && last && d->record + size < d->o.obs) {
		d->o.conv |= DD_FSYNC;
		if (size)
			turn_direct_off(d, size);
	}
	n = write_all(d, buf, size);
	d->record += n;
	if (n == size && !last)
		return true;
	return settle(d) && n == size;
}

/* Without bs= records of obs bytes are made of what comes. 0 or DD_QUIT. */
static int gather(struct dd *d, const char *buf, size_t size)
{
	while (size) {
		uint64_t left = d->o.obs - d->record;
		size_t most = piece_of(d, d->o.obs, left), n;

		if (most < d->gathered)
			most = d->gathered;
		n = size < most - d->gathered ? size : most - d->gathered;
		memcpy(d->obuf + d->gathered, buf, n);
		d->gathered += n;
		buf += n;
		size -= n;
		if (d->gathered < most)
			continue;
		d->gathered = 0;
		if (!put(d, d->obuf, most, most == left)) {
			d->stats.w_partial += d->written != 0;
			complain(d, d->err, false, "writing to >");
			return DD_QUIT;
		}
		if (most == left)
			d->stats.w_full++;
		else
			pace(d);
	}
	return 0;
}

/* What came of an input record goes out; with bs= it is a record there too, that ends with
 * the @last of it. 0, 1 or DD_QUIT. */
static int give(struct dd *d, size_t size, bool last)
{
	if (d->skipping)
		return 0;
	if (d->o.conv & DD_TWOBUFS)
		return gather(d, d->ibuf, size);
	if (!put(d, d->ibuf, size, last))
		return complain(d, d->err, false, "error writing >");
	if (last && d->written == d->o.ibs)
		d->stats.w_full++;
	else
		d->stats.w_partial += last;
	return 0;
}

/* ---- records --------------------------------------------------------------------------- */

enum { GO_ON = 2, AS_EMPTY = 3 };

/* GO_ON with the next record, AS_EMPTY: conv=sync makes NULs of this one, 0: stop. */
static int unreadable(struct dd *d, int rc)
{
	off_t at = d->in_seek;

	if (d->skipping || !(d->o.conv & DD_NOERROR)) {
		d->status = complain(d, rc, true, "error reading <");
		return 0;
	}
	if (d->o.level != DD_LEVEL_NONE)
		dd_say(d, rc, "error reading <");
	print_stats(d);
	/* Input goes on behind what could not be read. */
	if (!at) {
		d->in_offset += d->o.ibs - d->partread;
		at = sys.lseek(d->in, (off_t)d->in_offset, SEEK_SET);
	}
	if (at < 0 && at != -ESPIPE) {
		d->status = dd_say(d, (int)at, "<: cannot seek");
		d->in_seek = -ESPIPE;
	}
	return (d->o.conv & DD_SYNC) && !d->partread ? AS_EMPTY : GO_ON;
}

static void count_input(struct dd *d, uint64_t size)
{
	if (d->skipping)
		return;
	d->partread = size < d->o.ibs ? size : 0;
	if (size < d->o.ibs)
		d->stats.r_partial++;
	else
		d->stats.r_full++;
}

/* One input record of @want bytes; one longer than the buffer in pieces. What GNU dd would
 * have got by one read ends where a piece comes short. GO_ON, or how copying ends. */
static int copy_record(struct dd *d, uint64_t want)
{
	bool padded = d->o.conv & DD_SYNC, end = false, last;
	uint64_t done = 0;
	int rc;

	do {
		/* A pipe gives what it has, however much that is. */
		size_t size = piece_of(d, d->stream ? 0 : d->o.ibs, want - done);
		ssize_t n = end ? 0 : read_full(d, size, done ? 0 : want);

		if (n <= 0 && !done) {
			rc = n ? unreadable(d, (int)n) : 0;
			if (rc != AS_EMPTY)
				return rc;
		}
		if (n < 0)
			n = 0;
		d->in_offset += (uint64_t)n;
		done += (uint64_t)n;
		if (!end && ((size_t)n < size || done == want)) {
			end = true;
			count_input(d, done);
			if (done)
				d->before = (int64_t)done;
			if (padded) {
				want = d->o.ibs;
				size = piece_of(d, want, want - done + (uint64_t)n);
				/* A pipe may have given more than a piece. */
				if (size < (size_t)n)
					size = (size_t)n;
			}
		}
		if (end && padded) {
			memset(d->ibuf + n, 0, size - (size_t)n);
			done += size - (size_t)n;
			n = (ssize_t)size;
		}
		last = end && (!padded || done == want);
		rc = give(d, (size_t)n, last);
		if (!last)
			pace(d);
	} while (!rc && !last);
	if (!end)
		count_input(d, d->zeros ? want : done);
	return rc ? rc : GO_ON;
}

/* ---- skip and seek --------------------------------------------------------------------- */

/* Where the file can seek, but not there, that is the end.
 * 0: done; 1: the input has to be read instead; DD_QUIT. */
static int seek_by(struct dd *d, int fd, uint64_t total, const char *what)
{
	off_t rc = total > INT64_MAX ? -EOVERFLOW : sys.lseek(fd, (off_t)total, SEEK_CUR);

	if (rc >= 0)
		return 0;
	if (fd == d->in && sys.lseek(fd, 0, SEEK_END) < 0)
		return 1;
	dd_say(d, (int)rc, "%s", what);
	return DD_QUIT;
}

static int skip_input(struct dd *d)
{
	uint64_t left = d->o.skip;
	int rc = seek_by(d, d->in, left, "<: cannot skip");
	int64_t missing = 0;
	struct stat st;

	if (rc < 0)
		return rc;
	if (!rc) {
		d->in_offset += left;
		if (!sys.fstat(d->in, &st) && S_ISREG(st.st_mode))
			missing = (int64_t)d->in_offset - st.st_size;
		left = 0;
	}
	d->skipping = true;
	while (left && rc) {
		uint64_t want = left < d->o.ibs ? left : d->o.ibs, end = d->in_offset + want;

		rc = copy_record(d, want);
		if (d->status)
			return DD_QUIT;
		missing |= d->in_offset != end;
		left -= want;
	}
	d->skipping = false;
	if (missing > 0)
		dd_say(d, DD_NOTE, "<: cannot skip to specified offset");
	return 0;
}

static int copy_records(struct dd *d)
{
	const struct dd_operands *o = &d->o;
	int rc;

	do {
		uint64_t count = d->stats.r_full + d->stats.r_partial;
		uint64_t want = count < o->max_records ? o->ibs : o->max_bytes;

		progress(d);
		if (count > o->max_records || !want)
			return 0;
		rc = copy_record(d, want);
	} while (rc == GO_ON);
	return rc;
}

static int put_the_rest(struct dd *d)
{
	size_t size = d->gathered;
	bool done;

	if (!size && !d->record)
		return 0;
	d->gathered = 0;
	done = put(d, d->obuf, size, true);
	d->stats.w_partial += d->written != 0;
	return done ? 0 : complain(d, d->err, false, "error writing >");
}

/* A file that ends with a hole has its size yet to get. */
static int end_hole(struct dd *d)
{
	off_t size = sys.lseek(d->out, 0, SEEK_CUR);
	struct stat st;

	return !sys.fstat(d->out, &st) && S_ISREG(st.st_mode) && size > st.st_size
		       ? dd_truncate(d, (uint64_t)size)
		       : 0;
}

static int copy(struct dd *d)
{
	int rc = 0;

	if (d->o.skip)
		rc = skip_input(d);
	if (!rc && d->o.seek)
		rc = seek_by(d, d->out, d->o.seek, ">: cannot seek");
	if (rc || (!d->o.max_records && !d->o.max_bytes))
		return rc;
	rc = copy_records(d);
	if (!rc)
		rc = put_the_rest(d);
	if (!rc && d->was_seek)
		rc = end_hole(d);
	return rc ? rc : d->status;
}

int dd_copy(struct dd *d)
{
	int rc;

	d->started = d->piece_started = clock_now();
	d->next = d->started + NS_PER_S;
	rc = copy(d);
	if (rc != DD_QUIT)
		rc |= synchronize(d);
	dd_signals(d);
	if (cleanup(d))
		return 1;
	print_stats(d);
	return rc != 0;
}
