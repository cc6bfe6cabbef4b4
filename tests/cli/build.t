# SPDX-License-Identifier: MIT
# build - every configuration builds without a word from the compiler, and runs.
. tests/lib.sh
unset MAKEFLAGS MAKELEVEL MFLAGS

command -v kconfig-tweak >/dev/null || skip 'kconfig-tweak is not installed'
TIMEOUT=300
o=$tmp/build
pin=$tmp/pin
echo CONFIG_WERROR=y >"$pin"
symbols=$(sed -n 's/^config //p' src/*/*/Kconfig)

mk() { make -s -j2 $VARIABLES O="$o" "$@" >/dev/null 2>&1; }

# builds NAME: what is configured in $o
builds() {
	try make -s -j2 $VARIABLES O="$o"
	cmd=$1
	is status 0
	is out ''
	is err ''
	try $RUNNER "$o/${BIN##*/}" --version
	cmd="$1, --version"
	is status 0
}

# alone SYMBOL: it and what it depends on, nothing else
alone() {
	mk allnoconfig
	for s in $symbols; do kconfig-tweak --file "$o/.config" -d "$s"; done
	for s in WERROR $1 $(awk -v s="$1" '$1 == "config" { at = $2 == s } at && $1 == "depends"' src/*/*/Kconfig | grep -oE '[A-Z][A-Z0-9_]+'); do
		kconfig-tweak --file "$o/.config" -e "$s"
	done
	mk olddefconfig
}

mk allyesconfig
builds allyesconfig
for s in $symbols; do
	alone "$s"
	grep -qx "CONFIG_$s=y" "$o/.config"
	tap $? "$s can be had" "$(cat "$o/.config")"
	builds "$s alone"
done
for seed in 1 2 3 4 5 6 7 8 9 10; do
	KCONFIG_SEED=$seed KCONFIG_ALLCONFIG=$pin mk randconfig
	builds "randconfig, seed $seed"
done
mk allnoconfig
builds allnoconfig
try $RUNNER "$o/${BIN##*/}" --list
is out ''
try $RUNNER "$o/${BIN##*/}"
is status 0

done_testing
