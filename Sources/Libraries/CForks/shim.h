// Processes that are copies of this one, which Swift's view of the C library leaves out.
#ifndef COVEY_CFORKS_H
#define COVEY_CFORKS_H

#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// As fork(2). Only one thread may be there: of the others, what they hold stays held in the copy.
static inline int covey_fork(void) { return fork(); }

// Has a signal sent to this process when its parent ends, where the system can.
static inline void covey_signal_at_end_of_parent(int number) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, number);
#else
    (void)number;
#endif
}

#endif
