// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constraints/Serialize.h"
#include "bytes/Bytes.h"

using namespace mpishm;
using namespace mpishm::bytes;

namespace mpishm {
MPISHM_MEMBERS(SiteMark, Function, Name, Token)
MPISHM_MEMBERS(MpiConstant, Symbol, Number)
MPISHM_MEMBERS(SystemPart, Part, Size)
} // namespace mpishm

namespace mpishm::ir {
MPISHM_MEMBERS(SourceLine, File, Line, Column)
MPISHM_MEMBERS(VirtualCall, Receiver, Way, Loaded)
MPISHM_MEMBERS(Call, Callee, Pointer, Virtual, Arguments, Result, Site, Where)
MPISHM_MEMBERS(Object, Name, Size, IsString, Where)
MPISHM_MEMBERS(BaseClass, Name, Offset, IsVirtual)
MPISHM_MEMBERS(ClassTable, Symbol, Point, Class, Offset)
MPISHM_MEMBERS(Part, Low, High, Record, Element)
MPISHM_MEMBERS(Symbol, Name, IsFunction, IsInternal, IsDefined, IsConstant, IsExposed, Size, Text, HasText, Floating,
               IsNumeric, Objects, IsOwn, Parameters)
MPISHM_MEMBERS(Constraint, Is, To, From, Second, A, B, C, Where, Text)
MPISHM_MEMBERS(Function, Symbol, Parameters, Result, IsVariadic, ReturnsByAddress, ReturnsObject, PointsTo, Nodes,
               IsPointer, IsFloating, Literals, Names, Objects, Parts, Calls, Constraints)
MPISHM_MEMBERS(Unit, MainFile, Sites, Constants, Symbols, Functions, Initialisers, Started, Aliases, Files, Texts,
               Lines, HasAssembly, ExposedRecords, Classes, Tables, SystemParts, AssemblyWords)

/// Which members are not as in a constraint that is new, most of which are not used; then these.
static void encode(Writer &To, const Constraint &C) {
  const Constraint Usual;
  auto ForAll = [&](auto Do) {
    std::apply(
        [&](const auto &...Mine) { std::apply([&](const auto &...Other) { (Do(Mine, Other), ...); }, members(Usual)); },
        members(C));
  };
  uint32_t There = 0, Bit = 1;
  ForAll([&](const auto &Mine, const auto &Other) {
    There |= Mine != Other ? Bit : 0;
    Bit <<= 1;
  });
  To.add(There);
  ForAll([&](const auto &Mine, const auto &Other) {
    if (Mine != Other)
      To.add(Mine);
  });
}

static void decode(Reader &From, Constraint &C) {
  uint32_t There = 0;
  From.take(There);
  auto Take = [&](auto &Member) {
    if (There & 1)
      From.take(Member);
    There >>= 1;
  };
  std::apply([&](auto &...Mine) { (Take(Mine), ...); }, members(C));
}
} // namespace mpishm::ir

std::string mpishm::ir::writeUnit(const Unit &U) {
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  Writer(Out).add(U);
  Out.flush();
  return Bytes;
}

bool mpishm::ir::readUnit(llvm::StringRef Bytes, Unit &U) {
  Reader From(Bytes);
  From.take(U);
  return From.atEnd();
}
