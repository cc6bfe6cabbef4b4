# SPDX-License-Identifier: MIT
# ddtest on devices that move 1 MB/s: -t, what the first line promises, progress in every phase,
# signals in the middle. Where seconds are counted the device's own slowness gives them.
. tests/ddtest.sh
need throttle

seconds() { cut -d. -f1 /proc/uptime; }
slow() {
	loop_new "$1" 512 random
	throttle_new "$loop" 1000000 1000000
}

# The longest first: it runs while the others do.
slow 64M
from=$(seconds)
start -w -t 2 --json -b 16KiB --progress=always "$loop"
long_pid=$pid long_out=$tmp/long long_loop=$loop long_file=$backing
cp "$backing" "$devices/long"
mv "$tmp/out" "$tmp/long"
mv "$tmp/err" "$tmp/long.err"
( while [ -d /proc/$long_pid ] && ! grep -qs zombie /proc/$long_pid/status; do sleep 0.2; done
  seconds >"$tmp/long.end" ) &
later "wait"

# stopped SIGNAL NUMBER ARGS...: ended by that signal after two seconds: what was measured is shown.
slow 16M
keep "$backing"
stopped() {
	name=$1 number=$2
	shift 2
	start "$@"
	case $* in *--json*) sleep 2 ;; *) heading 1.5 ;; esac
	kill -"$name" "$pid"
	ended
	is status $((128 + number))
	same "$backing" "$cmd: SIG$name changes no byte"
}
stopped INT 2 -w "$loop"
like out 'Stopped by a signal after '
like out 'incomplete.'
grep -qE '^stream   read +(1\.[0-9] MB/s|9[0-9][0-9] kB/s) incomplete$' "$tmp/out"
tap $? 'what was measured is shown, marked' "$out"
is err ''
stopped TERM 15 -w -t 1 "$loop"
like out 'Stopped by a signal after '
stopped HUP 1 -w -o 0 -s 128KiB -t 0 -n 1000000 "$loop"
like out 'Stopped by a signal after '
like said 'incomplete'
stopped INT 2 --json -w "$loop"
printf '130\t\n' >>"$tmp/wanted"
json_kept
json '.status == 130 and (.results[0] | .incomplete == true and .runs[0].incomplete == true
	and .runs[0].bytes > 0 and .runs[0].test == "stream-read")'

# It ends by the signal, it does not only say so.
perl -e '$SIG{INT} = "DEFAULT"; $p = fork; if (!$p) {
		open my $f, ">", shift() . "/cgroup.procs"; print $f $$; close $f; open STDOUT, ">/dev/null"; exec @ARGV }
	sleep 1; kill INT => $p; waitpid $p, 0; exit $? & 127' "$throttle" $RUNNER "$BIN" ddtest "$loop"
status=$?
is status 2

# One that was ignored stays so: nohup, and what a shell puts in the background.
perl -e '$SIG{HUP} = $SIG{INT} = "IGNORE"; exec @ARGV' $RUNNER "$BIN" ddtest -n 100000000 -t 2 "$loop" >"$tmp/out" 2>"$tmp/err" &
pid=$!
heading
kill -INT "$pid"
kill -HUP "$pid"
ended
is status 0
like out 'Done in '

# SIGUSR1: a line of progress, and nothing else happens. A folder is left empty.
start -s 3MiB -t 0 -n 3 "$loop"
heading
kill -USR1 "$pid"
sleep 1
kill -USR1 "$pid"
ended
is status 0
lines=$(grep -c "^${loop#/dev/}: stream read .* of 3 MiB, .* left\$" "$tmp/err")
is lines 2
like out 'Done in '
unlike out 'incomplete'

ext4_new "$loop"
mount_new "$loop"
start -w -s 4MiB "$mnt"
heading
kill -INT "$pid"
ended
is status 130
listing=$(ls "$mnt")
is listing 'lost+found'
umount "$mnt"

# With -P: all end, none stays behind, the table is printed.
slow 8M
one=$loop one_file=$backing
slow 8M
keep "$one_file"
start -P -w "$one" "$loop"
heading 1.5
children=$(cat /proc/$pid/task/$pid/children)
kill -INT "$pid"
ended
is status 130
[ "$(echo $children | wc -w)" = 2 ]
tap $? 'a process for each' "$children"
left=$(for child in $children; do ls -d /proc/$child 2>/dev/null; done)
is left ''
like out '2 targets: 0 ok'
for name in "$one" "$loop"; do
	grep -q "^${name#/dev/} .*  incomplete\$" "$tmp/out"
	tap $? "$name is a line, incomplete" "$out"
done
same "$one_file" 'and changed no byte'
start -P -w "$one" "$loop"
heading 1
children=$(cat /proc/$pid/task/$pid/children)
kill -KILL "$pid"
wait "$pid" 2>/dev/null
for try in 1 2 3 4 5 6 7 8 9 10; do
	left=$(for child in $children; do ls -d /proc/$child 2>/dev/null; done)
	[ "$left" ] && sleep 0.5
done
cmd='pitbox ddtest -P, killed'
is left ''

# -t 0 runs to the end however slow.
start -s 3MiB -n 5 -t 0 "$one"
ended
is status 0
like out 'however long they take (-t 0)'
json_of 0 '' -s 1MiB -n 5 -t 0 "$one"
json '.results[0].runs[0] | .bytes == 1048576 and .incomplete == false'

# The long one: each test in its time, all of it in what was announced, a line a second.
wait "$long_pid"
status=$? cmd="pitbox ddtest -w -t 2 --json $long_loop"
is status 0
until [ -s "$tmp/long.end" ]; do sleep 0.2; done
took=$(($(cat "$tmp/long.end") - from))
[ $took -le 19 ]
tap $? 'the whole run takes no more than its nine shares of 2 s' "$took s"
[ $took -ge 10 ]
tap $? 'and was slow' "$took s"
cp "$tmp/long" "$tmp/out"
out=$(cat "$tmp/out")
printf '0\t\n' >>"$tmp/wanted"
json_kept
json '.results[0].runs | length == 6 and all(.[]; .elapsed_ns < 2900000000)
	and all(.[] | select(.test == "stream-read" or .test == "latency-write"); .note == "ended by -t" and .incomplete)'
cmp "$devices/long" "$long_file"
tap $? 'and every byte is as it was'
for phase in 'stream read' 'seek and read' 'second read' 'stream write direct' 'stream write dsync' \
	'reading back' 'small writes direct' 'small writes dsync'; do
	grep -q "^${long_loop#/dev/}: $phase .* of .* left\$" "$tmp/long.err"
	tap $? "--progress=always shows '$phase'" "$(cat "$tmp/long.err")"
done
wide=$(awk 'length > 79 || /[^ -~]/' "$tmp/long.err")
is wide ''

done_testing
