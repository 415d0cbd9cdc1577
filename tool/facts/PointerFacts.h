// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How memory is made, handed around and given back: plain data beside Facts.h, which Buffers.cpp of `match` reads.
//
// A *node* is a piece of storage that may hold pointers, and at the same time what it holds: a variable, a field (one
// for all instances of its record), a parameter, a result, the memory that one call of malloc makes, or a value on its
// way. All elements of an array or container are one. The flows are those of a points-to analysis by inclusion
// (Andersen 1994): for each node they say of which storage addresses may be in it.

#ifndef MPISHM_TOOL_FACTS_POINTERFACTS_H
#define MPISHM_TOOL_FACTS_POINTERFACTS_H

#include "facts/Place.h"
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

/// Index into PointerFacts::Nodes.
using PointerNodeIndex = uint32_t;
inline constexpr PointerNodeIndex NoNode = ~0u;

/// The node that all units begin with: storage of code that we do not see. It points to itself.
inline constexpr PointerNodeIndex OutsideNode = 0;

struct PointerNode {
  enum class Kind : uint8_t {
    Value,     ///< a value on its way; has no Id, and is of one unit
    Variable,  ///< a variable, field, parameter or result
    Array,     ///< a variable or field that is an array, and its elements
    Container, ///< the elements of a variable or field that is a container of the standard library
    Record,    ///< stands for any record of one type, where it is not known which
    Memory     ///< what one call of an allocating function makes
  };
  Kind What = Kind::Value;
  std::string Id;   ///< the same in all units that see it, as in Facts.h; empty for values
  std::string Name; ///< as a user would call it
  /// A variable with external linkage; where no unit defines it (PointerFacts::Defined), a library does.
  bool External = false;
  /// The Record node of what is stored there, for variables and fields of the type of one of the program's records.
  PointerNodeIndex Record = NoNode;
  Place Where; ///< of the declaration, for arrays and containers
};

struct PointerFlow {
  enum class Kind : uint8_t {
    Copy,    ///< what From holds may get into To
    Address, ///< the address of From may get into To
    Load,    ///< what any storage that From points to holds may get into To
    Store    ///< what From holds may get into any storage that To points to
  };
  Kind What = Kind::Copy;
  PointerNodeIndex To = NoNode, From = NoNode;
};

/// The pointers that records of one type hold.
struct RecordLayout {
  PointerNodeIndex Record = NoNode;
  std::vector<PointerNodeIndex> Fields; ///< of bases and members that are records, too
};

/// What Value points to is used as a record of this type.
struct RecordView {
  PointerNodeIndex Value = NoNode, Record = NoNode;
};

/// Where a call stands from its first to its last token, when another call can be put around it there.
struct WholeCall {
  Place Begin, End;          ///< End: behind the last
  std::string First;         ///< the token at Begin
  std::string Around;        ///< "MPISHM_To_window", or "MPISHM_TO_WINDOW" where the type of the call matters
  std::optional<Place> Host; ///< as in Call
};

/// A call of a function, or an operator, that makes memory or gives it back.
struct MemoryCall {
  std::string Function;     ///< "malloc", "new[]", "delete[]", "free"
  std::string Old, New;     ///< what to replace where the name stands; New is empty when there is no counterpart
  Place Name;               ///< as in Call
  Place Token;              ///< as in Call
  std::optional<Place> End; ///< delete[]: where a closing parenthesis has to be inserted as well
  Editability Edit = Editability::Editable;
  std::string CauseName;               ///< as in Call
  std::optional<Place> Kept;           ///< as in Call
  std::string Enclosing;               ///< as in Call
  std::optional<Place> Host;           ///< as in Call
  PointerNodeIndex Makes = NoNode;     ///< the Memory node
  PointerNodeIndex GivesBack = NoNode; ///< the node of the pointer that is given back; realloc does both
  std::optional<WholeCall> Whole;      ///< of what returns memory of malloc's kind
  bool Already = false;                ///< spelled MPISHM_ in the source
  std::string Unfit; ///< why it cannot be replaced, whatever the pointers do: "..., whose elements have destructors"
};

/// A call of a function of the program that returns a pointer. When the function is a wrapper, each of its calls makes
/// memory of its own.
struct ResultCall {
  std::string Callee;                 ///< function Id
  PointerNodeIndex Value = NoNode;    ///< of this call
  PointerNodeIndex Returned = NoNode; ///< the function's result
  MemoryCall As;                      ///< the same call as one that makes memory; Makes is the node for it
};

/// A function that returns a pointer, and that may be a wrapper of malloc: one that does nothing with the memory that
/// it allocates but return it. Without Makes and Calls it is none. There is one for each definition.
struct AllocationWrapper {
  std::string Function;                ///< Id
  std::string Name;                    ///< for messages
  std::vector<PointerNodeIndex> Makes; ///< the Memory nodes that it may return: of allocating functions
  std::vector<PointerNodeIndex> Calls; ///< and of calls of what are wrappers themselves (ResultCall::As)
  std::string Forwards; ///< "MPISHM_Malloc" when its body is `return malloc(n);` with n its parameter; else empty
  bool IsTold = false;  ///< somebody may have the address when it returns: MPI, or who reads what is printed
};

/// A pointer is handed to a function. Where no unit has its body (UnitFacts::Bodies), it goes where nobody can follow.
struct PointerArgument {
  std::string Callee, CalleeName; ///< as in Argument
  PointerNodeIndex Parameter = NoNode;
  PointerNodeIndex Value = NoNode;
  unsigned Count = 0; ///< of all arguments of the call, those that are no pointers, too; 0: not known
  Place Where;
};

/// A pointer goes where nobody can follow.
struct PointerEscape {
  PointerNodeIndex Value = NoNode;
  std::string What; ///< "is converted to an integer"
  Place Where;
};

/// The buffer of a point-to-point call, one of a collective that it matters for where it lies, or the memory that
/// MPI_Win_create makes a window of.
struct MessageBuffer {
  Place Call;
  PointerNodeIndex Value = NoNode;
  bool IsWindow = false;
};

/// The program computes with elements that Value points to, other than by moving them from one place to another.
struct Computation {
  PointerNodeIndex Value = NoNode;
  Place Where;
};

/// The definition of a variable that is an array, and so can be placed in the window where it is.
struct ArrayDeclaration {
  PointerNodeIndex Storage = NoNode;
  std::string Name;   ///< as it is spelled behind its declaration
  uint64_t Bytes = 0; ///< 0: not known
  /// For an automatic one of main: the beginning of its declaration, or a comma, behind which it becomes another one.
  std::optional<Place> Static;
  std::string First;         ///< the token there
  std::string Type;          ///< what its declaration begins with, where that is to be divided
  Place End;                 ///< the semicolon of its declaration, or such a comma
  std::string Last;          ///< that
  std::optional<Place> Host; ///< as in Call, for End
  std::optional<Place> Kept; ///< as in Call
  bool Already = false;      ///< the source says that it is placed there
  std::string Unfit;         ///< why it cannot be: "is of a function other than main"; End may be known all the same
};

/// Where it is written that something is a std::vector of numbers, or refers to one: a variable, a member, the result
/// of a function, a temporary.
struct VectorDeclaration {
  std::string Id, Name;
  PointerNodeIndex Elements = NoNode; ///< none for references, results and temporaries
  Place Where;
  std::optional<Place> Angle; ///< the bracket that closes its type's arguments, of which there is one; none for auto
  std::string Argument;       ///< that one
  std::optional<Place> Host;  ///< as in Call, for Angle
  std::optional<Place> Kept;  ///< as in Call
  bool Already = false;       ///< it has the runtime's allocator
  std::string Shared;         ///< Id that the declarations of a parameter, or result, share; empty for others
  bool Defined = false;       ///< the function of that has a body
  std::string InRecords;      ///< for a member: Id that all members of such elements share, see VectorMisuse
};

/// Something that another allocator would break: "is used here in a way that depends on its type".
struct VectorMisuse {
  /// Of the declaration, or "at:FILE:OFFSET" of the bracket that closes a written type, or "in records:ELEMENT" of all
  /// members that are vectors of such elements.
  std::string Id;
  std::string What;
  Place Where;
};

/// Two declarations, by Id, that must have one type.
struct VectorLink {
  std::string A, B;
};

/// What one unit says of pointers.
struct PointerFacts {
  std::vector<PointerNode> Nodes; ///< the first is OutsideNode; empty when nothing was collected
  std::vector<PointerFlow> Flows;
  std::vector<RecordLayout> Layouts;
  std::vector<RecordView> Views;
  std::vector<MemoryCall> Calls;
  std::vector<ResultCall> Results;
  std::vector<AllocationWrapper> Wrappers;
  std::vector<PointerArgument> Arguments;
  std::vector<PointerEscape> Escapes;
  std::vector<MessageBuffer> Messages;
  std::vector<Computation> Computations;
  std::vector<ArrayDeclaration> Arrays;
  std::vector<VectorDeclaration> Vectors;
  std::vector<VectorMisuse> VectorMisuses;
  std::vector<VectorLink> VectorLinks;
  std::vector<std::string> Defined; ///< Ids of variables with external linkage
  /// Where the program defines a function of memory itself, or a macro of the name of one.
  std::vector<Place> Own;
  std::vector<Place> Forks;        ///< where it names what makes a process that the runtime is not told of
  std::vector<Place> ForkHandlers; ///< where it names what says what runs in a child of fork
  std::vector<Place> Remaps;       ///< where it names what may change the memory that is at a known address
  std::vector<Place> Mains;        ///< where main is named, and so might be called again
  std::vector<Place> Taken;        ///< where it declares a name that the edits of memory use: `mpishm`, MPISHM_Malloc
};

} // namespace mpishm

#endif
