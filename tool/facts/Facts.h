// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain data between the stages `collect` and `match`. Nothing here knows Clang: a test can write facts by hand.
//
// Collect emits one UnitFacts per translation unit. A fact is identified by where it stands in a *file* (real path,
// offset), never by the unit that saw it, so that a header seen from many units counts once.
//
// What may become of communicators, requests and numbers is not among them: that is found in LLVM IR
// (constraints/Constraints.h).

#ifndef MPISHM_TOOL_FACTS_FACTS_H
#define MPISHM_TOOL_FACTS_FACTS_H

#include "facts/PackingFacts.h"
#include "facts/PointerFacts.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpishm {

/// Whole lines of a file: bytes from Begin up to End, which is the beginning of a line, too.
struct LineRange {
  uint32_t Begin = 0, End = 0;
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
  /// Of a call that is Printed: those of the macro's use with the call, if nothing else stands in them that a #define
  /// of the name before them, which an #undef behind them ends, would concern. After match: the name is so replaced.
  std::optional<LineRange> Lines;
  Place Cause;               ///< for what is not editable: where the reason stands
  std::string CauseName;     ///< the macro's name
  std::optional<Place> Kept; ///< the comment `mpishm: keep` that asks to leave it alone
  std::string Enclosing;     ///< qualified name of the function that the call stands in
  /// Where the outermost function, class or namespace around the call begins, when that is in another file: the call's
  /// is included in the middle of it, and cannot include anything itself.
  std::optional<Place> Host;
  /// Of a maker: names the statements that are executed all or none, in order, and that it stands among; empty: none.
  std::string Run;

  bool isRewritten() const { return Spelled.starts_with("MPISHM_"); }
};

/// True where only a #define can replace the function: the text of the call must stay, or does not have its name.
bool mustKeepText(const Call &C);

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

/// A function of a library that is given handles or numbers, or memory that may hold any.
struct LibraryFunction {
  std::string Name;   ///< qualified
  std::string Header; ///< file name of the header that declares it
};

/// A pointer to a function that may come from out of sight: from a function, or a variable, unless some unit of the
/// program defines that.
struct FunctionPointerOrigin {
  std::string From; ///< Id, as in UnitFacts::Bodies; empty: from whoever calls a function of the program
  std::string Type; ///< "indirect:TYPE"
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
  /// It does not, and names of its own look like those that mpi.h declares, which mpishm.h would bring.
  bool HasNamesOfMpi = false;
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
  std::vector<Call> Calls;
  std::vector<FunctionUse> Uses;
  std::vector<FunctionDefinition> Definitions;
  std::vector<LibraryFunction> LibraryFunctions; ///< each once
  /// Names that stand in branches of conditionals which the preprocessor skipped (`#if 0` apart), and all others in the
  /// same files. What one unit skips another may read.
  std::vector<Mention> Skipped, Read;
  /// Where names of functions of MPI that a macro prints or pastes together stand as tokens in the unit's own file;
  /// where the program declares something else by the name of such a function; and where a macro is defined that prints
  /// such a name, or makes another of it, after another macro has pasted it together.
  std::vector<Mention> Names;
  /// Where the program does more with the number of the line than to tell it.
  std::vector<Place> Lines;
  std::vector<Reading> Readings; ///< in order
  /// For a unit that does not include mpi.h: where names of MPI functions stand in the macros that it reads.
  std::vector<Place> ForeignNames;
  /// Functions of MPI whose names an #undef of the unit's ends, as one that has been put behind a call's Lines.
  std::vector<std::string> Undefined;
  /// How memory is made, handed around and given back.
  PointerFacts Pointers;
  /// Sends of what a function packs directly before them.
  std::vector<PackedSend> Packed;
  /// Ids of functions that are defined here, of methods that are overridden by one defined here, of variables with
  /// external linkage that are and hold pointers to functions; and "indirect:TYPE", for functions called through
  /// pointers, of the types of functions whose address is taken here.
  std::vector<std::string> Bodies;
  /// "indirect:" types of calls through pointers that take a record of the program, which no library can have a
  /// function for; and those to or from which a pointer of another kind is converted: any function may be called
  /// through these.
  std::vector<std::string> OwnFunctionTypes, ConvertedFunctionTypes;
  /// Where pointers to functions may come from out of sight other than by a conversion; each once.
  std::vector<FunctionPointerOrigin> FunctionPointerOrigins;
};

/// A unit of the database, read or not, and the files that its compiler reads, the system's headers apart: by absolute
/// paths, as the compiler names them.
struct UnitSources {
  std::string Source;
  std::vector<std::string> Files; ///< with Source
};

} // namespace mpishm

#endif
