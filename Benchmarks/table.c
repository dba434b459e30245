#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_values = 1000 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(const double *values, int count) {
  double sorted[most_values];
  if (count < 1 || count > most_values) return 0;
  memcpy(sorted, values, sizeof *values * (size_t)count);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static const char *amount(char *text, size_t size, double value, int is_size) {
  if (is_size) snprintf(text, size, "%.1f MiB", value / (1 << 20));
  else if (value >= 1) snprintf(text, size, "%.2f s", value);
  else snprintf(text, size, value < 0.01 ? "%.2f ms" : "%.0f ms", value * 1000);
  return text;
}

static const char *goal(char *text, size_t size, double ratio, double goal) {
  snprintf(text, size, "<= %-4.3g %s", goal, ratio <= goal ? "met" : "not yet");
  return text;
}

void print_heading(void) {
  printf("%-20s %10s %10s %22s  %-15s %-15s %17s %10s\n", "case", "product", "floor", "ratio min/median/max", "first goal",
         "final goal", "CPU (ratio)", "peak");
}

void print_row(const Row *row) {
  double ratios[most_values];
  for (int i = 0; i < row->count; i++) ratios[i] = row->product[i] / row->floor[i];
  double middle = median(ratios, row->count);
  qsort(ratios, (size_t)row->count, sizeof *ratios, ascending);

  char product[24], floor[24], spread[40], first[24], final[24], cpu[24], both[40] = "", peak[24];
  snprintf(spread, sizeof spread, "%.2f / %.2f / %.2f", ratios[0], middle, ratios[row->count - 1]);
  amount(cpu, sizeof cpu, row->cpu, 0);
  if (row->floor_cpu > 0) snprintf(both, sizeof both, "%s (%.2f)", cpu, row->cpu / row->floor_cpu);
  printf("%-20s %10s %10s %22s  %-15s %-15s %17s %10s\n", row->name,
         amount(product, sizeof product, median(row->product, row->count), row->sizes),
         amount(floor, sizeof floor, median(row->floor, row->count), row->sizes), spread,
         goal(first, sizeof first, middle, row->first_goal), goal(final, sizeof final, middle, row->final_goal), both,
         amount(peak, sizeof peak, row->peak, 1));
  fflush(stdout);
}

void print_failure(const char *name, const char *reason) {
  printf("%-20s not measured: %s\n", name, reason);
  fflush(stdout);
}
