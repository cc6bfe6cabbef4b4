# SPDX-License-Identifier: MIT
# ddtest, many targets: one table, a line each, the odd ones named, one after the other and all at
# once; no line over 79 columns, whatever the names.
. tests/ddtest.sh
need throttle

# Eight alike, one whose backing takes no more, one slow. Memory is no two times as fast.
all=
for i in 1 2 3 4 5 6 7 8; do
	loop_new 9M 512 random
	throttle_new "$loop" 8000000 8000000
	all="$all $loop"
done
mount_new none -t tmpfs -o size=64K
truncate -s 9M "$mnt/backing"
head -c 60K /dev/urandom >"$mnt/filler"
loop_on "$mnt/backing"
failing=$loop
loop_new 9M 512 random
slow=$loop
throttle_new "$slow" 2500000 2500000

# line NAME: its line of the table.
line() { grep "^${1#/dev/}  " "$tmp/out"; }
table() {
	is status 5
	like out '10 targets, 4 tests each, at most '
	like out 'DISK     MODEL           SERIAL    READ WRITE DSYNC  SMALL   SEEK'
	for name in $all; do
		got=$(line $name)
		case $got in *' ok') ;; *) false ;; esac
		tap $? "$name is ok" "$got"
	done
	got=$(line $failing)
	case $got in *' FAILED') ;; *) false ;; esac
	tap $? "$failing has failed" "$got"
	like said "${failing#/dev/}: sector "
	like said ' cannot be written: No space left on device'
	got=$(line $slow)
	case $got in *' SLOW 0.'??' x') ;; *) false ;; esac
	tap $? "$slow is slow" "$got"
	like out '10 targets: 8 ok'
	like out "
${slow#/dev/} writes at 0."
	lines=$(grep -c '^loop[0-9]*  ' "$tmp/out")
	is lines 10
}
args="-w -m dsync -s 2MiB -n 100 $all $failing $slow"
start $args
ended
table
like out 'at most 15 min'
start -P $args
ended
table
like out 'at most 1 min 30 s'
start -P --json $args
ended
printf '5\t\n' >>"$tmp/wanted"
json_kept
json '([.results[].status] | sort) == [0,0,0,0,0,0,0,0,1,5]'
json '[.results[].verdicts[] | select(.level == "fault") | .id] == ["slower-than-its-kind"]'
json '([.results[].target] | join(" ")) == "'"$(echo $all $failing $slow)"'"'
json 'all(.results[] | select(.status != 5); .runs | length == 4)'
json '.results[8] | .errors[0].errno == 28 and .runs[2].incomplete and ([.verdicts[].id] == ["zeros"])'
start -q -P -w -s 1MiB -n 10 $failing $slow
ended
is status 5
like out "$slow: "
like out "$failing: "

# At once takes the time of the slowest: five that take two seconds each.
same=
for i in 1 2 3 4 5; do
	loop_new 9M 512 random
	throttle_new "$loop" 4000000 4000000
	same="$same $loop"
done
from=$(cut -d. -f1 /proc/uptime)
start -P -s 8MiB -n 1 -t 5 $same
ended
took=$(($(cut -d. -f1 /proc/uptime) - from))
is status 0
like out '5 targets, 2 tests each, at most 10 s; only reading'
like out '5 targets: 5 ok'
[ $took -lt 9 ]
tap $? 'five of two seconds each take less than ten at once' "$took"

# Names. A path of 200 characters, of control bytes, of no UTF-8, with quotes and backslashes.
folder=$tmp/$(printf '%0150d' 0)
mkdir -p "$folder"
head -c 64K /dev/urandom >"$folder/$(printf '%050d' 0)"
long=$folder/$(printf '%050d' 0)
odd=$(printf '%s/%b' "$tmp" 'a\001\033[31m\t\r\n"\\\0303\0050\0377 \0342\0202\0254 x')
cp "$long" "$odd"
disk=${all##* }
for path in "$long" "$odd"; do
	both 0 '' -s 64KiB -n 5 "$path"
	both 0 '' -v -s 64KiB -n 5 "$path"
	both 0 '' -q -s 64KiB -n 5 "$path"
	good '2 targets: 2 ok' -s 64KiB -n 5 "$path" "$disk"
	good '2 targets: 2 ok' -P -s 64KiB -n 5 "$disk" "$path"
	both 2 'cannot be held alone' -w "$path"
	both 5 'there is no such ' "$path.not"
	both 2 'does not repeat' --destroy="$path" "$path."
	both 2 'needs the target once more' --destroy="$path"
done
json_of 0 '' -s 64KiB -n 5 "$odd"
json '.results[0].target | endswith("\"\\�(� € x") and contains("a\u0001\u001b[31m\t\r\n")'
mkdir "$tmp/mount point"
loop_new 8M
ext4_new "$loop"
mount "$loop" "$tmp/mount point"
later "umount '$tmp/mount point'"
both 4 "is mounted on $tmp/mount point" -w "$loop"
like said "umount '$tmp/mount point'"

# The list: each disk a line, whoever uses it.
ddtest
is status 0
like out 'DISK              SIZE BUS     MODEL                SERIAL       IN USE BY'
for name in $all $slow; do
	got=$(line $name)
	case $got in *"9 MiB loop "*' nobody') ;; *) false ;; esac
	tap $? "$name is listed" "$got"
done
got=$(line $loop)
case $got in *"8 MiB loop "*"$(printf %.8s "$tmp")"*) ;; *) false ;; esac
tap $? "$loop is listed as mounted" "$got"
json_of 0 ''
json '.results | length > 10 and all(.[]; .kind == "block" and .runs == [] and .size_bytes > 0)'

done_testing
