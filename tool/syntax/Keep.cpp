// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Keep.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"

using namespace mpishm;
using namespace clang;

static constexpr llvm::StringLiteral Marker = "mpishm:";
static constexpr llvm::StringLiteral Word = "keep";

/// Offset in \p Text of a marker in a comment that begins in it.
static std::optional<size_t> findMarker(llvm::StringRef Text) {
  for (size_t At = Text.find(Marker); At != llvm::StringRef::npos; At = Text.find(Marker, At + 1)) {
    llvm::StringRef Before = Text.take_front(At), After = Text.substr(At + Marker.size()).ltrim(" \t");
    bool Comment = Before.contains("//") || Before.contains("/*") || Before.ltrim().starts_with("*");
    if (Comment && After.consume_front(Word) && (After.empty() || !llvm::isAlnum(After.front())))
      return At;
  }
  return std::nullopt;
}

namespace {

/// The lines of one file.
class Lines {
public:
  Lines(FileID Id, const SourceManager &Manager)
      : File(Id), SM(Manager), Text(Manager.getBufferDataOrNone(Id).value_or("")) {}

  /// A marker in a line from \p First to \p Last (from 1) or in the comment lines directly before them.
  std::optional<SourceLocation> around(unsigned First, unsigned Last) const;
  /// A marker in the comments with which the file begins.
  std::optional<SourceLocation> atTop() const;
  /// The first line of the directive that line \p Number continues.
  unsigned directiveOf(unsigned Number) const {
    while (Number > 1 && line(Number - 1).rtrim("\r").ends_with("\\"))
      --Number;
    return Number;
  }

private:
  size_t startOf(unsigned Number) const {
    SourceLocation Start = SM.translateLineCol(File, Number, 1);
    return Start.isValid() ? SM.getFileOffset(Start) : Text.size();
  }
  llvm::StringRef line(unsigned Number) const {
    size_t Start = startOf(Number);
    return Text.slice(Start, Text.find('\n', Start));
  }
  std::optional<SourceLocation> in(unsigned Number) const {
    std::optional<size_t> At = findMarker(line(Number));
    return At ? std::optional(SM.getComposedLoc(File, startOf(Number) + *At)) : std::nullopt;
  }

  FileID File;
  const SourceManager &SM;
  llvm::StringRef Text;
};

} // namespace

static bool isCommentLine(llvm::StringRef Line) {
  Line = Line.trim();
  return Line.starts_with("//") || Line.starts_with("/*") || Line.starts_with("*") ||
         (Line.ends_with("*/") && !Line.contains("/*"));
}

std::optional<SourceLocation> Lines::around(unsigned First, unsigned Last) const {
  for (unsigned Number = First; Number <= Last; ++Number)
    if (std::optional<SourceLocation> Found = in(Number))
      return Found;
  while (First > 1 && isCommentLine(line(First - 1)))
    if (std::optional<SourceLocation> Found = in(--First))
      return Found;
  return std::nullopt;
}

std::optional<SourceLocation> Lines::atTop() const {
  llvm::StringRef Rest = Text.ltrim();
  while (Rest.starts_with("//") || Rest.starts_with("/*")) {
    bool Block = Rest.starts_with("/*");
    size_t End = Rest.find(Block ? "*/" : "\n");
    llvm::StringRef Comment = Rest.take_front(End);
    if (std::optional<size_t> At = findMarker(Comment))
      return SM.getComposedLoc(File, Comment.data() - Text.data() + *At);
    Rest = Rest.drop_front(Comment.size() + (End == llvm::StringRef::npos ? 0 : Block ? 2 : 1)).ltrim();
  }
  return std::nullopt;
}

/// Where the definition of \p F begins, with what stands before it of a template.
static SourceLocation beginningOf(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  if (const FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate())
    return Template->getBeginLoc();
  return F->getBeginLoc();
}

std::optional<Place> mpishm::keptBy(const Expr *Call, SourceLocation Name, const FunctionDecl *Enclosing,
                                    const Places &Where) {
  return keptBy(Call->getEndLoc(), Name, Enclosing, Where);
}

std::optional<Place> mpishm::keptBy(SourceLocation Last, SourceLocation Name, const FunctionDecl *Enclosing,
                                    const Places &Where) {
  const SourceManager &SM = Where.sources();
  auto Kept = [&](std::optional<SourceLocation> Found) {
    return Found ? std::optional(Where.at(*Found)) : std::nullopt;
  };
  SourceLocation Begin = SM.getExpansionLoc(Name), End = SM.getFileLoc(Last);
  FileID File = SM.getFileID(Begin);
  Lines InFile(File, SM);
  unsigned First = SM.getExpansionLineNumber(Begin),
           Own = SM.getLineNumber(File, SM.getFileOffset(SM.getFileLoc(Name)));
  unsigned LastLine = SM.getFileID(End) == File ? SM.getLineNumber(File, SM.getFileOffset(End)) : First;
  if (auto Found = Kept(InFile.around(First, LastLine)))
    return Found;
  if (Own != First)
    if (auto Found = Kept(InFile.around(Own, Own)))
      return Found;
  SourceLocation Spelled = SM.getSpellingLoc(Name);
  if (FileID Defined = SM.getFileID(Spelled); Name.isMacroID() && SM.getFileEntryRefForID(Defined)) {
    Lines InDefinition(Defined, SM);
    unsigned Line = SM.getSpellingLineNumber(Name);
    if (auto Found = Kept(InDefinition.around(InDefinition.directiveOf(Line), Line)))
      return Found;
    if (auto Found = Kept(InDefinition.atTop()))
      return Found;
  }
  for (const DeclContext *Context = Enclosing; Context; Context = Context->getParent())
    if (const auto *F = dyn_cast<FunctionDecl>(Context)) {
      SourceLocation Start = SM.getExpansionLoc(beginningOf(F));
      unsigned Line = SM.getExpansionLineNumber(Start);
      if (auto Found = Kept(Lines(SM.getFileID(Start), SM).around(Line, Line)))
        return Found;
    }
  return Kept(InFile.atTop());
}
