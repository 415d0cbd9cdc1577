// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that the tool loses sight of inside of the program: kept as bytes, started and completed through pointers to
// functions; persistent ones, and a communicator of unknown origin. MPI_Init_thread is called behind a namespace.
//
// RUN: %run-both %s --guarded --leaves Wait,Isend --work %t

#include "report.h"

#include <cstring>
#include <vector>

namespace mpi {
using ::MPI_Init_thread;
}

namespace {

int Rank, Size;

struct Box {
  std::vector<unsigned char> Bytes;
  void put(const void *From, size_t Count) {
    Bytes.resize(Count);
    std::memcpy(Bytes.data(), From, Count);
  }
  void get(void *Into) const { std::memcpy(Into, Bytes.data(), Bytes.size()); }
};

using Waiting = int (*)(MPI_Request *, MPI_Status *);
using Sending = int (*)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
Waiting WaitFor = MPI_Wait;
Sending SendBy = MPI_Isend;

hash_t exchange(hash_t H, MPI_Comm Comm, int Bytes) {
  std::vector<char> Out(Bytes), In(Bytes);
  fill_bytes(Out.data(), Bytes, Rank + Bytes);
  MPI_Request Receive, Send;
  MPI_Irecv(In.data(), Bytes, MPI_CHAR, (Rank + Size - 1) % Size, 4, Comm, &Receive);
  Box Kept;
  Kept.put(&Receive, sizeof Receive);
  SendBy(Out.data(), Bytes, MPI_CHAR, (Rank + 1) % Size, 4, Comm, &Send);
  MPI_Request Again;
  Kept.get(&Again);
  MPI_Status Status;
  WaitFor(&Again, &Status);
  MPI_Waitall(1, &Send, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_status(H, &Status, MPI_CHAR), In.data(), Bytes);
}

hash_t persistent(hash_t H, MPI_Comm Comm) {
  int Out = 0, In = 0;
  MPI_Request Both[2];
  MPI_Recv_init(&In, 1, MPI_INT, (Rank + 1) % Size, 5, Comm, &Both[0]);
  MPI_Send_init(&Out, 1, MPI_INT, (Rank + Size - 1) % Size, 5, Comm, &Both[1]);
  Box Kept;
  Kept.put(Both, sizeof Both);
  for (int Step = 0; Step < 5; ++Step) {
    MPI_Request Now[2];
    Kept.get(Now);
    Out = 10 * Rank + Step;
    MPI_Startall(2, Now);
    MPI_Waitall(2, Now, MPI_STATUSES_IGNORE);
    H = hash_number(H, In);
  }
  MPI_Request_free(&Both[0]);
  MPI_Request_free(&Both[1]);
  return H;
}

MPI_Comm fetch(const Box &From) {
  MPI_Comm Comm;
  From.get(&Comm);
  return Comm;
}

} // namespace

int main(int argc, char **argv) {
  int Provided;
  mpi::MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &Provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Size);
  MPI_Comm Dup;
  MPI_Comm_dup(MPI_COMM_WORLD, &Dup);
  Box Comm;
  Comm.put(&Dup, sizeof Dup);
  hash_t H = HASH_START;
  for (int Bytes : {1, 5000, 50000}) {
    H = exchange(H, fetch(Comm), Bytes);
    H = exchange(H, MPI_COMM_WORLD, Bytes);
  }
  H = persistent(persistent(H, Dup), fetch(Comm));
  MPI_Comm_free(&Dup);
  report("hidden", H);
  MPI_Finalize();
}
