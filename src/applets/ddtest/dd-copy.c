/* SPDX-License-Identifier: MIT */
/* dd-copy - what dd does between opening and closing: records in, records out. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <core/msg.h>
#include <device/sys.h>
#include <timing/clock.h>

#include "dd-copy.h"
#include "dd-text.h"

#include <linux/fs.h>

/* Architectures with sync_file_range2 alone (arm, powerpc) have no early writeback. */
#ifndef SYS_sync_file_range
#define SYS_sync_file_range (-1)
#endif

#define PIECE_FIRST (1u << 20)
#define PIECE_LEAST (64u << 10)
#define BEHIND      (64 << 20) /* bytes that may wait for the device */

volatile sig_atomic_t dd_interrupt, dd_asked;

/* ---- what is said ---------------------------------------------------------------------- */

static void end_progress(struct dd *d)
{
	if (d->progress)
		putc('\n', stderr);
	d->progress = 0;
}

void dd_say(struct dd *d, int err, const char *before, const char *name, const char *after)
{
	end_progress(d);
	fprintf(stderr, "ddtest: %s", before);
	if (name)
		dd_text_name(stderr, name, *before);
	fprintf(stderr, "%s%s%s\n", after, err ? ": " : "", err ? dd_text_reason(err) : "");
}

/* A record that will be flushed as a whole counts when it was. */
static uint64_t bytes_so_far(const struct dd *d)
{
	return d->stats.bytes + (d->flush && dd_interrupt ? 0 : d->record);
}

static void print_bytes(struct dd *d, uint64_t now, bool progress)
{
	uint64_t bytes = bytes_so_far(d);
	char text[DD_STATS_TEXT];
	size_t n;

	n = strlen(dd_stats_bytes(text, bytes, now - d->started, progress));
	d->reported = bytes;
	if (!progress) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	fprintf(stderr, "\r%s%*s", text, n < d->progress ? (int)(d->progress - n) : 0, "");
	fflush(stderr);
	d->progress = n;
}

void dd_print_stats(struct dd *d)
{
	char text[DD_STATS_TEXT];

	if (d->o.level == DD_LEVEL_NONE)
		return;
	end_progress(d);
	fputs(dd_stats_records(text, &d->stats), stderr);
	if (d->o.level != DD_LEVEL_NOXFER)
		print_bytes(d, clock_now(), false);
}

static void progress(struct dd *d, uint64_t now)
{
	if (d->o.level != DD_LEVEL_PROGRESS || now < d->next)
		return;
	print_bytes(d, now, true);
	d->next += NS_PER_S;
}

/* ---- signals and closing --------------------------------------------------------------- */

void dd_signals(struct dd *d)
{
	while (dd_interrupt || dd_asked) {
		int signal = dd_interrupt;

		dd_asked = 0;
		if (signal && dd_cleanup(d))
			_exit(1);
		dd_print_stats(d);
		fflush(stderr);
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

int dd_synchronize(struct dd *d)
{
	unsigned conv = d->o.conv;
	int rc, status = 0;

	d->o.conv &= ~(unsigned)(DD_FDATASYNC | DD_FSYNC);
	if (conv & DD_FDATASYNC) {
		rc = flush(d, sys.fdatasync);
		if (rc && rc != -ENOSYS && rc != -EINVAL) {
			dd_say(d, -rc, "fdatasync failed for ", d->out_name, "");
			status = 1;
		}
		if (rc)
			conv |= DD_FSYNC;
	}
	if (conv & DD_FSYNC) {
		rc = flush(d, sys.fsync);
		if (rc) {
			dd_say(d, -rc, "fsync failed for ", d->out_name, "");
			status = 1;
		}
	}
	return status;
}

int dd_cleanup(struct dd *d)
{
	int rc;

	if (!dd_interrupt && dd_synchronize(d))
		return DD_EXIT;
	rc = sys.close(d->in);
	d->in = -1;
	if (rc && rc != -EINTR) {
		dd_say(d, -rc, "closing input file ", d->in_name, "");
		return DD_EXIT;
	}
	rc = sys.close(d->out);
	d->out = -1;
	if (rc && rc != -EINTR) {
		dd_say(d, -rc, "closing output file ", d->out_name, "");
		return DD_EXIT;
	}
	return 0;
}

/* ---- input ----------------------------------------------------------------------------- */

static void advance(struct dd *d, uint64_t bytes)
{
	d->in_overflow |= __builtin_add_overflow(d->in_offset, bytes, &d->in_offset) ||
			  d->in_offset > INT64_MAX;
}

/* What is read of /dev/zero, /dev/full and /dev/urandom ends early when a signal comes. */
static ssize_t read_unbroken(struct dd *d, char *buf, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = sys.read(d->in, buf + done, size - done);

		if (n <= 0 && n != -EINTR)
			return done ? (ssize_t)done : n;
		done += n > 0 ? (size_t)n : 0;
		dd_signals(d);
	}
	return (ssize_t)done;
}

static ssize_t read_some(struct dd *d, char *buf, size_t size)
{
	ssize_t n;

	do {
		dd_signals(d);
		if (d->zeros)
			return (ssize_t)size;
		n = d->unbroken ? read_unbroken(d, buf, size) : sys.read(d->in, buf, size);
	} while (n == -EINTR);
	if (n > 0 && (size_t)n < size)
		dd_signals(d);
	return n;
}

/* Of the bytes asked for, @request are what GNU dd would have asked for: more than @size at
 * the start of a long record, 0 within one. */
static ssize_t read_once(struct dd *d, char *buf, size_t size, uint64_t request)
{
	ssize_t n = read_some(d, buf, size);
	bool after_short = d->before > 0 && (uint64_t)d->before < request;

	/* O_DIRECT at the unaligned end of a file. */
	if (n == -EINVAL && after_short && (d->o.iflags & O_DIRECT))
		n = 0;
	if (n > 0 && after_short && d->warn_partial) {
		char text[96];

		snprintf(text, sizeof(text),
			 "warning: partial read (%lld byte%s); suggest iflag=fullblock",
			 (long long)d->before, d->before == 1 ? "" : "s");
		if (d->o.level != DD_LEVEL_NONE)
			dd_say(d, 0, text, NULL, "");
		d->warn_partial = false;
	}
	d->before = n < 0 ? -1 : n;
	return n;
}

/* A record that fits the buffer. With iflag=fullblock an error loses what came before it,
 * as with GNU dd. */
static ssize_t read_whole(struct dd *d, size_t want)
{
	size_t done = 0;
	ssize_t n;

	do {
		n = read_once(d, d->ibuf + done, want - done, want - done);
		if (n < 0)
			return n;
		done += (size_t)n;
	} while (d->o.fullblock && n && done < want);
	return (ssize_t)done;
}

static size_t piece_of(const struct dd *d, uint64_t size)
{
	return size < d->piece ? (size_t)size : d->piece;
}

/* Pieces grow only while they are quick: a transfer sleeps uninterruptibly, and neither ^C
 * nor a line of progress may wait for 16 MiB on a slow stick. */
static void pace(struct dd *d, size_t most)
{
	uint64_t now = clock_now(), took = now - d->piece_started;

	if (took < 125 * NS_PER_MS && d->piece < most)
		d->piece *= 2;
	else if (took > 500 * NS_PER_MS && d->piece > PIECE_LEAST)
		d->piece /= 2;
	d->piece_started = now;
	progress(d, now);
}

uint32_t dd_direct_unit(int fd)
{
	uint32_t memory, unit = 0;
	int sector = 0;

	sys.dio_align(fd, &memory, &unit);
	if (!unit && !sys.ioctl(fd, BLKSSZGET, &sector))
		unit = (uint32_t)sector;
	return unit;
}

static void direct_hint(struct dd *d, int fd, const char *name, const char *flag, uint64_t size,
			uint64_t offset)
{
	uint32_t unit = dd_direct_unit(fd);

	if (unit && size % unit == 0 && offset % unit == 0)
		return;
	end_progress(d);
	fflush(stderr);
	if (unit)
		warn("%s=direct: %s takes sizes and offsets that are multiples of %u bytes", flag,
		     name, unit);
	else
		warn("%s=direct: %s takes multiples of its sector size only", flag, name);
}

/* ---- output ---------------------------------------------------------------------------- */

static bool is_nul(const char *buf, size_t size)
{
	uint64_t word;

	for (; size >= sizeof(word); buf += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, buf, sizeof(word));
		if (word)
			return false;
	}
	while (size--)
		if (*buf++)
			return false;
	return true;
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
			d->err = n ? (int)-n : ENOSPC;
			break;
		}
		done += (size_t)n;
	}
	return done;
}

/* GNU dd does the same for each block below obs: through the page cache, then fsync. */
static void turn_direct_off(struct dd *d, size_t size)
{
	int flags = sys.fcntl(d->out, F_GETFL, 0), rc;
	char text[96];

	rc = flags < 0 ? flags : sys.fcntl(d->out, F_SETFL, flags & ~O_DIRECT);
	if (rc < 0 && d->o.level != DD_LEVEL_NONE)
		dd_say(d, -rc, "failed to turn off O_DIRECT: ", d->out_name, "");
	d->drop_from = sys.lseek(d->out, 0, SEEK_CUR);
	d->direct_off = true;
	d->o.conv |= DD_FSYNC;
	if (d->o.level == DD_LEVEL_NONE)
		return;
	snprintf(text, sizeof(text), "a block of %zu bytes goes through the cache, then fsync",
		 size);
	dd_say(d, 0, text, NULL, "");
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
		d->err = -rc;
		d->record = 0;
	}
	d->stats.bytes += d->record;
	d->written = d->record;
	d->record = 0;
	return !rc;
}

/* The device works on a piece while the next is copied to the page cache, and what waits for
 * it stays small; the flush comes at the record's end all the same. An error of the writeback
 * is told only once, so it is as good as one of the flush. */
static bool write_behind(struct dd *d, size_t size)
{
	off_t end = sys.lseek(d->out, 0, SEEK_CUR), start = end - (off_t)size - BEHIND;
	off_t record = end - (off_t)d->record;
	long rc;

	if (end < 0)
		return true;
	rc = sys.raw(SYS_sync_file_range, d->out, end - (off_t)size, (long)size,
		     SYNC_FILE_RANGE_WRITE, 0, 0);
	if (!rc && start >= record)
		rc = sys.raw(SYS_sync_file_range, d->out, start, (long)size,
			     SYNC_FILE_RANGE_WRITE_AND_WAIT, 0, 0);
	if (!rc || rc == -EINTR)
		return true;
	if (rc == -ENOSYS || rc == -EINVAL || rc == -ESPIPE) {
		d->behind = false;
		return true;
	}
	d->err = (int)-rc;
	d->record = 0;
	return false;
}

/* A piece of an output record, or all of it; false with d->err set. */
static bool put(struct dd *d, const char *buf, size_t size, bool last)
{
	size_t n;

	if ((d->o.oflags & O_DIRECT) && !d->direct_off && last && size &&
	    d->record + size < d->o.obs)
		turn_direct_off(d, size);
	n = write_all(d, buf, size);
	d->record += n;
	if (n == size && d->behind && !write_behind(d, size)) {
		settle(d);
		return false;
	}
	if (n == size && !last)
		return true;
	return settle(d) && n == size;
}

void dd_complain_of_output(struct dd *d, const char *what)
{
	dd_say(d, d->err, what, d->out_name, "");
	if (d->err == EINVAL && (d->o.oflags & O_DIRECT) && !d->direct_off)
		direct_hint(d, d->out, d->out_name, "oflag", d->o.obs,
			    d->o.seek_records * d->o.obs + d->o.seek_bytes);
}

/* Without bs= records of obs bytes are made of what comes. 0 or DD_QUIT. */
static int gather(struct dd *d, const char *buf, size_t size)
{
	while (size) {
		size_t most = d->o.obs <= d->ocap ? (size_t)d->o.obs : d->piece, n;
		uint64_t left = d->o.obs - d->record;
		bool last;

		if (most < d->gathered)
			most = d->gathered;
		if (most > left)
			most = (size_t)left;
		n = size < most - d->gathered ? size : most - d->gathered;
		memcpy(d->obuf + d->gathered, buf, n);
		d->gathered += n;
		buf += n;
		size -= n;
		if (d->gathered < most)
			continue;
		last = most == left;
		d->gathered = 0;
		if (!put(d, d->obuf, most, last)) {
			dd_complain_of_output(d, "writing to ");
			d->stats.w_partial += d->written != 0;
			return DD_QUIT;
		}
		d->stats.w_full += last;
		if (!last)
			pace(d, d->ocap);
	}
	return 0;
}

/* What came of an input record goes out; with bs= it is a record there too, that ends with
 * the @last of it. 0, 1 or DD_QUIT. */
static int give(struct dd *d, const char *buf, size_t size, bool last)
{
	if (d->o.conv & DD_TWOBUFS)
		return gather(d, buf, size);
	if (!put(d, buf, size, last)) {
		dd_complain_of_output(d, "error writing ");
		return 1;
	}
	if (last && d->written == d->o.ibs)
		d->stats.w_full++;
	else if (last)
		d->stats.w_partial++;
	return 0;
}

/* ---- skip and seek --------------------------------------------------------------------- */

/* Read a record and forget it. Returns its size or -errno. */
static int64_t forget(struct dd *d, uint64_t want)
{
	uint64_t done = 0;
	ssize_t n;

	do {
		size_t size = want - done < d->icap ? (size_t)(want - done) : d->icap;

		n = read_once(d, d->ibuf, size, done ? 0 : want);
		if (n < 0)
			return done ? (int64_t)done : n;
		done += (size_t)n;
		if ((size_t)n < size && !d->o.fullblock)
			break;
	} while (n && done < want);
	d->before = (int64_t)done;
	return (int64_t)done;
}

/* Tries to seek by that much; where the file can seek, but not there, that is the end.
 * 0: done; 1: it must be read instead, with d->err why; DD_QUIT. */
static int seek_by(struct dd *d, int fd, uint64_t records, uint64_t size, uint64_t bytes,
		   const char *name, const char *what)
{
	off_t offset, rc = -EOVERFLOW;

	if (!__builtin_mul_overflow(records, size, &offset) &&
	    !__builtin_add_overflow(offset, bytes, &offset))
		rc = sys.lseek(fd, offset, SEEK_CUR);
	if (rc >= 0)
		return 0;
	d->err = (int)-rc;
	if (sys.lseek(fd, 0, SEEK_END) < 0)
		return 1;
	dd_say(d, d->err, "", name, what);
	return DD_QUIT;
}

/* @total UINT64_MAX: more than a file has. Returns DD_EXIT or 0. */
static int skipped_by_seek(struct dd *d, uint64_t total, bool *all)
{
	struct stat st;
	int rc;

	do {
		dd_signals(d);
		rc = sys.fstat(d->in, &st);
	} while (rc == -EINTR);
	if (rc) {
		dd_say(d, -rc, "cannot fstat ", d->in_name, "");
		return DD_EXIT;
	}
	*all = !S_ISREG(st.st_mode) || st.st_size - (int64_t)d->in_offset >= (int64_t)total;
	if (*all)
		advance(d, total);
	else
		d->in_offset = (uint64_t)st.st_size;
	return 0;
}

static int skip_input(struct dd *d)
{
	uint64_t records = d->o.skip_records, bytes = d->o.skip_bytes, total, done = 0;
	bool all, wide = __builtin_mul_overflow(records, d->o.ibs, &total) ||
			 __builtin_add_overflow(total, bytes, &total);
	int rc = seek_by(d, d->in, records, d->o.ibs, bytes, d->in_name, ": cannot skip");

	if (rc < 0)
		return rc;
	if (!rc) {
		rc = skipped_by_seek(d, total, &all);
		if (rc)
			return rc;
	} else {
		while (records || bytes) {
			int64_t n = forget(d, records ? d->o.ibs : bytes);

			if (n < 0) {
				dd_say(d, (int)-n, "error reading ", d->in_name, "");
				if (d->o.conv & DD_NOERROR)
					dd_print_stats(d);
				return DD_QUIT;
			}
			if (!n)
				break;
			advance(d, (uint64_t)n);
			done += (uint64_t)n;
			if (records)
				records--;
			else
				bytes = 0;
		}
		all = !records && !bytes && !wide && done == total;
	}
	if (!all && d->o.level != DD_LEVEL_NONE)
		dd_say(d, 0, "", d->in_name, ": cannot skip to specified offset");
	return 0;
}

/* What cannot seek is read up to there and, past its end, filled with NULs. */
static int fill_output(struct dd *d)
{
	uint64_t records = d->o.seek_records, bytes = d->o.seek_bytes;
	int in = d->in, why = d->err;
	bool zeros = d->zeros;
	int64_t n = 1;

	d->in = d->out;
	d->zeros = false;
	while (n > 0 && (records || bytes)) {
		n = forget(d, records ? d->o.obs : bytes);
		if (n > 0 && records)
			records--;
		else if (n > 0)
			bytes = 0;
	}
	d->in = in;
	d->zeros = zeros;
	memset(d->buf.data, 0, d->buf.size);
	if (n < 0) {
		dd_say(d, why, "", d->out_name, ": cannot seek");
		return DD_QUIT;
	}
	while (records || bytes) {
		uint64_t size = records ? d->o.obs : bytes;

		while (size) {
			size_t piece = size < d->ocap ? (size_t)size : d->ocap;

			if (write_all(d, d->obuf, piece) < piece) {
				dd_complain_of_output(d, "writing to ");
				return DD_QUIT;
			}
			size -= piece;
		}
		if (records)
			records--;
		else
			bytes = 0;
	}
	return 0;
}

static int seek_output(struct dd *d)
{
	int rc = seek_by(d, d->out, d->o.seek_records, d->o.obs, d->o.seek_bytes, d->out_name,
			 ": cannot seek");

	return rc == 1 ? fill_output(d) : rc;
}

/* ---- records --------------------------------------------------------------------------- */

/* Input goes on behind a record that could not be read. */
static bool pass_over(struct dd *d, uint64_t bytes)
{
	off_t at;
	int64_t diff;

	if (!d->in_seekable) {
		if (d->in_seek_err == ESPIPE)
			return true;
		dd_say(d, d->in_seek_err, "", d->in_name, ": cannot seek");
		return false;
	}
	advance(d, bytes);
	if (d->in_overflow) {
		dd_say(d, 0, "offset overflow while reading file ", d->in_name, "");
		return false;
	}
	at = sys.lseek(d->in, 0, SEEK_CUR);
	if (at >= 0) {
		diff = (int64_t)d->in_offset - at;
		if (!diff)
			return true;
		if ((diff < 0 || (uint64_t)diff > bytes) && d->o.level != DD_LEVEL_NONE)
			dd_say(d, 0, "warning: invalid file offset after failed read", NULL, "");
		at = sys.lseek(d->in, diff, SEEK_CUR);
		if (at >= 0)
			return true;
	}
	dd_say(d, (int)-at, "", d->in_name, ": cannot seek");
	return false;
}

enum { GO_ON = 2, AS_EMPTY = 3 };

/* GO_ON with the next record, AS_EMPTY: conv=sync makes NULs of this one, 0: stop. */
static int unreadable(struct dd *d, int err)
{
	if (!(d->o.conv & DD_NOERROR) || d->o.level != DD_LEVEL_NONE)
		dd_say(d, err, "error reading ", d->in_name, "");
	if (!(d->o.conv & DD_NOERROR)) {
		if (err == EINVAL && (d->o.iflags & O_DIRECT))
			direct_hint(d, d->in, d->in_name, "iflag", d->o.ibs,
				    d->o.skip_records * d->o.ibs + d->o.skip_bytes);
		d->status = 1;
		return 0;
	}
	dd_print_stats(d);
	if (!pass_over(d, d->o.ibs - d->partread)) {
		d->status = 1;
		d->in_seekable = false;
		d->in_seek_err = ESPIPE;
	}
	return (d->o.conv & DD_SYNC) && !d->partread ? AS_EMPTY : GO_ON;
}

static void count_input(struct dd *d, uint64_t size)
{
	d->partread = size < d->o.ibs ? size : 0;
	if (size < d->o.ibs)
		d->stats.r_partial++;
	else
		d->stats.r_full++;
}

/* One input record that the buffer holds. GO_ON, or how copying ends. */
static int copy_whole(struct dd *d, size_t want)
{
	size_t ibs = (size_t)d->o.ibs, size;
	ssize_t n;
	int rc;

	if ((d->o.conv & DD_SYNC) && (d->o.conv & DD_NOERROR) && !d->zeros)
		memset(d->ibuf, 0, ibs);
	n = read_whole(d, want);
	if (!n)
		return 0;
	if (n > 0) {
		advance(d, (size_t)n);
	} else {
		rc = unreadable(d, (int)-n);
		if (rc != AS_EMPTY)
			return rc;
		n = 0;
	}
	size = (size_t)n;
	count_input(d, size);
	if (size < ibs && (d->o.conv & DD_SYNC)) {
		if (!(d->o.conv & DD_NOERROR))
			memset(d->ibuf + size, 0, ibs - size);
		size = ibs;
	}
	rc = give(d, d->ibuf, size, true);
	return rc ? rc : GO_ON;
}

/* NULs up to ibs: conv=sync. */
static int pad(struct dd *d, uint64_t done)
{
	int rc = 0;

	memset(d->ibuf, 0, d->icap);
	while (!rc && done < d->o.ibs) {
		size_t size = piece_of(d, d->o.ibs - done);

		done += size;
		rc = give(d, d->ibuf, size, done == d->o.ibs);
		pace(d, d->icap);
	}
	return rc;
}

/* One input record that is longer than the buffer, in pieces. What GNU dd would have got by
 * one read ends where a piece comes short. */
static int copy_long(struct dd *d, uint64_t want)
{
	bool padded = d->o.conv & DD_SYNC, complete = false, end = false;
	uint64_t done = 0;
	ssize_t n = 0;
	int rc = 0;

	d->piece_started = clock_now();
	while (!end && !rc) {
		size_t size = piece_of(d, want - done);

		n = read_once(d, d->ibuf, size, done ? 0 : want);
		if (n <= 0)
			break;
		done += (size_t)n;
		advance(d, (size_t)n);
		end = done == want || ((size_t)n < size && !d->o.fullblock);
		complete = end && (!padded || done == d->o.ibs);
		rc = give(d, d->ibuf, (size_t)n, complete);
		if (!rc)
			pace(d, d->icap);
	}
	if (rc) {
		count_input(d, d->zeros ? want : done);
		return rc;
	}
	if (!done && !n)
		return 0;
	if (!done) {
		rc = unreadable(d, (int)-n);
		if (rc != AS_EMPTY)
			return rc;
	}
	d->before = (int64_t)done;
	count_input(d, done);
	if (padded && done < d->o.ibs)
		rc = pad(d, done);
	else if (!complete)
		rc = give(d, d->ibuf, 0, true);
	return rc ? rc : GO_ON;
}

static int copy_records(struct dd *d)
{
	const struct dd_operands *o = &d->o;
	int rc;

	do {
		uint64_t count = d->stats.r_full + d->stats.r_partial;
		uint64_t want = count < o->max_records ? o->ibs : o->max_bytes;

		if (o->level == DD_LEVEL_PROGRESS)
			progress(d, clock_now());
		if (count > o->max_records || !want)
			return 0;
		rc = o->ibs > d->icap ? copy_long(d, want) : copy_whole(d, (size_t)want);
	} while (rc == GO_ON);
	return rc;
}

static int put_the_rest(struct dd *d)
{
	bool done;

	if (!d->gathered && !d->record)
		return 0;
	done = put(d, d->obuf, d->gathered, true);
	d->gathered = 0;
	d->stats.w_partial += d->written != 0;
	if (!done)
		dd_complain_of_output(d, "error writing ");
	return !done;
}

/* A file that ends with a hole has its size yet to get. */
static int end_hole(struct dd *d)
{
	struct stat st;
	char text[64];
	off_t size;
	int rc;

	do {
		dd_signals(d);
		rc = sys.fstat(d->out, &st);
	} while (rc == -EINTR);
	if (rc) {
		dd_say(d, -rc, "cannot fstat ", d->out_name, "");
		return 1;
	}
	size = sys.lseek(d->out, 0, SEEK_CUR);
	if (!S_ISREG(st.st_mode) || size < 0 || st.st_size >= size)
		return 0;
	do {
		dd_signals(d);
		rc = sys.ftruncate(d->out, size);
	} while (rc == -EINTR);
	if (rc) {
		snprintf(text, sizeof(text), "failed to truncate to %lld bytes in output file ",
			 (long long)size);
		dd_say(d, -rc, text, d->out_name, "");
	}
	return rc != 0;
}

int dd_copy(struct dd *d)
{
	int rc = 0;

	if (d->o.skip_records || d->o.skip_bytes)
		rc = skip_input(d);
	if (!rc && (d->o.seek_records || d->o.seek_bytes))
		rc = seek_output(d);
	if (rc || (!d->o.max_records && !d->o.max_bytes))
		return rc;
	rc = copy_records(d);
	if (!rc)
		rc = put_the_rest(d);
	if (!rc && d->was_seek)
		rc = end_hole(d);
	if (rc)
		return rc;
	if ((d->o.conv & (DD_FDATASYNC | DD_FSYNC)) && d->o.level == DD_LEVEL_PROGRESS &&
	    d->reported != UINT64_MAX && d->reported < d->stats.bytes)
		print_bytes(d, clock_now(), false);
	return d->status;
}
