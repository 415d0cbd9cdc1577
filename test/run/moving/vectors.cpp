// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message buffers in a std::vector: local, a member, of a class template, referred to by a variable with its type, two
// of one declaration, grown between exchanges. They get an allocator, with all that have to have their type.
//
// RUN: %run-both %s --work %t --moves 5 --flags="-std=c++11 -Wall -Werror"
// RUN: %run-both %s --work %t.full --moves 5 --one-node --env MPISHM_BUFFERS=64K --flags="-std=c++98 -Wno-long-long -fno-exceptions"
// RUN: FileCheck %s --input-file=%t/rewritten/vectors.cpp --check-prefix=TEXT
#include "report.h"
#include <algorithm>
#include <vector>

// TEXT: std::vector<Scalar, mpishm::{{allocator}}<Scalar> > send_buffer;
// TEXT: {{^}}  std::vector<double> values_;
// TEXT: std::vector<Scalar, mpishm::{{allocator}}<Scalar> > &send_buffer = matrix.send_buffer;
// TEXT: std::vector< unsigned char, mpishm::{{allocator}}<unsigned char> > in(n), out(n, 'a');
// TEXT: {{^}}  std::vector<int> counts(n), sums(n);
namespace {

struct Ring {
  int rank, size, left, right;
  Ring() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
  }
};

hash_t exchange(hash_t h, const Ring &ring, void *in, const void *out, int bytes) {
  MPI_Request r[2];
  MPI_Irecv(in, bytes, MPI_BYTE, ring.left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, ring.right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, bytes);
}

template <typename Scalar> struct Matrix {
  std::vector<int> rows;
  std::vector<Scalar> send_buffer;
  explicit Matrix(int n) : rows(n), send_buffer() { send_buffer.resize(n); }
};

class Solver {
public:
  explicit Solver(int n) : values_(n, 1.0), received_(n) {}
  hash_t step(hash_t h, const Ring &ring, const void *out) {
    for (std::size_t i = 1; i + 1 < values_.size(); ++i)
      values_[i] = 0.5 * (values_[i - 1] + values_[i + 1]);
    h = exchange(h, ring, &received_[0], out, static_cast<int>(received_.size() * sizeof(double)));
    for (std::size_t i = 0; i < received_.size(); ++i)
      values_[i] = received_[i] > 0 ? 1 : 2;
    return exchange(h, ring, &values_[0], &received_.front(), 80);
  }

private:
  std::vector<double> values_;
  std::vector<double> received_;
};

template <typename Type, typename Scalar> hash_t externals(hash_t h, const Ring &ring, Type &matrix, Scalar) {
  std::vector<Scalar> &send_buffer = matrix.send_buffer;
  std::vector<Scalar> received(send_buffer.size());
  fill_bytes(&send_buffer[0], send_buffer.size() * sizeof(Scalar), ring.rank);
  h = exchange(h, ring, &received[0], &send_buffer[0], static_cast<int>(received.size() * sizeof(Scalar)));
  for (typename std::vector<int>::const_iterator it = matrix.rows.begin(); it != matrix.rows.end(); ++it)
    h = hash_number(h, *it);
  return h;
}

hash_t plain(hash_t h, const Ring &ring, int n) {
  std::vector< unsigned char> in(n), out(n, 'a');
  std::fill(out.begin(), out.begin() + n / 2, static_cast<unsigned char>(ring.rank));
  h = exchange(h, ring, &in[0], &out[0], n);
  std::sort(in.begin(), in.end());
  in.push_back(1);
  h = exchange(h, ring, &in.at(0), &out.front(), n);
  return hash_bytes(h, &in[0], in.size());
}

// Never instantiated, but read by the compiler.
struct Kept {
  std::vector<double> out;
  explicit Kept(int n) : out(n) {}
};
template <typename T> int unused(const Kept &kept, T) {
  const std::vector<double> &same = kept.out;
  return static_cast<int>(same.size());
}
#define BUFFER std::vector<double>

// Vectors that escape keep their type, and their messages go as they are.
std::vector<int> copied(const std::vector<int> &from) { return from; }

hash_t left(hash_t h, const Ring &ring, int n) {
  std::vector<int> counts(n), sums(n);
  std::vector<int> all = copied(counts);
  std::vector<int>::iterator it = sums.begin();
  *it = ring.rank;
  Kept kept(n);
  BUFFER spelled(n);
  std::vector<double> Kept::*member = &Kept::out;
  h = exchange(h, ring, &spelled[0], &kept.out[0], n);
  h = hash_number(h, static_cast<long long>((kept.*member).size()));
  return exchange(exchange(h, ring, &counts[0], &sums[0], n), ring, &all[0], &*sums.begin(), n);
}

} // namespace

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  {
    Ring ring;
    Matrix<double> doubles(3000);
    Matrix<float> floats(300);
    Solver solver(1000);
    for (int step = 0; step < 3; ++step) {
      h = externals(h, ring, doubles, 1.0);
      h = externals(h, ring, floats, 1.0f);
      h = solver.step(h, ring, &doubles.send_buffer[0]);
      h = plain(h, ring, 10000 * step + 10);
      doubles.send_buffer.resize(3000 + 1000 * step);
    }
    Matrix<double> copy(doubles);
    h = externals(h, ring, copy, 1.0);
    h = left(h, ring, 100);
  }
  report("moved", h);
  return MPI_Finalize();
}
