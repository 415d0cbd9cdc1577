// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of matched probes.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

class Messages : public AnyLibrary {};
INSTANTIATE_TEST_SUITE_P(Libraries, Messages, testing::Values(Library::Installed, Library::Pointers));

TEST_P(Messages, AreOperandsOfProbesAndReceives) {
  Facts F = collect(Language::C, R"(
    void f(MPI_Message *m, MPI_Request *r) {
      MPI_Mprobe(0, 1, MPI_COMM_WORLD, m, MPI_STATUS_IGNORE);
      MPI_Imrecv(0, 0, MPI_INT, m, r);
    })");
  EXPECT_TRUE(F.has("object [parameter 'm' of f] message")) << F.dump();
  EXPECT_TRUE(F.has("call MPI_Mprobe at unit.c:4:7 editable in f comm=World peer=0 tag=1 "
                    "message=[parameter 'm' of f]"))
      << F.dump();
  EXPECT_TRUE(F.has("call MPI_Imrecv at unit.c:5:7 editable in f request=[parameter 'r' of f] "
                    "message=[parameter 'm' of f]"))
      << F.dump();
}

TEST_P(Messages, ComparedAndCopiedStayInSight) {
  Facts F = collect(Language::C, R"(
    struct holder { MPI_Message kept; };
    int f(struct holder *h, MPI_Message m) {
      MPI_Message copy = m == MPI_MESSAGE_NO_PROC ? MPI_MESSAGE_NULL : m;
      h->kept = copy;
      return copy == MPI_MESSAGE_NULL;
    })");
  for (const char *Name : {"parameter 'm' of f", "copy", "holder.kept"})
    EXPECT_FALSE(F.escapes(Name)) << Name << "\n" << F.dump();
  EXPECT_TRUE(F.has("flow [copy] <- Null")) << F.dump();
  EXPECT_TRUE(F.has("flow [copy] <- [parameter 'm' of f]")) << F.dump();
  EXPECT_TRUE(F.has("flow [holder.kept] <- [copy]")) << F.dump();
  EXPECT_FALSE(F.has("flow [copy] <- Unknown")) << F.dump();
}

TEST_P(Messages, ThatEscape) {
  Facts F = collect(Language::C, R"(
    #include <stdint.h>
    void keep(void *p);
    void log_all(const char *f, ...);
    void f(MPI_Message a, MPI_Message b, MPI_Message c, MPI_Message d) {
      keep(&a);
      uintptr_t number = (uintptr_t)(void *)&b;
      log_all("x", c);
      int i = MPI_Message_c2f(d);
    })");
  for (const char *Name : {"a", "b", "c", "d"})
    EXPECT_TRUE(F.escapes("parameter '" + std::string(Name) + "' of f")) << Name << "\n" << F.dump();
}

TEST_P(Messages, OfUnknownOrigin) {
  Facts F = collect(Language::C, R"(
    union either { MPI_Message first; int second; };
    void f(int i, char *bytes) {
      MPI_Message a = MPI_Message_f2c(i);
      MPI_Message *b = (MPI_Message *)bytes;
    })");
  EXPECT_TRUE(F.has("flow [a] <- Unknown")) << F.dump();
  EXPECT_TRUE(F.has("flow [b] <-> Unknown")) << F.dump();
  EXPECT_TRUE(F.has("flow [either.first] <-> Unknown")) << F.dump();
}

TEST_P(Messages, InContainersAndTemplates) {
  Facts F = collect(Language::Cxx, R"(
    #include <vector>
    template <class T> void both(T &to, T from) { to = from; }
    void f(MPI_Message m) {
      std::vector<MPI_Message> all(4, MPI_MESSAGE_NULL);
      all.push_back(m);
      MPI_Message out;
      both(out, all[0]);
      MPI_Imrecv(0, 0, MPI_INT, &out, 0);
    })");
  EXPECT_TRUE(F.has("object [all] message")) << F.dump();
  EXPECT_TRUE(F.connected("all", "out")) << F.dump();
  EXPECT_TRUE(F.connected("all", "parameter 'm' of f")) << F.dump();
}
