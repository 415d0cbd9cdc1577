// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts come back from bytes as they were. (That no member is left out, the compiler sees to.)

#include "collect/Serialize.h"
#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

static constexpr const char Program[] = R"(
#include <cstdlib>
#include <vector>
struct Halo {
  MPI_Comm comm;
  double *out;
  std::vector<double> in;
};
#define POST(r) MPI_Isend(h.out, 1, MPI_DOUBLE, to, -3 + 2 * to, h.comm, r)
double *make(size_t n) { return static_cast<double *>(malloc(n)); }
void step(Halo &h, int to, void (*hand)(MPI_Comm)) {
  MPI_Request r[2];
  h.out = make(8);
  h.in.resize(1);
  MPI_Comm_dup(MPI_COMM_WORLD, &h.comm);
  POST(&r[0]);
  PMPI_Irecv(h.in.data(), 1, MPI_DOUBLE, MPI_ANY_SOURCE, -1234567890, h.comm, &r[1]); // mpishm: keep
  hand(h.comm);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  h.in[0] += 1;
  free(h.out);
}
#ifdef OTHER
void other() { MPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
#endif
int (*const taken)(MPI_Comm *) = MPI_Comm_free;
)";

TEST(Serialize, ComesBack) {
  Facts Seen = collect(Language::Cxx, Program);
  ASSERT_EQ(Seen.Errors, "");
  EXPECT_FALSE(Seen.Unit.Calls.empty());
  EXPECT_FALSE(Seen.Unit.Pointers.Calls.empty());
  EXPECT_FALSE(Seen.Unit.Skipped.empty());
  NameSet Names = {hashOfName("make"), hashOfName("step")};
  std::string Bytes = writeFacts(Seen.Unit, Names);

  Facts Again;
  NameSet NamesAgain;
  ASSERT_TRUE(readFacts(Bytes, Again.Unit, NamesAgain));
  EXPECT_EQ(Again.dump(), Seen.dump());
  EXPECT_EQ(NamesAgain, Names);
  EXPECT_EQ(writeFacts(Again.Unit, NamesAgain), Bytes);
}

TEST(Serialize, NeedsAllBytesAndNoMore) {
  Facts Seen = collect(Language::C, "void f(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }");
  std::string Bytes = writeFacts(Seen.Unit, {hashOfName("f")});
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    UnitFacts Facts;
    NameSet Names;
    EXPECT_FALSE(readFacts(llvm::StringRef(Bytes).take_front(Size), Facts, Names)) << Size;
  }
  UnitFacts Facts;
  NameSet Names;
  EXPECT_FALSE(readFacts(Bytes + "x", Facts, Names));
}
