# SPDX-License-Identifier: MIT
# device-use.t - who uses a device, on real ones: mounts, swap, loops, descriptors, other namespaces.
. tests/lib.sh
. tests/devices.sh
need swap loop part mkfs.ext4 mkswap unshare
[ -z "$RUNNER" ] || skip "needs this machine's own system calls"

# uses DEVICE: $out.
uses() { cmd="use $1"; out=$("${BIN%/*}/tests/unit/use" "$1"); }
base() { echo "${1##*/}"; }

loop_new 64M; disk=$loop d=$(base $loop)
part_new $disk 1 2048 40000; one=$part
part_new $disk 2 43008 40000; two=$part
uses $disk; is out "brief: "

mkfs.ext4 -q $one; mount_new $one; m=$mnt
uses $disk; is out "${d}p1 is mounted on $m [umount $m]
brief: $m"
uses $one; is out "${d}p1 is mounted on $m [umount $m]
brief: $m"
uses $two; is out "brief: "
mkdir "$devices/it's here"; mount --bind $m "$devices/it's here"; later "umount '$devices/it'\\''s here'"
uses $one; like out "${d}p1 is mounted on $devices/it's here [umount '$devices/it'\\''s here']"

swap_new $two
uses $disk; like out "${d}p2 is swap [swapoff $two]"
uses $two; is out "${d}p2 is swap [swapoff $two]
brief: swap"

loop_new 64M; under=$loop u=$(base $loop); loop_on $under; upper=$loop
uses $under; is out "$u is the backing of $(base $upper) [losetup -d $upper]
brief: "
mkfs.ext4 -q $upper; mount_new $upper; m=$mnt
uses $under; is out "$u is the backing of $(base $upper), mounted on $m [umount $m; losetup -d $upper]
brief: "

# A loop device over a file keeps a file system alive that was unmounted lazily.
loop_new 64M; lazy=$loop; mkfs.ext4 -q $lazy; mount_new $lazy
truncate -s 8M $mnt/file; loop_on $mnt/file
uses $lazy; is out "$(base $lazy) is mounted on $mnt [umount $mnt]
brief: $mnt"
umount -l $mnt
uses $lazy; is out "$(base $lazy) is the backing of $(base $loop) (a file on it) [losetup -d $loop]
brief: "

loop_new 8M; l=$(base $loop); hold_open $loop
uses $loop; is out "$l is open for writing by sleep (pid $holder) [kill $holder]
brief: "
loop_new 8M; l=$(base $loop); background sleep 3600 3<$loop
uses $loop; is out "brief: "
mknod $devices/node b $(tr : ' ' </sys/block/$l/dev); hold_open $devices/node
uses $loop; is out "$l is open for writing by sleep (pid $holder) [kill $holder]
brief: "
loop_new 8M; part_new $loop 1 2048 4096; hold_open $part
uses $loop; is out "$(base $part) is open for writing by sleep (pid $holder) [kill $holder]
brief: "
loop_new 8M; part_new $loop 1 2048 4096; l=$(base $loop); hold_open $loop
uses $part; is out "$l is open for writing by sleep (pid $holder) [kill $holder]
brief: "

loop_new 64M; l=$(base $loop); mkfs.ext4 -q $loop
background unshare -m sh -c "mount $loop /mnt && exec sleep 3600"
for i in 1 2 3 4 5 6 7 8 9; do [ "$(cat /proc/$pid/comm)" = sleep ] && break; sleep 0.1; done
uses $loop; is out "$l is mounted on /mnt as sleep (pid $pid) sees it [nsenter -t $pid -m umount /mnt]
brief: /mnt"

if command -v mkfs.btrfs >/dev/null && grep -q btrfs /proc/filesystems; then
	loop_new 128M; first=$loop; loop_new 128M; second=$loop
	mkfs.btrfs -q $first $second 2>/dev/null; mount_new $first
	uses $second; is out "$(base $second) is mounted on $mnt [umount $mnt]
brief: $mnt"
	# Open files keep it: nobody sees a mount any more.
	background sleep 3600 3<$mnt
	umount -l $mnt
	uses $second; like out "$(base $second) is part of the btrfs "
fi
done_testing
