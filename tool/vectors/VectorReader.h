// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a unit says of vectors whose allocator could be another.

#ifndef MPISHM_TOOL_VECTORS_VECTORREADER_H
#define MPISHM_TOOL_VECTORS_VECTORREADER_H

#include "facts/PointerFacts.h"
#include "syntax/Callees.h"
#include "syntax/Places.h"
#include "syntax/Types.h"
#include "vectors/VectorForms.h"
#include "vectors/VectorTypes.h"
#include "vectors/Vectors.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mpishm {

inline constexpr const char *OtherElements = "has elements elsewhere that are neither numbers nor plain records";

/// What a visitor comes to is handed to it, in the order of the source. Not thread-safe.
class VectorReader {
public:
  VectorReader(clang::ASTContext &AST, const Places &P, PointerFacts &Into, ElementsOf Of)
      : Context(AST), Where(P), Facts(Into), Elements(Of) {}
  void finish();

protected:
  /// Functions that the compiler writes do to all members alike, whatever their types.
  bool isImplicit() const { return Enclosing && (Enclosing->isImplicit() || Enclosing->isDefaulted()); }

  /// True for a function of the standard library; one that the program adds to its namespace is none.
  bool isStandard(const clang::FunctionDecl *F) const {
    return F && Types::isStandard(F) && Where.isLibrary(F->getLocation());
  }

  /// The Id of the vector, or the iterator of one, that \p E names, when that is a variable, member or parameter of the
  /// program's whose type may change; or the result of a function; or a temporary. Empty for others.
  std::string vectorNamed(const clang::Expr *E) const;
  std::string idOfTemporary(clang::TypeLoc Written) const;
  bool isChangeable(const clang::ValueDecl *D) const;
  std::string idOfVector(const clang::ValueDecl *D) const; ///< of a function: of its result

  // Parameters and results, see VectorFunctions.cpp.
  bool isOurs(const clang::FunctionDecl *F) const;
  const clang::FunctionDecl *functionOf(const clang::ParmVarDecl *P) const;
  std::string parameterId(const clang::FunctionDecl *F, unsigned Position) const;
  void describe(const clang::ParmVarDecl *P, VectorDeclaration &V) const;
  void describe(const clang::FunctionDecl *F, VectorDeclaration &V) const;
  const clang::FunctionDecl *resultOf(const clang::CallExpr *E) const;
  void keepParameter(const clang::FunctionDecl *F, unsigned Position, const char *Why, clang::SourceLocation Loc);
  void keepWritten(const clang::DeclaratorDecl *D, const char *Why);
  void keepParameters(const clang::FunctionDecl *F, const char *Why, clang::SourceLocation Loc);
  void keepFunction(const clang::FunctionDecl *F, const char *Why, clang::SourceLocation Loc);
  void keepFunctions(llvm::function_ref<bool(const clang::FunctionDecl *)> Keeps, const char *Why);
  void keepConstructors(clang::QualType Class, clang::SourceLocation Loc);
  void guide(const clang::CXXDeductionGuideDecl *Guide);
  void parameter(const clang::ParmVarDecl *P);
  void otherParameter(const clang::ParmVarDecl *P);
  void otherResult(const clang::FunctionDecl *F);
  void overriding(const clang::CXXMethodDecl *F);
  void hand(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments);
  void uninstantiated(const clang::FunctionDecl *F);
  void result(const clang::FunctionDecl *F);
  void returned(const clang::FunctionDecl *F, const clang::Expr *E);
  void call(const clang::CallExpr *E, const clang::FunctionDecl *F);
  void name(const clang::Expr *E, const clang::FunctionDecl *F);
  void finishConstructors();
  void finishSymbols();
  void tell(clang::QualType Type, clang::SourceLocation Loc);
  void finishFunctions();

  // Vectors, arrays and maps of vectors, see VectorNests.cpp.
  const clang::Expr *nestOf(const clang::Expr *E) const;
  void element(const clang::Expr *E, const clang::Expr *Nest);
  void subscript(const clang::Expr *E, const clang::Expr *Of);
  void call(const clang::CXXMemberCallExpr *E, const clang::Expr *Nest, llvm::StringRef Name);
  void place(const clang::Expr *Nest, llvm::ArrayRef<const clang::Expr *> Arguments);
  void loop(const clang::CXXForRangeStmt *S);
  const clang::Expr *mapOf(const clang::Expr *E) const;
  void inPair(const clang::Expr *E);
  const clang::Expr *nestOfIterator(const clang::Expr *E) const;
  const clang::Expr *flatVectorOf(const clang::Expr *Iterator) const;
  void iterateNest(const clang::VarDecl *D, const clang::Expr *Nest);
  void operateInNest(const clang::CXXOperatorCallExpr *E, const clang::Expr *A, const clang::Expr *B);

  // Aliases, see VectorAliases.cpp.
  void mention(clang::TypeLoc Loc);
  void plainMention(clang::TypedefTypeLoc Alias) { PlainMentions.insert(Alias.getNameLoc()); }
  void keepAlias(const clang::TypedefNameDecl *D, const llvm::Twine &Why, clang::SourceLocation Loc);
  void alias(const clang::TypedefNameDecl *D);
  void instantiate(const clang::FunctionDecl *F);
  void finishAliases();

  void allow(const clang::Expr *E) { Allowed.insert(bare(E)); }
  /// \p S stands for itself: nothing gets its value, if it has one.
  void discard(const clang::Stmt *S) {
    const auto *E = llvm::dyn_cast_or_null<clang::Expr>(S);
    if (E)
      Discarded.insert(E->IgnoreImplicit()->IgnoreParens());
    const auto *Comma = E ? llvm::dyn_cast<clang::BinaryOperator>(E->IgnoreImplicit()->IgnoreParens()) : nullptr;
    if (Comma && Comma->isCommaOp()) {
      discard(Comma->getLHS());
      discard(Comma->getRHS());
    }
  }
  void allowAll(llvm::ArrayRef<const clang::Expr *> Vectors);
  void allowIterators(llvm::ArrayRef<const clang::Expr *> Iterators);
  void change(const clang::CXXMemberCallExpr *E, const clang::Expr *Object, llvm::StringRef Name);
  bool isAutomaticObject(const clang::VarDecl *D) const;
  void iterator(const clang::VarDecl *D);
  void automatic(const clang::VarDecl *D);
  void operate(const clang::CXXOperatorCallExpr *E, const clang::Expr *A, const clang::Expr *B);
  void follow(const clang::CallExpr *E, const clang::FunctionDecl *Pattern);

  /// In a template something of the name \p Name is looked at, of a type that depends on its arguments.
  void look(clang::DeclarationName Name) {
    // An anonymous union is a member without a name.
    if (const clang::IdentifierInfo *Id = InSignature && !InBody ? Name.getAsIdentifierInfo() : nullptr)
      LookedAt.insert(Id->getName());
  }
  /// True where a call may be evaluated by the compiler, which cannot allocate in a window.
  bool isConstant() const {
    return Context.getLangOpts().CPlusPlus20 && (InConstant || (Enclosing && mayBeConstant(Enclosing)));
  }
  void use(const clang::Expr *E, const clang::ValueDecl *D);
  void misuse(std::string Id, const char *What, clang::SourceLocation Loc);
  void misuse(const clang::ValueDecl *D, const char *What, clang::SourceLocation Loc);
  void otherElements(std::string Id, const clang::DeclContext *Around, clang::SourceLocation Loc);
  void link(std::string A, std::string B, clang::SourceLocation Loc);
  void made(const std::string &Id, const clang::Expr *Other, bool OfElements, clang::SourceLocation Loc);
  void made(const clang::ValueDecl *D, const clang::Expr *Init, clang::SourceLocation Loc);
  void member(const clang::FieldDecl *Field, const clang::Expr *Init, clang::SourceLocation Loc);
  void madeInOrder(const clang::RecordDecl *R, llvm::ArrayRef<clang::Expr *> Inits, clang::SourceLocation Loc);
  void madeByLibrary(clang::QualType Class, llvm::ArrayRef<clang::TemplateArgument> Arguments,
                     llvm::ArrayRef<const clang::Expr *> Given, clang::SourceLocation Loc);
  void beside(const clang::NamedDecl *Template, llvm::ArrayRef<clang::TemplateArgument> Arguments,
              clang::SourceLocation Loc);
  void refer(const clang::ValueDecl *D, const clang::Expr *Init, clang::SourceLocation Loc);
  WrittenVector writtenIn(clang::TypeLoc Type) const {
    return vectorWrittenIn(Type, Where.sources(), Context.getLangOpts());
  }
  WrittenVector vectorWrittenFor(const clang::DeclaratorDecl *D) const;
  std::string idOfWritten(clang::SourceLocation Angle) const;
  void declare(const clang::DeclaratorDecl *D) { declare(D, D); }
  void declare(const clang::DeclaratorDecl *D, const clang::DeclaratorDecl *Written);
  void temporary(const clang::Expr *E, clang::TypeLoc Type);
  bool write(clang::TypeLoc Type, unsigned Depth, clang::SourceRange Whole, VectorDeclaration &V);
  void view(const clang::CastExpr *E);

  struct Use {
    const clang::Expr *E;
    const clang::ValueDecl *Of;
  };
  struct Beside {
    const clang::FieldDecl *Field;
    clang::SourceLocation Loc;
  };

  clang::ASTContext &Context;
  const Places &Where;
  PointerFacts &Facts;
  ElementsOf Elements;
  const clang::FunctionDecl *Enclosing = nullptr;
  bool InPattern = false; ///< of a template
  bool InSignature = false, InBody = false, InConstant = false;
  bool MakesUnseen = false;    ///< in a signature, an object of a type that depends on a template's arguments
  llvm::StringSet<> LookedAt;  ///< names of members, there
  std::vector<Beside> Besides; ///< members of records that are a template's argument with a vector
  std::vector<const clang::ValueDecl *> Members;    ///< also static ones, and other variables with linkage
  llvm::DenseSet<clang::SourceLocation> DeclaredAt; ///< the brackets that close their types
  std::vector<std::pair<clang::SourceLocation, const clang::NamedDecl *>> Others;
  std::vector<const clang::TypedefNameDecl *> Aliases;
  std::vector<std::pair<clang::SourceLocation, const clang::TypedefNameDecl *>> Mentions; ///< of aliases
  llvm::DenseSet<clang::SourceLocation> PlainMentions;
  bool InstantiatesVectors = false; ///< a function template, explicitly
  std::vector<Use> Uses;
  std::vector<std::pair<const clang::Expr *, std::string>> Unnamed;     ///< temporaries and elements of nests, with Ids
  llvm::DenseSet<const clang::ValueDecl *> NestIterators;               ///< those of Iterators
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Begins; ///< of loops over nests, and those
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Pairs;  ///< variables of loops over maps, and those
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Seconds; ///< names for elements there, and the maps
  llvm::StringMap<clang::SourceLocation> Linked; ///< Ids, and where one had to be another's type
  llvm::StringSet<> Declared;                    ///< Ids
  struct Naming {
    const clang::Expr *E;
    const clang::FunctionDecl *Of;
  };
  std::vector<Naming> Namings; ///< of functions that have vectors as parameters, or as result
  llvm::DenseSet<const clang::Expr *> Callees;
  std::vector<llvm::StringRef> Assembly;              ///< texts that may name a function as the linker does
  llvm::DenseSet<const clang::ValueDecl *> Iterators; ///< variables; with those of nests
  llvm::DenseMap<clang::SourceLocation, const clang::VarDecl *> Automatics; ///< the first of each `auto`
  llvm::StringSet<> Described;                        ///< Ids of parameters and results that are declared in Facts
  std::vector<const clang::ParmVarDecl *> Parameters; ///< one of each
  std::vector<const clang::FunctionDecl *> Results;   ///< one of each
  llvm::DenseSet<const clang::Expr *> Allowed;
  llvm::DenseSet<const clang::Expr *> Discarded; ///< calls whose result no variable keeps
};

} // namespace mpishm

#endif
