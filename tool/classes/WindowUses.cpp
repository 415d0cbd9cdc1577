// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "classes/WindowUses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::ir;
using S = Refusal::Subject;

bool mpishm::ir::mayMeet(const WindowUse &A, const WindowUse &B) {
  auto Has = [](const WindowUse &Use) { return Use.Any || !Use.Made.empty(); };
  if (A.Any || B.Any)
    return Has(A) && Has(B);
  return llvm::any_of(A.Made, [&](uint32_t Number) { return B.Made.count(Number); });
}

bool mpishm::ir::isOnWindows(const MpiCall &C) {
  return isOneSided(C.Info->Kind) && C.Info->Supported == Support::Rewritten;
}

WindowUses::WindowUses(const LinkedProgram &Program, const Analysis &Values, Explained &Of)
    : P(Program), A(Values), Explains(Of) {
  for (const MpiCall &C : A.calls())
    if (C.Info->Kind == FunctionKind::WindowMaker)
      Makers.try_emplace(C.Number, &C);
    else if (C.Window != NoNode)
      AnyUnknown |= A.whyAnything(C.Window) != nullptr;
  for (const MpiCall &C : A.calls())
    if (C.Window != NoNode && C.Site && isGivenOneOfOurs(C))
      Served.insert(*C.Site);
}

std::string mpishm::ir::whyNotMade(const Analysis &A, uint32_t Handle) {
  return A.tokensOf(Handle).empty() ? "is set nowhere, as far as was read" : "cannot be followed to where it is made";
}

/// What makes the window that \p T is, if it is one.
const MpiCall *WindowUses::makerOf(const Token &T) const {
  auto It = T.Is == Token::Kind::Window ? Makers.find(T.Id) : Makers.end();
  return It == Makers.end() ? nullptr : It->second;
}

/// Whether \p C, which may be one of several readings of a site, may be given a window that the runtime has.
bool WindowUses::isGivenOneOfOurs(const MpiCall &C) const {
  return llvm::any_of(A.tokensOf(C.Window), [&](uint32_t T) {
    const MpiCall *Maker = makerOf(A.token(T));
    return Maker && isOnWindows(*Maker);
  });
}

WindowUse WindowUses::of(const MpiCall &C) const {
  if (C.Info->Kind == FunctionKind::WindowMaker)
    return ofMaker(C);
  WindowUse Use;
  bool Null = false, Other = A.isMadeUp(C.Window), OfMpi = false;
  auto NullIs = P.Constants.find("MPI_WIN_NULL");
  for (uint32_t T : A.tokensOf(C.Window)) {
    const Token &Each = A.token(T);
    if (Each.Is == Token::Kind::Integer && Each.Where.isExact())
      Null |= NullIs != P.Constants.end() && Each.Where.Offset == NullIs->second.numberOfNull();
    Other |= Each.Is == Token::Kind::Integer && !Each.Where.isExact() && !A.whyAnything(C.Window);
    const MpiCall *Maker = makerOf(Each);
    if (Maker && isOnWindows(*Maker))
      Use.Made.insert(Each.Id);
    else
      OfMpi |= Maker != nullptr;
  }
  Use.Any = Other && Use.Made.empty() && !OfMpi;
  if (const Reason *Why = A.whyAnything(C.Window)) {
    const Reason &First = A.firstOf(*Why);
    Use.Whys.push_back({S::UnknownWindow, C.Function, A.describe(*Why), First.File, First.Line});
    Explains.add(Use.Whys.back(), C.Window);
  } else if (Use.Made.empty() && OfMpi) {
    if (!C.Site || !Served.count(*C.Site)) // else it is rewritten for who calls it otherwise, and hands these on
      Use.Whys.push_back({S::DynamicWindow, C.Function, "is of MPI_Win_create_dynamic", C.File, C.Line});
  } else if (Use.Made.empty() && (Other || !Null)) { // nothing sets it that is followed, yet a program uses it
    Use.Any = true;
    Use.Whys.push_back({S::UnknownWindow, C.Function, whyNotMade(A, C.Window), C.File, C.Line});
  }
  return Use;
}

/// The reasons of all that is done on the window, which is in the maker's class.
WindowUse WindowUses::ofMaker(const MpiCall &C) const {
  WindowUse Use;
  Use.Made.insert(C.Number);
  const Token Made{Token::Kind::Window, C.Number, {}};
  for (EscapeReason &Why : A.whysEscaped(Made)) {
    Use.Whys.push_back({S::Window, C.Function, std::move(Why.Text), std::move(Why.File), Why.Line});
    Explains.add(Use.Whys.back(), Made, std::move(Why.Chain));
  }
  if (const Reason *Why = A.whyLeftAsNumber(Made); Why && AnyUnknown) {
    const Reason &First = A.firstOf(*Why);
    Use.Whys.push_back({S::Window, C.Function, A.describe(*Why), First.File, First.Line});
    Explains.add(Use.Whys.back(), Made, A.chainOf(*Why));
  }
  addQueries(C, Use);
  return Use;
}

/// MPI does not know that the window which the runtime has it make for MPI_Win_allocate can be asked for memory.
void WindowUses::addQueries(const MpiCall &Maker, WindowUse &Use) const {
  if (!llvm::StringRef(Maker.Info->Name).starts_with("MPI_Win_allocate") || Maker.Info->Name.contains("shared"))
    return;
  for (const MpiCall &C : A.calls())
    if (C.Info->Name.starts_with("MPI_Win_shared_query"))
      if (A.isMadeUp(C.Window) || llvm::any_of(A.tokensOf(C.Window), [&](uint32_t T) {
            const Token &Each = A.token(T);
            return (Each.Is == Token::Kind::Window && Each.Id == Maker.Number) ||
                   (Each.Is == Token::Kind::Integer && !Each.Where.isExact());
          }))
        Use.Whys.push_back({S::Unsupported, C.Function, "", C.File, C.Line});
}
