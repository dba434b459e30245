#include <sqlite3.h>

/* Both configurations take variable arguments, which Swift can't call. */

/* Statistics of memory that nobody asks for, under a lock that each allocation would take. Without effect, and without
   harm, once SQLite is in use. */
static inline int csqlite_forgo_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int csqlite_set(sqlite3 *database, int setting, int on) {
  return sqlite3_db_config(database, setting, on, (int *)0);
}
