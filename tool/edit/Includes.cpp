// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Includes.h"
#include "edit/Directives.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mpishm;

static constexpr llvm::StringLiteral Directive = "#include <mpishm.h>";

static llvm::StringRef lineEndOf(llvm::StringRef Text) {
  size_t End = Text.find('\n');
  return End != llvm::StringRef::npos && End > 0 && Text[End - 1] == '\r' ? "\r\n" : "\n";
}

/// After each include of mpi.h that precedes a use; but not twice where the one implies the other.
static std::vector<IncludeInsertion> afterMpi(llvm::StringRef Text, const FileDirectives &File, uint32_t FirstUse,
                                              llvm::ArrayRef<uint32_t> MpiIncludes) {
  std::vector<const IncludeLine *> Taken;
  for (const IncludeLine &I : File.Includes) {
    bool Mpi = llvm::any_of(MpiIncludes, [&](uint32_t Offset) { return I.Begin <= Offset && Offset < I.End; });
    bool Implied = llvm::any_of(Taken, [&](const IncludeLine *T) { return File.isInside(I.Inside, T->Inside); });
    if (Mpi && !Implied && I.Begin < FirstUse)
      Taken.push_back(&I);
  }
  std::vector<IncludeInsertion> Result;
  for (const IncludeLine *I : Taken) {
    llvm::StringRef Indent = Text.slice(Text.rfind('\n', I->Begin) + 1, I->Begin);
    if (!Indent.trim(" \t").empty())
      Indent = "";
    Result.push_back({I->End, (Indent + Directive + lineEndOf(Text)).str()});
  }
  return Result;
}

/// The first byte after the last include that all uses can see, or what HeaderIncludes finds where there is none.
static uint32_t offsetAfterIncludes(llvm::StringRef Path, llvm::StringRef Text, const FileDirectives &File,
                                    uint32_t FirstUse, unsigned Common) {
  std::optional<uint32_t> Offset;
  for (const IncludeLine &I : File.Includes)
    if (I.FileScope && I.End <= FirstUse && File.isInside(Common, I.Inside))
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

/// True when a macro that the directives of \p B name is defined in the file after \p Offset, so that they mean
/// something else there.
static bool changesAfter(const FileDirectives &File, const Branch &B, uint32_t Offset) {
  return llvm::any_of(File.Macros, [&](const MacroDefinition &M) {
    return M.Begin >= Offset && M.Begin < B.Begin &&
           llvm::any_of(B.Opening, [&](llvm::StringRef Line) { return Line.contains(M.Name); });
  });
}

/// The include under the conditions of \p Branches, each of which is copied.
static std::string textUnder(const FileDirectives &File, const std::set<unsigned> &Branches, llvm::StringRef LineEnd) {
  std::string Text;
  std::set<std::vector<std::string>> Done;
  for (unsigned Index : Branches) {
    const Branch &B = File.Branches[Index];
    if (!Done.insert(B.Opening).second)
      continue;
    for (const std::string &Line : B.Opening)
      Text += Line + LineEnd.str();
    Text += (Directive + LineEnd + "#endif" + LineEnd).str();
  }
  return Text;
}

static IncludeInsertion afterIncludes(llvm::StringRef Path, llvm::StringRef Text, const FileDirectives &File,
                                      llvm::ArrayRef<uint32_t> Uses) {
  // The innermost branch around all uses.
  unsigned Common = File.branchAt(Uses.front());
  for (uint32_t Use : Uses)
    while (!File.isInside(File.branchAt(Use), Common))
      Common = File.Branches[Common].Parent;

  uint32_t Offset = offsetAfterIncludes(Path, Text, File, *llvm::min_element(Uses), Common);
  unsigned Here = File.branchAt(Offset);
  std::set<unsigned> Conditions;
  bool Always = !File.isInside(Common, Here);
  for (uint32_t Use : Uses) {
    if (Always)
      break;
    unsigned Below = outermostBelow(File, File.branchAt(Use), Here);
    Always = Below == Branch::None || File.Branches[Below].Guard || changesAfter(File, File.Branches[Below], Offset);
    if (!Always)
      Conditions.insert(Below);
  }
  llvm::StringRef LineEnd = lineEndOf(Text);
  return {Offset, Always ? (Directive + LineEnd).str() : textUnder(File, Conditions, LineEnd)};
}

std::vector<IncludeInsertion> mpishm::placesForInclude(llvm::StringRef Path, llvm::StringRef Text,
                                                       llvm::ArrayRef<uint32_t> Uses,
                                                       llvm::ArrayRef<uint32_t> MpiIncludes) {
  FileDirectives File = readDirectives(Text);
  for (const IncludeLine &I : File.Includes)
    if (llvm::sys::path::filename(I.Name) == "mpishm.h")
      return {};
  std::vector<IncludeInsertion> Result = afterMpi(Text, File, *llvm::min_element(Uses), MpiIncludes);
  if (Result.empty())
    Result.push_back(afterIncludes(Path, Text, File, Uses));
  return Result;
}
