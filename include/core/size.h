/* SPDX-License-Identifier: MIT */
/* size - read and print numbers with units: sizes, rates, durations. */
#ifndef CORE_SIZE_H
#define CORE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All parsers return 0, -EINVAL (no such number) or -ERANGE (does not fit), and leave
 * the output alone unless they return 0. They take the whole text or nothing. */

/* GNU dd's grammar (coreutils dd.c parse_integer, gnulib xstrtol.c): blanks, '+', digits, then
 * c w b, kB MB GB ... (powers of 1000), k K KiB M MiB G GiB ... (of 1024), one further B;
 * a suffix alone is 1 of it; products by 'x'. At most INT64_MAX. *bytes, where not NULL, is
 * whether a 'B' made the number one of bytes (count=1MiB), as dd 9.1 has it. *zeros, where
 * not NULL, is how many factors were written "0x", set also on -ERANGE. */
int size_parse_dd(const char *text, uint64_t *value, bool *bytes, unsigned *zeros);

/* Digits, then B, or a prefix of size_parse_dd() with or without B; no product. */
int size_parse(const char *text, uint64_t *value);

/* A size, then "/s" or nothing: bytes per second. A fraction is allowed ("1.5MB/s"). */
int size_parse_rate(const char *text, uint64_t *per_s);

/* A number with an optional fraction, then ns, us, ms, s, min or nothing (seconds). */
int size_parse_time(const char *text, uint64_t *ns);

/* The digits of @base (2 to 10) at *text, behind blanks; *text moves behind them. Too large a
 * number loses its upper bits; without a digit it is 0 and *text stays. */
uint64_t size_digits(const char **text, unsigned base);

#define SIZE_TEXT 32

/* "20.0 GiB", "512 B", "1 GiB": powers of 1024, a fraction below 100 unless whole. */
const char *size_print(char buf[SIZE_TEXT], uint64_t bytes);

/* "33.1 MB/s", "45.8 kB/s": powers of 1000. */
const char *size_print_rate(char buf[SIZE_TEXT], double per_s);

/* "0.36 ms", "11.1 ms", "84 us", "2.5 s": three significant digits. */
const char *size_print_time(char buf[SIZE_TEXT], uint64_t ns);

/* "420 ms", "15 s", "3 min 45 s", "2 h 5 min": for a reader's patience. */
const char *size_print_wait(char buf[SIZE_TEXT], uint64_t ns);

#endif
