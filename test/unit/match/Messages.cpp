// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matched probes, and what may receive the messages that they find.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// A matched probe (line 10) and a receive (line 11) of the message "c:m", with a send (line 20) that it may find, all
/// with tag 1; and a send with tag 2 (line 30).
Unit found() {
  Unit U;
  U.at(10).matchedProbe("MPI_Mprobe", constant(1), U.message("c:m"));
  U.matchedReceive("MPI_Mrecv", U.message("c:m"));
  U.at(20).send("MPI_Send", constant(1), World);
  U.at(30).send("MPI_Send", constant(2), World);
  U.at(40);
  return U;
}

/// Expects that \p Reason opens the class of the probe and nothing else.
void expectOpen(const Unit &U, Diagnostic Reason) {
  Decisions D = decide(U);
  EXPECT_EQ(reasonAt(D, 11), Reason);
  EXPECT_EQ(reasonAt(D, 20), Reason);
  EXPECT_EQ(renames(D), "MPI_Send:30");
}

} // namespace

TEST(Messages, AreRewrittenWithTheirReceives) {
  EXPECT_EQ(renames(decide(found())), "MPI_Mprobe:10 MPI_Mrecv:11 MPI_Send:20 MPI_Send:30");
}

TEST(Messages, ThatEscape) {
  Unit U = found();
  U.argument("c:@F@keep", U.message("c:m"));
  expectOpen(U, Diagnostic::MessageEscapes);
}

TEST(Messages, ReceivedByACallThatCannotBeReplaced) {
  Unit U = found();
  U.matchedReceive("PMPI_Mrecv", U.message("c:m"));
  expectOpen(U, Diagnostic::ProfilingName);
}

TEST(Messages, ReceivedThroughAPointerToTheFunction) {
  Unit U = found();
  U.Facts.Uses.push_back({"MPI_Imrecv", U.here()});
  expectOpen(U, Diagnostic::FunctionAsValue);
}

TEST(Messages, WhoseRequestsEscape) {
  Unit U = found();
  U.matchedReceive("MPI_Imrecv", U.message("c:m"), {U.request("c:r")});
  EXPECT_EQ(renames(decide(U)), "MPI_Mprobe:10 MPI_Mrecv:11 MPI_Send:20 MPI_Send:30 MPI_Imrecv:40");
  U.argument("c:@F@library_wait", U.request("c:r"));
  expectOpen(U, Diagnostic::RequestEscapes);
}

TEST(Messages, WhoseRequestsAreCompleted) {
  Unit U = found();
  U.matchedReceive("MPI_Imrecv", U.message("c:m"), {U.request("c:r")}).completion("MPI_Wait", U.request("c:r"));
  EXPECT_EQ(renames(decide(U)), "MPI_Mprobe:10 MPI_Mrecv:11 MPI_Send:20 MPI_Send:30 MPI_Imrecv:40 MPI_Wait:41");
  U.completion("PMPI_Wait", U.request("c:r"));
  expectOpen(U, Diagnostic::ProfilingName);
}

TEST(Messages, OfOneVariableJoinTheirClasses) {
  Unit U = found();
  U.at(50).matchedProbe("MPI_Mprobe", constant(3), U.message("c:m"));
  U.at(60).send("PMPI_Send", constant(3), World);
  expectOpen(U, Diagnostic::ProfilingName);
}

TEST(Messages, OfAnOpenClassAreLeftToMpi) {
  Unit U = found();
  U.send("PMPI_Send", constant(1), World);
  expectOpen(U, Diagnostic::ProfilingName);
}
