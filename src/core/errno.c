/* SPDX-License-Identifier: MIT */
/* errno - the reason in words for an errno: as glibc says it, so as dd does. */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <core/errno_text.h>

#define ERRORS(E)                                                                                  \
	E(EPERM, "Operation not permitted")                                                        \
	E(ENOENT, "No such file or directory")                                                     \
	E(EINTR, "Interrupted system call")                                                        \
	E(EIO, "Input/output error")                                                               \
	E(ENXIO, "No such device or address")                                                      \
	E(E2BIG, "Argument list too long")                                                         \
	E(EBADF, "Bad file descriptor")                                                            \
	E(EAGAIN, "Resource temporarily unavailable")                                              \
	E(ENOMEM, "Cannot allocate memory")                                                        \
	E(EACCES, "Permission denied")                                                             \
	E(EFAULT, "Bad address")                                                                   \
	E(ENOTBLK, "Block device required")                                                        \
	E(EBUSY, "Device or resource busy")                                                        \
	E(EEXIST, "File exists")                                                                   \
	E(EXDEV, "Invalid cross-device link")                                                      \
	E(ENODEV, "No such device")                                                                \
	E(ENOTDIR, "Not a directory")                                                              \
	E(EISDIR, "Is a directory")                                                                \
	E(EINVAL, "Invalid argument")                                                              \
	E(ENFILE, "Too many open files in system")                                                 \
	E(EMFILE, "Too many open files")                                                           \
	E(ENOTTY, "Inappropriate ioctl for device")                                                \
	E(ETXTBSY, "Text file busy")                                                               \
	E(EFBIG, "File too large")                                                                 \
	E(ENOSPC, "No space left on device")                                                       \
	E(ESPIPE, "Illegal seek")                                                                  \
	E(EROFS, "Read-only file system")                                                          \
	E(EMLINK, "Too many links")                                                                \
	E(EPIPE, "Broken pipe")                                                                    \
	E(ENAMETOOLONG, "File name too long")                                                      \
	E(ENOSYS, "Function not implemented")                                                      \
	E(ELOOP, "Too many levels of symbolic links")                                              \
	E(ENODATA, "No data available")                                                            \
	E(EOVERFLOW, "Value too large for defined data type")                                      \
	E(EILSEQ, "Invalid or incomplete multibyte or wide character")                             \
	E(EOPNOTSUPP, "Operation not supported")                                                   \
	E(ETIMEDOUT, "Connection timed out")                                                       \
	E(ESTALE, "Stale file handle")                                                             \
	E(EREMOTEIO, "Remote I/O error")                                                           \
	E(EDQUOT, "Disk quota exceeded")                                                           \
	E(ENOMEDIUM, "No medium found")                                                            \
	E(EMEDIUMTYPE, "Wrong medium type")                                                        \
	E(ESHUTDOWN, "Cannot send after transport endpoint shutdown")

#define NUMBER(number, text) number,
#define TEXT(number, text)   text "\0"

const char *errno_text(int err)
{
	static const unsigned char numbers[] = { ERRORS(NUMBER) };
	static const char texts[] = ERRORS(TEXT);
	static char other[24];
	const char *text = texts;

	for (size_t i = 0; i < sizeof(numbers); i++, text += strlen(text) + 1)
		if (numbers[i] == err)
			return text;
	snprintf(other, sizeof(other), "error %d", err);
	return other;
}
