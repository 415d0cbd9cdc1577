// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Linked.h"
#include "classes/Classes.h"
#include "program/Program.h"
#include "program/Trusted.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

static ir::ClassesOptions optionsOf(const std::vector<UnitFacts> &Facts, const ProgramContext &Context) {
  ir::ClassesOptions Options;
  Options.IsWhole = Context.UnseenSources.empty() && !Context.Partial;
  Options.TrustedCalls.insert(Context.TrustedCalls.begin(), Context.TrustedCalls.end());
  for (const UnitFacts &Unit : Facts) {
    for (const LibraryFunction &F : Unit.LibraryFunctions)
      if (Trust T = trustIn(F); T != Trust::None)
        (T == Trust::Full ? Options.TrustedFully : Options.TrustedCalls).insert(F.Name);
    // Calls of one function in one use of a macro have one name, and those of a header may be read otherwise elsewhere.
    for (const Call &C : Unit.Calls)
      if (std::string &Run = Options.Runs.try_emplace({C.Name, C.Spelled}, C.Run).first->second; Run != C.Run)
        Run.clear();
  }
  Options.Asked = Context.Asked;
  llvm::copy_if(Context.Packed, std::back_inserter(Options.Packed),
                [](const PackedOfUnit &S) { return S.first.Refused.empty(); });
  return Options;
}

std::vector<ir::ValueClasses> mpishm::findValueClasses(const std::vector<UnitFacts> &Facts,
                                                       const std::vector<ir::Unit> &Code,
                                                       const ProgramContext &Context) {
  std::vector<std::string> Mains;
  std::vector<Part> Parts(Facts.size(), Shared);
  if (!Context.Together)
    Parts = partsOf(Facts, Mains);
  ir::ClassesOptions Options = optionsOf(Facts, Context);
  std::vector<ir::ValueClasses> Result;
  for (Part In = Mains.empty() ? Shared : 1; In <= Mains.size(); ++In) {
    std::vector<const ir::Unit *> Program;
    for (auto [Unit, Where] : llvm::zip_equal(Code, Parts))
      if (mayMeet(Where, In))
        Program.push_back(&Unit);
    Result.push_back(ir::findClasses(Program, Options));
  }
  return Result;
}
