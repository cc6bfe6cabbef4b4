# SPDX-License-Identifier: MIT
# ddtest killed with SIGKILL at moments spread over the whole run: the data is kept, a folder is
# left empty. KILLS is how many moments for each.
. tests/ddtest.sh
KILLS=${KILLS:-25}

now() { date +%s%N; }

# killed ARGS...: once whole, for its length, then cut short at KILLS moments. $check looks after
# each. A run that ended before its kill was shorter than thought, and is done again.
killed() {
	from=$(now)
	ddtest "$@"
	is status 0
	length=$((($(now) - from) / 1000)) i=0 tries=0
	while [ $i -lt "$KILLS" ] && [ $tries -lt $((KILLS * 3 + 20)) ]; do
		tries=$((tries + 1)) at=$((length * i / KILLS))
		timeout -s KILL "$(printf '%d.%06d' $((at / 1000000)) $((at % 1000000 + 1)))" \
			$RUNNER "$BIN" ddtest "$@" >"$tmp/out" 2>"$tmp/err"
		[ $? = 137 ] && i=$((i + 1)) || length=$((length * 9 / 10))
		$check || return
	done
	echo "# $i of $tries runs were killed, the last $((at / 1000)) ms after its start"
	is i "$KILLS"
}
unharmed() { cmp -s "$devices/kept" "$backing"; }
check=unharmed
for sector in 512 4096; do
	loop_new 66M $sector random
	keep "$backing"
	killed -w -s $((sector == 512 ? 64 : 16))MiB -n 1000 "$loop"
	same "$backing" "killed $i times, and every byte is as it was ($sector)"
done

empty() { [ -z "$(ls -A "$mnt")" ]; }
check=empty
loop_new 64M
ext4_new "$loop"
mount_new "$loop"
rmdir "$mnt/lost+found"
free=$(df "$mnt" | tail -1)
killed -w -s 16MiB -n 1000 "$mnt"
listing=$(ls -A "$mnt") after=$(df "$mnt" | tail -1)
is listing ''
is after "$free"

done_testing
