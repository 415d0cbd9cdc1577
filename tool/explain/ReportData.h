// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to tell, in plain data: messages on the terminal and all kinds of report are written from it, so that
// they agree.

#ifndef MPISHM_TOOL_EXPLAIN_REPORTDATA_H
#define MPISHM_TOOL_EXPLAIN_REPORTDATA_H

#include "explain/Diagnostics.h"
#include "explain/Run.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpishm {

/// How files are called in messages.
class PathNames {
public:
  /// \p AsGiven maps real paths to what the user wrote; \p Folder is the current directory (a real path). Files below
  /// it are called by their relative paths.
  PathNames(std::string Folder, llvm::StringMap<std::string> AsGiven);
  std::string nameOf(llvm::StringRef RealPath) const;

private:
  std::string Folder;
  llvm::StringMap<std::string> AsGiven;
};

struct ReportedPlace {
  std::string Path;    ///< real path
  std::string Name;    ///< how messages call the file
  uint32_t Line = 0;   ///< from 1
  uint32_t Column = 0; ///< from 1, in bytes
  std::string Source;  ///< the line, without its end; empty when the file cannot be read
  uint32_t Length = 0; ///< bytes of the identifier that stands there, 0 when there is none

  /// The column in characters, from 1, where Source is UTF-8.
  uint32_t characterColumn() const;
};

enum class Outcome : uint8_t { Rewritten, AlreadyRewritten, LeftAlone };

struct ReportedSite {
  ReportedPlace Where;
  std::string Function;  ///< "MPI_Isend"
  std::string Enclosing; ///< the function that it stands in
  unsigned Class = 0;    ///< number of its message class
  Outcome What = Outcome::LeftAlone;
  bool Guarded = false; ///< rewritten, but not proved
  SiteKind Kind = SiteKind::Message;
  /// Into ReportData::Findings, when left alone or guarded: the reason that counts, then the others of its class.
  std::vector<unsigned> Reasons;
};

struct ReportedHelpingCall {
  ReportedPlace Where;
  std::string Function, Enclosing; ///< as in HelpingCall
  std::optional<unsigned> Class;
  Outcome What = Outcome::LeftAlone;
};

struct ReportedFinding {
  llvm::StringRef Id;
  Severity Level = Severity::Remark;
  std::string Text;
  std::optional<ReportedPlace> Where;
  std::optional<ReportedPlace> Cause; ///< a second place
  std::string CauseText;              ///< what it has to do with the first
  /// The sites, into ReportData::Sites, for which this is the reason that counts: to leave them alone, and not to prove
  /// them.
  std::vector<unsigned> Left = {}, Guarded = {};
  /// The way of a handle until there, in steps, where the user asks for it.
  std::vector<std::pair<std::optional<ReportedPlace>, std::string>> Way = {};
  bool Further = false; ///< for none it counts, but it has to go, too, before they can be rewritten
};

struct ReportedBuffer {
  ReportedPlace Where;
  std::string What, Enclosing, Reason; ///< as in Buffer
  Buffer::Decision Decided = Buffer::Decision::Private;
  std::vector<ReportedPlace> Calls;
};

struct ReportedFile {
  std::string Path, Name; ///< as in ReportedPlace
  std::vector<unsigned> Sites;
  std::string Diff; ///< unified; empty when nothing changes
};

struct SiteTotals {
  unsigned Sites = 0, Rewritten = 0, Already = 0, Left = 0;
  unsigned Guarded = 0, AlreadyGuarded = 0;                  ///< of the rewritten ones, of those that were so already
  std::vector<std::pair<llvm::StringRef, unsigned>> Reasons; ///< ids and how many sites each has left, most first
};

struct Totals : SiteTotals { ///< of sends and receives
  SiteTotals Collectives, OneSided;
  unsigned Guardable = 0;               ///< how many more --guarded would rewrite
  unsigned Files = 0;                   ///< that are changed
  unsigned Moved = 0, AlreadyMoved = 0; ///< buffers
};

struct ReportData {
  std::string Version;                      ///< of the tool
  std::string Folder;                       ///< the current directory, a real path
  bool Broken = false;                      ///< a finding is an error: nothing may be written
  std::vector<ReportedSite> Sites;          ///< by place
  std::vector<ReportedFinding> Findings;    ///< by place; those without a place come first
  std::vector<ReportedHelpingCall> Helping; ///< by place
  std::vector<ReportedBuffer> Buffers;      ///< of rewritten sites, by place
  std::vector<ReportedFile> Files;          ///< that have a site or a change, by path
  Totals Sum;
  std::optional<RunData> Run; ///< of the rewritten program, when its statistics are at hand
};

/// What of the program no tool can see, in sentences.
llvm::ArrayRef<llvm::StringLiteral> assumptions();

/// Collects what \p D says. Reads the source files, for the lines that are quoted; one that cannot be read is not
/// quoted. Files have no changes yet.
ReportData makeReportData(const Decisions &D, const PathNames &Names);

/// Adds findings on the choice of sources, which no site is left alone for, at the front.
void addRemarks(ReportData &Data, llvm::ArrayRef<Finding> Remarks);

/// Says that the file of real path \p Path is changed by \p Diff.
void addChange(ReportData &Data, const PathNames &Names, llvm::StringRef Path, std::string Diff);

} // namespace mpishm

#endif
