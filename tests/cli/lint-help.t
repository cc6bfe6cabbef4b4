# SPDX-License-Identifier: MIT
# lint-help - every --help fits a screen, and README knows every option.
. tests/lib.sh

run --list
applets=$out
for a in $applets; do
	run "$a" --help
	is status 0
	is err ''
	lines_fit
	options=$(grep -oE '(^|[^a-z-])--[a-z][a-z-]*' "$tmp/out" | grep -oE -e '--[a-z-]+' | sort -u)
	if [ ! -e README ]; then
		skipped "there is no README: the options of $a"
		continue
	fi
	for o in $options; do
		grep -qE -e "(^|[^a-z-])$o([^a-z-]|\$)" README
		tap $? "README: $a $o" "$(grep -ne "$o" README)"
	done
done

done_testing
