// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program may ask of memory that moves is as it was: whether a call may throw, and that an object with a vector
// in it is there before any code runs, which C++20 promises of one that a constant initialises.
//
// RUN: %run-both %s --work %t --moves 5 --flags="-std=c++20"
// RUN: FileCheck %s --input-file=%t/rewritten/as_before.cpp --check-prefix=TEXT
// RUN: env MPICH_CXX=clang++-19 OMPI_CXX=clang++-19 I_MPI_CXX=clang++-19 mpicxx -std=c++20 -fsyntax-only -I
// %S/../../../runtime/include %t/rewritten/as_before.cpp
#include "report.h"
#include <cstdlib>
#include <vector>

// TEXT: std::vector<double, mpishm::{{allocator}}<double> > values;
// TEXT: noexcept(mpishm::{{free}}(a))
// TEXT: noexcept({{MPISHM_Delete_array\(}}b))
namespace {

struct Holder {
  std::vector<double> values;
  int count = 3;
};
extern Holder early;
struct Fills {
  Fills() {
    early.values.resize(100, 2.0);
    ++early.count;
  }
} fills;
constinit Holder early;
Holder late;

template <typename T> void drop(T *p) noexcept(noexcept(delete[] p)) {
  if (!p)
    return;
  delete[] p;
}
void *take(std::size_t n) noexcept { return n ? std::malloc(n) : nullptr; }

hash_t exchange(hash_t h, void *in, void *out, int bytes) {
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

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hash_t h = hash_number(HASH_START, early.count);
  h = hash_number(h, static_cast<int>(early.values.size()));
  late.values.resize(100);
  h = exchange(h, late.values.data(), early.values.data(), 800);
  void *a = std::malloc(800), *c = std::calloc(100, 8);
  double *b = new double[100], *d = static_cast<double *>(take(800));
  h = exchange(exchange(h, a, b, 800), c, d, 800);
  h = hash_number(h, 8 * noexcept(std::free(a)) + 4 * noexcept(std::malloc(8)) + 2 * noexcept(take(8)) +
                         noexcept(::realloc(c, 9)));
  h = hash_number(h, noexcept(drop(b)));
  h = hash_number(h, noexcept(delete[] b));
  std::free(a);
  free(c);
  free(d);
  drop(b);
  report("as before", h);
  return MPI_Finalize();
}
