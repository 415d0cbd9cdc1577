// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions as values, of MPI's names, of libraries, and called through pointers.

#include "Fixture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace mpishm::test;

class Functions : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Functions, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Functions, CallsOfTemplatesStandInTheInstantiationsOnly) {
  Facts F = collect(Language::Cxx, R"(
    template <class T> void never(T *b) { MPI_Send(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }
    template <class T> void used(T *b) { MPI_Send(b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); }
    void f(int *i, double *d) { used(i); used(d); }
  )");
  EXPECT_FALSE(F.has("call MPI_Send at unit.cpp:3:")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:4:42 editable in used")) << F.dump();
}

TEST_P(Functions, MpiFunctionsAsValues) {
  Facts F = collect(Language::C, R"(
    int (*wait_one)(MPI_Request *, MPI_Status *) = MPI_Wait;
    int (*rank)(MPI_Comm, int *) = MPI_Comm_rank;
    void f(MPI_Request *r) { (MPI_Wait)(r, MPI_STATUS_IGNORE); (*MPI_Wait)(r, MPI_STATUS_IGNORE); }
  )");
  ASSERT_EQ(F.Unit.Uses.size(), 1u) << F.dump();
  EXPECT_EQ(F.Unit.Uses[0].Function, "MPI_Wait");
  EXPECT_EQ(F.Unit.Uses[0].Where.Line, 3u);
  EXPECT_TRUE(F.has("call MPI_Wait at unit.c:5:31 editable")) << F.dump();
  EXPECT_EQ(F.Unit.Calls.size(), 2u);
}

TEST_P(Functions, ProfilingNamesAsValues) {
  Facts F = collect(Language::C, R"(
    int PMPI_Wait(MPI_Request *r, MPI_Status *s);
    int (*wait_round)(MPI_Request *, MPI_Status *) = PMPI_Wait;
    int (*wait_one)(MPI_Request *, MPI_Status *) = MPI_Wait;
  )");
  EXPECT_TRUE(F.has("use MPI_Wait round the net at unit.c:4:54")) << F.dump();
  EXPECT_TRUE(F.has("use MPI_Wait at unit.c:5:52")) << F.dump();
}

TEST_P(Functions, DefinedByTheProgram) {
  Facts F = collect(Language::C, R"(
    int MPI_Send(const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c) { return 0; }
    #define MPI_Recv my_recv
    #define MPI_Wtime my_time
  )");
  EXPECT_TRUE(F.has("definition MPI_Send at unit.c:3:9")) << F.dump();
  EXPECT_TRUE(F.has("definition MPI_Recv macro at unit.c:4:13")) << F.dump();
  EXPECT_EQ(F.Unit.Definitions.size(), 2u);
}

TEST_P(Functions, OthersOfTheSameName) {
  Facts F = collect(Language::Cxx, R"(
    namespace mine { void MPI_Isend(MPI_Comm c); }
    struct Wrapper { void MPI_Wait(MPI_Request *r); };
    void f(Wrapper &w, MPI_Request r, MPI_Comm c) { mine::MPI_Isend(c); w.MPI_Wait(&r); }
  )");
  ASSERT_EQ(F.Unit.Calls.size(), 1u) << F.dump();
  EXPECT_TRUE(F.has("call another mine::MPI_Isend at unit.cpp:5:59"))
      << "not MPI's, where MPI's may stand for another unit";
}

TEST_P(Functions, Bodies) {
  Facts F = collect(Language::C, R"(
    void declared(int);
    static int hidden(void) { return 1; }
    int main(void) { declared(hidden()); return 0; }
  )");
  EXPECT_TRUE(F.has("body c:@F@main"));
  EXPECT_TRUE(F.has("body c:unit.c@F@hidden@/")) << F.dump();
  EXPECT_FALSE(F.has("body c:@F@declared"));
}

TEST_P(Functions, BodiesOfOverriddenMethods) {
  Facts F = collect(Language::Cxx, R"(
    struct Base { virtual ~Base(); virtual void go(MPI_Comm c) = 0; };
    struct Derived : Base { MPI_Comm kept; void go(MPI_Comm d) override { kept = d; } };
    void f(Base &b) { b.go(MPI_COMM_WORLD); }
  )");
  EXPECT_TRUE(llvm::any_of(F.Unit.Bodies, [](llvm::StringRef Id) { return Id.contains("@S@Base@F@go"); })) << F.dump();
}

TEST_P(Functions, WhoseAddressIsTaken) {
  Facts F = collect(Language::C, R"(
    static void keep(double x) { (void)x; }
    static void other(float x) { (void)x; }
    void (*hook)(double) = keep;
    void f(void) { other(1); }
  )");
  EXPECT_TRUE(F.has("body indirect:void (double)")) << F.dump();
  EXPECT_FALSE(F.has("body indirect:void (float)")) << F.dump();
}

TEST_P(Functions, OfLibrariesThatAreGivenValues) {
  Folder Place;
  Place.write("library.h", R"(
    struct Inner { MPI_Comm comm; };
    struct Outer { struct Inner *inner; double x; };
    struct Plain { double x; };
    typedef struct opaque *Solver;
    void given_handle(MPI_Comm c, Solver *s);
    void given_number(Solver s, int n);
    void given_memory(void *m);
    void given_record(struct Outer *o);
    void given_function(void (*f)(double));
    void given_nothing(Solver s, double x, struct Plain *p);
    void not_called(MPI_Comm c);
    void taken(MPI_Comm c);
    static inline void defined(MPI_Comm c) { (void)c; }
  )");
  Facts F = collect(Language::C, R"(
    #include "library.h"
    void of_the_source(MPI_Comm c);
    void (*hook)(MPI_Comm) = taken;
    void f(MPI_Comm c, Solver s, struct Outer *o, struct Plain *p) {
      given_handle(c, &s);
      given_handle(c, &s);
      given_number(s, 1);
      given_memory(p);
      given_record(o);
      given_function(0);
      given_nothing(s, 1, p);
      defined(c);
      of_the_source(c);
    })",
                    {"-I", Place.path()});
  std::vector<std::string> Names;
  for (const LibraryFunction &L : F.Unit.LibraryFunctions) {
    EXPECT_EQ(L.Header, "library.h");
    Names.push_back(L.Name);
  }
  EXPECT_EQ(llvm::join(Names, " "), "taken given_handle given_number given_memory given_record given_function")
      << F.dump();
}

TEST_P(Functions, PointersToFunctionsOfTheProgramAlone) {
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

TEST_P(Functions, PointersToFunctionsFromElsewhere) {
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

TEST_P(Functions, PointersThatComeFromOthers) {
  Facts F = collect(Language::C, R"(
    typedef void (*Hook)(double *);
    struct Table { Hook hook; };
    Hook returned(void);
    void written(Hook *h);
    void filled(struct Table *t);
    void given(Hook h, const struct Table *t);
    extern Hook elsewhere;
    Hook here;
    static Hook defined(void) { return 0; }
    void f(double *x, struct Table *t) {
      returned()(x);
      written(&here);
      filled(t);
      given(here, t);
      elsewhere(x);
      here(x);
      defined()(x);
    })");
  for (const char *From : {"@F@returned", "@F@written", "@F@filled", "@elsewhere", "@here"})
    EXPECT_TRUE(F.has("pointer indirect:void (double *) from c:" + std::string(From))) << From << F.dump();
  for (const char *From : {"@F@given", "unit.c@F@defined"})
    EXPECT_FALSE(F.has("pointer indirect:void (double *) from c:" + std::string(From))) << From << F.dump();
  EXPECT_TRUE(F.has("body c:@here")) << F.dump();
  EXPECT_FALSE(F.has("body c:@elsewhere")) << F.dump();
}
