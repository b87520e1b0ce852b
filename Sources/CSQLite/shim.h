#include <sqlite3.h>

/* Swift cannot call variadic C functions. */
static inline int covey_sqlite3_configure(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}
