// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: buffers of new[] whose elements have constructors, which may throw: new[] then gives back itself what it has
// allocated, in the window as elsewhere.
//
// RUN: %run-both %s --work %t --moves 4
#include "report.h"
#include <complex>
#include <mpi.h>

namespace {

int countdown = -1; // how many elements are made before one throws

struct Element {
  double value;
  Element() : value(7) {
    if (countdown > 0 && --countdown == 0)
      throw 5;
  }
};

template <typename T> hash_t exchange(hash_t h, T *in, T *out, int n, int rank, int size) {
  MPI_Request r[2];
  MPI_Irecv(in, n * (int)sizeof(T), MPI_BYTE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n * (int)sizeof(T), MPI_BYTE, (rank + 1) % size, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, n * sizeof(T));
}

template <typename T> class Plan {
public:
  hash_t exec(hash_t h, int n, int rank, int size) {
    T *in = new T[n];
    T *out = new T[n];
    fill_bytes(out, n * sizeof(T), rank + n);
    h = exchange(h, in, out, n, rank, size);
    delete[] in;
    delete[] out;
    return h;
  }
};

hash_t elements(hash_t h, int n, int rank, int size) {
  Element *in = 0, *out = 0;
  try {
    in = new Element[n];
    out = new Element[n];
    fill_bytes(out, n * sizeof(Element), rank * 3 + n);
    h = exchange(h, in, out, n, rank, size);
  } catch (int thrown) {
    h = hash_bytes(h, &thrown, sizeof thrown);
  }
  delete[] in;
  delete[] out;
  return h;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  hash_t h = HASH_START;
  for (int i = 1; i < 40; ++i) {
    h = Plan<std::complex<double>>().exec(h, 50 * i, rank, size);
    countdown = i % 3 == 0 ? 30 : i % 3 == 1 ? 45 * i : -1;
    h = elements(h, 40 * i, rank, size);
  }
  report("moved", h);
  MPI_Finalize();
}
