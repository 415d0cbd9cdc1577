// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packing/Terms.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mpishm;
using namespace clang;

static constexpr unsigned Deepest = 64;

std::optional<Polynomial> mpishm::add(const Polynomial &A, const Polynomial &B, int64_t Times) {
  Polynomial Result = A;
  for (const auto &[Factors, Number] : B) {
    int64_t Product = 0, &Sum = Result[Factors];
    if (llvm::MulOverflow(Number, Times, Product) || llvm::AddOverflow(Sum, Product, Sum))
      return std::nullopt;
    if (!Sum)
      Result.erase(Factors);
  }
  return Result;
}

std::optional<Polynomial> mpishm::multiply(const Polynomial &A, const Polynomial &B) {
  Polynomial Result;
  for (const auto &[X, M] : A)
    for (const auto &[Y, N] : B) {
      std::vector<std::string> Factors = X;
      llvm::append_range(Factors, Y);
      llvm::sort(Factors);
      int64_t Product = 0;
      if (llvm::MulOverflow(M, N, Product))
        return std::nullopt;
      std::optional<Polynomial> Sum = add(Result, {{Factors, Product}});
      if (!Sum)
        return std::nullopt;
      Result = std::move(*Sum);
    }
  return Result;
}

static Polynomial factor(std::string Name) { return {{{std::move(Name)}, 1}}; }
static Polynomial constant(int64_t Value) { return Value ? Polynomial{{{}, Value}} : Polynomial(); }

static std::string text(const Polynomial &Sum) {
  std::string Result;
  for (const auto &[Factors, Number] : Sum) {
    Result += "+" + std::to_string(Number);
    for (const std::string &Each : Factors)
      Result += "*" + Each;
  }
  return Result;
}

Terms::Terms(const ASTContext &C, const Uses &U, const CallExpr *Calls, Terms *Of)
    : Context(C), Used(U), Call(Calls), Caller(Of), Substitutes(Calls != nullptr) {}

std::string Terms::nameOf(const ValueDecl *D) {
  return "v" + std::to_string(reinterpret_cast<uintptr_t>(D->getCanonicalDecl()));
}

const Expr *Terms::argumentFor(const VarDecl *D) const {
  const auto *Parameter = dyn_cast<ParmVarDecl>(D);
  if (!Parameter || !Call || !Caller)
    return nullptr;
  unsigned Index = Parameter->getFunctionScopeIndex();
  return Index < Call->getNumArgs() ? Call->getArg(Index) : nullptr;
}

/// What \p D is all the time, if that is known.
const Expr *Terms::initialOf(const VarDecl *D) const {
  if (!Substitutes || isa<ParmVarDecl>(D) || !Uses::isOwn(D) || Used.changes(D) || !D->hasInit())
    return nullptr;
  return D->getInit();
}

/// Whether \p D may have another value than where its name stands, as far as that matters now.
bool Terms::mayChange(const VarDecl *D) const {
  if ((InInitial || (InLasting && !Lasting)) && Used.changes(D))
    return true;
  if (InSettled && !(Ordered && Ordered->isSettled(D, Point)))
    return true;
  return InLasting && Lasting && Lasting->changes(D) && D->getType()->isScalarType();
}

/// What \p Of says of what \p D was made last.
template <typename Result>
std::optional<Result> Terms::ofSettled(const VarDecl *D, std::optional<Result> (Terms::*Of)(const Expr *)) {
  std::optional<Order::Value> Made = Ordered ? Ordered->valueOf(D, Point) : std::nullopt;
  if (!Made)
    return std::nullopt;
  const Stmt *Before = std::exchange(Point, Made->Where);
  bool WasIn = std::exchange(InSettled, true);
  std::optional<Result> Value = (this->*Of)(Made->Is);
  Point = Before;
  InSettled = WasIn;
  return Value;
}

std::optional<Polynomial> Terms::numberOfVariable(const VarDecl *D) {
  if (const Expr *Argument = argumentFor(D)) {
    if (Used.changes(D) || D->getType()->isReferenceType())
      return std::nullopt;
    return Caller->number(Argument);
  }
  if (const Expr *Initial = initialOf(D)) {
    bool Before = std::exchange(InInitial, true);
    std::optional<Polynomial> Value = number(Initial);
    InInitial = Before;
    if (Value) {
      if (!Early && !isOfVariables(Initial))
        Early = D;
      return Value;
    }
  }
  if (std::optional<Polynomial> Value = ofSettled(D, &Terms::number))
    return Value;
  if (!Uses::isOwn(D) || mayChange(D))
    return std::nullopt;
  return factorOf(nameOf(D), D->getType());
}

/// What is read of \p Type, as a sum.
Polynomial Terms::factorOf(const std::string &Name, QualType Type) {
  if (!Type->isUnsignedIntegerType())
    MayBeNegative.insert(Name);
  return factor(Name);
}

bool Terms::isNonnegative(const Polynomial &Sum) const {
  return llvm::all_of(Sum, [&](const auto &Each) {
    return Each.second >= 0 && llvm::all_of(Each.first, [&](const std::string &Name) {
             return !MayBeNegative.count(Name) && (!Caller || !Caller->MayBeNegative.count(Name));
           });
  });
}

std::optional<Polynomial> Terms::lastingNumber(const Expr *E) {
  bool Before = std::exchange(InLasting, true);
  std::optional<Polynomial> Value = number(E);
  InLasting = Before;
  return Value;
}

/// Whether a number of the type \p From is the same as one of the type \p To.
static bool keeps(const ASTContext &Context, QualType From, QualType To) {
  if (!From->isIntegerType() || !To->isIntegerType() || To->isBooleanType())
    return false;
  return Context.getIntWidth(From) <= Context.getIntWidth(To);
}

/// \p From as a number of the type \p To.
std::optional<Polynomial> Terms::converted(const Expr *From, QualType To) {
  QualType Type = From->getType();
  if (!keeps(Context, Type, To))
    return std::nullopt;
  std::optional<Polynomial> Value = number(From);
  bool WasSigned = Type->isSignedIntegerType(), IsSigned = To->isSignedIntegerType();
  bool Widens = Context.getIntWidth(Type) < Context.getIntWidth(To);
  if (WasSigned != IsSigned && (WasSigned || !Widens)) {
    Exact = false;
    if (Value && IsSigned)
      for (const auto &[Factors, Number] : *Value)
        MayBeNegative.insert(Factors.begin(), Factors.end());
  }
  return Value;
}

std::optional<Polynomial> Terms::count(const Expr *E) {
  unsigned Int = Context.getIntWidth(Context.IntTy);
  for (;;) {
    E = E->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast || !E->getType()->isIntegerType() || E->getType()->isBooleanType() ||
        Context.getIntWidth(E->getType()) < Int)
      return number(E);
    const Expr *From = Cast->getSubExpr();
    bool Narrows = Cast->getCastKind() == CK_IntegralCast && From->getType()->isIntegerType() &&
                   Context.getIntWidth(From->getType()) > Context.getIntWidth(E->getType());
    if (!Narrows && Cast->getCastKind() != CK_NoOp)
      return number(E);
    Exact &= !Narrows;
    E = From;
  }
}

std::optional<Polynomial> Terms::number(const Expr *E) {
  if (Depth > Deepest || E->isValueDependent() || !E->getType()->isIntegerType())
    return std::nullopt;
  struct Level {
    unsigned &D;
    explicit Level(unsigned &Of) : D(Of) { ++D; }
    ~Level() { --D; }
  } Here(Depth);
  if (E->HasSideEffects(Context))
    return std::nullopt;
  Expr::EvalResult Known;
  if (E->EvaluateAsInt(Known, Context) && Known.Val.getInt().getSignificantBits() <= 62)
    return constant(Known.Val.getInt().getExtValue());
  if (const auto *Inner = dyn_cast<ParenExpr>(E))
    return number(Inner->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_NoOp)
      return number(From);
    if (Cast->getCastKind() == CK_IntegralCast)
      return converted(From, E->getType());
    if (Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt;
    if (From->getType().isVolatileQualified() || From->getType()->isAtomicType())
      return std::nullopt;
    if (const auto *Name = dyn_cast<DeclRefExpr>(From->IgnoreParens()))
      if (const auto *D = dyn_cast<VarDecl>(Name->getDecl()); D && D->hasLocalStorage())
        return numberOfVariable(D);
    std::optional<std::string> At = place(From);
    return At ? std::optional(factorOf(*At, From->getType())) : std::nullopt;
  }
  if (E->getType()->isUnsignedIntegerType() ||
      Context.getLangOpts().getSignedOverflowBehavior() != LangOptions::SOB_Undefined)
    Exact = false; // what follows may wrap around
  if (const auto *Sign = dyn_cast<UnaryOperator>(E); Sign && Sign->getOpcode() == UO_Minus)
    if (std::optional<Polynomial> Of = number(Sign->getSubExpr()))
      return add({}, *Of, -1);
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary || (Binary->getOpcode() != BO_Add && Binary->getOpcode() != BO_Sub && Binary->getOpcode() != BO_Mul))
    return std::nullopt;
  std::optional<Polynomial> Left = number(Binary->getLHS()), Right = number(Binary->getRHS());
  if (!Left || !Right)
    return std::nullopt;
  return Binary->getOpcode() == BO_Mul ? multiply(*Left, *Right)
                                       : add(*Left, *Right, Binary->getOpcode() == BO_Add ? 1 : -1);
}

std::optional<std::string> Terms::placeAt(const Address &At) { return "[" + At.From + text(At.By) + "]"; }

/// The name of where the lvalue \p E is.
std::optional<std::string> Terms::place(const Expr *E) {
  E = E->IgnoreParens();
  if (InSettled || E->getType().isVolatileQualified() || E->getType()->isAtomicType())
    return std::nullopt;
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getCastKind() == CK_NoOp)
    return place(Cast->getSubExpr());
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const auto *D = dyn_cast<VarDecl>(Name->getDecl());
    if (!D)
      return std::nullopt;
    if (const Expr *Argument = argumentFor(D))
      return D->getType()->isReferenceType() ? Caller->place(Argument) : std::nullopt;
    if (D->getType()->isReferenceType() || D->getTLSKind() != VarDecl::TLS_None ||
        (D->hasLocalStorage() && mayChange(D)))
      return std::nullopt;
    return nameOf(D); // what others change of variables that are not the function's own is seen in the compiled program
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField() || Field->getType()->isReferenceType())
      return std::nullopt;
    std::optional<std::string> Of;
    if (!Member->isArrow())
      Of = place(Member->getBase());
    else if (std::optional<Address> At = address(Member->getBase()))
      Of = placeAt(*At);
    return Of ? std::optional(*Of + "." + nameOf(Field)) : std::nullopt;
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
    std::optional<Address> At = address(Element->getBase());
    std::optional<Polynomial> Index = number(Element->getIdx());
    if (!At || !Index)
      return std::nullopt;
    std::optional<Polynomial> By = add(At->By, *Index);
    return By ? placeAt({At->From, *By}) : std::nullopt;
  }
  if (const auto *Through = dyn_cast<UnaryOperator>(E); Through && Through->getOpcode() == UO_Deref)
    if (std::optional<Address> At = address(Through->getSubExpr()))
      return placeAt(*At);
  return std::nullopt;
}

std::optional<Address> Terms::first(const VarDecl *D) {
  if (const Expr *Argument = argumentFor(D))
    return D->getType()->isReferenceType() ? std::nullopt : Caller->address(Argument);
  return D->hasInit() ? address(D->getInit()) : std::nullopt;
}

/// `this` in a member function that is called as \p Call says.
static std::optional<Address> objectOf(const CallExpr *Call, Terms &Caller,
                                       std::optional<std::string> (*PlaceOf)(Terms &, const Expr *)) {
  const auto *OfMember = dyn_cast<CXXMemberCallExpr>(Call);
  const auto *Callee = OfMember ? dyn_cast<MemberExpr>(OfMember->getCallee()->IgnoreParens()) : nullptr;
  if (!Callee)
    return std::nullopt;
  if (Callee->isArrow())
    return Caller.address(Callee->getBase());
  std::optional<std::string> At = PlaceOf(Caller, Callee->getBase());
  return At ? std::optional(Address{"&" + *At, {}}) : std::nullopt;
}

std::optional<Address> Terms::address(const Expr *E) {
  if (Depth > Deepest || E->isValueDependent() || E->HasSideEffects(Context))
    return std::nullopt;
  ++Depth;
  std::optional<Address> Result = [&]() -> std::optional<Address> {
    E = E->IgnoreParens();
    if (isa<CXXThisExpr>(E)) {
      if (!Caller)
        return Address{"this", {}};
      return objectOf(Call, *Caller, [](Terms &T, const Expr *Base) { return T.place(Base); });
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      const Expr *From = Cast->getSubExpr();
      switch (Cast->getCastKind()) {
      case CK_NoOp:
        return address(From);
      case CK_BitCast: // the elements may be others then
        return E->getType()->isVoidPointerType() ? address(From) : std::nullopt;
      case CK_ArrayToPointerDecay: {
        std::optional<std::string> At = place(From);
        return At ? std::optional(Address{"&" + *At, {}}) : std::nullopt;
      }
      case CK_LValueToRValue:
        break;
      default:
        return std::nullopt;
      }
      if (const auto *Name = dyn_cast<DeclRefExpr>(From->IgnoreParens()))
        if (const auto *D = dyn_cast<VarDecl>(Name->getDecl()); D && D->hasLocalStorage()) {
          if (const Expr *Argument = argumentFor(D))
            return Used.changes(D) || D->getType()->isReferenceType() ? std::nullopt : Caller->address(Argument);
          if (const Expr *Initial = initialOf(D)) {
            bool Before = std::exchange(InInitial, true);
            std::optional<Address> Value = address(Initial);
            InInitial = Before;
            if (Value && !Early && !isOfVariables(Initial))
              Early = D;
            if (Value)
              return Value;
          }
          if (std::optional<Address> Value = ofSettled(D, &Terms::address))
            return Value;
          if (!Uses::isOwn(D) || mayChange(D))
            return std::nullopt;
          return Address{"=" + nameOf(D), {}};
        }
      std::optional<std::string> At = place(From);
      return At ? std::optional(Address{"=" + *At, {}}) : std::nullopt;
    }
    if (const auto *Of = dyn_cast<UnaryOperator>(E); Of && Of->getOpcode() == UO_AddrOf) {
      const Expr *What = Of->getSubExpr()->IgnoreParens();
      if (const auto *Through = dyn_cast<UnaryOperator>(What); Through && Through->getOpcode() == UO_Deref)
        return address(Through->getSubExpr());
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(What)) {
        std::optional<Address> At = address(Element->getBase());
        std::optional<Polynomial> Index = number(Element->getIdx());
        std::optional<Polynomial> By = At && Index ? add(At->By, *Index) : std::nullopt;
        return By ? std::optional(Address{At->From, *By}) : std::nullopt;
      }
      std::optional<std::string> At = place(What);
      return At ? std::optional(Address{"&" + *At, {}}) : std::nullopt;
    }
    const auto *Sum = dyn_cast<BinaryOperator>(E);
    if (!Sum || (Sum->getOpcode() != BO_Add && Sum->getOpcode() != BO_Sub) || !E->getType()->isPointerType())
      return std::nullopt;
    const Expr *Pointer = Sum->getLHS(), *Index = Sum->getRHS();
    if (!Pointer->getType()->isPointerType())
      std::swap(Pointer, Index);
    std::optional<Address> At = address(Pointer);
    std::optional<Polynomial> By = number(Index);
    if (!At || !By)
      return std::nullopt;
    By = add(At->By, *By, Sum->getOpcode() == BO_Sub ? -1 : 1);
    return By ? std::optional(Address{At->From, *By}) : std::nullopt;
  }();
  --Depth;
  return Result;
}

bool mpishm::isOfVariables(const Expr *E) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(E))
    return Uses::isOwn(Name->getDecl()) || isa<EnumConstantDecl>(Name->getDecl());
  if (isa<MemberExpr, ArraySubscriptExpr, CXXThisExpr, CallExpr>(E))
    return false;
  if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->getOpcode() == UO_Deref)
    return false;
  return llvm::all_of(E->children(), [](const Stmt *Child) {
    const auto *Inner = dyn_cast_or_null<Expr>(Child);
    return Inner && isOfVariables(Inner);
  });
}
