// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is made longer than it has to be, since its address is aligned by hand. In each program a record with a
// request and a number lies in such memory, and the number is handed to code out of sight.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Alignment : public ProgramTest {
protected:
  /// Of a program whose take() makes memory by \p Take, with `raw` and `p` in it, and whose main \p Use reads what it
  /// gives to see(), of the record `*g` or by `last`.
  std::string with(llvm::StringRef Take, llvm::StringRef Use = "see(g->other);", llvm::StringRef Before = "") {
    return classesOf("a.c",
                     ("#include <setjmp.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
                      "void see(long); struct record { MPI_Request request; int other; };\n"
                      "static char *last; static struct record kept; static jmp_buf again; static long number;\n" +
                      Before + "\nstatic void *take(size_t n, size_t align) { char *raw, *p;\n" + Take +
                      "return p; }\nint main(int argc, char **argv) { int b[9];"
                      "struct record *g = take(sizeof *g + argc, 64); g->other = argc;\n"
                      "MPI_Irecv(b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &g->request);\n" +
                      Use + "\nMPI_Wait(&g->request, MPI_STATUS_IGNORE); return 0; }\n")
                         .str());
  }
  /// The request is known to be in no number that is seen.
  static bool isApart(const std::string &Dump) {
    return has(Dump, "closed") && has(Dump, "MPI_Irecv") && has(Dump, "completed by MPI_Wait");
  }
  static bool isOpen(const std::string &Dump) { return has(Dump, "MPI_Irecv") && has(Dump, "handed to 'see'"); }
};

#define BY_REMAINDER "raw = malloc(n + 80); p = raw + (64 - (uintptr_t)raw % 64);"

TEST_F(Alignment, WhatLiesThereIsApart) {
  for (llvm::StringRef Take :
       {BY_REMAINDER, "raw = malloc(n + 64); p = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);",
        "raw = malloc(n + align); p = (char *)(((uintptr_t)raw + align - 1) & ~(align - 1));",
        "raw = calloc(n + align, 1); p = raw + (-(intptr_t)raw & (align - 1));",
        "raw = malloc(n + 80); uintptr_t at = ((uintptr_t)raw + 71) & ~(uintptr_t)63;"
        "((char **)at)[-1] = raw; p = (char *)at; for (int i = 0; i < 3; i++) ((char *)at)[i] = 0;",
        "raw = malloc(n + 80); if (!raw) abort();\n"
        "intptr_t over = ((intptr_t)raw + 16) % (intptr_t)align; p = raw + (16 + (align - over) % align);"
        "((char **)p)[-1] = raw; ((size_t *)p)[-2] = n;"}) {
    std::string Dump = with(Take);
    EXPECT_TRUE(isApart(Dump)) << Take.str() << Dump;
  }
}

// All that leads there by the memory's own address may lead anywhere in it.
TEST_F(Alignment, ByItsOwnAddressAllMayBeReached) {
  const std::string Take = BY_REMAINDER "last = raw; ((char **)p)[-1] = raw;";
  for (llvm::StringRef Use :
       {"see(*(int *)last);", "see(((int *)last)[16]);", "see(*(int *)(last + 64));", "see(*((int **)g)[-1]);"}) {
    std::string Dump = with(Take, Use);
    EXPECT_TRUE(isOpen(Dump)) << Use.str() << Dump;
  }
  std::string Dump = with(BY_REMAINDER "last = raw;", "*(int *)last = 1; see(((int *)g)[-4]);");
  EXPECT_TRUE(isApart(Dump)) << Dump;
}

// Of one memory there may be no two such addresses, since offsets count from each.
TEST_F(Alignment, SeveralInOneMemory) {
  for (llvm::StringRef Take :
       {"raw = malloc(n + 160); p = raw + (64 - (uintptr_t)raw % 64); last = raw + (32 - (uintptr_t)raw % 32);",
        "raw = malloc(n + 160); for (int i = 0; i < 2; i++) { p = raw + (64 - (uintptr_t)raw % 64 + 4 * i);"
        "if (number < n) last = p; }",
        "raw = malloc(n + 160); uintptr_t at = ((uintptr_t)raw + 63) & ~(uintptr_t)63; last = (char *)at;"
        "at += number; p = (char *)at;",
        "raw = malloc(n + 160); for (int i = 0; i < 2; i++) { uintptr_t at = ((uintptr_t)raw + 63 + number) & -64ul;"
        "p = (char *)at; if (i == 0) last = (char *)at; number += 64; }",
        "raw = malloc(n + 160); long i = 0; more: p = raw + (64 - (uintptr_t)raw % 64 + i);"
        "if (!last) { last = p; i = number; goto more; }",
        "raw = malloc(n + 160); volatile long i = 0; if (setjmp(again)) i = number;"
        "p = raw + (64 - (uintptr_t)raw % 64 + i); if (!last) { last = p; longjmp(again, 1); }"}) {
    std::string Dump = with(Take, "see(((struct record *)last)->other);");
    EXPECT_TRUE(isOpen(Dump)) << Take.str() << Dump;
  }
}

// Each time that the memory is made there is one.
TEST_F(Alignment, OneEachTime) {
  std::string Dump = with("for (int i = 0; i < 2; i++) { raw = malloc(n + 80); p = raw + (64 - (uintptr_t)raw % 64);"
                          "if (i == 0) last = p; }",
                          "see(g->other); see(((struct record *)last)->other);");
  EXPECT_TRUE(isApart(Dump)) << Dump;
}

// What the program's own malloc returns may be the same memory each time.
TEST_F(Alignment, OfMemoryThatIsNotMade) {
  const char *Own = "static char pool[9999]; void *malloc(size_t n) { return pool + (n > 99 ? number : 0); }";
  const char *Use = "struct record *h = take(sizeof *h + argc, 32); see(h->other);";
  const char *Take = "raw = malloc(n + align); p = raw + (align - (uintptr_t)raw % align);";
  std::string Dump = with(Take, Use, Own);
  EXPECT_TRUE(isOpen(Dump)) << Dump;
  EXPECT_TRUE(isApart(with(Take, Use)));
  Dump = with("static char pool[9999]; raw = pool; p = raw + (align - (uintptr_t)raw % align);", Use);
  EXPECT_TRUE(isOpen(Dump)) << Dump;
}

// How far another object is from there may be what is added.
TEST_F(Alignment, ByOtherAddresses) {
  const char *Use = "MPI_Request *q = &kept.request;"
                    "MPI_Irecv(b, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, q); see(g->other);";
  for (llvm::StringRef Take :
       {"raw = malloc(n + 80); p = raw + ((uintptr_t)&kept - (uintptr_t)raw);",
        "raw = malloc(n + 80); p = (char *)((uintptr_t)raw + ((uintptr_t)&kept - (uintptr_t)raw));",
        "raw = malloc(n + 80); number = (uintptr_t)&kept - (uintptr_t)raw; p = raw + ((uintptr_t)raw % 64 + "
        "number);"}) {
    std::string Dump = with(Take, Use);
    EXPECT_TRUE(!has(Dump, "closed") || llvm::StringRef(Dump).count("completed by MPI_Wait") == 2)
        << Take.str() << Dump;
  }
}

} // namespace
