// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fixture.h"
#include "mpi/Functions.h"
#include "sources/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mpishm;
using namespace mpishm::test;

Sources::Sources() {
  if (std::error_code Error = llvm::sys::fs::createUniqueDirectory("mpishm-lower", Path))
    ADD_FAILURE() << "no temporary folder: " << Error.message();
}

Sources::~Sources() { llvm::sys::fs::remove_directories(Path); }

std::string Sources::write(llvm::StringRef Name, llvm::StringRef Text) const {
  llvm::SmallString<128> File(Path);
  llvm::sys::path::append(File, Name);
  std::error_code Error;
  llvm::raw_fd_ostream(File, Error) << Text;
  EXPECT_FALSE(Error) << Error.message();
  return std::string(File);
}

std::optional<std::vector<std::string>> Sources::command(llvm::StringRef Name, llvm::StringRef Text,
                                                         std::vector<std::string> Flags) const {
  clang::tooling::CompileCommand Command;
  Command.Directory = folder();
  Command.Filename = write(Name, Text);
  Command.CommandLine = {Name.ends_with(".c") ? "mpicc" : "mpicxx"};
  Command.CommandLine.insert(Command.CommandLine.end(), Flags.begin(), Flags.end());
  Command.CommandLine.insert(Command.CommandLine.end(), {"-c", Command.Filename});
  llvm::Expected<std::string> Resources = findResourceDirectory();
  if (!Resources) {
    ADD_FAILURE() << llvm::toString(Resources.takeError());
    return std::nullopt;
  }
  Compilers All(*Resources);
  llvm::Expected<std::vector<std::string>> Arguments = All.adjust(Command);
  if (!Arguments) {
    ADD_FAILURE() << llvm::toString(Arguments.takeError());
    return std::nullopt;
  }
  return std::move(*Arguments);
}

std::optional<LoweredUnit> Sources::lower(llvm::StringRef Name, llvm::StringRef Text, std::vector<std::string> Flags) {
  Flags.insert(Flags.begin(), "-O2"); // as most programs are compiled
  std::optional<std::vector<std::string>> Arguments = command(Name, Text, std::move(Flags));
  if (!Arguments)
    return std::nullopt;
  llvm::raw_string_ostream Out(Errors);
  return Units.lower(*Arguments, folder(), Out);
}

std::vector<std::string> mpishm::test::callsIn(const LoweredUnit &U) {
  std::set<std::pair<unsigned, std::string>> Found;
  for (const llvm::Function &F : *U.Module) {
    if (F.use_empty())
      continue;
    if (std::optional<unsigned> Site = siteOfSymbol(F.getName())) {
      const SiteMark &Mark = U.Sites.at(*Site);
      EXPECT_EQ(functionOfSymbol(F.getName()), Mark.Function);
      Found.insert({Mark.Name.Line, Mark.Function});
    } else if (isMpiName(F.getName())) {
      Found.insert({0, F.getName().str() + "!"});
    }
  }
  std::vector<std::string> Result;
  for (const auto &[Line, Name] : Found)
    Result.push_back((Line ? std::to_string(Line) + ":" : "") + Name);
  return Result;
}
