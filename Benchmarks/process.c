#include "process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

Run run_command(const Command *command, const char *errors) {
  const int writing = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, command->output ? command->output : "/dev/null", writing, 0644);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, writing, 0644);

  Run run = {.status = 127};
  pid_t process;
  double start = now();
  int failed = posix_spawnp(&process, command->arguments[0], &files, NULL, (char *const *)command->arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) return run;

  int status;
  struct rusage usage;
  if (wait4(process, &status, 0, &usage) != process) return run;
  run.wall = now() - start;
  run.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  run.peak = usage.ru_maxrss;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}
