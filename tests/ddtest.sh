# SPDX-License-Identifier: MIT
# ddtest.sh - what the tests of ddtest's test face share; in place of lib.sh and devices.sh.
. tests/lib.sh
. tests/devices.sh
need loop jq
jq=$PWD/tests/ddtest.jq

# ddtest ARGS...: as run; every line fits; $said is both outputs, however they were folded.
ddtest() {
	run ddtest "$@"
	lines_fit
	set -f
	said=$(printf '%s ' $out $err)
	set +f
}

# json_of STATUS TEXT ARGS...: a run with --json, with that status, whose
# document is looked at by done_testing: one line, each key, the status, TEXT in an error, a
# note or a verdict.
json_of() {
	printf '%s\t%s\n' "$1" "$2" >>"$tmp/wanted"
	shift 2
	limited $RUNNER "$BIN" ddtest --json "$@" <"$stdin" >"$tmp/out" 2>"$tmp/err"
	status=$?
	cmd="pitbox ddtest --json $*"
	json_kept
}
json_kept() {
	set -f
	echo "$(printf '%s ' $cmd)" >>"$tmp/commands"
	set +f
	[ "$(wc -l <"$tmp/out")" = 1 ] || echo null >"$tmp/out"
	cat "$tmp/out" >>"$tmp/documents"
}

documents() {
	[ -s "$tmp/documents" ] || return 0
	jq -rf "$jq" "$tmp/documents" >"$tmp/looked" 2>"$tmp/err"
	exec 3<"$tmp/wanted" 4<"$tmp/commands"
	while IFS='	' read -r want text <&3 && read -r cmd <&4; do
		IFS= read -r got || got="no more: $(cat "$tmp/err")"
		case $got in "true $want "*"$text"*) ;; *) false ;; esac
		tap $? "$cmd: one whole line of JSON, status $want, '$text'" "$got"
	done <"$tmp/looked"
}
done_testing() {
	documents
	echo "1..$n"
}

# both STATUS TEXT ARGS...: the same with and without --json, whose document is in $tmp/out then.
both() {
	both_status=$1 both_text=$2
	shift 2
	ddtest "$@"
	is status "$both_status"
	like said "$both_text"
	json_of "$both_status" "$both_text" "$@"
}

# good TEXT ARGS...: status 0, and TEXT on the screen alone.
good() {
	good_text=$1
	shift
	ddtest "$@"
	is status 0
	like said "$good_text"
	json_of 0 '' "$@"
}

# start ARGS...: in the background, with the limits of throttle_new, or with none before that;
# $pid is its own, and SIGINT ends it, which a shell takes from what it puts there.
start() {
	: >"$tmp/out"
	perl -e '$SIG{INT} = "DEFAULT"; my $group = shift;
		open my $f, ">", "$group/cgroup.procs"; print $f $$; close $f; exec @ARGV' \
		"${throttle:-/nonexistent}" $RUNNER "$BIN" ddtest "$@" <"$stdin" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	cmd="pitbox ddtest $*"
	later "kill $pid; wait $pid"
}
# heading: until it has said what it will do, and a little longer.
heading() {
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$tmp/out" ] && break
		sleep 0.2
	done
	sleep "${1:-0.5}"
}
# ended: wait for it; $status, $out, $err and $said.
ended() {
	wait "$pid" 2>/dev/null
	status=$?
	out=$(cat "$tmp/out") err=$(cat "$tmp/err")
	case $out in '{'*) ;; *) lines_fit ;; esac
	set -f
	said=$(printf '%s ' $out $err)
	set +f
}

# ext4_new DEVICE: one that writes nothing by itself.
ext4_new() { mkfs.ext4 -q -m 0 -O ^has_journal -E lazy_itable_init=0 "$1"; }

# keep FILE, then same FILE NAME: it still holds what it held.
keep() { cp "$1" "$devices/kept"; }
same() {
	got=$(cmp "$devices/kept" "$1" 2>&1)
	tap $? "$2" "$got"
}
