// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain data between the stages `collect` and `match`. Nothing here knows Clang: a test can write facts by hand.
//
// Collect emits one UnitFacts per translation unit. A fact is identified by where it stands in a *file* (real path,
// offset), never by the unit that saw it, so that a header seen from many units counts once.
//
// Communicators, requests, messages of matched probes and the integers used as ranks and tags are followed from place
// to place by *objects* and *flows*. An object stands for storage or for a value in transit: a variable, a field (one
// for all instances of its record), a parameter, a function's result. Array elements and what a pointer points to are
// the object itself: `r`,
// `&r`, `*r` and `r[i]` all name the object of `r`. A flow says that a value may go from one operand to an object.

#ifndef MPISHM_TOOL_FACTS_FACTS_H
#define MPISHM_TOOL_FACTS_FACTS_H

#include "facts/PointerFacts.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

/// Which kind of value an object or operand holds.
enum class Domain : uint8_t { Communicator, Request, Message, Integer };

/// Storage or a value in transit. Two objects with the same Id are the same one, in whichever unit they were seen.
struct Object {
  std::string Id;   ///< Clang's USR of the declaration, with a suffix for results ("#result") and call types
  std::string Name; ///< as a user would call it: "halo.comm", "parameter 'comm' of exchange"
  /// What the declared type says. A hint: some MPI libraries have handles that are plain integers, and templates lose
  /// the typedef, so that an object of Kind Integer may hold a handle that flows into it.
  Domain Kind = Domain::Communicator;
  /// A variable or static member with external linkage. Where no unit defines it (UnitFacts::Bodies), a library does.
  bool External = false;
  /// A field of a record that is defined in a source, not in a header: code out of sight does not know it.
  bool Hidden = false;
};

/// Id of the object that stands for all integers in storage that collect does not follow. Values that are written there
/// flow into it; what is read there comes from it.
inline constexpr const char *EscapedIntegersId = "wildcard:escaped";

/// One value that an expression may have. An expression with several (`c ? a : b`) has several operands.
struct Operand {
  enum class Kind : uint8_t {
    Object,    ///< what the object holds
    World,     ///< MPI_COMM_WORLD, as written
    Self,      ///< MPI_COMM_SELF, as written
    Null,      ///< MPI_COMM_NULL, MPI_REQUEST_NULL, MPI_MESSAGE_NO_PROC: never matches anything
    Constant,  ///< an integer constant
    AnySource, ///< MPI_ANY_SOURCE, as written
    AnyTag,    ///< MPI_ANY_TAG, as written
    ProcNull,  ///< MPI_PROC_NULL, as written
    Computed,  ///< an integer made by arithmetic or by a call: any value, but never a wildcard
    Unknown    ///< a handle or integer of which collect knows nothing
  };
  Kind Which = Kind::Unknown;
  uint32_t ObjectIndex = 0; ///< into UnitFacts::Objects, for Kind::Object
  int64_t Value = 0;        ///< for Kind::Constant
};

/// A value may go from From to To. When Both, also the other way (a pointer or reference was made).
struct Flow {
  uint32_t To = 0; ///< into UnitFacts::Objects
  Operand From;
  bool Both = false;
  Place Where;
};

/// A handle (or the address of one) goes where collect cannot follow. With What == Integer it counts only when a handle
/// may flow into Value.
struct Escape {
  enum class Kind : uint8_t {
    Variadic,   ///< given to a variadic or unprototyped parameter
    Cast,       ///< converted to another type
    Expression, ///< an expression form that collect does not follow
    LeakingMpi  ///< MPI_Comm_c2f and relatives
  };
  Kind Which = Kind::Expression;
  Domain What = Domain::Communicator;
  Operand Value;
  Place Where;
  std::string Name; ///< callee's or target type's name, for the message
  /// The parameter or result that it goes to or comes from as untyped memory: it counts only when the MemoryUse of that
  /// Id is Bytes. Empty: it counts.
  std::string Unless;
};

/// What a function of the program does with memory that it takes or gives as a pointer without a type of its own (to
/// void, to characters, of a template): program's own layers over malloc and free.
struct MemoryUse {
  enum class Kind : uint8_t {
    Alone,    ///< a result: just made, and nobody else knows it; a parameter: at most freed
    Followed, ///< goes from a parameter to the result only, which may also be as an Alone one
    Bytes     ///< anything else
  };
  std::string Id; ///< of the parameter's or result's object; without a MemoryUse it is Bytes
  Kind Does = Kind::Alone;
  /// Ids of parameters and results of other functions: it is Bytes unless all of them are Alone.
  std::vector<std::string> DependsOn;
};
bool operator==(const MemoryUse &A, const MemoryUse &B);

/// An argument of a call of the program's own or another library's function (MPI's apart). Parameters are objects whose
/// Id is "<function Id>#<index>", results "<function Id>#result"; match decides whether any unit had the body
/// (UnitFacts::Bodies): without one, the value goes where nobody can follow, and a result comes from there.
/// A call through a pointer has the Id "indirect:<canonical function type>"; each function whose address is taken has
/// flows between its own parameters and result and those of that Id, so that they always count as having a body.
/// An argument is the flow Value -> Parameter (and back when Both) by itself.
/// For a record there is one argument for each handle or integer in it, with the Parameter "<function
/// Id>#<index>.<field>".
///
/// A function pointer that goes to, or comes from, a function is an argument for each object of the calls through it
/// that have its type: where the function is not seen, these calls may go, or come from, where nobody can follow.
struct Argument {
  std::string Callee;     ///< function Id
  std::string CalleeName; ///< qualified, for messages
  std::string Header;     ///< file name of the library's header that declares it; empty for the program's own
  uint32_t Parameter = 0; ///< object index of the parameter
  Operand Value;
  bool Both = false; ///< passed by pointer or reference
  Place Where;
};

/// A call of an MPI function (MPI_, PMPI_ or MPISHM_ spelling). Every call of a function with a row in the table is
/// collected, and each of MPISHM_Attach (or MPISHM_Attach_guarded), which has none. So are calls of other functions by
/// the name of one of these, with their qualified names: in another instance of the template it may be MPI's.
struct Call {
  std::string Function; ///< the table's name: "MPI_Isend"; or AttachName
  std::string Spelled;  ///< as written: "MPI_Isend", "PMPI_Isend", "MPISHM_Isend"
  Place Name;           ///< where the name stands in a file; of the macro's expansion, when it comes from a body
  Place Token;          ///< where the name is spelled: in the body of the macro, or the same
  /// What stands directly before the name and must be replaced with it, as it names a namespace that has no function of
  /// the new name: "mpi::".
  std::string Qualifier;
  Editability Edit = Editability::Editable;
  /// Set by match: all calls of the file by this name are replaced by one #define, and Token is the first of them.
  bool Defined = false;
  Place Cause;               ///< for what is not editable: where the reason stands
  std::string CauseName;     ///< the macro's name
  std::optional<Place> Kept; ///< the comment `mpishm: keep` that asks to leave it alone
  std::string Enclosing;     ///< qualified name of the function that the call stands in
  /// Where the outermost function, class or namespace around the call begins, when that is in another file: the call's
  /// is included in the middle of it, and cannot include anything itself.
  std::optional<Place> Host;
  std::vector<Operand> Comm, Peer, Tag, SecondPeer, SecondTag, Request, NewComm, Message;
  /// Of a maker: names the statements that are executed all or none, in order, and that it stands among; empty: none.
  std::string Run;
};

/// The name of a function in the text of a file: of MPI, or one that gives back memory.
struct Mention {
  std::string Function; ///< the table's name, "free", "realloc"
  Place Where;
  bool ByCompiler = false; ///< skipped, but the program's own compiler may not skip it
};

/// An MPI function that is used other than by calling it.
struct FunctionUse {
  std::string Function;
  Place Where;
  /// By a name that the runtime does not define in front of MPI's: PMPI_, or of the C++ bindings.
  bool GoesRound = false;
};

/// A definition, by the program itself, of a function that MPI also has, or a macro that redefines its name; or a
/// declaration of whatever kind, or a macro, of a name that the runtime has for it.
struct FunctionDefinition {
  std::string Function;
  Place Where;
  bool IsMacro = false;
};

/// The integer object To may be Offset and, added to it, each of Terms times its factor.
struct Sum {
  struct Term {
    Operand Value;
    int64_t Factor = 1;
  };
  uint32_t To = 0; ///< into UnitFacts::Objects
  int64_t Offset = 0;
  std::vector<Term> Terms;
};

/// An include of a header through which mpi.h comes.
struct MpiBringer {
  Place Where;        ///< inside of the directive
  std::string Header; ///< real path of what is included there
};
bool operator==(const MpiBringer &A, const MpiBringer &B);
bool operator<(const MpiBringer &A, const MpiBringer &B);

/// Where the program's own compiler reads the unit otherwise than Clang, in words that follow "the program's own
/// compiler".
struct Reading {
  std::string What;
  Place Where;
};

/// All that one translation unit says.
struct UnitFacts {
  std::string MainFile; ///< real path
  /// The program or library that the unit is linked into, where the database tells; units with the same one belong
  /// together.
  std::string Target;
  bool IncludesMpi = false;
  std::vector<Place> MpiIncludes; ///< where mpi.h is included (also when its guard skips it), system headers apart
  std::vector<MpiBringer> MpiBringers;
  /// Files of the program where mpi.h was not yet included when they began, and still not when they ended.
  std::vector<std::string> BeganWithoutMpi, EndedWithoutMpi;
  /// Macros that the command defines, "NAME=VALUE".
  std::vector<std::string> CommandMacros;
  /// Real paths of folders with headers that are found from the unit's own folder: named relative to it by the command,
  /// or relative to the file that includes them. Whoever moves the program must take them along.
  std::vector<std::string> HeaderFolders;
  /// Real paths of the files that it consists of, those of the system and of libraries apart.
  std::vector<std::string> Files;
  std::string Compiler;                   ///< the command's first word
  std::vector<std::string> SearchFolders; ///< where `#include <...>` looks, by absolute paths
  bool FindsMpi = false;                  ///< `#include <mpi.h>` would be found
  std::vector<Object> Objects;
  std::vector<Flow> Flows;
  std::vector<Sum> Sums;
  std::vector<Argument> Arguments;
  std::vector<Escape> Escapes;
  std::vector<MemoryUse> Memory;
  std::vector<Call> Calls;
  std::vector<FunctionUse> Uses;
  std::vector<FunctionDefinition> Definitions;
  /// Names that stand in branches of conditionals which the preprocessor skipped (`#if 0` apart), and all others in the
  /// same files. What one unit skips another may read.
  std::vector<Mention> Skipped, Read;
  /// Where names of functions of MPI that a macro prints stand as tokens in the unit's own file.
  std::vector<Mention> Names;
  /// Where the program does more with the number of the line than to tell it.
  std::vector<Place> Lines;
  std::vector<Reading> Readings; ///< in order
  /// For a unit that does not include mpi.h: where names of MPI functions stand in the macros that it reads.
  std::vector<Place> ForeignNames;
  /// How memory is made, handed around and given back.
  PointerFacts Pointers;
  /// Ids of what is defined here: functions, variables with external linkage, methods that are overridden by one
  /// defined here, and "indirect:" types of which a function's address is taken.
  std::vector<std::string> Bodies;
  /// "indirect:" types of calls through pointers that take a record of the program, which no library can have a
  /// function for; and those to or from which a pointer of another kind is converted: any function may be called
  /// through these.
  std::vector<std::string> OwnFunctionTypes, ConvertedFunctionTypes;
};

/// A unit of the database, read or not, and the files that its compiler reads, the system's headers apart: by absolute
/// paths, as the compiler names them.
struct UnitSources {
  std::string Source;
  std::vector<std::string> Files; ///< with Source
};

} // namespace mpishm

#endif
