// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy that -o makes: what it has, what it leaves out, and what a second run does to it.

#include "output/Tree.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;

namespace {

class Tree : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Made;
    ASSERT_FALSE(fs::createUniqueDirectory("mpishm-tree", Made));
    ASSERT_FALSE(fs::real_path(Made, Folder));
    write("p/src/a.c", "old");
    write("p/Makefile", "all:");
    Edited.push_back({path("p/src/a.c"), "old", "new", {}});
    Options = {path("p"), path("out"), {}, {}};
  }
  void TearDown() override { fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) const { return (Folder + "/" + Name).str(); }
  void write(llvm::StringRef Name, llvm::StringRef Text) {
    std::error_code EC = fs::create_directories(llvm::sys::path::parent_path(path(Name)));
    EXPECT_FALSE(EC);
    llvm::raw_fd_ostream(path(Name), EC) << Text;
    EXPECT_FALSE(EC);
  }
  std::string read(llvm::StringRef Name) const {
    auto Buffer = llvm::MemoryBuffer::getFile(path(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  bool exists(llvm::StringRef Name) const { return fs::exists(path(Name)); }
  /// Returns the error, or nothing.
  std::string run() {
    llvm::Expected<std::vector<std::string>> Result = writeTree(Edited, Options);
    if (!Result)
      return llvm::toString(Result.takeError());
    LeftOut = *Result;
    return "";
  }
  fs::file_status statusOf(llvm::StringRef Name) const {
    fs::file_status Status;
    EXPECT_FALSE(fs::status(path(Name), Status));
    return Status;
  }
  unsigned entries() const {
    unsigned Count = 0;
    std::error_code EC;
    for (fs::directory_iterator I(Folder, EC), End; I != End && !EC; I.increment(EC))
      ++Count;
    return Count;
  }

  llvm::SmallString<128> Folder;
  std::vector<EditedFile> Edited;
  TreeOptions Options;
  std::vector<std::string> LeftOut;
};

/// The first bytes of an ELF file of this type.
std::string elf(char Type) {
  std::string Text("\x7f"
                   "ELF\2\1\1\0\0\0\0\0\0\0\0\0\0\0\x3e\0",
                   20);
  Text[16] = Type;
  return Text;
}

} // namespace

TEST_F(Tree, HasEditedAndOtherFiles) {
  write("p/configure", "#!/bin/sh");
  ASSERT_FALSE(fs::setPermissions(path("p/configure"), fs::perms(0750)));
  EXPECT_EQ(run(), "");
  EXPECT_EQ(read("out/src/a.c"), "new");
  EXPECT_EQ(read("out/Makefile"), "all:");
  EXPECT_EQ(statusOf("out/configure").permissions(), fs::perms(0750));
  EXPECT_EQ(statusOf("out/Makefile").getLastModificationTime(), statusOf("p/Makefile").getLastModificationTime());
  EXPECT_EQ(read("p/src/a.c"), "old");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Tree, LeavesOutWhatBuildsAndVersionControlMade) {
  write("p/.git/config", "");
  write("p/build/CMakeCache.txt", "");
  write("p/build/generated.c", "old g");
  write("p/a.o", elf(1));
  write("p/bin/program", elf(2));
  write("p/bin/loaded-anywhere", elf(3));
  write("p/lib/libfast.so.1", elf(3));
  write("p/not-an-object.o", "text");
  write("p/compile_commands.json", "[]");
  Options.Without.push_back(path("p/compile_commands.json"));
  Edited.push_back({path("p/build/generated.c"), "old g", "new g", {}});
  EXPECT_EQ(run(), "");
  EXPECT_FALSE(exists("out/.git"));
  EXPECT_FALSE(exists("out/build/CMakeCache.txt"));
  EXPECT_FALSE(exists("out/a.o"));
  EXPECT_FALSE(exists("out/bin/program"));
  EXPECT_FALSE(exists("out/bin/loaded-anywhere"));
  EXPECT_TRUE(exists("out/lib/libfast.so.1"));
  EXPECT_FALSE(exists("out/compile_commands.json"));
  EXPECT_EQ(read("out/not-an-object.o"), "text");
  EXPECT_EQ(read("out/build/generated.c"), "new g") << "an edited file is there, wherever it is";
}

TEST_F(Tree, LinksLeadWhereTheyLed) {
  write("outside/b.h", "b");
  write("p/c.h", "c");
  ASSERT_FALSE(fs::create_link("../c.h", path("p/src/inside.h")));
  ASSERT_FALSE(fs::create_link(path("p/src/a.c"), path("p/absolute.c")));
  ASSERT_FALSE(fs::create_link("../../outside/b.h", path("p/src/outside.h")));
  ASSERT_FALSE(fs::create_link("../outside", path("p/folder")));
  EXPECT_EQ(run(), "");
  EXPECT_TRUE(fs::is_symlink_file(path("out/src/inside.h")));
  EXPECT_EQ(read("out/src/inside.h"), "c");
  EXPECT_EQ(read("out/absolute.c"), "new");
  EXPECT_EQ(read("out/src/outside.h"), "b");
  EXPECT_EQ(read("out/folder/b.h"), "b");
}

TEST_F(Tree, ASecondRunWritesOnlyWhatIsNew) {
  EXPECT_EQ(run(), "");
  write("out/a.o", "of the build there");
  fs::UniqueID Before = statusOf("out/src/a.c").getUniqueID(), Makefile = statusOf("out/Makefile").getUniqueID();
  write("p/Makefile", "all: a");
  write("p/new.c", "n");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(statusOf("out/src/a.c").getUniqueID(), Before);
  EXPECT_NE(statusOf("out/Makefile").getUniqueID(), Makefile);
  EXPECT_EQ(read("out/Makefile"), "all: a");
  EXPECT_EQ(read("out/new.c"), "n");
  EXPECT_EQ(read("out/a.o"), "of the build there");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(Tree, ASecondRunKeepsLibrariesThatWereBuiltThere) {
  write("p/libfast.a", "!<arch>\nof the program");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(read("out/libfast.a"), "!<arch>\nof the program");
  write("out/libfast.a", "!<arch>\nof the copy");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(read("out/libfast.a"), "!<arch>\nof the copy");
}

TEST_F(Tree, MayLieInTheProgramsFolder) {
  Options.Folder = path("p/out");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(read("p/out/src/a.c"), "new");
  EXPECT_FALSE(exists("p/out/out"));
}

TEST_F(Tree, NeverTouchesTheProgram) {
  for (llvm::StringRef Name : {"p", "p/src", "."}) {
    Options.Folder = path(Name);
    EXPECT_NE(run(), "") << Name.str();
    EXPECT_EQ(read("p/src/a.c"), "old");
  }
  write("file", "");
  Options.Folder = path("file");
  EXPECT_NE(run(), "");
}

TEST_F(Tree, TooManyFilesAreRefused) {
  Options.MostFiles = 1;
  EXPECT_NE(run().find("has more than 1 files"), std::string::npos);
  Options.MostFiles = 100;
  Options.MostBytes = 3;
  EXPECT_NE(run().find("has more than 0 MB"), std::string::npos);
  EXPECT_FALSE(exists("out"));
}

TEST_F(Tree, TheRootOfAllIsRefused) {
  Options.Root = "/";
  EXPECT_NE(run().find("no folder in common but '/'"), std::string::npos);
  EXPECT_FALSE(exists("out"));
}

TEST_F(Tree, LargeFilesAreLeftOutAndNamed) {
  write("p/results.h5", "a thousand steps");
  Options.LargeFile = 10;
  EXPECT_EQ(run(), "");
  EXPECT_FALSE(exists("out/results.h5"));
  EXPECT_EQ(LeftOut, std::vector<std::string>{path("p/results.h5")});
}

TEST_F(Tree, WhatCannotBeReadLeavesNothing) {
  write("p/z.c", "");
  fs::remove(path("p/z.c"));
  Edited.push_back({path("p/gone/z.c"), "", "", {}});
  EXPECT_NE(run(), "");
  EXPECT_FALSE(exists("out"));
  EXPECT_EQ(entries(), 1u);
}
