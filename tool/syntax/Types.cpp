// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Types.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// Deeper nests of containers than this are not looked into.
static constexpr unsigned MaxDepth = 24;

Types::Types(const ASTContext &AST) : Context(AST) {
  auto Find = [&](llvm::StringRef Name) -> QualType {
    for (NamedDecl *D : AST.getTranslationUnitDecl()->lookup(&AST.Idents.get(Name)))
      if (auto *T = dyn_cast<TypedefNameDecl>(D)) {
        MpiLocation = T->getLocation();
        return AST.getTypedefType(T).getCanonicalType();
      }
    return {};
  };
  Handles = {{{Find("MPI_Message"), Domain::Message},
              {Find("MPI_Request"), Domain::Request},
              {Find("MPI_Comm"), Domain::Communicator}}};
}

bool Types::isStandard(const Decl *D) {
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C)) {
      if (N->getParent()->getRedeclContext()->isTranslationUnit())
        return N->getName() == "std" || N->getName() == "__gnu_cxx";
    }
  return false;
}

/// Which handle \p Typedef names, if any.
static std::optional<Domain> namedHandle(const TypedefNameDecl *Typedef) {
  if (!Typedef->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Domain>>(Typedef->getName())
      .Case("MPI_Comm", Domain::Communicator)
      .Case("MPI_Request", Domain::Request)
      .Case("MPI_Message", Domain::Message)
      .Default(std::nullopt);
}

/// Where handles are pointers to records of the library, no typedef is needed to know them.
std::optional<Domain> Types::pointerHandle(QualType Type) const {
  Type = Type.getCanonicalType().getUnqualifiedType();
  for (auto [Handle, Kind] : Handles)
    if (!Handle.isNull() && Type == Handle && Handle->isAnyPointerType() && !Handle->isVoidPointerType())
      return Kind;
  return std::nullopt;
}

/// \p Type is canonical and neither pointer, array nor record.
ValueType Types::ofScalar(QualType Type, bool LostTypedef) const {
  ValueType Result;
  if (const auto *Builtin = Type->getAs<BuiltinType>())
    Result.Tracked = Builtin->isInteger() && Builtin->getKind() != BuiltinType::Bool && !Type->isAnyCharacterType();
  else
    Result.Tracked = Type->isEnumeralType();
  Type = Type.getUnqualifiedType();
  Result.Ambiguous =
      Result.Tracked && LostTypedef && llvm::any_of(Handles, [&](const auto &H) { return H.first == Type; });
  return Result;
}

ValueType Types::classify(QualType Type) {
  ValueType Result;
  if (Type.isNull() || Type->isDependentType() || Depth > MaxDepth)
    return Result;
  bool Indirect = false, LostTypedef = false;
  while (true) {
    const auto *T = dyn_cast<TypedefType>(Type);
    std::optional<Domain> Handle = pointerHandle(Type);
    if (!Handle && T)
      Handle = namedHandle(T->getDecl());
    if (Handle) {
      Result.Tracked = Result.Handle = true;
      Result.Kind = *Handle;
      Result.Indirect = Indirect;
      return Result;
    }
    if (isa<SubstTemplateTypeParmType, AutoType, DecltypeType, DeducedType>(Type)) {
      LostTypedef = true;
    } else if (isa<TemplateSpecializationType, RecordType, InjectedClassNameType>(Type) && Type->isRecordType()) {
      if (const auto *S = dyn_cast<TemplateSpecializationType>(Type); !S || !S->isTypeAlias()) {
        Result = classifyRecord(Type);
        Result.Indirect |= Indirect;
        return Result;
      }
    } else if (const auto *P = dyn_cast<PointerType>(Type)) {
      if (P->getPointeeType()->isVoidType()) {
        Result.Tracked = Result.Raw = true;
        Result.Indirect = Indirect;
        return Result;
      }
      Indirect = true;
      Type = P->getPointeeType();
      continue;
    } else if (const auto *R = dyn_cast<ReferenceType>(Type)) {
      Indirect = true;
      Type = R->getPointeeTypeAsWritten();
      continue;
    } else if (const auto *A = dyn_cast<ArrayType>(Type)) {
      Indirect = true;
      Type = A->getElementType();
      continue;
    } else if (const auto *D = dyn_cast<AdjustedType>(Type)) {
      Type = D->getOriginalType();
      continue;
    } else if (const auto *At = dyn_cast<AtomicType>(Type)) {
      Type = At->getValueType();
      continue;
    }
    QualType Next = Type.getSingleStepDesugaredType(Context);
    if (Next == Type || Next.getTypePtr() == Type.getTypePtr())
      break;
    Type = Next;
  }
  Result = ofScalar(Type.getCanonicalType(), LostTypedef);
  Result.Indirect = Indirect;
  return Result;
}

/// Records of the standard library are as their template arguments are; the program's are followed by their fields.
ValueType Types::classifyRecord(QualType Type) {
  const auto *Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type->getAsCXXRecordDecl());
  if (!Record || !isStandard(Record))
    return {};
  ++Depth;
  ValueType Result;
  if (const auto *Written = dyn_cast<TemplateSpecializationType>(Type))
    Result = ofArguments(Written->template_arguments(), true);
  // Default arguments are not written, and an iterator is written by nobody.
  if (!Result.Tracked)
    Result = ofArguments(Record->getTemplateArgs().asArray(), false);
  --Depth;
  Result.Raw = false;
  Result.Indirect = Result.Container = Result.Tracked;
  return Result;
}

ValueType Types::ofArguments(llvm::ArrayRef<TemplateArgument> Arguments, bool Written) {
  ValueType Result;
  bool Integers = false;
  auto Add = [&](QualType Type) {
    ValueType One = classify(Type);
    if (!One.Tracked || One.Raw)
      return;
    // What is not written has lost its typedefs.
    if (!Written && One.isInteger())
      One.Ambiguous |= ofScalar(Type.getNonReferenceType().getCanonicalType(), true).Ambiguous || One.Indirect;
    bool Ambiguous = Result.Ambiguous || One.Ambiguous;
    Integers |= One.isInteger() || One.Mixed;
    if (!Result.Tracked || (One.Handle && !Result.Handle))
      Result = One;
    Result.Ambiguous = Ambiguous;
  };
  for (const TemplateArgument &A : Arguments) {
    if (A.getKind() == TemplateArgument::Pack) {
      for (const TemplateArgument &B : A.pack_elements())
        if (B.getKind() == TemplateArgument::Type)
          Add(B.getAsType());
    } else if (A.getKind() == TemplateArgument::Type) {
      if (const auto *F = A.getAsType()->getAs<FunctionProtoType>()) { // std::function
        Add(F->getReturnType());
        for (QualType Parameter : F->getParamTypes())
          Add(Parameter);
      } else {
        Add(A.getAsType());
      }
    }
  }
  Result.Mixed = Result.Handle && Integers;
  return Result;
}

const RecordDecl *Types::recordIn(QualType Type) {
  if (Type.isNull() || Type->isDependentType() || Depth > MaxDepth)
    return nullptr;
  Type = Type.getCanonicalType();
  while (true) {
    if (Type->isAnyPointerType() || Type->isReferenceType())
      Type = Type->getPointeeType();
    else if (const auto *A = Context.getAsArrayType(Type))
      Type = A->getElementType();
    else
      break;
  }
  const auto *Record = Type->getAs<RecordType>();
  if (!Record)
    return nullptr;
  const RecordDecl *D = Record->getDecl();
  if (!isStandard(D))
    return D->getDefinition();
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(D);
  if (!S)
    return nullptr;
  ++Depth;
  const RecordDecl *Found = nullptr;
  for (const TemplateArgument &A : S->getTemplateArgs().asArray())
    if (A.getKind() == TemplateArgument::Type && !Found)
      Found = recordIn(A.getAsType());
  --Depth;
  return Found;
}

struct Types::FieldSearch {
  bool Reachable;
  std::vector<const FieldDecl *> Found;
  llvm::SmallPtrSet<const RecordDecl *, 8> Seen;
};

void Types::gatherFields(const RecordDecl *Record, FieldSearch &Search) {
  if (!Record || Record->isInvalidDecl() || !Search.Seen.insert(Record).second)
    return;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      gatherFields(recordIn(Base.getType()), Search);
  for (const FieldDecl *Field : Record->fields()) {
    ValueType Type = classify(Field->getType());
    if (Type.Tracked && !Type.Raw)
      Search.Found.push_back(Field);
    else if (Search.Reachable || Context.getBaseElementType(Field->getType())->isRecordType())
      gatherFields(recordIn(Field->getType()), Search);
  }
}

const std::vector<const FieldDecl *> &Types::fieldsOf(const RecordDecl *Record, bool Reachable) {
  auto It = Fields.find({Record, Reachable});
  if (It != Fields.end())
    return It->second;
  FieldSearch Search{Reachable, {}, {}};
  gatherFields(Record, Search);
  return Fields[{Record, Reachable}] = std::move(Search.Found);
}
