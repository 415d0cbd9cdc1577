// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: ways that communicators and requests go through a program. Each is an exchange with a tag of its own.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <functional>
#include <map>
#include <memory>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

constexpr int Length = 200;

struct Data {
  int in[Length], out[Length];
  int left, right;
  hash_t hash = HASH_START;
};

// A communicator and a request by reference.
void start(Data &d, const MPI_Comm &comm, MPI_Request &receive, MPI_Request &send) {
  MPI_Irecv(d.in, Length, MPI_INT, d.left, 1, comm, &receive);
  MPI_Isend(d.out, Length, MPI_INT, d.right, 1, comm, &send);
}
void finish(MPI_Request &&receive, MPI_Request *send) {
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(send, MPI_STATUS_IGNORE);
}
void byReference(Data &d) {
  MPI_Request receive, send;
  MPI_Comm &world = *std::make_unique<MPI_Comm>(MPI_COMM_WORLD);
  (void)world;
  start(d, MPI_COMM_WORLD, receive, send);
  finish(std::move(receive), &send);
}

// Captured by closures, by value and by reference, and kept as std::function.
void byClosure(Data &d) {
  MPI_Comm comm = MPI_COMM_WORLD;
  std::vector<std::function<void()>> pending;
  MPI_Request send;
  auto post = [&d, comm](int tag) {
    MPI_Request r;
    MPI_Irecv(d.in, Length, MPI_INT, d.left, tag, comm, &r);
    return r;
  };
  MPI_Request receive = post(2);
  [&, to = d.right] { MPI_Isend(d.out, Length, MPI_INT, to, 2, comm, &send); }();
  pending.push_back([&receive] { MPI_Wait(&receive, MPI_STATUS_IGNORE); });
  pending.emplace_back([&send]() mutable { MPI_Wait(&send, MPI_STATUS_IGNORE); });
  for (const auto &wait : pending)
    wait();
}

// The derived class has the calls, its base the handles.
template <typename Derived> class Exchanger {
public:
  explicit Exchanger(MPI_Comm parent) { MPI_Comm_dup(parent, &comm); }
  ~Exchanger() { MPI_Comm_free(&comm); }
  void run(Data &d) {
    self().post(d);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }

protected:
  Derived &self() { return static_cast<Derived &>(*this); }
  MPI_Comm comm;
  MPI_Request requests[2];
};
class Ring : public Exchanger<Ring> {
public:
  using Exchanger<Ring>::Exchanger;
  void post(Data &d) {
    MPI_Irecv(d.in, Length, MPI_INT, d.left, 3, comm, &this->requests[0]);
    MPI_Isend(d.out, Length, MPI_INT, d.right, 3, this->comm, requests + 1);
  }
};
void byBase(Data &d) { Ring(MPI_COMM_WORLD).run(d); }

// Virtual methods, and a communicator that a method returns.
struct Layer {
  virtual ~Layer() = default;
  virtual MPI_Request receive(Data &d) = 0;
  virtual void wait(MPI_Request &r) { MPI_Wait(&r, MPI_STATUS_IGNORE); }
  MPI_Comm communicator() const { return comm; }
  void setCommunicator(MPI_Comm c) { comm = c; }

private:
  MPI_Comm comm = MPI_COMM_NULL;
};
struct Plain final : Layer {
  MPI_Request receive(Data &d) override {
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Irecv(d.in, Length, MPI_INT, d.left, 4, communicator(), &r);
    return r;
  }
};
void byMethod(Data &d) {
  std::shared_ptr<Layer> layer = std::make_shared<Plain>();
  layer->setCommunicator(MPI_COMM_WORLD);
  MPI_Request r = layer->receive(d);
  MPI_Send(d.out, Length, MPI_INT, d.right, 4, layer->communicator());
  layer->wait(r);
}

// Communicators by name, requests by rank in a member map.
class Registry {
public:
  Registry() { comms["world"] = MPI_COMM_WORLD; }
  MPI_Comm operator[](const std::string &name) const { return comms.at(name); }
  void run(Data &d) {
    MPI_Irecv(d.in, Length, MPI_INT, d.left, 5, (*this)["world"], &pending[{0, d.left}]);
    MPI_Isend(d.out, Length, MPI_INT, d.right, 5, (*this)["world"], &pending[{1, d.right}]);
    for (auto &entry : pending)
      MPI_Wait(&entry.second, MPI_STATUS_IGNORE);
    pending.clear();
  }

private:
  std::map<std::string, MPI_Comm> comms;
  std::map<std::pair<int, int>, MPI_Request> pending;
};
void byName(Data &d) { Registry().run(d); }

// A template over the completion, and one over the tag.
template <int Tag, typename Complete> void exchange(Data &d, Complete complete) {
  MPI_Request r[2];
  MPI_Irecv(d.in, Length, MPI_INT, d.left, Tag, MPI_COMM_WORLD, r);
  MPI_Isend(d.out, Length, MPI_INT, d.right, Tag, MPI_COMM_WORLD, r + 1);
  complete(r, 2);
}
void byTemplate(Data &d) {
  exchange<6>(d, [](MPI_Request *r, int n) { MPI_Waitall(n, r, MPI_STATUSES_IGNORE); });
  exchange<7>(d, [](auto *r, auto n) {
    for (decltype(n) i = 0; i < n; ++i)
      MPI_Wait(&r[i], MPI_STATUS_IGNORE);
  });
}

// The program's own layer over malloc, shared by integers and requests.
template <typename T> T *make(int count) { return static_cast<T *>(std::malloc(count * sizeof(T))); }
template <typename T> void destroy(T *&memory) {
  std::free(memory);
  memory = nullptr;
}
void byAllocator(Data &d) {
  int *ones = make<int>(Length), sum[2] = {0, 0};
  MPI_Request *r = make<MPI_Request>(2);
  MPI_Irecv(d.in, Length, MPI_INT, d.left, 8, MPI_COMM_WORLD, r);
  MPI_Isend(d.out, Length, MPI_INT, d.right, 8, MPI_COMM_WORLD, r + 1);
  for (int i = 0; i < Length; i++)
    ones[i] = 1;
  MPI_Allreduce((void *)ones, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  d.hash = hash_number(d.hash, sum[0]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  destroy(ones);
  destroy(r);
}

// A callback of C, which takes its record as a pointer to void.
struct Pending {
  MPI_Request request;
};
extern "C" void callBack(void *data, void (*finish)(void *)) { finish(data); }
extern "C" void waitForIt(void *data) { MPI_Wait(&static_cast<Pending *>(data)->request, MPI_STATUS_IGNORE); }
void byCallback(Data &d) {
  Pending pending;
  MPI_Irecv(d.in, Length, MPI_INT, d.left, 9, MPI_COMM_WORLD, &pending.request);
  MPI_Send(d.out, Length, MPI_INT, d.right, 9, MPI_COMM_WORLD);
  callBack(&pending, waitForIt);
}

} // namespace

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static Data d;
  d.left = (rank + size - 1) % size;
  d.right = (rank + 1) % size;
  fill_bytes(d.out, sizeof d.out, rank);
  for (auto *exchange : {byReference, byClosure, byBase, byMethod, byName, byTemplate, byAllocator, byCallback}) {
    exchange(d);
    d.hash = hash_bytes(d.hash, d.in, sizeof d.in);
    d.out[0]++;
  }
  report("handles in classes", d.hash);
  MPI_Finalize();
  return 0;
}
