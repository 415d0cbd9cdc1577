// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of windows: the calls that make one, and all that is done on it.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

#define CREATE(Win) "MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &" Win ");"
#define PUT(Win) "MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, " Win ");"
#define GET(Win) "MPI_Get(&y, 1, MPI_INT, 0, 0, 1, MPI_INT, " Win ");"

class Windows : public ProgramTest {
protected:
  std::string classesIn(llvm::StringRef Body, llvm::StringRef Before = "") {
    return classesOf("a.c",
                     ("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint memory[9], x, y, flag;" +
                      Before + "\nint main(int argc, char **argv) { MPI_Win win, other; MPI_Aint size = 4;" +
                      "MPI_Request r; void *base;" + Body + "\nreturn 0; }\n")
                         .str());
  }
  /// All of \p Calls are in one class, which is closed.
  static void expectClosed(const std::string &Dump, const std::vector<std::string> &Calls) {
    std::string Class = classWith(Dump, Calls.front());
    EXPECT_TRUE(has(Class, "closed")) << Dump;
    for (const std::string &Call : Calls)
      EXPECT_TRUE(has(Class, " " + Call)) << Call << "\n" << Dump;
  }
  /// All of \p Calls are in open classes.
  static void expectOpen(const std::string &Dump, const std::vector<std::string> &Calls) {
    for (const std::string &Call : Calls) {
      std::string Class = classWith(Dump, Call);
      EXPECT_TRUE(has(Class, Call) && !has(Class, "closed")) << Call << "\n" << Dump;
    }
  }
};

// At an address that was made of a number, or of a known one.
TEST_F(Windows, AtAddressesMadeOfNumbersMayBeAny) {
  expectOpen(classesIn("MPI_Win third, *at[2]; unsigned long n = (unsigned long)&win, m = 0;" CREATE("win") CREATE(
                 "third") "for (int i = 0; i < 64; i++) if (n >> i & 1) m |= 1ul << i;"
                          "at[0] = at[1] = &third; at[argc & 1] = (MPI_Win *)m;" PUT("*at[0]") GET("win")),
             {"MPI_Put", "MPI_Get"});
}

TEST_F(Windows, AreFollowed) {
  expectClosed(classesIn(CREATE("win") "MPI_Win_fence(0, win);" PUT("win") "MPI_Win_free(&win);"),
               {"MPI_Win_create", "MPI_Win_fence", "MPI_Put", "MPI_Win_free"});
  // In records, arrays and through functions.
  const char *Before =
      "struct field { int n; MPI_Win win; } *f; MPI_Win all[3];"
      "static void put(struct field *at) { " PUT("at->win") " }"
                                                            "static MPI_Win *of(int i) { return &all[i]; }";
  std::string Dump = classesIn("f = malloc(sizeof *f); for (int i = 0; i < argc; i++) MPI_Win_allocate(4, 4,"
                               "MPI_INFO_NULL, MPI_COMM_WORLD, &base, of(i));" CREATE("f->win") "put(f);" GET(
                                   "all[1]") "MPI_Win_free(of(2)); MPI_Win_free(&f->win);",
                               Before);
  expectClosed(Dump, {"MPI_Win_create", "MPI_Put", "MPI_Win_free"});
  expectClosed(Dump, {"MPI_Win_allocate", "MPI_Get", "MPI_Win_free"});
  EXPECT_FALSE(has(classWith(Dump, "MPI_Win_create"), "MPI_Get")) << Dump;
}

TEST_F(Windows, OfSeveralMakersAreOneClass) {
  std::string Dump =
      classesIn("if (argc > 1) " CREATE("win") " else MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL,"
                                               "MPI_COMM_WORLD, &base, &win);" PUT("win") CREATE("other") GET("other"));
  // One call of MPI_Win_create may be the other, since ranks come to it in different places.
  expectClosed(Dump, {"MPI_Win_create", "MPI_Win_allocate_shared", "MPI_Put", "MPI_Get"});
  Dump = classesIn("MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);" PUT("win") CREATE("other")
                       GET("other"));
  expectClosed(Dump, {"MPI_Win_allocate", "MPI_Put"});
  EXPECT_FALSE(has(classWith(Dump, "MPI_Put"), "MPI_Get")) << Dump;
}

TEST_F(Windows, RequestsReachTheirCompletions) {
  std::string Dump = classesIn(CREATE("win") "MPI_Rput(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r);"
                                             "MPI_Wait(&r, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(classWith(Dump, "MPI_Rput"), "MPI_Rput completed by MPI_Wait")) << Dump;
  Dump = classesIn(CREATE("win") "MPI_Rget(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r); library(&r);",
                   "void library(MPI_Request *);");
  expectOpen(Dump, {"MPI_Rget", "MPI_Win_create"});
}

TEST_F(Windows, ThatLeaveSightAreOpen) {
  expectOpen(classesIn(CREATE("win") PUT("win") "library(win);", "void library(MPI_Win);"),
             {"MPI_Win_create", "MPI_Put"});
  expectOpen(classesIn(CREATE("win") PUT("win") "int f = MPI_Win_c2f(win); library(f);", "void library(int);"),
             {"MPI_Win_create", "MPI_Put"});
  // What code out of sight has stored, or gives.
  expectOpen(classesIn("library(&win);" PUT("win"), "void library(MPI_Win *);"), {"MPI_Put"});
  std::string Dump = classesIn(CREATE("other") GET("other") "win = library();" PUT("win"), "MPI_Win library(void);");
  expectOpen(Dump, {"MPI_Put"});
  expectClosed(Dump, {"MPI_Win_create", "MPI_Get"});
  // What it is known by, it may have been made.
  Dump = classesIn(CREATE("other") GET("other") "keep(other); win = library();" PUT("win"),
                   "MPI_Win library(void); void keep(MPI_Win);");
  expectOpen(Dump, {"MPI_Put", "MPI_Get", "MPI_Win_create"});
}

TEST_F(Windows, ThatAreNumbersAreOpen) {
  expectOpen(classesIn("scanf(\"%d\", (int *)&win);" PUT("win") CREATE("other") GET("other")),
             {"MPI_Put", "MPI_Get", "MPI_Win_create"});
  expectClosed(classesIn(CREATE("win") PUT("win") "printf(\"%d\", (int)(long)win);"), {"MPI_Win_create", "MPI_Put"});
  std::string Dump =
      classesIn(CREATE("win") "unsigned long n = (unsigned long)win ^ 5; other = (MPI_Win)(n ^ 5);" PUT("other"));
  EXPECT_TRUE(has(classWith(Dump, "MPI_Put"), "MPI_Win_create") || !has(classWith(Dump, "MPI_Put"), "closed")) << Dump;
}

TEST_F(Windows, CommunicatorsThatOthersKnow) {
  expectOpen(classesIn("library(MPI_COMM_WORLD);" CREATE("win") PUT("win"), "void library(MPI_Comm);"),
             {"MPI_Win_create", "MPI_Put"});
  expectOpen(
      classesIn("MPI_Win_create(memory, 4, 4, MPI_INFO_NULL, library(), &win);" PUT("win"), "MPI_Comm library(void);"),
      {"MPI_Win_create", "MPI_Put"});
}

TEST_F(Windows, ThroughMessagesAndAttributes) {
  expectClosed(classesIn(CREATE("win") "MPI_Sendrecv(&win, sizeof win, MPI_BYTE, 0, 3, &other, sizeof other, MPI_BYTE,"
                                       "0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);" PUT("other")),
               {"MPI_Win_create", "MPI_Put"});
  expectClosed(
      classesIn(CREATE("win") "MPI_Win *kept = malloc(8), *found; *kept = win; int key; MPI_Comm_create_keyval("
                              "MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0);"
                              "MPI_Comm_set_attr(MPI_COMM_WORLD, key, kept);"
                              "MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);" PUT("*found")),
      {"MPI_Win_create", "MPI_Put"});
  // Its own, which lead to no window.
  expectClosed(classesIn(CREATE("win") "char name[MPI_MAX_OBJECT_NAME]; MPI_Info info; MPI_Group group;"
                                       "MPI_Win_set_name(win, \"w\"); MPI_Win_get_name(win, name, &flag);"
                                       "MPI_Win_set_info(win, MPI_INFO_NULL); MPI_Win_get_info(win, &info);"
                                       "MPI_Win_get_group(win, &group); int *unit;"
                                       "MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);"
                                       "MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);" PUT("win")),
               {"MPI_Win_create", "MPI_Put", "MPI_Win_get_attr"});
}

TEST_F(Windows, ThatMpiHandsToFunctions) {
  // Only those on which there is something to call them for.
  const char *Before =
      "static int drop(MPI_Win of, int key, void *value, void *extra) { MPI_Win_fence(0, of); return 0; }"
      "static void handle(MPI_Win *of, int *code, ...) { MPI_Win_unlock_all(*of); }";
  std::string Dump =
      classesIn(CREATE("win") PUT("win") "int key; MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop, &key,"
                                         "0); MPI_Win_set_attr(win, key, &x);",
                Before);
  EXPECT_TRUE(has(classWith(Dump, "MPI_Put"), "MPI_Win_fence")) << Dump;
  expectOpen(Dump, {"MPI_Put", "MPI_Win_create"});
  Dump = classesIn(CREATE("win") PUT("win") "MPI_Errhandler own; MPI_Win_create_errhandler(handle, &own);"
                                            "MPI_Win_set_errhandler(win, own);",
                   Before);
  EXPECT_TRUE(has(classWith(Dump, "MPI_Put"), "MPI_Win_unlock_all")) << Dump;
  expectOpen(Dump, {"MPI_Put", "MPI_Win_create"});
}

TEST_F(Windows, OfMpiAlone) {
  std::string Dump = classesIn("MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);"
                               "MPI_Win_attach(win, memory, 4);" PUT("win") "MPI_Win_detach(win, memory);");
  EXPECT_TRUE(has(classWith(Dump, "MPI_Put"), "is of MPI_Win_create_dynamic")) << Dump;
  EXPECT_FALSE(has(Dump, " MPI_Win_create_dynamic\n") || has(Dump, "MPI_Win_attach")) << Dump;
  // What may be given others, too, hands these on.
  expectClosed(classesIn("if (argc > 1) MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win); else " CREATE(
                   "win") PUT("win")),
               {"MPI_Win_create", "MPI_Put"});
  // Also a function that one call of it gives such a window alone, and another call other windows.
  Dump = classesIn(
      "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);" CREATE("other") "put(win); put(other);" GET("win"),
      "static void put(MPI_Win w) {" PUT("w") "}");
  expectClosed(Dump, {"MPI_Win_create", "MPI_Put"});
  expectOpen(Dump, {"MPI_Get"});
}

TEST_F(Windows, ThatAreAskedForMemory) {
#define QUERY(Win) "int u; MPI_Win_shared_query(" Win ", 0, &size, &u, &base);"
  expectClosed(
      classesIn("MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);" QUERY("win") PUT("win")),
      {"MPI_Win_allocate_shared", "MPI_Put"});
  // MPI makes a window of another kind for the runtime.
  std::string Dump =
      classesIn("MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);" QUERY("win") PUT("win"));
  expectOpen(Dump, {"MPI_Win_allocate", "MPI_Put"});
  EXPECT_TRUE(has(Dump, "no counterpart of MPI_Win_shared_query")) << Dump;
}

TEST_F(Windows, FunctionsByTheirAddresses) {
  expectOpen(classesIn(CREATE(
                 "win") "int (*sync)(MPI_Win) = argc > 1 ? MPI_Win_sync : MPI_Win_flush_all; sync(win);" PUT("win")),
             {"MPI_Win_create", "MPI_Put"});
  expectOpen(classesIn("int (*make)(void *, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win *) = argc ? MPI_Win_create : 0;"
                       "make(memory, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);" PUT("win")),
             {"MPI_Put"});
}

TEST_F(Windows, NullIsNoWindow) {
  std::string Dump = classesIn("win = MPI_WIN_NULL; if (argc > 1) " PUT("win") CREATE("other") GET("other"));
  expectClosed(Dump, {"MPI_Win_create", "MPI_Get"});
  // What nothing is seen to set was set by something that is not seen.
  expectOpen(classesIn("static MPI_Win never;" PUT("never") CREATE("other") GET("other")),
             {"MPI_Put", "MPI_Win_create", "MPI_Get"});
}

} // namespace
