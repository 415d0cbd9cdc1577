// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits in memory are checked against the file, and files are written all or none.

#include "edit/Write.h"
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
  EditedFile file(llvm::StringRef Name, llvm::StringRef Before, llvm::StringRef After) {
    std::error_code EC;
    llvm::raw_fd_ostream(path(Name), EC) << Before;
    EXPECT_FALSE(EC);
    return {path(Name), Before.str(), After.str(), {}};
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

TEST_F(Writing, InPlaceKeepsTheMode) {
  EditedFile A = file("a.c", "old", "new");
  ASSERT_FALSE(fs::setPermissions(A.Path, fs::perms(0640)));
  EXPECT_EQ(messageOf(writeInPlace({A})), "");
  EXPECT_EQ(read("a.c"), "new");
  EXPECT_EQ(*fs::getPermissions(A.Path), fs::perms(0640));
  EXPECT_EQ(entries(), 1u) << "nothing may be left beside it";
}

TEST_F(Writing, AFileThatChangedStopsAll) {
  EditedFile A = file("a.c", "old a", "new a"), B = file("b.c", "old b", "new b");
  file("b.c", "touched", "");
  EXPECT_NE(messageOf(writeInPlace({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(read("b.c"), "touched");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Writing, AFileThatIsGoneStopsAll) {
  EditedFile A = file("a.c", "old a", "new a"), B = file("b.c", "old b", "new b");
  fs::remove(B.Path);
  EXPECT_NE(messageOf(writeInPlace({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Writing, AFolderInTheWayStopsAll) {
  EditedFile A = file("a.c", "old a", "new a");
  EditedFile B{path("folder"), "", "new b", {}};
  ASSERT_FALSE(fs::create_directory(B.Path));
  EXPECT_NE(messageOf(writeInPlace({A, B})), "");
  EXPECT_EQ(read("a.c"), "old a");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Writing, BelowAFolderInTheSameLayout) {
  ASSERT_FALSE(fs::create_directories(path("p/src")));
  EditedFile A = file("p/src/a.c", "old", "new");
  EXPECT_EQ(messageOf(writeBelow({A}, path("out"), path("p"))), "");
  EXPECT_EQ(read("out/src/a.c"), "new");
  EXPECT_EQ(read("p/src/a.c"), "old");
}

TEST_F(Writing, RenamesAreCheckedAgainstTheFile) {
  EditedFile A = file("a.c", "#include <mpi.h>\nMPI_Isend();\n", "");
  Rename R{{A.Path, 17, 2, 1}, "MPI_Isend", "MPISHM_Isend"};
  EXPECT_EQ(messageOf(editFile(A, {R}, {0})), "");
  EXPECT_EQ(A.After, "#include <mpi.h>\n#include <mpishm.h>\nMPISHM_Isend();\n");
  EditedFile B = file("b.c", "int changed;\nMPI_Isend();\n", "");
  EXPECT_NE(messageOf(editFile(B, {R}, {})), "");
}

TEST_F(Writing, OtherBytesStayAsTheyAre) {
  std::string Text = "#include <mpi.h>\r\n// \xe9\xff\x80 latin\r\nMPI_Isend(); /* \t */";
  EditedFile A = file("a.c", Text, "");
  Rename R{{A.Path, uint32_t(Text.find("MPI_Isend")), 3, 1}, "MPI_Isend", "MPISHM_Isend"};
  EXPECT_EQ(messageOf(editFile(A, {R}, {0})), "");
  EXPECT_EQ(A.After, "#include <mpi.h>\r\n#include <mpishm.h>\r\n// \xe9\xff\x80 latin\r\nMPISHM_Isend(); /* \t */");
}
