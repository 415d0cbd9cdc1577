// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the facts of one unit: numbers objects, writes each fact once.

#ifndef MPISHM_TOOL_VALUES_EMITTER_H
#define MPISHM_TOOL_VALUES_EMITTER_H

#include "facts/Facts.h"
#include "syntax/Ids.h"
#include "syntax/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <tuple>

namespace mpishm {

using Operands = llvm::SmallVector<Operand, 4>;

Operand makeOperand(Operand::Kind Which);
Operand makeConstant(int64_t Value);
Operand makeObject(uint32_t Index);
void addOperand(Operands &To, const Operand &O); ///< unless it is there
void addOperands(Operands &To, const Operands &From);

/// Not thread-safe.
class Emitter {
public:
  Emitter(UnitFacts &Into, const Places &P, Types &T) : Facts(Into), Where(P), Typing(T) {}

  /// The object of a variable, parameter, field or of the storage named \p Id.
  uint32_t objectOf(const clang::ValueDecl *D);
  uint32_t object(llvm::StringRef Id, llvm::StringRef Name, Domain Kind);
  uint32_t parameter(const clang::FunctionDecl *F, unsigned Position);
  uint32_t result(const clang::FunctionDecl *F);
  /// What calls through pointers to functions of type \p FunctionType hand over at \p Position.
  uint32_t calledParameter(clang::QualType FunctionType, unsigned Position, Domain Kind);
  uint32_t escapedIntegers();

  Domain kindOf(uint32_t Object) const { return Facts.Objects[Object].Kind; }
  const std::string &idOf(uint32_t Object) const { return Facts.Objects[Object].Id; }

  void flow(uint32_t To, const Operand &From, bool Both, clang::SourceLocation Loc);
  void flow(uint32_t To, const Operands &From, bool Both, clang::SourceLocation Loc);
  void sum(Sum S); ///< unless it is there
  /// Says that all of \p Values are one, as far as we can tell.
  void tie(const Operands &Values, clang::SourceLocation Loc);
  void argument(const Argument &A);
  void escape(Escape::Kind Which, Domain What, const Operands &Values, clang::SourceLocation Loc, llvm::StringRef Name,
              llvm::StringRef Unless = "");
  void memory(MemoryUse M);
  void call(Call C);
  void use(llvm::StringRef Function, bool GoesRound, clang::SourceLocation Loc);
  void define(llvm::StringRef Function, clang::SourceLocation Loc, bool IsMacro);
  void body(llvm::StringRef Id);
  void ownFunctionType(llvm::StringRef Id);
  void convertedFunctionType(llvm::StringRef Id);

private:
  using Key = std::tuple<uint32_t, unsigned, uint32_t, int64_t, bool>;
  using PlacedKey = std::tuple<unsigned, uint32_t, std::string, uint32_t>;

  UnitFacts &Facts;
  const Places &Where;
  Types &Typing;
  llvm::StringMap<uint32_t> Index;
  llvm::DenseMap<const clang::ValueDecl *, uint32_t> OfDecl;
  std::set<Key> Flows, Arguments;
  std::set<std::vector<int64_t>> Sums;
  std::set<PlacedKey> Escapes;
  llvm::StringSet<> Bodies, OwnFunctionTypes, ConvertedFunctionTypes;
};

} // namespace mpishm

#endif
