# SPDX-License-Identifier: MIT
# lint-binary - the shipped file: static, not relocated, small, and built once.
. tests/lib.sh

cmd="readelf -lW $BIN"
out=$(readelf -lW "$BIN")
like out 'EXEC (Executable file)'
unlike out INTERP
unlike out DYNAMIC
unlike out 'RWE '
# core/stdio.c completes FILE: code of libc's that knows another one would break it.
out=$(nm "$BIN" | grep -E ' (__towrite|__toread|__overflow|__uflow|__stdio_write|__ofl_lock|vfprintf|setvbuf)$')
is out ''
case $RUNNER in '') ;; *) skipped 'stripped size: another machine'; done_testing; exit ;; esac
strip -o "$tmp/stripped" "$BIN"
size=$(stat -c %s "$tmp/stripped")
[ "$size" -le 98304 ]
tap $? "stripped, it has at most 96 KiB ($size)" "$size"

# MAKEFLAGS would hand on a jobserver that this script does not have.
unset MAKEFLAGS MAKELEVEL MFLAGS
before=$(stat -c %y "$BIN")
try make $VARIABLES
is status 0
is out ''
is err ''
after=$(stat -c %y "$BIN")
is after "$before"

done_testing
