// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates, where typedefs get lost, and the standard library.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Templates : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Templates, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Templates, OfTheProgram) {
  Facts F = collect(Language::Cxx, R"(
    template <class T> struct Pool { T items[8]; void put(T x) { items[0] = x; } T &get(int i) { return items[i]; } };
    template <class T> T same(T x) { T copy = x; return copy; }
    void f() {
      Pool<MPI_Request> pool;
      MPI_Request r, s;
      MPI_Isend(0, 0, MPI_INT, 0, 0, same(MPI_COMM_WORLD), &r);
      pool.put(r);
      MPI_Wait(&pool.get(2), MPI_STATUS_IGNORE);
      MPI_Comm c = same<MPI_Comm>(MPI_COMM_WORLD);
    })");
  EXPECT_TRUE(F.connected("Pool.items", "r")) << F.dump();
  EXPECT_FALSE(F.connected("Pool.items", "s"));
  EXPECT_TRUE(F.connected("result of Pool::get", "r") || F.connected("result of Pool<int>::get", "r") ||
              F.connected("result of Pool<lib_request_t *>::get", "r"))
      << F.dump();
  EXPECT_TRUE(F.connected("c", "World")) << F.dump();
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Templates, CallsStandInTheInstantiationsOnly) {
  Facts F = collect(Language::Cxx, R"(
    template <class T> void never(T *b) { MPI_Send(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }
    template <class T> void used(T *b) { MPI_Send(b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); }
    void f(int *i, double *d) { used(i); used(d); }
  )");
  EXPECT_FALSE(F.has("call MPI_Send at unit.cpp:3:")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:4:42 editable in used comm=World peer=0 tag=2")) << F.dump();
}

TEST_P(Templates, Vectors) {
  Facts F = collect(Language::Cxx, R"(
    #include <vector>
    struct Halo { std::vector<MPI_Request> requests; std::vector<int> ranks; };
    void f(Halo &h, int n, MPI_Request extra) {
      std::vector<MPI_Request> local(n, MPI_REQUEST_NULL), other(4);
      h.requests.resize(n);
      h.requests.push_back(extra);
      MPI_Isend(0, 0, MPI_INT, h.ranks[1], 3, MPI_COMM_WORLD, &local[n]);
      MPI_Waitall(n, h.requests.data(), MPI_STATUSES_IGNORE);
      MPI_Waitall((int)local.size(), &local[0], MPI_STATUSES_IGNORE);
      for (MPI_Request &r : other) MPI_Wait(&r, MPI_STATUS_IGNORE);
      for (auto it = local.begin(); it != local.end(); ++it) { auto &found = *it; MPI_Wait(&found, MPI_STATUS_IGNORE); }
    })");
  EXPECT_TRUE(F.has("call MPI_Isend at unit.cpp:9:7 editable in f comm=World peer=[Halo.ranks] tag=3 request=[local]"))
      << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.cpp:10:7 editable in f request=[Halo.requests]")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.cpp:11:7 editable in f request=[local]")) << F.dump();
  EXPECT_TRUE(F.connected("Halo.requests", "parameter 'extra' of f"));
  EXPECT_TRUE(F.connected("other", "r")) << F.dump();
  EXPECT_TRUE(F.connected("local", "found")) << F.dump();
  EXPECT_FALSE(F.connected("local", "Halo.requests")) << F.dump();
  EXPECT_FALSE(F.connected("local", "parameter 'n' of f"));
  EXPECT_FALSE(F.connected("Halo.ranks", "Halo.requests"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Templates, OtherContainers) {
  Facts F = collect(Language::Cxx, R"(
    #include <algorithm>
    #include <array>
    #include <map>
    #include <memory>
    #include <utility>
    void f(MPI_Request a, MPI_Request b, int key) {
      std::array<MPI_Request, 4> four = {a};
      std::unique_ptr<MPI_Request[]> owned(new MPI_Request[4]);
      auto made = std::make_unique<MPI_Request[]>(4);
      std::map<int, MPI_Comm> comms;
      comms[key] = MPI_COMM_WORLD;
      MPI_Comm found = comms.at(2);
      std::pair<MPI_Comm, int> both{MPI_COMM_SELF, 2};
      MPI_Comm first = both.first;
      std::pair<MPI_Comm, int> wild(MPI_COMM_SELF, MPI_ANY_TAG);
      int second = wild.second;
      std::copy(four.begin(), four.end(), owned.get());
      MPI_Waitall(4, made.get(), MPI_STATUSES_IGNORE);
      for (auto &[k, c] : comms) { int plain = k; MPI_Comm_free(&c); }
      std::swap(a, b);
    })");
  EXPECT_TRUE(F.connected("four", "parameter 'a' of f")) << F.dump();
  EXPECT_TRUE(F.connected("four", "owned")) << F.dump();
  EXPECT_TRUE(F.connected("comms", "World")) << F.dump();
  EXPECT_TRUE(F.connected("found", "World"));
  EXPECT_TRUE(F.has("flow [both] <-> Self") || F.has("flow [both] <- Self")) << F.dump();
  EXPECT_TRUE(F.connected("first", "both")) << F.dump();
  EXPECT_TRUE(F.mayBe("second", "AnyTag")) << "an integer beside a handle: " << F.dump();
  EXPECT_TRUE(F.connected("parameter 'a' of f", "parameter 'b' of f"));
  EXPECT_FALSE(F.connected("comms", "parameter 'key' of f")) << F.dump();
  EXPECT_TRUE(F.connected("comms", "c")) << F.dump();
  EXPECT_FALSE(F.connected("made", "owned"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Templates, FunctionsGivenToTheLibrary) {
  Facts F = collect(Language::Cxx, R"(
    #include <algorithm>
    #include <functional>
    #include <vector>
    void finish(MPI_Request &g) { MPI_Wait(&g, MPI_STATUS_IGNORE); }
    void f(MPI_Request one) {
      std::vector<MPI_Request> v;
      std::for_each(v.begin(), v.end(), [](MPI_Request &r) { MPI_Wait(&r, MPI_STATUS_IGNORE); });
      std::for_each(v.begin(), v.end(), finish);
      std::function<void(MPI_Request &)> call = [](MPI_Request &x) { MPI_Wait(&x, MPI_STATUS_IGNORE); };
      call(one);
      std::function<void(MPI_Comm, int)> tagged = [](MPI_Comm, int tag) {};
      tagged(MPI_COMM_WORLD, MPI_ANY_TAG);
      std::for_each(v.begin(), v.end(), [](auto &generic) { MPI_Wait(&generic, MPI_STATUS_IGNORE); });
    })");
  EXPECT_TRUE(F.connected("v", "parameter 'r' of a lambda")) << F.dump();
  EXPECT_TRUE(F.connected("v", "parameter 'g' of finish")) << F.dump();
  EXPECT_TRUE(F.connected("parameter 'one' of f", "parameter 'x' of a lambda")) << F.dump();
  EXPECT_TRUE(F.mayBe("parameter 'tag' of a lambda", "AnyTag")) << F.dump();
  EXPECT_TRUE(F.connected("v", "parameter 'generic' of a lambda")) << F.dump();
}

TEST_P(Templates, MadeInPlace) {
  Facts F = collect(Language::Cxx, R"(
    #include <memory>
    #include <vector>
    struct Halo { MPI_Comm comm; Halo(MPI_Comm c, int tag) : comm(c), tag(tag) {} int tag; };
    void f() {
      std::vector<Halo> halos;
      halos.emplace_back(MPI_COMM_WORLD, 7);
      auto h = std::make_unique<Halo>(MPI_COMM_SELF, 8);
    })");
  EXPECT_TRUE(F.connected("Halo.comm", "World")) << F.dump();
  EXPECT_TRUE(F.mayBe("Halo.tag", "7"));
}

TEST_P(Templates, ContainersAsBases) {
  Facts F = collect(Language::Cxx, R"(
    #include <vector>
    struct Requests : std::vector<MPI_Request> { void add(MPI_Request r) { push_back(r); } };
    void f(Requests &all) { MPI_Waitall(1, all.data(), MPI_STATUSES_IGNORE); }
  )");
  EXPECT_TRUE(F.connected("Requests", "parameter 'r' of Requests::add")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Waitall at unit.cpp:5:29 editable in f request=[Requests]")) << F.dump();
}

TEST_P(Templates, ContainersWithoutValues) {
  Facts F = collect(Language::Cxx, R"(
    #include <array>
    #include <vector>
    template <class T> void exchange(T n) {
      std::vector<MPI_Request> sized(n), empty, copied(sized);
      std::array<MPI_Request, 4> four{};
      MPI_Waitall(n, &sized[0], MPI_STATUSES_IGNORE);
    }
    template <class H> struct Keep { std::vector<H> handles; explicit Keep(int n) : handles(n) {} };
    void f(int n) { exchange(n); Keep<MPI_Request> keep(n); MPI_Wait(&keep.handles[0], MPI_STATUS_IGNORE); }
  )");
  for (const char *Name : {"sized", "empty", "copied", "four", "Keep.handles"}) {
    EXPECT_FALSE(F.mayBe(Name, "Unknown")) << Name << "\n" << F.dump();
    EXPECT_FALSE(F.mayBe(Name, "Computed")) << Name << "\n" << F.dump();
  }
  EXPECT_TRUE(F.connected("sized", "copied"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}
