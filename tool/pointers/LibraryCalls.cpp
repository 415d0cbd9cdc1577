// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions and classes of the C and C++ standard libraries do to the pointers that they are given.

#include "pointers/Pointers.h"
#include "syntax/Callees.h"
#include "syntax/Ids.h"
#include "syntax/Types.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace mpishm;
using namespace clang;
using Node = PointerNodeIndex;

/// A pointer that was converted from one to something in which no pointers are.
static bool pointsToNumbers(const Expr *E) {
  QualType Type = E->IgnoreParenCasts()->getType();
  if (Type->isArrayType())
    Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
  else if (Type->isAnyPointerType())
    Type = Type->getPointeeType();
  return Type->isArithmeticType() && !Type->isCharType();
}

/// The record that \p E points to, as written, or null.
static const RecordDecl *pointedRecord(const Expr *E) {
  QualType Type = E->IgnoreParenCasts()->getType();
  return Type->isAnyPointerType() ? Type->getPointeeType()->getAsRecordDecl() : Type->getAsRecordDecl();
}

/// What the arguments point to is read and written as numbers, and may yet be pointers; or the first leads to a pointer
/// that is exchanged for another argument.
Node PointerReader::instruction(const CallExpr *E, Keeping How) {
  for (const Expr *Argument : E->arguments()) {
    if (!isDataPointer(Argument->getType()))
      continue;
    if (How == Keeping::Exchanges && Argument != E->getArg(0)) {
      escape(Argument, "is used in an atomic operation");
      continue;
    }
    escapeContents(Argument, How == Keeping::Exchanges ? "is used in an atomic operation"
                                                       : "is read or written by an instruction for numbers");
    Nodes.store(value(Argument), OutsideNode);
  }
  return isDataPointer(E->getType()) ? OutsideNode : NoNode;
}

/// What compares elements gets their addresses, whatever it is, and what a thread runs its argument.
Node PointerReader::callingCall(const CallExpr *E, Keeping How) {
  const bool Searches = How == Keeping::Searches;
  const unsigned Called = How == Keeping::Starts ? E->getNumArgs() - 2 : Searches ? 4 : 3;
  llvm::SmallVector<Node, 5> Values;
  for (const Expr *Argument : E->arguments())
    Values.push_back(value(Argument));
  const Node Elements = Values[Searches ? 1 : 0], With = Called + 1 < Values.size() ? Values[Called + 1] : NoNode;
  if (How == Keeping::Starts)
    callBack(E->getArg(Called), {With});
  else
    callBack(E->getArg(Called), {Values[0], Elements, With});
  return Searches ? Elements : NoNode;
}

/// \p Function is called with \p Given.
void PointerReader::callBack(const Expr *Function, llvm::ArrayRef<Node> Given) {
  const auto *Name = dyn_cast<DeclRefExpr>(Function->IgnoreParenImpCasts());
  const auto *Named = Name ? dyn_cast<FunctionDecl>(Name->getDecl()) : nullptr;
  for (auto [Index, Value] : llvm::enumerate(Given)) {
    PointerArgument A;
    if (Named && Named->hasPrototype() && Index < Named->getNumParams()) {
      A = argumentOf(Named, Function->getExprLoc());
      A.Parameter = Nodes.parameter(Named, Index);
    } else {
      A.Callee = indirectId(Function->getType()->getPointeeType());
      A.CalleeName = "a function pointer";
      A.Where = Where.at(Function->getExprLoc());
      A.Parameter = Nodes.named(A.Callee + "#" + std::to_string(Index), "a parameter of a function pointer");
    }
    A.Value = Value;
    if (Value != NoNode)
      Nodes.Facts.Arguments.push_back(std::move(A));
  }
}

/// strtok_r(text, ",", &rest), strsep(&text, ",") and strtok(text, ","), which keeps the rest itself.
Node PointerReader::splittingCall(const CallExpr *E) {
  for (const Expr *Argument : E->arguments())
    value(Argument);
  const Expr *First = E->getArg(0);
  if (First->getType()->getPointeeType()->isAnyPointerType())
    return Nodes.loadOf(value(First));
  if (E->getNumArgs() > 2) {
    Node Rest = value(E->getArg(2));
    Nodes.store(Rest, value(First));
    return Nodes.loadOf(Rest);
  }
  Node Rest = Nodes.named("strtok#rest", "the text that strtok splits");
  Nodes.copy(Rest, value(First));
  return Rest;
}

Node PointerReader::knownCall(const CallExpr *E, Keeping How) {
  if (How == Keeping::Splits && E->getNumArgs() > 1)
    return splittingCall(E);
  if (How == Keeping::Sorts || How == Keeping::Searches || How == Keeping::Starts)
    return callingCall(E, How);
  if (How == Keeping::Computes || How == Keeping::Exchanges)
    return instruction(E, How);
  for (const Expr *Argument : E->arguments()) {
    value(Argument);
    for (const FunctionDecl *Callable : callablesOf(Argument))
      if (!Callable->getType()->isFunctionNoProtoType() && isa<LambdaExpr>(Argument->IgnoreParenImpCasts()))
        giveTo(Argument, OutsideNode);
  }
  if (E->getNumArgs() == 0 || How == Keeping::Nothing)
    return isDataPointer(E->getType()) ? OutsideNode : NoNode;
  Node First = value(E->getArg(0));
  if (How == Keeping::PointsInto && E->getNumArgs() > 1)
    Nodes.store(value(E->getArg(1)), First);
  if (How == Keeping::Copies && E->getNumArgs() > 1) {
    const Expr *To = E->getArg(0), *From = E->getArg(1);
    bool SameRecord = pointedRecord(To) && pointedRecord(To) == pointedRecord(From);
    bool Numbers = pointsToNumbers(To) && pointsToNumbers(From);
    if (!SameRecord && !Numbers) // what is in bytes then, LLVM IR shows
      Nodes.store(First, Nodes.loadOf(value(From)));
  }
  return How == Keeping::PointsInto ? NoNode : First;
}

/// True when objects of \p Type hold numbers, or pointers to numbers only.
static bool isShallow(QualType Type) {
  if (Type->isAnyPointerType())
    return Type->getPointeeType()->isArithmeticType();
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type->getAsCXXRecordDecl());
  if (!Class)
    return Type->isArithmeticType();
  for (const TemplateArgument &Argument : Class->getTemplateArgs().asArray()) {
    if (Argument.getKind() == TemplateArgument::Integral)
      continue;
    if (Argument.getKind() != TemplateArgument::Type)
      return false;
    QualType T = Argument.getAsType();
    const auto *Inner = T->getAsCXXRecordDecl();
    bool Helper = Inner && Inner->getIdentifier() && Types::isStandard(Inner) &&
                  (Inner->getName() == "allocator" || Inner->getName() == "char_traits" || Inner->getName() == "less");
    if (!T->isArithmeticType() && !Helper)
      return false;
  }
  return true;
}

/// True when a class of the program's is among \p Arguments, or theirs.
static bool nameProgramsClass(llvm::ArrayRef<TemplateArgument> Arguments, unsigned Depth = 0) {
  return llvm::any_of(Arguments, [&](const TemplateArgument &A) {
    if (A.getKind() == TemplateArgument::Pack)
      return nameProgramsClass(A.pack_elements(), Depth);
    const CXXRecordDecl *R = A.getKind() == TemplateArgument::Type ? A.getAsType()->getAsCXXRecordDecl() : nullptr;
    if (!R || !Types::isStandard(R))
      return R != nullptr;
    const auto *Inner = dyn_cast<ClassTemplateSpecializationDecl>(R);
    return Depth > 8 || (Inner && nameProgramsClass(Inner->getTemplateArgs().asArray(), Depth + 1));
  });
}

/// True where \p F may make an object of a class of the program's from what it was given (`emplace_back`).
static bool constructsProgramsClass(const FunctionDecl *F) {
  bool IsMaker = isa<CXXConstructorDecl>(F) ||
                 (F->getIdentifier() && (F->getName().contains("emplace") || F->getName().starts_with("construct")));
  if (!IsMaker)
    return false;
  if (const TemplateArgumentList *Own = F->getTemplateSpecializationArgs(); Own && !isa<CXXMethodDecl>(F))
    return nameProgramsClass(Own->asArray());
  const auto *In = dyn_cast<ClassTemplateSpecializationDecl>(F->getDeclContext());
  return In && nameProgramsClass(In->getTemplateArgs().asArray());
}

/// True for the standard library's functions and classes that may give memory back, or call what they were given.
static bool isOwner(const Expr *E) {
  const FunctionDecl *F = nullptr;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    F = Call->getDirectCallee();
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    F = Construct->getConstructor();
  if (!F)
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  llvm::StringRef Name = Method && Method->getParent()->getIdentifier() ? Method->getParent()->getName()
                         : F->getIdentifier()                           ? F->getName()
                                                                        : "";
  return Name.contains("_ptr") || Name.starts_with("make_shared") || Name.starts_with("make_unique") ||
         Name == "function" || Name == "thread" || Name == "jthread" || Name == "async" || Name == "bind" ||
         Name == "invoke" || Name == "apply" || Name == "packaged_task" || Name == "allocator" ||
         Name == "allocator_traits" || Name == "call_once" || Name == "any" || Name == "variant" ||
         constructsProgramsClass(F);
}

/// The standard library may move each pointer that it is given, or finds there, to each place that it is given, and to
/// functions that it is given. It gives back no memory but its own, isOwner apart.
Node PointerReader::standardCall(const Expr *E, llvm::ArrayRef<const Expr *> Arguments) {
  Node All = NoNode;
  bool Deep = false;
  llvm::SmallVector<const Expr *, 4> Targets;
  bool Owner = isOwner(E);
  for (const Expr *Argument : Arguments) {
    QualType Type = Argument->getType();
    Node Given = NoNode;
    if (isDataPointer(Type) || isStandardClass(Type)) {
      Given = value(Argument);
      if (Argument->isLValue() && !Type.isConstQualified())
        Targets.push_back(Argument);
      if (Owner && isDataPointer(Type))
        note(Given, "is handed to a class or function of the standard library that may give it back",
             Argument->getExprLoc());
    } else if (Argument->isGLValue() && (isDataPointer(E->getType()) || isStandardClass(E->getType()) ||
                                         E->isGLValue() || Type->isArrayType())) {
      Given = address(Argument); // std::addressof, std::begin, std::ref
    }
    Deep |= Given != NoNode && !isShallow(Type);
    if (Given != NoNode && All == NoNode)
      All = Nodes.value();
    Nodes.copy(All, Given);
    if (Given != NoNode && E->isGLValue() && Argument->isGLValue()) // std::move: a reference to the pointer itself
      Nodes.copy(All, address(Argument));
  }
  if (All == NoNode)
    return NoNode;
  if (Deep) {
    Nodes.copy(All, Nodes.loadOf(All));
    Nodes.store(All, All);
  }
  for (const Expr *Target : Targets)
    store(Target, All);
  for (const Expr *Argument : Arguments)
    giveTo(Argument, All);
  return All;
}

/// What \p Callable calls gets \p Pointers, and what it returns is among them.
void PointerReader::giveTo(const Expr *Callable, Node Pointers) {
  for (const FunctionDecl *F : callablesOf(Callable)) {
    for (const ParmVarDecl *P : F->parameters())
      if (holdsPointers(P->getType()))
        Nodes.copy(Nodes.ofVariable(P), Pointers);
    if (holdsPointers(F->getReturnType()))
      Nodes.copy(Pointers, Nodes.result(F));
  }
}
