// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests on their way from the call that makes them to the one that completes them, in forms of C++ in which the type
// of a handle is that of other things, or does not show. Each is an exchange with a tag of its own.
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -std=c++20"
#include "report.h"
#include <algorithm>
#include <any>
#include <coroutine>
#include <map>
#include <memory>
#include <mpi.h>
#include <ranges>
#include <vector>

namespace {

int other, in, out;
hash_t hash = HASH_START;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

void done() { hash = hash_number(hash, in), ++out; }

void mapped() {
  std::map<int, MPI_Request> kept; // in some libraries a map of int
  MPI_Request first, second, third;
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &first);
  MPI_Isend(OUT, 1, MPI_COMM_WORLD, &second);
  MPI_Isend(OUT, 2, MPI_COMM_WORLD, &third);
  kept.emplace(1, first);
  kept.try_emplace(2, second);
  kept.insert_or_assign(3, third);
  MPI_Recv(IN, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (auto &[number, request] : kept)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  done();
}

void anything() {
  MPI_Request request;
  MPI_Irecv(IN, 3, MPI_COMM_WORLD, &request);
  std::any kept = request;
  MPI_Send(OUT, 3, MPI_COMM_WORLD);
  MPI_Wait(std::any_cast<MPI_Request>(&kept), MPI_STATUS_IGNORE);
  done();
}

void deleted() {
  auto finish = [](MPI_Request *request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    delete request;
  };
  {
    std::unique_ptr<MPI_Request, decltype(finish)> kept(new MPI_Request, finish);
    MPI_Irecv(IN, 4, MPI_COMM_WORLD, kept.get());
    MPI_Send(OUT, 4, MPI_COMM_WORLD);
  }
  done();
}

void shared() {
  auto request = std::make_shared<MPI_Request>();
  std::shared_ptr<void> kept = request;
  MPI_Irecv(IN, 5, MPI_COMM_WORLD, request.get());
  MPI_Send(OUT, 5, MPI_COMM_WORLD);
  MPI_Wait(static_cast<MPI_Request *>(kept.get()), MPI_STATUS_IGNORE);
  done();
}

struct Pending {
  int order;
  MPI_Request request;
};

void viewed() {
  std::vector<Pending> all{{2, MPI_REQUEST_NULL}, {1, MPI_REQUEST_NULL}};
  MPI_Irecv(IN, 6, MPI_COMM_WORLD, &all[0].request);
  MPI_Isend(OUT, 6, MPI_COMM_WORLD, &all[1].request);
  std::ranges::sort(all, {}, &Pending::order);
  for (MPI_Request &request : all | std::views::transform(&Pending::request))
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  done();
}

void byMember() {
  Pending pending(1, MPI_REQUEST_NULL); // an aggregate in parentheses
  MPI_Request Pending::*which = &Pending::request;
  MPI_Irecv(IN, 8, MPI_COMM_WORLD, &(pending.*which));
  MPI_Send(OUT, 8, MPI_COMM_WORLD);
  Pending copy(pending.order, pending.request);
  MPI_Wait(&(copy.*which), MPI_STATUS_IGNORE);
  done();
}

struct Task {
  struct promise_type {
    MPI_Request *kept = nullptr;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(MPI_Request *request) {
      kept = request;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

Task receive() {
  MPI_Request request;
  MPI_Irecv(IN, 9, MPI_COMM_WORLD, &request);
  co_yield &request;
}

void resumed() {
  Task task = receive();
  MPI_Send(OUT, 9, MPI_COMM_WORLD);
  MPI_Wait(task.handle.promise().kept, MPI_STATUS_IGNORE);
  task.handle.destroy();
  done();
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;
  mapped();
  anything();
  deleted();
  shared();
  viewed();
  byMember();
  resumed();
  report("requests", hash);
  MPI_Finalize();
}
