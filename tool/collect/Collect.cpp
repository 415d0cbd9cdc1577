// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Collect.h"
#include "collect/Compiler.h"
#include "collect/Unit.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

namespace {

/// One unit's result, filled in by one thread.
struct Slot {
  clang::tooling::CompileCommand Command;
  UnitFacts Facts;
  std::string Errors; ///< what Clang says
  std::string Failure;
};

} // namespace

static void parse(Slot &S, Compilers &All) {
  llvm::Expected<std::vector<std::string>> Arguments = All.adjust(S.Command);
  if (!Arguments) {
    S.Failure = llvm::toString(Arguments.takeError());
    return;
  }
  llvm::raw_string_ostream Errors(S.Errors);
  if (!collectUnit(*Arguments, S.Command.Directory, S.Facts, Errors))
    S.Failure = "'" + S.Command.Filename + "' does not compile";
}

llvm::Expected<std::vector<UnitFacts>> mpishm::collectFacts(const clang::tooling::CompilationDatabase &Database,
                                                            llvm::ArrayRef<std::string> Sources,
                                                            const CollectOptions &Options, llvm::raw_ostream &Errors) {
  llvm::Expected<std::string> Resources = findResourceDirectory();
  if (!Resources)
    return Resources.takeError();
  std::vector<Slot> Slots;
  for (const std::string &Source : Sources) {
    std::vector<clang::tooling::CompileCommand> Commands = Database.getCompileCommands(Source);
    if (Commands.empty())
      return llvm::createStringError("no command for '%s' in the compilation database", Source.c_str());
    for (clang::tooling::CompileCommand &Command : Commands)
      Slots.push_back({std::move(Command), {}, {}, {}});
  }
  Compilers All(std::move(*Resources));
  std::mutex Mutex;
  unsigned Started = 0;
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Options.Jobs));
  for (Slot &S : Slots)
    Pool.async([&] {
      if (Options.Progress) {
        std::lock_guard<std::mutex> Lock(Mutex);
        Errors << "[" << ++Started << "/" << Slots.size() << "] " << S.Command.Filename << "\n";
      }
      parse(S, All);
    });
  Pool.wait();

  std::string FirstFailure;
  unsigned Failures = 0;
  std::vector<UnitFacts> Result;
  for (Slot &S : Slots) {
    Errors << S.Errors;
    if (!S.Failure.empty() && Failures++ == 0)
      FirstFailure = S.Failure;
    Result.push_back(std::move(S.Facts));
  }
  if (Failures > 1)
    FirstFailure += " (and " + std::to_string(Failures - 1) + (Failures == 2 ? " other unit)" : " other units)");
  if (Failures)
    return llvm::createStringError("%s", FirstFailure.c_str());
  return Result;
}
