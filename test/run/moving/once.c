// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a function makes for all is moved after that, but for some: that of a type with the value of a variable
// in it, since to ask for that would call the function once more; what was told of by its address, as a log of
// allocations does, or a function that is run where a variable ends; and that of which MPI has the address already, by
// MPI_Get_address, a window, or a message under way. The function makes these in the window, where it may.
//
// RUN: %run-both %s --work %t --moves 5 --one-node
// RUN: FileCheck %s --input-file=%t/rewritten/once.c --check-prefix=TEXT
#include "report.h"

// TEXT: {{^}}  return MPISHM_{{Malloc}}(bytes);
// TEXT: {{^}}  void *memory = MPISHM_{{Malloc}}(bytes);
// TEXT: {{^}}  void *memory = malloc(bytes);
// TEXT: {{^}}  Row *out = NEW(Row, rows++), *in = NEW(Row, rows);
// TEXT: {{^}}  char *logged = take_logged(8000), *other = take_logged(8000);
// TEXT: {{^}}  double *noted = take_noted(1000), *other = take_noted(1000), *numbers = take_noted(10);
// TEXT: {{^}}  char *told = {{MPISHM_To_window\(}}take_told(8000)), *same = {{MPISHM_To_window\(}}take_told(8000));

static int calls;
static char last[2][32];

static void *take(size_t bytes) {
  calls++;
  return malloc(bytes);
}
#define NEW(type, n) ((type *)take((n) * sizeof(type)))

static void *take_logged(size_t bytes) {
  void *memory = malloc(bytes);
  sprintf(last[calls++ % 2], "%p", memory);
  return memory;
}
static void *take_told(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL)
    fprintf(stderr, "%zu bytes are too many\n", bytes);
  return memory;
}

static hash_t exchange(hash_t h, void *in, void *out, int bytes) {
  int rank, size;
  MPI_Request r[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fill_bytes(out, bytes, rank + bytes);
  MPI_Irecv(in, bytes, MPI_BYTE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, (rank + 1) % size, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, bytes);
}

static hash_t types(hash_t h, int length) {
  typedef char Row[length];
  int rows = 80;
  // clang-format off
  Row *out = NEW(Row, rows++), *in = NEW(Row, rows);
  // clang-format on
  int *numbers = NEW(int, 5);
  numbers[0] = rows;
  h = hash_number(exchange(h, in, out, 8000), numbers[0] + calls);
  free(out);
  free(in);
  free(numbers);
  return h;
}

static hash_t addresses(hash_t h) {
  char text[2][32];
  int from = calls % 2;
  char *logged = take_logged(8000), *other = take_logged(8000);
  sprintf(text[0], "%p", (void *)logged);
  sprintf(text[1], "%p", (void *)other);
  int *numbers = take_logged(80);
  numbers[0] = 3;
  h = exchange(hash_number(h, strcmp(text[1], last[1 - from]) == 0), logged, other, 8000);
  free(logged);
  free(other);
  free(numbers);
  return h;
}

static double *take_listed(int count, MPI_Aint *address) {
  double *memory = malloc(count * sizeof *memory); // mpishm: keep
  MPI_Get_address(memory, address);
  return memory;
}
static double *take_window(int count, MPI_Win *window) {
  double *memory = malloc(count * sizeof *memory); // mpishm: keep
  MPI_Win_create(memory, count * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window);
  return memory;
}
static double *take_root(int count, MPI_Request *request) {
  double *memory = malloc(count * sizeof *memory); // mpishm: keep
  memset(memory, count % 100, count * sizeof *memory);
  MPI_Ibcast(memory, count, MPI_DOUBLE, 0, MPI_COMM_WORLD, request);
  return memory;
}
static hash_t known_to_mpi(hash_t h) {
  MPI_Aint listed[3], now;
  MPI_Win windows[3];
  MPI_Request requests[3];
  double *a = take_listed(1000, &listed[0]), *b = take_listed(1000, &listed[1]), *c = take_listed(10, &listed[2]);
  double *d = take_window(1000, &windows[0]), *e = take_window(1000, &windows[1]), *f = take_window(10, &windows[2]);
  double *g = take_root(1000, &requests[0]), *k = take_root(1000, &requests[1]), *l = take_root(10, &requests[2]);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  h = hash_bytes(hash_bytes(hash_bytes(h, g, 8000), k, 8000), l, 80);
  MPI_Get_address(b, &now);
  h = hash_number(h, now == listed[1]);
  h = exchange(exchange(exchange(h, a, b, 8000), d, e, 8000), g, k, 8000);
  double put = rank + 3;
  MPI_Win_fence(0, windows[0]);
  MPI_Put(&put, 1, MPI_DOUBLE, 0, 5 + rank, 1, MPI_DOUBLE, windows[0]);
  MPI_Win_fence(0, windows[0]);
  h = hash_bytes(h, d, 800);
  for (int i = 0; i < 3; i++)
    MPI_Win_free(&windows[i]);
  double *all[] = {a, b, c, d, e, f, g, k, l};
  for (int i = 0; i < 9; i++)
    free(all[i]);
  return h;
}

static double *ended[4];
static void note(double **variable) { ended[calls++ % 4] = *variable; }
static double *take_noted(int count) {
  __attribute__((cleanup(note))) double *memory = malloc(count * sizeof *memory);
  return memory;
}
static hash_t at_the_end(hash_t h) {
  int from = calls;
  double *noted = take_noted(1000), *other = take_noted(1000), *numbers = take_noted(10);
  numbers[0] = 3;
  h = exchange(h, noted, other, 8000);
  h = hash_number(h, ended[from % 4] == noted && ended[(from + 1) % 4] == other && ended[(from + 2) % 4] == numbers);
  free(noted);
  free(other);
  free(numbers);
  return h;
}

static hash_t rest(hash_t h) {
  char *told = take_told(8000), *same = take_told(8000);
  int *numbers = take_told(80);
  numbers[0] = 3;
  h = exchange(hash_number(h, numbers[0]), told, same, 8000);
  free(told);
  free(same);
  free(numbers);
  return h;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  report("once", rest(at_the_end(known_to_mpi(addresses(types(HASH_START, 100))))));
  return MPI_Finalize();
}
