// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the program's functions, of libraries, and through pointers. MPI's own are in MpiCalls.cpp.

#include "flows/Builder.h"
#include "syntax/Expressions.h"
#include "values/Memory.h"
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
    indirectCall(E);
    return;
  }
  Callees.insert(E->getCallee()->IgnoreParenImpCasts());
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts()); !Reference)
    if (const auto *Deref = dyn_cast<UnaryOperator>(E->getCallee()->IgnoreParenImpCasts()))
      Callees.insert(Deref->getSubExpr()->IgnoreParenImpCasts()); // (*function)(...)
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (MemoryFunction Kind = memoryFunctionOf(F, Where); Kind != MemoryFunction::None) {
    memoryCall(E, Kind);
    if (llvm::StringRef Name = mpiNameOf(F); !Name.empty())
      recordMpiCall(E, Name);
    return;
  }
  if (llvm::StringRef Name = mpiNameOf(F); !Name.empty()) {
    mpiCall(E, F, Name);
    return;
  }
  otherOfName(E, F);
  if (Types::isStandard(F)) {
    standardCall(E, Arguments, Reader.tiedBy(E));
    return;
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (Method && Where.isLibrary(F->getLocation()))
    cxxBinding(E, F);
  if (isa<CXXOperatorCallExpr>(E) && Method && !Method->isStatic() && !Arguments.empty()) {
    passRecord(F, "this", Arguments.front());
    Arguments = Arguments.drop_front();
  }
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E))
    if (const Expr *Object = Member->getImplicitObjectArgument()) {
      passRecord(F, "this", Object);
      if (!F->hasBody())
        passFunctionPointers(F, "this", Object->getType(), E->getExprLoc());
    }
  userCall(F, Arguments);
  if (!Where.isLibrary(F->getLocation()))
    passRecord(F, "result", E);
  // A closure converted to a function pointer.
  if (const auto *Conversion = dyn_cast<CXXConversionDecl>(F); Conversion && Conversion->getParent()->isLambda())
    if (const CXXMethodDecl *Operator = Conversion->getParent()->getLambdaCallOperator())
      addressTaken(Operator, E->getExprLoc());
}

void Builder::construct(const CXXConstructExpr *E) {
  const CXXConstructorDecl *F = E->getConstructor();
  if (E->isTypeDependent() || F->isDependentContext())
    return;
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (E->requiresZeroInitialization())
    zeroFields(F->getParent(), E->getExprLoc());
  if (Types::isStandard(F->getParent())) {
    standardCall(E, Arguments, Reader.tiedBy(E));
    return;
  }
  // Copies of records are copies of their fields, and a field is one object for all instances.
  if (!F->isImplicit() || F->isInheritingConstructor())
    userCall(F->getInheritedConstructor() ? F->getInheritedConstructor().getConstructor() : F, Arguments);
}

Builder::Callee Builder::calleeOf(const FunctionDecl *F) const {
  Callee Result{mpishm::idOf(F, Where), F->getQualifiedNameAsString(), ""};
  if (F->getLocation().isInvalid()) // the compiler's own, of coroutines
    return Result;
  if (Where.isLibrary(F->getLocation()) || !F->hasBody()) {
    const SourceManager &SM = Where.sources();
    FileID File = SM.getFileID(SM.getFileLoc(F->getLocation()));
    if (File != SM.getMainFileID())
      Result.Header = llvm::sys::path::filename(Where.fileOf(File)).str();
  }
  return Result;
}

static Argument argumentOf(const std::string &Id, const std::string &Name, const std::string &Header, const Place &At) {
  Argument A;
  A.Callee = Id;
  A.CalleeName = Name;
  A.Header = Header;
  A.Where = At;
  return A;
}

/// Passes \p E as the parameter \p Parameter, declared as \p Type.
void Builder::pass(const Callee &To, uint32_t Parameter, QualType Type, const Expr *E) {
  ValueType Into = Typing.classify(Type), From = Typing.classify(E->getType());
  Operands Values = Reader.of(E);
  Domain Kind = Domain::Integer;
  if (Into.isInteger() && !Into.Ambiguous && From.Handle && !From.Mixed && Reader.isHandle(E, Values, Kind)) {
    Emit.escape(Escape::Kind::Cast, Kind, Values, E->getExprLoc(), Type.getAsString());
    Values = {makeOperand(Operand::Kind::Computed)};
  }
  if (Into.Handle)
    Values = Reader.asHandle(Values);
  Argument A = argumentOf(To.Id, To.Name, To.Header, Where.at(E->getExprLoc()));
  A.Parameter = Parameter;
  A.Both = Into.Indirect && !Into.Raw;
  for (const Operand &Value : Values) {
    A.Value = Value;
    Emit.argument(A);
  }
}

/// The handles and integers in a record of the program go where the record goes, or come from where it comes from.
void Builder::passFields(const Callee &To, llvm::StringRef Position, QualType Type, SourceLocation Loc) {
  const RecordDecl *Record = Typing.recordIn(Type);
  if (!Record || Where.isLibrary(Record->getLocation()))
    return;
  Argument A = argumentOf(To.Id, To.Name, To.Header, Where.at(Loc));
  A.Both = true;
  for (const FieldDecl *Field : Typing.fieldsOf(Record, true)) {
    uint32_t Object = Emit.objectOf(Field);
    A.Parameter =
        Emit.object(To.Id + "#" + Position.str() + "." + Emit.idOf(Object), nameOf(Field), Emit.kindOf(Object));
    A.Value = makeObject(Object);
    Emit.argument(A);
  }
}

void Builder::passRecord(const FunctionDecl *F, llvm::StringRef Position, const Expr *E) {
  QualType Type = E->IgnoreParenImpCasts()->getType();
  if (!Typing.recordIn(Type))
    return;
  passFields(calleeOf(F), Position, Type, E->getExprLoc());
}

/// What goes through a pointer to a function of \p FunctionType goes where the pointer goes.
void Builder::passCallsThrough(const Callee &To, llvm::StringRef Position, QualType FunctionType, SourceLocation Loc) {
  const auto *Prototype = FunctionType->getAs<FunctionProtoType>();
  if (!Prototype)
    return;
  std::string Through = indirectId(FunctionType);
  Argument A = argumentOf(To.Id, To.Name, To.Header, Where.at(Loc));
  A.Both = true;
  auto Pass = [&](llvm::StringRef Id, llvm::StringRef Name, Domain Kind) {
    A.Parameter = Emit.object(To.Id + "#" + Position.str() + "." + Id.str() + ":there", Name, Kind);
    A.Value = makeObject(Emit.object(Id, Name, Kind));
    Emit.argument(A);
  };
  if (ValueType Type = Typing.classify(Prototype->getReturnType()); Type.Tracked && !Type.Raw)
    Pass(Through + "#result", "result of a call through a pointer", Type.Kind);
  for (unsigned I = 0; I < Prototype->getNumParams(); ++I) {
    QualType Parameter = Prototype->getParamType(I);
    std::string Id = Through + "#" + std::to_string(I);
    if (ValueType Type = Typing.classify(Parameter); Type.Tracked && !Type.Raw)
      Pass(Id, "a parameter of a function called through a pointer", Type.Kind);
    if (const RecordDecl *Record = Typing.recordIn(Parameter); Record && !Where.isLibrary(Record->getLocation()))
      for (const FieldDecl *Field : Typing.fieldsOf(Record, true)) {
        uint32_t Object = Emit.objectOf(Field);
        Pass(Id + "." + Emit.idOf(Object), nameOf(Field), Emit.kindOf(Object));
      }
  }
}

/// An argument without a declared parameter type.
void Builder::untypedArgument(const Expr *E, llvm::StringRef Callee) {
  ValueType Type = Typing.classify(E->getType());
  Operands Values = Reader.of(E);
  Domain Kind = Domain::Integer;
  if (onlyPrints(Callee)) {
    return;
  }
  openPointersIn(E->getType(), Escape::Kind::Variadic, E->getExprLoc(), Callee);
  if (Reader.isHandle(E, Values, Kind) || Type.Ambiguous) {
    Emit.escape(Escape::Kind::Variadic, Kind, Values, E->getExprLoc(), Callee);
  } else if (Type.isInteger()) {
    if (Type.Indirect) // scanf
      for (const Operand &O : Values::objectsIn(Values)) {
        Emit.flow(O.ObjectIndex, makeOperand(Operand::Kind::Computed), false, E->getExprLoc());
        Emit.flow(Emit.escapedIntegers(), O, true, E->getExprLoc());
      }
    else
      Emit.flow(Emit.escapedIntegers(), Values, false, E->getExprLoc());
  } else if (const RecordDecl *Record = Typing.recordIn(E->getType())) {
    for (const FieldDecl *Field : Typing.fieldsOf(Record, true))
      if (ValueType FieldType = Typing.classify(Field->getType()); FieldType.Handle || FieldType.Ambiguous)
        Emit.escape(Escape::Kind::Variadic, FieldType.Kind, {makeObject(Emit.objectOf(Field))}, E->getExprLoc(),
                    Callee);
  }
}

/// Passes \p E, memory of handles or of records, as a pointer to void or to characters: to a layer over free, maybe.
/// False when it is no such.
bool Builder::bytesArgument(const FunctionDecl *F, unsigned Index, const Expr *E) {
  bool Bytes = isBytePointer(F->getParamDecl(Index)->getType());
  if (!Bytes && !F->getParamDecl(Index)->getType()->isVoidPointerType())
    return false;
  llvm::SmallVector<const Expr *, 4> Casts;
  const Expr *Inner = E->IgnoreParens();
  while (const auto *Cast = dyn_cast<CastExpr>(Inner)) {
    if (Cast->getCastKind() != CK_BitCast && Cast->getCastKind() != CK_NoOp)
      break;
    Casts.push_back(Cast);
    Inner = Cast->getSubExpr()->IgnoreParens();
  }
  if (!Inner->getType()->isPointerType() || isBytePointer(Inner->getType()))
    return false;
  uint32_t Parameter = Emit.parameter(F, Index);
  std::string Type = F->getParamDecl(Index)->getType().getAsString();
  auto Pass = [&](const Operands &Values, Domain Kind) {
    Emit.flow(Parameter, Values::objectsIn(Values), true, E->getExprLoc());
    Emit.escape(Escape::Kind::Cast, Kind, Values, E->getExprLoc(), Type, Emit.idOf(Parameter));
  };
  Operands Values = Reader.of(Inner);
  Domain Kind = Domain::Integer;
  if (Reader.isHandle(Inner, Values, Kind)) {
    Pass(Values, Kind);
  } else if (const RecordDecl *Record = Typing.recordIn(Inner->getType());
             Bytes && Record && !Where.isLibrary(Record->getLocation())) {
    overwriteFields(QualType(Record->getTypeForDecl(), 0), false, E->getExprLoc(), Type);
    for (const FieldDecl *Field : Typing.fieldsOf(Record, false))
      if (ValueType FieldType = Typing.classify(Field->getType()); !FieldType.isInteger())
        Pass({makeObject(Emit.objectOf(Field))}, FieldType.Kind);
  } else {
    return false;
  }
  HarmlessCasts.insert(Casts.begin(), Casts.end());
  return true;
}

void Builder::userCall(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  bool Library = Where.isLibrary(F->getLocation());
  Callee To = calleeOf(F);
  if (!F->hasBody())
    passFunctionPointers(F, "result", F->getReturnType(), F->getLocation());
  for (auto [Index, E] : llvm::enumerate(Arguments)) {
    if (Index >= F->getNumParams()) {
      untypedArgument(E, To.Name);
      continue;
    }
    if (!F->hasBody())
      passFunctionPointers(F, std::to_string(Index), F->getParamDecl(Index)->getType(), E->getExprLoc());
    if (!Library && bytesArgument(F, Index, E))
      continue;
    QualType Type = F->getParamDecl(Index)->getType();
    ValueType Declared = Typing.classify(Type);
    if (Declared.Tracked) {
      // A library may not keep what it gets by value of an integer, and stores none through a pointer to const.
      if (!Library || Declared.Handle || Declared.Indirect)
        pass(To, Emit.parameter(F, Index), Type, E);
    } else if (Typing.classify(E->getType()).isInteger()) {
      Emit.flow(Emit.escapedIntegers(), Reader.of(E), false, E->getExprLoc());
    }
    // The C library does not look into records; others, which are not in the database, might.
    if (!Library)
      passRecord(F, std::to_string(Index), E);
  }
}

bool Builder::takesOwnRecord(const FunctionProtoType *Prototype) {
  return llvm::any_of(Prototype->param_types(), [&](QualType Parameter) {
    const RecordDecl *Record = Typing.recordIn(Parameter);
    return Record && !Where.isLibrary(Record->getLocation());
  });
}

void Builder::indirectCall(const CallExpr *E) {
  QualType Type = calledType(E);
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  if (!Type->isFunctionType()) // a pseudo-destructor
    return;
  if (const auto *Pointer = dyn_cast<BinaryOperator>(E->getCallee()->IgnoreParens()); Pointer && Pointer->isPtrMemOp())
    openCalls(Type, Escape::Kind::Expression, E->getExprLoc(), "");
  Callee To{indirectId(Type), "a function pointer", ""};
  if (Prototype && takesOwnRecord(Prototype))
    Emit.ownFunctionType(To.Id);
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    const Expr *Argument = E->getArg(I);
    if (!Prototype || I >= Prototype->getNumParams()) {
      untypedArgument(Argument, "a function pointer");
      continue;
    }
    QualType Parameter = Prototype->getParamType(I);
    ValueType Declared = Typing.classify(Parameter);
    std::string Position = std::to_string(I);
    if (Declared.Tracked && !Declared.Raw)
      pass(To, Emit.calledParameter(Type, I, Declared.Kind), Parameter, Argument);
    else
      passFields(To, Position, Argument->IgnoreParenImpCasts()->getType(), Argument->getExprLoc());
  }
}

/// memcpy and relatives: what they are given is memory, not a value that leaves.
void Builder::memoryCall(const CallExpr *E, MemoryFunction Kind) {
  llvm::SmallVector<const Expr *, 3> Arguments;
  for (const Expr *Argument : E->arguments()) {
    const Expr *Inner = Argument;
    while (const auto *Cast = dyn_cast<CastExpr>(Inner->IgnoreParens())) {
      if (!Cast->getType()->isAnyPointerType() || Cast->getCastKind() == CK_LValueToRValue)
        break;
      HarmlessCasts.insert(Cast);
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        break;
      Inner = Cast->getSubExpr();
    }
    Arguments.push_back(Inner);
  }
  if (Arguments.empty())
    return;
  SourceLocation Loc = E->getExprLoc();
  const Expr *To = Arguments[0];
  if (Kind == MemoryFunction::Copied && Arguments.size() > 1) {
    const Expr *From = Arguments[1];
    Domain ToKind = Domain::Integer, FromKind = Domain::Integer;
    Operands Targets = Reader.of(To), Sources = Reader.of(From);
    bool ToHandle = Reader.isHandle(To, Targets, ToKind), FromHandle = Reader.isHandle(From, Sources, FromKind);
    bool Same = Context.hasSameUnqualifiedType(To->getType()->getPointeeType(), From->getType()->getPointeeType());
    if (ToHandle == FromHandle && ToKind == FromKind) {
      addOperands(Targets, Sources);
      Emit.tie(Targets, Loc);
    } else {
      Emit.escape(Escape::Kind::Cast, ToHandle ? ToKind : FromKind, ToHandle ? Targets : Sources, Loc, "memcpy");
    }
    if (!Same)
      for (const Expr *Side : {To, From})
        openCalls(functionIn(Side->getType()), Escape::Kind::Cast, Loc, "memcpy");
    if (!Same)
      for (const Expr *Side : {To, From})
        if (Side->getType()->getPointeeType()->isRecordType())
          overwriteFields(Side->getType()->getPointeeType(), true, Loc, "memcpy");
  } else if (Kind == MemoryFunction::Cleared) {
    for (const Operand &Target : Values::objectsIn(Reader.of(To)))
      if (Emit.kindOf(Target.ObjectIndex) == Domain::Integer) {
        Emit.flow(Target.ObjectIndex, makeConstant(0), false, Loc);
        Emit.flow(Target.ObjectIndex, makeOperand(Operand::Kind::Computed), false, Loc);
      }
    zeroFields(Typing.recordIn(To->getType()), Loc);
  }
}

/// The standard library may move each value that it is given to each other, and to functions that it is given.
void Builder::standardCall(const Expr *E, llvm::ArrayRef<const Expr *> Arguments, const Operands &Tied) {
  SourceLocation Loc = E->getExprLoc();
  Emit.tie(Tied, Loc);
  llvm::SmallVector<const ValueDecl *, 4> Targets;
  for (const Expr *Argument : Arguments)
    for (const FunctionDecl *F : callablesOf(Argument))
      Targets.append(F->param_begin(), F->param_end());
  addMadeInPlace(E, Targets);
  // What goes to those that are called: each to each of its kind.
  for (const ValueDecl *Target : Targets) {
    ValueType To = Typing.classify(Target->getType());
    if (!To.Tracked || To.Raw)
      continue;
    uint32_t Object = Emit.objectOf(Target);
    if (To.isInteger()) {
      Emit.flow(Object, makeOperand(Operand::Kind::Computed), false, Loc);
      Emit.flow(Object, makeObject(Emit.escapedIntegers()), false, Loc);
    }
    for (const Expr *Argument : Arguments)
      if (ValueType From = Typing.classify(Argument->IgnoreParenImpCasts()->getType());
          From.Tracked && (From.isInteger() == To.isInteger() || From.Ambiguous || To.Ambiguous))
        flowInto(Object, To, Argument);
  }
  // Integers that are not tied because they stand beside handles.
  auto IsTied = [&](const Operand &O) {
    return llvm::any_of(Tied, [&](const Operand &T) { return T.Which == O.Which && T.ObjectIndex == O.ObjectIndex; });
  };
  for (const Expr *Argument : Arguments) {
    if (!Typing.classify(Argument->IgnoreParenImpCasts()->getType()).isInteger())
      continue;
    for (const Operand &O : Reader.of(Argument))
      if (isWildcard(O) || (O.Which == Operand::Kind::Object && !IsTied(O)))
        Emit.flow(Emit.escapedIntegers(), O, false, Loc);
  }
}

/// Parameters and fields of records that are made from the arguments in place: emplace_back, make_unique.
void Builder::addMadeInPlace(const Expr *E, llvm::SmallVectorImpl<const ValueDecl *> &Targets) {
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier() || !F->getPrimaryTemplate())
    return;
  llvm::StringRef Name = F->getName();
  if (!Name.contains("emplace") && !Name.starts_with("make_") && !Name.starts_with("construct") &&
      !Name.starts_with("allocate_"))
    return;
  QualType Made = E->getType();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E); Member && Member->getImplicitObjectArgument())
    Made = Member->getImplicitObjectArgument()->getType();
  const auto *Record = dyn_cast_or_null<CXXRecordDecl>(Typing.recordIn(Made));
  if (!Record)
    return;
  for (const CXXConstructorDecl *Constructor : Record->ctors())
    Targets.append(Constructor->param_begin(), Constructor->param_end());
  if (Record->isAggregate())
    for (const FieldDecl *Field : Typing.fieldsOf(Record, false))
      Targets.push_back(Field);
}
