// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed on, and which functions are wrappers of malloc. (What pointers may point to is tested through the
// tool, in test/tool/buffers/buffers.test, and with facts by hand in test/unit/match/Buffers.cpp.)

#include "Fixture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mpishm;
using namespace mpishm::test;

/// The columns, of the one line of \p Body in a function of pointers a to d, where something is computed on.
static std::set<unsigned> computedIn(const std::string &Body) {
  Facts F = collect(Language::C, "void f(double *a, double *b, double *c, const int *d, double s, int i) {\n" + Body +
                                     "\n}\nstruct pair { double x, y; };\n");
  EXPECT_EQ(F.Errors, "");
  std::set<unsigned> Columns;
  for (const Computation &C : F.Unit.Pointers.Computations)
    Columns.insert(C.Where.Column);
  return Columns;
}

TEST(Computations, MovingIsNone) {
  EXPECT_TRUE(computedIn("a[i] = b[d[i] + 4];").empty()) << "indices do not count";
  EXPECT_TRUE(computedIn("a[i++] = b[i];").empty());
  EXPECT_TRUE(computedIn("a[i] = -b[i]; a[0] = (float)b[1];").empty());
  EXPECT_TRUE(computedIn("a[i] = s * b[i] / 4;").empty()) << "scaled by what is no element";
  EXPECT_TRUE(computedIn("s += a[i]; s -= *b;").empty());
  EXPECT_TRUE(computedIn("if (a[i] < b[i]) s = a[i];").empty());
}

TEST(Computations, ElementsThatMeet) {
  EXPECT_EQ(computedIn("s = a[0] + a[1];").size(), 2u);
  EXPECT_EQ(computedIn("a[i] = s * b[i] + s * c[i];").size(), 2u) << "b and c, not a";
  EXPECT_EQ(computedIn("s += a[i] * *b;").size(), 2u);
}

TEST(Computations, InPlace) {
  EXPECT_EQ(computedIn("a[i] += b[i];"), std::set<unsigned>{1}) << "a alone: b is emptied";
  EXPECT_EQ(computedIn("a[i] *= b[i];").size(), 2u);
  EXPECT_EQ(computedIn("a[i] = a[i] + b[i];"), std::set<unsigned>{8});
  EXPECT_EQ(computedIn("a[i] = b[i] + a[i];"), std::set<unsigned>{15});
  EXPECT_EQ(computedIn("++a[i];").size(), 1u);
  EXPECT_EQ(computedIn("a++;").size(), 0u);
}

/// "take:2+1 other:0+0": each function that returns a pointer, with how many Makes and Calls it may return.
static std::string wrappersIn(const std::string &Code) {
  Facts F = collect(Language::C, "#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n" + Code);
  EXPECT_EQ(F.Errors, "");
  std::string Text;
  for (const AllocationWrapper &W : F.Unit.Pointers.Wrappers)
    Text += (Text.empty() ? "" : " ") + W.Name + ":" + std::to_string(W.Makes.size()) + "+" +
            std::to_string(W.Calls.size()) + (W.Forwards.empty() ? "" : "=" + W.Forwards);
  return Text;
}

TEST(Wrappers, Fresh) {
  EXPECT_EQ(wrappersIn("static void *take(size_t n) { return malloc(n); }"), "take:1+0=MPISHM_Malloc");
  EXPECT_EQ(wrappersIn("void *take(int n) { return malloc(n); }"), "take:1+0") << "the parameter cuts its argument";
  EXPECT_EQ(wrappersIn("void *take(size_t n) { void *p = malloc(n); if (!p) { printf(\"%p\", p); exit(1); }\n"
                       "memset(p, 0, n); return p; }"),
            "take:1+0");
  EXPECT_EQ(wrappersIn("double *take(size_t n) { void *p = NULL; return posix_memalign(&p, 64, n) ? NULL : p; }"),
            "take:1+0");
  EXPECT_EQ(wrappersIn("void *inner(size_t n); int *take(size_t n) { int *p = inner(n); p[0] = 1; return p; }"),
            "take:0+1");
}

TEST(Wrappers, OthersMayKnowIt) {
  EXPECT_EQ(wrappersIn("void *last; void *take(size_t n) { void *p = malloc(n); last = p; return p; }"), "take:0+0");
  EXPECT_EQ(wrappersIn("void keep(void *); void *take(size_t n) { void *p = malloc(n); keep(p); return p; }"),
            "take:0+0");
  EXPECT_EQ(wrappersIn("void *take(size_t n, void *p) { return n ? malloc(n) : p; }"), "take:0+0");
  EXPECT_EQ(wrappersIn("void *take(size_t n) { static void *p; if (!p) p = malloc(n); return p; }"), "take:0+0");
  EXPECT_EQ(wrappersIn("char **take(size_t n) { char **p = malloc(n); p[0] = malloc(n); return p; }"), "take:0+0")
      << "what it points to would be the same for all callers";
}
