// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in a form in which those with the same value are the same, as far as the text tells: sums of products of
// what is read, and addresses as such a sum from where some pointer points to. The parameters of a function stand for
// the arguments of one call of it, variables that never change for what they begin as.

#ifndef MPISHM_TOOL_PACKING_TERMS_H
#define MPISHM_TOOL_PACKING_TERMS_H

#include "packing/Order.h"
#include "clang/AST/ASTContext.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpishm {

/// A sum of products: each of them its factors, sorted, and how often it is in the sum.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

/// Nothing where a number becomes too large.
std::optional<Polynomial> add(const Polynomial &A, const Polynomial &B, int64_t Times = 1);
std::optional<Polynomial> multiply(const Polynomial &A, const Polynomial &B);

struct Address {
  std::string From;
  Polynomial By; ///< elements
};
inline bool operator==(const Address &A, const Address &B) { return A.From == B.From && A.By == B.By; }

class Terms {
public:
  /// Of \p Function's body. With \p Call what stands in the function that it calls: \p Caller's are those of the call.
  Terms(const clang::ASTContext &C, const Uses &U, const clang::CallExpr *Call = nullptr, Terms *Caller = nullptr);

  /// What "lasts" are numbers that these statements do not change, which write no other variables than numbers and
  /// pointers; null: what the function does not change.
  void lastIn(const Uses *Statements) { Lasting = Statements; }
  /// Variables of the function that never change are what they begin as, from now on.
  void substitute() { Substitutes = true; }
  /// Variables of the function that are settled at \p At, the statement that is looked at, are what they were made
  /// last.
  void settle(const Order *Of, const clang::Stmt *At) { Ordered = Of, Point = At; }
  /// From now on nothing is known but what is made of such variables.
  void settleAll() { InSettled = true; }
  /// The first of these that was looked into, and began as something in memory.
  const clang::VarDecl *early() const { return Early; }

  std::optional<Polynomial> number(const clang::Expr *E);
  /// What comes of \p E as a count of a message, an int: the same as number(E), or that modulo 2^32.
  std::optional<Polynomial> count(const clang::Expr *E);
  /// Whether all numbers since the last beExact() were those that the program computes, too, and not only modulo 2^32.
  bool isExact() const { return Exact; }
  void beExact() { Exact = true; }
  /// Whether \p Sum cannot be negative, by the types of what is added up.
  bool isNonnegative(const Polynomial &Sum) const;
  /// The same of what no statement of the function changes (see lastIn).
  std::optional<Polynomial> lastingNumber(const clang::Expr *E);
  std::optional<Address> address(const clang::Expr *E);
  /// What a variable begins as, or a parameter.
  std::optional<Address> first(const clang::VarDecl *D);
  /// The name of \p D as a factor.
  static std::string nameOf(const clang::ValueDecl *D);

private:
  std::optional<std::string> place(const clang::Expr *E);
  std::optional<std::string> placeAt(const Address &At);
  std::optional<Polynomial> numberOfVariable(const clang::VarDecl *D);
  std::optional<Polynomial> converted(const clang::Expr *From, clang::QualType To);
  Polynomial factorOf(const std::string &Name, clang::QualType Type);
  bool mayChange(const clang::VarDecl *D) const;
  const clang::Expr *argumentFor(const clang::VarDecl *D) const;
  const clang::Expr *initialOf(const clang::VarDecl *D) const;
  template <typename Result>
  std::optional<Result> ofSettled(const clang::VarDecl *D, std::optional<Result> (Terms::*Of)(const clang::Expr *));

  const clang::ASTContext &Context;
  const Uses &Used;
  const clang::CallExpr *Call;
  Terms *Caller;
  bool Substitutes = false;
  bool InInitial = false; ///< only what never changes counts
  bool InLasting = false; ///< only what Lasting does not change counts
  const Uses *Lasting = nullptr;
  bool InSettled = false; ///< only what is settled at Point counts
  const Order *Ordered = nullptr;
  const clang::Stmt *Point = nullptr;
  bool Exact = true;
  std::set<std::string> MayBeNegative; ///< factors
  const clang::VarDecl *Early = nullptr;
  unsigned Depth = 0;
};

/// Whether the value of \p E follows from variables of its function alone.
bool isOfVariables(const clang::Expr *E);

} // namespace mpishm

#endif
