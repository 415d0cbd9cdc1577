// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators and requests from place to place.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Flows : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Flows, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Flows, InitialiserAndAssignment) {
  Facts F = collect(Language::C, R"(void f(void) {
    MPI_Comm a = MPI_COMM_WORLD, b, c;
    b = a;
    (void)c;
  })");
  EXPECT_TRUE(F.connected("a", "World"));
  EXPECT_TRUE(F.connected("b", "World"));
  EXPECT_FALSE(F.connected("c", "World"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, ConstantsAsWritten) {
  Facts F = collect(Language::C, R"(
    #define COMM MPI_COMM_WORLD
    #define ANY MPI_ANY_SOURCE
    #define TAG 3 + 4
    void f(int *b) {
      MPI_Comm self = MPI_COMM_SELF, none = MPI_COMM_NULL;
      MPI_Recv(b, 1, MPI_INT, ANY, TAG, COMM, MPI_STATUS_IGNORE);
      MPI_Send(b, 1, MPI_INT, MPI_PROC_NULL, -1, self);
      MPI_Irecv(b, 1, MPI_INT, (MPI_ANY_SOURCE), (int)MPI_ANY_TAG, none, 0);
    })");
  EXPECT_TRUE(F.has("call MPI_Recv at unit.c:8:7 editable in f comm=World peer=AnySource tag=7")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Send at unit.c:9:7 editable in f comm=[self] peer=ProcNull tag=-1")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Irecv at unit.c:10:7 editable in f comm=[none] peer=AnySource tag=AnyTag request=Null"))
      << F.dump();
  EXPECT_TRUE(F.has("flow [self] <- Self"));
  EXPECT_TRUE(F.has("flow [none] <- Null"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, ArgumentsAndResults) {
  Facts F = collect(Language::C, R"(
    static MPI_Comm pick(MPI_Comm x) { return x; }
    void use(MPI_Comm *p);
    void f(void) {
      MPI_Comm a = pick(MPI_COMM_WORLD), b;
      use(&b);
    })");
  EXPECT_TRUE(F.connected("a", "World"));
  EXPECT_TRUE(F.has("argument use [parameter 'p' of use] <-> [b]")) << F.dump();
}

TEST_P(Flows, PointersArraysAndElements) {
  Facts F = collect(Language::C, R"(void f(void) {
    MPI_Request r[4], *p = r, *q = &r[2], s;
    MPI_Request **pp = &p;
    *q = s;
    MPI_Waitall(4, *pp + 1, MPI_STATUSES_IGNORE);
  })");
  for (const char *Name : {"p", "q", "pp", "s"})
    EXPECT_TRUE(F.connected("r", Name)) << Name;
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, FieldsAreOneForAllInstances) {
  Facts F = collect(Language::C, R"(
    struct Halo { int n; MPI_Comm comm; MPI_Request r[2]; };
    struct Grid { struct Halo halo; };
    void f(struct Grid *g, struct Halo other) {
      struct Halo h = { .comm = MPI_COMM_WORLD, .n = 2 };
      MPI_Comm c = g->halo.comm;
      MPI_Wait(&other.r[1], MPI_STATUS_IGNORE);
    })");
  EXPECT_TRUE(F.connected("c", "World"));
  EXPECT_TRUE(F.has("flow [Halo.comm] <- World"));
  EXPECT_TRUE(F.mayBe("Halo.n", "2"));
  ASSERT_NE(F.call("MPI_Wait"), nullptr);
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:8:7 editable in f request=[Halo.r]")) << F.dump();
}

TEST_P(Flows, ListsWithoutDesignators) {
  Facts F = collect(Language::C, R"(
    struct Inner { MPI_Comm comm; };
    struct Outer { double x; struct Inner inner; int tag; };
    struct Outer table[] = { { 1, { MPI_COMM_WORLD }, 5 }, { 2, { MPI_COMM_SELF } } };
  )");
  EXPECT_TRUE(F.has("flow [Inner.comm] <- World"));
  EXPECT_TRUE(F.has("flow [Inner.comm] <- Self"));
  EXPECT_TRUE(F.mayBe("Outer.tag", "5"));
  EXPECT_TRUE(F.mayBe("Outer.tag", "0")) << "left out of the second element";
}

TEST_P(Flows, ConditionalAndComma) {
  Facts F = collect(Language::C, R"(void f(int n, MPI_Comm a, MPI_Comm b) {
    MPI_Comm c = n ? a : (n++, b);
    MPI_Comm d = n ? MPI_COMM_WORLD : MPI_COMM_NULL;
  })");
  EXPECT_TRUE(F.connected("c", "parameter 'a' of f"));
  EXPECT_TRUE(F.connected("c", "parameter 'b' of f"));
  EXPECT_TRUE(F.has("flow [d] <- World"));
  EXPECT_TRUE(F.has("flow [d] <- Null"));
}

TEST_P(Flows, TypedefsOfTheProgram) {
  Facts F = collect(Language::C, R"(
    typedef MPI_Comm my_comm;
    typedef struct { my_comm comm; } ctx;
    void f(ctx *c) { my_comm copy = c->comm; MPI_Comm back = (MPI_Comm)copy; }
  )");
  EXPECT_TRUE(F.has("object [ctx.comm] communicator")) << F.dump();
  EXPECT_TRUE(F.connected("back", "ctx.comm"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, ReferencesConstructorsAndMembers) {
  Facts F = collect(Language::Cxx, R"(
    class Halo {
      MPI_Comm comm;
      MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    public:
      explicit Halo(MPI_Comm c) : comm(c) {}
      MPI_Request &request(int i) { return requests[i]; }
      operator MPI_Comm() const { return comm; }
    };
    void f() {
      Halo h(MPI_COMM_WORLD);
      MPI_Request &r = h.request(1);
      MPI_Comm c = h;
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    })");
  EXPECT_TRUE(F.connected("r", "Halo.requests"));
  EXPECT_TRUE(F.connected("c", "World"));
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, Lambdas) {
  Facts F = collect(Language::Cxx, R"(void f() {
    MPI_Request r;
    MPI_Comm c = MPI_COMM_WORLD;
    auto wait = [&](MPI_Request &x) { MPI_Wait(&x, MPI_STATUS_IGNORE); };
    auto get = [d = c] { return d; };
    wait(r);
    MPI_Comm e = get();
  })");
  EXPECT_TRUE(F.connected("r", "parameter 'x' of a lambda")) << F.dump();
  EXPECT_TRUE(F.connected("e", "World")) << F.dump();
}

TEST_P(Flows, VirtualMethods) {
  Facts F = collect(Language::Cxx, R"(
    struct Base { virtual ~Base(); virtual void go(MPI_Comm c) = 0; };
    struct Derived : Base { MPI_Comm kept; void go(MPI_Comm d) override { kept = d; } };
    void f(Base &b) { b.go(MPI_COMM_WORLD); }
  )");
  EXPECT_TRUE(F.connected("Derived.kept", "World"));
  bool HasBase = false;
  for (const std::string &Id : F.Unit.Bodies)
    HasBase |= Id.find("@S@Base@F@go") != std::string::npos;
  EXPECT_TRUE(HasBase) << F.dump();
}

TEST_P(Flows, Memory) {
  Facts F = collect(Language::C, R"(
    #include <stdlib.h>
    #include <string.h>
    struct Halo { MPI_Request *r; };
    void *grab(size_t n) { void *p = malloc(n); return p; }
    void f(struct Halo *h) {
      MPI_Request *a = (MPI_Request *)malloc(4 * sizeof *a), *b = malloc(8), *c = grab(16);
      a = realloc(a, 64);
      h->r = calloc(4, sizeof(MPI_Request));
      memset(a, 0, 64);
      memcpy(b, a, 8);
      if (a == NULL || !b) return;
      free(a); free((void *)b);
    })");
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
  EXPECT_FALSE(F.has("flow [a] <- Unknown"));
  EXPECT_FALSE(F.has("flow [a] <-> Unknown"));
  EXPECT_FALSE(F.has("flow [c] <-> Unknown")) << F.dump();
  EXPECT_FALSE(F.has("flow [Halo.r] <-> Unknown"));
  EXPECT_TRUE(F.connected("a", "b"));
  EXPECT_FALSE(F.connected("a", "Halo.r"));
}

TEST_P(Flows, ComparingIsHarmless) {
  Facts F = collect(Language::C, R"(int f(MPI_Comm c, MPI_Request r, MPI_Request *p) {
    if (c == MPI_COMM_NULL || r != MPI_REQUEST_NULL || p) return sizeof r;
    return p == 0;
  })");
  EXPECT_TRUE(F.Unit.Escapes.empty()) << F.dump();
}

TEST_P(Flows, Globals) {
  Facts F = collect(Language::C, R"(
    extern MPI_Comm library_comm;
    MPI_Comm ours;
    static MPI_Comm hidden = MPI_COMM_WORLD;
    void f(void) { MPI_Comm a = library_comm, b = ours, c = hidden; }
  )");
  EXPECT_TRUE(F.has("object [library_comm] communicator external"));
  EXPECT_TRUE(F.has("object [ours] communicator external"));
  EXPECT_FALSE(F.has("object [hidden] communicator external"));
  EXPECT_TRUE(F.has("body c:@ours")) << F.dump();
  EXPECT_FALSE(F.has("body c:@library_comm"));
  EXPECT_TRUE(F.connected("c", "World"));
}

TEST_P(Flows, Atomics) {
  Facts F = collect(Language::Cxx, R"(
    #include <atomic>
    std::atomic<MPI_Comm> shared;
    void f(MPI_Comm *p, MPI_Comm a, MPI_Comm b) {
      __atomic_store_n(p, a, __ATOMIC_RELEASE);
      shared.store(b);
      MPI_Comm c = shared.load(), d = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    })");
  EXPECT_TRUE(F.connected("d", "parameter 'a' of f")) << F.dump();
  EXPECT_TRUE(F.connected("c", "parameter 'b' of f")) << F.dump();
  EXPECT_FALSE(F.connected("c", "d")) << F.dump();
}
