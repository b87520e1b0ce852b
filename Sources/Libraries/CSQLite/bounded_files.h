/* A VFS like the default one whose temporary files, all together, have a bound on their size.

   SQLite sorts and materialises views in files without names; how large they become is up to the file that
   wrote the view. Beyond the bound a write says that the disk is full. See https://sqlite.org/vfs.html.

   It also opens a database through a descriptor that the program holds, if the parameter `held` of its URI is one. */
#ifndef COVEY_BOUNDED_FILES_H
#define COVEY_BOUNDED_FILES_H

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct covey_bounded_vfs {
    sqlite3_vfs vfs; /* must come first */
    sqlite3_vfs *real;
    sqlite3_int64 limit;
    sqlite3_int64 used;
    char name[40];
} covey_bounded_vfs;

typedef struct covey_bounded_file {
    sqlite3_file base; /* must come first */
    covey_bounded_vfs *owner;
    sqlite3_int64 counted;
    /* The file of the real VFS lies behind this. */
} covey_bounded_file;

#define COVEY_REAL(file) ((sqlite3_file *)((covey_bounded_file *)(file) + 1))
#define COVEY_CALL(file, method, ...) COVEY_REAL(file)->pMethods->method(COVEY_REAL(file), ##__VA_ARGS__)

static int covey_bounded_close(sqlite3_file *file) {
    covey_bounded_file *bounded = (covey_bounded_file *)file;
    __atomic_fetch_sub(&bounded->owner->used, bounded->counted, __ATOMIC_RELAXED);
    bounded->counted = 0;
    return COVEY_CALL(file, xClose);
}

static int covey_bounded_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return COVEY_CALL(file, xRead, bytes, count, offset);
}

static int covey_bounded_write(
    sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    covey_bounded_file *bounded = (covey_bounded_file *)file;
    covey_bounded_vfs *owner = bounded->owner;
    sqlite3_int64 more = offset + count - bounded->counted;
    if (more > 0) {
        sqlite3_int64 used = __atomic_add_fetch(&owner->used, more, __ATOMIC_RELAXED);
        bounded->counted += more;
        if (used > owner->limit) return SQLITE_FULL;
    }
    return COVEY_CALL(file, xWrite, bytes, count, offset);
}

static int covey_bounded_truncate(sqlite3_file *file, sqlite3_int64 size) {
    covey_bounded_file *bounded = (covey_bounded_file *)file;
    if (size < bounded->counted) {
        __atomic_fetch_sub(&bounded->owner->used, bounded->counted - size, __ATOMIC_RELAXED);
        bounded->counted = size;
    }
    return COVEY_CALL(file, xTruncate, size);
}

static int covey_bounded_sync(sqlite3_file *file, int flags) {
    return COVEY_CALL(file, xSync, flags);
}

static int covey_bounded_size(sqlite3_file *file, sqlite3_int64 *size) {
    return COVEY_CALL(file, xFileSize, size);
}

static int covey_bounded_lock(sqlite3_file *file, int lock) {
    return COVEY_CALL(file, xLock, lock);
}

static int covey_bounded_unlock(sqlite3_file *file, int lock) {
    return COVEY_CALL(file, xUnlock, lock);
}

static int covey_bounded_is_reserved(sqlite3_file *file, int *answer) {
    return COVEY_CALL(file, xCheckReservedLock, answer);
}

static int covey_bounded_control(sqlite3_file *file, int operation, void *argument) {
    return COVEY_CALL(file, xFileControl, operation, argument);
}

static int covey_bounded_sector_size(sqlite3_file *file) { return COVEY_CALL(file, xSectorSize); }

static int covey_bounded_characteristics(sqlite3_file *file) {
    return COVEY_CALL(file, xDeviceCharacteristics);
}

/* Version 1: without shared memory and mappings, which temporary files don't need. */
static const sqlite3_io_methods covey_bounded_methods = {
    1,
    covey_bounded_close,
    covey_bounded_read,
    covey_bounded_write,
    covey_bounded_truncate,
    covey_bounded_sync,
    covey_bounded_size,
    covey_bounded_lock,
    covey_bounded_unlock,
    covey_bounded_is_reserved,
    covey_bounded_control,
    covey_bounded_sector_size,
    covey_bounded_characteristics,
};

/* The name by which `covey_open` knows a descriptor; it fits into a covey_bounded_file. */
#define COVEY_HELD "/covey-held/"

/* The default VFS's way to open a file: a held one has no name that could be trusted. */
static int covey_open(const char *name, int flags, int mode) {
    if (strncmp(name, COVEY_HELD, sizeof COVEY_HELD - 1) == 0)
        return fcntl(atoi(name + sizeof COVEY_HELD - 1), F_DUPFD_CLOEXEC, 3);
    return open(name, flags, mode);
}

static int covey_open_held(sqlite3_vfs *real, int held, sqlite3_file *file, int flags, int *flagsOut) {
    /* Real files of databases lie at the start, so the end is free. */
    char *name = (char *)file + real->szOsFile;
    sqlite3_snprintf(sizeof(covey_bounded_file), name, COVEY_HELD "%d", held);
    return real->xOpen(real, name, file, flags & ~SQLITE_OPEN_URI, flagsOut);
}

static int covey_bounded_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flagsOut) {
    covey_bounded_vfs *owner = (covey_bounded_vfs *)vfs;
    covey_bounded_file *bounded = (covey_bounded_file *)file;
    int code;
    /* A file with a name is the database or belongs to it; the real VFS's own methods serve it. What
       is no file is not opened: a fifo that has a journal's name would be waited at for ever. */
    if (name != NULL) {
        struct stat status;
        int held = flags & SQLITE_OPEN_MAIN_DB ? (int)sqlite3_uri_int64(name, "held", -1) : -1;
        if (held >= 0) return covey_open_held(owner->real, held, file, flags, flagsOut);
        if (stat(name, &status) == 0 && !S_ISREG(status.st_mode)) {
            file->pMethods = NULL;
            return SQLITE_CANTOPEN;
        }
        return owner->real->xOpen(owner->real, name, file, flags, flagsOut);
    }
    memset(bounded, 0, sizeof *bounded);
    bounded->owner = owner;
    code = owner->real->xOpen(owner->real, name, COVEY_REAL(file), flags, flagsOut);
    /* SQLite closes whatever has methods. */
    file->pMethods = COVEY_REAL(file)->pMethods == NULL ? NULL : &covey_bounded_methods;
    return code;
}

/* Makes the VFS known under a name of its own, once; NULL if there is no memory. It is never freed. */
static inline const char *covey_sqlite3_bound_files(sqlite3_int64 limit) {
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    covey_bounded_vfs *bounded = real == NULL ? NULL : calloc(1, sizeof *bounded);
    if (bounded == NULL) return NULL;
    /* The only call of the system that is replaced; it does the same for all other names. */
    real->xSetSystemCall(real, "open", (sqlite3_syscall_ptr)covey_open);
    bounded->vfs = *real;
    bounded->vfs.pNext = NULL;
    bounded->vfs.szOsFile = (int)sizeof(covey_bounded_file) + real->szOsFile;
    bounded->vfs.xOpen = covey_bounded_open;
    bounded->real = real;
    bounded->limit = limit;
    sqlite3_snprintf(sizeof bounded->name, bounded->name, "covey-%lld", limit);
    bounded->vfs.zName = bounded->name;
    if (sqlite3_vfs_register(&bounded->vfs, 0) != SQLITE_OK) {
        free(bounded);
        return NULL;
    }
    return bounded->name;
}

#endif
