// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which communicators, requests and messages may be the same, and what becomes of those that leave our sight.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class HandlesTest : public ProgramTest {
protected:
  /// Of a program of one unit whose main has the statements \p Main, from line 4 on, behind \p Before, lines 2 and 3.
  std::string of(llvm::StringRef Main, llvm::StringRef Before = "") {
    return classesOf("a.c",
                     ("void library(MPI_Comm); void library_take(void *); MPI_Comm library_comm(void);\n" + Before +
                      "\nint main(int argc, char **argv) { int b[9]; MPI_Request r, q; MPI_Comm c, d; "
                      "MPI_Message m, n;" +
                      Main + "\n(void)b, (void)r, (void)q, (void)c, (void)d, (void)m, (void)n; return argc; }\n")
                         .str());
  }
  static unsigned count(llvm::StringRef Dump, llvm::StringRef Text) { return Dump.count(Text); }
};

class Communicators : public HandlesTest {};
class Requests : public HandlesTest {};
class Messages : public HandlesTest {};
class Bodies : public HandlesTest {};

} // namespace

#define THE_SEND(comm) "\nMPI_Send(b, 1, MPI_INT, 0, 1, " comm ");"
#define THE_RECV(comm) "\nMPI_Recv(b, 1, MPI_INT, 0, 1, " comm ", MPI_STATUS_IGNORE);"
#define THE_DUP "MPI_Comm_dup(MPI_COMM_WORLD, &c);"
#define THE_IRECV(tag, request) "\nMPI_Irecv(b, 1, MPI_INT, 0, " tag ", MPI_COMM_WORLD, " request ");"
#define THE_WAIT(request) "\nMPI_Wait(" request ", MPI_STATUS_IGNORE);"

TEST_F(Communicators, AreFollowedThroughVariablesAndCallsOfSeveralUnits) {
  add("a.c", "MPI_Comm kept; void exchange(MPI_Comm c);\n"
             "int main(void) { int b[9]; kept = MPI_COMM_WORLD;" THE_RECV("MPI_COMM_WORLD") " exchange(kept); }\n");
  add("b.c", "void exchange(MPI_Comm c) { int b = 0; MPI_Send(&b, 1, MPI_INT, 0, 1, c); }\n");
  EXPECT_EQ(count(classes(), "class"), 1U) << classes();
}

TEST_F(Communicators, HandedToUnseenCodeOpenTheirClass) {
  std::string Dump = of(THE_DUP "library(c);" THE_SEND("c") THE_RECV("c") THE_RECV("MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "the communicator of MPI_Send is handed to 'library'"), 1U) << Dump;
  EXPECT_EQ(count(Dump, "closed"), 1U) << "what a library does with a duplicate does not touch MPI_COMM_WORLD\n"
                                       << Dump;
}

TEST_F(Communicators, UnknownOnesThatAreNotUsedDoNoHarm) {
  std::string Dump = of("c = library_comm(); MPI_Comm_size(c, b);" THE_SEND("MPI_COMM_WORLD"));
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
}

TEST_F(Communicators, DefinedByALibraryAreUnknown) {
  const char *Main = "LIBRARY_COMM = MPI_COMM_WORLD;" THE_SEND("LIBRARY_COMM"); // even when we also store there
  EXPECT_EQ(count(of(Main, "extern MPI_Comm LIBRARY_COMM;"), "open:"), 1U);
  EXPECT_EQ(count(of(Main, "MPI_Comm LIBRARY_COMM;"), "closed"), 1U);
}

TEST_F(Communicators, OfAFunctionThatALibraryMayCallAreUnknown) {
  std::string Dump = of("library_take((void *)back);" THE_RECV("MPI_COMM_WORLD"),
                        "static void back(MPI_Comm c) { int b = 0; MPI_Send(&b, 1, MPI_INT, 0, 1, c); }");
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
  EXPECT_TRUE(has(Dump, "MPI_Send open: the communicator of MPI_Send")) << Dump;
}

TEST_F(Communicators, ThatAreSetNowhere) {
  std::string Dump = of("c = made();" THE_SEND("c") THE_RECV("MPI_COMM_WORLD"),
                        "static MPI_Comm made(void) { MPI_Comm c; return c; }");
  EXPECT_TRUE(has(Dump, "is set nowhere, as far as was read")) << Dump;
  EXPECT_EQ(count(Dump, "class"), 1U) << "it may be any: " << Dump;
}

TEST_F(Communicators, AConditionalOperandBelongsToBoth) {
  std::string Dump = of(THE_DUP THE_SEND("argc > 1 ? c : MPI_COMM_WORLD") THE_RECV("MPI_COMM_WORLD") THE_RECV("c"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(Communicators, TravelInIntegers) {
  // Whatever type MPI_Comm has, as bytes in numbers.
  const char *Before = "static union { MPI_Comm comm; long bytes; } u, v;";
  std::string Dump =
      of("u.comm = MPI_COMM_WORLD; v.bytes = u.bytes;" THE_SEND("v.comm") THE_RECV("MPI_COMM_WORLD"), Before);
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
  Dump = of("v.bytes = (long)library_comm();" THE_SEND("v.comm") THE_RECV("MPI_COMM_WORLD"), Before);
  EXPECT_EQ(count(Dump, "closed"), 0U) << Dump;
}

TEST_F(Communicators, ThatAHelperIsGivenAreNotOne) {
  const char *Main = THE_DUP "helper(&c); d = MPI_COMM_WORLD; helper(&d);" THE_SEND("c") THE_RECV("MPI_COMM_WORLD");
  std::string Dump = of(Main, "static int helper(MPI_Comm *c) { int rank; MPI_Comm_rank(*c, &rank); return rank; }");
  EXPECT_EQ(count(Dump, "class"), 2U) << Dump;
  Dump = of(Main, "static int helper(MPI_Comm *c) { static MPI_Comm last; MPI_Comm old = last; last = *c; *c = old;"
                  " return 0; }"); // it may store MPI_COMM_WORLD there
  EXPECT_NE(count(Dump, "closed"), 2U) << Dump;
}

TEST_F(Communicators, OfAWrapperThatSendsAreOneClass) {
  std::string Dump = of(THE_DUP "wrapped(c); wrapped(MPI_COMM_WORLD);" THE_RECV("c") THE_RECV("MPI_COMM_WORLD"),
                        "static void wrapped(MPI_Comm c) { int b = 0; MPI_Send(&b, 1, MPI_INT, 0, 1, c); }");
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

TEST_F(Communicators, TrustedCallsMayStillStoreThem) {
  const char *Main = THE_DUP "library(c); trusted(&d);" THE_SEND("c") THE_RECV("d"),
             *Before = "void trusted(MPI_Comm *);";
  EXPECT_EQ(count(of(Main, Before), "closed"), 0U);
  ir::ClassesOptions Options;
  Options.TrustedCalls = {"library", "trusted"};
  std::string Dump = classes(Options);
  EXPECT_TRUE(has(classWith(Dump, "MPI_Recv"), "MPI_Recv open: the communicator of MPI_Recv")) << Dump;
  EXPECT_FALSE(has(Dump, "is handed to 'library'")) << Dump;
}

TEST_F(Requests, ThatALibraryKeepsOpenTheirClass) {
  std::string Dump =
      of(THE_IRECV("1", "library_request()") THE_SEND("MPI_COMM_WORLD"), "MPI_Request *library_request(void);");
  EXPECT_EQ(count(Dump, "closed"), 0U) << Dump;
}

TEST_F(Requests, ReachCompletionCallsInOtherUnits) {
  add("a.c", "MPI_Request kept[2]; void finish(MPI_Request *r);\n"
             "int main(void) { MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, kept); finish(kept); }\n");
  add("b.c", "void finish(MPI_Request *r) { MPI_Request other = MPI_REQUEST_NULL;\n"
             "MPI_Wait(r, MPI_STATUS_IGNORE);\nMPI_Wait(&other, MPI_STATUS_IGNORE); }\n");
  std::string Dump = classes();
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:3\n")) << Dump;
  EXPECT_TRUE(has(Dump, "closed")) << Dump;
}

// Which requests a completion is given that is not followed nobody knows: it may be that of each operation.
TEST_F(Requests, AreOfEachCompletionThatIsNotFollowed) {
  std::string Dump = of(THE_IRECV("1", "&r") THE_WAIT("&r") " q = (MPI_Request)(long)argv[argc][0];" THE_WAIT("&q"));
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait:6 completed by MPI_Wait:7 open: it is not known")) << Dump;
}

// Of calls by a function's address, which no name stands for.
TEST_F(Requests, OfCallsWithoutANameReachCompletionsToo) {
  of("int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) = argc ? MPI_Irecv : 0;"
     "\nreceive(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);" THE_WAIT("&r"));
  std::vector<const ir::Unit *> All = {&Units.front()};
  ir::ValueClasses Found = ir::findClasses(All, {});
  ASSERT_EQ(Found.Classes.size(), 1U);
  EXPECT_TRUE(Found.Classes.front().Members.empty());
  ASSERT_EQ(Found.Classes.front().Whys.size(), 1U);
  EXPECT_EQ(Found.Classes.front().Whys.front().Of, ir::Refusal::Subject::FunctionAsValue);
  ASSERT_EQ(Found.Classes.front().Completions.size(), 1U);
  EXPECT_EQ(Found.Classes.front().Completions.front()->begin()->Function, "MPI_Wait");
  EXPECT_EQ(Found.Reached.size(), 1U) << "and MPI_Irecv, which has no name there";
}

TEST_F(Requests, HandedToAFunctionPointerThatNobodySets) {
  const char *Main = THE_IRECV("1", "&r") " if (hook) hook(&r);" THE_WAIT("&r");
  EXPECT_EQ(count(of(Main, "static void (*hook)(MPI_Request *);"), "closed"), 1U);
  EXPECT_EQ(count(of(Main, "extern void (*hook)(MPI_Request *);"), "closed"), 0U);
  of(Main, "void (*hook)(MPI_Request *);");
  EXPECT_EQ(count(classes(), "closed"), 1U);
  ir::ClassesOptions Options;
  Options.IsWhole = false; // who sets it may be out of sight
  EXPECT_EQ(count(classes(Options), "closed"), 0U) << classes(Options);
}

#define THE_MPROBE(tag, message) "\nMPI_Mprobe(0, " tag ", MPI_COMM_WORLD, " message ", MPI_STATUS_IGNORE);"
#define THE_MRECV(message) "\nMPI_Mrecv(b, 1, MPI_INT, " message ", MPI_STATUS_IGNORE);"

TEST_F(Messages, ThatEscapeFromACopy) {
  std::string Dump = of(THE_MPROBE("1", "&m") " n = m; library_take(&n);" THE_MRECV("&m"));
  EXPECT_EQ(count(Dump, "closed"), 0U) << Dump;
  EXPECT_TRUE(has(Dump, "the message of MPI_Mprobe is in variable 'n', which is handed to 'library_take'")) << Dump;
}

TEST_F(Messages, OfTrustedCallsDoNotEscape) {
  EXPECT_EQ(count(of(THE_MPROBE("1", "&m") " keep(m);" THE_MRECV("&m"), "void keep(MPI_Message);"), "closed"), 0U);
  ir::ClassesOptions Options;
  Options.TrustedCalls = {"keep"};
  EXPECT_EQ(count(classes(Options), "closed"), 1U) << classes(Options);
}

TEST_F(Messages, OfAnotherProbeDoNotMatter) {
  std::string Dump = of(THE_MPROBE("1", "&m") THE_MRECV("&m") THE_MPROBE("2", "&n") " library_take(&n);");
  EXPECT_EQ(count(Dump, "closed"), 1U) << Dump;
}

TEST_F(Messages, AndNullAreNoOther) {
  std::string Dump =
      of("n = MPI_MESSAGE_NO_PROC; m = MPI_MESSAGE_NULL;" THE_MPROBE("1", "&m") THE_MRECV("&m") THE_MRECV("&n"));
  EXPECT_FALSE(has(Dump, "open")) << Dump;
}

// MPI hands a communicator to the program's functions for its errors and attributes, also to those that it has from
// the one that it was made of.
TEST_F(Communicators, ThatMpiHandsToFunctions) {
  const char *Before = "static void handle(MPI_Comm *of, int *code, ...) { int b[9]; (void)code;" THE_SEND(
      "*of") " }"
             "static int drop(MPI_Comm of, int key, void *value, void *extra) { int b[9];" THE_SEND(
                 "of") " return 0; }\n";
  for (const char *Main :
       {"MPI_Errhandler e; MPI_Comm_create_errhandler(handle, &e);" THE_DUP "MPI_Comm_set_errhandler(c, e);"
        "MPI_Comm_call_errhandler(c, 7);" THE_RECV("c"),
        "MPI_Errhandler e; MPI_Comm_create_errhandler(handle, &e); MPI_Comm_set_errhandler(MPI_COMM_WORLD, e);" THE_DUP
            THE_RECV("c"),
        "MPI_Errhandler e; MPI_Comm_create_errhandler(handle, &e); MPI_Comm_set_errhandler(MPI_COMM_WORLD, "
        "e);" THE_RECV("MPI_COMM_WORLD"),
        "int key; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, 0);" THE_DUP
        "MPI_Comm_set_attr(c, key, b);" THE_RECV("c"),
        "int key; MPI_Comm_create_keyval(MPI_COMM_DUP_FN, drop, &key, 0); MPI_Comm_set_attr(MPI_COMM_WORLD, key, "
        "b);" THE_DUP THE_RECV("c")}) {
    std::string Dump = of(Main, Before);
    EXPECT_TRUE(has(classWith(Dump, "MPI_Recv"), "MPI_Send") && !has(classWith(Dump, "MPI_Recv"), "closed"))
        << Main << Dump;
  }
}

TEST_F(Messages, OfOneVariableJoinTheirClasses) {
  std::string Dump = of("if (argc) {" THE_MPROBE("1", "&m") "} else {" THE_MPROBE("2", "&m") "}" THE_MRECV("&m"));
  EXPECT_EQ(count(Dump, "class"), 1U) << Dump;
}

// Two units may have bodies of one function that differ, as that of a header under a macro: either may be the one.
TEST_F(Bodies, TheWorstCounts) {
  const char *Main = "void finish(MPI_Request *r);\nint main(void) { MPI_Request r;"
                     "MPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r); finish(&r);"
                     "MPI_Wait(&r, MPI_STATUS_IGNORE); }\n";
  const char *Good = "__attribute__((weak)) void finish(MPI_Request *r) { (void)r; }\n";
  const char *Bad =
      "void library_take(void *); __attribute__((weak)) void finish(MPI_Request *r) { library_take(r); }\n";
  for (auto [First, Second] : {std::pair(Good, Bad), std::pair(Bad, Good)}) {
    Units.clear();
    add("main.c", Main);
    add("first.c", First);
    add("second.c", Second);
    EXPECT_TRUE(has(classes(), "is handed to 'library_take'")) << classes();
  }
  Units.clear();
  add("main.c", Main);
  add("first.c", Good);
  EXPECT_TRUE(has(classes(), "closed")) << classes();
}
