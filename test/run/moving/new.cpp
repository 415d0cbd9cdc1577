// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: buffers of new[] that the tool moves into the window, in members, templates, containers of pointers and through
// references, and of a std::vector; and some that it leaves: of a smart pointer, of elements with destructors.
//
// RUN: %run-both %s --work %t --moves 5
#include "report.h"
#include <memory>
#include <mpi.h>
#include <vector>

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

template <typename T> hash_t exchange(hash_t h, const Ring &ring, T *in, const T *out, int n) {
  MPI_Request r[2];
  MPI_Irecv(in, n * sizeof(T), MPI_BYTE, ring.left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n * sizeof(T), MPI_BYTE, ring.right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, n * sizeof(T));
}

template <typename T> class Faces {
public:
  explicit Faces(int n) : n_(n), send_(new T[n]), receive_(NULL) { resize(n); }
  ~Faces() {
    delete[] send_;
    // clang-format off
    delete [] (receive_);
    // clang-format on
  }
  void resize(int n) {
    delete[] receive_;
    receive_ = new T[n]();
  }
  hash_t step(hash_t h, const Ring &ring, int seed) {
    fill_bytes(send_, n_ * sizeof(T), seed + ring.rank);
    return exchange(h, ring, receive_, send_, n_);
  }

private:
  Faces(const Faces &);
  Faces &operator=(const Faces &);
  int n_;
  T *send_, *receive_;
};

void make(double *&buffer, int n) { buffer = new double[n]; }

class Many {
public:
  Many(int count, int n) : n_(n) {
    for (int i = 0; i < count; ++i) {
      buffers_.push_back(new double[2 * n]);
      fill_bytes(buffers_.back(), 2 * n * sizeof(double), i);
    }
  }
  ~Many() {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      delete[] buffers_[i];
  }
  hash_t step(hash_t h, const Ring &ring) {
    for (std::vector<double *>::iterator it = buffers_.begin(); it != buffers_.end(); ++it)
      h = exchange(h, ring, *it, *it + n_, n_);
    return h;
  }

private:
  int n_;
  std::vector<double *> buffers_;
};

struct Counted {
  double value;
  ~Counted() { value = 0; }
};

} // namespace

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  {
    Ring ring;
    Faces<double> doubles(2000);
    Faces<int> ints(100);
    Many many(3, 700);
    double *out;
    make(out, 5000);
    std::unique_ptr<double[]> owned(new double[5000]);
    std::vector<double> elements(5000);
    Counted *counted = new Counted[10];
    for (int step = 0; step < 4; ++step) {
      h = doubles.step(h, ring, step);
      h = ints.step(h, ring, step);
      doubles.resize(2000);
      h = many.step(h, ring);
      fill_bytes(out, 5000 * sizeof(double), step);
      h = exchange(h, ring, owned.get(), out, 5000);
      h = exchange(h, ring, &elements[0], owned.get(), 5000);
      fill_bytes(counted, 10 * sizeof(Counted), step + ring.rank);
      h = exchange(h, ring, reinterpret_cast<double *>(counted), elements.data(), 10);
    }
    delete[] counted;
    delete[] out;
  }
  report("moved", h);
  return MPI_Finalize();
}
