// Growing a mapping by moving its pages, which Swift's view of the C library leaves out, as it takes
// a variable number of arguments.
#ifndef COVEY_CMAPPING_H
#define COVEY_CMAPPING_H

#include <stddef.h>

#ifdef __linux__
extern void *mremap(void *block, size_t old_bytes, size_t bytes, int flags, ...);

// Gives a mapping another size, at another address if need be; (void *)-1 where it can't be done.
static inline void *covey_grow_mapping(void *block, size_t old_bytes, size_t bytes) {
    return mremap(block, old_bytes, bytes, 1 /* MREMAP_MAYMOVE */);
}
#endif

#endif
