// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors/VectorTypes.h"
#include "syntax/SyntaxVisitor.h"
#include "syntax/Types.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mpishm;
using namespace clang;

const ClassTemplateSpecializationDecl *mpishm::standardClassOf(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return nullptr;
  const auto *Class =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type.getNonReferenceType()->getAsCXXRecordDecl());
  return Class && Types::isStandard(Class) ? Class : nullptr;
}

bool mpishm::isVector(QualType Type) {
  const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
  return Class && Class->getName() == "vector" && Class->getTemplateArgs().size() == 2;
}

/// True for what the program has made of a class of the standard library for elements of its own.
static bool isSpecialised(const ClassTemplateSpecializationDecl *Class) {
  return Class->getSpecializationKind() == TSK_ExplicitSpecialization ||
         isa<ClassTemplatePartialSpecializationDecl *>(Class->getSpecializedTemplateOrPartial());
}

/// True for a number, and for a record that may be copied byte by byte, or is a pair of such; also for one of which it
/// is not known here.
static bool isPlainElement(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class)
    return (Type->isArithmeticType() && !Type->isBooleanType()) || Type->isEnumeralType();
  if (const ClassTemplateSpecializationDecl *Standard = standardClassOf(Type);
      Standard && Standard->getName() == "pair")
    return llvm::all_of(Standard->getTemplateArgs().asArray(),
                        [](const TemplateArgument &A) { return isPlainElement(A.getAsType()); });
  return !Class->hasDefinition() || Class->isTriviallyCopyable();
}

QualType mpishm::elementOfVector(const ClassTemplateSpecializationDecl *Vector) {
  return Vector->getTemplateArgs()[0].getAsType();
}

bool mpishm::knowsElements(const ClassTemplateSpecializationDecl *Vector) {
  return !elementOfVector(Vector)->isIncompleteType();
}

const ClassTemplateSpecializationDecl *mpishm::vectorIn(QualType Type) {
  if (!isVector(Type))
    return nullptr;
  const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
  const auto *Allocator =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl());
  bool Specialised = isSpecialised(Class) || (Allocator && isSpecialised(Allocator));
  return isPlainElement(elementOfVector(Class)) && !Specialised ? Class : nullptr;
}

llvm::StringRef mpishm::ownerOfAllocator(const ClassTemplateSpecializationDecl *Vector) {
  const auto *Allocator = Vector->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
  if (!Allocator || !Allocator->getIdentifier() || Allocator->getName() != "allocator")
    return "";
  const auto *In = dyn_cast<NamespaceDecl>(Allocator->getDeclContext()->getRedeclContext());
  while (In && In->isInlineNamespace())
    In = dyn_cast<NamespaceDecl>(In->getParent());
  return In && (In->getName() == "std" || In->getName() == "mpishm") ? In->getName() : "";
}

void mpishm::eachType(llvm::ArrayRef<TemplateArgument> Arguments, llvm::function_ref<void(QualType)> Each) {
  for (const TemplateArgument &A : Arguments)
    if (A.getKind() == TemplateArgument::Pack)
      eachType(A.pack_elements(), Each);
    else if (A.getKind() == TemplateArgument::Type)
      Each(A.getAsType());
}

static QualType innermostOf(QualType Type) {
  Type = Type.getNonReferenceType();
  while (!Type.isNull() && (Type->isAnyPointerType() || Type->isArrayType()))
    Type = Type->isArrayType() ? QualType(Type->getArrayElementTypeNoTypeQual(), 0) : Type->getPointeeType();
  return Type;
}

bool mpishm::mentionsVector(QualType Type) {
  Type = Type.isNull() ? Type : innermostOf(Type);
  if (vectorIn(Type))
    return true;
  bool Found = false;
  if (const ClassTemplateSpecializationDecl *Class = standardClassOf(Type))
    eachType(Class->getTemplateArgs().asArray(), [&](QualType T) { Found |= mentionsVector(T); });
  return Found;
}

static void eachVectorIn(QualType Type, llvm::function_ref<void(const FieldDecl *)> Each,
                         llvm::SmallPtrSetImpl<const CXXRecordDecl *> &Seen) {
  Type = Type.isNull() ? Type : innermostOf(Type);
  const CXXRecordDecl *Class = Type.isNull() ? nullptr : Type->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class || !Seen.insert(Class).second)
    return;
  if (const ClassTemplateSpecializationDecl *Standard = standardClassOf(Type))
    return eachType(Standard->getTemplateArgs().asArray(), [&](QualType T) { ::eachVectorIn(T, Each, Seen); });
  for (const CXXBaseSpecifier &Base : Class->bases())
    ::eachVectorIn(Base.getType(), Each, Seen);
  for (const FieldDecl *Field : Class->fields())
    if (vectorIn(Field->getType()))
      Each(Field);
    else
      ::eachVectorIn(Field->getType(), Each, Seen);
}

void mpishm::eachClassIn(QualType Type, llvm::function_ref<void(const CXXRecordDecl *)> Each) {
  Type = Type.isNull() ? Type : innermostOf(Type);
  const CXXRecordDecl *Class = Type.isNull() ? nullptr : Type->getAsCXXRecordDecl();
  if (const ClassTemplateSpecializationDecl *Standard = standardClassOf(Type))
    eachType(Standard->getTemplateArgs().asArray(), [&](QualType T) { eachClassIn(T, Each); });
  else if (Class && Class->hasDefinition())
    Each(Class->getDefinition());
}

void mpishm::eachVectorIn(QualType Type, llvm::function_ref<void(const FieldDecl *)> Each) {
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
  ::eachVectorIn(Type, Each, Seen);
}

static TypeLoc itself(TypeLoc Written) {
  Written = Written.getUnqualifiedLoc();
  auto Elaborated = Written.getAs<ElaboratedTypeLoc>();
  return Elaborated ? Elaborated.getNamedTypeLoc().getUnqualifiedLoc() : Written;
}

bool mpishm::isVectorAlias(const TypedefNameDecl *D) {
  const TypeSourceInfo *Written = D->getTypeSourceInfo();
  return Written && D->getDeclContext()->getRedeclContext()->isFileContext() && vectorIn(Written->getType()) &&
         itself(Written->getTypeLoc()).getAs<TemplateSpecializationTypeLoc>();
}

TypedefTypeLoc mpishm::aliasWrittenIn(TypeLoc Written) {
  auto Alias = itself(Written).getAs<TypedefTypeLoc>();
  return Alias && isVectorAlias(Alias.getTypedefNameDecl()) ? Alias : TypedefTypeLoc();
}

TemplateSpecializationTypeLoc mpishm::vectorWrittenIn(TypeLoc Written, const SourceManager &SM) {
  while (true) {
    Written = Written.getUnqualifiedLoc();
    if (auto Elaborated = Written.getAs<ElaboratedTypeLoc>())
      Written = Elaborated.getNamedTypeLoc();
    else if (auto Alias = aliasWrittenIn(Written))
      Written = Alias.getTypedefNameDecl()->getTypeSourceInfo()->getTypeLoc();
    else if (auto Function = Written.getAs<FunctionTypeLoc>())
      Written = Function.getReturnLoc();
    else if (Written.getAs<PointerTypeLoc>() || Written.getAs<ReferenceTypeLoc>() || Written.getAs<ArrayTypeLoc>() ||
             Written.getAs<ParenTypeLoc>() || Written.getAs<MemberPointerTypeLoc>() ||
             Written.getAs<AttributedTypeLoc>())
      Written = Written.getNextTypeLoc();
    else
      break;
  }
  auto Template = Written.getAs<TemplateSpecializationTypeLoc>();
  if (!Template)
    return {};
  TemplateName Name = Template.getTypePtr()->getTemplateName();
  const auto *Class = dyn_cast_or_null<ClassTemplateDecl>(Name.getAsTemplateDecl());
  // A template's parameter may stand for it, and knows nothing of a second argument.
  SourceLocation Loc = SM.getSpellingLoc(Template.getTemplateNameLoc());
  bool Spelled = llvm::StringRef(SM.getCharacterData(Loc)).starts_with("vector");
  if (!Class || Class->getName() != "vector" || !Types::isStandard(Class) || !Spelled ||
      Name.getAsSubstTemplateTemplateParm())
    return {};
  return Template;
}

/// True for one of the brackets that `>>` is read as.
static bool isHalfOfToken(SourceLocation Loc, const SourceManager &SM) {
  return Loc.isMacroID() && !SM.getSLocEntry(SM.getFileID(Loc)).getExpansion().isExpansionTokenRange();
}

/// True where what is written at \p Type would be another type, written twice: a closure's, or a local one's.
static bool makesType(TypeLoc Type) {
  class Search : public SyntaxVisitor {
  public:
    bool Found = false;
    bool VisitLambdaExpr(LambdaExpr *) override { return !(Found = true); }
    bool VisitStmtExpr(StmtExpr *) override { return !(Found = true); }
  } Within;
  Within.TraverseTypeLoc(Type);
  return Within.Found;
}

std::string mpishm::writtenArgument(TemplateSpecializationTypeLoc Vector, const SourceManager &SM,
                                    const LangOptions &Options) {
  if (makesType(Vector))
    return "";
  SourceRange Tokens = Vector.getArgLoc(0).getSourceRange();
  auto Written = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), SM, Options);
  if (isHalfOfToken(Tokens.getEnd(), SM)) { // vector<complex<double>>
    bool Plain = Tokens.getBegin().isFileID() && Vector.getRAngleLoc().isFileID();
    auto Inside = CharSourceRange::getCharRange(Tokens.getBegin(), Vector.getRAngleLoc());
    return Plain ? Lexer::getSourceText(Inside, SM, Options).trim().str() : "";
  }
  llvm::StringRef Text = Lexer::getSourceText(Written, SM, Options);
  bool InMacro = Tokens.getBegin().isMacroID() || Tokens.getEnd().isMacroID();
  return InMacro && !isValidAsciiIdentifier(Text) ? "" : Text.str();
}
