// Writes the benchmark's input, the same bytes every time:
//
//   generate servers FILE SERVERS MEMBERS USERS [CHANGED]   CHANGED members of each server replaced by others
//   generate users FILE USERS
//   generate user-csv FILE USERS                            tables, for imports
//   generate user-ndjson FILE USERS
//   generate tag-csv FILE SERVERS TAGS
//   generate member-csv FILE SERVERS MEMBERS USERS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

static void write_server(FILE *out, Shape shape, uint32_t server, uint32_t changed) {
  uint32_t owner = owner_of(server), chosen[moderators], count = 0;
  fprintf(out,
          "  server-%06u:\n    name: Community %u 社区\n    owner: u%07u\n"
          "    desc: \"Community number %u: news, help & events\"\n    tags: [region-%u, tier-%u]\n    moderators: [",
          server, server, owner, server, server % 7, server % 3);
  for (uint32_t k = 0; k < shape.members && count < moderators; k++) {
    uint32_t user = user_at(shape, server, k);
    if (user == owner) continue;
    fprintf(out, "%su%07u", count ? ", " : "", user);
    chosen[count++] = user;
  }
  fputs("]\n    members:\n", out);
  for (uint32_t k = 0; k < shape.members; k++) {
    uint32_t user = member_at(shape, server, k, changed), listed = user == owner;
    for (uint32_t m = 0; m < count; m++) listed |= user == chosen[m];
    if (!listed) fprintf(out, "    - u%07u\n", user);
  }
}

static void write_users(FILE *out, uint32_t users) {
  fputs("version: 1\nusers:\n", out);
  for (uint32_t user = 0; user < users; user++)
    fprintf(out, "  u%07u:\n    nickName: Nick %u 昵称\n    avatarUrl: https://img.example/avatars/u%07u.png\n", user,
            user, user);
}

static const char *const genders[] = {"unknown", "male", "female"};

static void write_user_csv(FILE *out, uint32_t users) {
  fputs("userId,nickName,avatarUrl,gender,email,birth,mobile,ext\n", out);
  for (uint32_t user = 0; user < users; user++)
    fprintf(out, "u%07u,Nick %u 昵称,https://img.example/avatars/u%07u.png,%s,u%07u@mail.example,%u-%02u-%02u,1%u,\n", user,
            user, user, genders[user % 3], user, 1960 + user % 50, 1 + user % 12, 1 + user % 28, 3800000000u + user);
}

static void write_user_ndjson(FILE *out, uint32_t users) {
  for (uint32_t user = 0; user < users; user++)
    fprintf(out,
            "{\"userId\":\"u%07u\",\"nickName\":\"Nick %u 昵称\",\"avatarUrl\":\"https://img.example/avatars/u%07u.png\","
            "\"gender\":\"%s\",\"email\":\"u%07u@mail.example\",\"birth\":\"%u-%02u-%02u\",\"mobile\":\"1%u\"}\n",
            user, user, user, genders[user % 3], user, 1960 + user % 50, 1 + user % 12, 1 + user % 28,
            3800000000u + user);
}

static void write_tag_csv(FILE *out, uint32_t servers, uint32_t tags) {
  fputs("server,tag\n", out);
  for (uint32_t server = 0; server < servers; server++)
    for (uint32_t tag = 0; tag < tags; tag++) fprintf(out, "server-%06u,topic-%u\n", server, (server * 7 + tag * 13) % 500);
}

static void write_member_csv(FILE *out, Shape shape) {
  fputs("server,user,role\n", out);
  for (uint32_t server = 0; server < shape.servers; server++)
    for (uint32_t k = 0; k < shape.members; k++)
      fprintf(out, "server-%06u,u%07u,%s\n", server, user_at(shape, server, k), k < moderators ? "moderator" : "user");
}

static uint32_t number(int argc, char **argv, int index) {
  return index < argc ? (uint32_t)strtoul(argv[index], NULL, 10) : 0;
}

static void write_servers(FILE *out, Shape shape, uint32_t changed) {
  fputs("version: 1\nservers:\n", out);
  for (uint32_t server = 0; server < shape.servers; server++) write_server(out, shape, server, changed);
}

/// False for a kind that there is not, or with too few numbers.
static int write_kind(FILE *out, const char *kind, int argc, char **argv) {
  uint32_t first = number(argc, argv, 3);
  Shape shape = {first, number(argc, argv, 4), number(argc, argv, 5)};
  if (!strcmp(kind, "users") && argc == 4) return write_users(out, first), 1;
  if (!strcmp(kind, "user-csv") && argc == 4) return write_user_csv(out, first), 1;
  if (!strcmp(kind, "user-ndjson") && argc == 4) return write_user_ndjson(out, first), 1;
  if (!strcmp(kind, "tag-csv") && argc == 5) return write_tag_csv(out, first, shape.members), 1;
  if (argc < 6 || shape.members + number(argc, argv, 6) > shape.users) return 0;
  if (!strcmp(kind, "member-csv") && argc == 6) return write_member_csv(out, shape), 1;
  if (!strcmp(kind, "servers")) return write_servers(out, shape, number(argc, argv, 6)), 1;
  return 0;
}

int main(int argc, char **argv) {
  FILE *out = argc < 4 ? NULL : fopen(argv[2], "w");
  if (argc >= 4 && !out) {
    perror(argv[2]);
    return 1;
  }
  if (!out || !write_kind(out, argv[1], argc, argv)) {
    fputs("usage: generate servers FILE SERVERS MEMBERS USERS [CHANGED] | generate users FILE USERS |\n"
          "       generate user-csv FILE USERS | generate user-ndjson FILE USERS | generate tag-csv FILE SERVERS TAGS |\n"
          "       generate member-csv FILE SERVERS MEMBERS USERS\n",
          stderr);
    return 64;
  }
  if (fclose(out)) {
    perror(argv[2]);
    return 1;
  }
  return 0;
}
