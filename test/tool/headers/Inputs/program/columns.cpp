// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange.h"
#include <vector>

namespace {
template <typename Number> struct Type;
template <> struct Type<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};

template <typename Number> class Columns {
public:
  explicit Columns(MPI_Comm parent) : requests(2, MPI_REQUEST_NULL) {
    MPI_Comm_dup(parent, &comm);
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
  }
  ~Columns() { MPI_Comm_free(&comm); }
  void exchange(Number *data) {
    MPI_Irecv(data, 1, Type<Number>::get(), (rank + size - 1) % size, TAG_EDGE, comm, &requests[0]);
    MPI_Isend(data + 1, 1, Type<Number>::get(), (rank + 1) % size, TAG_EDGE, comm, &requests[1]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

private:
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  std::vector<MPI_Request> requests;
};
} // namespace

extern "C" double halo_columns(MPI_Comm comm, double *data) {
  Columns<double> columns(comm);
  columns.exchange(data);
  return data[0];
}
