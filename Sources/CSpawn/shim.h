#include <spawn.h>

/* What glibc declares under _GNU_SOURCE only, which Swift's own module of it is built without. */
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
