// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Serialize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <concepts>
#include <tuple>
#include <type_traits>

using namespace mpishm;

namespace {

template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

// All members of each record: when one is added there and not here, this does not compile.
#define MEMBERS(RECORD, ...)                                                                                           \
  template <Is<RECORD> T> auto members(T &R) {                                                                         \
    auto &[__VA_ARGS__] = R;                                                                                           \
    return std::tie(__VA_ARGS__);                                                                                      \
  }
MEMBERS(Place, File, Offset, Line, Column)
MEMBERS(Object, Id, Name, Kind, External, Hidden)
MEMBERS(Operand, Which, ObjectIndex, Value)
MEMBERS(Flow, To, From, Both, Where)
MEMBERS(Escape, Which, What, Value, Where, Name, Unless)
MEMBERS(MemoryUse, Id, Does, DependsOn)
MEMBERS(Argument, Callee, CalleeName, Header, Parameter, Value, Both, Where)
MEMBERS(Call, Function, Spelled, Name, Token, Qualifier, Edit, Cause, CauseName, Kept, Enclosing, Host, Comm, Peer, Tag,
        SecondPeer, SecondTag, Request, NewComm, Message, Run)
MEMBERS(Mention, Function, Where)
MEMBERS(FunctionUse, Function, Where, GoesRound)
MEMBERS(FunctionDefinition, Function, Where, IsMacro)
MEMBERS(Sum::Term, Value, Factor)
MEMBERS(Sum, To, Offset, Terms)
MEMBERS(PointerNode, What, Id, Name, External, Record, Where)
MEMBERS(PointerFlow, What, To, From)
MEMBERS(RecordLayout, Record, Fields)
MEMBERS(RecordView, Value, Record)
MEMBERS(WholeCall, Begin, End, First, Around, Host)
MEMBERS(MemoryCall, Function, Old, New, Name, Token, End, Edit, CauseName, Kept, Enclosing, Host, Makes, GivesBack,
        Whole, Already, Unfit)
MEMBERS(ResultCall, Callee, Value, Returned, As)
MEMBERS(AllocationWrapper, Function, Name, Makes, Calls, Forwards)
MEMBERS(PointerArgument, Callee, CalleeName, Parameter, Value, Where)
MEMBERS(PointerEscape, Value, What, Where)
MEMBERS(MessageBuffer, Call, Value)
MEMBERS(Computation, Value, Where)
MEMBERS(VectorDeclaration, Id, Name, Elements, Where, Angle, Argument, Host, Kept, Already)
MEMBERS(VectorMisuse, Id, What, Where)
MEMBERS(VectorLink, A, B)
MEMBERS(PointerFacts, Nodes, Flows, Layouts, Views, Calls, Results, Wrappers, Arguments, Escapes, Messages,
        Computations, Vectors, VectorMisuses, VectorLinks, Defined, Own, Taken)
MEMBERS(MpiBringer, Where, Header)
MEMBERS(UnitFacts, MainFile, Target, IncludesMpi, MpiIncludes, MpiBringers, BeganWithoutMpi, EndedWithoutMpi,
        CommandMacros, HeaderFolders, Files, Compiler, SearchFolders, FindsMpi, Objects, Flows, Sums, Arguments,
        Escapes, Memory, Calls, Uses, Definitions, Skipped, Read, ForeignNames, Pointers, Bodies, OwnFunctionTypes,
        ConvertedFunctionTypes)
#undef MEMBERS

template <typename T>
concept Number = std::integral<T> || std::is_enum_v<T>;

/// Numbers in LEB128. A text that was there before, as names of files are, is a number only.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &To) : Out(To) {}

  void add(Number auto N) { llvm::encodeULEB128(static_cast<uint64_t>(N), Out); }
  void add(const std::string &Text) {
    auto [It, New] = Texts.try_emplace(Text, Texts.size());
    add(It->second);
    if (New) {
      add(Text.size());
      Out << Text;
    }
  }
  template <typename T> void add(const std::vector<T> &All) {
    add(All.size());
    for (const T &Each : All)
      add(Each);
  }
  template <typename T> void add(const std::optional<T> &Perhaps) {
    add(Perhaps.has_value());
    if (Perhaps)
      add(*Perhaps);
  }
  template <typename Record>
    requires std::is_class_v<Record>
  void add(const Record &R) {
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

  template <Number T> void take(T &N) { N = static_cast<T>(From.getULEB128(At)); }
  void take(std::string &Text) {
    size_t Index = 0;
    take(Index);
    if (Index == Texts.size()) {
      size_t Size = 0;
      take(Size);
      Texts.push_back(From.getBytes(At, Size));
    }
    if (Index < Texts.size())
      Text = Texts[Index].str();
  }
  template <typename T> void take(std::vector<T> &All) {
    size_t Size = 0;
    take(Size);
    for (; Size && At; --Size)
      take(All.emplace_back());
  }
  template <typename T> void take(std::optional<T> &Perhaps) {
    bool There = false;
    take(There);
    if (There)
      take(Perhaps.emplace());
  }
  template <typename Record>
    requires std::is_class_v<Record>
  void take(Record &R) {
    std::apply([this](auto &...Members) { (this->take(Members), ...); }, members(R));
  }
  bool atEnd() {
    bool End = From.eof(At);
    llvm::Error Wrong = At.takeError();
    bool Whole = !Wrong;
    llvm::consumeError(std::move(Wrong));
    return Whole && End;
  }

private:
  llvm::DataExtractor From;
  llvm::DataExtractor::Cursor At{0};
  std::vector<llvm::StringRef> Texts;
};

} // namespace

std::string mpishm::writeFacts(const UnitFacts &Facts, const NameSet &Names) {
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  Writer To(Out);
  To.add(Facts);
  std::vector<uint64_t> Sorted(Names.begin(), Names.end());
  llvm::sort(Sorted);
  To.add(Sorted);
  Out.flush();
  return Bytes;
}

bool mpishm::readFacts(llvm::StringRef Bytes, UnitFacts &Facts, NameSet &Names) {
  Reader From(Bytes);
  From.take(Facts);
  std::vector<uint64_t> All;
  From.take(All);
  if (!From.atEnd())
    return false;
  Names.insert(All.begin(), All.end());
  return true;
}
