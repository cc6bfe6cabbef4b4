# SPDX-License-Identifier: MIT
# dd-matrix - GNU dd and ddtest, given the same command lines, do the same.
cd "$(dirname "$0")/../dd-matrix" || exit
gnu=$(command -v dd) version=$($gnu --version 2>/dev/null | sed -n '1s/^dd (coreutils) \([0-9]*\).*/\1/p')
if [ "${version:-0}" -lt 9 ]; then
	echo '1..0 # SKIP this dd is not that of GNU coreutils 9'
	exit
fi
perl generate | perl compare "$gnu" $RUNNER "$BIN" ddtest
