// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Includes.h"
#include "mpi/Functions.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mpishm;

static constexpr llvm::StringLiteral Directive = "#include <mpishm.h>";

namespace {

class Placer {
public:
  Placer(llvm::StringRef Where, llvm::StringRef Contents, const FileDirectives &F, llvm::ArrayRef<NewName> Names,
         Sights &S)
      : Path(Where), Text(Contents), File(F), Uses(Names), Look(S), Lines(S.lines(Where, F, firstUse())) {}
  std::vector<IncludeInsertion> run();

private:
  uint32_t firstUse() const {
    return llvm::min_element(Uses, [](const NewName &A, const NewName &B) { return A.Offset < B.Offset; })->Offset;
  }
  bool allUnder(unsigned Inside) const {
    return llvm::all_of(Uses, [&](const NewName &Use) { return File.isInside(File.branchAt(Use.Offset), Inside); });
  }
  std::vector<const IncludeLine *> linesToFollow() const;
  std::vector<IncludeInsertion> afterMpi() const;
  std::vector<IncludeInsertion> afterBringer() const;
  std::vector<IncludeInsertion> afterIncludes() const;
  std::vector<IncludeInsertion> places() const;
  uint32_t offsetAfterIncludes(unsigned Common) const;
  uint32_t offsetOutside(unsigned Inside) const;
  unsigned commonBranch() const;
  IncludeInsertion after(const IncludeLine &Line) const;
  IncludeInsertion under(uint32_t Offset, llvm::StringRef Condition, const std::set<std::string> &Meanings) const;
  std::vector<unsigned> conditionsOf(uint32_t Offset, unsigned Common) const;
  std::string underCopies(const std::vector<unsigned> &Branches) const;
  std::set<std::string> meanings(llvm::ArrayRef<const IncludeLine *> Beside) const;
  bool comesLater() const;
  std::string line(llvm::StringRef Content) const { return Content.str() + lineEndOf(Text).str(); }
  std::string lines(const std::set<std::string> &Contents) const {
    std::string Result;
    for (const std::string &Content : Contents)
      Result += line(Content);
    return Result;
  }

  llvm::StringRef Path, Text;
  const FileDirectives &File;
  llvm::ArrayRef<NewName> Uses;
  Sights &Look;
  std::vector<MpiLine> Lines; ///< those before the first use
};

} // namespace

llvm::StringRef mpishm::lineEndOf(llvm::StringRef Text) {
  size_t End = Text.find('\n');
  return End != llvm::StringRef::npos && End > 0 && Text[End - 1] == '\r' ? "\r\n" : "\n";
}

IncludeInsertion Placer::after(const IncludeLine &Line) const {
  llvm::StringRef Indent = Text.slice(Text.rfind('\n', Line.Begin) + 1, Line.Begin);
  if (!Indent.trim(" \t").empty())
    Indent = "";
  return {Line.End, line((Indent + Directive).str())};
}

/// What a build without MPI must know the names by that it compiles although they do not stand under the condition of
/// one of \p Beside: functions of MPI are then the program's own, and nothing that a condition about MPI leaves out.
std::set<std::string> Placer::meanings(llvm::ArrayRef<const IncludeLine *> Beside) const {
  std::set<std::string> Result;
  for (const NewName &Use : Uses)
    if (llvm::none_of(Beside, [&](const IncludeLine *L) { return isUnder(File, Use.Offset, L->Inside); }) &&
        !(findFunction(Use.Name) && Look.asksForMpi(File, Use.Offset)))
      Result.insert(withoutMpi(Use.Name));
  Result.erase("");
  return Result;
}

/// Where \p Condition holds our include, else \p Meanings.
IncludeInsertion Placer::under(uint32_t Offset, llvm::StringRef Condition,
                               const std::set<std::string> &Meanings) const {
  std::string Else = Meanings.empty() ? "" : line("#else") + lines(Meanings);
  return {Offset, line(Condition) + line(Directive) + Else + line("#endif")};
}

/// The first byte after the conditional around \p Inside that is the outermost one but those around all uses.
uint32_t Placer::offsetOutside(unsigned Inside) const {
  uint32_t Offset = 0;
  for (unsigned B = Inside; B != Branch::None && !allUnder(B); B = File.Branches[B].Parent)
    Offset = File.Branches[B].After;
  return Offset;
}

/// The includes of mpi.h after which ours is to stand, each in its branch: not twice where one implies the other.
std::vector<const IncludeLine *> Placer::linesToFollow() const {
  std::vector<const IncludeLine *> Taken;
  for (const MpiLine &L : Lines)
    if (L.Always && allUnder(L.Line->Inside))
      return {L.Line};
  if (!llvm::all_of(Lines, [](const MpiLine &L) { return L.Always; }))
    return {};
  for (const MpiLine &L : Lines)
    if (L.Always && llvm::none_of(Taken, [&](const IncludeLine *T) { return isUnder(File, L.Line->Begin, T->Inside); }))
      Taken.push_back(L.Line);
  return Taken;
}

/// After each include that brings mpi.h whatever the build, in its conditional. Of several conditions, which need not
/// exclude one another, what they have done tells more briefly; and it tells more where names stand outside of them:
/// mpi.h may be in sight although the condition left it out, as one that asks whether it is.
std::vector<IncludeInsertion> Placer::afterMpi() const {
  std::vector<const IncludeLine *> Taken = linesToFollow();
  if (Taken.empty())
    return {};
  std::set<std::string> Meanings = meanings(Taken);
  auto IsAlternative = [&](const IncludeLine *L) {
    return L->Inside != Branch::None && File.Branches[L->Inside].First == File.Branches[Taken.front()->Inside].First;
  };
  uint32_t Outside = offsetOutside(Taken.back()->Inside);
  bool Fits = Outside != 0 && Outside <= firstUse();
  if (Fits && (!Meanings.empty() || !llvm::all_of(Taken, IsAlternative)))
    return {under(Outside, WhereMpiIs, Meanings)};
  std::vector<IncludeInsertion> Result;
  Result.reserve(Taken.size());
  for (const IncludeLine *L : Taken)
    Result.push_back(after(*L));
  if (Meanings.empty() || Outside == 0)
    return Result;
  Result.push_back({Outside, line(WhereWeAreNot) + lines(Meanings) + line("#endif")});
  return Result;
}

/// After the last of the headers that bring mpi.h in some builds.
std::vector<IncludeInsertion> Placer::afterBringer() const {
  if (Lines.empty())
    return {};
  const IncludeLine &Last = *Lines.back().Line;
  uint32_t Offset = allUnder(Last.Inside) ? Last.End : offsetOutside(Last.Inside);
  if (Offset == 0 || Offset > firstUse())
    return {};
  return {under(Offset, WhereMpiIs, meanings({}))};
}

unsigned Placer::commonBranch() const {
  unsigned Common = File.branchAt(Uses.front().Offset);
  for (const NewName &Use : Uses)
    while (!File.isInside(File.branchAt(Use.Offset), Common))
      Common = File.Branches[Common].Parent;
  return Common;
}

/// The first byte after the last include that all uses can see, or what HeaderIncludes finds where there is none.
uint32_t Placer::offsetAfterIncludes(unsigned Common) const {
  std::optional<uint32_t> Offset;
  for (const IncludeLine &I : File.Includes)
    if (I.FileScope && I.End <= firstUse() && File.isInside(Common, I.Inside))
      Offset = I.End;
  if (Offset)
    return *Offset;
  clang::tooling::HeaderIncludes Headers(Path, Text, clang::tooling::IncludeStyle());
  auto R = Headers.insert("mpishm.h", /*IsAngled=*/true, clang::tooling::IncludeDirective::Include);
  return R ? R->getOffset() : 0;
}

/// The branch between \p Outer and \p Inner that is directly inside of \p Outer.
static unsigned outermostBelow(const FileDirectives &File, unsigned Inner, unsigned Outer) {
  if (Inner == Outer)
    return Branch::None;
  while (File.Branches[Inner].Parent != Outer)
    Inner = File.Branches[Inner].Parent;
  return Inner;
}

/// The branches with the uses, seen from \p Offset; none when one stands outside of them, or when a condition would
/// mean something else there.
std::vector<unsigned> Placer::conditionsOf(uint32_t Offset, unsigned Common) const {
  unsigned Here = File.branchAt(Offset);
  if (!File.isInside(Common, Here))
    return {};
  std::vector<unsigned> Result;
  for (const NewName &Use : Uses) {
    unsigned Below = outermostBelow(File, File.branchAt(Use.Offset), Here);
    if (Below == Branch::None || File.Branches[Below].Guard ||
        changesBetween(File, File.Branches[Below].Opening, Offset, File.Branches[Below].Begin))
      return {};
    if (llvm::none_of(Result, [&](unsigned Known) { return isUnder(File, File.Branches[Below].Begin, Known); }))
      Result.push_back(Below);
  }
  return Result;
}

/// The include under the conditions of \p Branches, each of which is copied.
std::string Placer::underCopies(const std::vector<unsigned> &Branches) const {
  std::string Copy;
  for (unsigned Index : Branches) {
    for (const std::string &Opening : File.Branches[Index].Opening)
      Copy += line(Opening);
    Copy += line(Directive) + line("#endif");
  }
  return Copy;
}

std::vector<IncludeInsertion> Placer::afterIncludes() const {
  unsigned Common = commonBranch();
  uint32_t Offset = offsetAfterIncludes(Common);
  // A type or allocation that means nothing without MPI brings mpi.h along where no build is without it.
  auto IsMissed = [](const NewName &Use) { return !findFunction(Use.Name) && withoutMpi(Use.Name).empty(); };
  bool Needs = !Look.seen().Optional && llvm::any_of(Uses, IsMissed);
  if (!Look.seen().BeganWithout.count(Path.str()) && !Needs)
    return {under(Offset, WhereMpiIs, meanings({}))};
  bool OnlyMemory = llvm::all_of(Uses, [](const NewName &Use) { return !findFunction(Use.Name); });
  if (OnlyMemory && Look.seen().Optional && !Look.seen().Condition.empty())
    return {under(Offset, Look.seen().Condition, meanings({}))};
  std::vector<unsigned> Conditions = conditionsOf(Offset, Common);
  if (!Conditions.empty())
    return {{Offset, underCopies(Conditions)}};
  if (Look.seen().Optional && !Look.seen().Condition.empty() && !changesBetween(File, {Look.seen().Condition}, 0, ~0u))
    return {under(Offset, Look.seen().Condition, meanings({}))};
  return {{Offset, line(Directive)}};
}

/// True when a macro's call of MPI stands outside of all conditionals, and some unit that has MPI includes mpi.h only
/// behind this file.
bool Placer::comesLater() const {
  return Look.seen().EndedWithout.count(Path.str()) && !Lines.empty() && llvm::any_of(Uses, [&](const NewName &Use) {
           return findFunction(Use.Name) && File.inMacro(Use.Offset) &&
                  llvm::none_of(Lines, [&](const MpiLine &L) { return isUnder(File, Use.Offset, L.Line->Inside); }) &&
                  !Look.asksForMpi(File, Use.Offset);
         });
}

std::vector<IncludeInsertion> Placer::places() const {
  if (!comesLater()) {
    std::vector<IncludeInsertion> Result = afterMpi();
    if (!Result.empty())
      return Result;
    if (!Look.needsMpi(Path, File, Lines)) {
      Result = afterBringer();
      return Result.empty() ? afterIncludes() : Result;
    }
  }
  return {{offsetAfterIncludes(commonBranch()), line(Directive)}};
}

std::vector<IncludeInsertion> Placer::run() {
  std::vector<IncludeInsertion> Result = places();
  for (IncludeInsertion &I : Result)
    I.Text += numberOfNext(Path, Text, I.Offset, Look);
  return Result;
}

std::string mpishm::numberOfNext(llvm::StringRef Path, llvm::StringRef Text, uint32_t Offset, const Sights &Look) {
  auto Counts = Look.seen().Lines.lower_bound({Path.str(), Offset, 0, 0});
  if (Counts == Look.seen().Lines.end() || Counts->File != Path)
    return "";
  return NextLineIs + std::to_string(Text.take_front(Offset).count('\n') + 1) + lineEndOf(Text).str();
}

std::vector<IncludeInsertion> mpishm::placesForInclude(llvm::StringRef Path, llvm::StringRef Text,
                                                       llvm::ArrayRef<NewName> Uses, Sights &Look) {
  FileDirectives File = readDirectives(Text);
  for (const IncludeLine &I : File.Includes)
    if (llvm::sys::path::filename(I.Name) == "mpishm.h")
      return {};
  return Placer(Path, Text, File, Uses, Look).run();
}
