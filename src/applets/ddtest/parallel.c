/* SPDX-License-Identifier: MIT */
/* parallel - all targets at the same time, each in a process of its own. */

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <device/sys.h>
#include <timing/clock.h>
#include <timing/progress.h>

#include "parallel.h"
#include "stream.h"

static pid_t start(struct target *t, void (*work)(struct target *, void *), void *arg)
{
	pid_t parent = getpid(), pid;

	fflush(stdout);
	/* fork(2) without libc's: that brings locks for threads, of which there are none. */
	pid = (pid_t)sys.raw(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	progress_init(false, true);
	work(t, arg);
	_exit(0);
}

static void ended(struct target *t, int how)
{
	if (WIFSIGNALED(how))
		record_trouble(&t->o->record, STATUS_FAILED, 0, "its test was ended by signal %d",
			       WTERMSIG(how));
	else if (WEXITSTATUS(how))
		record_trouble(&t->o->record, STATUS_FAILED, 0, "its test ended early");
}

void parallel_run(struct target *targets, unsigned count, void (*work)(struct target *t, void *arg),
		  void *arg)
{
	struct timespec pause = { .tv_nsec = 20000000 };
	unsigned left = 0;
	bool told = false;

	for (unsigned i = 0; i < count; i++) {
		if (targets[i].o->record.status != STATUS_OK)
			continue;
		targets[i].process = start(&targets[i], work, arg);
		if (targets[i].process < 0)
			record_trouble(&targets[i].o->record, STATUS_FAILED, targets[i].process,
				       "cannot start its test");
		else
			left++;
	}
	progress_phase("all", "targets", left, false, 0);
	for (unsigned done = 0; done < left;) {
		int how;
		pid_t pid = waitpid(-1, &how, WNOHANG);

		if (stop_signal && !told) {
			told = true;
			for (unsigned i = 0; i < count; i++)
				if (targets[i].process > 0)
					kill(targets[i].process, stop_signal);
		}
		progress_at(clock_now(), done);
		if (pid <= 0) {
			nanosleep(&pause, NULL);
			continue;
		}
		for (unsigned i = 0; i < count; i++)
			if (targets[i].process == pid) {
				ended(&targets[i], how);
				targets[i].process = 0;
				done++;
			}
	}
	progress_clear();
}
