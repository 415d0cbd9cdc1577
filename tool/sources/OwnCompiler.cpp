// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/OwnCompiler.h"
#include "sources/Compiler.h"
#include "sources/Programs.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mpishm;
using clang::tooling::CompileCommand;

/// What Clang's preprocessor answers, and has as macros for that; others may not.
static constexpr llvm::StringLiteral Operators[] = {
    "__has_feature",     "__has_extension", "__has_builtin", "__has_constexpr_builtin",  "__has_attribute",
    "__has_c_attribute", "__is_identifier", "__has_warning", "__has_declspec_attribute", "__has_cpp_attribute"};

/// A header of the name QuestionName defines, of these, with AnswerPrefix before it, which there are.
static constexpr llvm::StringLiteral QuestionName = "mpishm_question.h", AnswerPrefix = "mpishm_has_";

/// Empty when it cannot be made.
std::string OwnCompilers::headerFolder() {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!Folder.path().empty())
    return Folder.path();
  std::string Question;
  for (llvm::StringRef Name : Operators)
    Question += ("#ifdef " + Name + "\n#define " + AnswerPrefix + Name + "\n#endif\n").str();
  if (Folder.make() || Folder.add("mpishm.h", ("#undef MPISHM_OFF\n" + getRuntimeHeader()).str()) ||
      Folder.add(QuestionName, Question))
    Folder.remove();
  return Folder.path();
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

llvm::Expected<std::string> OwnCompilers::preprocess(const CompileCommand &Command,
                                                     llvm::ArrayRef<std::string> Options) {
  std::vector<std::string> Words = withoutOutputs(Command);
  if (Words.empty())
    return llvm::createStringError("the command is empty");
  if (llvm::StringRef(versionOf(Command)).contains("clang")) // GCC does not use them for -E
    Words = withoutPrecompiled(Words);
  std::vector<std::string> More = {"-E", "-w"};
  More.insert(More.end(), Options.begin(), Options.end());
  if (std::string Header = headerFolder(); !Header.empty())
    More.insert(More.end(), {"-idirafter", Header});
  Words.insert(Words.begin() + 1, More.begin(), More.end());
  return runIn(Command.Directory, Words);
}

llvm::Expected<std::string> OwnCompilers::preprocess(const CompileCommand &Command) { return preprocess(Command, {}); }

/// Of the macro that \p Definition is of.
static llvm::StringRef nameIn(llvm::StringRef Definition) {
  return Definition.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
}

llvm::Expected<Predefined> OwnCompilers::predefined(const CompileCommand &Command) {
  std::string Question = headerFolder();
  if (Question.empty())
    return llvm::createStringError("no folder can be made");
  Question += "/" + QuestionName.str();
  llvm::Expected<std::string> Text = preprocess(Command, {"-dD", "-include", Question});
  if (!Text)
    return Text.takeError();
  Predefined Result;
  llvm::StringSet<> Has;
  bool IsBuiltin = false;
  for (llvm::StringRef Line : llvm::split(*Text, '\n')) {
    // # 1 "<built-in>" 2, and what g++ gives itself by its own command line: _GNU_SOURCE
    if (Line.starts_with("# "))
      IsBuiltin = Line.contains(" \"<built-in>\"") || Line.contains(" \"<command-line>\"");
    else if (IsBuiltin && Line.consume_front("#undef "))
      llvm::erase_if(Result.Definitions, [&](llvm::StringRef Defined) { return nameIn(Defined) == Line.trim(); });
    else if (Line.consume_front("#define " + AnswerPrefix.str()))
      Has.insert(Line.trim());
    else if (IsBuiltin && Line.consume_front("#define "))
      Result.Definitions.push_back(Line.trim().str());
  }
  if (Result.Definitions.empty())
    return llvm::createStringError("it does not say what it has predefined");
  for (llvm::StringRef Name : Operators)
    if (!Has.contains(Name))
      Result.Missing.push_back(Name.str());
  return Result;
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
