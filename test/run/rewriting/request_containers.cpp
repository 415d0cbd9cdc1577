// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++: where programs keep their requests. Each way is an exchange with a tag of its own, so that each is decided
// alone.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mpi.h>
#include <utility>
#include <vector>

namespace {

constexpr int Length = 300;

struct Data {
  std::vector<int> in = std::vector<int>(Length), out = std::vector<int>(Length);
  int left, right;
  hash_t hash = HASH_START;

  Data(int rank, int size) : left((rank + size - 1) % size), right((rank + 1) % size) {
    fill_bytes(out.data(), out.size() * sizeof(int), rank);
  }
  void done() {
    hash = hash_bytes(hash, in.data(), in.size() * sizeof(int));
    ++out[0];
  }
};

#define IN d.in.data(), Length, MPI_INT, d.left
#define OUT d.out.data(), Length, MPI_INT, d.right

void sized(Data &d) {
  std::vector<MPI_Request> r(2);
  MPI_Irecv(IN, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(OUT, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, &r[0], MPI_STATUSES_IGNORE);
}

void pushed(Data &d) {
  std::vector<MPI_Request> r;
  r.reserve(2);
  MPI_Request one;
  MPI_Irecv(IN, 2, MPI_COMM_WORLD, &one);
  r.push_back(one);
  MPI_Isend(OUT, 2, MPI_COMM_WORLD, &one);
  r.emplace_back(one);
  MPI_Waitall(static_cast<int>(r.size()), r.data(), MPI_STATUSES_IGNORE);
}

void madeInPlace(Data &d) {
  std::vector<MPI_Request> r;
  r.push_back(MPI_REQUEST_NULL);
  MPI_Irecv(IN, 3, MPI_COMM_WORLD, &r.back());
  r.emplace_back();
  MPI_Isend(OUT, 3, MPI_COMM_WORLD, &r.back());
  for (MPI_Request &one : r)
    MPI_Wait(&one, MPI_STATUS_IGNORE);
}

void resized(Data &d) {
  std::vector<MPI_Request> r;
  r.resize(1);
  MPI_Irecv(IN, 4, MPI_COMM_WORLD, r.data());
  r.resize(2, MPI_REQUEST_NULL);
  MPI_Isend(OUT, 4, MPI_COMM_WORLD, r.data() + 1);
  std::vector<MPI_Status> statuses(r.size());
  MPI_Waitall(2, r.data(), statuses.data());
  d.hash = hash_number(d.hash, statuses[0].MPI_SOURCE);
}

class Member {
public:
  void start(Data &d) {
    requests.assign(2, MPI_REQUEST_NULL);
    MPI_Irecv(IN, 5, MPI_COMM_WORLD, &requests.at(0));
    MPI_Isend(OUT, 5, MPI_COMM_WORLD, &requests.at(1));
  }
  void finish() { MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE); }

private:
  std::vector<MPI_Request> requests;
};

void ofVectors(Data &d) {
  std::vector<std::vector<MPI_Request>> r(2, std::vector<MPI_Request>(1));
  MPI_Irecv(IN, 6, MPI_COMM_WORLD, &r[0][0]);
  MPI_Isend(OUT, 6, MPI_COMM_WORLD, r[1].data());
  for (auto &inner : r)
    MPI_Waitall(static_cast<int>(inner.size()), inner.data(), MPI_STATUSES_IGNORE);
}

void array(Data &d) {
  std::array<MPI_Request, 2> r;
  r.fill(MPI_REQUEST_NULL);
  MPI_Irecv(IN, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(OUT, 7, MPI_COMM_WORLD, &std::get<1>(r));
  MPI_Waitall(2, r.data(), MPI_STATUSES_IGNORE);
}

void owned(Data &d) {
  std::unique_ptr<MPI_Request[]> r(new MPI_Request[2]);
  auto s = std::make_unique<MPI_Request[]>(1);
  MPI_Irecv(IN, 8, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(OUT, 8, MPI_COMM_WORLD, s.get());
  r[1] = s[0];
  MPI_Waitall(2, r.get(), MPI_STATUSES_IGNORE);
}

void allocated(Data &d) {
  MPI_Request *r = new MPI_Request[2], *p = r;
  MPI_Irecv(IN, 9, MPI_COMM_WORLD, p++);
  MPI_Isend(OUT, 9, MPI_COMM_WORLD, p);
  int which;
  MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
  MPI_Wait(&r[1 - which], MPI_STATUS_IGNORE);
  delete[] r;
}

void mapped(Data &d) {
  std::map<int, MPI_Request> r;
  MPI_Irecv(IN, 10, MPI_COMM_WORLD, &r[d.left]);
  std::map<std::pair<int, int>, std::vector<MPI_Request>> s;
  MPI_Isend(OUT, 10, MPI_COMM_WORLD, &s[{1, d.right}].emplace_back());
  for (auto &entry : r)
    MPI_Wait(&entry.second, MPI_STATUS_IGNORE);
  for (auto &[key, list] : s)
    MPI_Waitall(static_cast<int>(list.size()), list.data(), MPI_STATUSES_IGNORE);
}

void queued(Data &d) {
  std::deque<MPI_Request> r(1);
  std::list<MPI_Request> s;
  MPI_Irecv(IN, 11, MPI_COMM_WORLD, &r.front());
  s.push_front(MPI_REQUEST_NULL);
  MPI_Isend(OUT, 11, MPI_COMM_WORLD, &*s.begin());
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  for (auto i = s.begin(); i != s.end(); i = s.erase(i))
    MPI_Wait(&*i, MPI_STATUS_IGNORE);
}

struct Side {
  int peer;
  MPI_Request request;
};

void ofRecords(Data &d) {
  std::vector<Side> sides;
  sides.push_back({d.left, MPI_REQUEST_NULL});
  sides.push_back(Side{d.right, MPI_REQUEST_NULL});
  MPI_Irecv(IN, 12, MPI_COMM_WORLD, &sides[0].request);
  MPI_Isend(OUT, 12, MPI_COMM_WORLD, &sides[1].request);
  for (Side &side : sides)
    MPI_Wait(&side.request, MPI_STATUS_IGNORE);
}

void movedOn(Data &d) {
  std::vector<MPI_Request> r(2);
  MPI_Irecv(IN, 13, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(OUT, 13, MPI_COMM_WORLD, &r[1]);
  std::vector<MPI_Request> taken = std::move(r), more;
  more.insert(more.end(), taken.begin(), taken.end());
  std::swap(more, taken);
  MPI_Waitall(2, taken.data(), MPI_STATUSES_IGNORE);
}

MPI_Request started(Data &d) {
  MPI_Request r;
  MPI_Isend(OUT, 14, MPI_COMM_WORLD, &r);
  return r;
}

void returned(Data &d) {
  MPI_Request r;
  MPI_Irecv(IN, 14, MPI_COMM_WORLD, &r);
  std::pair<MPI_Request, MPI_Request> both(r, started(d));
  MPI_Wait(&both.first, MPI_STATUS_IGNORE);
  MPI_Wait(&both.second, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Data d(rank, size);
  for (void (*exchange)(Data &) : {sized, pushed, madeInPlace, resized, ofVectors, array, owned, allocated, mapped,
                                   queued, ofRecords, movedOn, returned}) {
    exchange(d);
    d.done();
  }
  Member member;
  member.start(d);
  member.finish();
  d.done();
  report("request containers", d.hash);
  MPI_Finalize();
  return 0;
}
