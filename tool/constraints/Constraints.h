// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a unit does with values, as plain data: the constraints that its LLVM IR puts on where values may go. Nothing
// here knows LLVM, so that `solve` is tested without it, and units can be kept from one run to the next.
//
// Each function has *nodes*, numbered from 0: first its parameters, then its result, then a value of the IR each. A
// constraint says what a node may be. Order and branches do not count: a constraint holds from the start to the end.
// What is not modelled makes its result *anything* (Kind::Anything) and lets its operands *escape* (Kind::Escape); both
// name where that is and why.

#ifndef MPISHM_TOOL_CONSTRAINTS_CONSTRAINTS_H
#define MPISHM_TOOL_CONSTRAINTS_CONSTRAINTS_H

#include "lower/Constants.h"
#include "lower/Marks.h"
#include "lower/SystemParts.h"
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpishm::ir {

/// A node of a function.
using Node = uint32_t;
inline constexpr Node NoNode = std::numeric_limits<Node>::max();

/// A length that is not known, or has no end.
inline constexpr int64_t Unknown = -1;

/// Where an instruction stands, for people.
struct SourceLine {
  uint32_t File = 0;   ///< into Unit::Files
  uint32_t Line = 0;   ///< from 1; 0: not known
  uint32_t Column = 0; ///< from 1; 0: not known
};

/// As what a load or store accesses memory. The languages have memory read as what it was last written as, or as bytes;
/// compilers count on that.
enum class Access : uint8_t {
  Any,     ///< bytes, a member of a union, and whatever may alias
  Integer, ///< of any size but that of a byte
  Pointer,
  Floating
};

struct Constraint {
  enum class Kind : uint8_t {
    Integer,       ///< To may be the number A
    AnyInteger,    ///< To may be any number that a library has or that is made of a floating-point number
    Anything,      ///< To may be anything that code out of sight has; Text says why
    LocalAddress,  ///< To may be the address of Function::Objects[A]
    GlobalAddress, ///< To may be the address of Unit::Symbols[A], a variable or a function, and B bytes more
    Copy,          ///< To may be what From is
    Derive,        ///< To may be made of some bits of From: as the address of an element by its index with A an index,
                   ///< see Derivation
    Offset,        ///< To may be the address From, A bytes more, and any multiple of B up to C bytes (or Unknown)
    Part,          ///< To may be the address From, of a record, A bytes more: Function::Parts[B] of the record
    Member,    ///< To may be the address From, of what is A bytes into an object of the class Text, which may have a
               ///< table of virtual functions: in objects that can have such, see Unit::Tables
    Convert,   ///< To may be the integer From of A bits, made one of B bits; with C not 0 by its sign
    ToAddress, ///< To may be the address that the integer From of A bits is, of B bits; with C not 0 it is not made of
               ///< a number: it is the one in a pointer to a member function, or the integer had 32 bits or less
    MovedBy,   ///< To is an address that was moved or rounded, as an integer, by From: it may be one that From holds
    Aligned, ///< From is what the call Function::Calls[A], of malloc's like, returns: in memory that this makes, To is
             ///< where offsets count from if B is not 0, else anywhere. In other memory To is From if B is 0, else
             ///< anywhere
    VirtualEntry, ///< To may be the address, in a table of virtual functions at From, of the one that Second is, the
                  ///< integer in a pointer to a member function: its place there, and one more
    Binary,       ///< To may be From and Second, of B bits, combined by the operation A
    Difference,   ///< To may be the difference of the addresses From and Second
    Load,         ///< To may be what A bytes at the address From hold, as the Access C; with B not 0 it is an address
    Store,        ///< A bytes at the address To may be what From is, as the Access C
    Initial,      ///< C bytes at offset B of the variable Unit::Symbols[A] begin as what From is
    CopyMemory,   ///< A bytes, or as many as Second is, or Unknown, from the address From go to the address To
    FillMemory,   ///< A bytes, or as many as Second is, or Unknown, at the address To are filled with the byte From
    OwnText,      ///< To is the address of the text that a std::string holds in itself
    Head,         ///< To is the address of what a container at From holds of its nodes in itself, a mpishm::Head, A
    Variadic,     ///< To is the address of a list of the function's variadic arguments
    Escape,       ///< From goes to what is not modelled; Text says what
    BecomeNumber, ///< From becomes a floating-point number; with A not 0 unless only some bits of it do; Text says how
    Throw,        ///< From is thrown
    Catch,        ///< To may be what is thrown anywhere
    Call          ///< Function::Calls[A]
  };
  Kind Is = Kind::Copy;
  Node To = NoNode, From = NoNode, Second = NoNode;
  int64_t A = 0, B = 0, C = 0;
  uint32_t Where = 0; ///< into Unit::Lines
  uint32_t Text = 0;  ///< into Unit::Texts
};

/// What Constraint::Kind::Derive makes of some bits. An index of 32 bits leads from no object into another.
enum Derivation : int64_t { Bits, WideIndex, NarrowIndex };

/// What Constraint::Kind::Binary does. Where the result of an addition, multiplication or shift cannot wrap around, it
/// keeps remainders by any number, otherwise by powers of two only.
enum class Operation : uint8_t { Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, SDiv, UDiv, SRem, URem };
inline constexpr int64_t MayWrap = 1 << 8; ///< added to the operation

/// How the address of a function is found that an argument of its call leads to, as an object does to its virtual
/// functions, or a record of C to what stands in it: of which object it is called decides which function that is.
struct VirtualCall {
  uint32_t Receiver = NoNode; ///< the argument, into Call::Arguments; NoNode: the call is none of these
  /// What is loaded, one after the other: so many bytes on, as that. The last is the function's address.
  std::vector<std::pair<int64_t, Access>> Way;
  std::vector<Node> Loaded; ///< the same, of all objects that the call may be of

  explicit operator bool() const { return Receiver != NoNode; }
  bool operator==(const VirtualCall &) const = default;
};

struct Call {
  std::optional<uint32_t> Callee; ///< into Unit::Symbols
  Node Pointer = NoNode;          ///< without a Callee
  VirtualCall Virtual;            ///< how it was found
  std::vector<Node> Arguments;
  Node Result = NoNode;         ///< none when it has no result, or a floating-point number
  std::optional<unsigned> Site; ///< into Unit::Sites, for a function of MPI that is called directly
  uint32_t Where = 0;           ///< into Unit::Lines
};

/// A variable of a function.
struct Object {
  std::string Name; ///< as the source has it, where that is known
  int64_t Size = Unknown;
  bool IsString = false; ///< a std::string of the standard library: characters, and what leads to them
  uint32_t Where = 0;    ///< into Unit::Lines
};

/// A part of a record: a record itself, or an array of numbers or addresses with what goes on beside it in the same
/// way. All in bytes from where the whole record begins.
struct Part {
  int64_t Low = 0, High = 0; ///< the first byte, and the one behind the last
  int64_t Record = 0;        ///< the length of the whole
  int64_t Element = 0;       ///< the length of an element of the array; 0: a record

  bool operator==(const Part &) const = default;
};

/// The code of a function, or what the initial values of a unit's variables are.
struct Function {
  uint32_t Symbol = 0;     ///< into Unit::Symbols
  uint32_t Parameters = 0; ///< nodes 0, 1, ...
  Node Result = 0;         ///< what it returns
  bool IsVariadic = false;
  bool ReturnsByAddress = false; ///< parameter 0 is where the result goes, before the object that a method is of
  bool ReturnsObject = false;    ///< the result points to an object of a class of a system header's
  /// Of each parameter, and behind them of the result: the name of the record that it points to, where other code may
  /// not look into that; nothing at all when that is not known.
  std::vector<std::string> PointsTo;
  uint32_t Nodes = 0;               ///< how many
  std::vector<bool> IsPointer;      ///< of each node: the IR's type is a pointer
  std::vector<bool> IsFloating;     ///< of each node: the IR's type is a floating-point number
  std::map<Node, int64_t> Literals; ///< the nodes that are numbers, or null
  std::map<Node, uint32_t> Names;   ///< the nodes that are symbols' addresses, into Unit::Symbols
  std::vector<Object> Objects;
  std::vector<Part> Parts;
  std::vector<Call> Calls;
  std::vector<Constraint> Constraints;
};

/// A function or variable with a name of its own. Names of internal linkage count within their unit only.
struct Symbol {
  std::string Name; ///< as the linker has it, without the mark of a site
  bool IsFunction = false;
  bool IsInternal = false;
  bool IsDefined = false;  ///< a variable with an initial value; functions: see Unit::Functions
  bool IsConstant = false; ///< a variable that is never written
  bool IsExposed = false;  ///< a variable that is found by other ways than by its name
  int64_t Size = Unknown;  ///< of a variable
  std::string Text;        ///< of a constant string, without the final null character
  bool HasText = false;
  std::vector<uint32_t> Floating; ///< the parameters that by the prototype point to floating-point numbers only
  bool IsNumeric = false;         ///< there are such, and all others are numbers or addresses of numbers, as the result
  /// The parameters that by the prototype, which is the system's, point to objects of classes of the system's.
  std::vector<uint32_t> Objects;
  bool IsOwn = false;      ///< a function that is not defined, and that no system header declares
  uint32_t Parameters = 0; ///< of a function, by the prototype, if there is one
};

/// A class that another one has, of which its type information tells.
struct BaseClass {
  std::string Name; ///< mangled
  int64_t Offset = 0;
  bool IsVirtual = false; ///< it is not known at which offset

  bool operator==(const BaseClass &) const = default;
};

/// That what has the address \p Point bytes into a variable in its first bytes is part of an object of a class.
struct ClassTable {
  uint32_t Symbol = 0; ///< into Unit::Symbols: a table of virtual functions
  int64_t Point = 0;
  std::string Class;  ///< mangled
  int64_t Offset = 0; ///< of the part in the object
};

struct Unit {
  std::string MainFile; ///< real path
  std::vector<SiteMark> Sites;
  MpiConstants Constants;
  std::vector<Symbol> Symbols;
  std::vector<Function> Functions; ///< those with bodies
  Function Initialisers;           ///< of variables
  std::vector<uint32_t> Started;   ///< into Symbols: what is called before or after main, or by names
  std::vector<std::pair<uint32_t, uint32_t>> Aliases; ///< into Symbols: another name, and what it names
  std::vector<std::string> Files, Texts;
  std::vector<SourceLine> Lines;
  bool HasAssembly = false;                              ///< of a whole unit: it may use every name
  std::set<std::string> ExposedRecords;                  ///< into which other code may look, by their names
  std::map<std::string, std::vector<BaseClass>> Classes; ///< whose type information the unit has, mangled
  std::vector<ClassTable> Tables;
  std::map<std::string, SystemPart> SystemParts; ///< of classes with virtual functions, mangled
  std::set<std::string> AssemblyWords;           ///< of the assembly code in functions: it may use these names
};

} // namespace mpishm::ir

#endif
