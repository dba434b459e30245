// The table that a run of the benchmark prints, one row a case.
#ifndef TABLE_H
#define TABLE_H

/// What a case came to. Times in seconds or sizes in bytes, `count` of each; a pair shares an index.
typedef struct {
  const char *name;
  const double *product, *floor;
  int count, sizes;               // `sizes`: the numbers are bytes, not seconds
  double first_goal, final_goal;  // the ratio asked for first, and where it should end
  double cpu, floor_cpu;          // seconds of processor time; tells more than time where others use the machine too
  double peak;                    // the product's, bytes
} Row;

void print_heading(void);
void print_row(const Row *row);

/// A row for a case that could not be measured, and why.
void print_failure(const char *name, const char *reason);

/// The middle value; the mean of the two in the middle of an even count.
double median(const double *values, int count);

#endif
