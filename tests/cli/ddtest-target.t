# SPDX-License-Identifier: MIT
# ddtest, targets: what there is not, what is none, odd ones, full ones, read-only ones; each is
# said by name, gets its status, and stops no other.
. tests/ddtest.sh
need part

small='-s 1MiB -n 20'
loop_new 4M 512 random
good=$loop
keep "$backing"

# What is missing is not made.
for path in /dev/typo "$tmp/typo" typo; do
	for write in '' -w; do
		both 5 'there is no such ' $write "$path"
	done
done
both 5 "/dev/typo: there is no such file or device; 'ddtest' lists the disks" --destroy=/dev/typo /dev/typo
[ ! -e /dev/typo ] && [ ! -e typo ] && [ ! -e "$tmp/typo" ]
tap $? 'a path that is not there is not made'
both 5 ': there is no such file or device' ''
: >"$tmp/file"
both 5 "$tmp/file/x: cannot look at it: Not a directory" "$tmp/file/x"
ln -s loop.link "$tmp/loop.link"
both 5 'cannot look at it: Too many levels of symbolic links' "$tmp/loop.link"
long=/dev/$(printf '%0300d' 0)
both 5 'cannot look at it: File name too long' "$long"

# What is none.
mkfifo "$tmp/fifo"
both 4 "$tmp/fifo: is a FIFO; ddtest takes a block device, a directory or a file" "$tmp/fifo"
both 4 'is a FIFO' -w "$tmp/fifo"
both 4 '/dev/null: is a character device' /dev/null
both 4 '/dev/zero: is a character device' --destroy=/dev/zero /dev/zero
both 5 'null: there is no such file or device' null
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1)' "$tmp/socket"
both 4 "$tmp/socket: is a socket" "$tmp/socket"
both 3 "$tmp/file: is empty: there is nothing to read" "$tmp/file"

# A file is read, whatever its length.
head -c 1234567 /dev/urandom >"$tmp/file"
both 0 '' -s 64KiB -n 5 "$tmp/file"
both 0 'the target ends there' -n 5 "$tmp/file"
head -c 511 /dev/urandom >"$tmp/tiny"
both 3 'is too small' -n 5 "$tmp/tiny"
for size in 512 513 4095 4097; do
	head -c $size /dev/urandom >"$tmp/tiny"
	before=$(sum "$tmp/tiny")
	json_of 0 '' -n 5 "$tmp/tiny"
	is status 0
	after=$(sum "$tmp/tiny")
	is after "$before"
done

# One device, three names: once. A folder and a file too.
ln -s "$good" "$tmp/disk"
good "is the same as $good or overlaps it, and is left out" $small "$good" "$tmp/disk"
json '.results | length == 1'
ddtest $small "$tmp/disk" "${good#/dev/}" "$good" ./tests/../../"${PWD##*/}"/../../../../../../..$good
unlike out 'targets'
like said "${good#/dev/}: is the same as $tmp/disk"
like said "$good: is the same as $tmp/disk"
mkdir "$tmp/scratch"
ln -s scratch "$tmp/folder"
good 'is the same ' -w $small "$tmp/scratch" "$tmp/scratch/" "$tmp/folder"
unlike out 'targets'
good 'is the same ' -s 64KiB -n 5 "$tmp/file" "$tmp/./file"
ddtest $small "${good#/dev/}"
is status 0
like out "${good#/dev/}: 4 MiB"

# A partition, its disk, and its sibling.
part_new "$good" 1 64 2048
one=$part
part_new "$good" 2 4096 2048
good "$one: is the same as $good" $small "$good" "$one"
good "$good: is the same as $one" $small "$one" "$good"
ddtest $small "$one" "$part"
like out '2 targets: 2 ok'

# Folders that take no file.
mount_new none -t tmpfs -o size=2M
both 4 'is on tmpfs, which is memory, no disk; --force measures it' -w "$mnt"
good 'every byte is as it was written' -w --force $small "$mnt"
ddtest -w --force -s 2MiB -n 20 "$mnt"
like said 'half of the free space'
both 2 '--offset is for devices and files' -w --force $small -o 4096 "$mnt"
listing=$(ls -A "$mnt")
is listing ''
head -c 3M /dev/zero >"$mnt/full" 2>"$tmp/err"
both 5 'no room for a scratch file' -w --force "$mnt"
mount_new none -t ramfs
both 4 'is on ramfs, which is memory' -w "$mnt"
both 3 'takes no O_DIRECT, so there are no write tests' -w --force "$mnt"
listing=$(ls -A "$mnt")
is listing ''
loop_new 8M
ext4_new "$loop"
mount_new "$loop"
good 'every byte is as it was written' -w $small "$mnt"
head -c 9M /dev/zero >"$mnt/full" 2>"$tmp/err"
both 5 'no room for a scratch file' -w "$mnt"
listing=$(ls "$mnt" | tr '\n' ' ')
is listing 'full lost+found '
rm "$mnt/full"
mount -o remount,ro "$mnt"
both 4 'cannot make a scratch file: Read-only file system' -w "$mnt"
mount -o remount,rw "$mnt"
chmod 755 "$mnt" "$devices"
if setpriv --reuid 65534 --clear-groups test -x "$BIN" 2>/dev/null; then
	try setpriv --reuid 65534 --clear-groups $RUNNER "$BIN" ddtest -w "$mnt"
	is status 4
	err=$(echo $err)
	like err 'cannot make a scratch file: permission denied, this needs root'
	lines_fit
	try setpriv --reuid 65534 --clear-groups $RUNNER "$BIN" ddtest "$good"
	is status 5
	like err 'cannot open it and ask for its size: permission denied'
else
	skipped 'nobody cannot run it'
fi

# Read-only marks: on the device, on its disk, on a partition of it. Reading goes on.
loop_new 4M 512 random
part_new "$loop" 1 2048 2048
name=${loop#/dev/}
keep "$backing"
for marked in "$loop" "$part"; do
	blockdev --setro "$marked"
	for target in "$loop" "$part"; do
		both 4 'is marked read-only, and nothing here changes that' -w $small "$target"
		both 4 'is marked read-only' --destroy="$target" --force $small "$target"
		[ "$marked" = "$target" ] && like said "${marked#/dev/} is marked read-only"
		good 'It is only read.' $small "$target"
		ro=$(blockdev --getro "$marked")
		is ro 1
	done
	blockdev --setrw "$marked"
done
same "$backing" 'what is marked read-only is not written'
file=$backing
reader=$(losetup -r -f --show "$file")
later "loop_end $reader '$(loop_what "$reader")'"
both 4 "${reader#/dev/} is marked read-only" -w $small "$reader"
same "$file" 'a device that is read-only from the start is not written'

# Nothing behind it.
head -c 500 /dev/urandom >"$devices/nothing"
loop_on "$devices/nothing"
nothing=$loop
both 3 'has a size of 0: no medium, or nothing behind it' -w "$nothing"

# Small and odd: one sector, three and a half, no multiple of 4096.
for size in 512 1792 4608 1000000 1048576 1049088; do
	loop_new "$size" 512 random
	keep "$backing"
	for write in '' -w; do
		json_of 0 '' $write -n 20 "$loop"
		is status 0
		json '.results[0] | .runs | length > 0 and all(.[]; .bytes > 0)'
	done
	same "$backing" "-w keeps all $size bytes"
	json_of 0 '' --destroy="$loop" -n 20 "$loop"
	is status 0
done

# Smaller than asked, and a block larger than the device.
loop_new 2M 4096 random
keep "$backing"
both 0 'The stream has 1 MiB, not 1 GiB: the target ends there' -w -n 20 "$loop"
both 0 'The stream has 1 MiB, not 8 EiB' -w -s 8EiB -n 20 "$loop"
both 0 'Small writes have 4096 bytes, not 512: so large are its sectors.' -w $small "$loop"
both 3 'is too small for one write of 4194304 bytes' -w -b 4MiB $small "$loop"
both 0 'Small writes go round and round over 1 MiB' -w -b 64KiB -n 100 "$loop"
json '[.results[0].runs[] | select(.test == "latency-write") | .ops] == [100, 100]'
both 0 'Small writes go round' -w -o 2093056 -s 4KiB -n 9 "$loop"
same "$backing" 'and nothing of it was changed'

# Of many the worst counts, and a bad one stops no other.
ddtest $small "$good" /dev/typo "$tmp/fifo" "$nothing"
is status 5
like out '4 targets: 1 ok'
json_of 5 'there is no such file or device' $small /dev/typo "$good"
json '[.results[].status] == [5, 0]'

done_testing
