// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "syntax/Types.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
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
  Handles = {{{Find("MPI_Message"), Handle::Message},
              {Find("MPI_Request"), Handle::Request},
              {Find("MPI_Comm"), Handle::Communicator}}};
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
std::optional<Types::Handle> Types::namedHandle(const TypedefNameDecl *Typedef) {
  if (!Typedef->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Handle>>(Typedef->getName())
      .Case("MPI_Comm", Handle::Communicator)
      .Case("MPI_Request", Handle::Request)
      .Case("MPI_Message", Handle::Message)
      .Default(std::nullopt);
}

/// Where handles are pointers to records of the library, no typedef is needed to know them.
std::optional<Types::Handle> Types::pointerHandle(QualType Type) const {
  Type = Type.getCanonicalType().getUnqualifiedType();
  for (auto [Handle, Kind] : Handles)
    if (!Handle.isNull() && Type == Handle && Handle->isAnyPointerType() && !Handle->isVoidPointerType())
      return Kind;
  return std::nullopt;
}

/// \p Type is canonical and neither pointer, array nor record.
static bool isInteger(QualType Type) {
  if (const auto *Builtin = Type->getAs<BuiltinType>())
    return Builtin->isInteger() && Builtin->getKind() != BuiltinType::Bool && !Type->isAnyCharacterType();
  return Type->isEnumeralType();
}

ValueType Types::classify(QualType Type) {
  ValueType Result;
  if (Type.isNull() || Type->isDependentType() || Depth > MaxDepth)
    return Result;
  bool Indirect = false;
  while (true) {
    const auto *T = dyn_cast<TypedefType>(Type);
    std::optional<Handle> Kind = pointerHandle(Type);
    if (!Kind && T)
      Kind = namedHandle(T->getDecl());
    if (Kind) {
      Result.Tracked = Result.Handle = true;
      Result.Request = *Kind == Handle::Request;
      Result.Indirect = Indirect;
      return Result;
    }
    if (isa<TemplateSpecializationType, RecordType, InjectedClassNameType>(Type) && Type->isRecordType()) {
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
  Result.Tracked = isInteger(Type.getCanonicalType());
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
    Result = ofArguments(Written->template_arguments());
  // Default arguments are not written, and an iterator is written by nobody.
  if (!Result.Tracked)
    Result = ofArguments(Record->getTemplateArgs().asArray());
  --Depth;
  Result.Raw = false;
  Result.Indirect = Result.Tracked;
  return Result;
}

ValueType Types::ofArguments(llvm::ArrayRef<TemplateArgument> Arguments) {
  ValueType Result;
  auto Add = [&](QualType Type) {
    ValueType One = classify(Type);
    if (One.Tracked && !One.Raw && (!Result.Tracked || (One.Handle && !Result.Handle)))
      Result = One;
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

bool Types::searchValues(const RecordDecl *Record, llvm::SmallPtrSetImpl<const RecordDecl *> &Seen) {
  if (!Record || Record->isInvalidDecl() || !Seen.insert(Record).second)
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (searchValues(recordIn(Base.getType()), Seen))
        return true;
  return llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
    ValueType Type = classify(Field->getType());
    return (Type.Tracked && !Type.Raw) || searchValues(recordIn(Field->getType()), Seen);
  });
}

bool Types::hasValues(const RecordDecl *Record) {
  auto [It, IsNew] = HasValues.try_emplace(Record, false);
  if (!IsNew)
    return It->second;
  llvm::SmallPtrSet<const RecordDecl *, 8> Seen;
  return HasValues[Record] = searchValues(Record, Seen);
}
