// The shape of the benchmark's input: who is a member of what, by arithmetic alone. `generate` writes it as manifests,
// `floors` inserts the same rows into SQLite.
#ifndef SHAPE_H
#define SHAPE_H

#include <stdint.h>

enum {
  owned_at_most = 90,  // servers an owner has; the default limit is 100
  moderators = 2,      // a server
  unchanged_first = 3  // members at the front whom a change leaves alone, so that the moderators stay
};

typedef struct {
  uint32_t servers, members, users;
} Shape;

/// A well-mixed number for a server: where its walk over the users begins.
static inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The k-th user on a server's walk. The stride is prime to the number of users, so the first `users` are distinct.
static inline uint32_t user_at(Shape shape, uint32_t server, uint32_t k) {
  uint64_t stride = shape.users % 7919 ? 7919 : 7907;
  return (uint32_t)((mixed(server) % shape.users + k * stride) % shape.users);
}

static inline uint32_t owner_of(uint32_t server) { return server / owned_at_most; }

/// The k-th member when `changed` of a server's members have been replaced: those after the first few are gone, and as
/// many further along the walk have come.
static inline uint32_t member_at(Shape shape, uint32_t server, uint32_t k, uint32_t changed) {
  return user_at(shape, server, k < unchanged_first ? k : k + changed);
}

#endif
