# SPDX-License-Identifier: MIT
# ddtest where the world is not whole: no /sys, no /proc, neither; a backing that goes away.
. tests/ddtest.sh
need unshare throttle
[ -z "$RUNNER" ] || skip "needs this machine's own system calls"
unshare -m sh -c 'umount -l /proc && exec "$0" --version' "$BIN" >/dev/null 2>&1 ||
	skip "it does not start without /proc (a sanitizer's runtime needs it)"

small='-s 1MiB -n 20'
loop_new 4M 512 random
keep "$backing"

# without "FOLDER..." ARGS...: as both 0; $tmp/out is the JSON.
without() {
	folders=$1
	shift
	for json in '' --json; do
		limited unshare -m sh -c 'for f in $0; do umount -l $f || exit 99; done; exec "$@"' \
			"$folders" "$BIN" ddtest $json "$@" <"$stdin" >"$tmp/out" 2>"$tmp/err"
		status=$? out=$(cat "$tmp/out") err=$(cat "$tmp/err")
		cmd="pitbox ddtest $json $* (no $folders)"
		if [ "$json" ]; then
			printf '%s\t\n' "$status" >>"$tmp/wanted"
			json_kept
		else
			lines_fit
			set -f
			said=$(printf '%s ' $out $err)
			set +f
			is status "${want:-0}"
		fi
	done
	is status "${want:-0}"
}
for folders in /sys /proc '/sys /proc'; do
	without "$folders" $small "$loop"
	like said 'It is only read.'
	case $folders in
	*/sys*) json '.results[0].runs | length == 2 and all(.[]; .flushes == null and .foreign_sectors == null)' ;;
	esac
	without "$folders" -w -s 1MiB -n 1000 "$loop"
	like said 'Read back and compared: every byte is as it was.'
	case $folders in
	*/sys*) json '.results[0] | (.runs | length == 6 and all(.[]; .flushes == null and .foreign_sectors == null))
		and .verdicts == []' ;;
	esac
	json '.results[0] | .size_bytes == 4194304 and .logical_block_bytes == 512'
	same "$backing" "no $folders: the data is kept"
	mkdir -p "$tmp/folder"
	without "$folders" -w $small "$tmp/folder"
	[ -z "$(ls -A "$tmp/folder")" ]
	tap $? "no $folders: nothing is left in a folder" "$(ls -A "$tmp/folder")"
	without "$folders" -P -w $small "$loop" "$tmp/folder"
done
# What is held is refused all the same.
loop_new 4M
ext4_new "$loop"
mount_new "$loop"
for folders in /sys /proc '/sys /proc'; do
	want=4
	without "$folders" -w $small "$loop"
	want=2
	without "$folders" "$mnt"
	want=
done
# The list.
without /proc
like said "${loop#/dev/} "
without /sys
like said "${loop#/dev/} "
want=5
without '/sys /proc'
json '.results[0].errors[0].text | startswith("cannot list the disks")'
like said 'cannot list the disks (is /sys or /proc mounted?)'
want=
umount "$mnt"

# The backing shrinks in the middle of a run, as when a stick is pulled.
# vanishing TEXT SIZE ARGS...: down to SIZE, at once for the process.
vanishing() {
	text=$1 left=$2
	shift 2
	for json in '' --json; do
		loop_new 16M 512 random
		throttle_new "$loop" 1000000 1000000
		start $json "$@" "$loop"
		sleep 1.5
		kill -STOP "$pid"
		truncate -s "$left" "$backing"
		losetup -c "$loop"
		kill -CONT "$pid"
		ended
		is status 5
		like said "$text"
		[ -z "$json" ] || json_vanished
	done
}
json_vanished() {
	printf '5\t%s\n' "$text" >>"$tmp/wanted"
	json_kept
	json '.results[0] | .status == 5 and (.runs | length == 0 or (.[0] | .incomplete and .bytes > 0))'
}
vanishing 'vanished at byte ' 0 -s 8MiB -o 0 -t 0
vanishing 'vanished at byte ' 0 -w -s 1MiB -n 1000000 -t 0 -o 0
vanishing ' cannot be read' 512K -s 8MiB -o 0 -t 0
like said 'ddrescue'
# Lazily detached: it stays until the last one closes it.
loop_new 2M 512 random
throttle_new "$loop" 1000000 1000000
start -s 1MiB -o 0 -n 1 -t 0 "$loop"
sleep 0.3
losetup -d "$loop"
ended
is status 0

done_testing
