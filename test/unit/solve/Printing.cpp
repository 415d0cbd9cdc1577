// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes out of sight when it is printed.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Printing : public ProgramTest {
protected:
  /// Whether a request beside other things in a record can be rewritten, in a program where main does \p Main, and
  /// say() prints its list as \p Print says.
  bool closed(llvm::StringRef Main, llvm::StringRef Print = "vfprintf(stderr, format, list);") {
    std::string Dump = classesOf("a.c", (R"(#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char text[99];
static int seen;
static void say(const char *format, ...) { va_list list; va_start(list, format); )" +
                                         Print + R"( va_end(list); }
struct halo { MPI_Request r; char name[8]; int n; };
int main(int argc, char **argv) {
  struct halo *h = malloc(sizeof *h);
  int b[9];
  MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &h->r);
)" + Main + R"(
  MPI_Wait(&h->r, MPI_STATUS_IGNORE);
})")
                                            .str());
    EXPECT_TRUE(has(Dump, "class 0")) << Dump;
    return has(Dump, "class 0 closed");
  }
};

TEST_F(Printing, ListsByFormatsWithoutAddresses) {
  EXPECT_TRUE(closed("say(\"%s has %d\", h->name, h->n);"));
  EXPECT_TRUE(closed("say(argc > 1 ? \"%s\" : \"%-8s!\", h->name);"));
  EXPECT_TRUE(closed("say(\"100 %% of %*d\", 3, h->n);", "vsnprintf(text, 99, format, list); puts(text);"));
}

TEST_F(Printing, ListsByFormatsWithAddresses) {
  EXPECT_FALSE(closed("say(\"%p\", (void *)h);"));
  EXPECT_FALSE(closed("say(\"%5.3s %-12p\", h->name, (void *)h);"));
  EXPECT_FALSE(closed("say(\"%2$s %1$p\", (void *)h, h->name);"));
  EXPECT_FALSE(closed("say(\"%d%n\", 1, &h->n);"));
  EXPECT_FALSE(closed("say(\"%%p\", h->name);", "vfprintf(stderr, format + 1, list);"));
  EXPECT_TRUE(closed("printf(\"%p\", (void *)b); say(\"%s\", h->name);")) << "of another's format";
}

TEST_F(Printing, ListsByFormatsThatAreNotKnown) {
  EXPECT_FALSE(closed("say(argv[1], h->name);"));
  EXPECT_FALSE(closed("sprintf(text, \"%%%c\", argv[1][0]); say(text, h->name);"));
  EXPECT_FALSE(closed("say(argc > 1 ? \"%s\" : argv[1], h->name);"));
}

TEST_F(Printing, NumbersThatAreAddressesInLists) {
  EXPECT_FALSE(closed("say(\"%ld\", (long)h); b[0] = *(int *)strtol(text, 0, 10);"));
  EXPECT_TRUE(closed("say(\"%ld\", (long)h->n); b[0] = *(int *)strtol(text, 0, 10);"));
}

TEST_F(Printing, HandlesInLists) {
  EXPECT_FALSE(closed("say(\"%d\", h->r); h->r = atoi(text);", "vsnprintf(text, 99, format, list);"));
  EXPECT_TRUE(closed("say(\"%d\", h->r);", "vprintf(format, list);"));
}

TEST_F(Printing, FormatsThatAreNotConstant) {
  EXPECT_TRUE(closed("const char *format = argc > 1 ? \"%s\" : \"%8s\"; printf(format, h->name);"));
  EXPECT_FALSE(closed("const char *format = argc > 1 ? \"%s\" : \"%p\"; printf(format, h->name);"));
  EXPECT_FALSE(closed("printf(argv[1], h->name);"));
}

} // namespace
