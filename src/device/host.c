/* SPDX-License-Identifier: MIT */
/* host - the machine a result was measured on. */

#include <stdio.h>
#include <sys/utsname.h>

#include <device/attr.h>
#include <device/host.h>

void host_read(struct host *h)
{
	struct utsname u;

	attr_text(h->product, sizeof(h->product), attr_path("/sys/class/dmi/id/product_name"));
	attr_text(h->serial, sizeof(h->serial), attr_path("/sys/class/dmi/id/product_serial"));
	attr_text(h->uuid, sizeof(h->uuid), attr_path("/sys/class/dmi/id/product_uuid"));
	h->kernel[0] = h->arch[0] = '\0';
	if (!uname(&u)) {
		snprintf(h->kernel, sizeof(h->kernel), "%s", u.release);
		snprintf(h->arch, sizeof(h->arch), "%s", u.machine);
	}
}
