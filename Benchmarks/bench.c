// Measures the product beside its floors, in interleaved pairs, and prints one table:
//
//   bench --product PROGRAM --work FOLDER [--size 1M|100k|10k] [--pairs N] [CASE]
//
// CASE is a case's name, or the part of it before a dash (`growth` is all of growth). Only ratios count: both sides run
// in turn on the same files, with a warm cache, and what one of them wrote is on the disk before the other starts.
// A slow figure is no failure: the exit code is 0 unless nothing could be measured at all.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "table.h"

enum { most_commands = 3, most_outputs = 2, most_pairs = 99, starts_a_pair = 40, joins_a_pair = 20 };

typedef struct {
  const char *product, *work, *size, *errors;
  unsigned servers, members, users;  // at scale 1
} Setup;

/// One side of a comparison: commands that run one after another, and files of theirs that must not exist before.
typedef struct {
  Command commands[most_commands];
  Command preparation[most_commands];  // before all repeats, not measured
  Command undoing;                     // after each repeat, not measured
  const char *outputs[most_outputs];
  const char *failure;  // why the side can't run
} Side;

typedef struct {
  const char *name;
  Side (*product)(const Setup *, int scale);
  Side (*floor)(const Setup *, int scale);
  int product_scale, repeats;
  double first_goal, final_goal;
} Case;

/// A text that lives until the program ends.
__attribute__((format(printf, 1, 2))) static const char *text(const char *format, ...) {
  char *result;
  va_list values;
  va_start(values, format);
  if (vasprintf(&result, format, values) < 0) abort();
  va_end(values);
  return result;
}

// MARK: Inputs

static const char *folder(const Setup *setup, int scale) {
  return scale == 1 ? text("%s/%s", setup->work, setup->size) : text("%s/%s-times-%d", setup->work, setup->size, scale);
}

static const char *servers_file(const Setup *setup, int scale, const char *set) {
  return text("%s/%s/servers.yaml", folder(setup, scale), set);
}

static const char *users_file(const Setup *setup, int scale, const char *set) {
  return text("%s/%s/users.yaml", folder(setup, scale), set);
}

static int exists(const char *path) { return access(path, F_OK) == 0; }

static int is_older(const char *path, const char *than) {
  struct stat mine, other;
  return stat(path, &mine) || stat(than, &other) || mine.st_mtime < other.st_mtime;
}

static double size_of(const char *path) {
  struct stat status;
  return stat(path, &status) ? 0 : (double)status.st_size;
}

/// Makes the manifests of a set, `manifests` or `changed` (1% of the memberships), unless they are there.
static const char *make_manifests(const Setup *setup, int scale, const char *set) {
  const char *servers = servers_file(setup, scale, set), *users = users_file(setup, scale, set);
  const char *generator = text("%s/generate", setup->work);
  if (exists(servers) && exists(users) && !is_older(servers, generator)) return NULL;
  mkdir(folder(setup, scale), 0755);
  mkdir(text("%s/%s", folder(setup, scale), set), 0755);
  unsigned changed = strcmp(set, "changed") ? 0 : setup->members / 100;
  unsigned scaled = (unsigned)scale;
  const Command commands[] = {
      {.arguments = {generator, "users", users, text("%u", setup->users * scaled)}},
      {.arguments = {generator, "servers", servers, text("%u", setup->servers * scaled), text("%u", setup->members),
                     text("%u", setup->users * scaled), text("%u", changed)}},
  };
  for (int i = 0; i < 2; i++)
    if (run_command(&commands[i], setup->errors).status) return text("no input; see %s", setup->errors);
  return NULL;
}

/// Makes the state that the manifests describe, unless it is there and younger than the product.
static const char *make_state(const Setup *setup, int scale, const char **state) {
  const char *failure = make_manifests(setup, scale, "manifests");
  *state = text("%s/circle.db", folder(setup, scale));
  if (failure || (!is_older(*state, setup->product) && !is_older(*state, servers_file(setup, scale, "manifests"))))
    return failure;
  unlink(*state);
  fprintf(stderr, "making %s\n", *state);
  const Command apply = {.arguments = {setup->product, "apply", text("%s/manifests", folder(setup, scale)), "--state",
                                       *state, "--yes", "--output", "ndjson"}};
  int status = run_command(&apply, setup->errors).status;
  if (!status) return NULL;
  unlink(*state);
  return text("no state, apply ended with %d; see %s", status, setup->errors);
}

/// Makes a table for an import, unless it is there.
static const char *make_table(const Setup *setup, const char *kind, unsigned first, unsigned second, unsigned third,
                              const char **table) {
  const char *generator = text("%s/generate", setup->work);
  const char *suffix = strstr(kind, "ndjson") ? "ndjson" : "csv";
  *table = text("%s/%s-%u.%s", folder(setup, 1), kind, first, suffix);
  if (exists(*table) && !is_older(*table, generator)) return NULL;
  mkdir(folder(setup, 1), 0755);
  Command make = {.arguments = {generator, kind, *table, text("%u", first)}};
  if (second) make.arguments[4] = text("%u", second);
  if (third) make.arguments[5] = text("%u", third);
  return run_command(&make, setup->errors).status ? text("no table; see %s", setup->errors) : NULL;
}

/// Makes a state with so many servers and hardly a member, unless it is there and younger than the product.
static const char *make_bare_state(const Setup *setup, unsigned servers, const char **state) {
  const char *set = text("%s/bare-%u", folder(setup, 1), servers), *generator = text("%s/generate", setup->work);
  *state = text("%s.db", set);
  if (exists(*state) && !is_older(*state, setup->product) && !is_older(*state, generator)) return NULL;
  unlink(*state);
  mkdir(folder(setup, 1), 0755);
  mkdir(set, 0755);
  fprintf(stderr, "making %s\n", *state);
  const Command commands[] = {
      {.arguments = {generator, "users", text("%s/users.yaml", set), text("%u", setup->users)}},
      {.arguments = {generator, "servers", text("%s/servers.yaml", set), text("%u", servers), "4",
                     text("%u", setup->users)}},
      {.arguments = {setup->product, "state", "set-limit", "created", "1000000", "--state", *state}},
      {.arguments = {setup->product, "apply", set, "--state", *state, "--yes", "--output", "ndjson"}},
  };
  for (int i = 0; i < 4; i++) {
    if (!run_command(&commands[i], setup->errors).status) continue;
    unlink(*state);
    return text("no state; see %s", setup->errors);
  }
  return NULL;
}

// MARK: Sides

static Side version(const Setup *setup, int scale) {
  (void)scale;
  return (Side){.commands = {{.arguments = {setup->product, "version"}}}};
}

static Side hello(const Setup *setup, int scale) {
  (void)scale;
  return (Side){.commands = {{.arguments = {text("%s/hello", setup->work)}}}};
}

static Command read_events(const Setup *setup, int scale, const char *set) {
  return (Command){.arguments = {text("%s/floors", setup->work), "events", servers_file(setup, scale, set),
                                 users_file(setup, scale, set)}};
}

static Side null_loop(const Setup *setup, int scale) {
  return (Side){.commands = {read_events(setup, scale, "manifests")},
                .failure = make_manifests(setup, scale, "manifests")};
}

static Side null_loop_changed(const Setup *setup, int scale) {
  return (Side){.commands = {read_events(setup, scale, "changed")}, .failure = make_manifests(setup, scale, "changed")};
}

static Side validate(const Setup *setup, int scale) {
  return (Side){.commands = {{.arguments = {setup->product, "validate", text("%s/manifests", folder(setup, scale))}}},
                .failure = make_manifests(setup, scale, "manifests")};
}

static Side diff_of(const Setup *setup, int scale, const char *set, const char *format) {
  const char *state, *failure = make_state(setup, scale, &state);
  if (!failure) failure = make_manifests(setup, scale, set);
  return (Side){.commands = {{.arguments = {setup->product, "diff", text("%s/%s", folder(setup, scale), set), "--state",
                                            state, "--output", format},
                              .output = text("%s/diff.out", setup->work)}},
                .failure = failure};
}

static Side diff(const Setup *setup, int scale) { return diff_of(setup, scale, "manifests", "text"); }
static Side diff_changed(const Setup *setup, int scale) { return diff_of(setup, scale, "changed", "text"); }
static Side diff_changed_json(const Setup *setup, int scale) { return diff_of(setup, scale, "changed", "json"); }

static const char *apply_report(const Setup *setup) { return text("%s/apply-report.ndjson", setup->work); }

static Side apply(const Setup *setup, int scale) {
  const char *state = text("%s/apply.db", setup->work), *report = apply_report(setup);
  return (Side){.commands = {{.arguments = {setup->product, "apply", text("%s/manifests", folder(setup, scale)),
                                            "--state", state, "--yes", "--output", "ndjson"},
                              .output = report}},
                .outputs = {state, report},
                .failure = make_manifests(setup, scale, "manifests")};
}

/// Reading the manifests, inserting the memberships, and copying the report that the product has just written.
static Side apply_floor(const Setup *setup, int scale) {
  const char *store = text("%s/floor.db", setup->work), *copy = text("%s/apply-report.copy", setup->work);
  unsigned scaled = (unsigned)scale;
  return (Side){.commands = {read_events(setup, scale, "manifests"),
                             {.arguments = {text("%s/floors", setup->work), "insert", store,
                                            text("%u", setup->servers * scaled), text("%u", setup->members),
                                            text("%u", setup->users * scaled)}},
                             {.arguments = {"/bin/cp", apply_report(setup), copy}}},
                .outputs = {store, copy}};
}

// MARK: A server

/// The client of the PostgreSQL server that `with-server` has started; libpq's environment says where that is.
static const char *server_client(void) { return getenv("PSQL"); }

static Command on_server(const char *sql) {
  return (Command){.arguments = {server_client(), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql}};
}

static Side apply_on_server(const Setup *setup, int scale) {
  if (!server_client()) return (Side){.failure = "no PostgreSQL"};
  return (Side){.commands = {{.arguments = {setup->product, "apply", text("%s/manifests", folder(setup, scale)),
                                            "--state", "postgres://?options=-csearch_path%3Dbench", "--yes"}}},
                .preparation = {on_server("DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench; CHECKPOINT")},
                .failure = make_manifests(setup, scale, "manifests")};
}

/// Reading the manifests, and the memberships as text through COPY.
static Side apply_on_server_floor(const Setup *setup, int scale) {
  if (!server_client()) return (Side){.failure = "no PostgreSQL"};
  const char *rows = text("%s/rows.txt", setup->work);
  unsigned scaled = (unsigned)scale;
  return (Side){
      .commands = {read_events(setup, scale, "manifests"), on_server(text("\\copy m FROM '%s'", rows))},
      .preparation = {{.arguments = {text("%s/floors", setup->work), "rows", text("%u", setup->servers * scaled),
                                     text("%u", setup->members), text("%u", setup->users * scaled)},
                       .output = rows},
                      on_server("DROP TABLE IF EXISTS m; CREATE TABLE m(s int, u int, r int, j bigint); CHECKPOINT")}};
}

static const char *listed_events(const Setup *setup) { return text("%s/events.ndjson", setup->work); }

static Side events(const Setup *setup, int scale) {
  const char *state, *failure = make_state(setup, scale, &state), *list = listed_events(setup);
  return (Side){.commands = {{.arguments = {setup->product, "events", "list", "--state", state, "--output", "ndjson"},
                              .output = list}},
                .outputs = {list},
                .failure = failure};
}

static Side copy_events(const Setup *setup, int scale) {
  (void)scale;
  const char *copy = text("%s/events.copy", setup->work);
  return (Side){.commands = {{.arguments = {"/bin/cp", listed_events(setup), copy}}}, .outputs = {copy}};
}

/// A user joins a server of the big state; he leaves it again before the next repeat.
static Side joining(const Setup *setup, const char *state) {
  return (Side){.commands = {{.arguments = {setup->product, "member", "join", "server-000000", "joiner", "--state", state}}},
                .undoing = {.arguments = {setup->product, "member", "leave", "server-000000", "joiner", "--state", state}},
                .outputs = {state}};
}

static Side join(const Setup *setup, int scale) {
  const char *full, *failure = make_state(setup, scale, &full), *state = text("%s/join-full.db", setup->work);
  Side side = joining(setup, state);
  side.preparation[0] = (Command){.arguments = {"/bin/cp", full, state}};
  side.preparation[1] = (Command){.arguments = {setup->product, "user", "register", "joiner", "--state", state}};
  side.failure = failure;
  return side;
}

/// The same on a state that has nothing but that server.
static Side join_empty(const Setup *setup, int scale) {
  (void)scale;
  const char *state = text("%s/join-empty.db", setup->work);
  Side side = joining(setup, state);
  side.preparation[0] = (Command){.arguments = {setup->product, "user", "register", "owner", "joiner", "--state", state}};
  side.preparation[1] = (Command){.arguments = {setup->product, "server", "create", "Community", "--handle",
                                                "server-000000", "--owner", "owner", "--state", state}};
  return side;
}

static Command import_into(const Setup *setup, const char *kind, const char *table, const char *state) {
  return (Command){.arguments = {setup->product, "import", kind, table, "--state", state, "--output", "ndjson"},
                   .output = text("%s/import.out", setup->work)};
}

static Command sqlite_import(const char *table, const char *store) {
  return (Command){.arguments = {"/usr/bin/sqlite3", store, text(".import --csv %s t", table)}};
}

static Side import_users(const Setup *setup, int scale) {
  const char *table, *state = text("%s/import.db", setup->work);
  const char *failure = make_table(setup, "user-csv", setup->users * 5 * (unsigned)scale, 0, 0, &table);
  return (Side){.commands = {import_into(setup, "users", table, state)}, .outputs = {state}, .failure = failure};
}

static Side import_users_ndjson(const Setup *setup, int scale) {
  const char *table, *state = text("%s/import.db", setup->work);
  const char *failure = make_table(setup, "user-ndjson", setup->users * 5 * (unsigned)scale, 0, 0, &table);
  return (Side){.commands = {import_into(setup, "users", table, state)}, .outputs = {state}, .failure = failure};
}

static Side import_users_floor(const Setup *setup, int scale) {
  const char *table, *store = text("%s/floor.db", setup->work);
  const char *failure = make_table(setup, "user-csv", setup->users * 5 * (unsigned)scale, 0, 0, &table);
  return (Side){.commands = {sqlite_import(table, store)}, .outputs = {store}, .failure = failure};
}

enum { tags_a_server = 8, servers_with_tags = 125 };  // so many times the servers: a server holds ten tags at most

static Side import_tags(const Setup *setup, int scale) {
  (void)scale;
  const char *table, *full, *state = text("%s/import.db", setup->work);
  const char *failure = make_table(setup, "tag-csv", setup->servers * servers_with_tags, tags_a_server, 0, &table);
  if (!failure) failure = make_bare_state(setup, setup->servers * servers_with_tags, &full);
  if (failure) return (Side){.failure = failure};
  return (Side){.commands = {import_into(setup, "tags", table, state)},
                .preparation = {{.arguments = {"/bin/cp", full, state}}}, .outputs = {state}};
}

static Side import_tags_floor(const Setup *setup, int scale) {
  (void)scale;
  const char *table, *store = text("%s/floor.db", setup->work);
  const char *failure = make_table(setup, "tag-csv", setup->servers * servers_with_tags, tags_a_server, 0, &table);
  return (Side){.commands = {sqlite_import(table, store),
                             {.arguments = {text("%s/floors", setup->work), "insert", store,
                                            text("%u", setup->servers * servers_with_tags), text("%u", tags_a_server),
                                            text("%u", setup->users)}}},
                .outputs = {store}, .failure = failure};
}

static Side import_members(const Setup *setup, int scale) {
  (void)scale;
  const char *table, *full, *state = text("%s/import.db", setup->work);
  const char *failure = make_table(setup, "member-csv", setup->servers, setup->members, setup->users, &table);
  if (!failure) failure = make_bare_state(setup, setup->servers, &full);
  if (failure) return (Side){.failure = failure};
  return (Side){.commands = {import_into(setup, "members", table, state)},
                .preparation = {{.arguments = {"/bin/cp", full, state}}}, .outputs = {state}};
}

static Side import_members_floor(const Setup *setup, int scale) {
  (void)scale;
  const char *table, *store = text("%s/floor.db", setup->work);
  const char *failure = make_table(setup, "member-csv", setup->servers, setup->members, setup->users, &table);
  return (Side){.commands = {sqlite_import(table, store),
                             {.arguments = {text("%s/floors", setup->work), "insert", store, text("%u", setup->servers),
                                            text("%u", setup->members), text("%u", setup->users)}}},
                .outputs = {store}, .failure = failure};
}

// MARK: Cases

static const Case cases[] = {
    {"start", version, hello, 1, starts_a_pair, 6, 1.3},
    {"validate", validate, null_loop, 1, 1, 1.5, 0.15},
    {"diff", diff, null_loop, 1, 1, 1.8, 0.3},
    {"diff-changed-text", diff_changed, null_loop_changed, 1, 1, 1.9, 0.35},
    {"diff-changed-json", diff_changed_json, null_loop_changed, 1, 1, 1.9, 0.35},
    {"apply", apply, apply_floor, 1, 1, 1.6, 0.6},
    {"apply-postgres", apply_on_server, apply_on_server_floor, 1, 1, 2, 1},
    {"events", events, copy_events, 1, 1, 3, 1.2},
    {"join", join, join_empty, 1, joins_a_pair, 1.5, 1.1},
    {"import-users", import_users, import_users_floor, 1, 1, 1.2, 0.5},
    {"import-users-ndjson", import_users_ndjson, import_users, 1, 1, 2, 1.5},
    {"import-tags", import_tags, import_tags_floor, 1, 1, 1.6, 0.6},
    {"import-members", import_members, import_members_floor, 1, 1, 1.6, 0.6},
    {"growth-validate", validate, validate, 2, 1, 2.2, 2.05},
    {"growth-diff", diff, diff, 2, 1, 2.2, 2.05},
    {"growth-diff-changed", diff_changed, diff_changed, 2, 1, 2.2, 2.05},
    {"growth-apply", apply, apply, 2, 1, 2.2, 2.05},
    {"growth-events", events, events, 2, 1, 2.2, 2.05},
    {"growth-import-users", import_users, import_users, 2, 1, 2.2, 2.05},
    {"memory", diff, NULL, 1, 1, 12, 4},  // its floor is no run: the size of the manifests
};
enum { case_count = sizeof cases / sizeof *cases };

/// What was written so far is on the disk before anything else is measured.
static void settle(const Setup *setup) {
  int work = open(setup->work, O_RDONLY | O_DIRECTORY);
  if (work < 0) return;
  syncfs(work);
  close(work);
}

static int prepare(const Setup *setup, const Side *side, Run *last) {
  for (int i = 0; i < most_commands && side->preparation[i].arguments[0]; i++) {
    *last = run_command(&side->preparation[i], setup->errors);
    if (last->status) return 0;
  }
  if (side->preparation[0].arguments[0]) settle(setup);
  return 1;
}

/// Runs a side and adds its commands' figures up. False if one of them fails.
static int run_side(const Setup *setup, const Side *side, int repeats, Run *sum) {
  for (int i = 0; i < most_outputs && side->outputs[i]; i++) unlink(side->outputs[i]);
  if (!prepare(setup, side, sum)) return 0;
  *sum = (Run){0};
  for (int repeat = 0; repeat < repeats; repeat++) {
    for (int i = 0; i < most_commands && side->commands[i].arguments[0]; i++) {
      Run run = run_command(&side->commands[i], setup->errors);
      sum->wall += run.wall / repeats;
      sum->cpu += run.cpu / repeats;
      if (run.peak > sum->peak) sum->peak = run.peak;
      sum->status = run.status;
      if (run.status) return 0;
    }
    if (side->undoing.arguments[0]) {
      sum->status = run_command(&side->undoing, setup->errors).status;
      if (sum->status) return 0;
    }
  }
  settle(setup);
  return 1;
}

static void measure(const Setup *setup, const Case *measured, int pairs) {
  Side product = measured->product(setup, measured->product_scale);
  Side floor = measured->floor ? measured->floor(setup, 1) : (Side){0};
  const char *failure = product.failure ? product.failure : floor.failure;
  if (failure) return print_failure(measured->name, failure);

  double manifests = size_of(servers_file(setup, 1, "manifests")) + size_of(users_file(setup, 1, "manifests"));
  double products[most_pairs], floors[most_pairs], cpu[most_pairs], floor_cpu[most_pairs], peak = 0;
  for (int i = -1; i < pairs; i++) {  // the first pair warms the cache and is not counted
    Run mine, theirs = {0};
    if (!run_side(setup, &product, measured->repeats, &mine))
      return print_failure(measured->name, text("the product ended with %d; see %s", mine.status, setup->errors));
    if (measured->floor && !run_side(setup, &floor, measured->repeats, &theirs))
      return print_failure(measured->name, text("its floor ended with %d; see %s", theirs.status, setup->errors));
    double bytes = (double)mine.peak * 1024;
    if (bytes > peak) peak = bytes;
    if (i < 0) continue;
    products[i] = measured->floor ? mine.wall : bytes;
    floors[i] = measured->floor ? theirs.wall : manifests;
    cpu[i] = mine.cpu;
    floor_cpu[i] = theirs.cpu;
  }
  print_row(&(Row){.name = measured->name, .product = products, .floor = floors, .count = pairs,
                   .sizes = !measured->floor, .first_goal = measured->first_goal, .final_goal = measured->final_goal,
                   .cpu = median(cpu, pairs), .floor_cpu = median(floor_cpu, pairs), .peak = peak});
}

// MARK: The command line

static int is_chosen(const char *name, const char *chosen) {
  size_t length = chosen ? strlen(chosen) : 0;
  return !chosen || (!strncmp(name, chosen, length) && (name[length] == 0 || name[length] == '-'));
}

static int choose_size(Setup *setup, const char *size) {
  unsigned servers = !strcmp(size, "1M") ? 1000 : !strcmp(size, "100k") ? 100 : !strcmp(size, "10k") ? 10 : 0;
  setup->size = size;
  setup->servers = servers;
  setup->members = 1000;
  setup->users = servers * 200;
  return servers != 0;
}

static int usage(const char *problem) {
  fprintf(stderr, "%s\nusage: bench --product PROGRAM --work FOLDER [--size 1M|100k|10k] [--pairs N] [CASE]\ncases:",
          problem);
  for (int i = 0; i < case_count; i++) fprintf(stderr, " %s", cases[i].name);
  fputs("\n", stderr);
  return 64;
}

int main(int argc, char **argv) {
  Setup setup = {0};
  const char *chosen = NULL, *size = "1M";
  int pairs = 5, measured = 0;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (argv[i][0] != '-') chosen = argv[i];
    else if (!strcmp(argv[i], "--product")) setup.product = value, i++;
    else if (!strcmp(argv[i], "--work")) setup.work = value, i++;
    else if (!strcmp(argv[i], "--size")) size = value, i++;
    else if (!strcmp(argv[i], "--pairs")) pairs = atoi(value), i++;
    else return usage(text("unknown option '%s'", argv[i]));
  }
  if (!setup.product || !setup.work) return usage("--product and --work are needed");
  if (!choose_size(&setup, size)) return usage(text("unknown size '%s'", size));
  if (pairs < 1 || pairs > most_pairs) return usage(text("--pairs is 1 to %d", most_pairs));
  for (int i = 0; i < case_count; i++) measured += is_chosen(cases[i].name, chosen);
  if (!measured) return usage(text("unknown case '%s'", chosen));
  if (access(setup.product, X_OK)) return usage(text("no program at %s", setup.product));
  setup.errors = text("%s/stderr.txt", setup.work);

  printf("%s: %u servers x %u members, %u users; %d interleaved pairs, medians; only ratios count\n\n", size,
         setup.servers, setup.members, setup.users, pairs);
  print_heading();
  for (int i = 0; i < case_count; i++)
    if (is_chosen(cases[i].name, chosen)) measure(&setup, &cases[i], pairs);
  return 0;
}
