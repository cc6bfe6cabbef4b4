# SPDX-License-Identifier: MIT
# boot-squashfs - the image for live media: what is in it, and the same bytes each time.
. tests/lib.sh
unset MAKEFLAGS MAKELEVEL MFLAGS
command -v mksquashfs >/dev/null || skip "no mksquashfs"

squashfs() { TIMEOUT=300 try make -s $VARIABLES "$@" squashfs; }
squashfs
is status 0
is err ''
try unsquashfs -lls "$O/pitbox.squashfs"
size=$(wc -c <"$O/boot/pitbox")
listing=$(grep squashfs-root "$tmp/out" | awk '{ print $1, $2, $3, $6 $7 $8 }')
is listing "drwxr-xr-x root/root $(echo "$out" | awk '/squashfs-root$/ { print $3 }') squashfs-root
drwxr-xr-x root/root $(echo "$out" | awk '/usr$/ { print $3 }') squashfs-root/usr
drwxr-xr-x root/root $(echo "$out" | awk '/bin$/ { print $3 }') squashfs-root/usr/bin
$(for a in $($BIN --list); do echo "lrwxrwxrwx root/root 6 squashfs-root/usr/bin/$a->pitbox"; done)
-rwxr-xr-x root/root $size squashfs-root/usr/bin/pitbox"
try unsquashfs -quiet -no-progress -d "$tmp/root" "$O/pitbox.squashfs"
is status 0
try cmp "$tmp/root/usr/bin/pitbox" "$O/boot/pitbox"
is status 0
try "$tmp/root/usr/bin/ddtest" --version
is status 0

mkdir "$tmp/elsewhere"
sleep 1
squashfs O="$tmp/elsewhere"
is status 0
try cmp "$O/pitbox.squashfs" "$tmp/elsewhere/pitbox.squashfs"
is status 0

done_testing
