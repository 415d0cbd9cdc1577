// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks and tags.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Integers : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Integers, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Integers, Constants) {
  Facts F = collect(Language::Cxx, R"(
    enum Tags { LEFT = 10, RIGHT, ANY = MPI_ANY_TAG };
    const int base = 40;
    constexpr int next() { return 3; }
    void f(int *b, MPI_Comm c) {
      MPI_Send(b, 1, MPI_INT, 0, LEFT, c);
      MPI_Send(b, 1, MPI_INT, 0, RIGHT + 1, c);
      MPI_Send(b, 1, MPI_INT, 0, base + 2, c);
      MPI_Send(b, 1, MPI_INT, 0, base, c);
      MPI_Send(b, 1, MPI_INT, 0, ANY, c);
      MPI_Send(b, 1, MPI_INT, 0, sizeof(char), c);
    })");
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:7:7 editable in f comm=[parameter 'c' of f] peer=0 tag=10"));
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:8:7 editable in f comm=[parameter 'c' of f] peer=0 tag=12"));
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:9:7 editable in f comm=[parameter 'c' of f] peer=0 tag=42"));
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:10:7 editable in f comm=[parameter 'c' of f] peer=0 tag=[base]"));
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:11:7 editable in f comm=[parameter 'c' of f] peer=0 tag=AnyTag"));
  EXPECT_TRUE(F.has("call MPI_Send at unit.cpp:12:7 editable in f comm=[parameter 'c' of f] peer=0 tag=1")) << F.dump();
  EXPECT_TRUE(F.mayBe("base", "40"));
}

TEST_P(Integers, LoopsAndArithmetic) {
  Facts F = collect(Language::C, R"(void f(int step) {
    int tag, sum = 3, rank, plain = 9;
    for (tag = 5; tag < step; tag++) sum += step;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  })");
  EXPECT_TRUE(F.mayBe("tag", "5"));
  EXPECT_TRUE(F.mayBe("tag", "Computed"));
  EXPECT_TRUE(F.mayBe("sum", "Computed"));
  EXPECT_TRUE(F.mayBe("rank", "Computed"));
  EXPECT_FALSE(F.mayBe("plain", "Computed"));
  EXPECT_FALSE(F.mayBe("rank", "AnySource"));
}

TEST_P(Integers, WildcardsAreFollowed) {
  Facts F = collect(Language::C, R"(
    struct Message { int source, tag; };
    static int choose(int any) { return any ? MPI_ANY_SOURCE : 3; }
    void f(struct Message *m, int n) {
      int source = choose(n), copy = source, kept = n, sum = 0 + source;
      short narrow = MPI_ANY_TAG;
      m->tag = narrow;
      if (kept == MPI_ANY_SOURCE) kept = 2;
    })");
  EXPECT_TRUE(F.mayBe("copy", "AnySource"));
  EXPECT_TRUE(F.mayBe("sum", "AnySource"));
  EXPECT_TRUE(F.mayBe("Message.tag", "AnyTag"));
  EXPECT_FALSE(F.mayBe("kept", "AnySource")) << "only compared";
  EXPECT_FALSE(F.mayBe("Message.source", "AnySource"));
}

TEST_P(Integers, WildcardsInStorageThatIsNotFollowed) {
  Facts F = collect(Language::C, R"(
    void f(signed char *bytes, double *numbers, int plain) {
      *bytes = MPI_ANY_TAG;
      int read = *bytes, tag = plain;
      int from = (int)numbers[0];
    })");
  EXPECT_TRUE(F.mayBe("an integer that cannot be followed", "AnyTag")) << F.dump();
  EXPECT_TRUE(F.mayBe("read", "AnyTag")) << F.dump();
  EXPECT_FALSE(F.mayBe("tag", "AnyTag"));
}

TEST_P(Integers, CountersOfShortLoops) {
  Facts F = collect(Language::C, R"(
    void use(int *);
    void f(int n) {
      int counted, escaped, changed, twice = 1;
      for (counted = 0; counted < 3; counted++) n += counted;
      for (escaped = 0; escaped < 3; escaped++) use(&escaped);
      for (changed = 0; changed < 3; changed++) if (n) changed = 7;
      for (int many = 0; many < 1000; ++many) n += many;
      for (int last = 2; last <= 4; ++last) n += 2 * last;
      for (; twice < 3; ++twice) n += twice;
    })");
  for (const char *Value : {"0", "1", "2", "3"})
    EXPECT_TRUE(F.mayBe("counted", Value)) << Value;
  EXPECT_FALSE(F.mayBe("counted", "4"));
  EXPECT_FALSE(F.mayBe("counted", "Computed"));
  EXPECT_TRUE(F.mayBe("last", "5"));
  EXPECT_FALSE(F.mayBe("last", "Computed"));
  for (const char *Name : {"escaped", "changed", "many", "twice"})
    EXPECT_TRUE(F.mayBe(Name, "Computed")) << Name;
}

TEST_P(Integers, Sums) {
  Facts F = collect(Language::C, R"(
    #define BASE 100
    void f(int dir, unsigned wide, long step) {
      int tag = BASE + 2 * dir + 1, minus = -(dir - 3), rest = dir % 2, other = 1 + (int)wide, far = 2 * (int)step;
      int wild = MPI_ANY_TAG + dir;
    })");
  EXPECT_TRUE(F.has("sum [a sum] <- 101 + 2 * [parameter 'dir' of f]")) << F.dump();
  EXPECT_TRUE(F.has("sum [a sum] <- 3 + -1 * [parameter 'dir' of f]")) << F.dump();
  for (const char *Name : {"tag", "minus", "rest", "other", "far"})
    EXPECT_TRUE(F.mayBe(Name, "Computed")) << Name << "\n" << F.dump();
  EXPECT_TRUE(F.mayBe("wild", "AnyTag")) << F.dump();
}

TEST_P(Integers, MemoryOfOtherTypes) {
  Facts F = collect(Language::C, R"(
    #include <string.h>
    struct Setup { int tag; MPI_Comm comm; };
    void f(struct Setup *s, struct Setup *t, int n) {
      int tag = 7, other = 8;
      MPI_Send(&tag, 1, MPI_INT, 0, other, MPI_COMM_WORLD);
      MPI_Recv(s, sizeof *s, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    })");
  EXPECT_TRUE(F.mayBe("tag", "Computed"));
  EXPECT_FALSE(F.mayBe("other", "Computed"));
  EXPECT_TRUE(F.mayBe("Setup.tag", "Computed")) << F.dump();
}

TEST_P(Integers, ZeroedMemory) {
  Facts F = collect(Language::C, R"(
    #include <stdlib.h>
    #include <string.h>
    struct A { int tag; }; struct B { int tag; }; struct C { int tag; }; struct D { int tag; };
    static struct A a;
    static int global;
    void f(struct C *c) {
      struct B *b = calloc(1, sizeof *b);
      struct D *d = malloc(sizeof *d);
      memset(c, 0, sizeof *c);
    })");
  EXPECT_TRUE(F.mayBe("A.tag", "0"));
  EXPECT_TRUE(F.mayBe("B.tag", "0"));
  EXPECT_TRUE(F.mayBe("C.tag", "0"));
  EXPECT_TRUE(F.mayBe("global", "0"));
  EXPECT_FALSE(F.mayBe("D.tag", "0"));
  EXPECT_FALSE(F.mayBe("B.tag", "Computed"));
}

TEST_P(Integers, Statuses) {
  Facts F = collect(Language::C, R"(
    void f(MPI_Status *s) { int source = s->MPI_SOURCE, tag = s[1].MPI_TAG; }
  )");
  EXPECT_TRUE(F.mayBe("source", "Computed"));
  EXPECT_TRUE(F.mayBe("tag", "Computed"));
}

TEST_P(Integers, Scanned) {
  Facts F = collect(Language::C, R"(
    #include <stdio.h>
    void f(void) { int tag = 1, other = 1; scanf("%d", &tag); printf("%d", other); }
  )");
  EXPECT_TRUE(F.mayBe("tag", "Computed"));
  EXPECT_FALSE(F.mayBe("other", "Computed"));
}

TEST_P(Integers, ConstantsOfAllSizes) {
  Facts F = collect(Language::C, R"(
    enum Big { BIG = 0xcbf29ce484222325UL };
    void f(void) { unsigned long hash = 0xcbf29ce484222325UL, other = BIG; long small = -5; }
  )");
  EXPECT_TRUE(F.mayBe("hash", "Computed")) << F.dump();
  EXPECT_TRUE(F.mayBe("other", "Computed")) << F.dump();
  EXPECT_TRUE(F.mayBe("small", "-5")) << F.dump();
}
