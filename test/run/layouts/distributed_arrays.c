// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed arrays, drawn at random: block, cyclic, not distributed, with and without an argument, uneven, in one to
// four dimensions and both orders; and types that are built on one that is not committed itself. One whose array is
// much larger than what is here of it takes no more memory than that.
//
// (MPICH 5.0.2 ends the original in an assertion of its own, where it counts the elements of one that came from another
// node.)
// RUN: %run-both %s --work %t --ranks 2 %if mpi-mpich5 %{ --one-node %}
#include "report.h"
#include <sys/mman.h>

enum { TYPES = 150, MOST = 4, BYTES = 1 << 20, FORMS = 6 };

static char in[BYTES], out[BYTES], packed[BYTES]; // mpishm: keep
static int rank, size;
static unsigned state = 1;

static int draw(int below) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 16) % (unsigned)below);
}

/* Of a grid of processes of its own, from the place of one that is drawn and has some of it: Open MPI misplaces a
 * structure that has an empty member. */
static MPI_Datatype draw_array(MPI_Datatype element) {
  int sizes[MOST], kinds[MOST], arguments[MOST], grid[MOST], n = 1 + draw(MOST), d, processes = 1, bytes = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  for (d = 0; d < n; d++) {
    sizes[d] = 1 + draw(n > 2 ? 7 : 40);
    kinds[d] = draw(3) == 0 ? MPI_DISTRIBUTE_NONE : draw(2) ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
    grid[d] = kinds[d] == MPI_DISTRIBUTE_NONE ? 1 : 1 + draw(4);
    arguments[d] = MPI_DISTRIBUTE_DFLT_DARG;
    if (kinds[d] == MPI_DISTRIBUTE_CYCLIC && draw(2))
      arguments[d] = 1 + draw(5);
    if (kinds[d] == MPI_DISTRIBUTE_BLOCK && draw(2)) /* no less than what there is */
      arguments[d] = (sizes[d] + grid[d] - 1) / grid[d] + draw(3);
    processes *= grid[d];
  }
  while (bytes == 0) {
    if (type != MPI_DATATYPE_NULL)
      MPI_Type_free(&type);
    int place = draw(processes), order = draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN; /* one after the other */
    MPI_Type_create_darray(processes, place, n, sizes, kinds, arguments, grid, order, element, &type);
    MPI_Type_size(type, &bytes);
  }
  return type;
}

static MPI_Datatype draw_element(void) {
  MPI_Datatype type;
  switch (draw(4)) {
  case 0:
    MPI_Type_vector(2, 1, 2, MPI_SHORT, &type);
    break;
  case 1:
    MPI_Type_create_resized(MPI_INT, 0, 12, &type);
    break;
  case 2:
    MPI_Type_contiguous(3, MPI_CHAR, &type);
    break;
  default:
    MPI_Type_dup(MPI_DOUBLE, &type);
  }
  return type;
}

static MPI_Datatype build_on(MPI_Datatype array, int form) {
  MPI_Datatype type, parts[] = {MPI_INT, array};
  MPI_Aint lb, extent, places[] = {0, 8};
  int ones[] = {1, 1};
  MPI_Type_get_extent(array, &lb, &extent);
  switch (form) {
  case 0:
    return array;
  case 1:
    MPI_Type_contiguous(2, array, &type);
    break;
  case 2:
    MPI_Type_create_struct(2, ones, places, parts, &type);
    break;
  case 3:
    MPI_Type_create_resized(array, 0, extent + 4, &type);
    break;
  case 4:
    MPI_Type_dup(array, &type);
    break;
  default:
    MPI_Type_create_hvector(2, 1, extent + 16, array, &type);
  }
  MPI_Type_free(&array);
  return type;
}

/* Out with the type and in as it lies, and the other way round. */
static hash_t exchange(hash_t h, MPI_Datatype type, int count) {
  int bytes, other = (rank + 1) % size;
  MPI_Status s;
  MPI_Type_size(type, &bytes);
  bytes *= count;
  memset(in, 0x3c, sizeof in);
  memset(packed, 0x3d, sizeof packed);
  MPI_Sendrecv(out, count, type, other, 1, packed, BYTES, MPI_BYTE, other, 1, MPI_COMM_WORLD, &s);
  h = hash_bytes(hash_status(h, &s, type), packed, (size_t)bytes);
  MPI_Sendrecv(out, bytes, MPI_BYTE, other, 2, in, count, type, other, 2, MPI_COMM_WORLD, &s);
  return hash_bytes(hash_status(h, &s, type), in, sizeof in);
}

/* Every process has 8 by 8 numbers of 16384 by 16384. */
static hash_t huge(hash_t h) {
  enum { SIDE = 1 << 14, GRID = SIDE / 8 };
  int sizes[] = {SIDE, SIDE}, kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
  int arguments[] = {1, 1}, grid[] = {GRID, GRID}, i, other = (rank + 1) % size;
  size_t bytes = sizeof(int) * SIDE * SIDE;
  int *array = (int *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int numbers[64];
  long before = status_kb("VmHWM:");
  MPI_Datatype type;
  MPI_Status s;
  MPI_Type_create_darray(GRID * GRID, 1, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (i = 0; i < 64; i++)
    array[(size_t)(i / 8 * GRID) * SIDE + i % 8 * GRID + 1] = rank * 100 + i;
  MPI_Sendrecv(array, 1, type, other, 3, numbers, 64, MPI_INT, other, 3, MPI_COMM_WORLD, &s);
  h = hash_bytes(hash_status(h, &s, type), numbers, sizeof numbers);
  if (!KEEPS_FREED_MEMORY && status_kb("VmHWM:") - before > 200000)
    printf("rank %d took %ld KB\n", rank, status_kb("VmHWM:") - before);
  MPI_Type_free(&type);
  munmap(array, bytes);
  return h;
}

int main(int argc, char **argv) {
  int i;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fill_bytes(out, sizeof out, rank);
  for (i = 0; i < TYPES; i++) {
    MPI_Datatype element = draw_element(), array = draw_array(element), type = build_on(array, draw(FORMS));
    MPI_Type_free(&element);
    MPI_Type_commit(&type);
    h = exchange(h, type, 1 + draw(2));
    MPI_Type_free(&type);
  }
  h = huge(h);
  report("distributed arrays", h);
  MPI_Finalize();
  return 0;
}
