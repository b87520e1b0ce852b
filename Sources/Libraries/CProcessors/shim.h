// The processors that a process may run on, which Swift's view of the C library leaves out.
#ifndef COVEY_CPROCESSORS_H
#define COVEY_CPROCESSORS_H

#include <unistd.h>

#ifdef __linux__
extern int sched_getaffinity(int process, unsigned long bytes, void *set);
#endif

// How many there are, or less than 1 where the system does not tell.
static inline int covey_allowed_processors(void) {
#ifdef __linux__
    // Room for more processors than any machine has.
    unsigned long set[1024] = {0};
    if (sched_getaffinity(0, sizeof set, set) == 0) {
        int count = 0;
        for (int i = 0; i < 1024; i++) count += __builtin_popcountl(set[i]);
        if (count > 0) return count;
    }
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

#endif
