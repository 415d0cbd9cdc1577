// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in the window live as malloc's do: from before MPI_Init to after MPI_Finalize, freed right after the wait,
// allocated in every exchange, grown between exchanges, from several threads, and in a child of the process. Also where
// there is no room, or no window.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs -pthread -Wno-stringop-overflow %s -o %t/program
// RUN: %mpiexec -n 4 %t/program window | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 4 %t/program window | FileCheck %s
// RUN: env MPISHM_BUFFERS=16M %mpiexec -n 2 %t/program window | FileCheck %s
// RUN: env MPISHM_BUFFERS=256K %mpiexec -n 2 %t/program some | FileCheck %s
// RUN: env MPISHM_CMA=0 %mpiexec -n 2 %t/program window | FileCheck %s
// RUN: env MPISHM_DISABLE=1 %mpiexec -n 2 %t/program none | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 %mpiexec -n 2 %t/program none | FileCheck %s
//
// CHECK: wrong: 0
#include "report.h"
#include <errno.h>
#include <mpishm.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 200, SIZES = 6, THREADS = 4 };
static const int sizes[SIZES] = {1, 40, 300, 3000, 40000, 400000};
static int rank, size, right, left, wrong;

#define EXPECT(condition) expect(condition, #condition, __LINE__)
static void expect(int condition, const char *what, int line) {
  if (!condition) {
    wrong++;
    fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, line, what);
  }
}

static int filled(const unsigned char *data, int bytes, int seed) {
  unsigned char *expected = malloc(bytes);
  fill_bytes(expected, bytes, seed);
  int same = memcmp(data, expected, bytes) == 0;
  free(expected);
  return same;
}

static void exchange(const void *out, void *in, int bytes) {
  MPI_Request r[2];
  MPISHM_Irecv(in, bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPISHM_Isend(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPISHM_Waitall(2, r, MPI_STATUSES_IGNORE);
}

// A sender overwrites and frees its buffer as soon as MPI gives it back, and takes the memory for something else: its
// receiver, which may still wait, must not see that.
static void allocated_in_every_exchange(void) {
  for (int step = 0; step < STEPS; step++) {
    int bytes = sizes[step % SIZES] + step;
    unsigned char *in = MPISHM_Malloc(bytes), *out = MPISHM_Malloc(bytes), *other;
    MPI_Request r[2];
    fill_bytes(out, bytes, 1000 * rank + step);
    MPISHM_Isend(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[0]);
    MPISHM_Irecv(in, bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &r[1]);
    MPISHM_Wait(&r[0], MPI_STATUS_IGNORE);
    memset(out, 0xdd, bytes);
    MPISHM_Free(out);
    other = MPISHM_Malloc(bytes);
    memset(other, 0xee, bytes);
    MPISHM_Wait(&r[1], MPI_STATUS_IGNORE);
    EXPECT(filled(in, bytes, 1000 * left + step));
    MPISHM_Free(in);
    MPISHM_Free(other);
  }
}

static void grown_between_exchanges(void) {
  unsigned char *in = NULL, *out = NULL;
  for (int bytes = 1; bytes < 2000000; bytes = bytes * 3 + 1) {
    in = MPISHM_Realloc(in, bytes);
    out = MPISHM_Realloc(out, bytes);
    EXPECT(filled(out, bytes / 3, rank + bytes / 3));
    fill_bytes(out, bytes, rank + bytes);
    exchange(out, in, bytes);
    EXPECT(filled(in, bytes, left + bytes));
  }
  out = MPISHM_Realloc(out, 10);
  in = MPISHM_Realloc(in, 0);
  EXPECT(in == NULL);
  MPISHM_Free(out);
}

static void as_malloc_does(void) {
  void *memory = &memory;
  for (int i = 0; i < SIZES; i++) {
    unsigned char *zero = MPISHM_Calloc(sizes[i], 3);
    for (int k = 0; k < 3 * sizes[i]; k++)
      if (zero[k] != 0)
        EXPECT(!"zeroed"), k = 3 * sizes[i];
    memset(zero, 1, 3 * sizes[i]);
    MPISHM_Free(zero);
  }
  MPISHM_Free(NULL);
  MPISHM_Free(malloc(10));
  MPISHM_Free(MPISHM_Realloc(malloc(10), 20));
  if (!KEEPS_FREED_MEMORY) { // AddressSanitizer would end the program
    errno = 0;
    void *volatile none = MPISHM_Malloc((size_t)-1 / 2 + 100);
    EXPECT(none == NULL && errno == ENOMEM);
    errno = 0;
    none = MPISHM_Calloc((size_t)-1 / 4, 8);
    EXPECT(none == NULL && errno == ENOMEM);
    EXPECT(MPISHM_Posix_memalign(&memory, 3, 100) == EINVAL);
  }
  for (size_t alignment = sizeof(void *); alignment <= 65536; alignment *= 4) {
    EXPECT(MPISHM_Posix_memalign(&memory, alignment, 1000) == 0 && (size_t)memory % alignment == 0);
    void *aligned = MPISHM_Aligned_alloc(alignment, 2 * alignment);
    EXPECT((size_t)aligned % alignment == 0);
    MPISHM_Free(memory);
    MPISHM_Free(aligned);
  }
  void *empty[2] = {MPISHM_Malloc(0), MPISHM_Malloc(0)};
  EXPECT(empty[0] && empty[0] != empty[1]);
  MPISHM_Free(empty[0]);
  MPISHM_Free(empty[1]);
}

// What the C library has just returned: its content and alignment are kept, and it is freed as any other.
static void moved_into_the_window(int inside) {
  void *memory;
  for (int i = 0; i < SIZES; i++) {
    unsigned char *piece = malloc(sizes[i]);
    int stays = (size_t)piece % 8192 == 0; // by chance aligned to more than a page, which the window cannot give
    fill_bytes(piece, sizes[i], rank + i);
    piece = MPISHM_To_window(piece);
    EXPECT(filled(piece, sizes[i], rank + i));
    EXPECT(MPISHM_To_window(piece) == piece);
    if (inside && !stays) {
      EXPECT(MPISHM_Window_free(piece));
    } else {
      MPISHM_Free(piece);
    }
    int *zero = MPISHM_TO_WINDOW((int *)calloc(sizes[i], sizeof *zero));
    EXPECT(zero[0] == 0 && zero[sizes[i] - 1] == 0 && sizeof MPISHM_TO_WINDOW(zero)[0] == sizeof(int));
    zero = MPISHM_Realloc(zero, 100000);
    MPISHM_Free(zero);
  }
  for (size_t alignment = sizeof(void *); alignment <= 1 << 20; alignment *= 4) {
    EXPECT(posix_memalign(&memory, alignment, 1000) == 0);
    memory = MPISHM_To_window(memory);
    EXPECT((size_t)memory % alignment == 0);
    MPISHM_Free(memory);
  }
  errno = 7;
  EXPECT(MPISHM_To_window(NULL) == NULL);
  MPISHM_Free(MPISHM_To_window(malloc(0)));
  EXPECT(errno == 7);
}

static void *in_a_thread(void *number) {
  unsigned char *pieces[32] = {0};
  unsigned x = *(int *)number;
  long same = 1;
  for (int i = 0; i < 20000; i++) {
    x = x * 1664525u + 1013904223u;
    unsigned char **piece = &pieces[x >> 27];
    if (*piece)
      same = same && (*piece)[0] == *(int *)number && (*piece)[x >> 8 & 15] == *(int *)number;
    MPISHM_Free(*piece);
    *piece = MPISHM_Malloc(16 + (x >> 12 & 4095));
    memset(*piece, *(int *)number, 16);
  }
  for (int i = 0; i < 32; i++)
    MPISHM_Free(pieces[i]);
  return (void *)same;
}

static void from_threads(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i + 1;
    pthread_create(&threads[i], NULL, in_a_thread, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    void *same;
    pthread_join(threads[i], &same);
    EXPECT(same != NULL);
  }
}

// What a child writes is its own; what it sees is what its parent had.
static void in_a_child(void) {
  enum { BYTES = 100000 };
  unsigned char *data = MPISHM_Malloc(BYTES), *more = MPISHM_Malloc(10);
  fill_bytes(data, BYTES, rank);
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    int same = filled(data, BYTES, rank);
    memset(data, 1, BYTES);
    data = MPISHM_Realloc(data, 2 * BYTES);
    memset(MPISHM_Malloc(BYTES), 2, BYTES);
    MPISHM_Free(more);
    MPISHM_Free(data);
    _exit(same ? 0 : 1);
  }
  fill_bytes(data, BYTES, rank + 1);
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  EXPECT(filled(data, BYTES, rank + 1));
  MPISHM_Free(data);
  MPISHM_Free(more);
  EXPECT(system("exit 3") == 3 << 8);
}

int main(int argc, char **argv) {
  enum { BYTES = 30000 };
  unsigned char *early = MPISHM_Malloc(BYTES), *late, *small, *probe;
  MPISHM_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  probe = MPISHM_Window_allocate(16, 100);
  EXPECT((probe != NULL) == (strcmp(argv[1], "none") != 0));
  EXPECT(MPISHM_Window_free(probe) == (probe != NULL));
  EXPECT(!MPISHM_Window_free(early) && !MPISHM_Window_free(NULL));
  probe = MPISHM_Window_allocate(16, 1000000);
  EXPECT((probe != NULL) == (strcmp(argv[1], "window") == 0));
  MPISHM_Free(probe);

  allocated_in_every_exchange();
  grown_between_exchanges();
  as_malloc_does();
  moved_into_the_window(strcmp(argv[1], "window") == 0);
  from_threads();
  in_a_child();

  late = MPISHM_Malloc(BYTES);
  small = MPISHM_Malloc(100);
  fill_bytes(early, BYTES, rank);
  fill_bytes(small, 100, rank);
  exchange(early, late, BYTES);
  int all;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  wrong = rank == 0 ? all : 0;
  MPI_Finalize();
  EXPECT(filled(late, BYTES, left));
  late = MPISHM_Realloc(late, 2 * BYTES);
  EXPECT(filled(late, BYTES, left));
  EXPECT(filled(small, 100, rank));
  unsigned char *after = MPISHM_Malloc(BYTES);
  memset(after, 1, BYTES);
  EXPECT(filled(small, 100, rank));
  MPISHM_Free(after);
  MPISHM_Free(early);
  MPISHM_Free(late);
  MPISHM_Free(small);
  if (rank == 0)
    printf("wrong: %d\n", wrong);
  return wrong != 0;
}
