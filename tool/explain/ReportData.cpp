// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/ReportData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <numeric>
#include <set>
#include <tuple>

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

uint32_t ReportedPlace::characterColumn() const {
  llvm::StringRef Before = llvm::StringRef(Source).take_front(Column - 1);
  return Column - llvm::count_if(Before, [](char C) { return (static_cast<unsigned char>(C) & 0xc0) == 0x80; });
}

namespace {

/// Makes places; reads each file once.
class PlaceMaker {
public:
  explicit PlaceMaker(const PathNames &N) : Names(N) {}
  ReportedPlace make(const Place &P);

private:
  const PathNames &Names;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> Contents;
};

} // namespace

/// Where line \p Line begins, or the end.
static size_t beginOf(unsigned Line, llvm::StringRef Text) {
  size_t At = 0;
  for (; Line > 1 && At < Text.size(); --Line)
    At = std::min(Text.find('\n', At), Text.size() - 1) + 1;
  return At;
}

/// Of a place in compiled code only the line is known: then it is the first word there.
ReportedPlace PlaceMaker::make(const Place &P) {
  ReportedPlace Result{P.File, Names.nameOf(P.File), P.Line, P.Column, "", 0};
  size_t Offset = P.Offset;
  auto [It, New] = Contents.try_emplace(P.File);
  if (New)
    if (auto Buffer = llvm::MemoryBuffer::getFile(P.File))
      It->second = std::move(*Buffer);
  llvm::StringRef Text = It->second ? It->second->getBuffer() : "";
  if (Offset == 0 && P.Line > 1) {
    Offset = beginOf(P.Line, Text);
    Result.Column = Text.drop_front(Offset).find_first_not_of(" \t") + 1;
    Offset += Result.Column - 1;
  }
  if (Offset >= Text.size())
    return Result;
  size_t Begin = Text.find_last_of("\r\n", Offset);
  Begin = Begin == llvm::StringRef::npos ? 0 : Begin + 1;
  Result.Source = Text.slice(Begin, Text.find_first_of("\r\n", Offset)).str();
  Result.Length = Text.drop_front(Offset).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; }).size();
  return Result;
}

static void count(const ReportData &Data, SiteKind Kind, SiteTotals &Sum) {
  std::map<llvm::StringRef, unsigned> Reasons;
  for (const ReportedSite &S : Data.Sites) {
    if (S.Kind != Kind)
      continue;
    ++Sum.Sites;
    Sum.Rewritten += S.What == Outcome::Rewritten;
    Sum.Already += S.What == Outcome::AlreadyRewritten;
    Sum.Left += S.What == Outcome::LeftAlone;
    Sum.Guarded += S.Guarded && S.What == Outcome::Rewritten;
    Sum.AlreadyGuarded += S.Guarded && S.What == Outcome::AlreadyRewritten;
    if (S.What == Outcome::LeftAlone)
      ++Reasons[Data.Findings[S.Reasons.front()].Id];
  }
  Sum.Reasons.assign(Reasons.begin(), Reasons.end());
  llvm::stable_sort(Sum.Reasons, [](const auto &A, const auto &B) { return A.second > B.second; });
}

static void count(ReportData &Data) {
  count(Data, SiteKind::Message, Data.Sum);
  count(Data, SiteKind::Collective, Data.Sum.Collectives);
  count(Data, SiteKind::OneSided, Data.Sum.OneSided);
}

llvm::ArrayRef<llvm::StringLiteral> mpishm::assumptions() {
  static constexpr llvm::StringLiteral All[] = {
      "The sources that were read are the whole program. What cannot be read, libraries and other languages, sends, "
      "receives and calls collectives only on communicators of its own or on those that it is given, not on "
      "MPI_COMM_WORLD unasked.",
      "What cannot be read uses no variable of the program that it was not given, and gives back no memory that it "
      "knows "
      "only from there.",
      "Branches of #if that the commands in the compilation database do not take were not seen."};
  return All;
}

/// The places of \p D that sites are left alone for, but which count for none.
static std::set<unsigned> furtherReasons(const Decisions &D) {
  std::set<unsigned> Result;
  for (const MessageClass &Class : D.Classes)
    for (unsigned Index : Class.Findings)
      if (!Class.Sites.empty() && !D.Findings[Index].Where.File.empty())
        Result.insert(Index);
  for (const MessageClass &Class : D.Classes)
    if (Class.Sites.empty()) // of a probe
      for (unsigned Index : Class.Findings)
        Result.erase(Index);
  for (const Site &S : D.Sites)
    if (S.Reason)
      Result.erase(*S.Reason);
  return Result;
}

ReportData mpishm::makeReportData(const Decisions &D, const PathNames &Names) {
  ReportData Data;
  PlaceMaker Places(Names);
  std::vector<unsigned> Order(D.Findings.size()), Number(D.Findings.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    const Finding &X = D.Findings[A], &Y = D.Findings[B];
    // Of a place in compiled code there is no offset.
    return std::tie(X.Where.File, X.Where.Line, X.Where.Column, X.What, X.Args) <
           std::tie(Y.Where.File, Y.Where.Line, Y.Where.Column, Y.What, Y.Args);
  });
  for (unsigned Index : Order) {
    const Finding &F = D.Findings[Index];
    const DiagnosticInfo &Info = infoOf(F.What);
    Number[Index] = Data.Findings.size();
    ReportedFinding R{Info.Id, Info.Level, textOf(F), {}, {}, causeTextOf(F)};
    if (!F.Where.File.empty())
      R.Where = Places.make(F.Where);
    if (F.Cause && !F.Cause->File.empty() && !(*F.Cause == F.Where))
      R.Cause = Places.make(*F.Cause);
    for (const ir::FlowStep &Step : F.Way)
      R.Way.push_back({Step.Where.File.empty() ? std::nullopt : std::optional(Places.make(Step.Where)), Step.Text});
    Data.Broken |= Info.Level == Severity::Error;
    Data.Findings.push_back(std::move(R));
  }
  for (unsigned Index : furtherReasons(D))
    Data.Findings[Number[Index]].Further = true;
  for (const Site &S : D.Sites) {
    unsigned Index = Data.Sites.size();
    ReportedSite R{Places.make(S.Name), S.Function, S.Enclosing, S.Class, Outcome::LeftAlone, S.Guarded, S.Kind, {}};
    if (S.Rewrite)
      R.What = S.Already ? Outcome::AlreadyRewritten : Outcome::Rewritten;
    if (S.Reason) {
      R.Reasons.push_back(Number[*S.Reason]);
      for (unsigned Other : D.Classes[S.Class].Findings)
        if (Other != *S.Reason)
          R.Reasons.push_back(Number[Other]);
      ReportedFinding &Counts = Data.Findings[R.Reasons.front()];
      (S.Guarded ? Counts.Guarded : Counts.Left).push_back(Index);
    }
    if (Data.Files.empty() || Data.Files.back().Path != R.Where.Path)
      Data.Files.push_back({R.Where.Path, R.Where.Name, {}, ""});
    Data.Files.back().Sites.push_back(Index);
    Data.Sites.push_back(std::move(R));
  }
  for (const HelpingCall &H : D.Helping) {
    Outcome What = H.Already ? Outcome::AlreadyRewritten : H.Rewrite ? Outcome::Rewritten : Outcome::LeftAlone;
    Data.Helping.push_back({Places.make(H.Name), H.Function, H.Enclosing, H.Class, What});
  }
  for (const Buffer &B : D.Buffers) {
    ReportedBuffer R{Places.make(B.Where), B.What, B.Enclosing, B.Reason, B.Decided, {}};
    for (const Place &Call : B.Calls)
      R.Calls.push_back(Places.make(Call));
    Data.Sum.Moved += B.Decided == Buffer::Decision::Moved;
    Data.Sum.AlreadyMoved += B.Decided == Buffer::Decision::AlreadyMoved;
    Data.Buffers.push_back(std::move(R));
  }
  count(Data);
  Data.Sum.Guardable = D.Guardable;
  return Data;
}

void mpishm::addRemarks(ReportData &Data, llvm::ArrayRef<Finding> Remarks) {
  std::vector<ReportedFinding> All;
  for (const Finding &F : Remarks)
    All.push_back({infoOf(F.What).Id, infoOf(F.What).Level, textOf(F), {}, {}, ""});
  All.insert(All.end(), std::make_move_iterator(Data.Findings.begin()), std::make_move_iterator(Data.Findings.end()));
  Data.Findings = std::move(All);
  for (ReportedSite &S : Data.Sites)
    for (unsigned &Reason : S.Reasons)
      Reason += Remarks.size();
}

void mpishm::addChange(ReportData &Data, const PathNames &Names, llvm::StringRef Path, std::string Diff) {
  auto It = llvm::lower_bound(Data.Files, Path, [](const ReportedFile &F, llvm::StringRef P) { return F.Path < P; });
  if (It == Data.Files.end() || It->Path != Path)
    It = Data.Files.insert(It, {Path.str(), Names.nameOf(Path), {}, ""});
  It->Diff = std::move(Diff);
  ++Data.Sum.Files;
}
