// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls do to the pointers that they are given; LibraryCalls.cpp has those of the standard libraries,
// MpiBuffers.cpp those of MPI.

#include "mpi/Functions.h"
#include "pointers/Pointers.h"
#include "syntax/Callees.h"
#include "syntax/Expressions.h"
#include "syntax/Ids.h"
#include "syntax/Keep.h"
#include "syntax/Types.h"
#include "syntax/WholeCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"

using namespace mpishm;
using namespace clang;
using Node = PointerNodeIndex;

/// The fact of a call, or of a new or delete expression, whose name is \p Name (null: its first token).
MemoryCall PointerReader::memoryFact(const Expr *E, const Expr *Name, llvm::StringRef Function) {
  MemoryCall C;
  C.Function = Function.str();
  SourceLocation Loc = Name ? Name->getExprLoc() : E->getBeginLoc();
  const SourceManager &SM = Where.sources();
  C.Old = Name ? Function.str() : isa<CXXNewExpr>(E) ? "new" : "delete";
  std::string Text = C.Old; // what stands at Loc
  const auto *Reference = dyn_cast_or_null<DeclRefExpr>(Name);
  if (Reference) {
    Loc = Reference->getLocation();
    Text = Reference->getNameInfo().getAsString();
  }
  // `::malloc` keeps its colons.
  if (Reference && Reference->hasQualifier() && Reference->getQualifier()->getKind() != NestedNameSpecifier::Global) {
    auto Range = CharSourceRange::getTokenRange(Reference->getBeginLoc(), Loc);
    if (!Loc.isMacroID() && !Reference->getBeginLoc().isMacroID())
      C.Old = Lexer::getSourceText(Range, SM, Context.getLangOpts()).str();
    if (C.Old != ("std::" + Function).str() && C.Old != ("mpishm::" + Function).str())
      C.Unfit = "its name has a qualifier that cannot be replaced";
    else {
      Loc = Reference->getBeginLoc();
      Text = C.Old;
    }
  }
  NamePlace At = Where.ofName(Loc, Text);
  C.Name = At.Where;
  C.Token = At.Token;
  C.Edit = At.Edit;
  C.CauseName = At.CauseName;
  C.Kept = keptBy(E, Loc, Enclosing, Where);
  if (Enclosing)
    C.Enclosing = Enclosing->getQualifiedNameAsString();
  C.Host = Where.hostOf(At, Enclosing);
  C.Already = Function.starts_with("MPISHM_");
  return C;
}

void PointerReader::call(const CallExpr *E) {
  if (!E->isTypeDependent() && !E->getCallee()->isTypeDependent())
    ofCall(E);
}

void PointerReader::construct(const CXXConstructExpr *E) {
  if (!E->isTypeDependent() && !E->getConstructor()->isDependentContext())
    ofCall(E);
}

Node PointerReader::ofCall(const Expr *E) {
  auto It = CallCache.find(E);
  if (It != CallCache.end())
    return It->second;
  CallCache[E] = NoNode;
  Node Result = NoNode;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *F = Construct->getConstructor();
    llvm::ArrayRef<const Expr *> Arguments(Construct->getArgs(), Construct->getNumArgs());
    if (Types::isStandard(F->getParent()))
      Result = standardCall(E, Arguments);
    else if (!F->isImplicit() || F->isInheritingConstructor())
      pass(F->getInheritedConstructor() ? F->getInheritedConstructor().getConstructor() : F, Arguments);
  } else {
    const auto *Call = cast<CallExpr>(E);
    const FunctionDecl *F = Call->getDirectCallee();
    const DeclRefExpr *Name = calledName(Call);
    if (Name)
      Callees.insert(Name);
    Result = F ? directCall(Call, F, Name) : chosenCall(Call);
  }
  CallCache[E] = Result;
  return Result;
}

/// \p E calls \p F, where its \p Name stands in it (null: nowhere).
Node PointerReader::directCall(const CallExpr *E, const FunctionDecl *F, const DeclRefExpr *Name) {
  if (const MemoryRow *Row = memoryRowOf(F, Where))
    return memoryCall(E, F, *Row);
  if (const FunctionInfo *Info = findFunction(mpiNameOf(F))) {
    mpiCall(E, *Info, Name);
    if (Info->Kind == FunctionKind::Memory)
      return NoNode;
  }
  if (isOfRuntime(F) && F->getName() == "MPISHM_To_window" && E->getNumArgs() == 1)
    return toWindow(E, F);
  if (F->getIdentifier() && F->getName() == "MPISHM_Delete_array" && E->getNumArgs() == 1) {
    MemoryCall C = memoryFact(E, Name, F->getName());
    C.GivesBack = value(E->getArg(0));
    Nodes.Facts.Calls.push_back(std::move(C));
    return NoNode;
  }
  if (F->isReplaceableGlobalAllocationFunction()) {
    for (const Expr *Argument : E->arguments())
      escape(Argument, "is handed to an operator delete that is called by its name");
    return OutsideNode;
  }
  otherOfName(E, F);
  if (Keeping How = keepingOf(F, Where); How != Keeping::Unknown)
    return knownCall(E, How);
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  if (Types::isStandard(F)) {
    llvm::SmallVector<const Expr *, 4> All;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E); Member && Member->getImplicitObjectArgument())
      All.push_back(Member->getImplicitObjectArgument());
    llvm::append_range(All, Arguments);
    return standardCall(E, All);
  }
  return programCall(E, F);
}

/// The call of another function by the name of one that makes memory or gives it back: it was found by its arguments,
/// and in another instance of the template it may be that one.
void PointerReader::otherOfName(const CallExpr *E, const FunctionDecl *F) {
  const DeclRefExpr *Name = calledName(E);
  if (!Name || !F->getIdentifier() || !isMemoryName(F->getName()) || isOfRuntime(F))
    return;
  MemoryCall C = memoryFact(E, Name, F->getName());
  C.Unfit = "another function is called by its name as well";
  Nodes.Facts.Calls.push_back(std::move(C));
}

Node PointerReader::memoryCall(const CallExpr *E, const FunctionDecl *F, const MemoryRow &Row) {
  const DeclRefExpr *Name = calledName(E);
  MemoryCall C = memoryFact(E, Name, F->getName());
  C.Already = isOfRuntime(F);
  if (!C.Already && !Row.New.empty())
    C.New = llvm::StringRef(C.Old).starts_with("std::") ? ("mpishm::" + Row.Name).str() : Row.New.str();
  if (!Name)
    C.Unfit = "its name does not stand in the call";
  else if (Row.New.empty())
    C.Unfit = ("the runtime has no counterpart of " + Row.Name).str();
  Node Result = NoNode;
  if (Row.GivesBack && *Row.GivesBack < E->getNumArgs())
    C.GivesBack = value(E->getArg(*Row.GivesBack));
  if (Row.Makes == MemoryRow::Result::Value && !Row.GivesBack && !Row.New.empty() && !C.Already)
    MakingCalls.push_back({E, Enclosing, false, Nodes.Facts.Calls.size()});
  if (Row.Makes != MemoryRow::Result::None) {
    C.Makes = Nodes.memory(Name ? Name->getLocation() : E->getExprLoc(), Row.Name);
    Result = Nodes.addressOf(C.Makes);
    if (C.GivesBack != NoNode) // what was in the old memory is in the new
      Nodes.store(Result, Nodes.loadOf(C.GivesBack));
    if (Row.Makes == MemoryRow::Result::FirstArgument) {
      Nodes.store(E->getNumArgs() ? value(E->getArg(0)) : NoNode, Result);
      Result = NoNode;
    }
  }
  Nodes.Facts.Calls.push_back(std::move(C));
  return Result;
}

/// As realloc: what was in the old memory is in the new.
Node PointerReader::toWindow(const CallExpr *E, const FunctionDecl *F) {
  const DeclRefExpr *Name = calledName(E);
  MemoryCall C = memoryFact(E, Name, F->getName());
  C.GivesBack = value(E->getArg(0));
  C.Makes = Nodes.memory(Name ? Name->getLocation() : E->getExprLoc(), F->getName());
  Nodes.setRecord(C.Makes, E->getType()->getPointeeType());
  Node Result = Nodes.addressOf(C.Makes);
  Nodes.store(Result, Nodes.loadOf(C.GivesBack));
  Nodes.Facts.Calls.push_back(std::move(C));
  return Result;
}

PointerArgument PointerReader::argumentOf(const FunctionDecl *F, SourceLocation Loc) const {
  PointerArgument A;
  A.Callee = mpishm::idOf(F, Where);
  A.CalleeName = F->getQualifiedNameAsString();
  A.Where = Where.at(Loc);
  return A;
}

/// Passes \p E, for a parameter of \p Type; \p Base says to whom, and has the parameter's node.
void PointerReader::passOne(const PointerArgument &Base, QualType Type, const Expr *E) {
  PointerArgument A = Base;
  A.Where = Where.at(E->getExprLoc());
  if (const RecordDecl *R = recordOf(Type, Where)) {
    A.Value = Nodes.addressOf(Nodes.record(R));
    A.Parameter = Nodes.value();
  } else {
    A.Value = initial(Type, E);
  }
  if (A.Value != NoNode)
    Nodes.Facts.Arguments.push_back(std::move(A));
}

void PointerReader::pass(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments) {
  for (auto [Index, E] : llvm::enumerate(Arguments)) {
    PointerArgument A = argumentOf(F, E->getExprLoc());
    if (Index >= F->getNumParams() && F->hasPrototype()) {
      A.Parameter = Nodes.further(F);
      passOne(A, E->getType(), E);
      continue;
    }
    A.Parameter = Nodes.parameter(F, Index);
    A.Count = Arguments.size();
    passOne(A, Index < F->getNumParams() ? F->getParamDecl(Index)->getType() : E->getType(), E);
  }
}

Node PointerReader::programCall(const CallExpr *E, const FunctionDecl *F) {
  llvm::ArrayRef<const Expr *> Arguments(E->getArgs(), E->getNumArgs());
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  const Expr *Object = nullptr;
  if (isa<CXXOperatorCallExpr>(E) && Method && !Method->isStatic() && !Arguments.empty()) {
    Object = Arguments.front();
    Arguments = Arguments.drop_front();
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
    Object = Member->getImplicitObjectArgument();
  }
  if (Object) { // a method that is not seen may do to its object what it likes
    PointerArgument A = argumentOf(F, E->getExprLoc());
    A.Value = Object->isGLValue() ? address(Object) : value(Object);
    A.Parameter = Nodes.value();
    if (A.Value != NoNode)
      Nodes.Facts.Arguments.push_back(std::move(A));
  }
  pass(F, Arguments);
  QualType Result = F->getReturnType();
  if (const RecordDecl *R = recordOf(Result, Where); R && !F->hasBody()) {
    PointerArgument A = argumentOf(F, E->getExprLoc());
    A.Value = Nodes.addressOf(Nodes.record(R));
    A.Parameter = Nodes.value();
    Nodes.Facts.Arguments.push_back(std::move(A));
  }
  if (!holdsPointers(Result))
    return NoNode;
  ResultCall C;
  C.Callee = mpishm::idOf(F, Where);
  C.Value = Nodes.value();
  Node Returned = Nodes.result(F);
  const DeclRefExpr *Name = calledName(E);
  if (!isDataPointer(Result) || !Name) { // no function that allocates
    Nodes.copy(C.Value, Returned);
    return C.Value;
  }
  C.Returned = Returned;
  C.As = memoryFact(E, Name, F->getNameAsString());
  C.As.Makes = Nodes.memory(Name->getLocation(), F->getNameAsString());
  Nodes.setRecord(C.As.Makes, Result->getPointeeType());
  MakingCalls.push_back({E, Enclosing, true, Nodes.Facts.Results.size()});
  Node Value = C.Value;
  Nodes.Facts.Results.push_back(std::move(C));
  return Value;
}

/// A call of what a condition chooses, or a variable has.
Node PointerReader::chosenCall(const CallExpr *E) {
  llvm::SmallVector<const DeclRefExpr *, 2> Names = calledNames(E);
  bool IsOfMpi = !Names.empty();
  for (const DeclRefExpr *Name : Names) {
    const auto *F = dyn_cast<FunctionDecl>(Name->getDecl());
    IsOfMpi &= F && findFunction(mpiNameOf(F));
    if (F && findFunction(mpiNameOf(F)))
      directCall(E, F, Name);
  }
  return IsOfMpi ? NoNode : indirectCall(E);
}

Node PointerReader::indirectCall(const CallExpr *E) {
  QualType Type = calledType(E);
  if (!Type->isFunctionType()) // a pseudo-destructor
    return NoNode;
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  PointerArgument A;
  A.Callee = indirectId(Type);
  A.CalleeName = "a function pointer";
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    const Expr *Argument = E->getArg(I);
    if (Prototype && I >= Prototype->getNumParams()) {
      escape(Argument, "is handed on without a declared parameter");
      continue;
    }
    A.Parameter = Nodes.named(A.Callee + "#" + std::to_string(I), "a parameter of a function pointer");
    passOne(A, Prototype ? Prototype->getParamType(I) : Argument->getType(), Argument);
  }
  QualType Result = Type->castAs<FunctionType>()->getReturnType();
  return holdsPointers(Result) ? Nodes.named(A.Callee + "#result", "result of a function pointer") : NoNode;
}

/// What \p Text, `delete[] ` in one of the ways to write it, becomes: with all that stands between its tokens, and so
/// that it can be undone byte for byte unless something stands between the brackets. Empty when it has other tokens.
static std::string replacementOfDelete(const std::string &Text, const LangOptions &Language) {
  Lexer Lex(SourceLocation(), Language, Text.data(), Text.data(), Text.data() + Text.size());
  std::vector<std::pair<tok::TokenKind, unsigned>> Tokens; // with where it ends
  Token Next;
  while (!Lex.LexFromRawLexer(Next))
    Tokens.push_back({Next.getKind(), unsigned(Lex.getBufferLocation() - Text.data())});
  if (Tokens.size() != 3 || Tokens[1].first != tok::l_square || Tokens[2].first != tok::r_square)
    return "";
  unsigned Keyword = Tokens[0].second, Open = Tokens[1].second, Close = Tokens[2].second;
  llvm::StringRef All = Text, Before = All.slice(Keyword, Open).drop_back(), After = All.substr(Close);
  llvm::StringRef Inside = All.slice(Open, Close).drop_back();
  if (Inside.find_first_not_of(' ') == llvm::StringRef::npos)
    Inside = "";
  After = After.empty() ? " " : After == " " ? "" : After;
  return ("MPISHM_Delete_array" + Before + "(" + Inside + After).str();
}

/// Why elements of \p Element can be given back only where it is done now; empty when they need not.
static std::string ownRelease(QualType Element) {
  if (Element.isNull() || Element->isIncompleteType() || Element.isDestructedType() != QualType::DK_none)
    return "it is given back by a 'delete[]' of elements with destructors";
  const CXXRecordDecl *Class = Element->getAsCXXRecordDecl();
  const CXXDestructorDecl *Destructor = Class ? Class->getDestructor() : nullptr;
  return Destructor && Destructor->getAccess() != AS_public ? "it is given back by a 'delete[]' that others may not say"
                                                            : "";
}

/// True when a function of a class makes the pointer of what is written.
static bool isConverted(const Expr *E) {
  for (E = E->IgnoreParens(); const auto *Cast = dyn_cast<ImplicitCastExpr>(E); E = Cast->getSubExpr()->IgnoreParens())
    if (Cast->getCastKind() == CK_UserDefinedConversion)
      return true;
  return false;
}

void PointerReader::release(const CXXDeleteExpr *E) {
  const Expr *Argument = E->getArgument();
  MemoryCall C = memoryFact(E, nullptr, E->isArrayForm() ? "delete[]" : "delete");
  C.GivesBack = value(Argument);
  QualType Element = E->getDestroyedType();
  while (!Element.isNull() && Element->isArrayType())
    Element = QualType(Element->getAsArrayTypeUnsafe()->getElementType());
  std::string Own = ownRelease(Element);
  SourceLocation Begin = E->getBeginLoc(), Inner = Argument->getBeginLoc(), End = Argument->getEndLoc();
  if (!E->isArrayForm())
    C.Unfit = "it is given back by 'delete'";
  else if (E->isGlobalDelete() || Begin.isMacroID() || Inner.isMacroID() || End.isMacroID())
    C.Unfit = "it is given back by a 'delete[]' that cannot be replaced";
  else if (Enclosing && mayBeConstant(Enclosing))
    C.Unfit = "it is given back where a constant may be needed";
  else if (isConverted(Argument))
    C.Unfit = "it is given back by a 'delete[]' of an object that is converted to a pointer";
  else if (!Own.empty())
    C.Unfit = Own;
  else if (const FunctionDecl *F = E->getOperatorDelete(); F && F->isCXXClassMember())
    C.Unfit = "it is given back by a class's own operator delete";
  if (C.Unfit.empty()) {
    const SourceManager &SM = Where.sources();
    const LangOptions &Language = Context.getLangOpts();
    C.Old = Lexer::getSourceText(CharSourceRange::getCharRange(Begin, Inner), SM, Language).str();
    C.New = replacementOfDelete(C.Old, Language);
    C.End = Where.at(Lexer::getLocForEndOfToken(End, 0, SM, Language));
    // In another build the operand may be another.
    if (C.New.empty() || hasDirective(Lexer::getSourceText(CharSourceRange::getTokenRange(Begin, End), SM, Language)))
      C.Unfit = "it is given back by a 'delete[]' that cannot be replaced";
  }
  Nodes.Facts.Calls.push_back(std::move(C));
}

/// A function whose address is taken may be called through any pointer to its type, and from anywhere.
void PointerReader::addressTaken(const DeclRefExpr *E) {
  const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
  if (!F || F->isDependentContext() || Callees.contains(E) || Types::isStandard(F) || !mpiNameOf(F).empty())
    return;
  std::string Indirect = indirectId(F->getType());
  for (unsigned I = 0; I < F->getNumParams(); ++I) {
    QualType Type = F->getParamDecl(I)->getType();
    PointerArgument A = argumentOf(F, E->getLocation());
    A.Parameter = Nodes.parameter(F, I);
    if (const RecordDecl *R = recordOf(Type, Where))
      A.Value = Nodes.addressOf(Nodes.record(R));
    else if (holdsPointers(Type))
      A.Value = Nodes.named(Indirect + "#" + std::to_string(I), "a parameter of a function pointer");
    if (A.Value == NoNode)
      continue;
    Nodes.copy(A.Parameter, OutsideNode);
    Nodes.Facts.Arguments.push_back(std::move(A));
  }
  if (holdsPointers(F->getReturnType())) {
    Nodes.copy(Nodes.named(Indirect + "#result", "result of a function pointer"), Nodes.result(F));
    note(Nodes.result(F), "is returned by a function that may be called through a pointer from anywhere",
         E->getLocation());
  }
}

/// A function pointer of another type: calls through either may be calls of the same functions; through a pointer that
/// comes from something else, calls of any.
void PointerReader::functionCast(const CastExpr *E) {
  QualType To = E->getType()->getPointeeType();
  const Expr *Sub = E->getSubExpr();
  if (Sub->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
    return;
  bool FromFunction = Sub->getType()->isFunctionPointerType();
  const auto *Prototype = To->getAs<FunctionProtoType>();
  std::string ToId = indirectId(To), FromId = FromFunction ? indirectId(Sub->getType()->getPointeeType()) : "";
  const auto *FromType = FromFunction ? Sub->getType()->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  unsigned Count = std::max(Prototype ? Prototype->getNumParams() : 0, FromType ? FromType->getNumParams() : 0);
  auto Node = [&](const std::string &Id, const std::string &Suffix) {
    return Nodes.named(Id + Suffix, "a value of a function pointer's call");
  };
  for (unsigned I = 0; I <= Count; ++I) {
    std::string Suffix = I < Count ? "#" + std::to_string(I) : "#result";
    if (FromFunction)
      Nodes.link(Node(ToId, Suffix), Node(FromId, Suffix));
    else
      note(Node(ToId, Suffix), "may be handed to any function", E->getExprLoc());
    if (!FromFunction)
      Nodes.copy(Node(ToId, Suffix), OutsideNode);
  }
}
