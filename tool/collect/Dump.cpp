// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Collect.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

namespace {

llvm::StringRef spell(Editability E) {
  switch (E) {
  case Editability::Editable:
    return "editable";
  case Editability::MacroDefinition:
    return "macro-definition";
  case Editability::MacroBody:
    return "macro-body";
  case Editability::Pasted:
    return "pasted";
  case Editability::PastedName:
    return "pasted-name";
  case Editability::Qualified:
    return "qualified";
  case Editability::SplitName:
    return "split-name";
  case Editability::Stringized:
    return "stringized";
  case Editability::Printed:
    return "printed";
  case Editability::Column:
    return "column";
  case Editability::NoHeader:
    return "no-header";
  case Editability::SystemHeader:
    return "system-header";
  }
  return "";
}

/// Prints one unit.
class Dumper {
public:
  Dumper(const UnitFacts &F, llvm::raw_ostream &O) : Facts(F), Out(O) {}
  void dump();

private:
  std::string text(const Place &P) const {
    return llvm::sys::path::filename(P.File).str() + ":" + std::to_string(P.Line) + ":" + std::to_string(P.Column);
  }
  void dump(const Call &C);

  const UnitFacts &Facts;
  llvm::raw_ostream &Out;
};

void Dumper::dump(const Call &C) {
  Out << "call " << C.Function;
  if (C.Spelled != C.Function)
    Out << " as " << C.Spelled;
  Out << " at " << text(C.Name) << " " << spell(C.Edit);
  if (C.Edit != Editability::Editable)
    Out << " (" << C.CauseName << " " << text(C.Cause) << ")";
  if (!C.Qualifier.empty())
    Out << " qualified (" << C.Qualifier << ")";
  if (C.Kept)
    Out << " kept (" << text(*C.Kept) << ")";
  if (!C.Enclosing.empty())
    Out << " in " << C.Enclosing;
  if (!C.Run.empty())
    Out << " run (" << C.Run << ")";
  Out << "\n";
}

void Dumper::dump() {
  Out << "unit " << llvm::sys::path::filename(Facts.MainFile) << (Facts.IncludesMpi ? "" : " without mpi.h") << "\n";
  for (const Place &P : Facts.MpiIncludes)
    Out << "include at " << text(P) << "\n";
  for (const Call &C : Facts.Calls)
    dump(C);
  for (const FunctionUse &U : Facts.Uses)
    Out << "use " << U.Function << (U.GoesRound ? " round the net" : "") << " at " << text(U.Where) << "\n";
  for (const FunctionDefinition &D : Facts.Definitions)
    Out << "definition " << D.Function << (D.IsMacro ? " macro" : "") << " at " << text(D.Where) << "\n";
  for (const LibraryFunction &F : Facts.LibraryFunctions)
    Out << "library " << F.Name << " of " << F.Header << "\n";
  for (const Reading &R : Facts.Readings)
    Out << "reading " << R.Where.Line << ": " << R.What << "\n";
  for (const Mention &M : Facts.Skipped)
    Out << "skipped " << M.Function << " at " << text(M.Where) << (M.ByCompiler ? " by the compiler" : "") << "\n";
  for (const Mention &M : Facts.Read)
    Out << "read " << M.Function << " at " << text(M.Where) << "\n";
  for (const Place &P : Facts.ForeignNames)
    Out << "foreign at " << text(P) << "\n";
  for (const std::string &Id : Facts.Bodies)
    Out << "body " << Id << "\n";
  for (const std::string &Id : Facts.OwnFunctionTypes)
    Out << "own " << Id << "\n";
  for (const std::string &Id : Facts.ConvertedFunctionTypes)
    Out << "converted " << Id << "\n";
  for (const FunctionPointerOrigin &O : Facts.FunctionPointerOrigins)
    Out << "pointer " << O.Type << " from " << O.From << "\n";
}

} // namespace

void mpishm::dumpFacts(const UnitFacts &Facts, llvm::raw_ostream &Out) { Dumper(Facts, Out).dump(); }
