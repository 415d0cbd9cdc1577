// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

/// A library whose handles are addresses, as Open MPI's are.
constexpr const char *Addresses = "#define MPI_VERSION 3\n"
                                  "typedef struct comm *MPI_Comm;\n"
                                  "typedef struct type *MPI_Datatype;\n"
                                  "extern struct object { int x; } the_world, the_double;\n"
                                  "#define MPI_COMM_WORLD ((MPI_Comm)((void *)&the_world))\n"
                                  "#define MPI_DOUBLE ((MPI_Datatype)((void *)&the_double))\n"
                                  "#define MPI_ANY_TAG -7\n"
                                  "int MPI_Barrier(MPI_Comm);\n";

TEST(LowerConstants, OfTheLibraryOfThisMachine) {
  Sources Files;
  std::optional<LoweredUnit> U =
      Files.lower("a.c", "#include <mpi.h>\nvoid f(void) { MPI_Barrier(MPI_COMM_WORLD); }\n");
  ASSERT_TRUE(U) << Files.Errors;
  EXPECT_TRUE(U->Constants.count("MPI_COMM_SELF"));
  EXPECT_TRUE(U->Constants.count("MPI_DOUBLE"));
  EXPECT_FALSE(U->Constants["MPI_COMM_WORLD"] == U->Constants["MPI_COMM_SELF"]);
}

TEST(LowerConstants, ThatAreAddresses) {
  Sources Files;
  Files.write("mpi.h", Addresses);
  std::optional<LoweredUnit> U = Files.lower(
      "a.cpp", "extern \"C\" {\n#include \"mpi.h\"\n}\nvoid f() { MPI_Barrier(MPI_COMM_WORLD); }\n", {"-I."});
  ASSERT_TRUE(U) << Files.Errors;
  EXPECT_EQ(U->Constants["MPI_COMM_WORLD"].Symbol, "the_world");
  EXPECT_EQ(U->Constants["MPI_DOUBLE"].Symbol, "the_double");
  EXPECT_EQ(U->Constants["MPI_ANY_TAG"].Number, -7);
  EXPECT_FALSE(U->Constants.count("MPI_FLOAT"));
}

TEST(LowerConstants, NoneWithoutHeader) {
  Sources Files;
  std::optional<LoweredUnit> U = Files.lower("a.c", "int MPI_Start(); void f(void) { MPI_Start(0); }\n", {"-nostdinc"});
  ASSERT_TRUE(U) << Files.Errors;
  EXPECT_EQ(U->Sites.size(), 1U);
}

TEST(LowerConstants, Elements) {
  EXPECT_TRUE(elementOf("MPI_DOUBLE")->Floating);
  EXPECT_EQ(elementOf("MPI_INT")->Size, 4U);
  EXPECT_FALSE(elementOf("MPI_COMM_WORLD"));
}

} // namespace
