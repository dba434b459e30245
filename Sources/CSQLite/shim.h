#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift can't call. */
static inline int csqlite_set(sqlite3 *database, int setting, int on) {
  return sqlite3_db_config(database, setting, on, (int *)0);
}
