// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of new and delete[]: with comments and line ends inside, which stay; of rows, of aligned and local types, in
// parentheses, in templates. And those that stay: in functions that are constexpr, of objects that are converted to
// pointers, of elements whose class has operators or a destructor of its own, with directives between.
//
// RUN: %run-both %s --work %t --moves 11 --flags="-std=c++20"
// RUN: FileCheck %s --input-file=%t/rewritten/new_forms.cpp --check-prefix=TEXT
// RUN: env MPICH_CXX=clang++-19 OMPI_CXX=clang++-19 I_MPI_CXX=clang++-19 mpicxx -std=c++20 -fsyntax-only -I %S/../../../runtime/include %t/rewritten/new_forms.cpp
#include "report.h"
#include <new>
#include <string>

// TEXT: MPISHM_Delete_array( /* first */ a);
// TEXT: MPISHM_Delete_array /* [not this] */ ( /* second */
// TEXT-NEXT: // third
// TEXT-NEXT: b);
// TEXT: MPISHM_Delete_array
// TEXT-NEXT: (c);
// TEXT: delete[]
// TEXT-NEXT: #ifdef OTHER
namespace {

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

// clang-format off
hash_t comments(hash_t h) {
  double *a = /* one */ new /* two */ double /* three */ [/* four */ 100], *b = new double[100], *c = new (double[100]);
  h = exchange(exchange(h, a, b, 800), c, b, 800);
  delete[] /* first */ a;
  delete /* [not this] */ [] /* second */
    // third
    b;
  delete
  [] c;
  double *d = new double[100], *e = new double[100];
  h = exchange(h, d, e, 800);
  delete[]
#ifdef OTHER
    e;
#else
    d;
#endif
  delete[] (h++, e);
  return h;
}
// clang-format on

typedef double Row[10];
struct alignas(64) Wide {
  double d[8];
};
hash_t types(hash_t h) {
  struct Local {
    double d;
  };
  Row *rows = new Row[10], *others = new Row[10];
  double *one = new Row;
  double(*table)[10] = new double[10][10];
  Wide *wide = new Wide[10];
  Local *local = new Local[80];
  const double *fixed = new const double[100]();
  h = exchange(exchange(exchange(h, rows, others, 800), table, rows, 800), one, rows, 80);
  h = exchange(exchange(h, wide, rows, 640), local, wide, 640);
  h = hash_number(h, reinterpret_cast<size_t>(wide) % 64);
  MPI_Sendrecv(fixed, 100, MPI_DOUBLE, 0, 4, others, 100, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  h = hash_bytes(h, others, 800);
  delete[] rows;
  delete[] others;
  delete[] one;
  delete[] table;
  delete[] wide;
  delete[] static_cast<Local *>(local);
  delete[] fixed;
  return h;
}

template <typename T> struct Buffer {
  T *p;
  explicit Buffer(int n) : p(new T[n]) {}
  ~Buffer() { delete[] p; }
};

constexpr double *make(int n) { return new double[n](); }
constexpr void drop(double *p) { delete[] p; }
constexpr int both(int n) {
  double *p = make(n);
  p[1] = n;
  int result = static_cast<int>(p[1]);
  drop(p);
  return result;
}
static_assert(both(3) == 3);
hash_t constants(hash_t h) {
  auto get = [](int n) constexpr { return new double[n]; };
  double *a = make(100), *b = get(100);
  h = exchange(h, a, b, 800);
  drop(a);
  drop(b);
  return h;
}

struct Owner {
  double *p;
  operator double *() const { return p; }
};
struct Own {
  double d;
  static void *operator new[](std::size_t n) { return ::operator new[](n); }
  static void operator delete[](void *p) { ::operator delete[](p); }
};
class Private {
  ~Private() = default;

public:
  double d;
  static void drop(Private *p) { delete[] p; }
};
hash_t left(hash_t h) {
  Owner a = {new double[100]}, b = {new double[100]};
  Own *c = new Own[100], *d = new Own[100];
  h = exchange(exchange(h, a.p, b.p, 800), c, d, 800);
  delete[] a;
  delete[] b;
  delete[] c;
  delete[] d;
  // Templates of which one instance has elements with destructors.
  Buffer<double> e(100), f(100);
  Buffer<std::string> g(1);
  return exchange(h, e.p, f.p, 800);
}

} // namespace

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  h = constants(types(comments(left(h))));
  report("forms", h);
  return MPI_Finalize();
}
