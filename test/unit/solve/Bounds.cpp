// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far what is accessed goes: to the end of its object, as a count says, and of members as their type does.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Bounds : public ProgramTest {
protected:
  /// Of a program of one unit, of \p Name: main starts a receive into 's.r', where \p Before defines 's', and has
  /// \p Main behind that.
  std::string of(llvm::StringRef Name, llvm::StringRef Before, llvm::StringRef Main) {
    return classesOf(Name, ("#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <malloc.h>\n"
                            "#include <stdint.h>\n#ifndef __cplusplus\nvoid library(long);\n#endif\n" +
                            Before +
                            "\nint main(int argc, char **argv) { int b[9] = {0}; MPI_Request q; (void)q; (void)argv;\n"
                            "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &s.r);\n" +
                            Main + "\nreturn b[argc]; }\n")
                               .str());
  }
  /// The request may be known elsewhere, or where it is completed is seen.
  static bool isSeen(llvm::StringRef Dump) { return !has(Dump, "closed") || has(Dump, "completed by MPI_Wait"); }
};

const char *const Numbers = "static struct { int n, x[3]; MPI_Request r; } s;\n";

// What is written to a file ends where its count says, as far as that is known.
TEST_F(Bounds, ElementsThatAreWritten) {
  const std::string Ask = "rewind(f); int n = 0; fread(&n, sizeof n, 1, f); library(n);";
  const std::string Put = std::string(Numbers) +
                          "static FILE *f; __attribute__((noinline)) static void put(const void *p, size_t n) "
                          "{ fwrite(p, sizeof(int), n, f); }\n"
                          "__attribute__((noinline)) static void turned(const void *p, size_t n) "
                          "{ fwrite(p, n, sizeof(int), f); }\n";
  for (const char *Use : {"put(s.x, argc);", "put(s.x, 5);", "put(s.x, 3); put(s.x, 6);", "put(s.x, -1);",
                          "turned(s.x, argc);", "turned(s.x, 6);", "fwrite(s.x, argc, argc, f);",
                          "fwrite(s.x, 20, 1, f);", "for (int i = 1; i < 7; i++) put(s.x, i);"}) {
    std::string Dump = of("a.c", Put, Use + Ask);
    EXPECT_FALSE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
  for (const char *Use : {"put(s.x, 3);", "put(s.x, 2); put(s.x, 3); put(s.x, 1);", "put(&s.n, 4);", "put(s.x, 0);",
                          "turned(s.x, 3);", "fwrite(s.x, 12, 1, f);"}) {
    std::string Dump = of("a.c", Put, Use + Ask);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Bounds, ElementsThatAreRead) {
  const std::string Get =
      std::string(Numbers) +
      "static struct { int x[3], y; } t; static FILE *f; "
      "__attribute__((noinline)) static void get(void *p, size_t n) { fread(p, sizeof(int), n, f); }\n";
  for (auto [Use, Is] : {std::pair("get(t.x, argc);", false), {"get(t.x, 4);", false}, {"get(t.x, 3);", true}}) {
    std::string Dump = of("a.c", Get, std::string("fwrite(&s.r, sizeof s.r, 1, f);") + Use + "library(t.y);");
    EXPECT_EQ(has(Dump, "closed"), Is) << Use << "\n" << Dump;
  }
}

// As many elements of a message as nobody knows are not those of members of other types.
TEST_F(Bounds, MembersOfOtherTypes) {
  const std::string Ask = "int n = 0; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); library(n);",
                    Scattered = "MPI_Reduce_scatter(b, &b[1], b, MPI_INT, MPI_SUM, MPI_COMM_WORLD); library(b[1]);";
  const std::string Before = "static struct { void *t; int n, m; double d; MPI_Request r; } s;\n";
  for (const char *Use :
       {"MPI_Bcast(&s.n, argc, MPI_BYTE, 0, MPI_COMM_WORLD);", "MPI_Bcast(&s.n, argc, MPI_CHAR, 0, MPI_COMM_WORLD);",
        "MPI_Bcast(&s.n, 6, MPI_INT, 0, MPI_COMM_WORLD);", "MPI_Bcast(&s, argc, MPI_INT, 0, MPI_COMM_WORLD);",
        "MPI_Bcast(&s.n, argc, MPI_LONG, 0, MPI_COMM_WORLD);",
        "MPI_Datatype t; MPI_Type_contiguous(3, MPI_INT, &t); MPI_Bcast(&s.n, argc, t, 0, MPI_COMM_WORLD);",
        "MPI_Bcast(&s.n, argc, argc > 2 ? MPI_INT : MPI_BYTE, 0, MPI_COMM_WORLD);"}) {
    std::string Dump = of("a.c", Before, Use + Ask);
    EXPECT_TRUE(has(Dump, "class 0 open")) << Use << "\n" << Dump;
  }
  for (const char *Type : // one of a union, and one of bytes
       {"static union { int n; MPI_Request r; } s;\n", "static struct { char n; MPI_Request r; } s;\n",
        "static struct { int n; MPI_Request r; } s;\n"}) {
    std::string Dump = of("a.c", Type, "MPI_Bcast(&s.n, argc, MPI_BYTE, 0, MPI_COMM_WORLD);" + Ask);
    EXPECT_TRUE(has(Dump, "class 0 open")) << Type << "\n" << Dump;
  }
  std::string Dump = of("a.c", "struct t { MPI_Request r; double d; int n; }; static struct t *a;\n#define s a[1]\n",
                        "a = malloc(argc * sizeof *a); MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &a[argc].r);"
                        "MPI_Bcast(&a[argc].n, argc, MPI_INT, 0, MPI_COMM_WORLD);" +
                            Ask);
  EXPECT_TRUE(has(Dump, "class 0 open")) << Dump;
  for (const char *Use :
       {"MPI_Bcast(&s.n, argc, MPI_INT, 0, MPI_COMM_WORLD);", "MPI_Bcast(&s.m, argc, MPI_INT, 0, MPI_COMM_WORLD);",
        "MPI_Bcast(&s.n, argc, argc > 2 ? MPI_INT : MPI_UNSIGNED, 0, MPI_COMM_WORLD);"}) {
    Dump = of("a.c", Before, Use + Ask);
    EXPECT_FALSE(has(Dump, "class 0 open")) << Use << "\n" << Dump;
  }
  Dump = of("a.c", Before, "MPI_Reduce_scatter(&s.n, &s.n, b, MPI_INT, MPI_SUM, MPI_COMM_WORLD);" + Scattered);
  EXPECT_FALSE(has(Dump, "class 0 open")) << Dump;
}

// A loop over an array of records does not reach the members before and behind it.
TEST_F(Bounds, LoopsThatConstruct) {
  const char *const Before =
      "extern \"C\" void library(void *);\n"
      "struct vec { long a; void *b; long c, d, e; vec() : a(0), c(0), d(0), e(0) { library(b); } ~vec(); };\n"
      "vec::~vec() { if (c) library(b); }\n"
      "struct all { vec v[6]; int *n; long of; MPI_Request *p; all(int *b, MPI_Request *r) : n(b), p(r) {} };\n"
      "static struct { MPI_Request r; } s;\n";
  std::string Dump = of("a.cpp", Before, "all *o = new all(b, &s.r); delete o;");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  Dump = of("a.cpp", Before, "all *o = new all(b, &s.r); o->v[argc].b = o->p; delete o;");
  EXPECT_FALSE(has(Dump, "closed")) << Dump;
}

// What programs have outside of their objects all the same, and come back from.
TEST_F(Bounds, WaysBack) {
  const std::string Before = "static struct { MPI_Request r; } s; static MPI_Request a[4];\n"
                             "typedef MPI_Request *P; __attribute__((noinline)) static P at(P p, long n) "
                             "{ return p + n; }\n";
  for (const char *Use :
       {"P p = a - 1; p[2] = s.r; MPI_Wait(a + 1, MPI_STATUS_IGNORE);",
        "P p = at(a, -7); p = at(p, 8); *p = s.r; MPI_Wait(a + 1, MPI_STATUS_IGNORE);",
        "P p = at(a, 4000); p = at(p, -3998); *p = s.r; MPI_Wait(a + 2, MPI_STATUS_IGNORE);",
        "a[3] = s.r; for (P p = a + 4; p != a;) MPI_Wait(--p, MPI_STATUS_IGNORE);",
        "uintptr_t u = (uintptr_t)a; u += 1 << 20; u += 1 << 20; u += 1 << 20; u -= 3 << 20; *(P)u = s.r; "
        "MPI_Wait(a, MPI_STATUS_IGNORE);",
        "P p = malloc(sizeof *p); if (malloc_usable_size(p) >= 2 * sizeof *p) p[1] = s.r; "
        "MPI_Wait(p + 1, MPI_STATUS_IGNORE);",
        "P p; MPI_Win w; MPI_Win_allocate_shared(sizeof *p, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &w); p[1] = s.r; "
        "MPI_Wait(p + 1, MPI_STATUS_IGNORE);",
        "P p = alloca(argc); p[1] = s.r; MPI_Wait(p + 1, MPI_STATUS_IGNORE);",
        "P p = realloc(calloc(1, 1), 64); p[1] = s.r; MPI_Wait(p + 1, MPI_STATUS_IGNORE);"}) {
    std::string Dump = of("a.c", "#include <alloca.h>\n" + Before, Use);
    EXPECT_TRUE(isSeen(Dump)) << Use << "\n" << Dump;
  }
}

// A variable has the size that its definition says, or of several the largest.
TEST_F(Bounds, SizesOfVariables) {
  for (auto [First, Second] :
       {std::pair("extern MPI_Request a[];", "MPI_Request a[4];"),
        {"extern MPI_Request a[1];", "MPI_Request a[4];"},
        {"__attribute__((weak)) MPI_Request a[1];", "MPI_Request a[4];"},
        {"__attribute__((common)) MPI_Request a[4];", "__attribute__((common)) MPI_Request a[1];"}}) {
    Units.clear();
    add("a.c", std::string(First) + "\nextern MPI_Request *of(void); static MPI_Request r;\n"
                                    "int main(void) { int b[9]; MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); "
                                    "*(a + 2) = r; MPI_Wait(of(), MPI_STATUS_IGNORE); return 0; }\n");
    add("b.c", std::string(Second) + "\nMPI_Request *of(void) { return a + 2; }\n");
    std::string Dump = classes();
    EXPECT_TRUE(isSeen(Dump)) << First << "\n" << Dump;
  }
}

// Of all texts there is one object.
TEST_F(Bounds, Texts) {
  std::string Dump = of("a.c", "static struct { MPI_Request r; } s; static MPI_Request a[2];\n",
                        "puts(\"a\"); const char *t = \"0123456789\"; a[t[9] - '9'] = s.r; a[1] = s.r; "
                        "MPI_Wait(a + (t[8] != '8'), MPI_STATUS_IGNORE);");
  EXPECT_TRUE(isSeen(Dump)) << Dump;
}

} // namespace
