// What the product's work costs at the least, each in plain C:
//
//   floors events FILE…                          libyaml's events of the files, and nothing done with them
//   floors insert FILE SERVERS MEMBERS USERS     the memberships as rows of integers, one prepared INSERT a row,
//                                                one transaction, no key, no index
//   floors rows SERVERS MEMBERS USERS            the same rows as text, a line each, for COPY
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "shape.h"

static int read_events(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    return 1;
  }
  yaml_parser_t parser;
  yaml_event_t event;
  yaml_event_type_t type = YAML_NO_EVENT;
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_file(&parser, in);
  while (type != YAML_STREAM_END_EVENT) {
    if (!yaml_parser_parse(&parser, &event)) {
      fprintf(stderr, "%s:%zu: %s\n", path, parser.problem_mark.line + 1, parser.problem);
      return 1;
    }
    type = event.type;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  fclose(in);
  return 0;
}

static int insert_rows(const char *path, Shape shape) {
  sqlite3 *store;
  sqlite3_stmt *insert = NULL;
  int ok = sqlite3_open(path, &store) == SQLITE_OK &&
           sqlite3_exec(store, "CREATE TABLE m(s INT, u INT, r INT, j INT); BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_prepare_v2(store, "INSERT INTO m VALUES(?, ?, ?, ?)", -1, &insert, NULL) == SQLITE_OK;
  for (uint32_t server = 0; ok && server < shape.servers; server++) {
    for (uint32_t k = 0; ok && k < shape.members; k++) {
      sqlite3_bind_int(insert, 1, (int)server);
      sqlite3_bind_int(insert, 2, (int)user_at(shape, server, k));
      sqlite3_bind_int(insert, 3, k < moderators ? 1 : 2);
      sqlite3_bind_int64(insert, 4, 1767600000000);
      ok = sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
    }
  }
  sqlite3_finalize(insert);
  ok = ok && sqlite3_exec(store, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  if (!ok) fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(store));
  return sqlite3_close(store) != SQLITE_OK || !ok;
}

static int write_rows(Shape shape) {
  for (uint32_t server = 0; server < shape.servers; server++)
    for (uint32_t k = 0; k < shape.members; k++)
      printf("%u\t%u\t%d\t1767600000000\n", server, user_at(shape, server, k), k < moderators ? 1 : 2);
  return fflush(stdout) != 0;
}

static uint32_t number(const char *text) { return (uint32_t)strtoul(text, NULL, 10); }

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "events")) {
    int failed = 0;
    for (int i = 2; i < argc; i++) failed |= read_events(argv[i]);
    return failed;
  }
  if (argc == 6 && !strcmp(argv[1], "insert"))
    return insert_rows(argv[2], (Shape){number(argv[3]), number(argv[4]), number(argv[5])});
  if (argc == 5 && !strcmp(argv[1], "rows"))
    return write_rows((Shape){number(argv[2]), number(argv[3]), number(argv[4])});
  fputs("usage: floors events FILE… | floors insert FILE SERVERS MEMBERS USERS | floors rows SERVERS MEMBERS USERS\n",
        stderr);
  return 64;
}
