# SPDX-License-Identifier: MIT
# ddtest, what it prints to: stdout closed, full or without a reader is 5, and no byte changes;
# limits, -q and -v.
. tests/ddtest.sh

small='-s 1MiB -n 20'
loop_new 4M 512 random
keep "$backing"

# to WHERE ARGS...
to() {
	where=$1
	shift
	cmd="pitbox ddtest $* >$where"
	eval 'limited $RUNNER "$BIN" ddtest "$@" 2>"$tmp/err" <"$stdin" >'"$where"
	status=$? err=$(cat "$tmp/err")
	is status 5
	like err 'ddtest: standard output: cannot write: '
	: >"$tmp/out"
	lines_fit
}
for args in "$loop" "-w $loop" "--json -w $loop" "-v -w $loop" "$loop $tmp/none" '' '--help' '--json -s 0'; do
	to /dev/full $small $args
	to '&-' $small $args
done
same "$backing" 'whatever becomes of what it prints, the data is kept'

# The reader has gone before the first line.
mkfifo "$tmp/fifo"
for args in "-w $loop" "--json -w $loop" "-P -w $loop $loop"; do
	cmd="pitbox ddtest $args | gone"
	( limited $RUNNER "$BIN" ddtest $small $args 2>"$tmp/err" >"$tmp/fifo"; echo $? >"$tmp/status" ) &
	: <"$tmp/fifo"
	wait $!
	status=$(cat "$tmp/status") err=$(cat "$tmp/err")
	is status 5
	like err 'standard output: cannot write: Broken pipe'
done
same "$backing" 'nor does it cost data when the reader goes'

# Without stderr, all else is as always.
cmd='pitbox ddtest -w 2>&-'
limited $RUNNER "$BIN" ddtest --progress=always -w $small "$loop" >"$tmp/out" 2>&- <&-
status=$? out=$(cat "$tmp/out")
is status 0
like out 'every byte is as it was'
limited $RUNNER "$BIN" ddtest -w /dev/typo >"$tmp/out" 2>&-
status=$?
is status 5
limited $RUNNER "$BIN" ddtest -w $small "$loop" >&- 2>&- <&-
status=$?
is status 5
same "$backing" 'and no message lands on the device'

# Limits.
both 1 'Limit missed: A direct stream-read: ' --min-rate 1000GB/s $small "$loop"
like said ', limit 1.0 TB/s.'
json '.results[0] | .status == 1 and .verdicts[0].id == "limit-missed" and .verdicts[0].level == "fault"'
good 'stream' --min-rate 1 $small "$loop"
both 1 'Limit missed: A direct seek-read: ' --max-latency 1ns $small "$loop"
like said 'at 99 %, limit 1 ns.'
good 'stream' --max-latency 1min $small "$loop"
both 1 'Limit missed: A dsync latency-write: ' --max-latency 1ns -w $small "$loop"
good 'stream' --max-latency 1min --min-rate 1kB/s -w $small "$loop"

# -q: the verdict alone. -v: the evidence of each test.
ddtest -q $small "$loop"
is status 0
is out "$loop: nothing stands out"
ddtest -q -w -n 1000 -s 1MiB "$loop"
is status 0
is out "$loop: 1000 dsync writes made 1000 flushes: fsync reaches this drive."
ddtest -q --min-rate 1000GB/s $small "$loop"
is status 1
like out "$loop: Limit missed: "
ddtest -q /dev/typo
is status 5
ddtest -v -w -n 1000 -s 2MiB "$loop"
is status 0
for part in 'Evidence' 'stream-read direct, cache as-is: ' 'seek-read direct, cache as-is: 1000 x 4 KiB by pread' \
	'stream-write direct' 'stream-write dsync' 'latency-write direct, cache as-is: 1000 x 512 B by pwrite' \
	'latency-write dsync' 'slowest: ' 'flushes 1000  sectors 1000  of others 0' 'sectors 4096  of others 0' '#####'; do
	like out "$part"
done
json_of 0 '' -v -w $small "$loop"

ddtest --progress=never -w $small "$loop"
is err ''
same "$backing" 'and the data is kept'
done_testing
