# SPDX-License-Identifier: MIT
# boot-fetch - which packages boot/fetch asks for, with an apt that only pretends.
. tests/lib.sh
mkdir "$tmp/bin" "$tmp/debs"
world() { printf '#!/bin/sh\n%s\n' "$2" >"$tmp/bin/$1"; chmod +x "$tmp/bin/$1"; }
world apt-get 'case " $* " in
*" indextargets "*) echo "http://other/x stable main"; echo "http://mirror/debian bookworm main"; exit ;;
*" update "*) echo update >>"$WORLD/log"; grep -q good "$WORLD/mirror" || exit 100; exit ;;
esac
for want; do :; done
echo "download $want" >>"$WORLD/log"
case $want in absent:*) exit 100 ;; esac
: >"${want%:*}_1.0_${want#*:}.deb"'
world apt-cache 'for p; do :; done
case $p in linux-image-*) echo "$p"; echo "  Depends: linux-image-6.9.0-1-test" ;; esac'
export WORLD=$tmp
echo good >"$tmp/mirror"
fetch() { : >"$tmp/log"; try env PATH="$tmp/bin:$PATH" boot/fetch "$@"; log=$(grep -v '^update' "$tmp/log"); }

fetch bookworm amd64 "$tmp/debs" alpha linux-image-amd64
is status 0
is out "$tmp/debs/alpha_1.0_amd64.deb
$tmp/debs/linux-image-6.9.0-1-test_1.0_amd64.deb"
is log 'download alpha:amd64
download linux-image-6.9.0-1-test:amd64'
mirror=$(cat "$tmp/debs/.apt-bookworm-amd64/sources.list")
is mirror 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror/debian bookworm main'

# --- what is there is not asked for again; another architecture is another package ---
fetch bookworm amd64 "$tmp/debs" alpha linux-image-amd64
is status 0
like out linux-image-6.9.0-1-test_1.0_amd64.deb
is log ''
fetch bookworm i386 "$tmp/debs" alpha linux-image-686
is status 0
is out "$tmp/debs/alpha_1.0_i386.deb
$tmp/debs/linux-image-6.9.0-1-test_1.0_i386.deb"

# --- what cannot be had is named ---
fetch bookworm amd64 "$tmp/debs" absent
is status 1
is err 'fetch: bookworm has no package absent for amd64, or the mirror does not answer'
is out ''
echo bad >"$tmp/mirror"
fetch woody amd64 "$tmp/debs" beta
is status 1
is err 'fetch: http://mirror/debian has no suite woody for amd64, or does not answer'
is log ''
fetch bookworm amd64 "$tmp/debs"
is status 2
try env PATH=/nonexistent "$(command -v sh)" boot/fetch bookworm amd64 "$tmp/debs" beta
is status 1
is err 'fetch: no apt-get: name the files yourself (KERNEL=FILE MODULES=DIR)'

done_testing
