# SPDX-License-Identifier: MIT
# One Makefile, read once for each flavour; nothing is ever written outside $(O).

NAME    := pitbox
VERSION := 0.1
O     ?= build
CROSS ?= $(shell uname -m)-linux-musl
CC     = $(CROSS)-gcc
gen   := $(O)/include/generated

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
Q    := $(if $(filter 1,$(V)),,@)
hush := $(findstring s,$(firstword -$(MAKEFLAGS)))$(filter 1,$(V))
say   = $(if $(hush),,@printf '  %-7s %s\n' $(1) $(2))
MAKEFLAGS += --no-builtin-rules

# ---- setup: the Debian packages that the other goals of this call need -----------
# When it is among the goals it is the only rule of this make, which then calls make for
# the others: without kconfig-frontends not even the configuration below could be made.
packages-build := make gcc libc6-dev musl-tools linux-libc-dev kconfig-frontends
packages-squashfs := squashfs-tools
packages-check := $(packages-squashfs) cpio kmod xz-utils zstd perl jq mount util-linux e2fsprogs python3-minimal time
packages-bench := jq mount util-linux fio ioping
packages-fuzz  := clang libclang-rt-dev
packages-check-asan := $(packages-check)
ifneq ($(filter setup,$(MAKECMDGOALS)),)
others   := $(filter-out setup,$(MAKECMDGOALS))
packages := $(sort $(packages-build) $(foreach g,$(or $(others),check),$(packages-$(g))))
present  := $(shell dpkg-query -W -f '$${Package}:$${db:Status-Status} ' $(packages) 2>/dev/null)
missing  := $(filter-out $(patsubst %:installed,%,$(filter %:installed,$(present))),$(packages))
install  := apt-get install -y --no-install-recommends $(missing)

# A mirror that cannot be asked for news may still have the packages: install decides.
setup:
ifneq ($(missing),)
	@[ "$$(id -u)" = 0 ] || { echo 'not root; run this, then make again:  sudo $(install)' >&2; exit 1; }
	@export DEBIAN_FRONTEND=noninteractive; apt-get -qq update; \
	 $(install) -qq -o DPkg::Lock::Timeout=120 >/dev/null
endif
	@$(if $(others),$(MAKE) --no-print-directory $(others),:)
$(others): setup ;@:
.PHONY: setup $(others)
else

# filechk writes $@ from a command's output, and only when it changed.
define filechk
	$(Q)mkdir -p $(@D)
	$(Q){ $(1); } > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }
endef

# ---- configuration: Debian's kconfig-frontends, run inside $(O) ---------------
# kconfig looks for each file below its own directory, then below $srctree; it
# hard-codes include/config for its per-symbol stamps, so that folder must exist.
kconfigs := Kconfig $(sort $(wildcard src/*/*/Kconfig))
kconfig   = $(Q)mkdir -p $(gen) $(O)/include/config && cd $(O) && \
            srctree=$(CURDIR) KCONFIG_CONFIG=.config kconfig-$(1)

conf-goals := oldconfig olddefconfig listnewconfig allnoconfig allyesconfig randconfig
menu-goals := menuconfig nconfig
offline    := $(conf-goals) $(menu-goals) defconfig savedefconfig clean distclean help
ifneq ($(filter $(offline),$(MAKECMDGOALS)),)
ifneq ($(filter-out $(offline),$(MAKECMDGOALS)),)
$(error run '$(filter $(offline),$(MAKECMDGOALS))' in a make of its own)
endif
endif

$(gen)/Kconfig.applets: FORCE
	$(call filechk,printf '%s\n' $(patsubst %,'source "%"',$(filter-out Kconfig,$(kconfigs))))

$(conf-goals): $(gen)/Kconfig.applets
	$(call kconfig,conf) --$@ Kconfig
menuconfig: $(gen)/Kconfig.applets
	$(call kconfig,mconf) Kconfig
nconfig: $(gen)/Kconfig.applets
	$(call kconfig,nconf) Kconfig
defconfig: $(gen)/Kconfig.applets
	$(call kconfig,conf) $(if $(DEFCONFIG),--defconfig=$(abspath $(DEFCONFIG)),--alldefconfig) Kconfig
savedefconfig: $(gen)/Kconfig.applets
	$(call kconfig,conf) --savedefconfig=defconfig Kconfig

$(O)/.config: | $(gen)/Kconfig.applets
	$(call kconfig,conf) --alldefconfig Kconfig >/dev/null

# olddefconfig answers new symbols with their defaults (silentoldconfig would stop
# and ask); only silentoldconfig writes auto.conf, autoconf.h and the stamps.
$(O)/include/config/auto.conf: $(O)/.config $(kconfigs) $(gen)/Kconfig.applets
	$(call say,CONFIG,$<)
	$(call kconfig,conf) --olddefconfig Kconfig >/dev/null
	$(call kconfig,conf) --silentoldconfig Kconfig >/dev/null

ifeq ($(filter $(offline),$(MAKECMDGOALS)),)
in-path = $(wildcard $(addsuffix /$(1),$(subst :, ,$(PATH))))
$(if $(call in-path,kconfig-conf),,$(error kconfig-conf is not installed; 'make setup all' installs what a build needs))
$(if $(or $(findstring /,$(CC)),$(call in-path,$(firstword $(CC)))),,$(error $(firstword $(CC)) is not installed; 'make setup all' installs what a build needs))
include $(O)/include/config/auto.conf
endif

# Static: no PIE, so that tables of pointers are read-only data (static musl never write-
# protects RELRO); no unwind tables and no page padding between segments, for size.
STATIC ?= -static -Wl,--no-dynamic-linker,-z,noseparate-code,-z,norelro,-z,common-page-size=64

# ---- what is built: each folder's Kbuild says it in terms of CONFIG_ -----------
applet-y :=
objs     :=
define read-kbuild
obj-y :=
include $(1)Kbuild
objs += $$(addprefix $(O)/$(1),$$(obj-y))
endef
$(foreach k,$(sort $(wildcard src/*/Kbuild src/*/*/Kbuild)),$(eval $(call read-kbuild,$(dir $(k)))))

$(gen)/applets.def: FORCE
	$(call filechk,printf '%s\n' $(patsubst %,'APPLET(%)',$(sort $(applet-y))))
$(gen)/features.def: FORCE $(O)/include/config/auto.conf
	$(call filechk,sed -n '/WERROR/d;s/^CONFIG_\(.*\)=y$$/\1/p' $(O)/include/config/auto.conf | tr A-Z_ a-z- | sort | sed 's/.*/FEATURE("&")/')

# ---- kernel UAPI headers for musl: three links, so no glibc header can leak in --
gnu := $(subst musl,gnu,$(CROSS))
asm := $(firstword $(wildcard /usr/include/$(gnu)/asm /usr/$(gnu:i386%=i686%)/include/asm))
uapi := $(O)/uapi/.$(CROSS)
$(uapi):
	$(Q)$(if $(asm),,$(error no <asm/> headers for $(CROSS): install linux-libc-dev or its -cross package))
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)ln -s /usr/include/linux /usr/include/asm-generic $(asm) $(@D)/ && touch $@

# ---- compile and link -----------------------------------------------------------
CFLAGS   ?= -Oz -g -fno-jump-tables
CPPFLAGS := -D_GNU_SOURCE -DPITBOX_NAME='"$(NAME)"' -DPITBOX_VERSION='"$(VERSION)"' \
            -DPITBOX_TARGET='"$(CROSS)"' -Iinclude -I$(O)/include -isystem $(O)/uapi
cflags   := -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wformat=2 -Wundef $(if $(findstring clang,$(CC)),,-Wno-format-truncation) \
            $(if $(CONFIG_WERROR),-Werror) -fno-common -ffunction-sections -fdata-sections \
            -ffile-prefix-map=$(CURDIR)/= -ffile-prefix-map=$(O)=build \
            $(if $(STATIC),-fno-pie -fno-asynchronous-unwind-tables -fno-unwind-tables \
              $(if $(filter x86_64-% i386-%,$(CROSS)),$(if $(findstring clang,$(CC)),,-malign-data=abi)))
ldflags  := $(STATIC) -Wl,--gc-sections -Wl,-z,noexecstack
compile   = $(CC) $(CPPFLAGS) $(cflags) $(CFLAGS)
link      = $(CC) $(CFLAGS) $(ldflags) $(LDFLAGS)

# A changed command rebuilds what it made, a changed object list relinks.
$(O)/.compile: FORCE
	$(call filechk,printf '%s\n' "$(subst ",,$(subst ',,$(compile)))")
$(O)/.link: FORCE
	$(call filechk,printf '%s\n' '$(link)' $(objs))

# Whoever includes autoconf.h depends on the symbols it names, not on the file.
stamps = $$(grep -oh '\<CONFIG_[A-Z0-9_]*' $< | sort -u | tr 'A-Z_' 'a-z/' | sed 's|^config\(.*\)|$$(wildcard $(O)/include/config\1.h)|' | tr '\n' ' ')
$(O)/%.o: %.c $(O)/.compile | $(gen)/applets.def $(gen)/features.def $(uapi)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(compile) -MMD -MP -c -o $@ $<
	$(Q)sed -i "s!$(gen)/autoconf.h\( \|$$\)!$(stamps)\1!" $(@:.o=.d)

$(O)/$(NAME): $(objs) $(O)/.link
	$(call say,LINK,$@)
	$(Q)$(link) -o $@ $(objs)

all: $(O)/$(NAME)

demo: all
	$(Q)d=$$(mktemp -d $(O)/demo.XXXXXX) && trap 'rmdir $$d' EXIT && $(O)/$(NAME) ddtest -w $$d

STRIP ?= $(gnu:i386%=i686%)-strip
include boot/boot.mk
include tests/tests.mk
-include $(objs:.o=.d) $(test-objs:.o=.d)

PREFIX ?= /usr/local
install: all
	install -D -m 755 -s --strip-program=$(STRIP) $(O)/$(NAME) $(DESTDIR)$(PREFIX)/sbin/$(NAME)
	for a in $(applet-y); do ln -sf $(NAME) $(DESTDIR)$(PREFIX)/sbin/$$a; done

clean:
	$(Q)rm -rf $(addprefix $(O)/,src tests boot uapi $(NAME) $(NAME).cpio $(NAME).squashfs .compile .link)
distclean:
	$(Q)rm -rf $(O)
help:
	@printf '%s\n' 'all (default)  setup demo check check-asan fuzz bench  install overlay squashfs' \
	  '$(conf-goals) $(menu-goals) defconfig savedefconfig  clean distclean' \
	  'O=DIR  CROSS=TRIPLE  CC=  CFLAGS=  LDFLAGS=  STATIC=  DESTDIR=  PREFIX=  DEFCONFIG=FILE  PROVE=-v  SECONDS=N  V=1'
FORCE:
.PHONY: all demo check check-asan bench fuzz install clean distclean help defconfig savedefconfig $(conf-goals) $(menu-goals) FORCE
endif
