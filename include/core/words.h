/* SPDX-License-Identifier: MIT */
/* words - printf-like functions that take words and whole numbers. */
#ifndef CORE_WORDS_H
#define CORE_WORDS_H

/* After the function's parameters: as format(printf, ...). It saves no vector registers, 60 to
 * 100 bytes of code a function, and so must be given no floating point: print that into a
 * buffer first. */
#if defined(__x86_64__) && !defined(__clang__)
#define WORDS(fmt, args) __attribute__((format(printf, fmt, args), target("general-regs-only")))
#else
#define WORDS(fmt, args) __attribute__((format(printf, fmt, args)))
#endif

#endif
