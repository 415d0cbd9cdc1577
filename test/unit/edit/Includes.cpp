// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where <mpishm.h> is included. Each text marks the uses by the name MPI_Isend.

#include "edit/Includes.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace mpishm;

/// \p Text with the includes in it; every `#include <mpi.h>` counts as one that is entered, unless it says otherwise,
/// and every `#include "brings.h"` brings it in some builds.
static std::string withInclude(std::string Text, const std::string &Name = "a.c", bool Entered = true,
                               bool Began = true) {
  std::vector<NewName> Uses;
  MpiSight Seen;
  Seen.Words = {"A", "X"};
  auto Each = [&](llvm::StringRef Word, auto Do) {
    for (size_t At = Text.find(Word); At != std::string::npos; At = Text.find(Word, At + 1))
      Do(uint32_t(At));
  };
  Each("MPI_Isend", [&](uint32_t At) {
    Uses.push_back({At, "MPISHM_Isend"});
    Seen.Calls.insert({Name, At, 0, 0});
  });
  Each("__LINE__", [&](uint32_t At) { Seen.Lines.insert({Name, At, 0, 0}); });
  Each("malloc", [&](uint32_t At) { Uses.push_back({At, "MPISHM_Malloc"}); });
  Each("free", [&](uint32_t At) { Uses.push_back({At, "MPISHM_Free"}); });
  if (Entered)
    Each("mpi.h", [&](uint32_t At) { Seen.Includes.push_back({Name, At, 0, 0}); });
  Each("brings.h", [&](uint32_t At) { Seen.Bringers.push_back({{Name, At, 0, 0}, "/nowhere/brings.h"}); });
  if (Began)
    Seen.BeganWithout.insert(Name);
  Sights Look(Seen);
  std::vector<IncludeInsertion> Places = placesForInclude(Name, Text, Uses, Look);
  for (const IncludeInsertion &I : llvm::reverse(Places))
    Text.insert(I.Offset, I.Text);
  return Text;
}

TEST(Includes, StandsDirectlyAfterMpi) {
  EXPECT_EQ(withInclude("#include <mpi.h>\n#include <stdio.h>\nMPI_Isend\n"),
            "#include <mpi.h>\n#include <mpishm.h>\n#include <stdio.h>\nMPI_Isend\n");
  EXPECT_EQ(withInclude("#include \"mpi.h\" // the library\nMPI_Isend\n"),
            "#include \"mpi.h\" // the library\n#include <mpishm.h>\nMPI_Isend\n");
}

TEST(Includes, KeepsTheNumbersOfLines) {
  EXPECT_EQ(withInclude("#include <mpi.h>\n\nint n = __LINE__;\nMPI_Isend\n"),
            "#include <mpi.h>\n#include <mpishm.h>\n#line 2\n\nint n = __LINE__;\nMPI_Isend\n");
  EXPECT_EQ(withInclude("#include \"brings.h\"\r\nMPI_Isend __LINE__\r\n", "a.c", true, false),
            "#include \"brings.h\"\r\n#ifdef MPI_VERSION\r\n#include <mpishm.h>\r\n#else\r\n"
            "#define MPISHM_Isend MPI_Isend\r\n#endif\r\n#line 2\r\nMPI_Isend __LINE__\r\n");
  EXPECT_EQ(withInclude("int n = __LINE__;\n#include <mpi.h>\nMPI_Isend\n"),
            "int n = __LINE__;\n#include <mpi.h>\n#include <mpishm.h>\nMPI_Isend\n");
}

TEST(Includes, NotInTheMiddleOfAComment) {
  EXPECT_EQ(withInclude("#include <mpi.h> /* the\n library */\nMPI_Isend\n"),
            "#include <mpi.h> /* the\n library */\n#include <mpishm.h>\nMPI_Isend\n");
}

TEST(Includes, KeepsTheConditionAndIndentation) {
  EXPECT_EQ(withInclude("#ifdef USE_MPI\n  #include <mpi.h>\nMPI_Isend\n#endif\n"),
            "#ifdef USE_MPI\n  #include <mpi.h>\n  #include <mpishm.h>\nMPI_Isend\n#endif\n");
}

TEST(Includes, InBothBranchesThatHaveMpi) {
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#else\n#include <mpi.h>\n#endif\nMPI_Isend\n"),
            "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#else\n#include <mpi.h>\n#include <mpishm.h>\n#endif\n"
            "MPI_Isend\n");
}

TEST(Includes, OnceWhereTheSecondIsImplied) {
  EXPECT_EQ(withInclude("#include <mpi.h>\n#ifdef A\n#include <mpi.h>\n#endif\nMPI_Isend\n"),
            "#include <mpi.h>\n#include <mpishm.h>\n#ifdef A\n#include <mpi.h>\n#endif\nMPI_Isend\n");
}

TEST(Includes, NotAgain) {
  std::string Text = "#include <mpi.h>\n#include <mpishm.h>\nMPI_Isend\n";
  EXPECT_EQ(withInclude(Text), Text);
}

TEST(Includes, AnMpiThatIsNotEnteredDoesNotCount) {
  EXPECT_EQ(withInclude("#ifdef NEVER\n#include <mpi.h>\n#endif\n#include \"comm.h\"\nMPI_Isend\n", "a.c", false),
            "#ifdef NEVER\n#include <mpi.h>\n#endif\n#include \"comm.h\"\n#include <mpishm.h>\nMPI_Isend\n");
}

TEST(Includes, WithoutMpiAfterTheLastInclude) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n\n#include \"b.h\"\n\nint f(void) { MPI_Isend }\n#include \"late.h\"\n"),
            "#include \"a.h\"\n\n#include \"b.h\"\n#include <mpishm.h>\n\nint f(void) { MPI_Isend }\n"
            "#include \"late.h\"\n");
}

TEST(Includes, NotInsideOfBraces) {
  EXPECT_EQ(withInclude("#include \"a.h\"\nint table[] = {\n#include \"table.inc\"\n};\nMPI_Isend\n"),
            "#include \"a.h\"\n#include <mpishm.h>\nint table[] = {\n#include \"table.inc\"\n};\nMPI_Isend\n");
  EXPECT_EQ(withInclude("extern \"C\" {\n#include \"a.h\"\n}\nMPI_Isend\n"),
            "extern \"C\" {\n#include \"a.h\"\n#include <mpishm.h>\n}\nMPI_Isend\n");
}

TEST(Includes, WithoutAnyIncludeInsideOfTheGuard) {
  EXPECT_EQ(withInclude("// Halo.\n#ifndef HALO_H\n#define HALO_H\nvoid f() { MPI_Isend }\n#endif\n", "halo.h"),
            "// Halo.\n#ifndef HALO_H\n#define HALO_H\n#include <mpishm.h>\nvoid f() { MPI_Isend }\n#endif\n");
}

TEST(Includes, CopiesTheConditionOfTheUses) {
  EXPECT_EQ(withInclude("#include \"lulesh.h\"\nint main() {\n#if USE_MPI\nMPI_Isend\n#endif\n#if USE_MPI\nMPI_Isend\n"
                        "#endif\n}\n"),
            "#include \"lulesh.h\"\n#if USE_MPI\n#include <mpishm.h>\n#endif\nint main() {\n#if USE_MPI\nMPI_Isend\n"
            "#endif\n#if USE_MPI\nMPI_Isend\n#endif\n}\n");
}

TEST(Includes, CopiesTheWholeChainOfBranches) {
  EXPECT_EQ(withInclude("#include \"a.h\"\nint main() {\n#ifdef SERIAL\n#else // parallel\nMPI_Isend\n#endif\n}\n"),
            "#include \"a.h\"\n#ifdef SERIAL\n#else\n#include <mpishm.h>\n#endif\nint main() {\n#ifdef SERIAL\n"
            "#else // parallel\nMPI_Isend\n#endif\n}\n");
}

TEST(Includes, WithoutConditionWhereAUseHasNone) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n#if X\nMPI_Isend\n#endif\nMPI_Isend\n"),
            "#include \"a.h\"\n#include <mpishm.h>\n#if X\nMPI_Isend\n#endif\nMPI_Isend\n");
}

TEST(Includes, WithoutConditionWhereItsMacroIsDefinedLater) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n#define X 1\n#if X\nMPI_Isend\n#endif\n"),
            "#include \"a.h\"\n#include <mpishm.h>\n#define X 1\n#if X\nMPI_Isend\n#endif\n");
}

TEST(Includes, StaysInTheConditionThatHoldsAll) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n#ifdef USE_MPI\n#include \"b.h\"\nMPI_Isend\n#endif\n"),
            "#include \"a.h\"\n#ifdef USE_MPI\n#include \"b.h\"\n#include <mpishm.h>\nMPI_Isend\n#endif\n");
}

TEST(Includes, TakesTheLineEndsOfTheFile) {
  EXPECT_EQ(withInclude("#include <mpi.h>\r\nMPI_Isend\r\n"),
            "#include <mpi.h>\r\n#include <mpishm.h>\r\nMPI_Isend\r\n");
}

TEST(Includes, CommentsAndStringsAreNoDirectives) {
  EXPECT_EQ(
      withInclude("#include \"a.h\"\n/*\n#include \"not.h\"\n*/\nchar *s = \"\\\n#include <no.h>\\\n\";\nMPI_Isend\n"),
      "#include \"a.h\"\n#include <mpishm.h>\n/*\n#include \"not.h\"\n*/\nchar *s = \"\\\n#include <no.h>\\\n\";\n"
      "MPI_Isend\n");
}

TEST(Includes, OnceUnderOneConditionSpelledTwice) {
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#endif\n#if defined(A)\n#include <mpi.h>\n#endif\n"
                        "#ifdef A\nMPI_Isend\n#endif\n"),
            "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#endif\n#if defined(A)\n#include <mpi.h>\n#endif\n"
            "#ifdef A\nMPI_Isend\n#endif\n");
}

TEST(Includes, OnceAfterSeveralConditions) {
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#endif\n#if B\n#include <mpi.h>\n#endif\nMPI_Isend\n"),
            "#ifdef A\n#include <mpi.h>\n#endif\n#if B\n#include <mpi.h>\n#endif\n#ifdef MPI_VERSION\n"
            "#include <mpishm.h>\n#else\n#define MPISHM_Isend MPI_Isend\n#endif\nMPI_Isend\n");
}

TEST(Includes, WithoutACopyOfAConditionThatIsUndefinedLater) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n#ifdef X\nint x;\n#else\n#undef X\n#ifndef X\nMPI_Isend\n#endif\n#endif\n"),
            "#include \"a.h\"\n#ifdef X\n#else\n#include <mpishm.h>\n#endif\n#ifdef X\nint x;\n#else\n#undef X\n"
            "#ifndef X\nMPI_Isend\n#endif\n#endif\n");
  EXPECT_EQ(withInclude("#include \"a.h\"\n#undef X\n#ifndef X\nMPI_Isend\n#endif\n"),
            "#include \"a.h\"\n#include <mpishm.h>\n#undef X\n#ifndef X\nMPI_Isend\n#endif\n");
}

TEST(Includes, AfterAHeaderThatMayBringMpi) {
  EXPECT_EQ(withInclude("#include \"brings.h\"\n#include \"b.h\"\nint main() {\n#if X\nMPI_Isend\n#endif\n}\n"),
            "#include \"brings.h\"\n#ifdef MPI_VERSION\n#include <mpishm.h>\n#endif\n#include \"b.h\"\nint main() {\n"
            "#if X\nMPI_Isend\n#endif\n}\n");
  EXPECT_EQ(withInclude("#include \"brings.h\"\nMPI_Isend\n"),
            "#include \"brings.h\"\n#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n#define MPISHM_Isend MPI_Isend\n"
            "#endif\nMPI_Isend\n");
}

TEST(Includes, WhereAProgramMayHaveFunctionsOfItsOwn) {
  const std::string Include = "#ifdef A\n#include <mpi.h>\n#else\n#include \"own.h\"\n#endif\n";
  EXPECT_EQ(withInclude(Include + "MPI_Isend\nfree\n"),
            Include + "#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n#define MPISHM_Free free\n"
                      "#define MPISHM_Isend MPI_Isend\n#endif\nMPI_Isend\nfree\n");
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#endif\n#if A > 1 && defined(B)\nMPI_Isend\n#endif\n"),
            "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#endif\n#if A > 1 && defined(B)\nMPI_Isend\n#endif\n");
}

TEST(Includes, MeaningsUnderConditionsAboutSomethingElse) {
  const std::string Include = "#ifdef A\n#include <mpi.h>\n#endif\n";
  for (const std::string Condition : {"#ifdef B\n", "#if defined(A) || defined(B)\n"})
    EXPECT_EQ(withInclude(Include + Condition + "MPI_Isend\n#endif\n"),
              Include + "#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n#define MPISHM_Isend MPI_Isend\n#endif\n" +
                  Condition + "MPI_Isend\n#endif\n");
}

TEST(Includes, WhereEachBranchHasMpi) {
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#else\n#include \"own/mpi.h\"\n#endif\nMPI_Isend\n"),
            "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#else\n#include \"own/mpi.h\"\n#include <mpishm.h>\n"
            "#endif\nMPI_Isend\n");
}

TEST(Includes, MeaningsForABuildWithoutMpi) {
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\n#endif\nmalloc\n#if defined A\nMPI_Isend\n#endif\nfree\n"),
            "#ifdef A\n#include <mpi.h>\n#endif\n#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n"
            "#define MPISHM_Free free\n#define MPISHM_Malloc malloc\n#endif\nmalloc\n#if defined A\nMPI_Isend\n#endif\n"
            "free\n");
  EXPECT_EQ(withInclude("#ifdef A\n#include <mpi.h>\nMPI_Isend\n#endif\nfree\n"),
            "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\nMPI_Isend\n#endif\n#ifndef MPISHM_H\n"
            "#define MPISHM_Free free\n#endif\nfree\n");
  EXPECT_EQ(withInclude("#include \"brings.h\"\nmalloc\n#if A\nMPI_Isend\n#endif\n"),
            "#include \"brings.h\"\n#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n#define MPISHM_Malloc malloc\n"
            "#endif\nmalloc\n#if A\nMPI_Isend\n#endif\n");
  EXPECT_EQ(
      withInclude("#ifdef A\n#include <mpi.h>\n#ifdef B\nmalloc\n#endif\n#endif\nint a;\n#ifdef A\nfree\n#endif\n"),
      "#ifdef A\n#include <mpi.h>\n#include <mpishm.h>\n#ifdef B\nmalloc\n#endif\n#endif\nint a;\n#ifdef A\nfree\n"
      "#endif\n");
}

TEST(Includes, InAFileThatComesAfterMpi) {
  EXPECT_EQ(withInclude("#include \"a.h\"\n#if A\nMPI_Isend\n#endif\nfree\n", "b.h", true, false),
            "#include \"a.h\"\n#ifdef MPI_VERSION\n#include <mpishm.h>\n#else\n#define MPISHM_Free free\n#endif\n"
            "#if A\nMPI_Isend\n#endif\nfree\n");
}

TEST(Includes, LinesThatGoOn) {
  EXPECT_EQ(withInclude("#inc\\\nlude \\\n  <mpi.h> // the \\\n library\nMPI_Isend\n"),
            "#inc\\\nlude \\\n  <mpi.h> // the \\\n library\n#include <mpishm.h>\nMPI_Isend\n");
  EXPECT_EQ(withInclude("#if\\\ndef A && \\\n B\n#include <mpi.h>\nMPI_Isend\n#en\\\ndif\n"),
            "#if\\\ndef A && \\\n B\n#include <mpi.h>\n#include <mpishm.h>\nMPI_Isend\n#en\\\ndif\n");
}
