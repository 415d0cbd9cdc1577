// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain data that `match` hands to `edit` and `explain`.

#ifndef MPISHM_TOOL_PROGRAM_DECISIONS_H
#define MPISHM_TOOL_PROGRAM_DECISIONS_H

#include "classes/ValueClasses.h"
#include "facts/Facts.h"
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpishm {

/// One row of Diagnostics.def.
enum class Diagnostic : uint8_t {
#define DIAGNOSTIC(Enumerator, Id, Severity, Guard, Text) Enumerator,
#include "program/Diagnostics.def"
};

/// What can be done about a message class that is not proved: see Diagnostics.def.
enum class Guard : uint8_t { None, Net };

enum class SiteKind : uint8_t {
  Message,    ///< a send or receive
  Collective, ///< one that makes nothing but a request
  OneSided    ///< on a window, or makes one
};

/// A send, receive, collective or call on windows of the program, merged over the units that see it.
struct Site {
  Place Name;
  std::string Function;  ///< "MPI_Isend"
  std::string Enclosing; ///< the function that it stands in
  bool Already = false;  ///< spelled MPISHM_ in the source
  bool Rewrite = false;  ///< is (or was) rewritten
  bool Guarded = false;  ///< it is so without proof, for the net to guard; only when Rewrite
  SiteKind Kind = SiteKind::Message;
  unsigned Class = 0; ///< into Decisions::Classes
  /// Into Decisions::Findings: the reason that counts for not proving, or not rewriting, this site. Present exactly
  /// when !Rewrite or Guarded.
  std::optional<unsigned> Reason;
};

/// A call that is no site, but without which a rewritten message would not arrive, or not be noticed: a completion, a
/// probe, a maker of communicators, an initialisation.
struct HelpingCall {
  Place Name;
  std::string Function;  ///< "MPI_Waitall"
  std::string Enclosing; ///< the function that it stands in
  bool Already = false;  ///< spelled MPISHM_ in the source
  bool Rewrite = false;  ///< is (or was) rewritten
  /// Of a probe: its message class, into Decisions::Classes.
  std::optional<unsigned> Class;
};

/// Sites that may match one another; or collectives that may be one, in different places of its members.
struct MessageClass {
  std::vector<unsigned> Sites;    ///< into Decisions::Sites
  std::vector<unsigned> Findings; ///< into Decisions::Findings: all reasons not to prove it; empty when proved
};

/// Something to tell the user: a reason for leaving sites alone, or a remark on the program.
struct Finding {
  Diagnostic What = Diagnostic::NoInit;
  Place Where;                   ///< the culprit; no file when it has no place
  std::vector<std::string> Args; ///< for the text's {0}, {1}, ...
  std::optional<Place> Cause;    ///< a second place that explains the first: the macro's definition
  ir::Flow Way = {};             ///< of a handle until there, where the user asks for it
};

/// Replace OldName by NewName where it stands.
struct Rename {
  Place Where;
  std::string OldName, NewName;
  /// Call::Host: the file that must include mpishm.h, before this place, when that is not Where's.
  std::optional<Place> Host = {};
  /// By a #define behind the include of mpishm.h, for every place of the file: a macro prints the name, which must
  /// stay, or pastes it together, so that it does not stand there.
  bool Defined = false;
  /// By a #define before these lines, which an #undef behind them ends: only there a macro prints the name.
  std::optional<LineRange> Lines = {};
};

/// Where an edit is, and for a name that is defined also which: a macro may make several names in one place.
using EditKey = std::pair<Place, std::string>;
inline EditKey keyOf(const Rename &R) { return {R.Where, R.Defined ? R.OldName : std::string()}; }

/// A call of a function that only forwards to malloc, `take(n)`, becomes `MPISHM_Malloc/*instead of take*/(n)`: the
/// comment keeps the name for --undo. So does `mpi::MPI_Send(...)` become `::MPISHM_Send/*instead of
/// mpi::MPI_Send*/(...)`.
inline constexpr char InsteadBegin[] = "/*instead of ", InsteadEnd[] = "*/";

/// Memory that messages are sent from or received into.
struct Buffer {
  enum class Decision : uint8_t { Moved, AlreadyMoved, Private };
  Place Where;           ///< of the call that makes the memory, or of the array's declaration
  std::string What;      ///< "malloc", "new[]", "array 'halo'"
  std::string Enclosing; ///< the function that the call stands in
  Decision Decided = Decision::Private;
  std::string Reason;       ///< why it stays private
  std::vector<Place> Calls; ///< the messages, sorted
};

/// What is to be done with the program, and why the rest is not.
struct Decisions {
  std::vector<Site> Sites;          ///< sorted by place
  std::vector<HelpingCall> Helping; ///< sorted by place
  std::vector<MessageClass> Classes;
  std::vector<Finding> Findings;
  std::vector<Buffer> Buffers; ///< of rewritten sites, sorted by place; none when buffers are not to be moved
  std::vector<Rename> Renames; ///< sorted by keyOf, no key twice; all of them or none must be done
  unsigned Guardable = 0;      ///< how many more sites ProgramContext::Guarded would rewrite
};

/// Which buffers go into the window where it is proved that they can.
enum class MoveBuffers : uint8_t {
  None,
  Messages, ///< those that the program only fills and empties
  All       ///< also those that it computes on
};

/// Which collectives are rewritten.
enum class Collectives : uint8_t {
  None,
  Data, ///< those that compute nothing
  All
};

/// Whether messages are packed where they are received, where that is proved to be safe.
enum class ZeroCopy : uint8_t {
  Off,
  On,
  Why ///< and it is said of each that might be why it is not
};

/// Which windows, with all that is done on them, are rewritten.
enum class OneSided : uint8_t { None, All };

/// What `match` is to know of the program beside the facts.
struct ProgramContext {
  /// Sources that belong to the program but were not read although they mention MPI.
  std::vector<std::string> UnseenSources;
  /// Those of them that mention a function by its profiling name, PMPI_.
  std::vector<std::string> ProfilingSources;
  /// Qualified names of functions out of sight that neither use nor keep the handles they are given.
  std::vector<std::string> TrustedCalls;
  /// Several programs of the database run in one MPI job, and may exchange messages.
  bool Together = false;
  /// The strings that macros make of calls may change.
  bool AllowChangedText = false;
  /// Leave classes alone in which there are only blocking sends and receives, and collectives.
  bool ExchangesOnly = false;
  Collectives Which = Collectives::All;
  OneSided Windows = OneSided::All;
  ZeroCopy Zero = ZeroCopy::Off;
  /// Loops that pack messages do not count to negative numbers.
  bool TrustCounts = false;
  /// What packedSends() has found, unless Zero is Off.
  std::vector<PackedOfUnit> Packed;
  /// Rewrite also classes that are not proved, where the net can guard them at run time.
  bool Guarded = false;
  MoveBuffers Move = MoveBuffers::Messages;
  /// Places of allocations and the like that must not be edited: in some build mpi.h may not be in sight there.
  std::set<Place> Unsheltered;
  /// Files that units include which were not read since they have nothing to do with MPI.
  std::vector<std::string> UnreadFiles;
  /// As in ClassesOptions.
  std::function<bool(const Place &Call)> Asked = {};
  /// What the analysis of LLVM IR has found, of each program; without it nothing is proved.
  const std::vector<ir::ValueClasses> *Values = nullptr;
  /// Sources that belong to the program, or may, were not read, whether they mention MPI or not.
  bool Partial = false;
};

} // namespace mpishm

#endif
