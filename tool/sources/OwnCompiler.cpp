// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/OwnCompiler.h"
#include "sources/Compiler.h"
#include "sources/Programs.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using clang::tooling::CompileCommand;

OwnCompilers::~OwnCompilers() {
  if (!Folder.empty())
    (void)llvm::sys::fs::remove_directories(Folder);
}

/// Empty when it cannot be made.
std::string OwnCompilers::headerFolder() {
  std::lock_guard<std::mutex> Lock(Mutex);
  llvm::SmallString<128> Made;
  if (!Folder.empty() || llvm::sys::fs::createUniqueDirectory("mpishm", Made))
    return Folder;
  Folder = Made.str().str();
  llvm::sys::path::append(Made, "mpishm.h");
  std::error_code Error;
  llvm::raw_fd_ostream Out(Made, Error);
  if (!Error)
    Out << "#undef MPISHM_OFF\n" << getRuntimeHeader();
  return Folder;
}

/// Without what says where the outcome goes, and of what kind it is.
static std::vector<std::string> withoutOutputs(const CompileCommand &Command) {
  std::vector<std::string> Words = dropLaunchers(Command.CommandLine);
  for (const clang::tooling::ArgumentsAdjuster &Adjuster :
       {clang::tooling::getClangStripOutputAdjuster(), clang::tooling::getClangStripDependencyFileAdjuster()})
    Words = Adjuster(Words, Command.Filename);
  llvm::erase_if(Words, [](llvm::StringRef Word) {
    return Word == "-c" || Word == "-S" || Word == "-E" || Word == "-P" || Word.starts_with("-save-temps") ||
           Word.starts_with("-d") || Word.starts_with("-Wp,-M");
  });
  return Words;
}

/// Runs \p Words in \p Directory.
static llvm::Expected<std::string> runIn(llvm::StringRef Directory, llvm::ArrayRef<std::string> Words) {
  std::vector<llvm::StringRef> All = {"-c", "cd -- \"$1\" && shift && exec \"$@\"", "sh", Directory};
  All.insert(All.end(), Words.begin(), Words.end());
  return runProgram("sh", All);
}

llvm::Expected<std::string> OwnCompilers::preprocess(const CompileCommand &Command) {
  std::vector<std::string> Words = withoutOutputs(Command);
  if (Words.empty())
    return llvm::createStringError("the command is empty");
  if (llvm::StringRef(versionOf(Command)).contains("clang")) // GCC does not use them for -E
    Words = withoutPrecompiled(Words);
  std::vector<std::string> More = {"-E", "-w"};
  if (std::string Header = headerFolder(); !Header.empty())
    More.insert(More.end(), {"-idirafter", Header});
  Words.insert(Words.begin() + 1, More.begin(), More.end());
  return runIn(Command.Directory, Words);
}

const std::string &OwnCompilers::versionOf(const CompileCommand &Command) {
  std::vector<std::string> Words = dropLaunchers(Command.CommandLine);
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, New] = Versions.try_emplace(Words.empty() ? "" : Words.front());
  if (New && !Words.empty()) {
    if (llvm::Expected<std::string> Said = runIn(Command.Directory, {Words.front(), "--version"}))
      It->second = *Said;
    else
      llvm::consumeError(Said.takeError());
  }
  return It->second;
}
