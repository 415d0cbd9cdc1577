// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: requests in a std::vector that is filled by one method and waited for by another; a template over the element type.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <map>
#include <memory>
#include <mpi.h>
#include <vector>

namespace {

template <typename T> struct mpi_type;
template <> struct mpi_type<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct mpi_type<int> {
  static MPI_Datatype get() { return MPI_INT; }
};

template <typename T> class Exchange {
public:
  explicit Exchange(MPI_Comm parent) {
    MPI_Comm_dup(parent, &comm_);
    MPI_Comm_rank(comm_, &rank_);
  }
  ~Exchange() { MPI_Comm_free(&comm_); }

  void connect(int neighbour, std::size_t length) {
    received_[neighbour].resize(length);
    sent_[neighbour].resize(length);
  }

  void start(int step) {
    requests_.clear();
    for (auto &entry : received_) {
      MPI_Request request;
      MPI_Irecv(entry.second.data(), static_cast<int>(entry.second.size()), mpi_type<T>::get(), entry.first, 0, comm_,
                &request);
      requests_.push_back(request);
    }
    for (auto &entry : sent_) {
      for (std::size_t i = 0; i < entry.second.size(); i++)
        entry.second[i] = static_cast<T>(rank_ * 100 + step * 10 + i);
      requests_.emplace_back();
      MPI_Isend(entry.second.data(), static_cast<int>(entry.second.size()), mpi_type<T>::get(), entry.first, 0, comm_,
                &requests_.back());
    }
  }

  void finish() {
    std::vector<MPI_Status> statuses(requests_.size());
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses.data());
  }

  hash_t hash(hash_t h) const {
    for (const auto &entry : received_)
      h = hash_bytes(hash_number(h, entry.first), entry.second.data(), entry.second.size() * sizeof(T));
    return h;
  }

private:
  MPI_Comm comm_;
  int rank_;
  std::map<int, std::vector<T>> received_, sent_;
  std::vector<MPI_Request> requests_;
};

template <typename T> hash_t run(hash_t h, int rank, int size) {
  auto exchange = std::make_unique<Exchange<T>>(MPI_COMM_WORLD);
  for (int other = 0; other < size; other++)
    exchange->connect(other, 10 + 13 * (rank + other));
  for (int step = 0; step < 4; step++) {
    exchange->start(step);
    exchange->finish();
    h = exchange->hash(h);
  }
  return h;
}

} // namespace

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  hash_t h = run<double>(HASH_START, rank, size);
  h = run<int>(h, rank, size);
  report("vector requests", h);
  MPI_Finalize();
  return 0;
}
