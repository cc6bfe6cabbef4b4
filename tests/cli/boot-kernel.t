# SPDX-License-Identifier: MIT
# boot-kernel - boot/kernel on packages of every layout, made here: a bzImage of the header's few
# fields, and modules of which one needs another's symbol.
. tests/lib.sh
for program in depmod dpkg-deb xz zstd; do
	command -v $program >/dev/null || skip "no $program"
done

# module NAME OFFERS NEEDS: $tmp/ko/NAME.ko, with a signature at its end
mkdir "$tmp/ko"
module() {
	{
		printf '.section .modinfo,"a"\n.asciz "name=%s"\n' "$1"
		[ "$2" ] && printf '.section __ksymtab_strings,"a"\n.asciz "%s"\n' "$2"
		[ "$3" ] && printf '.data\n.quad %s\n' "$3"
	} >"$tmp/$1.s"
	as -o "$tmp/ko/$1.ko" "$tmp/$1.s"
	echo '~Module signature appended~' >>"$tmp/ko/$1.ko"
}
module base base_symbol ''
module middle-part middle_symbol base_symbol
module top '' middle_symbol
module other '' ''

# bzimage PACKER TAIL: $tmp/vmlinuz with "the kernel" in it; TAIL: the unpacked size follows
le32() { printf "\\$(printf %o $(($1 & 255)))\\$(printf %o $(($1 >> 8 & 255)))\\0\\0"; }
bzimage() {
	printf 'the kernel' | $1 >"$tmp/payload"
	[ "$2" ] && le32 10 >>"$tmp/payload"
	head -c 1536 /dev/zero >"$tmp/vmlinuz"
	poke() { dd of="$tmp/vmlinuz" bs=1 seek="$1" conv=notrunc 2>/dev/null; }
	printf '\2' | poke 497
	printf HdrS | poke 514
	le32 32 | poke 584
	le32 "$(wc -c <"$tmp/payload")" | poke 588
	head -c 32 /dev/zero >>"$tmp/vmlinuz"
	cat "$tmp/payload" >>"$tmp/vmlinuz"
	echo rest >>"$tmp/vmlinuz"
}
# package PREFIX SUFFIX PACKER: $tmp/k.deb
package() {
	rm -rf "$tmp/tree"
	kernel=$tmp/tree$1/lib/modules/6.9-test/kernel
	mkdir -p "$tmp/tree/DEBIAN" "$tmp/tree/boot" "$kernel"
	printf 'Package: k\nVersion: 1\nArchitecture: all\nMaintainer: m\nDescription: d\n' >"$tmp/tree/DEBIAN/control"
	cp "$tmp/vmlinuz" "$tmp/tree/boot/vmlinuz-6.9-test"
	for ko in "$tmp"/ko/*.ko; do $3 <"$ko" >"$kernel/${ko##*/}$2"; done
	echo kernel/built/in.ko >"$kernel/../modules.builtin"
	: >"$kernel/../modules.order"
	: >"$kernel/../modules.builtin.modinfo"
	dpkg-deb -b "$tmp/tree" "$tmp/k.deb" >/dev/null
}
mkdir "$tmp/boot"
cp boot/kernel boot/fetch "$tmp/boot/"
printf '# comment\none: top ?nowhere in\ntwo: other\n' >"$tmp/boot/modules.list"
kernel() { try env KERNEL="$tmp/k.deb" "$tmp/boot/kernel" "$tmp/out.d" "$@"; cmd="kernel $*"; }

# made NAMES: the last run made all its files, with these modules in this order
made() {
	is status 0
	is err ''
	load=$(tr '\n' ' ' <"$tmp/out.d/modules.load")
	is load "$1"
	vmlinux=$(cat "$tmp/out.d/vmlinux")
	is vmlinux 'the kernel'
	release=$(cat "$tmp/out.d/release")
	is release 6.9-test
	for name in $1; do
		try cmp "$tmp/out.d/modules/$name" "$tmp/ko/$name"
		is status 0
	done
	there=$(ls "$tmp/out.d" | tr '\n' ' ')
	is there 'modules modules.load release vmlinux vmlinuz '
}

bzimage 'xz --check=crc32' ''
package '' '' cat
kernel
made 'base.ko middle-part.ko top.ko other.ko '
kernel two
made 'other.ko '
bzimage zstd tail
package /usr .xz xz
kernel one
made 'base.ko middle-part.ko top.ko '
bzimage gzip tail
package /usr .zst zstd
kernel
made 'base.ko middle-part.ko top.ko other.ko '

# --- a vmlinuz and its modules, without a package ---
try env KERNEL="$tmp/vmlinuz" MODULES="$tmp/tree/usr/lib/modules/6.9-test/" "$tmp/boot/kernel" "$tmp/out.d" one
made 'base.ko middle-part.ko top.ko '
try env KERNEL="$tmp/vmlinuz" "$tmp/boot/kernel" "$tmp/out.d"
is status 1
is err "kernel: $tmp/vmlinuz: its modules are needed too: MODULES=DIR (a lib/modules/RELEASE)"
try env KERNEL="$tmp/vmlinuz" MODULES="$tmp" "$tmp/boot/kernel" "$tmp/out.d"
is status 1
is err "kernel: $tmp: no folder 'kernel' in it"

# --- what is not there, or is not what it should be, is named ---
kernel three
is status 1
like err "has no group three"
echo 'four: other absent-one' >>"$tmp/boot/modules.list"
kernel four
is status 1
like err 'kernel: no module absent_one (group four)'
try env KERNEL="$tmp/no.deb" "$tmp/boot/kernel" "$tmp/out.d"
is status 1
is err "kernel: $tmp/no.deb: no such file"
echo text >"$tmp/k.deb"
kernel
is status 1
like err "kernel: $tmp/k.deb: not a Debian package"
head -c 4096 /dev/zero >"$tmp/vmlinuz"
package '' '' cat
kernel one
is status 1
like err 'vmlinuz-6.9-test: not a bzImage'
bzimage cat ''
package '' '' cat
kernel one
is status 1
like err 'vmlinuz-6.9-test: packed in a way that is not known here'
rm "$tmp/tree/boot/vmlinuz-6.9-test"
dpkg-deb -b "$tmp/tree" "$tmp/k.deb" >/dev/null
kernel
is status 1
like err 'no boot/vmlinuz-* in it: not a kernel package?'
bzimage gzip tail
package '' .xz xz
printf damaged >"$tmp/tree/lib/modules/6.9-test/kernel/other.ko.xz"
dpkg-deb -b "$tmp/tree" "$tmp/k.deb" >/dev/null
kernel two
is status 1
like err 'kernel: kernel/other.ko.xz: damaged'
left=$(ls -d "$tmp"/out.d/unpack.* 2>/dev/null)
is left ''

done_testing
