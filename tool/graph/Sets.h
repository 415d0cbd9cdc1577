// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of tokens. A program has many nodes and few different sets: each is kept once, and what comes of two of them is
// remembered (Barbar and Sui, "Hash consed points-to sets", SAS 2021).

#ifndef MPISHM_TOOL_GRAPH_SETS_H
#define MPISHM_TOOL_GRAPH_SETS_H

#include "graph/Tokens.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <vector>

namespace mpishm::ir {

/// All sets. Not to be used by several threads.
class TokenSets {
public:
  /// A set, until drop() takes it away.
  using Id = uint32_t;
  static constexpr Id None = 0; ///< the empty one

  explicit TokenSets(TokenTable &Table) : Tokens(Table) {}

  /// By kind, then by what the token's Id is, then by number.
  llvm::ArrayRef<uint32_t> operator[](Id Set) const { return All[Set].List; }
  bool contains(Id Set, uint32_t T) const;
  bool hasAnything(Id Set) const { return All[Set].Anything; }
  /// Whether one address of memory that code out of sight has stands for those of all such memory.
  bool hasOutside(Id Set) const { return All[Set].Outside; }

  Id single(uint32_t T);
  /// Of \p Tokens as they are, in their order, none twice.
  Id of(llvm::ArrayRef<uint32_t> Tokens) { return intern(Tokens.vec(), false); }
  /// Of \p Tokens in any order, in fewer as unite() makes them.
  Id joined(std::vector<uint32_t> Tokens);
  /// What is in \p A or \p B, in fewer tokens where there would be very many. Tokens of B that others cover are left
  /// out, and so are addresses that have escaped where one of them, or anything, stands for all.
  Id unite(Id A, Id B);
  /// Whether all tokens of \p B are in \p A, or known to be covered there.
  bool includes(Id A, Id B);
  /// What values may be that are made of some bits of a value in \p Set.
  Id derived(Id Set);
  /// The tokens of \p A that are not in \p B.
  llvm::SmallVector<uint32_t, 16> difference(Id A, Id B) const;

  /// Code out of sight has the memory object \p Object. Unless it \p IsConstant, what is loaded there may be anything.
  void setEscaped(uint32_t Object, bool IsConstant);

  /// How many tokens all sets have together.
  uint64_t held() const { return Held; }
  size_t ids() const { return All.size(); } ///< one more than the largest Id
  /// Takes away all sets but those with \p IsUsed, by their Ids.
  void drop(const std::vector<bool> &IsUsed);

private:
  struct Set {
    std::vector<uint32_t> List;
    size_t Hash = 0;
    bool Anything = false, Outside = false;
  };
  /// Some tokens of a list: those of one object, or other ones that are alike.
  using Range = llvm::ArrayRef<uint32_t>;
  enum class Reach : uint8_t { Hidden, Escaped, Constant };

  bool isBefore(uint32_t T, uint32_t U) const {
    uint64_t First = Tokens.group(T), Second = Tokens.group(U);
    return First != Second ? First < Second : T < U;
  }
  Range takeGroup(Range &From, uint64_t Group) const;
  Id merge(Id A, Id B);
  bool isWithin(Id B, Id A) const;
  void remember(Id A, Id B, Id Result);
  bool joinsOutside(Id A, Id B) const;
  void mergeNumbers(Range A, Range B, std::vector<uint32_t> &To);
  void mergePlaces(Range A, Range B, std::vector<uint32_t> &To);
  uint32_t widened(Range Numbers);
  Id intern(std::vector<uint32_t> List, bool Outside);
  Reach reachOf(uint32_t Object) const { return Object < Reached.size() ? Reached[Object] : Reach::Hidden; }

  TokenTable &Tokens;
  uint32_t AnyInteger = Tokens.number({Token::Kind::Integer, 0, {0, 1}});
  std::deque<Set> All{1}; ///< does not move when sets are made
  std::vector<Id> Free;
  llvm::DenseMap<size_t, llvm::SmallVector<Id, 1>> ByHash;
  llvm::DenseMap<uint32_t, Id> Singles;
  llvm::DenseMap<std::pair<Id, Id>, Id> United;
  llvm::DenseMap<Id, Id> Derived;
  std::vector<Reach> Reached; ///< by object
  uint64_t Held = 0;
};

} // namespace mpishm::ir

#endif
