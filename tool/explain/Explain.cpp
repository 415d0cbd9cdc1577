// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Explain.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;

llvm::StringRef mpishm::pageOf(llvm::StringRef Id) {
  const Page *Found = llvm::find_if(allPages(), [&](const Page &P) { return P.Id == Id; });
  if (Found == allPages().end())
    return "";
  llvm::StringRef Text = Found->Text;
  if (Text.starts_with("<!--"))
    Text = Text.split('\n').second;
  return Text;
}

/// The id that is the fewest edits away from \p Id; empty when none is near.
static llvm::StringRef nearestTo(llvm::StringRef Id) {
  llvm::StringRef Nearest;
  unsigned Least = std::max<size_t>(Id.size() / 3, 2) + 1;
  for (const Page &P : allPages()) {
    llvm::StringRef Short = P.Id;
    Short.consume_front("mpishm-");
    unsigned Distance = std::min(Id.edit_distance(P.Id, true, Least), Id.edit_distance(Short, true, Least));
    if (Distance < Least) {
      Least = Distance;
      Nearest = P.Id;
    }
  }
  return Nearest;
}

llvm::Error mpishm::explainDiagnostic(llvm::StringRef Name, llvm::raw_ostream &Out) {
  llvm::StringRef Id = Name.trim().trim("[]");
  llvm::StringRef Text = pageOf(Id);
  if (Text.empty())
    Text = pageOf(("mpishm-" + Id).str());
  if (!Text.empty()) {
    Out << Text;
    return llvm::Error::success();
  }
  std::string Message = "there is no diagnostic '" + Id.str() + "'";
  if (llvm::StringRef Near = nearestTo(Id); !Near.empty()) {
    Message += "; did you mean '" + Near.str() + "'?";
  } else {
    Message += "; these are all:";
    for (const Page &P : allPages())
      Message += "\n  " + P.Id.str();
  }
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}
