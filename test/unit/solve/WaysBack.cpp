// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses, handles and numbers that go out of the analysis's sight in ways that do not look so, and come back. Each
// program has one class, or one that is open.

#include "solve/Requests.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class WaysBack : public ProgramTest {
protected:
  /// The classes of a program: \p Body is a function that is given a request that it has to complete by completing *q.
  std::string classes(llvm::StringRef Name, llvm::StringRef Headers, llvm::StringRef Before, llvm::StringRef Body) {
    return classesOf(Name, (Headers + "\n" + Before +
                            "\nint main(void) { int b[9], t = 3; MPI_Request r, spare, *q = &spare;" + Body +
                            "\nMPI_Wait(q, MPI_STATUS_IGNORE); return t; }\n")
                               .str());
  }
  /// Whether the request of MPI_Irecv is known to reach MPI_Wait, or its class is open.
  static bool isSafe(const std::string &Dump) {
    return has(Dump, "MPI_Irecv") && (has(Dump, "completed by MPI_Wait") || !has(Dump, "closed"));
  }
};

// Where the types of accesses tell nothing, what is moved as a floating-point number may be a handle.
TEST_F(WaysBack, HandlesMovedAsNumbersWithoutAliasing) {
  add("a.c",
      "int main(int n, char **v) { int b[9]; MPI_Request r, q; MPI_Irecv(b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &q);"
      "if (n > 1) { MPI_Wait(&q, MPI_STATUS_IGNORE); " IRECV "*(float *)&q = *(float *)&r; }"
      "MPI_Wait(&q, MPI_STATUS_IGNORE); return 0; }",
      {"-fno-strict-aliasing"});
  std::string Dump = ProgramTest::classes();
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed") && !has(Dump, "MPI_Irecv\n")) << Dump;
}

TEST_F(WaysBack, AddressesThatAreNumbers) {
  std::string Dump = classes("a.c", "", "", IRECV "*(MPI_Request *)0x10000000 = r; q = (MPI_Request *)0x10000000;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

// What was made an address by guess is one still, when it goes on as an integer to where an address is known.
TEST_F(WaysBack, AddressesMadeOfNumbersAgainNumbers) {
  const char *Before = "#include <string.h>\nstatic MPI_Request spare2, *known = &spare2;"
                       "static MPI_Request *guess(void *p) { unsigned long n = (unsigned long)p, m = 0;"
                       "for (int i = 0; i < 64; i++) if (n >> i & 1) m |= 1ul << i;"
                       "return (MPI_Request *)m; }";
  for (const char *Way : {"q = guess(&r);", "long l = (long)guess(&r); memcpy(&known, &l, 8); q = known;",
                          "long l = (long)guess(&r); if (t) l = (long)&spare2; q = (MPI_Request *)l;",
                          "__atomic_store_n(&known, guess(&r), 5); q = known;",
                          "long l = (long)guess(&r) ^ 64; __atomic_store_n((long *)&known, l, 5); q = known + 0;"}) {
    std::string Dump = classes("a.c", "", Before, (IRECV + llvm::Twine(Way)).str());
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
}

TEST_F(WaysBack, AddressesThatAreReadAsNumbers) {
  const char *Before =
      "#include <string.h>\nstatic MPI_Request *p; static long n; static union { MPI_Request *p; long n; } u;"
      "static MPI_Request first, *start = &first; static union { MPI_Request *p; long n; } begun = {&first};"
      "typedef long __attribute__((may_alias)) word;";
  for (const char *Way :
       {"p = &r; memcpy(&n, &p, sizeof n); q = (MPI_Request *)n;", "u.p = &r; q = (MPI_Request *)u.n;",
        "p = &r; for (unsigned i = 0; i < sizeof n; i++) ((char *)&n)[i] = ((char *)&p)[i]; q = (MPI_Request *)n;",
        "p = &r; q = (MPI_Request *)*(word *)&p;", "n = (long)&r; memcpy(&p, &n, sizeof n); q = p;",
        "u.n = (long)&r; q = u.p;", "q = (MPI_Request *)begun.n; *q = r;",
        "memcpy(&n, &start, sizeof n); q = (MPI_Request *)n; *q = r;"}) {
    std::string Dump = classes("a.c", "", Before, (IRECV + llvm::Twine(Way)).str());
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
  for (const char *Flag : {"-fno-strict-aliasing", "-O0", "-O1"}) {
    Units.clear();
    add("a.c",
        "static MPI_Request *p; int main(void) { int b[9]; MPI_Request r, *q;" IRECV
        "p = &r; q = (MPI_Request *)*(long *)&p; MPI_Wait(q, MPI_STATUS_IGNORE); return 0; }",
        {"-O2", Flag});
    std::string Dump = ProgramTest::classes();
    EXPECT_TRUE(isSafe(Dump)) << Flag << Dump;
  }
}

// A number of 32 bits is no address, but what is left of one in 32 bits is followed.
TEST_F(WaysBack, AddressesIn32Bits) {
  for (const char *Way : {"q = (MPI_Request *)(long)(int)(long)&r;", "int n = (int)(long)&r; q = (void *)(long)n;",
                          "unsigned n[2] = {(long)&r}; q = (void *)(unsigned long)n[t - 3];"}) {
    std::string Dump = classes("a.c", "", "", (IRECV + llvm::Twine(Way)).str());
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
}

TEST_F(WaysBack, AddressesInParts) {
  const std::pair<const char *, const char *> Ways[] = {
      {"#include <stdio.h>", IRECV "unsigned long h, l, n = (unsigned long)&r; char s[40];"
                                   "sprintf(s, \"%lx %lx\", n >> 20, n & 0xfffff); sscanf(s, \"%lx %lx\", &h, &l);"
                                   "q = (MPI_Request *)(h << 20 | l);"},
      {"#include <stdlib.h>", IRECV "unsigned long n = (unsigned long)&r; unsigned short s[3] = {n, n >> 16, n >> 32},"
                                    "*o; seed48(s); o = seed48(s);"
                                    "q = (MPI_Request *)(o[0] | (long)o[1] << 16 | (long)o[2] << 32);"}};
  for (auto [Header, Way] : Ways) {
    std::string Dump = classes("a.c", Header, "", Way);
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
}

TEST_F(WaysBack, AddressesByBranches) {
  std::string Dump = classes("a.c", "", "",
                             IRECV "unsigned long n = (unsigned long)&r, m = 0; for (int i = 0; i < 64; i++)"
                                   "if (n >> i & 1) m |= 1ul << i; if (t) q = (MPI_Request *)m;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
  Dump = classes("a.c", "", "",
                 "unsigned long n = (unsigned long)&t, m = 0; for (int i = 0; i < 64; i++) if (n >> i & 1)"
                 "m |= 1ul << i; *(int *)m = 7; MPI_Send(b, 1, MPI_INT, 0, t, MPI_COMM_WORLD);"
                 "MPI_Recv(b, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(Dump, "closed")) << Dump;
}

TEST_F(WaysBack, BytesThatBecomeAnAddress) {
  std::string Dump = classes("a.c", "#include <stdio.h>", "",
                             IRECV "MPI_Request *p = &r, *back; FILE *f = fopen(\"x\", \"r+\"); unsigned i;"
                                   "for (i = 0; i < sizeof p; i++) fputc(((char *)&p)[i], f); rewind(f);"
                                   "for (i = 0; i < sizeof p; i++) ((char *)&back)[i] = (char)fgetc(f); q = back;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
  Dump = classes("a.c", "#include <stdio.h>", "",
                 IRECV "MPI_Request *p = &r, *back = &spare; unsigned i; for (i = 0; i < sizeof p; i++)"
                       "putchar(((char *)&p)[i]); for (i = 0; i < sizeof p; i++) ((char *)&back)[i] = (char)getchar();"
                       "q = back;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, StreamsInMemory) {
  for (const char *Open : {"char *text; size_t n; FILE *f = open_memstream(&text, &n);",
                           "char text[80]; FILE *f = fmemopen(text, 80, \"w\");",
                           "char text[4096]; FILE *f = fopen(\"x\", \"w\"); setvbuf(f, text, _IOFBF, 4096);",
                           "char text[BUFSIZ]; FILE *f = fopen(\"x\", \"w\"); setbuf(f, text);"}) {
    std::string Dump = classes("a.c", "#include <stdio.h>\n#include <string.h>", "",
                               (llvm::Twine(IRECV "MPI_Request *p = &r, *back;") + Open +
                                "fwrite(&p, sizeof p, 1, f); fflush(f); memcpy(&back, text, sizeof back); q = back;")
                                   .str());
    EXPECT_TRUE(isSafe(Dump)) << Open << Dump;
  }
}

// What is printed elsewhere is in them no more than in other files.
TEST_F(WaysBack, MemoryOfAFileHoldsWhatWentOut) {
  auto Of = [&](llvm::StringRef Use) {
    return classes("a.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>",
                   "static struct { int *of; MPI_Request r; } kept; static char text[80]; int *seen;",
                   ("FILE *f = fmemopen(text, 80, \"r+\"); MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &kept.r);"
                    "q = &kept.r; printf(\"%p\", (void *)&kept);" +
                    Use)
                       .str());
  };
  for (llvm::StringRef Use : {"fprintf(f, \"%d\", t); t = text[3];", "fwrite(&t, 4, 1, f); t = atoi(text);"}) {
    std::string Dump = Of(Use);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait:7\n")) << Use.str() << Dump;
  }
  for (llvm::StringRef Use :
       {"q = &spare; fwrite(&kept.r, 4, 1, f); b[1] = *(int *)text; MPI_Wait((MPI_Request *)&b[1], 0);",
        "q = &spare; memcpy(text, &kept.r, 4); b[1] = getw(f); MPI_Wait((MPI_Request *)&b[1], 0);",
        "int **p = (int **)text; *p = (int *)&kept.r; fread(&seen, 8, 1, f); q = (MPI_Request *)seen;",
        "seen = (int *)&kept.r; fwrite(&seen, 8, 1, f); q = *(MPI_Request **)text;",
        "unsigned long n = strtoul(text, 0, 16); q = (MPI_Request *)n;"}) {
    std::string Dump = Of(Use);
    EXPECT_TRUE(isSafe(Dump)) << Use.str() << Dump;
  }
}

TEST_F(WaysBack, Distances) {
  std::string Dump =
      classes("a.c", "", "", IRECV "long n = (char *)&r - (char *)&t; q = (MPI_Request *)((char *)&t + n);");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
  Dump = classes("a.c", "", "", IRECV "long n = (char *)&r - (char *)0; q = (MPI_Request *)n;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
  // Within one object it is a number like others.
  Dump = classes("a.c", "", "",
                 IRECV "MPI_Request a[3]; a[1] = r; MPI_Request *e = &a[2]; long n = e - &a[1]; q = &spare + n - n;"
                       "q = &a[n];");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

// What code out of sight has is all alike, and is not told apart again however often it is looked at.
TEST_F(WaysBack, DistancesOfWhatHasEscaped) {
  std::string Dump = classes("escaped.c", "void library_take(char *);",
                             "static char one[8], two[8], more[8], last[8]; volatile int way;",
                             "library_take(one); library_take(two); char *p = way ? one : more;"
                             "t += (int)(p - (way ? two : last)); MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, q);");
  EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Dump;
}

TEST_F(WaysBack, AlignedAddressesStayInTheirObject) {
  std::string Dump = classes("a.c", "#include <stdint.h>\n#include <stdlib.h>", "",
                             "char *m = malloc(99); q = (MPI_Request *)(((uintptr_t)m + 63) & ~(uintptr_t)63);"
                             "MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, q);");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

// What is left of an address when it is divided is an index, as a table uses it that finds places by addresses.
TEST_F(WaysBack, RemaindersOfAddressesAreIndices) {
  const char *Before = "#include <stdlib.h>\nvoid see(void *); static MPI_Request kept[9], seen[9];";
  auto Of = [&](llvm::StringRef Index) {
    return classes("a.c", "", Before,
                   ("unsigned long n = 9, w = (unsigned long)b; if (b[1]) n = strtoul(\"8\", 0, 10);"
                    "see(seen); q = kept + " +
                    Index + "; MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, q);")
                       .str());
  };
  for (const char *Index : {"(unsigned long)seen % 9", "(unsigned long)seen % n", "((unsigned long)seen >> 4) % n",
                            "(unsigned long)seen % n % 7"}) {
    std::string Dump = Of(Index);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Index << Dump;
  }
  for (const char *Index : {"(unsigned long)seen % (1L << 32)", "(unsigned long)seen % -5L", "(unsigned long)seen % w",
                            "((unsigned long)seen - (unsigned long)kept) / 4", "(unsigned long)seen / n"}) {
    std::string Dump = Of(Index);
    EXPECT_FALSE(has(Dump, "closed")) << Index << Dump;
  }
}

// A number that may be where an address is does not become one by being rounded, as it does not by being used.
TEST_F(WaysBack, RoundedAddressesAreAddresses) {
  const char *Before = "#include <stdlib.h>\n#include <string.h>\n"
                       "static struct { char *p; } k; static MPI_Request kept[9];";
  auto Of = [&](llvm::StringRef Rounded, llvm::StringRef More = "") {
    return classes("a.c", "", Before,
                   (More +
                    "long l = 1 << 20; if (b[0]) k.p = (char *)kept; else memcpy(&k, &l, 8); q = (MPI_Request *)(" +
                    Rounded + "); MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, q);")
                       .str());
  };
  for (const char *Rounded : {"((long)(k.p + 4) + 7) & ~7L", "(unsigned long)k.p & -64UL", "(unsigned long)k.p | 1",
                              "((unsigned long)k.p | 3) ^ 3", "((unsigned long)k.p - 1) & ~15UL"}) {
    std::string Dump = Of(Rounded);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Rounded << Dump;
  }
  // More than its lowest bits, or what is no constant.
  for (const char *Rounded : {"((long)k.p & 0xffff) + (1L << 30)", "(unsigned long)k.p & ~0xfffffUL", "(long)k.p ^ l",
                              "(long)k.p + 70000", "~(long)k.p & ~7L"}) {
    std::string Dump = Of(Rounded);
    EXPECT_TRUE(isSafe(Dump)) << Rounded << Dump;
  }
  // By what is known only when the program runs: numbers, or whatever it is in `(p + n) & ~n`.
  const std::string Numbers = "int n; long w; MPI_Comm_size(MPI_COMM_WORLD, &n); w = n; struct { int n; long w; } y[4];"
                              "y[b[0]].n = n; y[b[0]].w = (long)b;";
  for (const char *Rounded :
       {"((unsigned long)k.p + n) & ~(n - 1)", "((unsigned long)k.p + n - 1) & -(long)n",
        "((unsigned long)k.p + w) & ~w", "(unsigned long)k.p & -w", "n + (long)k.p & ~3L",
        "((unsigned long)k.p + y[b[1]].n) & ~y[b[1]].n", "((unsigned long)k.p + y[1].w) & ~y[1].w",
        "((unsigned long)k.p + y[b[1]].w - 1) & -y[b[1]].w", "((long)k.p + (y[2].w - 1)) & ~(y[2].w - 1)"}) {
    std::string Dump = Of(Rounded, Numbers);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Rounded << Dump;
  }
  // By what may be made of another address.
  for (const char *Rounded :
       {"((unsigned long)k.p + y[1].w) & ~y[2].w", "((unsigned long)k.p + ((long)b - (long)k.p)) & ~7L",
        "(unsigned long)k.p & y[1].w", "((unsigned long)k.p + y[1].w) & y[1].w", "((long)k.p + y[1].w) & -y[1].w",
        "((unsigned long)k.p + y[1].w) & ~(y[1].w = (long)kept)"}) {
    std::string Dump = Of(Rounded, Numbers);
    EXPECT_TRUE(isSafe(Dump)) << Rounded << Dump;
  }
  // What moves an address without one of another is a distance, whatever it is.
  for (const char *Moved : {"(unsigned long)k.p + n * sizeof(int)", "(long)k.p + ((long)k.p - (long)kept) + w",
                            "w + (unsigned long)k.p + 4 * (long)n", "(long)k.p - n"}) {
    std::string Dump = Of(Moved, Numbers);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Moved << Dump;
  }
  for (const char *Moved : {"(long)k.p + ((long)b - (long)k.p)", "y[1].w + (long)k.p", "(long)k.p + (l << 20)",
                            "(long)k.p + (long)getenv(\"x\")"}) {
    std::string Dump = Of(Moved, Numbers);
    EXPECT_TRUE(isSafe(Dump)) << Moved << Dump;
  }
  // What was made an address of a number still is one.
  std::string Dump = classes(
      "a.c", "", Before,
      "MPI_Comm_size(MPI_COMM_WORLD, &t); char *p = (char *)((long)t * 4096); q = (MPI_Request *)(((long)p + 7) & ~7L);"
      "MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, q);");
  EXPECT_FALSE(has(classWith(Dump, "MPI_Irecv"), "closed")) << Dump;
}

TEST_F(WaysBack, FromTheEndOfAnArray) {
  const char *Before = "struct s { long n; MPI_Request a[4]; int after; }; struct s s;"
                       "static MPI_Request *before(MPI_Request *e) { return e - 1; }";
  for (const char *End : {"&s.a[t]", "s.a + t", "s.a + 1 + t"}) {
    std::string Dump =
        classes("a.c", "", Before,
                ("MPI_Comm_size(MPI_COMM_WORLD, &t);" IRECV "s.a[3] = r; q = before(" + llvm::Twine(End) + ");").str());
    EXPECT_TRUE(isSafe(Dump)) << Dump;
  }
}

TEST_F(WaysBack, ArraysInRecordsStayApart) {
  for (const char *Element : {"&s.a[i]", "s.a + i", "s.a + 2 + i"}) {
    std::string Dump = classes("a.c", "", "struct s { int before; MPI_Request a[4]; int after; };",
                               ("struct s s; s.before = 5; s.after = 6; for (int i = 0; i < b[8]; i++)"
                                "MPI_Irecv(b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, " +
                                llvm::Twine(Element) +
                                "); q = s.a; MPI_Send(b, 1, MPI_INT, 0, s.before, MPI_COMM_WORLD);"
                                "MPI_Send(b, 1, MPI_INT, 0, s.after, MPI_COMM_WORLD);")
                                   .str());
    EXPECT_TRUE(isSafe(Dump) && has(Dump, "class 2")) << Dump;
  }
}

TEST_F(WaysBack, NamesInAssembly) {
  std::string Dump = classes("a.c", "", "static MPI_Request from, to;",
                             IRECV "from = r; __asm__ volatile(\"mov from(%%rip), %%eax\\nmov %%eax, to(%%rip)\" :::"
                                   "\"rax\"); q = &to;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, Sections) {
  std::string Dump = classes("a.c", "",
                             "extern MPI_Request *__start_set[]; static MPI_Request kept;"
                             "__attribute__((section(\"set\"), used)) static MPI_Request *entry = &kept;",
                             IRECV "kept = r; q = __start_set[0];");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, SymbolsThatAreLookedUp) {
  std::string Dump = classes("a.c", "#define _GNU_SOURCE\n#include <dlfcn.h>", "MPI_Request kept;",
                             IRECV "kept = r; q = dlsym(RTLD_DEFAULT, \"kept\");");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, FunctionsThatAreChosenByTheLinker) {
  std::string Dump = classes("a.c", "",
                             "static MPI_Request kept; static void own(MPI_Request r) { kept = r; }"
                             "static void (*choose(void))(MPI_Request) { return own; }"
                             "void keep(MPI_Request r) __attribute__((ifunc(\"choose\")));",
                             IRECV "keep(r); q = &kept;");
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, RecordsAsVariadicArguments) {
  std::string Dump =
      classes("a.c", "#include <stdarg.h>",
              "struct s { long n[5]; MPI_Request *r; }; static MPI_Request *take(int n, ...) { va_list l;"
              "va_start(l, n); struct s s = va_arg(l, struct s); va_end(l); return s.r; }",
              IRECV "struct s s = {{0}, &r}; q = take(1, s);");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, PointersThatAreThrown) {
  std::string Dump =
      classes("a.cpp", "", "", IRECV "try { throw &r; } catch (MPI_Request *e) { *q = *e; } q = &spare;");
  EXPECT_TRUE(isSafe(Dump)) << Dump;
}

TEST_F(WaysBack, TypesThatReachBack) {
  std::string Dump = classes("a.c", "", "struct s { int t; long n; };",
                             "struct s s = {3, 1}; MPI_Datatype y; MPI_Aint d = -8; int l = 1;"
                             "MPI_Type_create_hindexed(1, &l, &d, MPI_INT, &y); MPI_Type_commit(&y);"
                             "MPI_Recv(&s.n, 1, y, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);"
                             "MPI_Send(b, 1, MPI_INT, 0, s.t, MPI_COMM_WORLD);"
                             "MPI_Recv(b, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(Dump, "class 2")) << Dump;
}

TEST_F(WaysBack, CommunicatorsMadeOfNumbers) {
  std::string Dump = classes("a.c", "", "",
                             "MPI_Comm c, d; MPI_Comm_dup(MPI_COMM_WORLD, &c); unsigned n = (unsigned)(long)c, m = 0;"
                             "for (int i = 0; i < 32; i++) if (n >> i & 1) m |= 1u << i; d = (MPI_Comm)(long)m;"
                             "MPI_Send(b, 1, MPI_INT, 0, 1, c);"
                             "MPI_Recv(b, 1, MPI_INT, 0, 1, d, MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(Dump, "closed")) << Dump;
  // At an address that was made of a number, or of a known one.
  Dump = classes(
      "a.c", "", "",
      "MPI_Comm c, d, *at[2]; MPI_Comm_dup(MPI_COMM_WORLD, &c); MPI_Comm_dup(MPI_COMM_SELF, &d);"
      "unsigned long n = (unsigned long)&c, m = 0;"
      "for (int i = 0; i < 64; i++) if (n >> i & 1) m |= 1ul << i; at[0] = at[1] = &d; at[b[0] & 1] = (MPI_Comm *)m;"
      "MPI_Send(b, 1, MPI_INT, 0, 1, c);"
      "MPI_Recv(b, 1, MPI_INT, 0, 1, *at[0], MPI_STATUS_IGNORE);");
  EXPECT_FALSE(has(classWith(Dump, "MPI_Send"), "closed")) << Dump;
}

TEST_F(WaysBack, AddressesMadeOfTextThatALibraryKeeps) {
  // Written through what the library gives back: the tag may be 59 then.
  std::string Dump = classesOf(
      "a.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <search.h>\n"
             "int main(int n, char **v) { int b[9], tag = 3; char t[40]; ENTRY e = {\"a\", 0}, k = {\"a\", 0};"
             "sprintf(t, \"%ld\", (long)&tag); e.data = (int *)strtol(t, NULL, 10); hcreate(9);"
             "hsearch(e, ENTER); *(int *)hsearch(k, FIND)->data = 59;\n"
             "MPI_Send(b, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);\n"
             "MPI_Recv(b, 1, MPI_INT, 0, 59, MPI_COMM_WORLD, MPI_STATUS_IGNORE); return 0; }\n");
  EXPECT_EQ(llvm::StringRef(Dump).count("class"), 1U) << Dump;
}

TEST_F(WaysBack, MemoryThatOneAddressStandsFor) {
  // Both have escaped long before they come to free.
  std::string Text = "#include <stdlib.h>\nvoid out(void *);\n"
                     "static void *pass(void *p, int n) { return n ? pass(p, n - 1) : p; }\n"
                     "static void *again(void *p, int n) { return n ? again(p, n - 1) : pass(p, n); }\n"
                     "int main(int n, char **v) {\n"
                     "  char *a = malloc(8);\n  char *b = malloc(8);\n out(a); out(b);\n"
                     "  void *x = again(pass(a, n), n), *y = pass(again(b, n), n);\n"
                     "  free(again(n > 3 ? x : y, n));\n}\n";
  Units.clear();
  add("a.c", Text);
  ASSERT_EQ(Units.size(), 1U);
  std::set<unsigned> Released;
  for (const ir::AllocatedMemory &Each : ir::findClasses({&Units[0]}, {}).Released)
    Released.insert(Each.Made.Line);
  EXPECT_EQ(Released, (std::set<unsigned>{7, 8}));
}

TEST_F(WaysBack, FunctionsOfOtherResults) {
  const char *Before = "#include <math.h>\n#include <stdlib.h>\ntypedef void function(void);"
                       "static void *same(void *p) { return p; } static double first(void *p) { return *(double *)p; }"
                       "static function *const all[] = {(function *)same, (function *)first};";
  // A number of floating point is no address that another function of the table returns; an integer may be one.
  std::string Dump = classes("a.c", "", Before, IRECV "t = sqrt(((double (*)(void *))all[atoi(\"1\")])(&r)); q = &r;");
  EXPECT_TRUE(has(classWith(Dump, "MPI_Irecv"), "closed") && isSafe(Dump)) << Dump;
  for (const char *Result : {"void *", "long", "char *"}) {
    Dump = classes("a.c", "", Before,
                   (IRECV "q = (MPI_Request *)((" + llvm::Twine(Result) + "(*)(void *))all[atoi(\"0\")])(&r);").str());
    EXPECT_TRUE(isSafe(Dump)) << Result << Dump;
  }
}

// A library that is told a number may tell of it again; that it writes numbers does not say that these are no handles.
TEST_F(WaysBack, NumbersThatLibrariesTellOfAgain) {
  const char *Headers = "#include <setjmp.h>\n#include <stdio.h>\n#include <string.h>\n#include <time.h>";
  const char *Before = "static MPI_Request seen; static FILE *f;"
                       "static void handle(MPI_Comm *c, int *code, ...) { seen = *code; }";
  for (const char *Way :
       {"fseek(f, (long)(unsigned)r, SEEK_SET); seen = (MPI_Request)ftell(f);",
        "fpos_t p; memset(&p, 0, sizeof p); memcpy(&p, &r, sizeof r); fsetpos(f, &p); fgetpos(f, &p);"
        "memcpy(&seen, &p, sizeof seen);",
        "time_t s = (unsigned)r; struct tm m; gmtime_r(&s, &m); seen = (MPI_Request)timegm(&m);",
        "jmp_buf j; int n = setjmp(j); if (!n) longjmp(j, r); seen = n;",
        "MPI_Status s; MPI_Fint n[20]; s.MPI_ERROR = r; MPI_Status_c2f(&s, n); MPI_Status_f2c(n, &s);"
        "seen = s.MPI_ERROR;",
        "MPI_Datatype d; MPI_Aint l, e; MPI_Type_create_resized(MPI_BYTE, 0, r, &d); MPI_Type_get_extent(d, &l, &e);"
        "seen = (MPI_Request)e;",
        "MPI_File g; MPI_Offset o; MPI_File_open(MPI_COMM_SELF, \"f\", MPI_MODE_RDWR, MPI_INFO_NULL, &g);"
        "MPI_File_seek(g, (unsigned)r, MPI_SEEK_SET); MPI_File_get_position(g, &o); seen = (MPI_Request)o;",
        "MPI_Errhandler e; MPI_Comm_create_errhandler(handle, &e); MPI_Comm_set_errhandler(MPI_COMM_SELF, e);"
        "MPI_Comm_call_errhandler(MPI_COMM_SELF, r);"}) {
    // Beside another request, so that MPI_Wait has one that is known.
    std::string Dump = classes(
        "a.c", ("#define _GNU_SOURCE\n" + llvm::Twine(Headers)).str(), Before,
        ("MPI_Isend(b, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &spare);" IRECV + llvm::Twine(Way) + "if (t) q = &seen;")
            .str());
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
}

// A stream writes to, and reads from, memory that a class of the program's gives it as its text.
TEST_F(WaysBack, TextsOfStreamsOfTheProgram) {
  const char *Before = "struct Own : std::streambuf { char text[64]; Own() { setp(text, text + 64); setg(text, text,"
                       "text + 64); } };";
  for (const char *Way : {"o.write((char *)&r, sizeof r); memcpy(q, own.text, sizeof *q);",
                          "memcpy(own.text, &r, sizeof r); i.read((char *)q, sizeof *q);"}) {
    std::string Dump = classes("a.cpp", "#include <cstring>\n#include <istream>\n#include <ostream>", Before,
                               ("MPI_Isend(b, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &spare);" IRECV
                                "Own own; std::ostream o(&own); std::istream i(&own);" +
                                llvm::Twine(Way))
                                   .str());
    EXPECT_TRUE(isSafe(Dump)) << Way << Dump;
  }
}

} // namespace
