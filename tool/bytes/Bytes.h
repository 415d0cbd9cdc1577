// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records as bytes and back, for the same build of the tool only: numbers, texts, vectors, maps, and records of these
// whose members(Record &) is a tuple of references.

#ifndef MPISHM_TOOL_BYTES_BYTES_H
#define MPISHM_TOOL_BYTES_BYTES_H

#include "facts/Place.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpishm::bytes {

template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

/// All members of a record: when one is added there and not here, this does not compile.
#define MPISHM_MEMBERS(RECORD, ...)                                                                                    \
  template <mpishm::bytes::Is<RECORD> T> auto members(T &R) {                                                          \
    auto &[__VA_ARGS__] = R;                                                                                           \
    return std::tie(__VA_ARGS__);                                                                                      \
  }

template <typename T>
concept Number = std::integral<T> || std::is_enum_v<T>;

class Writer;

/// A record with a code of its own: encode(Writer &, const T &) and decode(Reader &, T &), instead of members.
template <typename T>
concept Coded = requires(Writer &W, const T &R) { encode(W, R); };

/// Numbers in LEB128. A text that was there before, as names of files are, is a number only.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &To) : Out(To) {}

  template <Number T> void add(T N) {
    if constexpr (std::is_signed_v<T>)
      llvm::encodeSLEB128(N, Out);
    else
      llvm::encodeULEB128(static_cast<uint64_t>(N), Out);
  }
  void add(const std::string &Text);
  template <typename T> void add(const std::vector<T> &All) {
    add(All.size());
    for (const T &Each : All)
      add(Each);
  }
  template <typename T> void add(const std::set<T> &All) {
    add(All.size());
    for (const T &Each : All)
      add(Each);
  }
  template <typename K, typename V, typename Less> void add(const std::map<K, V, Less> &All) {
    add(All.size());
    for (const auto &[Key, Value] : All) {
      add(Key);
      add(Value);
    }
  }
  template <typename A, typename B> void add(const std::pair<A, B> &Both) {
    add(Both.first);
    add(Both.second);
  }
  void add(const std::vector<bool> &All);
  template <typename T> void add(const std::optional<T> &Perhaps) {
    add(Perhaps.has_value());
    if (Perhaps)
      add(*Perhaps);
  }
  template <typename Record>
    requires std::is_class_v<Record>
  void add(const Record &R) {
    if constexpr (Coded<Record>)
      encode(*this, R);
    else
      std::apply([this](const auto &...Members) { (this->add(Members), ...); }, members(R));
  }

private:
  llvm::raw_ostream &Out;
  llvm::StringMap<size_t> Texts;
};

/// The counterpart. At the end of the bytes all numbers are 0 and all texts empty.
class Reader {
public:
  explicit Reader(llvm::StringRef Bytes) : From(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}

  template <Number T> void take(T &N) {
    if constexpr (std::is_signed_v<T>)
      N = static_cast<T>(From.getSLEB128(At));
    else
      N = static_cast<T>(From.getULEB128(At));
  }
  void take(std::string &Text);
  template <typename T> void take(std::vector<T> &All) {
    size_t Size = 0;
    take(Size);
    for (; Size && At; --Size)
      take(All.emplace_back());
  }
  template <typename T> void take(std::set<T> &All) {
    size_t Size = 0;
    take(Size);
    for (; Size && At; --Size) {
      T Each{};
      take(Each);
      All.insert(std::move(Each));
    }
  }
  template <typename K, typename V, typename Less> void take(std::map<K, V, Less> &All) {
    size_t Size = 0;
    take(Size);
    for (; Size && At; --Size) {
      K Key{};
      take(Key);
      take(All[std::move(Key)]);
    }
  }
  template <typename A, typename B> void take(std::pair<A, B> &Both) {
    take(Both.first);
    take(Both.second);
  }
  void take(std::vector<bool> &All);
  template <typename T> void take(std::optional<T> &Perhaps) {
    bool There = false;
    take(There);
    if (There)
      take(Perhaps.emplace());
  }
  template <typename Record>
    requires std::is_class_v<Record>
  void take(Record &R) {
    if constexpr (Coded<Record>)
      decode(*this, R);
    else
      std::apply([this](auto &...Members) { (this->take(Members), ...); }, members(R));
  }
  bool atEnd();

private:
  llvm::DataExtractor From;
  llvm::DataExtractor::Cursor At{0};
  std::vector<llvm::StringRef> Texts;
};

} // namespace mpishm::bytes

namespace mpishm {
MPISHM_MEMBERS(Place, File, Offset, Line, Column)
}

#endif
