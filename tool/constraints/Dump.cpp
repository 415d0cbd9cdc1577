// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constraints/Dump.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
using namespace mpishm::ir;

static llvm::StringRef nameOf(Constraint::Kind Kind) {
  using K = Constraint::Kind;
  switch (Kind) {
  case K::Integer:
    return "integer";
  case K::AnyInteger:
    return "any-integer";
  case K::Anything:
    return "anything";
  case K::LocalAddress:
    return "local-address";
  case K::GlobalAddress:
    return "global-address";
  case K::Copy:
    return "copy";
  case K::Derive:
    return "derive";
  case K::Offset:
    return "offset";
  case K::Part:
    return "part";
  case K::Member:
    return "member";
  case K::Convert:
    return "convert";
  case K::ToAddress:
    return "to-address";
  case K::MovedBy:
    return "moved-by";
  case K::Aligned:
    return "aligned";
  case K::VirtualEntry:
    return "virtual-entry";
  case K::Binary:
    return "binary";
  case K::Difference:
    return "difference";
  case K::Load:
    return "load";
  case K::Store:
    return "store";
  case K::Initial:
    return "initial";
  case K::CopyMemory:
    return "copy-memory";
  case K::FillMemory:
    return "fill-memory";
  case K::OwnText:
    return "own-text";
  case K::Head:
    return "head";
  case K::Variadic:
    return "variadic";
  case K::Escape:
    return "escape";
  case K::BecomeNumber:
    return "become-number";
  case K::Throw:
    return "throw";
  case K::Catch:
    return "catch";
  case K::Call:
    return "call";
  }
  return "";
}

static void dump(const Unit &U, const Function &F, const Constraint &C, llvm::raw_ostream &Out) {
  Out << "  ";
  if (C.To != NoNode)
    Out << "%" << C.To << " = ";
  Out << nameOf(C.Is);
  for (Node N : {C.From, C.Second})
    if (N != NoNode)
      Out << " %" << N;
  bool Named = C.Is == Constraint::Kind::GlobalAddress || C.Is == Constraint::Kind::Initial;
  if (Named) {
    Out << " " << U.Symbols[C.A].Name << " " << C.B << " " << C.C;
  } else if (C.Is == Constraint::Kind::Call) {
    const Call &Of = F.Calls[C.A];
    Out << " " << (Of.Callee ? U.Symbols[*Of.Callee].Name : "%" + std::to_string(Of.Pointer));
    for (Node N : Of.Arguments)
      Out << " %" << N;
    if (Of.Result != NoNode)
      Out << " -> %" << Of.Result;
    if (Of.Site)
      Out << " site " << *Of.Site;
    if (Of.Virtual)
      Out << " virtual " << Of.Virtual.Receiver;
    for (size_t I = 0; Of.Virtual && I < Of.Virtual.Way.size(); ++I)
      Out << " " << Of.Virtual.Way[I].first;
  } else {
    Out << " " << C.A << " " << C.B << " " << C.C;
  }
  using K = Constraint::Kind;
  if (C.Is == K::Escape || C.Is == K::BecomeNumber || C.Is == K::Anything || C.Is == K::Member)
    Out << ": " << U.Texts[C.Text];
  Out << "\n";
}

void mpishm::ir::dump(const Unit &U, llvm::raw_ostream &Out) {
  for (const auto &[Number, Site] : llvm::enumerate(U.Sites))
    Out << "site " << Number << " " << Site.Function << " " << Site.Name.File << ":" << Site.Name.Line << ":"
        << Site.Name.Column << "\n";
  for (const ClassTable &Table : U.Tables)
    Out << "table " << U.Symbols[Table.Symbol].Name << " " << Table.Point << ": " << Table.Class << " " << Table.Offset
        << "\n";
  for (const auto &[Name, Bases] : U.Classes) {
    Out << "class " << Name;
    for (const BaseClass &Base : Bases)
      Out << " " << Base.Name << " " << (Base.IsVirtual ? "virtual" : std::to_string(Base.Offset));
    Out << "\n";
  }
  for (const Function &F : U.Functions) {
    Out << "function " << U.Symbols[F.Symbol].Name << " parameters " << F.Parameters << " result %" << F.Result << "\n";
    for (const Constraint &C : F.Constraints)
      ::dump(U, F, C, Out);
  }
  Out << "initialisers\n";
  for (const Constraint &C : U.Initialisers.Constraints)
    ::dump(U, U.Initialisers, C, Out);
}
