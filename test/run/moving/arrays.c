// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that nobody allocates move all the same: those outside functions, of whatever linkage and with what they are
// given, and those of main, automatic or not, declared before MPI_Init or after. Their addresses may be anywhere.
//
// RUN: %run-both %s --work %t --ragged --moves 9
// RUN: %run-both %s --work %t --again --one-node --env MPISHM_BUFFERS=256K
#include "report.h"
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 60, COLUMNS = 50, N = ROWS * COLUMNS };
struct cell {
  double value;
  int row, column;
};

static double field[ROWS][COLUMNS], *everywhere = &field[0][0];
double up[N] = {1, 2}, down[N];
extern float elsewhere[];
float elsewhere[N];
static struct cell cells[N], /* the neighbour's */ received[N];
static int rank, size, left, right;

static hash_t turn(hash_t h, const void *out, void *in, int bytes) {
  MPI_Request r[2];
  MPI_Irecv(in, bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, bytes);
}

static hash_t of_cells(hash_t h, int step) {
  for (int i = 0; i < N; i++) {
    cells[i].value = rank + i * step;
    cells[i].row = i / COLUMNS;
    cells[i].column = i % COLUMNS;
  }
  return turn(h, cells, received, sizeof cells);
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  double scale = 1.5, line[N], back[N], *last = back + N / 2;
  static int kept[N] = {7};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  h = hash_bytes(h, up, sizeof up);
  for (int step = 0; step < 4; step++) {
    float mine[N];
    for (int i = 0; i < N; i++) {
      everywhere[i] = rank * 100 + i + step;
      up[i] = rank - i;
      line[i] = step * scale;
      mine[i] = rank + step;
    }
    h = turn(h, field, down, sizeof field);
    h = turn(h, up, back, sizeof up);
    h = turn(h, line, down, sizeof line);
    h = turn(h, mine, elsewhere, sizeof mine);
    h = of_cells(h, step);
    MPI_Bcast(kept, N, MPI_INT, step % size, MPI_COMM_WORLD);
    kept[step] += rank;
    h = hash_bytes(h, kept, sizeof kept);
    h = hash_bytes(h, last, N / 2 * sizeof *last);
    if (fork() == 0) {
      memset(up, 0, sizeof up);
      memset(line, 0, sizeof line);
      _exit(0);
    }
    wait(NULL);
    h = hash_number(h, sizeof line + sizeof mine);
  }
  report("moved_arrays", h);
  MPI_Finalize();
  return 0;
}
