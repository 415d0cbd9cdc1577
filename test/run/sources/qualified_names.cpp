// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI's functions by names of the program's namespaces: brought there by using declarations, through an alias, an
// inline namespace and a directive, in macros and templates, beside overloads and members of the same name. What is
// replaced is the name with its namespace, where it has one.
//
// RUN: %run-both %s --work %t --leaves Sendrecv --flags="-std=c++11 -Wall -Werror"
// RUN: FileCheck %s --input-file=%t/rewritten/qualified_names.cpp --check-prefix=TEXT
#include "report.h"
#include <vector>

// TEXT-DAG: ::MPISHM{{_}}Comm_dup/*instead of mpi::MPI_Comm_dup*/(MPI_COMM_WORLD, &comm);
// TEXT-DAG: {{^}}  MPISHM{{_}}Sendrecv(&out, 1, MPI_INT, ring.right, 1,
// TEXT-DAG: {{^}}  ::MPISHM{{_}}Sendrecv(&out, 1, MPI_INT, ring.right, 2,
// TEXT-DAG: return ::MPISHM{{_}}Sendrecv/*instead of ::mpi :: MPI_Sendrecv*/(out
// TEXT-DAG: #define EXCHANGE(out, in, tag) ::MPISHM{{_}}Sendrecv/*instead of alias::MPI_Sendrecv*/(out
namespace mpi {
using ::MPI_Comm_dup;
using ::MPI_Sendrecv;
namespace old {
using ::MPI_Isend;
using ::MPI_Send;
} // namespace old
inline namespace newest {
using old::MPI_Isend;
using ::MPI_Recv;
} // namespace newest
/* An overload of the program's own. */
int MPI_Sendrecv(const std::vector<int> &out, std::vector<int> &in, int to, int from, MPI_Comm comm) {
  return MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_INT, to, 5, in.data(), static_cast<int>(in.size()),
                      MPI_INT, from, 5, comm, MPI_STATUS_IGNORE);
}
} // namespace mpi
namespace alias = mpi;
#define EXCHANGE(out, in, tag) alias::MPI_Sendrecv(out, 1, MPI_INT, ring.right, tag, in, 1, MPI_INT, ring.left, tag, comm, MPI_STATUS_IGNORE)
#define CALL(function, ...) function(__VA_ARGS__)

struct Ring {
  int rank, size, left, right;
  Ring() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
  }
  /* Hides the function's name. */
  int MPI_Sendrecv(const int *out, int *in, MPI_Comm comm) const {
    return ::mpi :: MPI_Sendrecv(out, 1, MPI_INT, right, 3, in, 1, MPI_INT, left, 3, comm, MPI_STATUS_IGNORE);
  }
};

template <typename T> hash_t exchange(hash_t h, const Ring &ring, T value, MPI_Comm comm) {
  using mpi::old::MPI_Send;
  MPI_Request request;
  T in = T();
  mpi::MPI_Isend(&value, sizeof(T), MPI_BYTE, ring.right, 6, comm, &request);
  alias::newest::MPI_Recv(&in, sizeof(T), MPI_BYTE, ring.left, 6, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (ring.rank == 0)
    MPI_Send(&in, sizeof(T), MPI_BYTE, ring.right, 7, comm);
  else
    CALL(mpi::MPI_Recv, &in, sizeof(T), MPI_BYTE, ring.left, 7, comm, MPI_STATUS_IGNORE);
  if (ring.rank != 0 && ring.right != 0)
    MPI_Send(&in, sizeof(T), MPI_BYTE, ring.right, 7, comm);
  return hash_bytes(h, &in, sizeof(T));
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  ::MPI_Init(&argc, &argv);
  Ring ring;
  MPI_Comm comm;
  mpi::MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int out = ring.rank, in = -1;
  {
    using namespace mpi;
  MPI_Sendrecv(&out, 1, MPI_INT, ring.right, 1, &in, 1, MPI_INT, ring.left, 1, comm, MPI_STATUS_IGNORE);
  }
  h = hash_number(h, in);
  ::MPI_Sendrecv(&out, 1, MPI_INT, ring.right, 2, &in, 1, MPI_INT, ring.left, 2, comm, MPI_STATUS_IGNORE);
  h = hash_number(h, in);
  ring.MPI_Sendrecv(&in, &out, comm);
  h = hash_number(h, out);
  EXCHANGE(&out, &in, 4);
  h = hash_number(h, in);
  std::vector<int> some(10, in), got(10);
  mpi::MPI_Sendrecv(some, got, ring.right, ring.left, comm);
  h = hash_number(h, got[7]);
  h = exchange(h, ring, ring.rank, comm);
  h = exchange(h, ring, 0.5 * ring.rank, comm);
  MPI_Comm_free(&comm);
  report("qualified", h);
  return MPI_Finalize();
}
