# SPDX-License-Identifier: MIT
# lint-source - the layers, the one door, and how each file begins.
. tests/lib.sh

# none NAME LINES: there are no such lines
none() { [ -z "$2" ]; tap $? "$1" "$2"; }

files=$(find include src boot tests -name '*.[ch]' | sort)

# seen BY WHAT: the project's headers that match WHAT, by objects of the folder BY. The
# dependency files know what was included, through whatever other header.
seen() {
	deps=$(find "$O/src/$1" -name '*.d')
	[ -n "$deps" ] || echo "no .d files in $O/src/$1"
	grep -oE "(include|src)/[a-z/_-]+\.h" $deps /dev/null | grep -E ":($2)" | sort -u
}
none 'core includes neither device nor timing nor an applet' "$(seen core 'include/(device|timing)/|src/(device|timing|applets)/')"
none 'device includes neither timing nor an applet' "$(seen device 'include/timing/|src/(timing|applets)/')"
none 'timing includes neither device nor an applet' "$(seen timing 'include/device/|src/(device|applets)/')"
for dir in src/applets/*/; do
	a=${dir#src/applets/} a=${a%/}
	none "$a includes no other applet" "$(seen "applets/$a" "src/" | grep -v ":$dir")"
done

symbols=$(sed -n 's/^config //p' Kconfig src/*/*/Kconfig | paste -sd'|')
none 'no header reads the configuration' "$(grep -nE "\<CONFIG_($symbols)\>|generated/autoconf" $(echo "$files" | grep '\.h$') /dev/null)"
none 'only src/device/sys.c calls ioctl' "$(grep -nE '(^|[^._a-z>])ioctl\(' $(echo "$files" | grep ^src/ | grep -v '^src/device/sys\.c$'))"
none 'linux/ headers: only in src/device and applets' "$(grep -nE '^#include <(linux|asm)/' $(echo "$files" | grep -E '^(include|src/core|src/timing)/') /dev/null)"
none 'no #if in a function' "$(awk '/^\{/ { f = 1 } /^\}/ { f = 0 } f && /^[ \t]*#[ \t]*(if|elif)/ { print FILENAME ":" FNR ": " $0 }' $(echo "$files" | grep '\.c$'))"

# printf.c knows no other, and would print it as it stands.
bad=$(perl -ne 'while (/"((?:[^"\\]|\\.)*)"/g) {
		(my $s = $1) =~ s/%%//g;
		for ($s =~ /%[-+ #0]*[\d.*]*[hlLqjzt]*[A-Za-z]/g) {
			print "$ARGV:$.: $_\n" unless /^%(
				[-0]?(\*|\d+)?((\.0)?(ll?|z)?[dux]|[oc]) |
				-?(\*|\d+)?(\.(\*|\d+))?s |
				(\*|\d+)?\.(\*|[0-3])L?f |
				(\.\d+)?g)$/x;
		}
	}
	close ARGV if eof' $(echo "$files" | grep ^src/))
none 'the sources use only conversions that core/printf.c knows' "$bad"
bad=$(perl -0777 -ne '$text{$ARGV} = $_;
	$words{$1} = 1 while /(\w+)\([^()]*\.\.\.\)\s*WORDS\(/g;
	$words{$1} = 1 while /WORDS\(\d, \d\)[^;{]*?(\w+)\([^()]*\.\.\.\)/g;
	END {
		print "no WORDS\n" unless %words;
		$names = join "|", keys %words;
		for $f (sort keys %text) {
			print "$f: $&\n" while $text{$f} =~ /\b(?:$names)\([^;]*"[^"]*%[-0-9.*]*L?[fg]\b[^;]*;/g;
		}
	}' $(echo "$files" | grep -v ^tests/))
none 'no floating point is given to a function of WORDS' "$bad"

# Line 1 is the license, line 2 says what the file is.
bad=$(awk 'FNR == 1 && $0 != "/* SPDX-License-Identifier: MIT */" { print FILENAME ":1" }
	FNR == 2 {
		name = FILENAME
		sub(/.*\//, "", name)
		sub(/\.[ch]$/, "", name)
		if (index($0, "/* " name " - ") != 1 || length < length(name) + 14)
			print FILENAME ":2: " $0
	}' $files)
none "each file begins with its license and 'name - what it is.'" "$bad"
bad=$(for f in Makefile .ci/run tests/tests.mk tests/run $(find tests -name '*.t' -o -name '*.sh') $(find tests/bench -type f ! -name '*.c'); do
	head -2 "$f" | grep -qxF '# SPDX-License-Identifier: MIT' || echo "$f"
done)
none 'so does each script' "$bad"
scripts=$(find Makefile Kconfig .ci src tests -name Makefile -o -name 'K*' -o -name '*.t' -o -name '*.sh' -o -name '*.mk' -o -name run)
none 'no line ends in a blank' "$(grep -nE '[[:blank:]]+$' $files $scripts)"

case $(clang-format --version 2>&1) in
*'version 14.'*)
	try clang-format --dry-run -Werror $files
	none 'clang-format would change nothing' "$(grep -o '^[^: ]*:[0-9]*' "$tmp/err" | sort -u)"
	;;
*) skipped 'clang-format 14 is not installed, and other versions differ' ;;
esac

done_testing
