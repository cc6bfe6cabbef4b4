# SPDX-License-Identifier: MIT
# dd-devices - ddtest in the place of dd, on block devices: what it writes, and what it does not.
. tests/lib.sh
. tests/devices.sh
need loop mkfs.ext4 perl

truth() { "$@"; tap $? "$*" ''; }
# untouched: nothing reached $backing since $was was taken
untouched() { [ "$(sum "$backing")" = "$was" ]; tap $? "$cmd: the device is as before" ''; }

for sector in 512 4096; do
	loop_new 24M $sector random
	name=${loop##*/}

	# Refused: 4, with the holder's name; a link and standard output make no difference.
	ln -sf "$loop" "$tmp/link"
	was=$(sum "$backing")
	perl -e 'use Fcntl; sysopen F, $ARGV[0], O_RDONLY | O_EXCL or die; open G, ">", $ARGV[1]; sleep 600' "$loop" "$tmp/ready$sector" &
	pid=$!
	later "kill $pid"
	for i in $(seq 200); do [ -e "$tmp/ready$sector" ] && break; sleep 0.05; done
	run ddtest if=/dev/zero of="$loop" bs=1M count=1
	is status 4
	like err "ddtest: $loop is not written"
	lines_fit
	untouched
	kill $pid
	wait $pid 2>/dev/null
	hold_open "$loop"
	run ddtest if=/dev/zero of="$tmp/link" bs=1M count=1
	is status 4
	like err "pid $holder"
	lines_fit
	untouched
	kill "$holder"
	wait "$holder" 2>/dev/null

	# Marked read-only.
	blockdev --setro "$loop"
	run ddtest if=/dev/zero of="$loop" bs=1M count=1
	is status 4
	like err 'marked read-only'
	like err 'setrw'
	untouched
	blockdev --setrw "$loop"

	# A record that does not fit.
	run ddtest if=/dev/zero of="$loop" bs=1G count=1
	is status 1
	like err 'a record of 1073741824 bytes (1.1 GB, 1.0 GiB) is larger than'
	like err '25165824 bytes (25 MB, 24 MiB)'
	lines_fit
	untouched

	# What O_DIRECT takes.
	run ddtest if=/dev/zero of="$loop" bs=1000 count=2 oflag=direct
	is status 1
	like err "ddtest: error writing '$loop': Invalid argument"
	like err "$sector"
	like err '1+0 records in
0+0 records out
0 bytes copied, '
	untouched
	head -c 100000 /dev/urandom >"$tmp/data"
	run ddtest if="$tmp/data" of="$loop" bs=16k oflag=direct
	is status 0
	like err 'a block of 1696 bytes goes through the cache, then fsync'
	like err '6+1 records in
6+1 records out
100000 bytes (100 kB, 98 KiB) copied, '
	truth cmp -s -n 100000 "$tmp/data" "$backing"

	# To the end of the device and beyond.
	run ddtest if=/dev/zero of="$loop" bs=5M
	is status 1
	like err "ddtest: error writing '$loop': No space left on device
5+0 records in
4+0 records out
25165824 bytes (25 MB, 24 MiB) copied, "
	run ddtest if=/dev/zero of="$loop" bs=1M seek=25 count=1
	is status 1
	like err "ddtest: $loop: cannot seek: Invalid argument
0+0 records in"
	run ddtest if="$loop" of=/dev/null bs=1M skip=25
	is status 1
	like err "ddtest: $loop: cannot skip: Invalid argument"
	head -c 4096 /dev/urandom >"$tmp/data"
	run ddtest if="$tmp/data" of="$loop" bs=4k seek=6143 oflag=direct,dsync
	is status 0
	tail -c 4096 "$backing" | cmp -s - "$tmp/data"
	tap $? 'the last 4 KiB are written' ''
	run ddtest if="$loop" bs=4k skip=6143 iflag=direct
	is status 0
	truth cmp -s "$tmp/out" "$tmp/data"

	# Mounted; the device below another loop.
	mkfs.ext4 -q "$loop"
	mount_new "$loop" -o ro
	was=$(sum "$backing")
	run ddtest if=/dev/zero of="$loop" bs=1M count=1
	is status 4
	like err "mounted on"
	lines_fit
	untouched
	$RUNNER "$BIN" ddtest if=/dev/zero bs=1M count=1 >"$loop" 2>"$tmp/err"
	is=$? cmd='standard output on a mounted device'
	is is 4
	untouched
	unmount "$mnt"
done

# No room: in a file system, and below a device.
mkdir "$tmp/small"
mount -t tmpfs -o size=8M small "$tmp/small" || exit
later "umount $tmp/small"
run ddtest if=/dev/zero of="$tmp/small/f" bs=16M count=1
is status 1
like err 'a record of 16777216 bytes (17 MB, 16 MiB) is larger than'
like err '8388608 bytes'
truth test ! -e "$tmp/small/f"
run ddtest if=/dev/zero of="$tmp/small/f" bs=1M
is status 1
like err "No space left on device
9+0 records in
8+0 records out
8388608 bytes (8.4 MB, 8.0 MiB) copied, "
rm "$tmp/small/f"
truncate -s 64M "$tmp/small/backing"
loop_on "$tmp/small/backing"
run ddtest if=/dev/zero of="$loop" bs=32M oflag=direct
is status 1
like err "ddtest: error writing '$loop': "
like err '1+0 records in
0+0 records out
'
run ddtest if=/dev/zero of="$loop" bs=32M count=1 oflag=dsync
is status 1
like err "ddtest: error writing '$loop': Input/output error
1+0 records in
0+0 records out
0 bytes copied, "

# Progress within one record: 24 MiB at 6 MiB a second.
if [ -w /sys/fs/cgroup/blkio/blkio.throttle.write_bps_device ]; then
	loop_new 24M
	throttle_new "$loop" 0 6291456
	throttled $RUNNER "$BIN" ddtest if=/dev/zero of="$loop" bs=24M count=1 oflag=direct status=progress 2>"$tmp/err"
	is=$? cmd='progress within a record'
	is is 0
	lines=$(tr '\r' '\n' <"$tmp/err" | grep -c 'MiB) copied, [0-9]* s, ')
	[ "$lines" -ge 2 ]
	tap $? "$cmd: a line a second" "$(cat "$tmp/err")"
else
	skipped 'progress within a record: no blkio throttle'
fi

# The four lines of the wiki page.
if [ "$(df -Pk "$devices" | awk 'END { print $4 }')" -lt 1258291 ]; then
	skipped 'the wiki page: no room for 1.2 GiB in /dev/shm'
	done_testing
	exit
fi
# A sanitizer or an emulator has more to itself than the program has.
"$(command -v time)" -f '%M' $RUNNER "$BIN" ddtest if=/dev/null of=/dev/null status=none 2>"$tmp/err"
[ "$(cat "$tmp/err")" -lt 4096 ] && lean=yes || skipped 'memory: not measured in this flavour'
loop_new 1100M 512
for line in "bs=1G count=1 oflag=direct" "bs=1G count=1 oflag=dsync" "bs=512 count=1000 oflag=direct" "bs=512 count=1000 oflag=dsync"; do
	flushes=$(stat_field "$loop" 16)
	cmd="if=/dev/zero $line"
	"$(command -v time)" -f '%M' $RUNNER "$BIN" ddtest if=/dev/zero of="$loop" $line 2>"$tmp/err"
	is=$? err=$(cat "$tmp/err") kib=$(tail -1 "$tmp/err")
	is is 0
	case $line in
	bs=1G*) like err '1+0 records in
1+0 records out
1073741824 bytes (1.1 GB, 1.0 GiB) copied, ' ;;
	*) like err '1000+0 records in
1000+0 records out
512000 bytes (512 kB, 500 KiB) copied, ' ;;
	esac
	[ "$lean" ] && { [ "$kib" -le 24576 ]; tap $? "$cmd: within 24 MiB" "$kib KiB"; }
	flushes=$(($(stat_field "$loop" 16) - flushes))
	case $line in
	*direct) [ "$flushes" = 0 ]; tap $? "$cmd: no flush" "$flushes" ;;
	bs=1G*) [ "$flushes" = 1 ]; tap $? "$cmd: one flush" "$flushes" ;;
	*) [ "$flushes" = 1000 ]; tap $? "$cmd: 1000 flushes" "$flushes" ;;
	esac
	: >"$backing"; truncate -s 1100M "$backing"
done

done_testing
