// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors/VectorTypes.h"
#include "syntax/SyntaxVisitor.h"
#include "syntax/Types.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

const ClassTemplateSpecializationDecl *mpishm::standardClassOf(QualType Type) {
  if (Type.isNull() || Type->isDependentType())
    return nullptr;
  const auto *Class =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type.getNonReferenceType()->getAsCXXRecordDecl());
  return Class && Types::isStandard(Class) ? Class : nullptr;
}

namespace {

/// A class of the standard library that holds elements of one type.
struct Holder {
  const char *Name;
  unsigned Arguments; ///< of its template
  unsigned Written;   ///< of these, where the others are as by default
  unsigned Held;      ///< which of them is the elements' type
};

} // namespace

static constexpr Holder VectorClass = {"vector", 2, 1, 0};
static constexpr Holder OtherClasses[] = {{"array", 2, 2, 0}, {"map", 4, 2, 1}, {"unordered_map", 5, 2, 1}};

static bool isOf(const Holder &H, const ClassTemplateSpecializationDecl *Class) {
  return Class && Class->getName() == H.Name && Class->getTemplateArgs().size() == H.Arguments;
}

/// Which argument of \p Class, an array or map, is its elements' type; none of others.
static std::optional<unsigned> heldArgument(const ClassTemplateSpecializationDecl *Class) {
  const auto *Is = llvm::find_if(OtherClasses, [&](const Holder &H) { return isOf(H, Class); });
  return Is != std::end(OtherClasses) ? std::optional(Is->Held) : std::nullopt;
}

/// What \p Type, or what it refers to, is an array or map of, if it is one; or null.
static QualType heldIn(QualType Type) {
  Type = Type.isNull() ? Type : Type.getNonReferenceType();
  if (!Type.isNull() && Type->isArrayType())
    return {Type->getArrayElementTypeNoTypeQual(), 0};
  const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
  std::optional<unsigned> Argument = heldArgument(Class);
  return Argument ? Class->getTemplateArgs()[*Argument].getAsType() : QualType();
}

bool mpishm::isVector(QualType Type) {
  if (QualType Element = heldIn(Type); !Element.isNull())
    return isVector(Element);
  return isOf(VectorClass, standardClassOf(Type));
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
  if (QualType Element = heldIn(Type); !Element.isNull())
    return Class && isSpecialised(Class) ? nullptr : vectorIn(Element);
  const auto *Allocator =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl());
  if (isSpecialised(Class) || (Allocator && isSpecialised(Allocator)))
    return nullptr;
  QualType Element = elementOfVector(Class);
  if (isVector(Element)) // whose type is in that of the allocator
    return ownerOfAllocator(Class) == "std" ? vectorIn(Element) : nullptr;
  return isPlainElement(Element) ? Class : nullptr;
}

unsigned mpishm::depthOf(QualType Type) {
  unsigned Depth = 0;
  while (isVector(Type)) {
    QualType Element = heldIn(Type);
    const ClassTemplateSpecializationDecl *Class = standardClassOf(Type);
    Depth += Class != nullptr;
    Type = Element.isNull() ? elementOfVector(Class) : Element;
  }
  return Depth;
}

bool mpishm::isMapOfVectors(QualType Type) { return isNest(Type) && heldArgument(standardClassOf(Type)) == 1; }

bool mpishm::isFlat(QualType Type) { return vectorIn(Type) && heldIn(Type).isNull() && depthOf(Type) == 1; }

bool mpishm::isNest(QualType Type) { return vectorIn(Type) && !isFlat(Type); }

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

/// True for one of the brackets that `>>` is read as.
static bool isHalfOfToken(SourceLocation Loc, const SourceManager &SM) {
  return Loc.isMacroID() && !SM.getSLocEntry(SM.getFileID(Loc)).getExpansion().isExpansionTokenRange();
}

/// Where the bracket \p Angle stands in a file; nowhere for one of a macro.
static SourceLocation inFile(SourceLocation Angle, const SourceManager &SM) {
  if (isHalfOfToken(Angle, SM))
    Angle = SM.getImmediateExpansionRange(Angle).getBegin();
  return Angle.isFileID() ? Angle : SourceLocation();
}

SourceLocation WrittenVector::angle(const SourceManager &SM) const { return inFile(Innermost.getRAngleLoc(), SM); }

/// `std::vector<T>`, or `std::array<T, n>`, as \p Written is spelled. A template's parameter may stand for it, and
/// knows nothing of a second argument.
static TemplateSpecializationTypeLoc spelledIn(TypeLoc Written, llvm::StringRef Name, const SourceManager &SM) {
  auto Template = Written.getAs<TemplateSpecializationTypeLoc>();
  if (!Template)
    return {};
  TemplateName Of = Template.getTypePtr()->getTemplateName();
  const auto *Class = dyn_cast_or_null<ClassTemplateDecl>(Of.getAsTemplateDecl());
  SourceLocation Loc = SM.getSpellingLoc(Template.getTemplateNameLoc());
  bool Spelled = llvm::StringRef(SM.getCharacterData(Loc)).starts_with(Name);
  bool Ours =
      Class && Class->getName() == Name && Types::isStandard(Class) && Spelled && !Of.getAsSubstTemplateTemplateParm();
  return Ours ? Template : TemplateSpecializationTypeLoc();
}

static bool hasDirective(TemplateSpecializationTypeLoc Template, const SourceManager &SM, const LangOptions &Options) {
  auto Text = CharSourceRange::getCharRange(Template.getBeginLoc(), inFile(Template.getRAngleLoc(), SM));
  return mpishm::hasDirective(Lexer::getSourceText(Text, SM, Options));
}

/// The vectors, arrays and maps that are written at \p Written, one in the other.
static WrittenVector descend(TypeLoc Written, const SourceManager &SM, const LangOptions &Options) {
  WrittenVector Result, Seen; // what is seen counts as soon as a vector is in it
  while (Written) {
    Written = itself(Written);
    if (TypedefTypeLoc Alias = aliasWrittenIn(Written)) {
      Seen.Aliases.push_back(Alias);
      Written = itself(Alias.getTypedefNameDecl()->getTypeSourceInfo()->getTypeLoc());
    }
    auto IsSpelled = [&](const Holder &H) { return bool(spelledIn(Written, H.Name, SM)); };
    const Holder *Is = IsSpelled(VectorClass) ? &VectorClass : llvm::find_if(OtherClasses, IsSpelled);
    if (Is == std::end(OtherClasses))
      break;
    auto Template = Written.castAs<TemplateSpecializationTypeLoc>();
    ++Seen.Depth;
    Seen.Plain &= Template.getNumArgs() == Is->Written && !hasDirective(Template, SM, Options);
    if (Is == &VectorClass) {
      Seen.Innermost = Template;
      Result = Seen;
    }
    if (Template.getNumArgs() <= Is->Held)
      break;
    TemplateArgumentLoc Argument = Template.getArgLoc(Is->Held);
    bool OfType = Argument.getArgument().getKind() == TemplateArgument::Type;
    Written = OfType ? Argument.getTypeSourceInfo()->getTypeLoc() : TypeLoc();
  }
  return Result;
}

WrittenVector mpishm::vectorWrittenIn(TypeLoc Written, const SourceManager &SM, const LangOptions &Options) {
  while (true) {
    Written = Written.getUnqualifiedLoc();
    if (auto Elaborated = Written.getAs<ElaboratedTypeLoc>())
      Written = Elaborated.getNamedTypeLoc();
    else if (auto Function = Written.getAs<FunctionTypeLoc>())
      Written = Function.getReturnLoc();
    else if (Written.getAs<PointerTypeLoc>() || Written.getAs<ReferenceTypeLoc>() || Written.getAs<ArrayTypeLoc>() ||
             Written.getAs<ParenTypeLoc>() || Written.getAs<MemberPointerTypeLoc>() ||
             Written.getAs<AttributedTypeLoc>())
      Written = Written.getNextTypeLoc();
    else
      break;
  }
  return descend(Written, SM, Options);
}

bool mpishm::holdsHandles(const WrittenVector &Vector) {
  TemplateArgumentLoc Argument = Vector ? Vector.Innermost.getArgLoc(0) : TemplateArgumentLoc();
  bool OfType = Argument.getArgument().getKind() == TemplateArgument::Type;
  const auto *Name = OfType ? Argument.getTypeSourceInfo()->getType()->getAs<TypedefType>() : nullptr;
  return Name && llvm::StringSwitch<bool>(Name->getDecl()->getName())
                     .Cases("MPI_Request", "MPI_Message", "MPI_Comm", "MPI_Group", "MPI_Datatype", "MPI_Op", true)
                     .Cases("MPI_Win", "MPI_File", "MPI_Info", "MPI_Errhandler", "MPI_Session", true)
                     .Default(false);
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
    SourceLocation Angle = inFile(Vector.getRAngleLoc(), SM);
    auto Inside = CharSourceRange::getCharRange(Tokens.getBegin(), Angle);
    return Tokens.getBegin().isFileID() && Angle.isValid() ? Lexer::getSourceText(Inside, SM, Options).trim().str()
                                                           : "";
  }
  llvm::StringRef Text = Lexer::getSourceText(Written, SM, Options);
  bool InMacro = Tokens.getBegin().isMacroID() || Tokens.getEnd().isMacroID();
  return InMacro && !isValidAsciiIdentifier(Text) ? "" : Text.str();
}
