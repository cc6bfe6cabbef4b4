# SPDX-License-Identifier: MIT
# ddtest, the data: reading writes nothing; -w changes no byte; --destroy changes its own region
# alone; a folder is left as it was.
. tests/ddtest.sh

# kept ARGS...: -w with ARGS leaves every byte of the device as it is.
kept() {
	ddtest -w "$@" "$loop"
	is status 0
	like said 'Read back and compared: every byte is as it was.'
	same "$backing" "-w $* keeps every byte"
}

for sector in 512 4096; do
	loop_new 66M $sector random
	keep "$backing"
	before=$(stat_field "$loop" 7)
	ddtest "$loop"
	is status 0
	ddtest -s 4MiB -o 5MiB -n 2000 -t 0 "$loop"
	is status 0
	after=$(stat_field "$loop" 7)
	is after "$before"
	same "$backing" 'reading leaves every byte'

	kept -s 64MiB -n 1000
	after=$(stat_field "$loop" 7)
	[ $((after - before)) -ge $((2 * 64 * 2048 + 2 * 1000)) ]
	tap $? 'and everything was written twice' "$((after - before)) sectors"
	json_of 0 '1000 dsync writes made ' -w -s 64MiB -n 1000 "$loop"
	is status 0
	json '.results[0] | .data == "kept" and (.runs | length == 6)
		and ([.runs[].bytes] | .[0:4] == [67108864, 4096000, 67108864, 67108864])
		and ([.runs[].ops] | .[1] == 1000 and .[4:6] == [1000, 1000])
		and all(.runs[]; .incomplete == false)'
	same "$backing" 'with --json too'
	kept -s 8MiB -n 5000 -b 4KiB -t 0
	like said 'Small writes go round and round over 16 MiB.'
	kept -s 3MiB -o 63MiB -n 10000
	kept -n 10 -m direct
	kept -s 8192 -n 3 -m dsync
done

# --destroy: from the offset to the longer of the stream and the small writes.
# destroyed FROM TO ARGS...: all of that changed, and no byte around it.
destroyed() {
	from=$1 to=$2
	shift 2
	loop_new 4M 512 random
	keep "$backing"
	ddtest --destroy="$loop" "$@" "$loop"
	is status 0
	like said 'every byte is as it was written'
	what=$(perl -e '
		($from, $to, @files) = @ARGV;
		open $_, "<", $_ for @files;
		for ($at = 0; read($files[0], $old, 512); $at += 512) {
			read $files[1], $new, 512;
			$inside = $at >= $from && $at < $to;
			$inside ? $left++ : $outside++ if ($old eq $new) == $inside;
		}
		printf "%d sectors outside, %d left", $outside, $left' "$from" "$to" "$devices/kept" "$backing")
	is what '0 sectors outside, 0 left'
}
destroyed 1048576 2097152 -s 1MiB -n 100
destroyed 1048576 1150976 -s 4KiB -n 200
destroyed 0 1048576 -s 1MiB -n 10 -o 0
destroyed 2097152 4194304 -o 2MiB -n 5
destroyed 512 4096 -o 512 -s 3584 -n 2
json_of 0 '' --destroy="$loop" -s 1MiB -n 10 --seed 7 "$loop"
json '.results[0].data == "pattern"'
sum_7=$(sum "$backing")
json_of 0 '' --destroy="$loop" -s 1MiB -n 10 --seed 8 "$loop"
sum_8=$(sum "$backing")
[ "$sum_7" != "$sum_8" ]
tap $? 'another seed is another pattern'
ddtest --destroy="$loop" -s 1MiB -n 10 --seed 7 "$loop"
again=$(sum "$backing")
is again "$sum_7"
gzip -c "$backing" | wc -c >"$tmp/size"
[ "$(cat "$tmp/size")" -gt 3900000 ]
tap $? 'the pattern cannot be compressed' "$(cat "$tmp/size")"
ddtest --destroy="$loop" --data zero -o 0 "$loop"
is status 0
[ -z "$(tr -d '\0' <"$backing" | head -c 1)" ]
tap $? '--data zero writes zeros'
both 0 'The data is all zeros' -w "$loop"

# A folder: nothing is left in it, and what it takes is given back.
loop_new 16M
ext4_new "$loop"
mount_new "$loop"
echo mine >"$mnt/mine"
before=$(df "$mnt" | tail -1)
good 'In a scratch file that nobody sees.' -w -s 4MiB -n 100 "$mnt"
listing=$(cd "$mnt" && ls -A | tr '\n' ' ') after=$(df "$mnt" | tail -1)
is listing 'lost+found mine '
is after "$before"
json_of 0 'half of the free space' -w -n 10 "$mnt"
json '.results[0] | .kind == "directory" and .data == "scratch" and .runs[0].bytes <= .size_bytes / 2'

# A device without a queue of requests.
if [ -e /sys/class/zram-control/hot_add ]; then
	zram_new 16M
	head -c 16M /dev/urandom >"$zram"
	cp "$zram" "$devices/kept"
	good 'every byte is as it was' -w -s 8MiB -n 1000 "$zram"
	same "$zram" '-w keeps every byte of a zram device'
	both 0 '' --destroy="$zram" -s 1MiB -n 10 "$zram"
else
	skipped 'no zram'
fi

done_testing
