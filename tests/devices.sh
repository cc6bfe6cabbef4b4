# SPDX-License-Identifier: MIT
# devices.sh - loop and zram devices, partitions, mounts and throttles for shell tests.
#
# Source it after lib.sh:  . tests/lib.sh; . tests/devices.sh; need loop
# What a function made is in the variable named beside it, and is undone in the opposite order
# when the script ends, however it ends (but kill -9). Call none of them in $( ): what a subshell
# made, nobody would undo. A function that cannot do its work ends the script as failed.

devices_count=0 devices_swap=
devices=$(mktemp -d -p /dev/shm pitbox.XXXXXX 2>/dev/null || mktemp -d)
later 'rm -rf "$devices"'

devices_fail() { echo "not ok $((n + 1)) - $*"; exit 1; }

# Swap whose own backing may be swapped out waits for itself, for ever and with it the machine:
# with "need swap" all of a script's files lie beside the binary, not in memory.
devices_on_disk() {
	rm -rf "$devices"
	devices=$(mktemp -d -p "${BIN%/*}" devices.XXXXXX) || devices_fail "no folder beside $BIN"
	case $(stat -f -c %T "$devices") in tmpfs | ramfs | overlayfs) skip "no disk for swap" ;; esac
	devices_swap=y
}

# need loop|zram|part|swap|throttle|PROGRAM ...: skip the script where one is missing.
need() {
	[ "$(id -u)" = 0 ] || skip "not root"
	for devices_need; do
		case $devices_need in
		loop) [ -e /dev/loop-control ] && losetup -f >/dev/null 2>&1 || skip "no loop devices" ;;
		zram) [ -e /sys/class/zram-control/hot_add ] || modprobe zram num_devices=0 2>/dev/null
		      [ -e /sys/class/zram-control/hot_add ] || skip "no zram" ;;
		part) command -v addpart >/dev/null || skip "no addpart" ;;
		swap) devices_on_disk ;;
		throttle) [ -w /sys/fs/cgroup/blkio/blkio.throttle.write_bps_device ] || skip "no blkio throttle" ;;
		*) command -v "$devices_need" >/dev/null || skip "no $devices_need" ;;
		esac
	done
}

# loop_new SIZE [SECTOR [zero|random]]: $loop (/dev/loopN) over $backing, a file in memory.
# SIZE as head -c takes it: 64M. The defaults are 512 and zero (sparse).
loop_new() {
	devices_count=$((devices_count + 1))
	backing=$devices/backing$devices_count
	case ${3:-zero} in
	random) head -c "$1" /dev/urandom >"$backing" ;;
	*) truncate -s "$1" "$backing" ;;
	esac || devices_fail "no room for a backing file of $1"
	loop_on "$backing" "${2:-512}"
}

# loop_on FILE [SECTOR]: $loop over a file or device that there is.
loop_on() {
	loop=
	# Others look for a free one at the same time.
	for devices_try in 1 2 3 4 5 6 7 8; do
		loop=$(losetup -f --show --sector-size "${2:-512}" "$1" 2>/dev/null) && break
		sleep 0.1
	done
	[ "$loop" ] || devices_fail "no loop device for $1"
	# A mark of blockdev --setro outlives what it was set on.
	blockdev --setrw "$loop"
	later "loop_end $loop '$(loop_what "$loop")'"
}

# What lies below a loop device; its end, if that is still so: the number may be another's.
loop_what() { losetup -n -O BACK-INO,BACK-MAJ:MIN "$1"; }
loop_end() {
	[ "$(loop_what "$1")" = "$2" ] || return
	blockdev --setrw "$1"
	losetup -d "$1"
}

# zram_new SIZE: $zram (/dev/zramN), one of its own. SIZE in bytes or as 64M.
zram_new() {
	devices_id=$(cat /sys/class/zram-control/hot_add) || devices_fail "no zram device"
	zram=/dev/zram$devices_id
	later "echo $devices_id >/sys/class/zram-control/hot_remove"
	later "echo 1 >/sys/block/zram$devices_id/reset"
	echo "$1" >/sys/block/zram$devices_id/disksize || devices_fail "no room for $zram"
}

# part_new DISK NUMBER START SECTORS: $part, made by BLKPG; START and SECTORS of 512 bytes.
part_new() {
	addpart "$1" "$2" "$3" "$4" || devices_fail "no partition $2 on $1"
	part=${1}p$2
	later "delpart $1 $2"
	[ -b "$part" ] || devices_fail "no node $part"
}

# mount_new DEVICE [MOUNT-ARGS...]: $mnt.
mount_new() {
	devices_count=$((devices_count + 1))
	mnt=$devices/mnt$devices_count
	devices_what=$1
	shift
	mkdir "$mnt" && mount "$@" "$devices_what" "$mnt" || devices_fail "cannot mount $devices_what"
	later "umount $mnt || umount -l $mnt"
}

# unmount DIR: before the end.
unmount() { umount "$1"; }

# swap_new DEVICE: as small as swap can be, since others' memory goes there.
swap_new() {
	[ "$devices_swap" ] || devices_fail "'need swap' must come first"
	mkswap "$1" 40 >/dev/null 2>&1 && swapon "$1" || devices_fail "cannot swap on $1"
	later "swapoff $1"
}

# hold_open DEVICE: a process, $holder, has it open for reading and writing, without O_EXCL.
hold_open() {
	sleep 3600 1<>"$1" &
	holder=$!
	later "kill $holder; wait $holder"
}

# background COMMAND...: $pid; killed at the end if it still runs.
background() {
	"$@" &
	pid=$!
	later "kill $pid; wait $pid"
}

# throttle_new DEVICE READ-BPS WRITE-BPS: $throttle, a control group for throttled; again for
# further devices. 0: no limit.
throttle_new() {
	devices_numbers=$(cat "/sys/class/block/${1##*/}/dev")
	throttle=/sys/fs/cgroup/blkio/pitbox-test-$$
	if [ ! -d "$throttle" ]; then
		mkdir "$throttle" || devices_fail "no control group"
		later "for devices_try in 1 2 3 4 5; do rmdir $throttle && break; sleep 0.2; done"
	fi
	echo "$devices_numbers $2" >"$throttle/blkio.throttle.read_bps_device" &&
	echo "$devices_numbers $3" >"$throttle/blkio.throttle.write_bps_device" || devices_fail "no throttle for $1"
}

# throttled COMMAND...: run it with the limits of throttle_new on its direct and read transfers.
throttled() { sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$throttle" "$@"; }

# sum FILE: its SHA-256, from beneath the page cache where it is a loop's $backing.
sum() { sha256sum <"$1" | cut -d' ' -f1; }

# stat_field DEVICE N: field N of /sys/class/block/X/stat: 3 and 7 sectors, 16 flushes.
stat_field() { set -- $2 $(cat "/sys/class/block/${1##*/}/stat"); eval "echo \${$(($1 + 1))}"; }
