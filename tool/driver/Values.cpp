// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Values.h"
#include "constraints/Extract.h"
#include "match/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace mpishm;

llvm::Error ValueAnalysis::add(const UnitFacts &Facts, const std::vector<std::string> &Arguments,
                               const std::string &Directory) {
  std::string Errors;
  llvm::raw_string_ostream Out(Errors);
  std::optional<LoweredUnit> Lowered = Units.lower(Arguments, Directory, Out);
  if (!Lowered)
    return llvm::createStringError("no code can be made of '%s':\n%s", Facts.MainFile.c_str(), Errors.c_str());
  ir::Unit Unit = ir::extract(*Lowered);
  std::lock_guard<std::mutex> Lock(Mutex);
  Entries.push_back({Facts.MainFile, Facts.Target, llvm::join(Arguments, " "), std::move(Unit)});
  return llvm::Error::success();
}

/// The functions that the user trusts, and those of libraries that are known by their headers.
static void addTrusted(const std::vector<UnitFacts> &All, const ProgramContext &Context, ir::ClassesOptions &Options) {
  using Trust = TrustedCalls::Trust;
  Options.TrustedCalls.insert(Context.TrustedCalls.begin(), Context.TrustedCalls.end());
  TrustedCalls Trusted(Context.TrustedCalls);
  for (const UnitFacts &Unit : All)
    for (const Argument &A : Unit.Arguments) {
      Trust T = Trusted.of(A);
      if (T != Trust::None)
        (T == Trust::Full ? Options.TrustedFully : Options.TrustedCalls).insert(A.CalleeName);
    }
}

std::vector<ir::ValueClasses> ValueAnalysis::find(const std::vector<UnitFacts> &All, const ProgramContext &Context) {
  // The order in which threads came by must not count.
  llvm::sort(Entries, [](const Entry &A, const Entry &B) {
    return std::tie(A.MainFile, A.Target, A.Command) < std::tie(B.MainFile, B.Target, B.Command);
  });
  std::vector<std::string> Mains;
  std::vector<Part> Parts(All.size(), Shared);
  if (!Context.Together)
    Parts = partsOf(All, Mains);
  std::map<std::pair<std::string, std::string>, Part> PartOfUnit;
  for (auto [Unit, In] : llvm::zip_equal(All, Parts))
    PartOfUnit[{Unit.MainFile, Unit.Target}] = In;
  ir::ClassesOptions Options;
  Options.IsWhole = Context.UnseenSources.empty() && !Context.Partial;
  addTrusted(All, Context, Options);
  for (const UnitFacts &Unit : All)
    for (const Call &C : Unit.Calls)
      if (!C.Run.empty())
        Options.Runs[{C.Name, C.Spelled}] = C.Run;
  std::vector<ir::ValueClasses> Result;
  for (Part In = Mains.empty() ? Shared : 1; In <= Mains.size(); ++In) {
    std::vector<const ir::Unit *> Linked;
    for (const Entry &E : Entries)
      if (mayMeet(PartOfUnit[{E.MainFile, E.Target}], In))
        Linked.push_back(&E.Unit);
    Result.push_back(ir::findClasses(Linked, Options));
  }
  return Result;
}
