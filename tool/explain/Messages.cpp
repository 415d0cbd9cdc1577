// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mpishm;
using llvm::SourceMgr;

static SourceMgr::DiagKind kindOf(Severity Level) {
  switch (Level) {
  case Severity::Remark:
    return SourceMgr::DK_Remark;
  case Severity::Warning:
    return SourceMgr::DK_Warning;
  case Severity::Error:
    break;
  }
  return SourceMgr::DK_Error;
}

/// Prints one message; \p Quote: with the source line and what stands there underlined.
static void print(const std::optional<ReportedPlace> &Where, bool Quote, SourceMgr::DiagKind Kind,
                  const llvm::Twine &Text, llvm::raw_ostream &Out) {
  std::string Message = Text.str();
  if (!Where) {
    llvm::SMDiagnostic("", Kind, Message).print("mpishm-rewrite", Out, Out.has_colors());
    return;
  }
  if (!Quote || Where->Source.empty()) {
    std::string Place = llvm::formatv("{0}:{1}:{2}", Where->Name, Where->Line, Where->Column);
    llvm::SMDiagnostic(Place, Kind, Message).print(nullptr, Out, Out.has_colors());
    return;
  }
  unsigned Begin = Where->Column - 1;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 1> Ranges;
  if (Where->Length)
    Ranges.push_back({Begin, Begin + Where->Length});
  SourceMgr NoBuffers;
  llvm::SMDiagnostic(NoBuffers, llvm::SMLoc(), Where->Name, Where->Line, Begin, Kind, Message, Where->Source, Ranges)
      .print(nullptr, Out, Out.has_colors());
}

static void printFinding(const ReportData &Data, const ReportedFinding &F, llvm::raw_ostream &Out) {
  print(F.Where, true, kindOf(F.Level), F.Text + " [" + F.Id + "]", Out);
  if (F.Cause)
    print(F.Cause, true, SourceMgr::DK_Note, F.CauseText, Out);
  auto PrintSites = [&](llvm::ArrayRef<unsigned> Sites, llvm::StringRef What) {
    for (unsigned Index : Sites) {
      const ReportedSite &S = Data.Sites[Index];
      std::string Text = S.Function + " is " + What.str() + " because of this";
      if (!S.Enclosing.empty())
        Text += ", in '" + S.Enclosing + "'";
      print(S.Where, false, SourceMgr::DK_Note, Text, Out);
    }
  };
  PrintSites(F.Left, "left alone");
  PrintSites(F.Guarded, "guarded");
}

void mpishm::printFindings(const ReportData &Data, bool ErrorsOnly, llvm::raw_ostream &Out) {
  for (const ReportedFinding &F : Data.Findings)
    if (!ErrorsOnly || F.Level == Severity::Error)
      printFinding(Data, F, Out);
}

void mpishm::printRemarks(llvm::ArrayRef<Finding> Remarks, llvm::raw_ostream &Out) {
  for (const Finding &F : Remarks)
    print(std::nullopt, false, kindOf(infoOf(F.What).Level), textOf(F) + " [" + infoOf(F.What).Id + "]", Out);
}

/// How many message buffers move.
static void printBuffers(const ReportData &Data, bool Would, llvm::raw_ostream &Out) {
  const Totals &Sum = Data.Sum;
  Out << llvm::formatv("mpishm-rewrite: {0} {1} of {2} message buffer{3} into the window",
                       Would ? "would move" : "moved", Sum.Moved, Data.Buffers.size(),
                       Data.Buffers.size() == 1 ? "" : "s");
  if (Sum.AlreadyMoved)
    Out << "; " << Sum.AlreadyMoved << " already there";
  if (unsigned Private = Data.Buffers.size() - Sum.Moved - Sum.AlreadyMoved)
    Out << "; " << Private << (Private == 1 ? " stays" : " stay") << " private";
  Out << '\n';
}

void mpishm::printSummary(const ReportData &Data, bool Would, llvm::raw_ostream &Out) {
  const Totals &Sum = Data.Sum;
  Out << llvm::formatv("mpishm-rewrite: {0} {1} of {2} site{3} in {4} file{5}", Would ? "would rewrite" : "rewrote",
                       Sum.Rewritten, Sum.Sites, Sum.Sites == 1 ? "" : "s", Sum.Files, Sum.Files == 1 ? "" : "s");
  if (Sum.Guarded)
    Out << ", " << Sum.Guarded << " of them guarded";
  if (Sum.Already)
    Out << "; " << Sum.Already << " already rewritten";
  if (Sum.AlreadyGuarded)
    Out << ", " << Sum.AlreadyGuarded << " of them guarded";
  if (Sum.Left) {
    Out << "; left " << Sum.Left << ": ";
    llvm::interleaveComma(Sum.Reasons, Out, [&](const auto &R) { Out << R.second << ' ' << R.first; });
  }
  Out << '\n';
  if (!Data.Buffers.empty())
    printBuffers(Data, Would, Out);
  if (!Sum.Reasons.empty())
    Out << "mpishm-rewrite: --explain " << Sum.Reasons.front().first << " says what to do\n";
  if (Sum.Guardable)
    Out << "mpishm-rewrite: --guarded would rewrite " << Sum.Guardable
        << " more without proof, watched at run time (docs/guarded.md)\n";
}
