# SPDX-License-Identifier: MIT
# What goes onto media. Times in it are the last commit's, so that two builds are the same bytes.
HOSTCC ?= gcc
ifeq ($(SOURCE_DATE_EPOCH),)
SOURCE_DATE_EPOCH := $(or $(shell git log -1 --format=%ct 2>/dev/null),0)
endif
export SOURCE_DATE_EPOCH
$(O)/boot/.epoch: FORCE
	$(call filechk,echo $(SOURCE_DATE_EPOCH))

$(O)/boot/mkcpio: boot/mkcpio.c
	$(call say,HOSTCC,$<)
	$(Q)mkdir -p $(@D) && $(HOSTCC) -std=gnu11 -O2 -Wall -Wextra -o $@ $<

$(O)/boot/$(NAME): $(O)/$(NAME)
	$(Q)mkdir -p $(@D) && $(STRIP) -o $@ $<

# No /init: it is added to whatever initramfs there is. /usr/bin, because an archive's folder
# replaces a link of that name, and /sbin and /bin are links where /usr is merged.
$(O)/boot/overlay.list: FORCE
	$(call filechk,printf 'dir /usr 0755 0 0\ndir /usr/bin 0755 0 0\nfile /usr/bin/$(NAME) $(O)/boot/$(NAME) 0755 0 0\n'; \
	  printf 'slink /usr/bin/%s $(NAME) 0777 0 0\n' $(sort $(applet-y)))

$(O)/$(NAME).cpio: $(O)/boot/overlay.list $(O)/boot/mkcpio $(O)/boot/$(NAME) $(O)/boot/.epoch
	$(call say,CPIO,$@)
	$(Q)$(O)/boot/mkcpio $< >$@
overlay: $(O)/$(NAME).cpio

# The same tree for a live medium that lays images over each other: live/ of Debian's, and,
# renamed to .srm, SystemRescue's.
$(O)/$(NAME).squashfs: $(O)/boot/$(NAME) $(gen)/applets.def $(O)/boot/.epoch
	$(if $(call in-path,mksquashfs),,$(error mksquashfs is not installed: apt-get install squashfs-tools))
	$(call say,SQUASH,$@)
	$(Q)rm -rf $(O)/boot/tree && mkdir -p $(O)/boot/tree/usr/bin && cp $< $(O)/boot/tree/usr/bin/
	$(Q)for a in $(sort $(applet-y)); do ln -s $(NAME) $(O)/boot/tree/usr/bin/$$a; done; chmod -R u=rwX,go=rX $(O)/boot/tree
	$(Q)mksquashfs $(O)/boot/tree $@.new -noappend -all-root -no-xattrs -comp xz -b 1M -quiet -no-progress && mv $@.new $@
squashfs: $(O)/$(NAME).squashfs
.PHONY: overlay squashfs
