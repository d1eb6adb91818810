/* The bare sums behind the levels: for each basket and hour, quantity times price. Reads prices (one row a
   market) and, for each basket, its length, places and quantities; prints the best processor time of five in seconds and the
   sum of all levels. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *read_all(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(1);
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(*bytes);
  if (!data || fread(data, 1, *bytes, file) != *bytes) exit(1);
  fclose(file);
  return data;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int count, char **names) {
  if (count != 4) return 2;
  size_t hours = (size_t)atol(names[1]), bytes;
  double *prices = read_all(names[2], &bytes);
  double *baskets = read_all(names[3], &bytes);
  double *end = baskets + bytes / sizeof(double);
  double *levels = malloc(hours * sizeof(double));
  double best = 1e9, total = 0;
  for (int run = 0; run < 5; run++) {
    double started = now();
    total = 0;
    for (double *basket = baskets; basket < end;) {
      size_t names_held = (size_t)basket[0];
      for (size_t t = 0; t < hours; t++) levels[t] = 0;
      for (size_t i = 0; i < names_held; i++) {
        double *row = prices + (size_t)basket[1 + i] * hours, quantity = basket[1 + names_held + i];
        for (size_t t = 0; t < hours; t++) levels[t] += quantity * row[t];
      }
      for (size_t t = 0; t < hours; t++) total += levels[t];
      basket += 1 + 2 * names_held;
    }
    if (now() - started < best) best = now() - started;
  }
  printf("%.9f %.6f\n", best, total);
  return 0;
}
