// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles that go where nobody can follow.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Escapes : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Escapes, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Escapes, Casts) {
  Facts F = collect(Language::C, R"(
    #include <stdint.h>
    void keep(void *p);
    void f(MPI_Comm a, MPI_Request b, MPI_Comm c, MPI_Comm d, MPI_Comm kept) {
      keep(&a);
      char *bytes = (char *)&b;
      uintptr_t number = (uintptr_t)(void *)&c;
      long value = (long)d;
      MPI_Comm copy = kept;
    })");
  for (const char *Name : {"a", "b", "c", "d"})
    EXPECT_TRUE(F.escapes("parameter '" + std::string(Name) + "' of f")) << Name << "\n" << F.dump();
  EXPECT_FALSE(F.escapes("parameter 'kept' of f"));
}

TEST_P(Escapes, UnknownOrigin) {
  Facts F = collect(Language::C, R"(
    void f(void *p, char *q) {
      MPI_Request *r = (MPI_Request *)p;
      MPI_Comm *c = (MPI_Comm *)q;
      *(MPI_Comm *)q = MPI_COMM_SELF;
    })");
  EXPECT_TRUE(F.has("flow [c] <-> Unknown")) << F.dump();
  EXPECT_TRUE(F.has("escape expression communicator Self")) << F.dump();
  EXPECT_TRUE(F.has("object [parameter 'p' of f]")) << "it is followed to its callers";
}

TEST_P(Escapes, Variadic) {
  Facts F = collect(Language::C, R"(
    #include <stdio.h>
    void log_all(const char *f, ...);
    void old();
    void f(MPI_Comm a, MPI_Comm b, int rank, MPI_Request *r) {
      log_all("x", a);
      old(r);
      log_all("x", rank);
      printf("%p %d", (void *)0, rank);
    })");
  EXPECT_TRUE(F.has("escape variadic communicator [parameter 'a' of f] to 'log_all'")) << F.dump();
  EXPECT_TRUE(F.has("escape variadic request [parameter 'r' of f] to 'old'")) << F.dump();
  EXPECT_FALSE(F.escapes("parameter 'rank' of f"));
  EXPECT_FALSE(F.escapes("parameter 'b' of f"));
}

TEST_P(Escapes, FortranHandles) {
  Facts F = collect(Language::C, R"(
    void f(MPI_Comm a) { int i = MPI_Comm_c2f(a); MPI_Comm back = MPI_Comm_f2c(i); }
  )");
  EXPECT_TRUE(F.has("escape leaking-mpi communicator [parameter 'a' of f] to 'MPI_Comm_c2f'")) << F.dump();
  EXPECT_TRUE(F.has("flow [back] <- Unknown")) << F.dump();
}

TEST_P(Escapes, Unions) {
  Facts F = collect(Language::C, R"(
    union Any { MPI_Comm comm; char bytes[8]; struct { MPI_Request r; } inner; };
    void f(union Any *u) { u->comm = MPI_COMM_WORLD; }
  )");
  EXPECT_TRUE(F.has("flow [Any.comm] <-> Unknown")) << F.dump();
  EXPECT_TRUE(F.escapes("Any.comm"));
}

TEST_P(Escapes, RecordsOfOtherTypes) {
  Facts F = collect(Language::C, R"(
    struct A { MPI_Comm comm; };
    struct B { MPI_Comm other; };
    struct Kept { MPI_Comm comm; };
    void take(void *p);
    struct Kept *give(void *p) { return (struct Kept *)p; }
    void f(struct A *a, struct Kept *k) { struct B *b = (struct B *)a; take(k); }
  )");
  EXPECT_TRUE(F.escapes("A.comm")) << F.dump();
  EXPECT_TRUE(F.escapes("B.other"));
  EXPECT_FALSE(F.escapes("Kept.comm"));
  EXPECT_TRUE(F.has("argument take [Kept.comm] <-> [Kept.comm]")) << F.dump();
}

TEST_P(Escapes, RecordsGivenToFunctions) {
  Facts F = collect(Language::C, R"(
    struct Inner { MPI_Comm comm; };
    struct Outer { struct Inner *inner; int tag; };
    void library(struct Outer *o);
    void f(struct Outer *o) { library(o); }
  )");
  EXPECT_TRUE(F.has("argument library [Inner.comm] <-> [Inner.comm]")) << F.dump();
  EXPECT_TRUE(F.has("argument library [Outer.tag] <-> [Outer.tag]")) << F.dump();
}

TEST_P(Escapes, ParametersOfOtherTypes) {
  if (GetParam() == Library::Pointers)
    return; // such a call does not compile there
  Facts F = collect(Language::C, "void number(int x); void f(MPI_Comm c) { number(c); }");
  EXPECT_TRUE(F.escapes("parameter 'c' of f")) << F.dump();
}

TEST_P(Escapes, CallbacksOfMpi) {
  Facts F = collect(Language::Cxx, R"(
    extern "C" int MPI_Comm_create_errhandler(void (*)(MPI_Comm *, int *, ...), int *);
    static void handler(MPI_Comm *comm, int *, ...) { MPI_Comm c = *comm; }
    void f() { int e; MPI_Comm_create_errhandler(handler, &e); }
  )");
  EXPECT_TRUE(F.has("flow [parameter 'comm' of handler] <-> Unknown")) << F.dump();
}

TEST_P(Escapes, RecordsFromFunctions) {
  Facts F = collect(Language::C, R"(
    struct Halo { MPI_Comm comm; };
    struct Halo *library(void);
    void f(void) { MPI_Comm c = library()->comm; }
  )");
  EXPECT_TRUE(F.has("argument library [Halo.comm] <-> [Halo.comm]")) << F.dump();
}

TEST_P(Escapes, CastsOfFunctionPointers) {
  Facts F = collect(Language::C, R"(
    void *find(const char *name);
    void f(MPI_Comm c) { void (*hook)(MPI_Comm) = (void (*)(MPI_Comm))find("hook"); hook(c); }
  )");
  EXPECT_TRUE(F.escapes("parameter 'c' of f")) << F.dump();
}

TEST_P(Escapes, PointersToFunctionsOfTheProgramAlone) {
  Facts F = collect(Language::C, R"(
    struct Halo { MPI_Comm comm; };
    struct Wide { struct Halo base; int n; };
    static int wide(struct Wide *w) { return w->n; }
    int (*table[2])(struct Halo *) = {(int (*)(struct Halo *))wide, (int (*)(struct Halo *))(void *)0};
    void f(struct Halo *h, void (*print)(const char *)) { table[0](h); print("f"); })");
  EXPECT_TRUE(F.has("own indirect:int (Halo *)")) << F.dump();
  EXPECT_FALSE(F.has("own indirect:void (const char *)")) << F.dump();
  EXPECT_FALSE(F.has("converted")) << F.dump();
}

TEST_P(Escapes, PointersToFunctionsFromElsewhere) {
  for (const char *Way : {"h->hook = (Hook)find();", "*(void **)&h->hook = find();", "memcpy(&h->hook, find(), 8);",
                          "h->hook = (Hook)(long)find();", "h->hook = *(Hook *)find();"}) {
    Facts F = collect(Language::C, std::string(R"(
      #include <string.h>
      struct Halo;
      typedef void (*Hook)(struct Halo *);
      struct Halo { MPI_Comm comm; Hook hook; };
      void *find(void);
      void f(struct Halo *h) { )") + Way +
                                       " h->hook(h); }");
    EXPECT_TRUE(F.has("own indirect:void (Halo *)")) << F.dump();
    EXPECT_TRUE(F.has("converted indirect:void (Halo *)")) << Way << F.dump();
  }
}

TEST_P(Escapes, RecordsThatFunctionPointersAreGiven) {
  Facts F = collect(Language::C, R"(
    struct Halo { MPI_Comm comm; };
    typedef void (*Hook)(struct Halo *);
    Hook library_hook(void);
    void library_call(Hook);
    static void own(struct Halo *h) { (void)h; }
    void f(struct Halo *h) {
      Hook hook = h ? own : library_hook();
      library_call(own);
      hook(h);
    })");
  EXPECT_TRUE(F.has("argument a function pointer [Halo.comm] <-> [Halo.comm] at unit.c:11:")) << F.dump();
  EXPECT_TRUE(F.has("argument library_hook [Halo.comm] <-> [Halo.comm]")) << F.dump();
  EXPECT_TRUE(F.has("argument library_call [Halo.comm] <-> [Halo.comm]")) << F.dump();
}
