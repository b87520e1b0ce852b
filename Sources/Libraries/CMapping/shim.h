// Growing a mapping by moving its pages, which Swift's view of the C library leaves out, as it takes
// a variable number of arguments; and which blocks of memory go back to the system.
#ifndef COVEY_CMAPPING_H
#define COVEY_CMAPPING_H

#include <stdlib.h>

#ifdef __linux__
extern void *mremap(void *block, size_t old_bytes, size_t bytes, int flags, ...);

// Gives a mapping another size, at another address if need be; (void *)-1 where it can't be done.
static inline void *covey_grow_mapping(void *block, size_t old_bytes, size_t bytes) {
    return mremap(block, old_bytes, bytes, 1 /* MREMAP_MAYMOVE */);
}
#endif

// From so many bytes on a block is a mapping of its own, however many such were freed before: glibc would
// raise that to the largest of them, and keep as much for each thread.
static inline void covey_map_blocks_from(int bytes) {
#ifdef __GLIBC__
    extern int mallopt(int parameter, int value);
    mallopt(-3 /* M_MMAP_THRESHOLD */, bytes);
    // What may stay free at the end of other memory.
    mallopt(-1 /* M_TRIM_THRESHOLD */, 2 * bytes);
#endif
}

// All threads share so many heaps: glibc gives each its own, and to each heap 64 MB of addresses.
static inline void covey_share_heaps(int count) {
#ifdef __GLIBC__
    extern int mallopt(int parameter, int value);
    mallopt(-8 /* M_ARENA_MAX */, count);
#endif
}

#endif
