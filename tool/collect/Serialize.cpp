// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Serialize.h"
#include "bytes/Bytes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mpishm;
using namespace mpishm::bytes;

namespace mpishm {

MPISHM_MEMBERS(LineRange, Begin, End)
MPISHM_MEMBERS(Call, Function, Spelled, Name, Token, Qualifier, Edit, Defined, Lines, Cause, CauseName, Kept, Enclosing,
               Host, Run)
MPISHM_MEMBERS(Mention, Function, Where, ByCompiler)
MPISHM_MEMBERS(Reading, What, Where)
MPISHM_MEMBERS(FunctionUse, Function, Where, GoesRound)
MPISHM_MEMBERS(FunctionDefinition, Function, Where, IsMacro)
MPISHM_MEMBERS(LibraryFunction, Name, Header)
MPISHM_MEMBERS(FunctionPointerOrigin, From, Type)
MPISHM_MEMBERS(PointerNode, What, Id, Name, External, Record, Where)
MPISHM_MEMBERS(PointerFlow, What, To, From)
MPISHM_MEMBERS(RecordLayout, Record, Fields)
MPISHM_MEMBERS(RecordView, Value, Record)
MPISHM_MEMBERS(WholeCall, Begin, End, First, Around, Host)
MPISHM_MEMBERS(MemoryCall, Function, Old, New, Name, Token, End, Edit, CauseName, Kept, Enclosing, Host, Makes,
               GivesBack, Whole, Already, Unfit)
MPISHM_MEMBERS(ResultCall, Callee, Value, Returned, As)
MPISHM_MEMBERS(AllocationWrapper, Function, Name, Makes, Calls, Forwards, IsTold)
MPISHM_MEMBERS(PointerArgument, Callee, CalleeName, Parameter, Value, Count, Where)
MPISHM_MEMBERS(PointerEscape, Value, What, Where)
MPISHM_MEMBERS(MessageBuffer, Call, Value, IsWindow)
MPISHM_MEMBERS(Computation, Value, Where)
MPISHM_MEMBERS(ArrayDeclaration, Storage, Name, Bytes, Static, First, Type, End, Last, Host, Kept, Already, Unfit)
MPISHM_MEMBERS(VectorDeclaration, Id, Name, Elements, Where, Angle, Argument, Host, Kept, Already, Shared, Defined,
               InRecords)
MPISHM_MEMBERS(VectorMisuse, Id, What, Where)
MPISHM_MEMBERS(VectorLink, A, B)
MPISHM_MEMBERS(PointerFacts, Nodes, Flows, Layouts, Views, Calls, Results, Wrappers, Arguments, Escapes, Messages,
               Computations, Arrays, Vectors, VectorMisuses, VectorLinks, Defined, Own, Forks, ForkHandlers, Remaps,
               Mains, Taken)
MPISHM_MEMBERS(LinkedName, Name, IsInternal)
MPISHM_MEMBERS(PackedSend, Send, Function, Refused, Call, CallWord, Arguments, Loops, LoopsWord, Target, Rows, Row,
               Packer, Sender, InSender, Store, StoreText, Calls, CountsBefore, MayBeNegative, ApartReads, ApartCalls)
MPISHM_MEMBERS(MpiBringer, Where, Header)
MPISHM_MEMBERS(UnitFacts, MainFile, Target, IncludesMpi, HasNamesOfMpi, MpiIncludes, MpiBringers, BeganWithoutMpi,
               EndedWithoutMpi, CommandMacros, HeaderFolders, Files, Compiler, SearchFolders, FindsMpi, Calls, Uses,
               Definitions, LibraryFunctions, Skipped, Read, Names, Lines, Readings, ForeignNames, Undefined, Pointers,
               Packed, Bodies, OwnFunctionTypes, ConvertedFunctionTypes, FunctionPointerOrigins)
} // namespace mpishm

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
