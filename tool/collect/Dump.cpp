// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Collect.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

namespace {

llvm::StringRef spell(Domain D) {
  switch (D) {
  case Domain::Communicator:
    return "communicator";
  case Domain::Request:
    return "request";
  case Domain::Message:
    return "message";
  case Domain::Integer:
    return "integer";
  }
  return "";
}

llvm::StringRef spell(Editability E) {
  switch (E) {
  case Editability::Editable:
    return "editable";
  case Editability::MacroDefinition:
    return "macro-definition";
  case Editability::MacroBody:
    return "macro-body";
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
  case Editability::SystemHeader:
    return "system-header";
  }
  return "";
}

llvm::StringRef spell(Escape::Kind K) {
  switch (K) {
  case Escape::Kind::Variadic:
    return "variadic";
  case Escape::Kind::Cast:
    return "cast";
  case Escape::Kind::Expression:
    return "expression";
  case Escape::Kind::LeakingMpi:
    return "leaking-mpi";
  }
  return "";
}

/// Prints one unit.
class Dumper {
public:
  Dumper(const UnitFacts &F, llvm::raw_ostream &O) : Facts(F), Out(O) {}
  void dump();

private:
  std::string text(const Operand &O) const;
  std::string text(const Place &P) const {
    return llvm::sys::path::filename(P.File).str() + ":" + std::to_string(P.Line) + ":" + std::to_string(P.Column);
  }
  void list(llvm::StringRef Name, const std::vector<Operand> &Operands);
  void dump(const Call &C);

  const UnitFacts &Facts;
  llvm::raw_ostream &Out;
};

std::string Dumper::text(const Operand &O) const {
  switch (O.Which) {
  case Operand::Kind::Object:
    return "[" + Facts.Objects[O.ObjectIndex].Name + "]";
  case Operand::Kind::World:
    return "World";
  case Operand::Kind::Self:
    return "Self";
  case Operand::Kind::Null:
    return "Null";
  case Operand::Kind::Constant:
    return std::to_string(O.Value);
  case Operand::Kind::AnySource:
    return "AnySource";
  case Operand::Kind::AnyTag:
    return "AnyTag";
  case Operand::Kind::ProcNull:
    return "ProcNull";
  case Operand::Kind::Computed:
    return "Computed";
  case Operand::Kind::Unknown:
    return "Unknown";
  }
  return "";
}

void Dumper::list(llvm::StringRef Name, const std::vector<Operand> &Operands) {
  if (Operands.empty())
    return;
  Out << " " << Name << "=";
  for (size_t I = 0; I < Operands.size(); ++I)
    Out << (I ? "|" : "") << text(Operands[I]);
}

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
  list("comm", C.Comm);
  list("peer", C.Peer);
  list("tag", C.Tag);
  list("peer2", C.SecondPeer);
  list("tag2", C.SecondTag);
  list("request", C.Request);
  list("newcomm", C.NewComm);
  list("message", C.Message);
  Out << "\n";
}

void Dumper::dump() {
  Out << "unit " << llvm::sys::path::filename(Facts.MainFile) << (Facts.IncludesMpi ? "" : " without mpi.h") << "\n";
  for (const Place &P : Facts.MpiIncludes)
    Out << "include at " << text(P) << "\n";
  for (const Object &O : Facts.Objects)
    Out << "object [" << O.Name << "] " << spell(O.Kind) << (O.External ? " external" : "") << " " << O.Id << "\n";
  for (const Call &C : Facts.Calls)
    dump(C);
  for (const Flow &F : Facts.Flows)
    Out << "flow [" << Facts.Objects[F.To].Name << "] " << (F.Both ? "<->" : "<-") << " " << text(F.From) << " at "
        << text(F.Where) << "\n";
  for (const Sum &S : Facts.Sums) {
    Out << "sum [" << Facts.Objects[S.To].Name << "] <- " << S.Offset;
    for (const Sum::Term &T : S.Terms)
      Out << " + " << T.Factor << " * " << text(T.Value);
    Out << "\n";
  }
  for (const Argument &A : Facts.Arguments)
    Out << "argument " << A.CalleeName << " [" << Facts.Objects[A.Parameter].Name << "] " << (A.Both ? "<->" : "<-")
        << " " << text(A.Value) << " at " << text(A.Where) << "\n";
  for (const Escape &E : Facts.Escapes)
    Out << "escape " << spell(E.Which) << " " << spell(E.What) << " " << text(E.Value) << " to '" << E.Name << "' at "
        << text(E.Where) << "\n";
  for (const MemoryUse &M : Facts.Memory) {
    const char *Does = M.Does == MemoryUse::Kind::Alone      ? "alone"
                       : M.Does == MemoryUse::Kind::Followed ? "followed"
                                                             : "bytes";
    Out << "memory " << Does << " " << M.Id;
    for (const std::string &Id : M.DependsOn)
      Out << " if " << Id;
    Out << "\n";
  }
  for (const FunctionUse &U : Facts.Uses)
    Out << "use " << U.Function << (U.GoesRound ? " round the net" : "") << " at " << text(U.Where) << "\n";
  for (const FunctionDefinition &D : Facts.Definitions)
    Out << "definition " << D.Function << (D.IsMacro ? " macro" : "") << " at " << text(D.Where) << "\n";
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
}

} // namespace

void mpishm::dumpFacts(const UnitFacts &Facts, llvm::raw_ostream &Out) { Dumper(Facts, Out).dump(); }
