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
  /// say() prints its list as \p Print says. A number that is read becomes an address, unless \p Back is false.
  bool closed(llvm::StringRef Main, llvm::StringRef Print = "vfprintf(stderr, format, list);", bool Back = true) {
    std::string Dump = classesOf("a.c", (R"(#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char text[99];
static int seen;
void kept(int);
static void say(const char *format, ...) { va_list list; va_start(list, format); )" +
                                         Print + R"( va_end(list); }
struct halo { MPI_Request r; char name[8]; int n; };
int main(int argc, char **argv) {
  struct halo *h = malloc(sizeof *h);
  int b[9];
  MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &h->r);
)" + Main + (Back ? "b[0] = *(int *)strtol(text, 0, 10);" : "") +
                                         R"(
  MPI_Wait(&h->r, MPI_STATUS_IGNORE);
})")
                                            .str());
    EXPECT_TRUE(has(Dump, "class 0")) << Dump;
    Count = llvm::StringRef(Dump).count("class ");
    return has(Dump, "class 0 closed");
  }
  /// How many classes there are.
  size_t classesIn(llvm::StringRef Main) {
    closed(Main);
    return Count;
  }
  size_t Count = 0;
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
  EXPECT_TRUE(closed("say(\"%p\", (void *)h);", "vfprintf(stderr, format, list);", /*Back=*/false));
  EXPECT_FALSE(closed("say(\"%%p\", h->name);", "vfprintf(stderr, format + 1, list);"));
  EXPECT_TRUE(closed("printf(\"%p\", (void *)b); say(\"%s\", h->name);")) << "of another's format";
}

TEST_F(Printing, ListsByFormatsThatAreNotKnown) {
  EXPECT_FALSE(closed("say(argv[1], h->name);"));
  EXPECT_FALSE(closed("sprintf(text, \"%%%c\", argv[1][0]); say(text, h->name);"));
  EXPECT_FALSE(closed("say(argc > 1 ? \"%s\" : argv[1], h->name);"));
}

TEST_F(Printing, NumbersThatAreAddressesInLists) {
  EXPECT_FALSE(closed("say(\"%ld\", (long)h);"));
  EXPECT_TRUE(closed("say(\"%ld\", (long)h->n);"));
}

TEST_F(Printing, HandlesInLists) {
  EXPECT_TRUE(closed("say(\"%d\", h->r); h->r = atoi(text);", "vsnprintf(text, 99, format, list);"));
  EXPECT_FALSE(closed("say(\"%d\", h->r); kept(atoi(text));", "vsnprintf(text, 99, format, list);"));
  EXPECT_TRUE(closed("say(\"%d\", h->r);", "vprintf(format, list);"));
}

// What comes back goes to an array that moves: the record of its address is the runtime's, and another one is not.
TEST_F(Printing, HandlesThatComeBackIntoArrays) {
  auto ClosedWith = [&](llvm::StringRef Record) {
    return closed(("static int in[9]; static struct { void *at; unsigned long bytes; } " + Record +
                   " __attribute__((used, section(\"mpishm_arrays\"))) = {&in, sizeof in};"
                   "say(\"%d\", h->r); in[argc] = atoi(text);")
                      .str(),
                  "vsnprintf(text, 99, format, list);");
  };
  EXPECT_TRUE(ClosedWith("mpishm_place_in"));
  EXPECT_FALSE(ClosedWith("other"));
}

TEST_F(Printing, FormatsThatAreNotConstant) {
  EXPECT_TRUE(closed("const char *format = argc > 1 ? \"%s\" : \"%8s\"; printf(format, h->name);"));
  EXPECT_FALSE(closed("const char *format = argc > 1 ? \"%s\" : \"%p\"; fprintf(stderr, format, h->name);"));
  EXPECT_FALSE(closed("fprintf(stderr, argv[1], h->name);"));
}

TEST_F(Printing, Characters) {
  const char *Prints[] = {"printf(\"%c\", *((char *)h + argc));", "sprintf(text, \"%c\", *((char *)h + argc));",
                          "char *made; asprintf(&made, \"%c\", *((char *)h + argc));"};
  for (llvm::StringRef Print : Prints)
    EXPECT_TRUE(closed(Print, "", /*Back=*/false)) << Print.str();
  // Bytes that come back may be those of the handle.
  EXPECT_FALSE(
      closed("printf(\"%c\", ((char *)&h->r)[argc]); ((char *)b)[argc] = getchar(); MPI_Wait((MPI_Request *)b, 0);"));
  EXPECT_FALSE(closed("sprintf(text, \"%c\", ((char *)&h->r)[argc]); kept(text[0]);"));
  EXPECT_FALSE(closed("char *made; asprintf(&made, \"%c\", ((char *)&h->r)[argc]); kept(made[0]);"));
}

TEST_F(Printing, CharactersInListsAndFormatsOfTwo) {
  const char *ComesBack = " ((char *)b)[argc] = getchar(); MPI_Wait((MPI_Request *)b, 0);";
  const char *Prints[] = {"say(\"%c\", ((char *)&h->r)[argc]);",
                          "say(argc > 1 ? \"%c\" : \"%d\", ((char *)&h->r)[argc]);",
                          "printf(argc > 1 ? \"%c\" : \"%d\", ((char *)&h->r)[argc]);"};
  for (llvm::StringRef Print : Prints) {
    EXPECT_FALSE(closed((Print + ComesBack).str())) << Print.str();
    EXPECT_TRUE(closed(Print, "vprintf(format, list);", /*Back=*/false)) << Print.str();
  }
  const char *ToText = "vsnprintf(text, 99, format, list);";
  EXPECT_FALSE(
      closed("long at = (long)h; say(\"%c\", ((char *)&at)[argc]); kept(**(int **)text);", ToText, /*Back=*/false));
  EXPECT_TRUE(closed("say(\"%c %s\", h->name[0], h->name);", ToText, /*Back=*/false));
}

TEST_F(Printing, WhatFormatsWrite) {
  // A tag that a format sets where an address leads to.
  const char *Sends =
      "MPI_Send(b, 1, MPI_INT, 0, b[1], MPI_COMM_WORLD); MPI_Recv(b, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, 0);";
  const char *Uses[] = {"say(\"%d%n\", 1, &b[1]);", "fprintf(stderr, argv[1], &b[1]);", "say(argv[1], &b[1]);"};
  for (llvm::StringRef Use : Uses)
    EXPECT_EQ(classesIn(("b[1] = 9;" + Use + Sends).str()), 1U) << Use.str();
  EXPECT_EQ(classesIn((llvm::StringRef("b[1] = 9; say(\"%d\", b[1]);") + Sends).str()), 3U);
}

/// Functions of the program that GNU's C library calls for letters of formats.
TEST_F(Printing, ByFunctionsOfTheProgram) {
  const char *Sends =
      "MPI_Send(b, 1, MPI_INT, 0, b[1], MPI_COMM_WORLD); MPI_Recv(b, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, 0);";
  const char *Uses[] = {"printf(\"%d%Y\", 1, &b[1]);", "say(\"%Y\", &b[1]);", "printf(\"%s\", (char *)&b[1]);"};
  const char *Registers =
      "extern int register_printf_specifier(int, int (*)(FILE *, const void *, const void *const *), "
      "int (*)(const void *, unsigned long, int *, int *)); extern int seven(FILE *, const void *, "
      "const void *const *); register_printf_specifier('Y', seven, 0);";
  for (llvm::StringRef Use : Uses) {
    EXPECT_EQ(classesIn((Registers + llvm::StringRef("b[1] = 9;") + Use + Sends).str()), 1U) << Use.str();
    EXPECT_EQ(classesIn(("b[1] = 9;" + llvm::StringRef("printf(\"%d\", 1);") + Sends).str()), 3U);
  }
}

TEST_F(Printing, ListsThatAreRead) {
  const char *Scans = "vsscanf(text, format, list);";
  EXPECT_TRUE(closed("say(\"%d %7s\", &h->n, h->name);", Scans));
  EXPECT_FALSE(closed("MPI_Request *p; say(\"%p\", &p); MPI_Wait(p, 0); printf(argv[1], h);", Scans));
  EXPECT_FALSE(closed("MPI_Request *p; fprintf(stderr, \"%p\", h); say(argv[1], &p); MPI_Wait(p, 0);", Scans));
}

// A number is read into what stands beside a handle, by a format that a function is handed.
TEST_F(Printing, ReadByFormatsThatAreHandedIn) {
  auto Reads = [&](llvm::StringRef Format) {
    return closed(("const char *format = argc > 1 ? \"%d\" : " + Format + "; sscanf(text, format, &h->n);").str(), "",
                  /*Back=*/false);
  };
  EXPECT_TRUE(Reads("\"%x\""));
  EXPECT_TRUE(Reads("\"%*c%7s\"")) << "text";
  const char *Printed = "printf(\"%p\", (void *)h); MPI_Request *p = 0; sscanf(text, format, &p); MPI_Wait(p, 0);";
  for (llvm::StringRef Format : {"argv[1]", "text", "\"%p\"", "argc > 1 ? \"%d\" : \"%p\"", "\"%d %n\""})
    EXPECT_FALSE(closed(("const char *format = " + Format + ";" + Printed).str(), "", /*Back=*/false)) << Format.str();
}

/// Formats of wide characters are not read, so that they may print and read whatever formats can.
TEST_F(Printing, WideFormats) {
  const char *Wide = "va_end(list); }\n#include <wchar.h>\nstatic wchar_t wide[9];\n"
                     "static void none(const char *format, ...) { va_list list; va_start(list, format);";
  auto ClosedWide = [&](llvm::StringRef Main, bool Back = true) { return closed(Main, Wide, Back); };
  EXPECT_TRUE(ClosedWide("wprintf(L\"%d\\n\", h->n); swprintf(wide, 9, L\"%d\", argc); fputws(wide, stdout);"));
  EXPECT_TRUE(ClosedWide("wprintf(L\"%ls\", wide); wscanf(L\"%d\", &h->n);", /*Back=*/false));
  EXPECT_FALSE(ClosedWide("wprintf(L\"%p\", (void *)h);"));
  EXPECT_FALSE(ClosedWide("wprintf(L\"%ld\", (long)h);"));
  EXPECT_FALSE(ClosedWide("swprintf(wide, 9, L\"%lc\", (wint_t)h->r); kept(wide[0]);"));
  EXPECT_FALSE(ClosedWide("fputwc((wchar_t)h->r, stdout); kept((int)fgetwc(stdin));"));
}

} // namespace
