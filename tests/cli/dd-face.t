# SPDX-License-Identifier: MIT
# dd-face - ddtest in the place of dd: descriptors, pipes, signals, memory, what it refuses.
. tests/lib.sh

dd="$RUNNER $BIN ddtest"
cd "$tmp" || exit
truth() { "$@"; tap $? "$*" ''; }

run ddtest if=/dev/zero of=f bs=1M count=3
is status 0
is out ''
like err '3+0 records in
3+0 records out
3145728 bytes (3.1 MB, 3.0 MiB) copied, '
run ddtest if=f
is status 0
truth cmp -s out f
run ddtest if=f --help
is status 0
is err ''
like out '16 MiB'
lines_fit
run ddtest if=f bs=0
is status 1
is err "ddtest: invalid number: '0'"
run ddtest if=f foo
is status 1
is err "ddtest: unrecognized operand 'foo'
Try 'ddtest --help' for more information."
run ddtest ./if=f of=x
[ "$status" != 0 ] && [ ! -e x ]
tap $? 'an operand with a slash is no operand of dd' "$status"

# Refused by name, nothing touched.
before=$(cksum <f)
for o in conv=swab conv=ascii,notrunc cbs=80 iflag=nocache oflag=directory; do
	run ddtest if=/dev/zero of=f bs=7 count=1 $o
	is status 1
	like err "ddtest: ${o%%,*} is not built in"
done
[ "$(cksum <f)" = "$before" ]
tap $? 'refused: the target is as before' "$(cksum <f)"

# Below /dev nothing is made, not by way of a link either. (/dev/shm is another file system.)
typo=/dev/pitbox-typo-$$
ln -s $typo link
ln -s link link2
for f in $typo link link2 /dev/../dev/pitbox-typo-$$; do
	run ddtest if=/dev/zero of=$f count=1
	is status 1
	is err "ddtest: failed to open '$f': No such file or directory"
	[ ! -e $typo ]
	tap $? "$f was not made" "$(ls -l $typo 2>&1)"
	rm -f $typo
done
ln -s made dangling
run ddtest if=/dev/zero of=dangling count=1
is status 0
truth test -s made

# Records larger than memory, than 2 GiB, than the free space.
(ulimit -v 65536; $dd if=/dev/null of=/dev/null status=none 2>/dev/null) && limit=65536 || limit=unlimited
(ulimit -v $limit; $dd if=/dev/zero of=/dev/null bs=3G count=2 2>"$tmp/e")
text=$(cat "$tmp/e")
cmd="bs=3G in $limit KiB of address space"
like text '2+0 records in
2+0 records out
6442450944 bytes (6.4 GB, 6.0 GiB) copied, '
run ddtest if=f of=g bs=64G
is status 0
like err '0+1 records in
0+1 records out
3145728 bytes'
truth cmp -s f g
run ddtest if=/dev/zero of=new bs=7E count=1
is status 1
like err 'ddtest: a record of 8070450532247928832 bytes (8.1 EB, 7.0 EiB) is larger'
like err 'free space for new'
lines_fit
truth test ! -e new
run ddtest if=/dev/zero of=g bs=7E count=1
is status 1
truth cmp -s f g
run ddtest if=/dev/zero of=g bs=7E count=1024B
is status 0

# Pipes: a read ends a record.
(printf abc; sleep 0.3; printf defg) | $dd bs=1G of=p 2>err
text=$(cat p; cat err)
cmd='bs=1G from a pipe'
like text 'abcdefg0+2 records in
0+2 records out
7 bytes copied, '
(printf abc; sleep 0.3; printf defg) | $dd bs=1G iflag=fullblock count=1 of=p 2>err
text=$(cat p; cat err)
cmd='bs=1G iflag=fullblock'
like text 'abcdefg0+1 records in'
mkfifo fifo
$dd if=f of=fifo bs=64k 2>err &
cmp -s f fifo || cat fifo >/dev/null
cmp -s f f
wait $!
is=$? cmd='into a FIFO'
is is 0

# Descriptors that are closed or full.
$dd if=/dev/zero of=/dev/null count=1 2>/dev/full
is=$? cmd='standard error full'
is is 1
$dd if=/dev/zero of=/dev/null count=1 2>&-
is=$? cmd='standard error closed'
is is 1
$dd if=/dev/zero of=/dev/null count=1 status=none 2>&-
is=$? cmd='standard error closed, status=none'
is is 0
$dd count=1 of=x <&- 2>err
is=$? err=$(cat err) cmd='standard input closed'
is is 1
is err "ddtest: error reading 'standard input': Bad file descriptor
ddtest: closing input file 'standard input': Bad file descriptor"
$dd if=/dev/zero count=1 >&- 2>err
is=$? err=$(cat err) cmd='standard output closed'
is is 1
is err "ddtest: writing to 'standard output': Bad file descriptor
ddtest: closing output file 'standard output': Bad file descriptor"
run ddtest if=/dev/zero of=/dev/full bs=1M count=2
is status 1
like err "ddtest: error writing '/dev/full': No space left on device
1+0 records in
0+0 records out
0 bytes copied, "
$dd if=/dev/zero bs=1M count=100 2>err | head -c 100 >/dev/null
cmd='into a pipe that is closed'
err=$(cat err)
unlike err records
run ddtest if=/dev/zero oflag=dsync count=3
is status 0
is out "$(head -c 1536 /dev/zero)"
echo abc | $dd oflag=dsync status=none | cmp -s - /dev/stdin <<'X'
abc
X
is=$? cmd='oflag=dsync into a pipe'
is is 0

# until TEXT FILE: wait until FILE has TEXT
until_in() { for i in $(seq 600); do grep -q "$1" "$2" 2>/dev/null && return; sleep 0.05; done; false; }

# SIGUSR1 prints and goes on, also where it waits.
mkfifo in
$dd if=in of=o bs=4 2>err &
pid=$!
exec 3>in
printf 1234 >&3
for i in $(seq 600); do [ -s o ] && break; sleep 0.05; done
kill -USR1 $pid
until_in copied err
err=$(cat err) cmd='SIGUSR1 while waiting'
like err '1+0 records in
1+0 records out
4 bytes copied, '
printf 5678 >&3
exec 3>&-
wait $pid
is=$? text=$(cat o)
is is 0
is text 12345678

# It cuts no transfer short: /dev/urandom returns early for a signal.
$dd if=/dev/urandom of=/dev/null bs=32M count=8 2>err &
pid=$!
for i in $(seq 600); do ls -l /proc/$pid/fd 2>/dev/null | grep -q urandom && break; sleep 0.01; done
for i in $(seq 100); do kill -USR1 $pid 2>/dev/null; sleep 0.01; done
wait $pid
is=$? err=$(tail -3 err) cmd='SIGUSR1 again and again'
is is 0
like err '8+0 records in
8+0 records out
268435456 bytes'

# SIGINT and SIGTERM: statistics, then death by the signal. Shells start a background job
# with SIGINT ignored, and what is ignored stays so.
for s in INT TERM; do
	rm -f o
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' $dd if=in of=o bs=4 conv=fsync 2>err &
	pid=$!
	exec 3>in
	printf 1234 >&3
	for i in $(seq 600); do [ -s o ] && break; sleep 0.05; done
	kill -$s $pid
	wait $pid
	is=$? err=$(cat err) cmd="SIG$s"
	exec 3>&-
	case $s in INT) is is 130 ;; TERM) is is 143 ;; esac
	like err '1+0 records in
1+0 records out
4 bytes copied, '
done
rm -f o
perl -e '$SIG{INT} = "IGNORE"; exec @ARGV' $dd if=in of=o bs=4 2>err &
pid=$!
exec 3>in
printf 1234 >&3
for i in $(seq 600); do [ -s o ] && break; sleep 0.05; done
kill -INT $pid
printf 5678 >&3
exec 3>&-
wait $pid
is=$? cmd='SIGINT that was ignored' text=$(cat o)
is is 0
is text 12345678

# A pipe that fills pieces of a long record, padded to it.
head -c 16777215 /dev/urandom >big
cat big | $dd of=padded bs=16M iflag=fullblock conv=sync 2>err
is=$? cmd='a pipe, bs=16M iflag=fullblock conv=sync'
is is 0
{ cat big; printf '\0'; } >wanted
truth cmp padded wanted

done_testing
