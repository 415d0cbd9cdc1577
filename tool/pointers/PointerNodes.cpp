// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointers/PointerNodes.h"
#include "syntax/Ids.h"
#include "syntax/Types.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

/// `_Atomic(T)` is as T.
static QualType withoutAtomic(QualType Type) {
  const auto *Atomic = Type.isNull() ? nullptr : Type->getAs<AtomicType>();
  return Atomic ? Atomic->getValueType() : Type;
}

static QualType elementOf(QualType Type) {
  while (!Type.isNull() && Type->isArrayType())
    Type = Type->getAsArrayTypeUnsafe()->getElementType();
  return withoutAtomic(Type);
}

bool mpishm::isDataPointer(QualType Type) {
  Type = withoutAtomic(Type);
  QualType Pointee = Type.isNull() ? QualType() : Type->isAnyPointerType() ? Type->getPointeeType() : QualType();
  return !Pointee.isNull() && !Pointee->isFunctionType();
}

bool mpishm::isStandardClass(QualType Type) {
  Type = elementOf(Type);
  const RecordDecl *R = Type.isNull() ? nullptr : Type.getNonReferenceType()->getAsCXXRecordDecl();
  return R && Types::isStandard(R);
}

bool mpishm::isContainer(QualType Type) {
  Type = elementOf(Type);
  const CXXRecordDecl *R = Type.isNull() ? nullptr : Type.getNonReferenceType()->getAsCXXRecordDecl();
  return R && Types::isStandard(R) && R->getIdentifier() &&
         llvm::StringSwitch<bool>(R->getName())
             .Cases("vector", "valarray", "deque", "array", "basic_string", "list", "forward_list", true)
             .Cases("map", "multimap", "set", "multiset", "queue", "stack", "priority_queue", true)
             .Cases("unordered_map", "unordered_multimap", "unordered_set", "unordered_multiset", true)
             .Default(false);
}

const RecordDecl *mpishm::recordOf(QualType Type, const Places &Where) {
  Type = elementOf(Type);
  const RecordDecl *R = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  return R && !Types::isStandard(R) && !Where.isLibrary(R->getLocation()) ? R : nullptr;
}

bool mpishm::holdsPointers(QualType Type) {
  Type = elementOf(Type);
  return !Type.isNull() && (isDataPointer(Type) || Type->isReferenceType() || isStandardClass(Type));
}

PointerNodes::PointerNodes(PointerFacts &Into, const Places &P) : Facts(Into), Where(P) {
  named("outside", "code out of sight");
}

PointerNodes::Node PointerNodes::value() {
  Facts.Nodes.emplace_back();
  return Facts.Nodes.size() - 1;
}

PointerNodes::Node PointerNodes::named(llvm::StringRef Id, llvm::StringRef Name, PointerNode::Kind Kind) {
  auto [It, New] = Index.try_emplace(Id, Facts.Nodes.size());
  if (New) {
    PointerNode N;
    N.What = Kind;
    N.Id = Id.str();
    N.Name = Name.str();
    Facts.Nodes.push_back(std::move(N));
  }
  return It->second;
}

/// Elements of containers are storage of their own, so that their address is not that of the container.
void PointerNodes::describe(Node N, const ValueDecl *D) {
  QualType Type = D->getType();
  if (const auto *V = dyn_cast<VarDecl>(D)) {
    // To what Open MPI's handles point no program has the type: it can keep no address there.
    const bool IsOfMpi = V->getName().starts_with("ompi_") && Type->isIncompleteType();
    Facts.Nodes[N].External = V->hasExternalFormalLinkage() && !Types::isStandard(V) && !IsOfMpi;
  }
  if (const RecordDecl *R = recordOf(Type, Where)) {
    Node Layout = record(R);
    Facts.Nodes[N].Record = Layout;
  }
  if (isContainer(Type) && !Type->isReferenceType()) {
    Node Elements = named(Facts.Nodes[N].Id + ":elements", Facts.Nodes[N].Name, PointerNode::Kind::Container);
    Facts.Nodes[Elements].Where = Where.at(D->getLocation());
    Facts.Flows.push_back({PointerFlow::Kind::Address, N, Elements});
    Facts.Flows.push_back({PointerFlow::Kind::Address, Elements, Elements});
  } else if (Type->isArrayType()) {
    Facts.Nodes[N].What = PointerNode::Kind::Array;
    Facts.Nodes[N].Where = Where.at(D->getLocation());
  }
}

PointerNodes::Node PointerNodes::ofVariable(const ValueDecl *D) {
  auto It = OfDecl.find(D);
  if (It != OfDecl.end())
    return It->second;
  const auto *P = dyn_cast<ParmVarDecl>(D);
  const auto *F = P ? dyn_cast<FunctionDecl>(P->getDeclContext()) : nullptr;
  Node Result = F ? parameter(F, P->getFunctionScopeIndex()) : named(idOf(D, Where), nameOf(D));
  OfDecl[D] = Result;
  if (F)
    Facts.Nodes[Result].Name = nameOf(D); // the definition's name, where declarations have others
  if (Facts.Nodes[Result].What == PointerNode::Kind::Variable)
    describe(Result, D);
  return Result;
}

PointerNodes::Node PointerNodes::elementsOf(const ValueDecl *D) {
  const PointerNode &Variable = Facts.Nodes[ofVariable(D)];
  return named(Variable.Id + ":elements", Variable.Name, PointerNode::Kind::Container);
}

PointerNodes::Node PointerNodes::parameter(const FunctionDecl *F, unsigned Position) {
  std::string Name = Position < F->getNumParams() ? nameOf(F->getParamDecl(Position)) : "a parameter";
  return named(idOf(F, Where) + "#" + std::to_string(Position), Name);
}

PointerNodes::Node PointerNodes::further(const FunctionDecl *F) {
  return named(idOf(F, Where) + "#...", "a further argument");
}

PointerNodes::Node PointerNodes::result(const FunctionDecl *F) {
  return named(idOf(F, Where) + "#result", "result of " + F->getQualifiedNameAsString());
}

PointerNodes::Node PointerNodes::memory(SourceLocation Loc, llvm::StringRef Name) {
  Place P = Where.at(Loc);
  std::string Id = "memory:" + P.File + ":" + std::to_string(P.Offset);
  if (Loc.isMacroID()) // several of a macro's body stand at one place
    Id += ":" + std::to_string(Where.sources().getFileOffset(Where.sources().getSpellingLoc(Loc)));
  Node Result = named(Id, Name, PointerNode::Kind::Memory);
  Facts.Nodes[Result].Where = P;
  return Result;
}

void PointerNodes::setRecord(Node N, QualType Type) {
  const RecordDecl *R = recordOf(Type, Where);
  Node Layout = R ? record(R) : NoNode;
  Facts.Nodes[N].Record = Layout;
}

void PointerNodes::addFields(const RecordDecl *R, std::vector<Node> &Fields) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(R))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const RecordDecl *Parent = recordOf(Base.getType(), Where))
        addFields(Parent, Fields);
  for (const FieldDecl *Field : R->fields()) {
    if (const RecordDecl *Inner = recordOf(Field->getType(), Where))
      addFields(Inner, Fields);
    else if (holdsPointers(Field->getType()))
      Fields.push_back(ofVariable(Field));
  }
}

PointerNodes::Node PointerNodes::record(const RecordDecl *R) {
  R = R->getDefinition() ? R->getDefinition() : R;
  auto It = OfRecord.find(R);
  if (It != OfRecord.end())
    return It->second;
  Node Result = named(idOf(R, Where) + "#record", R->getNameAsString(), PointerNode::Kind::Record);
  OfRecord[R] = Result;
  Facts.Nodes[Result].Record = Result;
  RecordLayout Layout;
  Layout.Record = Result;
  addFields(R, Layout.Fields);
  if (R->isUnion()) // its members are one another
    for (Node Field : Layout.Fields)
      link(Result, Field);
  Facts.Layouts.push_back(std::move(Layout));
  return Result;
}

void PointerNodes::link(Node A, Node B) {
  copy(A, B);
  copy(B, A);
}

PointerNodes::Node PointerNodes::addressOf(Node N) {
  if (N == NoNode)
    return NoNode;
  Node Result = value();
  flow(PointerFlow::Kind::Address, Result, N);
  return Result;
}

PointerNodes::Node PointerNodes::loadOf(Node N) {
  if (N == NoNode)
    return NoNode;
  Node Result = value();
  flow(PointerFlow::Kind::Load, Result, N);
  return Result;
}

PointerNodes::Node PointerNodes::either(Node A, Node B) {
  if (A == NoNode || A == B)
    return B;
  if (B == NoNode)
    return A;
  Node Result = value();
  copy(Result, A);
  copy(Result, B);
  return Result;
}
