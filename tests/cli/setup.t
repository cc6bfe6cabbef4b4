# SPDX-License-Identifier: MIT
# setup - "make setup" installs what is missing, and only that; here with an apt-get, a
# dpkg-query and an id that only pretend.
. tests/lib.sh
unset MAKEFLAGS MAKELEVEL MFLAGS

mkdir "$tmp/bin" "$tmp/o"
world() { printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"; chmod +x "$tmp/bin/$1"; }
world id 'cat "$WORLD/uid"'
world apt-get 'echo "apt-get $*" >>"$WORLD/log"
for p; do case $p in -*|update|install|DPkg::*) ;; *) echo "$p" >>"$WORLD/present" ;; esac; done'
world dpkg-query 'for p; do grep -qx "$p" "$WORLD/present" && printf "%s:installed " "$p"; done; printf "removed:config-files "'
export WORLD=$tmp

# machine UID [PACKAGE...]
machine() {
	echo "$1" >"$tmp/uid"
	shift
	printf '%s\n' "$@" >"$tmp/present"
	: >"$tmp/log"
}
setup() {
	try env PATH="$tmp/bin:$PATH" make O="$tmp/o" "$@"
	cmd="make $*"
	log=$(cat "$tmp/log")
}
build='gcc kconfig-frontends libc6-dev linux-libc-dev make musl-tools'
check='cpio e2fsprogs jq kmod mount perl python3-minimal squashfs-tools time util-linux xz-utils zstd'

machine 0 gcc make libc6-dev linux-libc-dev
setup setup help
is status 0
is log "apt-get -qq update
apt-get install -y --no-install-recommends kconfig-frontends musl-tools -qq -o DPkg::Lock::Timeout=120"
like out 'O=DIR'
once=$log
setup setup help
is log "$once"

machine 0 $build
setup setup
is status 0
is log "apt-get -qq update
apt-get install -y --no-install-recommends $check -qq -o DPkg::Lock::Timeout=120"

machine 0 $build $check
setup setup
is status 0
is log ''
is out ''

machine 1000 $build
setup setup
is status 2
is log ''
like err "sudo apt-get install -y --no-install-recommends $check"
machine 1000 $build $check
setup setup
is status 0

# Nothing else of the Makefile was read: no configuration was made.
[ -z "$(ls -A "$tmp/o")" ]
tap $? 'setup alone configures nothing' "$(ls -A "$tmp/o")"

done_testing
