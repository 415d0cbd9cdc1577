// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

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

void mpishm::printMessage(const std::optional<ReportedPlace> &Where, bool Quote, SourceMgr::DiagKind Kind,
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

/// How many of \p Number places of a reason, or sites of a place, are printed: a line on one more is no shorter.
static size_t shown(size_t Number, bool All) {
  constexpr size_t First = 3;
  return All || Number <= First + 1 ? Number : First;
}

static std::string counted(size_t Number, llvm::StringRef What) {
  return llvm::formatv("{0} more {1}{2}", Number, What, Number == 1 ? "" : "s");
}

static void printSites(const ReportData &Data, llvm::ArrayRef<unsigned> Sites, llvm::StringRef What, bool All,
                       llvm::raw_ostream &Out) {
  size_t Printed = shown(Sites.size(), All);
  for (unsigned Index : Sites.take_front(Printed)) {
    const ReportedSite &S = Data.Sites[Index];
    std::string Text = S.Function + " is " + What.str() + " because of this";
    if (!S.Enclosing.empty())
      Text += ", in '" + S.Enclosing + "'";
    printMessage(S.Where, false, SourceMgr::DK_Note, Text, Out);
  }
  if (size_t More = Sites.size() - Printed)
    printMessage(std::nullopt, false, SourceMgr::DK_Note, "and so are " + counted(More, "site"), Out);
}

/// How many more reasons the sites have for which \p F counts.
static void printOthers(const ReportData &Data, const ReportedFinding &F, llvm::raw_ostream &Out) {
  const ReportedSite *Most = nullptr;
  for (unsigned Index : llvm::concat<const unsigned>(F.Left, F.Guarded))
    if (!Most || Data.Sites[Index].Reasons.size() > Most->Reasons.size())
      Most = &Data.Sites[Index];
  if (Most && Most->Reasons.size() > 1)
    printMessage(std::nullopt, false, SourceMgr::DK_Note,
                 llvm::formatv("and for {0}, which --explain {1}:{2} lists",
                               counted(Most->Reasons.size() - 1, "reason"), Most->Where.Name, Most->Where.Line),
                 Out);
}

static void printFinding(const ReportData &Data, const ReportedFinding &F, bool All, llvm::raw_ostream &Out) {
  printMessage(F.Where, true, kindOf(F.Level), F.Text + " [" + F.Id + "]", Out);
  if (F.Cause)
    printMessage(F.Cause, true, SourceMgr::DK_Note, F.CauseText, Out);
  printSites(Data, F.Left, "left alone", All, Out);
  printSites(Data, F.Guarded, "guarded", All, Out);
  printOthers(Data, F, Out);
}

static size_t sitesOf(const ReportedFinding &F) { return F.Left.size() + F.Guarded.size(); }

namespace {

/// What was found for one reason.
struct Group {
  std::vector<const ReportedFinding *> Findings; ///< those with the most sites first
  size_t Sites = 0;
};

} // namespace

/// By place of the first of each, then by the number of sites: the most last.
static std::vector<Group> groupsOf(const ReportData &Data) {
  std::vector<Group> Groups;
  llvm::StringMap<size_t> Known;
  for (const ReportedFinding &F : Data.Findings) {
    if (F.Further) // another counts, which says how many there are
      continue;
    auto [It, New] = Known.try_emplace(F.Id, Groups.size());
    if (New)
      Groups.emplace_back();
    Groups[It->second].Findings.push_back(&F);
    Groups[It->second].Sites += sitesOf(F);
  }
  for (Group &G : Groups)
    llvm::stable_sort(G.Findings, [](const auto *X, const auto *Y) { return sitesOf(*X) > sitesOf(*Y); });
  llvm::stable_sort(Groups, [](const Group &X, const Group &Y) { return X.Sites < Y.Sites; });
  return Groups;
}

static void printGroup(const ReportData &Data, const Group &G, bool All, llvm::raw_ostream &Out) {
  size_t Printed = shown(G.Findings.size(), All), Sites = 0;
  for (const ReportedFinding *F : llvm::ArrayRef(G.Findings).take_front(Printed)) {
    printFinding(Data, *F, All, Out);
    Sites += sitesOf(*F);
  }
  if (Printed == G.Findings.size())
    return;
  std::string Text = counted(G.Findings.size() - Printed, "remark");
  if (Sites < G.Sites)
    Text += ", on " + counted(G.Sites - Sites, "site");
  printMessage(std::nullopt, false, SourceMgr::DK_Note,
               Text + ": --all-remarks prints them, --report FILE writes them [" + G.Findings.front()->Id + "]", Out);
}

void mpishm::printFindings(const ReportData &Data, Shown Which, llvm::raw_ostream &Out) {
  if (Which == Shown::First) {
    for (const Group &G : groupsOf(Data))
      printGroup(Data, G, G.Findings.front()->Level != Severity::Remark, Out);
    return;
  }
  for (const ReportedFinding &F : Data.Findings)
    if (Which == Shown::All || F.Level == Severity::Error)
      printFinding(Data, F, true, Out);
}

void mpishm::printRemarks(llvm::ArrayRef<Finding> Remarks, llvm::raw_ostream &Out) {
  for (const Finding &F : Remarks)
    printMessage(std::nullopt, false, kindOf(infoOf(F.What).Level), textOf(F) + " [" + infoOf(F.What).Id + "]", Out);
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

/// What follows the number of those that are rewritten.
static void printCounts(const SiteTotals &Sum, llvm::raw_ostream &Out) {
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
}

void mpishm::printSummary(const ReportData &Data, bool Would, llvm::raw_ostream &Out) {
  const Totals &Sum = Data.Sum;
  Out << llvm::formatv("mpishm-rewrite: {0} {1} of {2} site{3} in {4} file{5}", Would ? "would rewrite" : "rewrote",
                       Sum.Rewritten, Sum.Sites, Sum.Sites == 1 ? "" : "s", Sum.Files, Sum.Files == 1 ? "" : "s");
  printCounts(Sum, Out);
  auto PrintOthers = [&](const SiteTotals &Of, llvm::StringRef What, llvm::StringRef Several) {
    if (!Of.Sites)
      return;
    Out << llvm::formatv("mpishm-rewrite: {0} {1} of {2} {3}", Would ? "would rewrite" : "rewrote", Of.Rewritten,
                         Of.Sites, Of.Sites == 1 ? What : Several);
    printCounts(Of, Out);
  };
  PrintOthers(Sum.Collectives, "collective", "collectives");
  PrintOthers(Sum.OneSided, "one-sided call", "one-sided calls");
  if (!Data.Buffers.empty())
    printBuffers(Data, Would, Out);
  const auto &Reasons = !Sum.Reasons.empty()               ? Sum.Reasons
                        : !Sum.Collectives.Reasons.empty() ? Sum.Collectives.Reasons
                                                           : Sum.OneSided.Reasons;
  if (!Reasons.empty())
    Out << "mpishm-rewrite: --explain " << Reasons.front().first << " says what to do\n";
  if (Sum.Guardable)
    Out << "mpishm-rewrite: --guarded would rewrite " << Sum.Guardable
        << " more without proof, watched at run time (docs/guarded.md)\n";
}
