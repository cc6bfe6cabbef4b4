# SPDX-License-Identifier: MIT
# ddtest -w, what is in use: refused (4), the holder named with what ends it, by the device's own
# name and through a symbolic link, and not one byte is written.
. tests/ddtest.sh
need part swap perl

small='-s 1MiB -n 20'

# refused DEVICE HOLDER [REMEDY]
refused() {
	link=$tmp/link-${1##*/}
	ln -sfn "$1" "$link"
	before=$(stat_field "$1" 7)
	both 4 "$2" -w $small "$1"
	like said "${1}: "
	[ -z "$3" ] || like said "$3"
	both 4 "$2" -w --force $small "$link"
	both 4 "$2" --destroy="$link" --force $small "$link"
	both 4 "$2" -w $small "${1#/dev/}"
	after=$(stat_field "$1" 7)
	is after "$before"
	good 'It is only read.' $small "$1"
}

# A file system on the device.
loop_new 8M
disk=$loop
ext4_new "$disk"
mount_new "$disk"
refused "$disk" "is mounted on $mnt" "umount $mnt"
mkdir "$mnt/folder"
good 'every byte is as it was written' -w $small "$mnt/folder"
umount "$mnt"
good 'every byte is as it was' -w $small "$disk"

# Of three partitions one is mounted, one is swap: the disk is held, the third is free.
loop_new 16M 512 random
disk=$loop
part_new "$disk" 1 2048 8192
mounted=$part
part_new "$disk" 2 12288 8192
swap=$part
part_new "$disk" 3 24576 4096
free=$part
ext4_new "$mounted"
mount_new "$mounted" -o ro
refused "$disk" "${mounted#/dev/} is mounted on $mnt" "umount $mnt"
refused "$mounted" "is mounted on $mnt" "umount $mnt"
swap_new "$swap"
refused "$swap" 'is swap' "swapoff $swap"
both 4 "${swap#/dev/} is swap" -w $small "$disk"
like said "${mounted#/dev/} is mounted on $mnt"
keep "$backing"
good 'every byte is as it was' -w $small "$free"
same "$backing" 'a free partition beside a mounted one is tested, and kept'
good 'THE DATA IS LOST' --destroy="$free" --force $small "$free"
swapoff "$swap"
umount "$mnt"
good 'every byte is as it was' -w $small "$disk"

# Below a loop: with a file system, and alone; a file on it below a loop.
loop_new 16M
low=$loop
loop_on "$low"
refused "$low" "is the backing of ${loop#/dev/}" "losetup -d $loop"
# It takes the lower one without holding it: nobody is seen who uses that.
both 4 "is a loop over a device, to be tested itself: $low" -w $small "$loop"
ext4_new "$loop"
mount_new "$loop"
refused "$low" "is the backing of ${loop#/dev/}, mounted on $mnt" "umount $mnt; losetup -d $loop"
refused "$loop" "is mounted on $mnt" "umount $mnt"
truncate -s 1M "$mnt/file"
loop_on "$mnt/file"
umount -l "$mnt"
refused "${low}" 'is the backing of ' 'losetup -d '

# Held open for writing, without O_EXCL, as QEMU does; the same for its partition and its disk.
loop_new 8M 512 random
part_new "$loop" 1 2048 4096
hold_open "$loop"
refused "$loop" "is open for writing by sleep (pid $holder)" "kill $holder"
both 4 "${loop#/dev/} is open for writing by sleep (pid $holder)" -w $small "$part"
kill "$holder"
wait "$holder" 2>/dev/null
hold_open "$part"
both 4 "${part#/dev/} is open for writing by sleep (pid $holder)" -w $small "$loop"
kill "$holder"
wait "$holder" 2>/dev/null

# Held by O_EXCL alone, which nothing in /proc shows.
background perl -MFcntl -e 'sysopen my $f, $ARGV[0], O_RDONLY|O_EXCL or die; open my $o, ">", $ARGV[1]; sleep 3600' "$loop" "$tmp/held"
until [ -e "$tmp/held" ]; do sleep 0.1; done
both 4 'is held by something this system does not show' -w $small "$loop"
kill "$pid"
wait "$pid" 2>/dev/null
good 'every byte is as it was' -w $small "$loop"

# While it is tested nobody else gets it for himself.
loop_new 64M
throttle_new "$loop" 4000000 4000000
start -w -m direct -s 4MiB -n 10 "$loop"
testing=$pid
heading
ddtest -w $small "$loop"
is status 4
like said "is open for writing by pitbox (pid $testing)"
[ "$(blockdev --getsize64 "$loop")" = 67108864 ]
tap $? 'it can be looked at'
exclusive="$(perl -MFcntl -e 'print sysopen(my $f, $ARGV[0], O_RDONLY|O_EXCL) ? "got" : $!' "$loop")"
cmd='open with O_EXCL, meanwhile:'
is exclusive 'Device or resource busy'
wait "$testing"
status=$?
is status 0

# What looks like part of something is noted; a signature stops --destroy.
loop_new 8M 512 random
printf 'LABELONE' | dd of="$backing" bs=1 seek=512 conv=notrunc status=none
printf 'LVM2 001' | dd of="$backing" bs=1 seek=536 conv=notrunc status=none
keep "$backing"
both 0 'It looks like ' -w $small "$loop"
both 4 'holds ' --destroy="$loop" $small "$loop"
like said '--force destroys that too'
same "$backing" 'a signature is kept'
good 'THE DATA IS LOST' --destroy="$loop" --force $small "$loop"

done_testing
