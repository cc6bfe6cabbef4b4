# SPDX-License-Identifier: MIT
# pitbox - the multi-call binary itself: first screen, links, unknown names, stdout.
. tests/lib.sh

name=${BIN##*/}

run
is status 0
is err ''
like out "$name "
like out 'ddtest'
like out "'APPLET --help'"
lines_fit
lines=$(wc -l <"$tmp/out")
[ "$lines" -le 24 ]
tap $? "the first screen has at most 24 lines" "$lines"
first=$out
run --help
is status 0
is out "$first"
run -h
is out "$first"

run --version
is status 0
is err ''
like out "$name "
like out '-linux-'
like out 'ddtest'
lines_fit
run ddtest --version
is status 0
like out "$name "

run --list
is status 0
is err ''
is out 'ddtest'

run --lists
is status 2
is out ''
like err "'--lists'"
run --install
is status 2
run --install -s
is status 2
run --install a b
is status 2

# An unknown applet is named, and so is what there is.
run no-such-applet
is status 127
is out ''
like err "no-such-applet"
like err 'ddtest'
lines_fit
run "$(printf 'a\033[1m%0300d' 0)"
is status 127
lines_fit
run ''
is status 127

# The same applet by both of its names.
mkdir "$tmp/bin"
ln -s "$BIN" "$tmp/bin/ddtest"
run ddtest --help
by_name=$out
is status 0
try $RUNNER "$tmp/bin/ddtest" --help
is status 0
is out "$by_name"
ln -s "$BIN" "$tmp/bin/stranger"
try $RUNNER "$tmp/bin/stranger"
is out "$first"

# links NAME: what the path is, so that a second run can be seen to change nothing
links() { stat -c '%F %h %i %N' "$1" 2>&1; }

# Hard links lie on the binary's own file system.
hard=$(mktemp -d "${BIN%/*}/install.XXXXXX")
later "rm -rf '$hard'"
run --install "$hard"
is status 0
is out ''
is err ''
[ "$hard/ddtest" -ef "$BIN" ] && [ ! -L "$hard/ddtest" ]
tap $? "--install makes a hard link" "$(links "$hard/ddtest")"
is_once=$(links "$hard/ddtest")
run --install "$hard"
is status 0
again=$(links "$hard/ddtest")
is again "$is_once"

mkdir "$tmp/soft"
run --install -s "$tmp/soft"
is status 0
is err ''
[ -L "$tmp/soft/ddtest" ] && [ "$tmp/soft/ddtest" -ef "$BIN" ]
tap $? "--install -s makes a symbolic link" "$(links "$tmp/soft/ddtest")"
run --install -s "$tmp/soft"
is status 0
is err ''
try $RUNNER "$tmp/soft/ddtest" --help
is out "$by_name"

# What is not our link stays what it is.
mkdir "$tmp/foreign"
echo precious >"$tmp/foreign/ddtest"
for how in '' -s; do
	run --install $how "$tmp/foreign"
	is status 4
	like err "$tmp/foreign/ddtest"
	like err 'left alone'
	lines_fit
	kept=$(cat "$tmp/foreign/ddtest")
	is kept 'precious'
done
ln -sf nowhere "$tmp/foreign/ddtest"
run --install "$tmp/foreign"
is status 4
kept=$(readlink "$tmp/foreign/ddtest")
is kept 'nowhere'

run --install "$tmp/missing"
is status 5
like err "$tmp/missing"
lines_fit
[ ! -e "$tmp/missing" ]
tap $? 'a folder that is missing is not made' "$(ls "$tmp")"

other=/dev/shm
if [ -w "$other" ] && [ "$(stat -c %d "$other")" != "$(stat -c %d "$BIN")" ]; then
	far=$(mktemp -d "$other/pitbox.XXXXXX")
	later "rm -rf '$far'"
	run --install "$far"
	is status 5
	like err '-s'
	lines_fit
	run --install -s "$far"
	is status 0
else
	skipped "no second file system at $other"
fi

# Nothing counts as done until stdout has taken it.
for args in '' --list --version 'ddtest --help' 'ddtest --version'; do
	for to in '/dev/full' '&-'; do
		cmd="pitbox $args >$to"
		eval "limited $RUNNER '$BIN' $args >$to 2>'$tmp/err' </dev/null"
		status=$? err=$(cat "$tmp/err")
		is status 5
		like err 'standard output'
	done
done
cmd='pitbox --list <&- >&- 2>&-'
limited $RUNNER "$BIN" --list <&- >&- 2>&-
status=$?
is status 5

# A descriptor that came closed is never given to what is opened later: a file that would
# have become number 1 keeps its bytes.
echo untouched >"$tmp/target"
cmd='pitbox ddtest TARGET <&- >&- 2>&-'
limited $RUNNER "$BIN" ddtest "$tmp/target" <&- >&- 2>&-
kept=$(cat "$tmp/target")
is kept 'untouched'
# The warning of a partial read comes while the output is open.
cmd='pitbox ddtest bs=4 count=2 of=TARGET 2>&-'
{ printf a; sleep 0.3; printf b; } | limited $RUNNER "$BIN" ddtest bs=4 count=2 of="$tmp/written" 2>&-
kept=$(cat "$tmp/written")
is kept 'ab'

done_testing
