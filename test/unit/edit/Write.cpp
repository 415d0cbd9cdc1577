// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in memory are checked against the file, and files are written all or none.

#include "output/Write.h"
#include "edit/Edit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;

namespace {

class Writing : public ::testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("mpishm-edit", Folder)); }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) const { return (Folder + "/" + Name).str(); }
  OutputFile file(llvm::StringRef Name, llvm::StringRef Before, llvm::StringRef After) {
    std::error_code EC;
    llvm::raw_fd_ostream(path(Name), EC) << Before;
    EXPECT_FALSE(EC);
    return {path(Name), After.str(), Before.str()};
  }
  EditedFile edited(llvm::StringRef Name, llvm::StringRef Text) {
    file(Name, Text, "");
    return {path(Name), Text.str(), "", {}};
  }
  std::string read(llvm::StringRef Name) const {
    auto Buffer = llvm::MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  unsigned entries() const {
    unsigned Count = 0;
    std::error_code EC;
    for (fs::directory_iterator I(Folder, EC), End; I != End && !EC; I.increment(EC))
      ++Count;
    return Count;
  }

  llvm::SmallString<128> Folder;
};

std::string messageOf(llvm::Error E) { return llvm::toString(std::move(E)); }

} // namespace

TEST_F(Writing, KeepsTheMode) {
  OutputFile A = file("a.c", "old", "new");
  ASSERT_FALSE(fs::setPermissions(A.Path, fs::perms(0640)));
  EXPECT_EQ(messageOf(writeAll({A})), "");
  EXPECT_EQ(read("a.c"), "new");
  EXPECT_EQ(*fs::getPermissions(A.Path), fs::perms(0640));
  EXPECT_EQ(entries(), 1u) << "nothing may be left beside it";
}

TEST_F(Writing, AFileThatChangedStopsAll) {
  OutputFile A = file("a.c", "old a", "new a"), B = file("b.c", "old b", "new b");
  file("b.c", "touched", "");
  EXPECT_NE(messageOf(writeAll({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(read("b.c"), "touched");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Writing, AFileThatIsGoneStopsAll) {
  OutputFile A = file("a.c", "old a", "new a"), B = file("b.c", "old b", "new b");
  fs::remove(B.Path);
  EXPECT_NE(messageOf(writeAll({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Writing, AFolderInTheWayStopsAll) {
  OutputFile A = file("a.c", "old a", "new a");
  OutputFile B{path("folder"), "new b", {}};
  ASSERT_FALSE(fs::create_directory(B.Path));
  EXPECT_NE(messageOf(writeAll({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Writing, AFileOfTwoNamesStopsAll) {
  OutputFile A = file("a.c", "old a", "new a"), B = file("b.c", "old b", "new b");
  ASSERT_FALSE(fs::create_hard_link(B.Path, path("other")));
  EXPECT_NE(messageOf(writeAll({A, B})).find("b.c': the file has 2 names (hard links)"), std::string::npos);
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(read("b.c"), "old b");
  EXPECT_EQ(entries(), 3u);
}

TEST_F(Writing, MakesNewFilesAndReplacesOthers) {
  OutputFile A = file("a.c", "old a", "new a"), Old = file("old.json", "{}", "[]");
  Old.Before.reset();
  EXPECT_EQ(messageOf(writeAll({A, Old, {path("new.json"), "{ }", {}}})), "");
  EXPECT_EQ(read("a.c"), "new a");
  EXPECT_EQ(read("old.json"), "[]");
  EXPECT_EQ(read("new.json"), "{ }");
  EXPECT_EQ(entries(), 3u);
}

TEST_F(Writing, RenamesAreCheckedAgainstTheFile) {
  EditedFile A = edited("a.c", "#include <mpi.h>\nMPI_Isend();\n");
  Rename R{{A.Path, 17, 2, 1}, "MPI_Isend", "MPISHM_Isend"};
  MpiSight Seen, None;
  Seen.Includes.push_back({A.Path, 0, 1, 1});
  Sights Look(Seen), Nothing(None);
  EXPECT_EQ(messageOf(editFile(A, {R}, Look)), "");
  EXPECT_EQ(A.After, "#include <mpi.h>\n#include <mpishm.h>\nMPISHM_Isend();\n");
  EditedFile B = edited("b.c", "int changed;\nMPI_Isend();\n");
  EXPECT_NE(messageOf(editFile(B, {R}, Nothing)), "");
}

TEST_F(Writing, OtherBytesStayAsTheyAre) {
  std::string Text = "#include <mpi.h>\r\n// \xe9\xff\x80 latin\r\nMPI_Isend(); /* \t */";
  EditedFile A = edited("a.c", Text);
  Rename R{{A.Path, uint32_t(Text.find("MPI_Isend")), 3, 1}, "MPI_Isend", "MPISHM_Isend"};
  MpiSight Seen;
  Seen.Includes.push_back({A.Path, 0, 1, 1});
  Sights Look(Seen);
  EXPECT_EQ(messageOf(editFile(A, {R}, Look)), "");
  EXPECT_EQ(A.After, "#include <mpi.h>\r\n#include <mpishm.h>\r\n// \xe9\xff\x80 latin\r\nMPISHM_Isend(); /* \t */");
}
