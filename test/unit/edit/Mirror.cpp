// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that a build system compiles in the place of the originals.

#include "output/Mirror.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;

namespace {

class Mirror : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made, Real;
    ASSERT_FALSE(fs::createUniqueDirectory("mirror", Made));
    ASSERT_FALSE(fs::real_path(Made, Real));
    Root = Real.str().str();
  }
  void TearDown() override { fs::remove_directories(Root); }

  std::string write(const std::string &Name, llvm::StringRef Text) {
    std::string Path = Root + "/" + Name;
    EXPECT_FALSE(fs::create_directories(llvm::sys::path::parent_path(Path)));
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Text;
    return Path;
  }
  std::string copyOf(const std::string &Path) const { return Root + "/mirror" + Path; }
  std::string textOf(const std::string &Path) const {
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  bool isLink(const std::string &Path) const { return fs::is_symlink_file(Path); }
  static EditedFile edited(const std::string &Path, const std::string &After) {
    EditedFile File;
    File.Path = Path;
    File.After = After;
    return File;
  }
  void update(llvm::ArrayRef<EditedFile> Edited, llvm::ArrayRef<UnitSources> Units) {
    llvm::Error E = writeMirror(Edited, Units, Root + "/mirror");
    EXPECT_FALSE(bool(E)) << llvm::toString(std::move(E));
  }
  static llvm::sys::TimePoint<> timeOf(const std::string &Path) {
    fs::file_status Status;
    EXPECT_FALSE(fs::status(Path, Status));
    return Status.getLastModificationTime();
  }

  std::string Root;
};

TEST_F(Mirror, EditsSourcesAndLinks) {
  std::string Source = write("a.c", "before"), Edit = write("e.h", "before"), Plain = write("p.h", "plain");
  update({edited(Edit, "after")}, {{Source, {Source, Edit, Plain}}});
  EXPECT_EQ(textOf(copyOf(Source)), "before");
  EXPECT_FALSE(isLink(copyOf(Source)));
  EXPECT_EQ(textOf(copyOf(Edit)), "after");
  EXPECT_TRUE(isLink(copyOf(Plain)));
  EXPECT_EQ(textOf(Root + "/mirror/edited.txt"), Edit + "\n");
  EXPECT_EQ(textOf(Edit), "before");
}

TEST_F(Mirror, AbsoluteIncludesStayInside) {
  std::string Source = write("a.c", "before"), Other = "/usr/include/stdio.h";
  std::string Unity = write("u.c", "#include \"" + Source + "\"\n#include <" + Other + ">\n");
  update({edited(Source, "after")}, {{Unity, {Unity, Source}}});
  EXPECT_EQ(textOf(copyOf(Unity)), "#include \"" + copyOf(Source) + "\"\n#include <" + Other + ">\n");
}

TEST_F(Mirror, LinksInThePathAndDots) {
  std::string Header = write("real/h.h", "before"), Source = write("src/a.c", "");
  ASSERT_EQ(::symlink("real", (Root + "/link").c_str()), 0);
  update({edited(Header, "after")}, {{Source, {Source, Root + "/src/../link/h.h"}}});
  EXPECT_EQ(textOf(Root + "/mirror" + Root + "/src/../link/h.h"), "after");
}

TEST_F(Mirror, WritesOnlyWhatIsDifferent) {
  std::string A = write("a.c", ""), B = write("b.c", ""), Header = write("h.h", "1"), Gone = write("g.h", "");
  update({edited(Header, "2"), edited(Gone, "gone")}, {{A, {A, Header, Gone}}, {B, {B}}});
  auto Old = timeOf(copyOf(A));
  update({edited(Header, "2"), edited(Gone, "gone")}, {{A, {A, Header, Gone}}, {B, {B}}});
  EXPECT_EQ(timeOf(copyOf(A)), Old);

  auto OldB = timeOf(copyOf(B));
  update({edited(Header, "3")}, {{A, {A, Header}}, {B, {B}}});
  EXPECT_EQ(textOf(copyOf(Header)), "3");
  EXPECT_GT(timeOf(copyOf(A)), Old) << "its header is another one";
  EXPECT_EQ(timeOf(copyOf(B)), OldB);
  EXPECT_EQ(textOf(copyOf(Gone)), "(none)");

  update({}, {{A, {A, Header}}, {B, {B}}});
  EXPECT_TRUE(isLink(copyOf(Header)));
  update({edited(Header, "4")}, {{A, {A, Header}}, {B, {B}}});
  EXPECT_EQ(textOf(copyOf(Header)), "4");
  EXPECT_EQ(textOf(Header), "1") << "the link was followed";
}

} // namespace
