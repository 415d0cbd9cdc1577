// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Report.h"
#include "explain/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <numeric>

using namespace mpishm;

PathNames::PathNames(std::string Directory, llvm::StringMap<std::string> Given)
    : Folder(std::move(Directory)), AsGiven(std::move(Given)) {
  if (!llvm::StringRef(Folder).ends_with("/"))
    Folder += '/';
}

std::string PathNames::nameOf(llvm::StringRef RealPath) const {
  auto It = AsGiven.find(RealPath);
  if (It != AsGiven.end())
    return It->second;
  RealPath.consume_front(Folder);
  return RealPath.str();
}

static llvm::StringRef nameOf(Severity Level) {
  switch (Level) {
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    break;
  }
  return "error";
}

/// Prints the source line and a caret below the place, as Clang does.
void Report::quote(const Place &Where) {
  auto [It, New] = Contents.try_emplace(Where.File);
  if (New)
    if (auto Buffer = llvm::MemoryBuffer::getFile(Where.File))
      It->second = (*Buffer)->getBuffer().str();
  llvm::StringRef Text = It->second;
  if (Where.Offset >= Text.size())
    return;
  size_t Begin = Text.rfind('\n', Where.Offset);
  Begin = Begin == llvm::StringRef::npos ? 0 : Begin + 1;
  llvm::StringRef Line = Text.slice(Begin, Text.find('\n', Where.Offset)).rtrim("\r\n");
  Out << llvm::formatv("{0,5} | ", Where.Line) << Line << "\n      | ";
  // Tabs are kept, so that the caret stands below its column whatever a tab is.
  for (char C : Line.take_front(Where.Offset - Begin))
    Out << (C == '\t' ? '\t' : ' ');
  Out << "^\n";
}

void Report::printAt(const Place &Where, llvm::StringRef Level, llvm::StringRef Text, llvm::StringRef Id) {
  if (Where.File.empty())
    Out << "mpishm-rewrite: ";
  else
    Out << Names.nameOf(Where.File) << ':' << Where.Line << ':' << Where.Column << ": ";
  Out << Level << ": " << Text;
  if (!Id.empty())
    Out << " [" << Id << ']';
  Out << '\n';
}

void Report::printFinding(const Finding &F, llvm::ArrayRef<const Site *> Left) {
  const DiagnosticInfo &Info = infoOf(F.What);
  printAt(F.Where, nameOf(Info.Level), textOf(F), Info.Id);
  if (!F.Where.File.empty())
    quote(F.Where);
  if (F.Cause && !F.Cause->File.empty() && !(*F.Cause == F.Where))
    printAt(*F.Cause, "note", "because of this", "");
  for (const Site *S : Left) {
    std::string Text = S->Function + " is left alone because of this";
    if (!S->Enclosing.empty())
      Text += ", in '" + S->Enclosing + "'";
    printAt(S->Name, "note", Text, "");
  }
}

void Report::printFindings() {
  std::vector<std::vector<const Site *>> Left(D.Findings.size());
  for (const Site &S : D.Sites)
    if (S.Reason)
      Left[*S.Reason].push_back(&S);
  std::vector<unsigned> Order(D.Findings.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    const Finding &X = D.Findings[A], &Y = D.Findings[B];
    return std::tie(X.Where, X.What, X.Args) < std::tie(Y.Where, Y.What, Y.Args);
  });
  for (unsigned I : Order)
    printFinding(D.Findings[I], Left[I]);
}

void Report::printErrors() {
  for (const Finding &F : D.Findings)
    if (infoOf(F.What).Level == Severity::Error)
      printFinding(F, {});
}

void Report::printSummary(unsigned Files, llvm::StringRef Verb) {
  unsigned Rewritten = 0, Already = 0, Left = 0;
  std::map<Diagnostic, unsigned> Reasons;
  for (const Site &S : D.Sites) {
    if (S.Reason) {
      ++Left;
      ++Reasons[D.Findings[*S.Reason].What];
    } else
      ++(S.Already ? Already : Rewritten);
  }
  Out << llvm::formatv("mpishm-rewrite: {0} {1} of {2} site{3} in {4} file{5}", Verb, Rewritten, D.Sites.size(),
                       D.Sites.size() == 1 ? "" : "s", Files, Files == 1 ? "" : "s");
  if (Already)
    Out << "; " << Already << " already rewritten";
  if (Left) {
    Out << "; left " << Left << ": ";
    llvm::interleaveComma(Reasons, Out, [&](const auto &R) { Out << R.second << ' ' << infoOf(R.first).Id; });
  }
  Out << '\n';
}
