// Running other programs and measuring them.
#ifndef PROCESS_H
#define PROCESS_H

enum { most_arguments = 12 };

typedef struct {
  const char *arguments[most_arguments + 1];  // the program first, NULL last
  const char *output;                         // the file for its standard output; NULL for none
} Command;

typedef struct {
  double wall, cpu;  // seconds
  long peak;         // KiB, the most of its resident memory
  int status;        // exit code; 128 + signal; 127 if it could not be started
} Run;

/// Runs a command to its end, with no standard input; its standard error goes to the file `errors`.
Run run_command(const Command *command, const char *errors);

#endif
