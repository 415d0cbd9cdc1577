// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several programs in one database, functions that are trusted, names in macros.

#include "Facts.h"
#include "program/Trusted.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// Units as they come out of collect, each with MPI_Init where it has main.
template <typename... Units> Decisions decideAll(const ProgramContext &Context, Units &...List) {
  (List.at(90).call("MPI_Init"), ...);
  return match({List.Facts...}, Context);
}

/// An exchange at line 10, and an operation at line 20 that opens its class, of the file of \p U.
Unit &withOpener(Unit &U) {
  U.at(10).exchange(constant(1), World, "local:" + U.Facts.MainFile);
  U.at(20).receive("MPI_Precv_init", Computed, constant(1), World);
  return U;
}

/// A call by way of a macro whose name stands at line \p Definition of macros.h.
Call &inMacro(Call &C, uint32_t Definition) {
  C.Edit = Editability::MacroDefinition;
  C.CauseName = "SEND";
  C.Token = C.Cause = {"/p/macros.h", Definition, Definition, 1};
  return C;
}

} // namespace

TEST(Programs, WithMainsOfTheirOwnAreApart) {
  Unit A("/p/a.c"), B("/p/b.c");
  A.at(10).exchange(constant(1), World, "c:a");
  Decisions D = decideAll({}, A, withOpener(B));
  EXPECT_TRUE(rewritten(D, 10, "/p/a.c"));
  EXPECT_EQ(reasonAt(D, 10, "/p/b.c"), Diagnostic::UnsupportedOperation);
  EXPECT_TRUE(hasFinding(D, Diagnostic::SeveralPrograms));
  EXPECT_EQ(renames(D), "MPI_Irecv:10 MPI_Isend:11 MPI_Waitall:12 MPI_Init:90") << "the other program stays as it is";
}

TEST(Programs, InOneJobAreTogether) {
  Unit A("/p/a.c"), B("/p/b.c");
  A.at(10).exchange(constant(1), World, "c:a");
  ProgramContext Context;
  Context.Together = true;
  Decisions D = decideAll(Context, A, withOpener(B));
  EXPECT_EQ(reasonAt(D, 10, "/p/a.c"), Diagnostic::UnsupportedOperation);
  EXPECT_FALSE(hasFinding(D, Diagnostic::SeveralPrograms));
}

TEST(Programs, ShareWhatBelongsToNoneOfThem) {
  Unit A("/p/a.c"), B("/p/b.c"), Library("/p/l.c", false);
  A.at(10).exchange(constant(1), World, "c:a");
  Library.at(10).exchange(constant(2), World, "c:l");
  Library.at(30).send("MPI_Send", constant(1), World);
  B.at(20).receive("MPI_Precv_init", Computed, constant(2), World);
  Decisions D = decideAll({}, A, B, Library);
  EXPECT_TRUE(rewritten(D, 10, "/p/a.c"));
  EXPECT_TRUE(rewritten(D, 30, "/p/l.c")) << "it may meet program a";
  EXPECT_EQ(reasonAt(D, 10, "/p/l.c"), Diagnostic::UnsupportedOperation) << "it may meet program b";
}

TEST(Programs, HaveTheUnitsOfTheirTargets) {
  Unit A("/p/a.c"), Halo("/p/halo.c", false), B("/p/b.c");
  A.Facts.Target = Halo.Facts.Target = "/build/CMakeFiles/a.dir";
  B.Facts.Target = "/build/CMakeFiles/b.dir";
  Halo.at(10).exchange(constant(1), World, "c:halo");
  Decisions D = decideAll({}, A, Halo, withOpener(B));
  EXPECT_TRUE(rewritten(D, 10, "/p/halo.c"));
  Halo.Facts.Target.clear();
  D = decideAll({}, A, Halo, B);
  EXPECT_EQ(reasonAt(D, 10, "/p/halo.c"), Diagnostic::UnsupportedOperation);
}

TEST(Programs, KeepTheirEscapesAndDefinitionsToThemselves) {
  Unit A("/p/a.c"), B("/p/b.c");
  A.at(10).exchange(constant(1), World, "c:a");
  B.at(10).exchange(constant(1), World, "c:b");
  B.at(20).argument("c:@F@library", World);
  B.Facts.Definitions.push_back({"MPI_Isend", B.here(), false});
  Decisions D = decideAll({}, A, B);
  EXPECT_TRUE(rewritten(D, 10, "/p/a.c"));
  EXPECT_TRUE(reasonAt(D, 10, "/p/b.c").has_value());
}

TEST(TrustedCalls, KnowLibrariesByTheirHeaders) {
  auto Of = [](const char *Header, const char *Name) { return trustIn({Name, Header}); };
  EXPECT_EQ(Of("petscvec.h", "VecCreate"), Trust::MayStore);
  EXPECT_EQ(Of("parmetis.h", "ParMETIS_V3_PartKway"), Trust::Full);
  EXPECT_EQ(Of("fftw3-mpi.h", "fftw_mpi_plan_dft_2d"), Trust::Full);
  EXPECT_EQ(Of("fftw3-mpi.h", "fftw_mpi_gather_wisdom"), Trust::None);
  EXPECT_EQ(Of("H5FDmpio.h", "H5Pset_fapl_mpio"), Trust::Full);
  EXPECT_EQ(Of("H5FDmpio.h", "H5Pget_fapl_mpio"), Trust::None);
  EXPECT_EQ(Of("HYPRE.h", "HYPRE_IJMatrixCreate"), Trust::None);
  EXPECT_EQ(Of("", "VecCreate"), Trust::None);
}

TEST(NamesInMacros, AreReplacedWhereTheyStand) {
  Unit U;
  U.at(10).receive("MPI_Irecv", Computed, constant(1), World, {U.request("c:r")});
  inMacro(U.send("MPI_Send", constant(1), World).Facts.Calls.back(), 1);
  inMacro(U.send("MPI_Send", constant(1), World).Facts.Calls.back(), 1);
  Decisions D = decide(U);
  EXPECT_EQ(renames(D), "MPI_Irecv:10 MPI_Send:1");
}

TEST(NamesInMacros, BringBlockingClassesAlong) {
  Unit U;
  U.at(10).receive("MPI_Irecv", Computed, constant(1), World, {U.request("c:r")});
  inMacro(U.send("MPI_Send", constant(1), World).Facts.Calls.back(), 1);
  inMacro(U.at(20).send("MPI_Send", constant(2), World).Facts.Calls.back(), 1);
  U.receive("MPI_Recv", Computed, constant(2), World);
  EXPECT_TRUE(rewritten(decide(U), 21));
}

TEST(NamesInMacros, OpenOneAnother) {
  Unit U;
  U.at(10).receive("MPI_Irecv", Computed, constant(1), World, {U.request("c:r")});
  inMacro(U.send("MPI_Send", constant(1), World).Facts.Calls.back(), 1);
  inMacro(U.at(20).send("MPI_Send", constant(2), World).Facts.Calls.back(), 1);
  U.receive("MPI_Precv_init", Computed, constant(2), World);
  EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::SharedMacro);
}

TEST(NamesInMacros, AreLeftWhereUsesMayBeOutOfSight) {
  Unit U("/p/a.c", false);
  U.maker("MPI_Comm_dup", World, U.comm("c:a.c@dup"));
  U.at(10).receive("MPI_Irecv", Computed, constant(1), U.comm("c:a.c@dup"), {U.request("c:r")});
  Call &C = inMacro(U.send("MPI_Send", constant(1), U.comm("c:a.c@dup")).Facts.Calls.back(), 1);
  EXPECT_EQ(reasonAt(match({U.Facts}), 10), Diagnostic::MacroBody);
  C.Token.File = U.Facts.MainFile;
  EXPECT_TRUE(rewritten(match({U.Facts}), 10));
}
