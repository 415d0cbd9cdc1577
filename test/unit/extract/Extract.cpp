// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the constraints say of small functions.

#include "extract/Extract.h"
#include "constraints/Dump.h"
#include "constraints/Serialize.h"
#include "lower/Fixture.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Extract : public testing::Test {
protected:
  std::string of(llvm::StringRef Name, llvm::StringRef Text, std::vector<std::string> Flags = {}) {
    std::optional<LoweredUnit> U = Files.lower(Name, Text, std::move(Flags));
    EXPECT_TRUE(U) << Files.Errors;
    if (!U)
      return "";
    std::string Result;
    llvm::raw_string_ostream Out(Result);
    dump(ir::extract(*U), Out);
    return Result;
  }
  std::string c(llvm::StringRef Text) { return of("a.c", Text); }
  static bool has(const std::string &Dump, const char *Line) { return Dump.find(Line) != std::string::npos; }

  Sources Files;
};

TEST_F(Extract, UnitsComeBackFromBytes) {
  std::optional<LoweredUnit> U = Files.lower(
      "a.cpp", "#include <mpi.h>\n#include <string>\n"
               "static const int Table[3] = {-1, 2, 1 << 30};\n"
               "MPI_Request All[4];\n"
               "int f(std::string s, ...) { MPI_Wait(&All[s.size()], MPI_STATUS_IGNORE); return Table[1]; }\n"
               "double g(int (*h)(double, const char *)) { return h(1.5, \"text\"); }\n");
  ASSERT_TRUE(U) << Files.Errors;
  ir::Unit Before = ir::extract(*U), After;
  std::string Bytes = ir::writeUnit(Before);
  ASSERT_TRUE(ir::readUnit(Bytes, After));
  auto Print = [](const ir::Unit &Each) {
    std::string Result;
    llvm::raw_string_ostream Out(Result);
    dump(Each, Out);
    return Result;
  };
  EXPECT_EQ(Print(Before), Print(After));
  EXPECT_EQ(Bytes, ir::writeUnit(After));
  EXPECT_FALSE(ir::readUnit(llvm::StringRef(Bytes).drop_back(), After));
  EXPECT_FALSE(ir::readUnit(Bytes + "x", After));
}

TEST_F(Extract, CopiesLoadsAndStores) {
  std::string Dump = c("int f(int **p, int *q, int c) { *p = q; return c ? **p : *q; }\n");
  EXPECT_TRUE(has(Dump, "function f parameters 3 result %3\n")) << Dump;
  EXPECT_TRUE(has(Dump, "  %0 = store %1 8 0 2\n")) << Dump;
  EXPECT_TRUE(has(Dump, " = load %0 8 1 2\n")) << Dump;
  EXPECT_TRUE(has(Dump, " = load %1 4 0 1\n")) << Dump;
  EXPECT_TRUE(has(Dump, "  %3 = copy %")) << Dump;
}

TEST_F(Extract, OffsetsStridesAndExtents) {
  std::string Dump = c("struct s { int a; long b[10]; };\n"
                       "long *field(struct s *p) { return &p->b[2]; }\n"
                       "long *element(struct s *p, int i) { return &p[i].b[0]; }\n"
                       "long *bounded(struct s *p, int i) { return &p->b[i]; }\n");
  EXPECT_TRUE(has(Dump, " = part %0 8 0 0\n")) << Dump;     // of the field
  EXPECT_TRUE(has(Dump, " = offset %0 0 88 -1\n")) << Dump; // any record
  EXPECT_TRUE(has(Dump, " 0 8 72\n")) << Dump;              // any element of ten
}

TEST_F(Extract, ArraysByTheirFirstElement) {
  const std::string Record = "struct s { int a; long b[10], m[3][3], c; };\n";
  for (const char *Sum : {"p->b + i", "i + p->b", "p->b + 2 + i", "&p->b[1] + i", "p->b + i - 1"}) {
    std::string Dump = c(Record + "long *f(struct s *p, int i) { return " + Sum + "; }\n");
    EXPECT_TRUE(has(Dump, " 0 8 72\n")) << Sum << Dump;
  }
  // Programs take a matrix for one array, and a field for the first of several.
  for (const char *Sum : {"&p->m[0][0] + i", "p->m[0] + i", "*p->m + i", "&p->c + i"}) {
    std::string Dump = c(Record + "long *f(struct s *p, int i) { return " + Sum + "; }\n");
    EXPECT_TRUE(has(Dump, " 0 8 -1\n")) << Sum << Dump;
  }
}

TEST_F(Extract, NumbersAreConvertedAndComputed) {
  std::string Dump = c("short f(int n) { return (short)(2 * n + 1); }\n"
                       "unsigned g(unsigned n) { return 3 * n; }\n"
                       "int *h(long n) { return (int *)n; }\n");
  EXPECT_TRUE(has(Dump, " = convert %")) << Dump;
  EXPECT_TRUE(has(Dump, " 32 16 0\n")) << Dump;
  EXPECT_TRUE(has(Dump, " 2 32 0\n")) << Dump;   // a product that does not wrap around
  EXPECT_TRUE(has(Dump, " 258 32 0\n")) << Dump; // one that may
  EXPECT_TRUE(has(Dump, " = to-address %0 64 64 0\n")) << Dump;
}

TEST_F(Extract, DifferencesOfPointersAreNoSums) {
  std::string Dump = c("long f(int *p, int *q) { return p - q; }\n");
  EXPECT_TRUE(has(Dump, " = difference %")) << Dump;
  EXPECT_FALSE(has(Dump, " = binary %0 %1")) << Dump;
  std::string Integers = c("long f(long p, long q) { return p - q; }\n");
  EXPECT_TRUE(has(Integers, " = binary %0 %1 1 64 0\n")) << Integers;
}

TEST_F(Extract, CallsNameSites) {
  std::string Dump = c("#include <mpi.h>\n"
                       "void g(int, ...);\n"
                       "void f(MPI_Request *r, void (*p)(int)) { MPI_Start(r); g(7, r); p(1); }\n");
  EXPECT_TRUE(has(Dump, "site 0 MPI_Start ")) << Dump;
  EXPECT_TRUE(has(Dump, "  call MPI_Start %0 -> %")) << Dump;
  EXPECT_TRUE(has(Dump, " site 0\n")) << Dump;
  EXPECT_TRUE(has(Dump, "  call g %")) << Dump;
  EXPECT_TRUE(has(Dump, "  call %1 %")) << Dump;
}

TEST_F(Extract, VariablesBeginAsSomething) {
  std::string Dump = c("extern int x; int *p = &x; struct { char c; short s; } t = {1, 2}; int z[100];\n"
                       "int *use(void) { return t.s ? p : z; }\n");
  EXPECT_TRUE(has(Dump, " p 0 8\n")) << Dump;
  EXPECT_TRUE(has(Dump, " t 2 2\n")) << Dump;
  EXPECT_TRUE(has(Dump, " z 0 400\n")) << Dump;
}

TEST_F(Extract, StringsHoldTextOfTheirOwn) {
  std::string Dump = of("a.cpp", "#include <string>\nchar f(std::string &s) { return s[0]; }\n"
                                 "void g(std::string &s) { std::string t(std::move(s)); }\n");
  EXPECT_TRUE(has(Dump, " = own-text")) << Dump;
  Dump = c("struct S { char *p; long n; char b[16]; } s = {s.b, 2, \"ab\"};\n");
  EXPECT_TRUE(has(Dump, " = own-text")) << "as a string that needs no constructor\n" << Dump;
  Dump = c("struct S { char *p; long n[2]; char b[16]; } s = {s.b, {2}, \"ab\"}, t[2] = {{s.b}, {t[0].b}};\n");
  EXPECT_FALSE(has(Dump, " = own-text")) << "at another place\n" << Dump;
}

TEST_F(Extract, WhatIsNotModelledIsAnythingAndEscapes) {
  std::string Dump = c("int *f(int *p) { int *q; __asm__(\"mov %1, %0\" : \"=r\"(q) : \"r\"(p)); return q; }\n"
                       "void *g(void) { return __builtin_frame_address(0); }\n");
  EXPECT_TRUE(has(Dump, "escape %0 0 0 0: goes to assembly code, which is not followed\n")) << Dump;
  EXPECT_TRUE(has(Dump, "anything 0 0 0: comes from assembly code\n")) << Dump;
  EXPECT_TRUE(has(Dump, "comes from the intrinsic function 'llvm.frameaddress")) << Dump;
}

TEST_F(Extract, FloatingPointNumbersAreNotFollowed) {
  std::string Dump = c("double f(double *p, int *q) { p[1] = *q; return p[0]; }\n");
  EXPECT_TRUE(has(Dump, ": is converted to a floating-point number\n")) << Dump;
  EXPECT_TRUE(has(Dump, ": is read as a floating-point number\n")) << Dump;
  EXPECT_TRUE(has(Dump, "  %2 = copy %8 0 0 0\n")) << "not what was read" << Dump;
}

TEST_F(Extract, MemoryIsCopiedAndFilled) {
  std::string Dump = c("#include <string.h>\n"
                       "struct s { long a[20]; };\n"
                       "void f(struct s *p, struct s *q, int n) { *p = *q; memset(q, 1, n); }\n");
  EXPECT_TRUE(has(Dump, "  %0 = copy-memory %1 160 0 0\n")) << Dump;
  EXPECT_TRUE(has(Dump, "  %1 = fill-memory %")) << Dump;
}

TEST_F(Extract, ExceptionsAreThrownAndCaught) {
  std::string Dump = of("a.cpp", "void g(); int f() { try { g(); } catch (int i) { return i; } return 0; }\n");
  EXPECT_TRUE(has(Dump, " = catch ")) << Dump;
  EXPECT_TRUE(has(Dump, "  throw %")) << Dump;
}

} // namespace
