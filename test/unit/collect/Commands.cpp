// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of real databases.

#include "Fixture.h"
#include "sources/Compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::test;

static std::vector<std::string> adjust(std::vector<std::string> Line, std::string File = "x.c",
                                       std::string Directory = "/") {
  Compilers All("/resources");
  llvm::Expected<std::vector<std::string>> Result =
      All.adjust(clang::tooling::CompileCommand(Directory, File, std::move(Line), ""));
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return {};
  }
  return *Result;
}

static bool contains(const std::vector<std::string> &Line, llvm::StringRef Word) {
  return llvm::is_contained(Line, Word);
}

static std::string script(const Folder &Place, llvm::StringRef Name, llvm::StringRef Body) {
  std::string File = Place.write(Name, "#!/bin/sh\n" + Body.str());
  llvm::sys::fs::setPermissions(File, llvm::sys::fs::all_all);
  return File;
}

TEST(Command, DriverModeIsTheCompilers) {
  EXPECT_TRUE(contains(adjust({"gcc", "-c", "x.c"}), "--driver-mode=gcc"));
  EXPECT_TRUE(contains(adjust({"/usr/bin/x86_64-linux-gnu-g++-12", "-c", "x.c"}), "--driver-mode=g++"));
  EXPECT_TRUE(contains(adjust({"mpicxx", "-c", "x.c"}), "--driver-mode=g++"));
  EXPECT_TRUE(contains(adjust({"mpicc", "-c", "x.c"}), "--driver-mode=gcc"));
}

TEST(Command, Launchers) {
  EXPECT_TRUE(contains(adjust({"/usr/bin/ccache", "g++", "-c", "x.cc"}), "--driver-mode=g++"));
  EXPECT_TRUE(contains(adjust({"distcc", "ccache", "g++", "-c", "x.cc"}), "--driver-mode=g++"));
  EXPECT_TRUE(contains(adjust({"/bin/sh", "./libtool", "--tag=CXX", "--mode=compile", "g++", "-c", "x.cc"}),
                       "--driver-mode=g++"));
}

TEST(Command, OutputsGo) {
  std::vector<std::string> Line =
      adjust({"gcc", "-O2", "-MMD", "-MF", "x.d", "-o", "x.o", "-Werror", "-pipe", "-c", "x.c"});
  for (llvm::StringRef Gone : {"-o", "x.o", "-MMD", "-MF", "x.d", "-Werror", "-c", "-pipe"})
    EXPECT_FALSE(contains(Line, Gone)) << Gone.str();
  for (llvm::StringRef Kept : {"-O2", "x.c", "-fsyntax-only"})
    EXPECT_TRUE(contains(Line, Kept)) << Kept.str();
}

TEST(Command, OptionsThatOnlyGccHas) {
  std::vector<std::string> Line = adjust({"gcc", "-fno-such-gcc-option=3", "-mno-such", "-march=native", "-c", "x.c"});
  EXPECT_FALSE(contains(Line, "-fno-such-gcc-option=3"));
  EXPECT_FALSE(contains(Line, "-mno-such"));
  EXPECT_TRUE(contains(Line, "-march=native"));
  Facts F = collect(
      Language::C, "int x;",
      {"-fno-such-gcc-option=3", "-ftree-vectorizer-verbose=2", "-Wno-such", "-fipa-pta", "-O5", "-fmax-errors=1"});
  EXPECT_EQ(F.Errors, "");
}

TEST(Command, OptionsThatClangTakesForOthers) {
  std::vector<std::string> Line = adjust({"icx", "-qopenmp", "-xHost", "-fp-model", "precise",
                                          "-fprofile-use=gone.gcda", "-x", "c", "-xc++", "@x.o.modmap", "-c", "x.c"});
  EXPECT_TRUE(contains(Line, "-fopenmp"));
  EXPECT_TRUE(contains(Line, "-xc++"));
  for (llvm::StringRef Gone : {"-xHost", "-fp-model", "precise", "-fprofile-use=gone.gcda", "@x.o.modmap"})
    EXPECT_FALSE(contains(Line, Gone)) << Gone.str();
}

TEST(Command, OpenMpOfOtherCompilers) {
  for (const char *Option :
       {"-openmp", "-fiopenmp", "-mp", "-mp=multicore", "-homp", "-Kopenmp", "-qsmp=omp", "-xopenmp"})
    EXPECT_TRUE(contains(adjust({"cc", Option, "-c", "x.c"}), "-fopenmp")) << Option;
  // What may be OpenMP and is not translated is not passed over in silence.
  for (const char *Option : {"-qsmp", "-qopenmp-stubs", "-mp=gpu", "-Kfast,openmp"})
    EXPECT_EQ(findOptionPassedOver({".", "x.c", {"cc", Option, "-c", "x.c"}, ""}), Option);
}

TEST(Command, PrecompiledHeadersAreReadAsText) {
  std::vector<std::string> Line =
      adjust({"clang++", "-Xclang", "-include-pch", "-Xclang", "all.pch", "-include-pch", "more.pch", "-Xclang",
              "-emit-pch", "-include", "a.h", "-includeb.h", "-Xclang", "-include", "-Xclang", "c.h", "-c", "x.cc"},
             "x.cc");
  for (llvm::StringRef Gone : {"-include-pch", "all.pch", "more.pch", "-emit-pch", "-includeb.h"})
    EXPECT_FALSE(contains(Line, Gone)) << Gone.str();
  for (llvm::StringRef Header : {"a.h", "b.h", "c.h"}) {
    auto At = llvm::find(Line, Header);
    ASSERT_TRUE(At != Line.end() && At - Line.begin() > 3) << Header.str();
    EXPECT_EQ(std::vector<std::string>(At - 3, At), std::vector<std::string>({"-Xclang", "-include", "-Xclang"}));
  }
}

TEST(Command, AsksTheMpiCompiler) {
  Folder Place;
  std::string Wrapper = script(Place, "mpicc",
                               "echo 'gcc -I/some/mpi/include -I/ -DFROM_MPI=1 -pthread -L/lib -lmpi'\n"
                               "echo x >> " +
                                   Place.path() + "/asked\n");
  Compilers All("/resources");
  for (int Times = 0; Times < 2; ++Times) {
    llvm::Expected<std::vector<std::string>> Line =
        All.adjust(clang::tooling::CompileCommand(Place.path(), "x.c", {Wrapper, "-Imine", "-c", "x.c"}, ""));
    ASSERT_TRUE(bool(Line)) << llvm::toString(Line.takeError());
    auto Mine = llvm::find(*Line, "-Imine"), Theirs = llvm::find(*Line, "-I/some/mpi/include");
    ASSERT_NE(Theirs, Line->end());
    EXPECT_LT(Mine, Theirs);
    EXPECT_TRUE(contains(*Line, "-DFROM_MPI=1"));
    EXPECT_FALSE(contains(*Line, "-lmpi"));
  }
  auto Asked = llvm::MemoryBuffer::getFile(Place.path() + "/asked");
  ASSERT_TRUE(bool(Asked));
  EXPECT_EQ((*Asked)->getBuffer(), "x\n") << "its answer is to be remembered";
}

TEST(Command, AsksOpenMpiItsWay) {
  Folder Place;
  std::string Wrapper =
      script(Place, "mpicxx.openmpi", "[ \"$1\" = --showme:compile ] || exit 1\necho '-I/open/mpi/include -I/'\n");
  EXPECT_TRUE(contains(adjust({Wrapper, "-c", "x.cc"}, "x.cc"), "-I/open/mpi/include"));
}

TEST(Command, AsksCraysCompiler) {
  Folder Place;
  std::string Wrapper = script(Place, "CC", "[ $1 = --cray-print-opts=cflags ] && echo ' -I/cray/mpich/include -I/'\n");
  EXPECT_FALSE(contains(adjust({Wrapper, "-c", "x.cc"}, "x.cc"), "-I/cray/mpich/include")) << "elsewhere CC is any";
  setenv("CRAYPE_VERSION", "2.7", 1);
  EXPECT_TRUE(contains(adjust({Wrapper, "-c", "x.cc"}, "x.cc"), "-I/cray/mpich/include"));
  unsetenv("CRAYPE_VERSION");
}

TEST(Command, RelativeWrapper) {
  Folder Place;
  script(Place, "bin/mpicc", "echo 'gcc -I/relative/include -I/'\n");
  EXPECT_TRUE(contains(adjust({"bin/mpicc", "-c", "x.c"}, "x.c", Place.path()), "-I/relative/include"));
}

TEST(Command, WrapperThatCannotBeRun) {
  Compilers All("/resources");
  llvm::Expected<std::vector<std::string>> Line =
      All.adjust(clang::tooling::CompileCommand("/", "x.c", {"/no/such/place/mpicc", "-c", "x.c"}, ""));
  ASSERT_FALSE(bool(Line));
  EXPECT_NE(llvm::toString(Line.takeError()).find("/no/such/place/mpicc"), std::string::npos);
}

TEST(Command, ResourceDirectoryIsFound) {
  llvm::Expected<std::string> Found = findResourceDirectory();
  ASSERT_TRUE(bool(Found)) << llvm::toString(Found.takeError());
  EXPECT_TRUE(llvm::sys::fs::exists(*Found + "/include/stddef.h"));
}

TEST(Command, MpishmHeaderIsOurs) {
  Facts F = collect(Language::Cxx, "#include <mpishm.h>\nvoid f() { MPISHM_Attach(); }\n");
  EXPECT_EQ(F.Errors, "");
  EXPECT_TRUE(F.has("call MPISHM_Attach at unit.cpp:3:12 editable in f")) << F.dump();
}

TEST(Command, CFilesOfCxxCompilers) {
  Folder Place;
  std::string File = Place.write("x.c", "#include <mpi.h>\n#include <vector>\nstd::vector<int> v;\n");
  Commands Database;
  Database.add(Place.path(), File, {"mpicxx", "-c", "x.c"});
  std::string Errors;
  llvm::raw_string_ostream Out(Errors);
  llvm::Expected<std::vector<UnitFacts>> Units = collectFacts(Database, {File}, CollectOptions(), Out);
  EXPECT_TRUE(bool(Units)) << llvm::toString(Units.takeError()) << Errors;
}

TEST(Command, OpenMP) {
  for (std::vector<std::string> Flags : {std::vector<std::string>{"-fopenmp"}, {}}) {
    Facts F = collect(Language::Cxx, R"(
    #include <atomic>
    #include <omp.h>
    void f(int n, MPI_Request *r) {
      int id = omp_get_thread_num();
    #pragma omp parallel for
      for (int i = 0; i < n; ++i) MPI_Wait(&r[i], MPI_STATUS_IGNORE);
    })",
                      Flags);
    EXPECT_EQ(F.Errors, "");
    EXPECT_TRUE(F.has("call MPI_Wait at unit.cpp:8:35 editable in f")) << F.dump();
  }
}
