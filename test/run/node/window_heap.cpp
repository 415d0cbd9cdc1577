// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// new[] in the window, and containers there: exceptions, alignment, elements with constructors, with room and without.
//
// RUN: mkdir -p %t
// RUN: mpishmcxx -I%S/../Inputs -std=c++17 -Wall -Wextra -Werror %s -o %t/program
// RUN: %mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=64K %mpiexec -n 2 %t/program | FileCheck %s
// RUN: env MPISHM_DISABLE=1 %mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpishmcxx -I%S/../Inputs -std=c++98 -Wall -Wextra -Werror -Wno-long-long %s -o %t/program
// RUN: %t/program | FileCheck %s
//
// CHECK: wrong: 0
#include "report.h"

#include <mpishm.h>

#include <cstdio>
#include <cstdlib>
#include <list>
#include <stdexcept>
#include <vector>

typedef mpishm::allocator<double> allocator_of_doubles;
typedef mpishm::allocator<int> allocator_of_ints;
typedef std::vector<int, allocator_of_ints> ints;

static int wrong;
static void expect(bool condition, const char *what) {
  if (!condition) {
    wrong++;
    std::fprintf(stderr, "not so: %s\n", what);
  }
}

struct Pair {
  double a, b;
  Pair() : a(1), b(2) {}
};
static int left_to_make;
struct Throws {
  int value;
  Throws() : value(7) {
    if (left_to_make-- == 0)
      throw std::runtime_error("enough");
  }
};
#if __cplusplus >= 201703L
struct alignas(256) Wide {
  double values[40];
};
#endif

static void arrays() {
  for (int n = 1; n < 1000000; n *= 10) {
    double *d = new (mpishm::window) double[n];
    Pair *p = new (mpishm::window) Pair[n];
    const int *c = new (mpishm::window, std::nothrow) int[n]();
    expect(p[0].a == 1 && p[n - 1].b == 2 && c[n - 1] == 0, "constructed");
    for (int i = 0; i < n; i++)
      d[i] = i;
    expect(d[n - 1] == n - 1, "kept");
    MPISHM_Delete_array(d);
    MPISHM_Delete_array(p);
    MPISHM_Delete_array(c);
  }
  MPISHM_Delete_array(new int[10]);
  MPISHM_Delete_array(static_cast<int *>(0));
}

static void moved_into_the_window() {
  const double *values = MPISHM_To_window(static_cast<const double *>(std::calloc(1000, sizeof(double))));
  Pair *pair = MPISHM_TO_WINDOW(static_cast<Pair *>(std::malloc(sizeof(Pair))));
  pair->a = values[999];
  expect(pair->a == 0, "kept in the window");
  void *memory = MPISHM_To_window(std::malloc(10));
  mpishm::free(memory);
  mpishm::free(pair);
  mpishm::free(const_cast<double *>(values));
}

static void exceptions() {
  for (int i = 0; i < 100; i++) {
    left_to_make = 3;
    bool caught = false;
    try {
      MPISHM_Delete_array(new (mpishm::window) Throws[1000]);
    } catch (const std::runtime_error &) {
      caught = true;
    }
    expect(caught, "a constructor's exception");
  }
  if (KEEPS_FREED_MEMORY) // AddressSanitizer would end the program
    return;
  volatile std::size_t too_many = static_cast<std::size_t>(-1) / 64;
  bool caught = false;
  try {
    new (mpishm::window) double[too_many];
  } catch (const std::bad_alloc &) {
    caught = true;
  }
  expect(caught, "bad_alloc");
  expect(!new (mpishm::window, std::nothrow) double[too_many], "null");
}

static void containers() {
  std::vector<double, allocator_of_doubles> v(7, 1.0), u(v);
  std::list<int, allocator_of_ints> l(3, 4);
  for (int i = 0; i < 100000; i++)
    v.push_back(i);
  u.swap(v);
  v = u;
  expect(v == u && v.size() == 100007 && v[100006] == 99999 && l.back() == 4, "containers");
#if __cplusplus >= 201703L
  std::vector<Wide, mpishm::allocator<Wide>> w(9);
  Wide *array = new (mpishm::window) Wide[3];
  expect(reinterpret_cast<std::size_t>(w.data()) % 256 == 0 && reinterpret_cast<std::size_t>(array) % 256 == 0,
         "align");
  MPISHM_Delete_array(array);
#endif
}

int main(int argc, char **argv) {
  MPISHM_Init(&argc, &argv);
  int all, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  arrays();
  moved_into_the_window();
  exceptions();
  containers();
  ints *late = new ints(100, 5);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  wrong = rank == 0 ? all : 0;
  MPI_Finalize();
  late->push_back(6);
  expect(late->front() == 5 && late->back() == 6, "after MPI_Finalize");
  delete late;
  if (rank == 0)
    std::printf("wrong: %d\n", wrong);
  return wrong != 0;
}
