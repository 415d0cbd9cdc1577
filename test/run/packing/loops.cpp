// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same in C++: members of a class, elements that functions of other classes give. One that an overloaded operator
// stores, and one in a lambda expression, are copied.
//
// RUN: env MPISHM_PLACE=0 %run-both %s --packs 2 --work %t
#include "report.h"

#include <vector>

namespace {

struct Field {
  std::vector<double> values;
  double at(unsigned i) const { return values[i]; }
};

struct Cell {
  double x = 0;
  Cell &operator=(double y) {
    x = y * 2;
    return *this;
  }
};

class Halo {
public:
  Halo(int left, int right, unsigned short count)
      : n(count), to(right), from(left), out(new double[n]), more(new double[n]), cells(new Cell[n]),
        in(new double[n]) {}
  ~Halo() {
    delete[] out;
    delete[] more;
    delete[] cells;
    delete[] in;
  }
  hash_t exchange(const Field &field, hash_t hash) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, &request);
    for (unsigned i = 0; i < n; ++i)
      out[i] = field.at(i) * static_cast<double>(i);
    MPI_Send(this->out, n, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash = hash_bytes(hash, in, n * sizeof(double));

    MPI_Irecv(in, n, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, &request);
    auto *place = out;
    for (int i = 0; i < n; ++i)
      *place++ = i;
    MPI_Send(out, n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash = hash_bytes(hash, in, n * sizeof(double));

    MPI_Irecv(in, n, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, &request);
    for (int i = 0; i < n; ++i)
      cells[i] = i;
    MPI_Send(cells, n, MPI_DOUBLE, to, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash = hash_bytes(hash, in, n * sizeof(double));

    MPI_Irecv(in, n, MPI_DOUBLE, from, 4, MPI_COMM_WORLD, &request);
    [&] {
      for (int i = 0; i < n; ++i)
        more[i] = i + 1;
      MPI_Send(more, n, MPI_DOUBLE, to, 4, MPI_COMM_WORLD);
    }();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return hash_bytes(hash, in, n * sizeof(double));
  }

private:
  unsigned short n;
  int to, from;
  double *out, *more;
  Cell *cells;
  double *in;
};

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  hash_t hash = HASH_START;
  {
    Field field{std::vector<double>(12, rank + 0.5)};
    Halo halo((rank + size - 1) % size, (rank + 1) % size, 12);
    for (int step = 0; step < 3; ++step) {
      hash = halo.exchange(field, hash);
      field.values[3] += step;
    }
  }
  report("all", hash);
  MPI_Finalize();
  return 0;
}
