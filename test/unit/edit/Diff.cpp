// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output/Diff.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mpishm;

/// The diff of renaming every "Old" in \p Text to "NewName" and of inserting "added\n" at \p Insertion.
static std::string diffOf(const std::string &Text, std::optional<unsigned> Insertion = {}) {
  EditedFile File;
  File.Path = "/p/a.c";
  File.Before = Text;
  for (size_t At = Text.find("Old"); At != std::string::npos; At = Text.find("Old", At + 1))
    EXPECT_FALSE(bool(File.Changes.add(clang::tooling::Replacement(File.Path, At, 3, "NewName"))));
  if (Insertion)
    EXPECT_FALSE(bool(File.Changes.add(clang::tooling::Replacement(File.Path, *Insertion, 0, "added\n"))));
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  printDiff(File, "a.c", Out);
  return Result;
}

TEST(Diff, OneLine) {
  EXPECT_EQ(diffOf("1\n2\n3\n4\n5 Old;\n6\n7\n8\n9\n"), "--- a/a.c\n+++ b/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5 Old;\n"
                                                        "+5 NewName;\n 6\n 7\n 8\n");
}

TEST(Diff, SeveralChangesInOneLine) {
  EXPECT_EQ(diffOf("Old(Old);\n"), "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-Old(Old);\n+NewName(NewName);\n");
}

TEST(Diff, NeighbouringLinesAreOneChange) {
  EXPECT_EQ(diffOf("Old 1\nOld 2\n"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n-Old 1\n-Old 2\n+NewName 1\n+NewName 2\n");
}

TEST(Diff, AnInsertedLineShiftsWhatFollows) {
  EXPECT_EQ(
      diffOf("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nOld\n", 2),
      "--- a/a.c\n+++ b/a.c\n@@ -1,4 +1,5 @@\n 1\n+added\n 2\n 3\n 4\n@@ -8,4 +9,4 @@\n 8\n 9\n 10\n-Old\n+NewName\n");
}

TEST(Diff, AtTheBegin) { EXPECT_EQ(diffOf("1\n2\n", 0), "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n+added\n 1\n 2\n"); }

TEST(Diff, InsertedBeforeAChangedLine) {
  EXPECT_EQ(diffOf("Old\n2\n", 0), "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n+added\n-Old\n+NewName\n 2\n");
}

TEST(Diff, CloseChangesShareAHunk) {
  EXPECT_EQ(diffOf("Old\n2\n3\n4\n5\n6\n7\nOld\n"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,8 +1,8 @@\n-Old\n+NewName\n 2\n 3\n 4\n"
            " 5\n 6\n 7\n-Old\n+NewName\n");
  EXPECT_EQ(diffOf("Old\n2\n3\n4\n5\n6\n7\n8\nOld\n"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,4 +1,4 @@\n-Old\n+NewName\n 2\n 3\n 4\n"
            "@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-Old\n+NewName\n");
}

TEST(Diff, WithoutALastLineEnd) {
  EXPECT_EQ(diffOf("1\nOld"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n 1\n-Old\n\\ No newline at end of file\n+NewName\n"
            "\\ No newline at end of file\n");
  EXPECT_EQ(diffOf("Old\n2"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n-Old\n+NewName\n 2\n\\ No newline at end of file\n");
}

TEST(Diff, CarriageReturnsAreKept) {
  EXPECT_EQ(diffOf("Old\r\n2\r\n"), "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n-Old\r\n+NewName\r\n 2\r\n");
}

TEST(Diff, NothingChanged) { EXPECT_EQ(diffOf("1\n2\n"), ""); }
