# SPDX-License-Identifier: MIT
# boot-cpio - boot/mkcpio's archives as cpio reads them, what it refuses, and the overlay.
. tests/lib.sh
unset MAKEFLAGS MAKELEVEL MFLAGS
command -v cpio >/dev/null || skip "no cpio"

mkcpio=$O/boot/mkcpio
try make -s $VARIABLES "$mkcpio"
is status 0

# archive LIST-LINES...: $tmp/out is the archive
archive() {
	printf '%s\n' "$@" >"$tmp/list"
	try "$mkcpio" "$tmp/list"
	cmd="mkcpio '$*'"
}
# refused LINE REASON: the last list was refused with its line's number
refused() {
	is status 1
	is err "mkcpio: $tmp/list:$1: $2"
}
# mode, links, user, group, size or device, name; without the date
listing() { cpio -itvn --quiet <"$tmp/out" 2>&1 | tr -s ' ' | sed -E 's/ [A-Z][a-z]{2} [0-9]+ [0-9:]+ / /'; }

# --- what goes in comes out ---
printf 12345 >"$tmp/five"
: >"$tmp/empty"
printf '#!/bin/sh\n' >"$tmp/script"
archive '# a comment' '' 'dir /dev 0755 0 0' 'nod /dev/console 0600 0 0 c 5 1' 'nod /dev/big 0660 0 6 b 259 1048575' \
	"file init $tmp/script 0755 0 0" "file /a/five $tmp/five 4644 12 34" "file /a/empty $tmp/empty 0600 0 0" \
	'slink /a/link ../a/five 0777 0 0'
is status 0
is err ''
listing=$(listing)
is listing "$(printf '%s\n' 'drwxr-xr-x 1 0 0 0 dev' 'crw------- 1 0 0 5, 1 dev/console' 'brw-rw---- 1 0 6 259, 1048575 dev/big' \
	'-rwxr-xr-x 1 0 0 10 init' '-rwSr--r-- 1 12 34 5 a/five' '-rw------- 1 0 0 0 a/empty' 'lrwxrwxrwx 1 0 0 9 a/link -> ../a/five')"
five=$(cpio -i --quiet --to-stdout a/five <"$tmp/out")
is five 12345
size=$(($(wc -c <"$tmp/out") % 512))
is size 0

# --- the same bytes, wherever and whenever ---
export SOURCE_DATE_EPOCH=1700000000
archive "file /x $tmp/five 0644 0 0"
first=$(sha256sum <"$tmp/out")
mkdir "$tmp/elsewhere"
cp "$tmp/five" "$tmp/elsewhere/other"
touch -d '2001-01-01' "$tmp/elsewhere/other"
archive "file /x $tmp/elsewhere/other 0644 0 0"
second=$(sha256sum <"$tmp/out")
is second "$first"
time=$(TZ=UTC cpio -itv --quiet <"$tmp/out" | awk '{ print $6, $7, $8 }')
is time 'Nov 14 2023'
unset SOURCE_DATE_EPOCH
try env SOURCE_DATE_EPOCH=soon "$mkcpio" "$tmp/list"
is status 1
is err "mkcpio: $tmp/list: bad SOURCE_DATE_EPOCH 'soon'"

# --- what it refuses: the line and the reason ---
archive 'dir /a 0755 0 0' "file /x $tmp/missing 0644 0 0"
refused 2 "$tmp/missing: No such file or directory"
archive "file /x $tmp 0644 0 0"
refused 1 "$tmp: not a regular file"
archive 'dir /a 0789 0 0'
refused 1 "bad mode '0789'"
archive 'dir /a 10000 0 0'
refused 1 "bad mode '10000'"
archive 'dir /a -1 0 0'
refused 1 "bad mode '-1'"
archive 'dir /a 0755 root 0'
refused 1 "bad user 'root'"
archive 'dir /a 0755 0'
refused 1 'dir takes 5 words, here are 4'
archive 'slink /a b 0777 0 0 0'
refused 1 'slink takes 6 words, here are 7'
archive 'pipe /a 0644 0 0'
refused 1 "'pipe' is none of dir, file, slink, nod"
archive 'nod /a 0600 0 0 x 1 1'
refused 1 "'x' is neither b nor c"
archive 'nod /a 0600 0 0 c 4096 1'
refused 1 "bad major number '4096'"
archive 'dir / 0755 0 0'
refused 1 "'/' names nothing"
long=$(printf '%4095s' '' | tr ' ' n)
archive "dir /$long 0755 0 0"
cmd='mkcpio: a name of 4095 bytes'
is status 0
archive '' "dir /n$long 0755 0 0"
cmd='mkcpio: a name of 4096 bytes'
refused 2 'the name is longer than 4095 bytes'
truncate -s 4G "$tmp/four"
archive "file /x $tmp/four 0644 0 0"
refused 1 "$tmp/four: 4 GiB and more do not fit into this format"
try "$mkcpio" "$tmp/nolist"
is status 1
is err "mkcpio: $tmp/nolist: No such file or directory"
archive "file /x $tmp/five 0644 0 0"
try sh -c '"$0" "$1" >/dev/full' "$mkcpio" "$tmp/list"
is status 1
like err 'cannot write the archive: No space left on device'

# --- /init has to start without a loader, anything else may be what it likes ---
archive "file /init $(command -v cpio) 0755 0 0"
refused 1 "/init: $(command -v cpio) is dynamic and would not start: link it with -static"
archive "file /bin/x $(command -v cpio) 0755 0 0"
is status 0
archive "file /init $BIN 0755 0 0"
is status 0
archive "file /init $BIN 0644 0 0"
refused 1 '/init: mode 644 is not executable'
archive "file /init $tmp/five 0755 0 0"
refused 1 "/init: $tmp/five is neither a program nor a script"
head -c 80 "$BIN" >"$tmp/cut"
archive "file /init $tmp/cut 0755 0 0"
refused 1 "/init: $tmp/cut is cut short"

# --- the overlay: to be added to any initramfs ---
overlay() { TIMEOUT=300 try make -s $VARIABLES "$@" overlay; }
overlay
is status 0
cp "$O/pitbox.cpio" "$tmp/out"
size=$(wc -c <"$O/boot/pitbox")
listing=$(listing)
is listing "$(printf '%s\n' "drwxr-xr-x 1 0 0 0 usr" "drwxr-xr-x 1 0 0 0 usr/bin" "-rwxr-xr-x 1 0 0 $size usr/bin/pitbox" \
	"$(for a in $($BIN --list); do echo "lrwxrwxrwx 1 0 0 6 usr/bin/$a -> pitbox"; done)")"
mkdir "$tmp/root"
(cd "$tmp/root" && cpio -id --quiet <"$tmp/out")
try "$tmp/root/usr/bin/ddtest" --version
is status 0
overlay O="$tmp/elsewhere"
is status 0
try cmp "$O/pitbox.cpio" "$tmp/elsewhere/pitbox.cpio"
is status 0

# A later commit is another time.
try env SOURCE_DATE_EPOCH=1700000000 make -s $VARIABLES overlay
is status 0
cp "$O/pitbox.cpio" "$tmp/out"
time=$(TZ=UTC cpio -itv --quiet <"$tmp/out" | awk 'NR == 1 { print $6, $7, $8 }')
is time 'Nov 14 2023'

done_testing
