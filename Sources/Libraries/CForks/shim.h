// Processes that are copies of this one, which Swift's view of the C library leaves out.
#ifndef COVEY_CFORKS_H
#define COVEY_CFORKS_H

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// As fork(2), but the copy does `work` and nothing else. Only one thread may be there: of the others, what they hold stays held
// in the copy. Swift's runtime remembers the number of the thread that forks, and its first thread has another in the copy. If
// that thread made a global value while another one waits for it, both would wait for ever. So it runs no Swift.
static inline int covey_fork(void *(*work)(void *), void *context) {
    int id = fork();
    if (id != 0) return id;
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, context) == 0) pthread_join(thread, NULL);
    else work(context);
    _exit(0);
}

// Has a signal sent to this process when its parent ends, where the system can.
static inline void covey_signal_at_end_of_parent(int number) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, number);
#else
    (void)number;
#endif
}

#endif
