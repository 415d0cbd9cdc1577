// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several units, headers, and sources that do not compile.

#include "Fixture.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::test;

static llvm::Expected<std::vector<UnitFacts>> run(const Commands &Database, std::vector<std::string> Files,
                                                  unsigned Jobs, std::string &Errors) {
  CollectOptions Options;
  Options.Jobs = Jobs;
  llvm::raw_string_ostream Out(Errors);
  return collectFacts(Database, Files, Options, Out);
}

static std::string dumpOf(const UnitFacts &Unit) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  dumpFacts(Unit, Out);
  return Text;
}

TEST(Units, SameOrderWhateverJobs) {
  Folder Place;
  Commands Database;
  std::vector<std::string> Files;
  Place.write("halo.h",
              "#include <mpi.h>\nstatic inline void go(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }\n");
  for (int I = 0; I < 6; ++I) {
    std::string Name = "unit" + std::to_string(I) + ".c";
    Files.push_back(
        Place.write(Name, "#include \"halo.h\"\nvoid f" + std::to_string(I) + "(MPI_Request r) { go(&r); }\n"));
    Database.add(Place.path(), Files.back(), {"mpicc", "-c", Name});
  }
  std::string Errors;
  std::vector<std::string> First;
  for (unsigned Jobs : {1u, 2u}) {
    llvm::Expected<std::vector<UnitFacts>> Units = run(Database, Files, Jobs, Errors);
    ASSERT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
    std::vector<std::string> Dumps;
    for (const UnitFacts &Unit : *Units) {
      Dumps.push_back(dumpOf(Unit));
      ASSERT_EQ(Unit.Calls.size(), 1u);
      EXPECT_EQ(Unit.Calls[0].Name, (*Units)[0].Calls[0].Name) << "the header is one place";
    }
    if (First.empty())
      First = Dumps;
    EXPECT_EQ(First, Dumps);
  }
}

TEST(Units, HeadersThroughLinks) {
  Folder Place;
  std::string Real = Place.write("real/halo.h", "#include <mpi.h>\nstatic void go(MPI_Request *r) { MPI_Wait(r, "
                                                "MPI_STATUS_IGNORE); }\n");
  ASSERT_FALSE(llvm::sys::fs::create_link(Place.path() + "/real", Place.path() + "/linked"));
  std::string File = Place.write("unit.c", "#include \"halo.h\"\nvoid f(MPI_Request r) { go(&r); }\n");
  Commands Database;
  Database.add(Place.path(), File, {"mpicc", "-Ilinked", "-c", "unit.c"});
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {File}, 1, Errors);
  ASSERT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
  llvm::SmallString<128> Expected;
  ASSERT_FALSE(llvm::sys::fs::real_path(Real, Expected));
  ASSERT_EQ((*Units)[0].Calls.size(), 1u);
  EXPECT_EQ((*Units)[0].Calls[0].Name.File, std::string(Expected));
  ASSERT_EQ((*Units)[0].MpiIncludes.size(), 1u);
  EXPECT_EQ((*Units)[0].MpiIncludes[0].File, std::string(Expected));
}

TEST(Units, DoesNotCompile) {
  Folder Place;
  std::string File = Place.write("bad.c", "#include <mpi.h>\nint f( { return 0; }\n");
  Commands Database;
  Database.add(Place.path(), File, {"mpicc", "-c", "bad.c"});
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {File}, 1, Errors);
  ASSERT_FALSE(bool(Units));
  EXPECT_NE(llvm::toString(Units.takeError()).find("bad.c"), std::string::npos);
  EXPECT_NE(Errors.find("error: expected"), std::string::npos) << Errors;
}

TEST(Units, NoCommand) {
  Commands Database;
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {"/nowhere/x.c"}, 1, Errors);
  ASSERT_FALSE(bool(Units));
  EXPECT_NE(llvm::toString(Units.takeError()).find("/nowhere/x.c"), std::string::npos);
}

TEST(Units, WithoutMpi) {
  Folder Place;
  // A name of MPI's in a comment is enough for it to be read.
  std::string File =
      Place.write("plain.cpp", "#include <vector>\nint sum(std::vector<int> v) { return v[0]; } // as MPI_SUM\n");
  Commands Database;
  Database.add(Place.path(), File, {"c++", "-c", "plain.cpp"});
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {File}, 1, Errors);
  ASSERT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
  ASSERT_EQ(Units->size(), 1u);
  EXPECT_FALSE((*Units)[0].IncludesMpi);
  EXPECT_EQ((*Units)[0].Bodies.size(), 1u);
}

TEST(Units, EachCommandIsAUnit) {
  Folder Place;
  std::string File = Place.write("twice.c", "#include <mpi.h>\n#if TAG == 1\nvoid f(void) {}\n#endif\n");
  Commands Database;
  Database.add(Place.path(), File, {"mpicc", "-DTAG=1", "-c", "twice.c"});
  Database.add(Place.path(), File, {"mpicc", "-DTAG=2", "-c", "twice.c"});
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {File}, 2, Errors);
  ASSERT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
  ASSERT_EQ(Units->size(), 2u);
  EXPECT_NE(dumpOf((*Units)[0]), dumpOf((*Units)[1]));
}

TEST(Units, IncludesThatTheGuardSkips) {
  Folder Place;
  std::string File = Place.write("two.c", "#include <mpi.h>\n#include <mpi.h>\n");
  Commands Database;
  Database.add(Place.path(), File, {"mpicc", "-c", "two.c"});
  std::string Errors;
  llvm::Expected<std::vector<UnitFacts>> Units = run(Database, {File}, 1, Errors);
  ASSERT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
  EXPECT_EQ((*Units)[0].MpiIncludes.size(), 2u);
}
