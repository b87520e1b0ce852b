#include <sqlite3.h>

#include "bounded_files.h"

/* Swift cannot call variadic C functions. */
static inline int covey_sqlite3_configure(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

/* Keeps no count of memory in use, which costs a lock around each allocation. Has no effect once
   a database is open in this process. */
static inline int covey_sqlite3_forgo_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
