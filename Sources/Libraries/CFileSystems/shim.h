// What systems can do with whole directories beyond the standard, and Swift's view of the C library
// leaves out. Each returns 0, or -1 with errno.
#ifndef COVEY_CFILESYSTEMS_H
#define COVEY_CFILESYSTEMS_H

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>

extern long syscall(long number, ...);
extern int syncfs(int descriptor);
extern int sync_file_range(int descriptor, long long offset, long long count, unsigned flags);

// Gives two paths each other's contents in one step.
static inline int covey_exchange(const char *a, const char *b) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2u /* RENAME_EXCHANGE */);
}

// Renames to a path that nothing may have yet.
static inline int covey_rename_new(const char *path, const char *new_path) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path,
                        1u /* RENAME_NOREPLACE */);
}

// Returns when all that was written to the file system of an open file is safe on its disk.
static inline int covey_sync_file_system(int descriptor) { return syncfs(descriptor); }

// Begins to bring a range of a file to the disk, where the system can.
static inline int covey_begin_sync(int descriptor, long long offset, long long count) {
    return sync_file_range(descriptor, offset, count, 2u /* SYNC_FILE_RANGE_WRITE */);
}
#else
#include <stdio.h>
#include <unistd.h>

static inline int covey_exchange(const char *a, const char *b) {
    return renamex_np(a, b, 0x2 /* RENAME_SWAP */);
}

static inline int covey_rename_new(const char *path, const char *new_path) {
    return renamex_np(path, new_path, 0x4 /* RENAME_EXCL */);
}

static inline int covey_sync_file_system(int descriptor) {
    (void)descriptor;
    sync();
    return 0;
}

static inline int covey_begin_sync(int descriptor, long long offset, long long count) {
    (void)descriptor, (void)offset, (void)count;
    return 0;
}
#endif

#endif
