// Writes the benchmark's input, the same bytes every time:
//
//   generate servers FILE SERVERS MEMBERS USERS [CHANGED]   CHANGED members of each server replaced by others
//   generate users FILE USERS
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

static uint32_t number(int argc, char **argv, int index) {
  return index < argc ? (uint32_t)strtoul(argv[index], NULL, 10) : 0;
}

int main(int argc, char **argv) {
  int servers = argc >= 6 && !strcmp(argv[1], "servers"), users = argc == 4 && !strcmp(argv[1], "users");
  if (!servers && !users) {
    fputs("usage: generate servers FILE SERVERS MEMBERS USERS [CHANGED] | generate users FILE USERS\n", stderr);
    return 64;
  }
  FILE *out = fopen(argv[2], "w");
  if (!out) {
    perror(argv[2]);
    return 1;
  }
  if (users) {
    write_users(out, number(argc, argv, 3));
  } else {
    Shape shape = {number(argc, argv, 3), number(argc, argv, 4), number(argc, argv, 5)};
    if (shape.members + number(argc, argv, 6) > shape.users) {
      fputs("generate: more members than users\n", stderr);
      return 64;
    }
    fputs("version: 1\nservers:\n", out);
    for (uint32_t server = 0; server < shape.servers; server++)
      write_server(out, shape, server, number(argc, argv, 6));
  }
  if (fclose(out)) {
    perror(argv[2]);
    return 1;
  }
  return 0;
}
