// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the program's functions, of libraries, and through pointers. MPI's own are in MpiCalls.cpp.

#include "sites/Builder.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

/// Functions of the C library that only look at their variadic arguments' values.
static bool onlyPrints(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("printf", "fprintf", "sprintf", "snprintf", "dprintf", true)
      .Cases("__builtin_printf", "__builtin_fprintf", "__builtin_sprintf", "__builtin_snprintf", true)
      .Default(false);
}

void Builder::call(const CallExpr *E) {
  if (E->isTypeDependent() || E->getCallee()->isTypeDependent())
    return;
  const FunctionDecl *F = E->getDirectCallee();
  if (!F) {
    chosenCall(E, calledNames(E));
    return;
  }
  Callees.insert(E->getCallee()->IgnoreParenImpCasts());
  if (const DeclRefExpr *Name = calledName(E))
    Callees.insert(Name);
  MemoryFunction Kind = memoryFunctionOf(F, Where);
  if (Kind != MemoryFunction::None)
    memoryCall(E, Kind == MemoryFunction::Copied);
  if (llvm::StringRef Name = mpiNameOf(F); !Name.empty()) {
    mpiCall(E, Name, calledName(E));
    return;
  }
  if (Kind != MemoryFunction::None)
    return;
  otherOfName(E, F);
  if (Types::isStandard(F))
    return;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (Method && Where.isLibrary(F->getLocation()))
    cxxBinding(E, F);
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (isa<CXXOperatorCallExpr>(E) && Method && !Method->isStatic() && !Arguments.empty())
    Arguments = Arguments.drop_front();
  otherCall(F, Arguments);
  // A closure converted to a function pointer.
  if (const auto *Conversion = dyn_cast<CXXConversionDecl>(F); Conversion && Conversion->getParent()->isLambda())
    if (const CXXMethodDecl *Operator = Conversion->getParent()->getLambdaCallOperator())
      addressTaken(Operator);
}

void Builder::construct(const CXXConstructExpr *E) {
  const CXXConstructorDecl *F = E->getConstructor();
  if (E->isTypeDependent() || F->isDependentContext() || Types::isStandard(F->getParent()))
    return;
  if (!F->isImplicit() || F->isInheritingConstructor())
    otherCall(F->getInheritedConstructor() ? F->getInheritedConstructor().getConstructor() : F,
              {E->getArgs(), E->getNumArgs()});
}

/// An argument without a declared parameter type.
void Builder::untypedArgument(const Expr *E, llvm::StringRef Callee) {
  if (!onlyPrints(Callee))
    openPointersIn(E->getType());
}

void Builder::otherCall(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  for (const Expr *E : Arguments.drop_front(std::min<size_t>(F->getNumParams(), Arguments.size())))
    untypedArgument(E, F->getQualifiedNameAsString());
  getPointersOf(F);
  if (isGivenValues(F, Arguments))
    addLibraryFunction(F);
}

/// Whether a call of \p F hands handles or numbers over, or what they may come from. A library keeps no number that it
/// is given by value; and the C library does not look into records.
bool Builder::isGivenValues(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  bool OfLibrary = Where.isLibrary(F->getLocation());
  return llvm::any_of(llvm::zip(F->parameters(), Arguments), [&](const auto &Given) {
    auto [Parameter, E] = Given;
    ValueType Type = Typing.classify(Parameter->getType());
    if (Type.Tracked ? !OfLibrary || Type.Handle || Type.Indirect : !functionIn(Parameter->getType()).isNull())
      return true;
    const RecordDecl *Record = OfLibrary ? nullptr : Typing.recordIn(E->IgnoreParenImpCasts()->getType());
    return isOwnRecord(Record) && Typing.hasValues(Record);
  });
}

void Builder::addLibraryFunction(const FunctionDecl *F) {
  if (F->getLocation().isInvalid() || (F->hasBody() && !Where.isLibrary(F->getLocation())))
    return; // the compiler's own, of coroutines; the program's
  const SourceManager &SM = Where.sources();
  FileID File = SM.getFileID(SM.getFileLoc(F->getLocation()));
  if (File != SM.getMainFileID())
    Emit.libraryFunction({F->getQualifiedNameAsString(), llvm::sys::path::filename(Where.fileOf(File)).str()});
}

/// A call of what a condition chooses, or a variable has: each of MPI's functions is called here by its name, and goes
/// nowhere else.
void Builder::chosenCall(const CallExpr *E, llvm::ArrayRef<const DeclRefExpr *> Names) {
  bool IsOfMpi = !Names.empty();
  for (const DeclRefExpr *Name : Names) {
    const auto *F = dyn_cast<FunctionDecl>(Name->getDecl());
    llvm::StringRef Spelled = F ? mpiNameOf(F) : "";
    IsOfMpi &= !Spelled.empty();
    if (Spelled.empty())
      continue;
    Callees.insert(Name);
    mpiCall(E, Spelled, Name);
  }
  if (!IsOfMpi)
    indirectCall(E);
}

void Builder::indirectCall(const CallExpr *E) {
  QualType Type = calledType(E);
  if (!Type->isFunctionType()) // a pseudo-destructor
    return;
  if (const auto *Pointer = dyn_cast<BinaryOperator>(E->getCallee()->IgnoreParens()); Pointer && Pointer->isPtrMemOp())
    openCalls(Type);
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  if (Prototype && takesOwnRecord(Prototype))
    Emit.ownFunctionType(indirectId(Type));
  for (unsigned I = Prototype ? Prototype->getNumParams() : 0; I < E->getNumArgs(); ++I)
    untypedArgument(E->getArg(I), "");
}

/// memcpy and relatives: what they are given is memory, not a value that leaves.
void Builder::memoryCall(const CallExpr *E, bool Copies) {
  llvm::SmallVector<const Expr *, 3> Arguments;
  for (const Expr *Argument : E->arguments()) {
    const Expr *Inner = Argument;
    while (const auto *Cast = dyn_cast<CastExpr>(Inner->IgnoreParens())) {
      if (!Cast->getType()->isAnyPointerType() || Cast->getCastKind() == CK_LValueToRValue)
        break;
      HarmlessCasts.insert(Cast);
      if (!Cast->getSubExpr()->getType()->isAnyPointerType()) // an array or a function; a number that is an address
        break;
      Inner = Cast->getSubExpr();
    }
    Arguments.push_back(Inner);
  }
  if (!Copies || Arguments.size() < 2)
    return;
  QualType To = Arguments[0]->getType(), From = Arguments[1]->getType();
  QualType ToWhat = To->getPointeeType(), FromWhat = From->getPointeeType(); // null without a prototype, of a number
  if (!ToWhat.isNull() && !FromWhat.isNull() && Context.hasSameUnqualifiedType(ToWhat, FromWhat))
    return;
  for (QualType Side : {To, From})
    openCalls(functionIn(Side));
  for (QualType What : {ToWhat, FromWhat})
    if (!What.isNull() && What->isRecordType())
      openPointersIn(What);
}
