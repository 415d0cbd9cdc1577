// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tags may be equal, and which sources and tags may be wildcards.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Numbers : public ProgramTest {
protected:
  /// What is found of a program with \p Main in its main, behind \p Before.
  ir::ValueClasses find(llvm::StringRef Main, llvm::StringRef Before = "") {
    classesOf("a.c", (Before + "\nint main(int argc, char **argv) { int b[9], t = 3;" + Main +
                      "\n(void)b, (void)argv; return t; }\n")
                         .str());
    return ir::findClasses({&Units.front()}, {});
  }
  /// Whether a send with \p SendTag and a receive with \p ReceiveTag, behind \p Main, are in one class.
  bool meet(llvm::StringRef SendTag, llvm::StringRef ReceiveTag, llvm::StringRef Main = "",
            llvm::StringRef Before = "") {
    return find((Main + "\nMPI_Send(b, 1, MPI_INT, 0, " + SendTag + ", MPI_COMM_WORLD);" +
                 "\nMPI_Recv(b, 1, MPI_INT, 0, " + ReceiveTag + ", MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
                    .str(),
                Before)
               .Classes.size() == 1;
  }
  /// Whether a receive with \p Source and \p Tag, behind \p Main, may be a wildcard.
  bool isWild(llvm::StringRef Source, llvm::StringRef Tag = "1", llvm::StringRef Main = "",
              llvm::StringRef Before = "") {
    ir::ValueClasses Found = find(
        (Main + "\nMPI_Recv(b, 1, MPI_INT, " + Source + ", " + Tag + ", MPI_COMM_WORLD, MPI_STATUS_IGNORE);").str(),
        Before);
    return Found.Classes.at(0).Members.at(0).Wildcard;
  }
};

class Tags : public Numbers {};
class Wildcards : public Numbers {};

} // namespace

TEST_F(Tags, OfWhichNothingIsKnownMatchAll) {
  EXPECT_FALSE(meet("1", "2"));
  EXPECT_TRUE(meet("1", "1"));
  EXPECT_TRUE(meet("1", "library()", "", "int library(void);"));
  EXPECT_TRUE(meet("1", "library_tag", "library_tag = 2;", "extern int library_tag;"));
  EXPECT_TRUE(meet("1", "*argv[1]"));
  EXPECT_TRUE(meet("1", "argc"));
  EXPECT_TRUE(meet("1", "MPI_ANY_TAG"));
}

TEST_F(Tags, WrittenAsTheNumberOfMpiAnyTagMatchAll) {
  EXPECT_TRUE(meet("1", "any[argc]", "enum { Any = MPI_ANY_TAG }; int any[2] = {Any, Any};"));
}

TEST_F(Tags, AreFollowedThroughVariables) {
  const char *Before = "static int tag = 7, other = 8;";
  EXPECT_FALSE(meet("tag", "other", "if (argc) tag = 9;", Before));
  EXPECT_TRUE(meet("tag", "other", "if (argc) other = tag;", Before));
  EXPECT_TRUE(meet("8", "tag", "if (argc) tag = other;", Before));
  EXPECT_FALSE(meet("7", "other", "if (argc) tag = other;", Before)) << "what goes out of a variable does not come in";
}

TEST_F(Tags, AreKeptApartHoweverMany) {
  std::string Cases = "switch (argc) {";
  for (int I = 0; I < 40; ++I)
    Cases += "case " + std::to_string(I) + ": t = " + std::to_string(100 + 3 * I * I) + "; break;";
  Cases += "}";
  EXPECT_TRUE(meet("t", "400", Cases));
  EXPECT_TRUE(meet("t", "3", Cases)) << "as it was before";
}

TEST_F(Tags, OfASendrecvMatchWithBoth) {
  for (const char *Receive : {"2", "3"}) {
    ir::ValueClasses Found = find((llvm::Twine("MPI_Sendrecv(b, 1, MPI_INT, 0, 1, b + 1, 1, MPI_INT, 0, 2, "
                                               "MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
                                               "MPI_Send(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);"
                                               "MPI_Send(b, 1, MPI_INT, 0, ") +
                                   Receive + ", MPI_COMM_WORLD);")
                                      .str());
    EXPECT_EQ(Found.Classes.size(), Receive[0] == '2' ? 1U : 2U);
  }
}

TEST_F(Tags, ThatAreSumsWithThemselves) {
  const char *Loop = "for (t = 1; t < 1000 * argc; t += 4)";
  EXPECT_FALSE(meet("t", "6", Loop)) << "1, 5, 9, ...";
  EXPECT_TRUE(meet("t", "4001", Loop));
  EXPECT_TRUE(meet("6", "t", "for (t = MPI_ANY_TAG; t < 1000 * argc; t += 4)")) << "at first it is any";
}

TEST_F(Wildcards, AreFollowedThroughVariablesAndParameters) {
  EXPECT_FALSE(isWild("0"));
  EXPECT_FALSE(isWild("argc"));
  EXPECT_FALSE(isWild("argc + 1"));
  EXPECT_TRUE(isWild("MPI_ANY_SOURCE"));
  EXPECT_TRUE(isWild("0", "MPI_ANY_TAG"));
  EXPECT_TRUE(isWild("from", "1", "from = argc ? 0 : MPI_ANY_SOURCE;", "static int from;"));
  ir::ValueClasses Found = find("get(b, 1); get(b, MPI_ANY_SOURCE);",
                                "static void get(int *b, int from) {"
                                "MPI_Recv(b, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }");
  EXPECT_TRUE(Found.Classes.at(0).Members.at(0).Wildcard);
}

TEST_F(Wildcards, OfASendrecvCountForItsReceive) {
  const char *Call =
      "MPI_Sendrecv(b, 1, MPI_INT, 0, 1, b + 1, 1, MPI_INT, FROM, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
  EXPECT_TRUE(find(Call, "#define FROM MPI_ANY_SOURCE").Classes.at(0).Members.at(0).Wildcard);
  EXPECT_FALSE(find(Call, "#define FROM 1").Classes.at(0).Members.at(0).Wildcard);
}

TEST_F(Wildcards, MayComeFromCodeOutOfSight) {
  EXPECT_TRUE(isWild("get()", "1", "put(MPI_ANY_SOURCE);", "int get(void); void put(int);"));
  EXPECT_TRUE(isWild("b[0]", "1", "fill(b);", "void fill(int *);"));
}

TEST_F(Wildcards, WrittenAsNumbersCount) {
  EXPECT_TRUE(isWild("any[argc]", "1", "enum { Any = MPI_ANY_SOURCE }; int any[2] = {Any, 0};"));
}

TEST_F(Wildcards, ThatAreSumsOfThem) {
  const char *Any = "int any = argc ? MPI_ANY_SOURCE : 0;";
  EXPECT_TRUE(isWild("any + argc", "1", Any));
  EXPECT_TRUE(isWild("argc + any", "1", Any));
  EXPECT_TRUE(isWild("any - argc", "1", Any));
  EXPECT_TRUE(isWild("argc + shift", "1", "int shift = argc ? MPI_ANY_SOURCE - argc : 1;"));
  EXPECT_TRUE(isWild("any * (argc > 1)", "1", Any));
  EXPECT_FALSE(isWild("t", "1", "for (t = argc; t > 0; t--)")) << "whichever number MPI_ANY_SOURCE has";
}
