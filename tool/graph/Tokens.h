// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a node may be: a set of tokens.

#ifndef MPISHM_TOOL_GRAPH_TOKENS_H
#define MPISHM_TOOL_GRAPH_TOKENS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace mpishm::ir {

/// Bounds of offsets that are not known.
inline constexpr int64_t Lowest = std::numeric_limits<int64_t>::min() / 4;
inline constexpr int64_t Highest = std::numeric_limits<int64_t>::max() / 4;

struct Part;

/// The bytes of an object that an address may be of: at Offset when Stride is 0, else at all offsets from Low up to but
/// without High that differ from Offset by a multiple of Stride. An address at a known offset may have bounds, too: it
/// is that of a record there which is part of another, or, with Element not 0, in an array of elements of so many
/// bytes.
struct Region {
  int64_t Offset = 0, Stride = 0, Low = Lowest, High = Highest, Element = 0;

  bool isExact() const { return Stride == 0; }
  bool isBounded() const { return Low > Lowest && High < Highest; }
};
inline bool operator==(const Region &A, const Region &B) {
  return A.Offset == B.Offset && A.Stride == B.Stride && A.Low == B.Low && A.High == B.High && A.Element == B.Element;
}

/// What is left of \p Value when it is divided by \p By, never negative.
inline int64_t remainder(int64_t Value, int64_t By) {
  int64_t Rest = Value % By;
  return Rest < 0 ? Rest + By : Rest;
}

/// In one form for what is the same: an offset below the stride, no bounds where there are not both.
Region normalised(Region R);

/// What an address in \p From may be, \p By bytes more, and any multiple of \p Stride up to \p Extent bytes (or
/// Unknown). Where From is known to be in an array, who moves by any number of its elements stays there: the languages
/// ask for that. Of few elements of an array in each of many records, each is kept apart.
llvm::SmallVector<Region, 1> moved(const Region &From, int64_t By, int64_t Stride, int64_t Extent);

/// What the address of \p Of may be, \p By bytes from where a record begins that is at an address in \p From. Where an
/// array reaches an end of its record, it goes on there in a record around that, if that has no other parts, and to
/// nowhere if the record is a part of another; otherwise there may be more, as of a record in an array of such.
llvm::SmallVector<Region, 1> movedToPart(const Region &From, int64_t By, const Part &Of);

/// The Ids of numbers that are not plain ones, see Token::Kind::Integer.
inline constexpr uint32_t MadeUp = 1, OfAddress = 2;

/// One thing that a value may be.
struct Token {
  enum class Kind : uint8_t {
    Integer,      ///< the number Where.Offset; with a stride, all that differ from it by multiples; with 1: any;
                  ///< with Id 1: any that was made an address, which may be that of anything; with Id 2: any that
                  ///< was computed from an address, whose object is among the tokens, too
    AnySource,    ///< MPI_ANY_SOURCE as it stands in the program, beside its number, or a sum with it
    Anything,     ///< whatever code out of sight has
    Narrow,       ///< the same, made a number as wide as an address from one that was narrower, for the reason Id: as
                  ///< an index it leads nowhere else, since it is no distance from one object to another
    Function,     ///< the address of a function, Id
    Memory,       ///< an address in an object, Id
    Communicator, ///< made by the call of a maker at site Id
    World,        ///< MPI_COMM_WORLD
    Self,         ///< MPI_COMM_SELF
    Request,      ///< of the operation at site Id
    Message,      ///< of the matched probe at site Id
    Window,       ///< made by the call at site Id
    Datatype      ///< the one with the number Id; those that are numbers in mpi.h are plain ones
  };
  Kind Is = Kind::Integer;
  uint32_t Id = 0;
  Region Where;

  /// What the analysis must not lose on its way, even when only some bits of it go on.
  bool isHandle() const { return Is >= Kind::Communicator; }
  /// A handle of which only some bits are left, or that has been computed with; or an address anywhere in an object.
  bool isPartial() const { return isHandle() ? Where.Offset != 0 : Is == Kind::Memory && Where == Region{0, 1}; }
  /// What is left of this in some of its bits.
  Token partial() const {
    if (isHandle())
      return {Is, Id, {1, 0}};
    return Is == Kind::Memory ? Token{Is, Id, {0, 1}} : *this;
  }
  /// The handle that this is, or is left of.
  Token whole() const { return isHandle() ? Token{Is, Id, {}} : *this; }
};
bool operator==(const Token &A, const Token &B);

/// Numbers tokens.
class TokenTable {
public:
  uint32_t number(const Token &T);
  const Token &operator[](uint32_t Number) const { return All[Number]; }
  /// The same number for all addresses in one object, and for all plain numbers; by kind of token first.
  uint64_t group(uint32_t Number) const { return Groups[Number]; }
  size_t size() const { return All.size(); }

private:
  struct Info {
    static Token getEmptyKey() { return {Token::Kind::Integer, ~0U, {}}; }
    static Token getTombstoneKey() { return {Token::Kind::Integer, ~0U - 1, {}}; }
    static unsigned getHashValue(const Token &T) {
      return llvm::hash_combine(static_cast<unsigned>(T.Is), T.Id, T.Where.Offset, T.Where.Stride, T.Where.Low,
                                T.Where.High, T.Where.Element);
    }
    static bool isEqual(const Token &A, const Token &B) { return A == B; }
  };
  std::vector<Token> All;
  std::vector<uint64_t> Groups;
  llvm::DenseMap<Token, uint32_t, Info> Numbers;
};

} // namespace mpishm::ir

#endif
