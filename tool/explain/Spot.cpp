// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Spot.h"
#include "explain/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <tuple>

using namespace mpishm;
using llvm::SourceMgr;

std::optional<Spot> mpishm::parseSpot(llvm::StringRef Text) {
  auto [Rest, Last] = Text.rsplit(':');
  uint32_t Number = 0;
  if (Last.getAsInteger(10, Number) || Rest.empty())
    return std::nullopt;
  auto [File, Before] = Rest.rsplit(':');
  uint32_t Line = 0;
  if (!File.empty() && !Before.getAsInteger(10, Line)) // what was last is the column
    return Spot{File.str(), Line};
  return Spot{Rest.str(), Number};
}

namespace {

class SpotPrinter {
public:
  SpotPrinter(const ReportData &D, const Spot &At, llvm::raw_ostream &O) : Data(D), Where(At), Out(O) {}
  llvm::Error run();

private:
  bool isHere(const ReportedPlace &P);
  void printSite(const ReportedSite &S);
  void printReason(unsigned Number, const ReportedSite &S);
  void printWay(unsigned Number, const ReportedSite &S);
  void printPartners(const ReportedSite &S);
  void printHelping(const ReportedHelpingCall &H);
  void printBuffer(const ReportedBuffer &B);
  llvm::Error nothingHere() const;

  const ReportData &Data;
  const Spot &Where;
  llvm::raw_ostream &Out;
  bool Any = false;
  std::optional<uint32_t> Nearest; ///< line of the file with something to tell
};

} // namespace

bool mpishm::isInFile(const Spot &Where, llvm::StringRef Path, llvm::StringRef Name) {
  llvm::StringRef File = Where.File;
  while (File.consume_front("./")) {
  }
  return Path == File || Name == Where.File || Path.ends_with(("/" + File).str());
}

bool SpotPrinter::isHere(const ReportedPlace &P) {
  if (!isInFile(Where, P.Path, P.Name))
    return false;
  auto Distance = [&](uint32_t Line) { return Line < Where.Line ? Where.Line - Line : Line - Where.Line; };
  if (!Nearest || Distance(P.Line) < Distance(*Nearest))
    Nearest = P.Line;
  Any |= P.Line == Where.Line;
  return P.Line == Where.Line;
}

static std::string enclosed(const std::string &What, const std::string &Enclosing) {
  return Enclosing.empty() ? What : What + " in '" + Enclosing + "'";
}

static std::string becomes(const ReportedSite &S) {
  std::string How = S.What == Outcome::LeftAlone ? " is left alone" : " is rewritten";
  if (S.What == Outcome::AlreadyRewritten)
    How = " was rewritten";
  return S.Guarded ? How + " without proof, and guarded at run time" : How;
}

void SpotPrinter::printReason(unsigned Number, const ReportedSite &S) {
  const ReportedFinding &F = Data.Findings[S.Reasons[Number]];
  printMessage(F.Where, true, SourceMgr::DK_Note,
               llvm::formatv("reason {0} of {1}: {2} [{3}]", Number + 1, S.Reasons.size(), F.Text, F.Id), Out);
  if (F.Cause)
    printMessage(F.Cause, true, SourceMgr::DK_Note, F.CauseText, Out);
  printWay(Number, S);
}

/// How many steps from the beginning of \p Way \p Other has as well.
static size_t sharedSteps(const ReportedFinding &Way, const ReportedFinding &Other) {
  auto Place = [](const std::optional<ReportedPlace> &P) {
    return P ? std::tuple(P->Path, P->Line, P->Column) : std::tuple(std::string(), 0U, 0U);
  };
  auto Same = [&](const auto &A, const auto &B) { return A.second == B.second && Place(A.first) == Place(B.first); };
  return std::mismatch(Way.Way.begin(), Way.Way.end(), Other.Way.begin(), Other.Way.end(), Same).first -
         Way.Way.begin();
}

/// The way of the reason \p Number: what it has in common with that of an earlier one is not told again. Of a long way
/// the beginning and the end.
void SpotPrinter::printWay(unsigned Number, const ReportedSite &S) {
  constexpr size_t AtEachEnd = 8, Few = 2; // steps
  const ReportedFinding &F = Data.Findings[S.Reasons[Number]];
  const size_t All = F.Way.size();
  size_t Step = 0;
  unsigned Told = 0;
  for (unsigned Earlier = 0; Earlier < Number; ++Earlier)
    if (size_t Shared = sharedSteps(F, Data.Findings[S.Reasons[Earlier]]); Shared >= Few && Shared > Step) {
      Step = Shared;
      Told = Earlier + 1;
    }
  if (Step)
    printMessage(F.Way[Step - 1].first, false, SourceMgr::DK_Note,
                 llvm::formatv("steps 1 to {0} of {1}: as for reason {2}", Step, All, Told), Out);
  for (; Step < All; ++Step) {
    if (All > 2 * AtEachEnd && Step >= AtEachEnd && Step < All - AtEachEnd) {
      printMessage(std::nullopt, false, SourceMgr::DK_Note, llvm::formatv("{0} steps on", All - AtEachEnd - Step), Out);
      Step = All - AtEachEnd;
    }
    printMessage(F.Way[Step].first, false, SourceMgr::DK_Note,
                 llvm::formatv("step {0} of {1}: {2}", Step + 1, All, F.Way[Step].second), Out);
  }
}

void SpotPrinter::printPartners(const ReportedSite &S) {
  for (const ReportedSite &Other : Data.Sites)
    if (&Other != &S && Other.Class == S.Class)
      printMessage(
          Other.Where, false, SourceMgr::DK_Note,
          (S.Kind == SiteKind::OneSided ? "may be on the same window: " : "may match, or be matched by the same: ") +
              enclosed(Other.Function, Other.Enclosing),
          Out);
}

void SpotPrinter::printSite(const ReportedSite &S) {
  std::string Why = S.Kind == SiteKind::OneSided ? ": all that is done on its window is rewritten, too"
                                                 : ": all that it may match is rewritten, too";
  if (!S.Reasons.empty())
    Why = llvm::formatv(", for {0} reason{1}", S.Reasons.size(), S.Reasons.size() == 1 ? "" : "s, all of which count");
  printMessage(S.Where, true, SourceMgr::DK_Remark, enclosed(S.Function, S.Enclosing) + becomes(S) + Why, Out);
  for (unsigned Number = 0; Number < S.Reasons.size(); ++Number)
    printReason(Number, S);
  printPartners(S);
}

void SpotPrinter::printHelping(const ReportedHelpingCall &H) {
  llvm::StringRef How = H.What == Outcome::LeftAlone          ? " is left alone: no rewritten message needs it"
                        : H.What == Outcome::AlreadyRewritten ? " was rewritten"
                                                              : " is rewritten: some rewritten message may need it";
  printMessage(H.Where, true, SourceMgr::DK_Remark, enclosed(H.Function, H.Enclosing) + How, Out);
}

void SpotPrinter::printBuffer(const ReportedBuffer &B) {
  bool IsPrivate = B.Decided == Buffer::Decision::Private;
  printMessage(B.Where, true, SourceMgr::DK_Remark,
               "the message buffer from " + enclosed(B.What, B.Enclosing) +
                   (IsPrivate                              ? " stays private: " + B.Reason
                    : B.Decided == Buffer::Decision::Moved ? " moves into the window"
                                                           : " is in the window already"),
               Out);
  for (const ReportedPlace &P : B.Calls)
    printMessage(P, false, SourceMgr::DK_Note, "used here", Out);
}

llvm::Error SpotPrinter::nothingHere() const {
  std::string Place = llvm::formatv("{0}:{1}", Where.File, Where.Line);
  std::string Text = Nearest ? llvm::formatv("; the nearest are at line {0}", *Nearest).str()
                             : "; the program has none in a file of that name";
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "no call that sends, receives, probes or completes, and no message buffer, at " +
                                     Place + Text);
}

llvm::Error SpotPrinter::run() {
  std::vector<llvm::StringRef> Ids;
  for (const ReportedSite &S : Data.Sites)
    if (isHere(S.Where)) {
      printSite(S);
      for (unsigned Reason : S.Reasons)
        if (llvm::StringRef Id = Data.Findings[Reason].Id; !llvm::is_contained(Ids, Id))
          Ids.push_back(Id);
    }
  for (const ReportedHelpingCall &H : Data.Helping)
    if (isHere(H.Where))
      printHelping(H);
  for (const ReportedBuffer &B : Data.Buffers)
    if (isHere(B.Where))
      printBuffer(B);
  for (llvm::StringRef Id : Ids)
    Out << "mpishm-rewrite: --explain " << Id << " says what to do\n";
  return Any ? llvm::Error::success() : nothingHere();
}

llvm::Error mpishm::explainSpot(const ReportData &Data, const Spot &Where, llvm::raw_ostream &Out) {
  return SpotPrinter(Data, Where, Out).run();
}
