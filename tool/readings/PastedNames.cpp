// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/PastedNames.h"
#include "readings/HarmlessTokens.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace clang;

bool PastedNames::are(const ReadToken &Here, const ReadToken &There) {
  if (Here.IsLiteral || There.IsLiteral || !isWord(Here) || !isWord(There))
    return false;
  if (!IsRead)
    read();
  return !UsedHere.contains(Here.Text) && !UsedThere.contains(There.Text);
}

/// Tokens that stand between different ones are not in the place of each other; the call that has them is not followed.
void PastedNames::read() {
  IsRead = true;
  size_t Here = 0, There = 0;
  auto ReadTo = [&](size_t End) {
    for (; There < End; ++Here, ++There) {
      const ReadToken &Ours = Clangs[Here];
      enterCall(Ours.Where);
      In.Depth += llvm::is_contained({"(", "[", "{"}, Ours.Text) ? 1 : 0;
      In.Depth -= llvm::is_contained({")", "]", "}"}, Ours.Text) ? 1 : 0;
      if (isWord(Ours))
        readName(Ours, Others[There].Text, Here > 0 && llvm::is_contained({"::", ".", "->"}, Clangs[Here - 1].Text));
    }
  };
  for (const Difference &D : Differ) {
    ReadTo(D.OthersFirst);
    if (D.Last - D.First == D.OthersLast - D.OthersFirst) {
      ReadTo(D.OthersLast);
      continue;
    }
    for (; Here < D.Last; ++Here)
      UsedHere.insert(Clangs[Here].Text);
    for (; There < D.OthersLast; ++There)
      UsedThere.insert(Others[There].Text);
    In = Call();
  }
  ReadTo(Others.size());
}

void PastedNames::enterCall(SourceLocation Loc) {
  SourceLocation At = Loc.isMacroID() ? Where.sources().getExpansionLoc(Loc) : SourceLocation();
  if (At != In.At) {
    In = Call();
    In.At = At;
  }
}

/// False where one of the two is another name in the same call.
bool PastedNames::declare(llvm::StringRef Ours, llvm::StringRef Theirs) {
  return In.ByOurs.try_emplace(Ours, Theirs).first->second == Theirs &&
         In.ByTheirs.try_emplace(Theirs, Ours).first->second == Ours;
}

/// What a class or an enumeration is called can be read, by typeid: it has to be as long.
void PastedNames::readName(const ReadToken &Ours, llvm::StringRef Theirs, bool IsQualified) {
  bool IsOnlyName = false;
  if (auto Declared = Literals.Pasted.find(Ours.Where); Declared != Literals.Pasted.end()) {
    bool IsForAll = In.At.isValid() && In.Depth == (Declared->second == PastedAs::Enumerator ? 1 : 0);
    IsOnlyName = (Declared->second != PastedAs::Tag || Ours.Text.size() == Theirs.size()) &&
                 (!IsForAll || declare(Ours.Text, Theirs));
  } else if (!IsQualified) {
    auto Before = In.ByOurs.find(Ours.Text);
    IsOnlyName = Before != In.ByOurs.end() && Before->second == Theirs;
  }
  if (!IsOnlyName) {
    UsedHere.insert(Ours.Text);
    UsedThere.insert(Theirs);
  }
}
