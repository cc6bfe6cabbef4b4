# SPDX-License-Identifier: MIT
# ddtest, usage errors: status 2, the option or operand named and what would do; nothing touched.
. tests/ddtest.sh

loop_new 4M 512 random
loop_512=$loop file_512=$backing
before=$(stat_field $loop 7)
loop_new 4M 4096 random
loop_4096=$loop
keep "$file_512"
mkdir "$tmp/folder"
: >"$tmp/folder/before"
head -c 64K /dev/urandom >"$tmp/file"
mkfifo "$tmp/fifo"

# usage TEXT ARGS...: refused; nothing on stdout, and the help is named.
usage() {
	both 2 "$@"
	is out ''
	like err "Try 'ddtest --help'."
}

# Numbers.
for size in 0 -1 1.5 5kk 0x10 '' 18446744073709551616 17Y; do
	case $size in
	0) text='0 is below 1' ;;
	18446744073709551616 | 17Y) text="'$size' is too large" ;;
	*) text="'$size' is not a size like 512, 64KiB, 1GiB or 1GB" ;;
	esac
	usage "--size: $text" -w -s "$size" $loop_512
done
for block in 0 18446744073709551616 1x; do
	usage "--block: " -w -b "$block" $loop_512
done
usage '--block: 32MiB is above 16777216' -w -b 32MiB $loop_512
usage "--offset: '-1' is not a size" -o -1 $loop_512
usage "--offset: '18446744073709551616' is too large" -o 18446744073709551616 $loop_512
usage '--count: 0 is below 1' -n 0 $loop_512
usage "--count: '1k' is not a whole number" -n 1k $loop_512
usage "--count: '18446744073709551616' is too large" -n 18446744073709551616 $loop_512
usage "--time: '-1' is not a time like 15, 0.5s or 10ms" -t -1 $loop_512
usage "--time: '5 s' is not a time" -t '5 s' $loop_512
usage "--min-rate: 'fast' is not a rate like 50MB/s" --min-rate fast $loop_512
usage "--max-latency: '10mm' is not a time" --max-latency 10mm $loop_512
usage "--mode: 'sync' is not one of direct, dsync" -m sync $loop_512
usage "--mode: 'direct,' is not one of direct, dsync" -m direct, $loop_512
usage "--data: 'one' is not one of random, zero" --data one $loop_512
usage "--progress: 'on' is not one of always, never" --progress on $loop_512
usage '--rpm: 0 is below 1' --rpm 0 $loop_512

# No multiple of the sectors: the nearest that are.
usage "--block: 513 is no multiple of $loop_512's sectors of 512 bytes; nearest: 512, 1024" -w -b 513 $loop_512
usage "--block: 6000 is no multiple of $loop_4096's sectors of 4096 bytes; nearest: 4096, 8192" -w -b 6000 $loop_4096
usage "--block: 513 is no multiple of $loop_4096's sectors of 4096 bytes; nearest: 4096" -w -b 513 $loop_4096
usage "--block: 300 is no multiple of $loop_512's sectors of 512 bytes; nearest: 512" --destroy=$loop_512 -b 300 $loop_512
for write in '' -w; do
	usage "--offset: 1000 is no multiple of $loop_512's sectors of 512 bytes; nearest: 512, 1024" $write -o 1000 $loop_512
	usage "--offset: 512 is no multiple of $loop_4096's sectors of 4096 bytes; nearest: 4096" $write -o 512 $loop_4096
	usage "--size: 4097 is no multiple of $loop_512's sectors of 512 bytes; nearest: 4096, 4608" $write -s 4097 $loop_512
	usage "--size: 100 is no multiple of $loop_512's sectors of 512 bytes; nearest: 512" $write -s 100 $loop_512
	usage "--size: 5000 is no multiple of $loop_4096's sectors of 4096 bytes; nearest: 4096, 8192" $write -s 5000 $loop_4096
	usage "--offset: 4194304 lies beyond the end of $loop_512 (4194304 bytes)" $write -o 4MiB $loop_512
	usage "--offset: 9223372036854775808 lies beyond the end of $loop_4096" $write -o 8EiB $loop_4096
done
usage "--offset: 65536 lies beyond the end of $tmp/file (65536 bytes)" -o 64KiB "$tmp/file"

# What each kind of target takes.
usage "--destroy=$loop_4096 does not repeat the target '$loop_512'" --destroy=$loop_4096 $loop_512
usage "--destroy=${loop_512#/dev/} does not repeat" --destroy=${loop_512#/dev/} $loop_512
usage "--destroy=$loop_512 does not repeat the target '$loop_4096'" --destroy=$loop_512 $loop_512 $loop_4096
usage 'needs the target once more, as operand' --destroy=$loop_512
usage "'$tmp/folder' is a directory: test it with -w" --destroy=$tmp/folder $tmp/folder
usage "'$tmp/folder' is tested by writing into its free space, on " $tmp/folder
like err 'add -w'
usage "'$tmp/file' is a file, which cannot be held alone: test its directory" -w $tmp/file
usage "'$tmp/file' is a file" --destroy=$tmp/file $tmp/file
# One bad operand, and the good one before it is left alone too.
usage "'$tmp/folder' is tested by writing" $loop_512 $tmp/folder
usage "'$tmp/file' is a file" -w $loop_512 $tmp/file

# The words.
usage '--write and --destroy exclude each other' -w --destroy=$loop_512 $loop_512
usage '--quiet and --verbose exclude each other' -qv $loop_512
usage "there is no option '--forc'" --forc -w $tmp/folder
usage "there is no option '--destr'" --destr=$loop_512 $loop_512
usage "option '--m' is short for more than one" --m 5 $loop_512
usage "there is no option '--size512'" --size512 $loop_512
usage "there is no option '-x'" -wx $loop_512
usage '--write takes no value' --write=yes $loop_512
usage "'if=$tmp/fifo' is an operand of dd" -w if=$tmp/fifo
like err 'must come first'
usage "'of=$loop_512' is an operand of dd" -t 1 of=$loop_512
usage "'bs=1' is an operand of dd" $loop_512 bs=1
for option in --count --mode --max-latency --destroy --data; do
	usage "$option needs a value: " -w $loop_512 $option
done
usage '--size needs a value: SIZE' -ws
run ddtest --dd --json $loop_512
is status 2
json '.status == 2 and .results[0].errors[0].text == "--dd and --json exclude each other"'

same "$file_512" 'no usage error touches a byte'
listing=$(ls -A "$tmp/folder")
is listing before
written=$(stat_field $loop_512 7)
is written "$before"

# What is short and unique is taken.
ddtest --wri --si=1MiB --cou 10 -t5 -b1024 $loop_512
is status 0
like out '1 KiB    write direct'
same "$file_512" 'and keeps the data'
ddtest -o 1MiB -s 2MiB -n 1 -- $loop_512
is status 0

done_testing
