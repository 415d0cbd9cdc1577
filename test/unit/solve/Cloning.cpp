// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are followed apart for each of their calls: an array of requests and one whose numbers are printed
// come from them.

#include "link/Cloning.h"
#include "models/Analysis.h"
#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Cloning : public ProgramTest {
protected:
  static constexpr const char *Headers =
      "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\nvoid see(int);\n";
  static constexpr const char *Use = "\nMPI_Irecv(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);"
                                     "\nMPI_Wait(&requests[0], MPI_STATUS_IGNORE);"
                                     "\nsee(numbers[0]);";

  /// A main that has `MPI_Request *requests` and `int *numbers` of \p Main.
  static std::string program(llvm::StringRef Before, llvm::StringRef Main) {
    return (Headers + Before +
            "\nint main(int argc, char **argv) { int buffer[9]; MPI_Request *requests; int *numbers;" + Main + Use +
            "\nreturn 0; }\n")
        .str();
  }
  bool isClosed(llvm::StringRef Before, llvm::StringRef Main, llvm::StringRef Name = "a.c") {
    Last = classesOf(Name, program(Before, Main));
    EXPECT_TRUE(has(Last, "MPI_Irecv completed by MPI_Wait")) << Last;
    return !has(Last, "open");
  }
  /// Whether \p Function, of the C unit \p Text, is cloned.
  bool isCloned(llvm::StringRef Text, llvm::StringRef Function, ir::CloningLimits Limits = {}) {
    Units.clear();
    add("a.c", Headers + Text.str());
    ir::LinkedProgram P = ir::link({&Units[0]});
    std::vector<bool> Cloned = ir::findCloned(P, ir::Analysis::makesMemory, Limits);
    for (size_t I = 0; I < P.Functions.size(); ++I)
      if (P.Functions[I].Name == Function)
        return Cloned[I];
    ADD_FAILURE() << Function.str() << " is not there";
    return false;
  }
  std::string Last;
};

constexpr const char *ByMake = "requests = make(4); numbers = make(4);";
constexpr const char *ByCreate = "create((void **)&requests, 4); create((void **)&numbers, 4);";

TEST_F(Cloning, MemoryThatIsReturned) {
  EXPECT_TRUE(isClosed("static void *make(int n) { return malloc(4 * n); }", ByMake)) << Last;
  EXPECT_TRUE(isClosed("static void *most(int n) { void *p = malloc(4 * n); if (!p) abort(); return p; }\n"
                       "static void *make(int n) { return most(n + 1); }",
                       ByMake))
      << Last;
  EXPECT_TRUE(isClosed("template <class T> static T *make(int n) { return new T[n]; }",
                       "requests = make<MPI_Request>(4); numbers = make<int>(4);", "a.cpp"))
      << Last;
  EXPECT_FALSE(isClosed("static void *kept; static void *make(int n) { if (!kept) kept = malloc(4 * n); return kept; }",
                        ByMake));
  EXPECT_FALSE(
      isClosed("static int kept[4]; static void *make(int n) { return n < 4 ? kept : malloc(4 * n); }", ByMake));
}

TEST_F(Cloning, MemoryThatIsStoredThroughAParameter) {
  EXPECT_TRUE(isClosed("static void create(void **p, int n) { *p = malloc(4 * n); }", ByCreate)) << Last;
  EXPECT_TRUE(isClosed("static void create(void **p, int n) { posix_memalign(p, 64, 4 * n); }", ByCreate)) << Last;
  EXPECT_TRUE(isClosed("static void create(void **p, int n) { MPI_Alloc_mem(4 * n, MPI_INFO_NULL, p); }", ByCreate))
      << Last;
  EXPECT_TRUE(isClosed("static void *most(int n) { return n ? malloc(n) : NULL; }\n"
                       "template <class T> static T *create(T *&p, int n) { return p = (T *)most(n * sizeof(T)); }",
                       "create(requests, 4); create(numbers, 4);", "a.cpp"))
      << Last;
  EXPECT_FALSE(isClosed("static void *last; static void create(void **p, int n) { *p = malloc(4 * n); last = *p; }",
                        "create((void **)&numbers, 4); create((void **)&requests, 4); numbers = last;"));
}

TEST_F(Cloning, AddressesThatArePutWhereTheCallerSays) {
  std::string Long = "static void put(void **to, void *what, int n) { if (!to) abort();";
  for (int I = 0; I < 20; ++I)
    Long += "printf(\"%d %s\", n, n ? \"one\" : \"two\");";
  constexpr const char *Main =
      "void *a = malloc(16), *b = malloc(16); put((void **)&requests, a, 4); put((void **)&numbers, b, 4);";
  EXPECT_TRUE(isClosed(Long + "*to = what; }", Main)) << Last;
  EXPECT_FALSE(isClosed(Long + "static void *kept[2]; kept[n > 4] = what; *to = kept[0]; }", Main));
}

TEST_F(Cloning, ARecordBeforeEachBlock) {
  constexpr const char *Make = "static void *make(int n) { int *p = malloc(4 * n + 16); p[0] = n; return p + 4; }\n"
                               "static int length(void *p) { return ((int *)p)[-4]; }";
  EXPECT_TRUE(isClosed(Make, "requests = make(4); numbers = make(4); see(length(requests));")) << Last;
  EXPECT_FALSE(isClosed(Make, "requests = make(4); numbers = make(4); see(length(requests + 4));"));
}

TEST_F(Cloning, MemoryThatGrows) {
  constexpr const char *Grow = "static void *grow(void *p, int n) { void *q = realloc(p, 4 * n); return q ? q : p; }";
  EXPECT_TRUE(isClosed(Grow, "requests = grow(NULL, 4); numbers = grow(NULL, 4); numbers = grow(numbers, 8);")) << Last;
  // What an array holds is still there when it has grown.
  Last = classesOf("a.c", program(Grow, "requests = grow(NULL, 4); numbers = grow(NULL, 4);"
                                        "MPI_Irecv(buffer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);"
                                        "requests = grow(requests, 8); MPI_Wait(&requests[1], MPI_STATUS_IGNORE);"));
  EXPECT_EQ(Last.find("open"), std::string::npos) << Last;
  EXPECT_TRUE(has(Last, "7:1"));
  EXPECT_FALSE(isClosed(Grow, "requests = grow(NULL, 4); numbers = grow(requests, 8);"));
}

TEST_F(Cloning, MemoryThatComesBack) {
  EXPECT_FALSE(isClosed("static void *spare; static void give_back(void *p) { spare = p; }\n"
                        "static void *make(int n) { void *p = spare; spare = NULL; return p ? p : malloc(4 * n); }",
                        "requests = make(4); give_back(requests); numbers = make(4);"));
}

TEST_F(Cloning, RecursionStaysOne) {
  constexpr const char *Alone = "static void *make(int n) { return n > 9 ? make(n - 1) : malloc(4 * n); }";
  constexpr const char *Two = "static void *make(int n); static void *other(int n) { return make(n - 1); }\n"
                              "static void *make(int n) { return n > 9 ? other(n - 1) : malloc(4 * n); }";
  EXPECT_FALSE(isClosed(Alone, ByMake));
  EXPECT_FALSE(isClosed(Two, ByMake));
  EXPECT_FALSE(isCloned(Two + std::string("void *all(int n) { return make(n); }"), "other"));
  // One is enough to end it.
  EXPECT_TRUE(isCloned(Two + std::string("void *all(int n) { return make(n); }"), "make"));
  // Who calls it has clones, and they have it in common.
  EXPECT_TRUE(isCloned(Two + std::string("void *all(int n) { return make(n); }"), "all"));
}

/// What makes memory says that there is none by what makes memory.
TEST_F(Cloning, ErrorsInRecursion) {
  constexpr const char *Make =
      "static void *make(int n);\n"
      "static void fail(int n) { char *text = make(99); sprintf(text, \"%d\", n); puts(text); }\n"
      "static void *make(int n) { void *p = malloc(4 * n); if (!p) fail(n); return p; }";
  EXPECT_TRUE(isClosed(Make, ByMake)) << Last;
  EXPECT_TRUE(isClosed(Make + std::string("static void *most(int n) { return make(n + 1); }"),
                       "requests = most(4); numbers = most(4);"))
      << Last;
  EXPECT_FALSE(isClosed("static void *make(int n);\n"
                        "static void *less(int n) { return make(n - 1); }\n"
                        "static void *make(int n) { void *p = malloc(4 * n); return p ? p : less(n); }",
                        ByMake));
  EXPECT_FALSE(isClosed("static void *kept, *make(int n);\n"
                        "static void fail(int n) { kept = make(n); }\n"
                        "static void *make(int n) { void *p = malloc(4 * n); if (!p) fail(n); return p ? p : kept; }",
                        ByMake));
}

/// A recursion within another, and two that have a function in common.
TEST_F(Cloning, RecursionsThatMeet) {
  constexpr const char *Text = "void *make(int n); void one(int n); void two(int n);\n"
                               "void one(int n) { if (n > 9) one(n - 1); make(n); }\n"
                               "void two(int n) { make(n); one(n); }\n"
                               "void *make(int n) { void *p = malloc(n); if (!p) n ? one(n) : two(n); return p; }";
  EXPECT_TRUE(isCloned(Text, "make"));
  EXPECT_FALSE(isCloned(Text, "one") && isCloned(Text, "two"));
  EXPECT_TRUE(isClosed(Text, ByMake)) << Last;
}

TEST_F(Cloning, CallsByAddressShareOne) {
  constexpr const char *Make =
      "static void *make(int n) { return malloc(4 * n); } static void *(*volatile by)(int) = make;";
  EXPECT_FALSE(isClosed(Make, "requests = by(4); numbers = by(4);"));
  EXPECT_TRUE(isClosed(Make, "requests = by(4); numbers = make(4);")) << Last;
  // Through another function, which the first is handed back to.
  EXPECT_FALSE(isClosed("static void *make(void *(*f)(), int n) { return n > 9 ? f(f, n - 1) : malloc(4 * n); }",
                        "requests = make((void *(*)())make, 19); numbers = make((void *(*)())make, 19);"));
}

TEST_F(Cloning, FunctionsThatOnlyHandOn) {
  constexpr const char *At = "static int *at(int *p, int i) { return p + i; }\n"
                             "static void swap(int **p, int **q) { int *r = *p; *p = *q; *q = r; }";
  constexpr const char *Arrays = "int one[4], two[4], three[4]; requests = at(one, 1); numbers = at(two, 1);";
  EXPECT_TRUE(isClosed(At, Arrays)) << Last;
  EXPECT_TRUE(
      isClosed(At, Arrays + std::string("int *more = three; swap(&numbers, &more); swap(&requests, &requests);")))
      << Last;
  EXPECT_FALSE(isClosed(At, Arrays + std::string("swap(&numbers, &requests);")));
}

TEST_F(Cloning, FunctionsThatCopy) {
  constexpr const char *Copy =
      "#include <assert.h>\n#include <string.h>\n"
      "static const char *name(int e) { return e == 1 ? \"size\" : e == 2 ? \"address\" : e == 3 ? \"kind\" : "
      "\"none\"; }\n"
      "static int fail(int line, int e) { fprintf(stderr, \"%d: %s\", line, name(e)); exit(1); }\n"
      "static int copy(void *to, const void *from, size_t n, int kind) { assert(to); assert(from);\n"
      "if (n < 1) return fail(__LINE__, 1); switch (kind) { case 0: if (!to) return fail(__LINE__, 2);\n"
      "memcpy(to, from, n); break; case 1: memcpy(to, from, n); break; default: return fail(__LINE__, 3); } return 0; "
      "}";
  constexpr const char *Arrays = "int one[4], two[4]; MPI_Request three[4], four[4]; requests = three; numbers = two;";
  EXPECT_TRUE(isClosed(Copy, Arrays + std::string("copy(two, one, sizeof one, 0); copy(four, three, 16, 1);"))) << Last;
  EXPECT_FALSE(isClosed(Copy, Arrays + std::string("copy(two, three, sizeof one, 0);")));
  // As many bytes as the caller says.
  constexpr const char *Records = "struct { int n[2]; MPI_Request r; } one, two; requests = &one.r; numbers = two.n;";
  EXPECT_TRUE(isClosed(Copy, Records + std::string("copy(&two, &one, sizeof one.n, 0); numbers = &two.n[1] + 1;")))
      << Last;
  for (const char *Length : {"sizeof one", "argc", "argc > 2 ? 8 : 12", "sizeof one.n + argc * sizeof(int)"})
    EXPECT_FALSE(isClosed(Copy, Records + std::string("copy(&two, &one, ") + Length + ", 0); numbers = (int *)&two.r;"))
        << Length << Last;
}

TEST_F(Cloning, WhatAFunctionKeepsIsOne) {
  EXPECT_FALSE(isClosed("static int *slot(int i) { static int all[4]; return &all[i & 1]; }",
                        "requests = slot(argc); numbers = slot(argc + 1);"));
  EXPECT_TRUE(
      isClosed("static int first(int n, ...) { va_list l; va_start(l, n); n = va_arg(l, int); va_end(l); return n; }",
               "int one[4], two[4]; requests = one; numbers = two; *numbers = first(1, 3);"
               "MPI_Irecv(buffer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);"
               "requests[2] = first(1, requests[1]); MPI_Wait(&requests[2], MPI_STATUS_IGNORE);"))
      << Last;
}

TEST_F(Cloning, EachBodyOfAName) {
  Units.clear();
  add("a.cpp", program("inline void *make(int n) { return malloc(4 * n); } void other();",
                       "other(); requests = (int *)make(4); numbers = (int *)make(4);"));
  std::string Once = classes();
  EXPECT_FALSE(has(Once, "open: the request")) << Once;
  add("b.cpp", "inline void *make(int n) { static int all[4]; return all + n; }\nvoid other() { make(1); }");
  EXPECT_TRUE(has(classes(), "open: the request"));
}

TEST_F(Cloning, ContainersOfOneType) {
  constexpr const char *Vectors = "#include <vector>\nstatic void fill(std::vector<int> &v, int n) { v.resize(n); }";
  EXPECT_TRUE(isClosed(Vectors,
                       "std::vector<int> one, two(4); fill(one, 9); fill(two, argc);"
                       "requests = &one[0]; numbers = &two[0];",
                       "a.cpp"))
      << Last;
  EXPECT_FALSE(isClosed(Vectors,
                        "std::vector<int> one, two(4); fill(one, 9); two.swap(one);"
                        "requests = &one[0]; numbers = &two[0];",
                        "a.cpp"));
}

TEST_F(Cloning, Limits) {
  constexpr const char *Text = "void *make(int n) { return malloc(4 * n); } int next(int n) { return n + 1; }\n"
                               "void *two(int n) { return n ? make(n) : make(next(n)); }\n"
                               "int wait(MPI_Request *r) { return MPI_Wait(r, MPI_STATUS_IGNORE); }\n"
                               "int rank(void) { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }";
  for (const char *Each : {"make", "next", "two", "rank", "wait"})
    EXPECT_TRUE(isCloned(Text, Each)) << Each;
  EXPECT_TRUE(isCloned(Text, "wait", {.Small = 0}));
  EXPECT_FALSE(isCloned(Text, "wait", {.Exchanging = 0}));
  EXPECT_FALSE(isCloned(Text, "malloc"));
  EXPECT_FALSE(isCloned(Text, "next", {.Small = 0}));
  EXPECT_TRUE(isCloned(Text, "make", {.Small = 0}));
  // The clones in a function count.
  size_t Alone = 0;
  while (!isCloned(Text, "make", {.Small = 0, .Allocating = Alone}))
    ++Alone;
  EXPECT_GT(Alone, 1U);
  EXPECT_FALSE(isCloned(Text, "two", {.Small = 0, .Allocating = 2 * Alone}));
  EXPECT_TRUE(isCloned(Text, "two", {.Small = 0, .Allocating = 5 * Alone}));
  // In all, too.
  EXPECT_FALSE(isCloned(Text, "make", {.Program = Alone}));
}

} // namespace
