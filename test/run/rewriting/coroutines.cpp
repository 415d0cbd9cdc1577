// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages in coroutines: requests that live in a coroutine's frame, are given to another one, and are waited for after
// it is resumed; communicators that a coroutine makes, which need not be resumed.
//
// RUN: %run-both %s --work %t --flags "-O1 -std=c++20"
#include "report.h"
#include <coroutine>
#include <mpi.h>
#include <vector>

struct Task {
  struct promise_type {
    MPI_Request Yielded = MPI_REQUEST_NULL;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(MPI_Request Request) {
      Yielded = Request;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
};

static int Rank, Size, In[4];

// Gives its send away, and waits for its receive when it is resumed.
static Task exchange(int Step) {
  int Out = 100 * Rank + Step;
  MPI_Request Receive, Send;
  MPI_Irecv(&In[0], 1, MPI_INT, (Rank + Size - 1) % Size, 1, MPI_COMM_WORLD, &Receive);
  MPI_Isend(&Out, 1, MPI_INT, (Rank + 1) % Size, 1, MPI_COMM_WORLD, &Send);
  co_yield Send;
  MPI_Wait(&Receive, MPI_STATUS_IGNORE);
}

static Task inOrder(MPI_Comm Comm, int Tag) {
  int Out = Rank + Tag;
  std::vector<MPI_Request> Requests(2);
  MPI_Irecv(&In[1], 1, MPI_INT, (Rank + Size - 1) % Size, Tag, Comm, &Requests[0]);
  co_await std::suspend_always{};
  MPI_Isend(&Out, 1, MPI_INT, (Rank + 1) % Size, Tag, Comm, &Requests[1]);
  MPI_Waitall(2, Requests.data(), MPI_STATUSES_IGNORE);
}

// On some ranks this is where it ends.
static Task makeTwo(MPI_Comm &First, MPI_Comm &Second) {
  MPI_Comm_dup(MPI_COMM_WORLD, &First);
  co_await std::suspend_always{};
  MPI_Comm_dup(MPI_COMM_WORLD, &Second);
}

int main(int argc, char **argv) {
  hash_t H = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Size);
  for (int Step = 0; Step < 5; ++Step) {
    Task T = exchange(Step);
    MPI_Wait(&T.Handle.promise().Yielded, MPI_STATUS_IGNORE);
    T.Handle.resume();
    T.Handle.destroy();
    H = hash_number(H, In[0]);
  }
  MPI_Comm First, Second, Other;
  Task Makes = makeTwo(First, Second);
  if (Rank % 2)
    Makes.Handle.resume();
  else
    MPI_Comm_dup(MPI_COMM_WORLD, &Second);
  Makes.Handle.destroy();
  Other = Rank % 2 ? First : Second; // not the same on all ranks, and only compared
  for (int Step = 0; Step < 3; ++Step) {
    Task A = inOrder(First, Step);
    A.Handle.resume();
    A.Handle.destroy();
    H = hash_number(H, In[1]);
    Task B = inOrder(Second, Step);
    B.Handle.resume();
    B.Handle.destroy();
    H = hash_number(H, In[1] + (Other == First));
  }
  MPI_Comm_free(&First);
  MPI_Comm_free(&Second);
  report("coroutines", H);
  return MPI_Finalize();
}
