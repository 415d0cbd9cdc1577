// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/OwnAnswers.h"
#include "readings/FunctionNames.h"
#include "readings/HarmlessTokens.h"
#include "readings/Lines.h"
#include "syntax/SyntaxVisitor.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

static bool mentions(llvm::ArrayRef<ReadToken> Tokens, llvm::StringRef Name) {
  return llvm::any_of(Tokens, [&](const ReadToken &T) { return T.Text == Name; });
}

bool mpishm::asksForLines(llvm::ArrayRef<ReadToken> Tokens) {
  return llvm::any_of(Tokens, [](const ReadToken &T) {
    return llvm::is_contained({"__builtin_LINE", "__builtin_source_location", "source_location"}, T.Text);
  });
}

namespace {

/// Stops at what is named `source_location` and is not a class that the program has written, and where a library asks
/// the compiler what locations have.
class LocationVisitor : public SyntaxVisitor {
public:
  explicit LocationVisitor(const Places &P) : Where(P) {}

  bool VisitNamedDecl(NamedDecl *D) override {
    const bool IsOwn = isa<CXXRecordDecl>(D) && !Where.isLibrary(D->getLocation());
    const bool IsNamed = D->getDeclName().isIdentifier() && D->getName() == "source_location";
    return !IsNamed || IsOwn || isa<UsingDecl, UsingShadowDecl>(D); // which name one that is met itself
  }
  bool VisitSourceLocExpr(SourceLocExpr *E) override {
    using Kind = SourceLocIdentKind;
    return !llvm::is_contained({Kind::Column, Kind::FuncSig, Kind::SourceLocStruct}, E->getIdentKind()) ||
           !Where.isLibrary(E->getLocation());
  }

private:
  const Places &Where;
};

} // namespace

/// Whether the program may have the standard's locations, or a library's by the same name.
static bool hasLocations(llvm::ArrayRef<ReadToken> Tokens, ASTContext &Context, const Places &Where) {
  if (mentions(Tokens, "__builtin_source_location"))
    return true;
  return mentions(Tokens, "source_location") && !LocationVisitor(Where).TraverseDecl(Context.getTranslationUnitDecl());
}

/// What \p Name asks for, where compilers differ in that; else empty. Columns move by an edit, too.
static llvm::StringRef questionOf(llvm::StringRef Name, bool HasLocations) {
  llvm::StringRef Built =
      llvm::StringSwitch<llvm::StringRef>(Name)
          .Case("__builtin_COLUMN", "for a column")
          .Case("__builtin_constant_p", "whether it knows a value")
          .Cases("__builtin_object_size", "__builtin_dynamic_object_size", "for the size of an object")
          .Cases("__PRETTY_FUNCTION__", "__builtin_FUNCSIG", "for the text of a function's name")
          .Default("");
  if (!Built.empty() || !HasLocations)
    return Built;
  return llvm::StringSwitch<llvm::StringRef>(Name)
      .Case("column", "for a column")
      .Case("function_name", "for the text of a function's name")
      .Default("");
}

/// Where a function's name is handed on by its address (\p Literals in C), so that nobody looks into it before the
/// program runs, and the analysis knows of it that it is a text.
static llvm::DenseSet<SourceLocation> handedNames(llvm::ArrayRef<ReadToken> Tokens, const LiteralUses &Literals,
                                                  ASTContext &Context, const Places &Where) {
  if (!mentions(Tokens, "__PRETTY_FUNCTION__"))
    return {};
  return Context.getLangOpts().CPlusPlus ? findHandedNames(Context, Where) : Literals.Handed;
}

/// Whether the answer to the function at \p I is thrown away: `(void)__builtin_constant_p(n)`, as assertions have it.
static bool isDropped(llvm::ArrayRef<ReadToken> Tokens, size_t I) {
  if (I < 3 || Tokens[I - 3].Text != "(" || Tokens[I - 2].Text != "void" || Tokens[I - 1].Text != ")" ||
      I + 1 >= Tokens.size() || Tokens[I + 1].Text != "(")
    return false;
  size_t After = I + 1 + sizeOfGroup(Tokens.drop_front(I + 1));
  return After < Tokens.size() && llvm::is_contained({";", ",", ")"}, Tokens[After].Text);
}

std::vector<Reading> mpishm::findOwnAnswers(llvm::ArrayRef<ReadToken> Tokens, const LiteralUses &Literals,
                                            ASTContext &Context, const Places &Where) {
  std::vector<Reading> Result;
  const bool HasLocations = hasLocations(Tokens, Context, Where);
  const llvm::DenseSet<SourceLocation> Names = handedNames(Tokens, Literals, Context, Where);
  for (const auto &[I, T] : llvm::enumerate(Tokens))
    if (llvm::StringRef Question = questionOf(T.Text, HasLocations);
        !Question.empty() && !Literals.Told.contains(T.Where) &&
        !(T.Text == "__PRETTY_FUNCTION__" && Names.contains(T.Where)) && !isDropped(Tokens, I) &&
        !isSpelledInLibrary(T.Where, Where))
      Result.push_back({"is asked " + Question.str() + ", and need not say what Clang says", Where.at(T.Where)});
  return Result;
}
