// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "explain/Run.h"
#include "explain/ReportData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace mpishm;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;

namespace mpishm {

static bool fromJSON(const Value &V, RunTally &T, Path P) {
  ObjectMapper O(V, P);
  return O && O.map("messages", T.Messages) && O.map("bytes", T.Bytes);
}

static bool fromJSON(const Value &V, RunCounts &C, Path P) {
  ObjectMapper O(V, P);
  return O && O.map("calls", C.Calls) && O.map("seconds", C.Seconds) && O.map("sent", C.Sent) &&
         O.map("received", C.Received);
}

static bool fromJSON(const Value &V, RunCall &C, Path P) {
  ObjectMapper O(V, P);
  std::optional<std::string> File;
  std::optional<uint64_t> Line;
  uint64_t Rank = 0;
  if (!fromJSON(V, static_cast<RunCounts &>(C), P) || !O || !O.map("call", C.Function) || !O.map("place", C.Place) ||
      !O.map("file", File) || !O.map("line", Line) || !O.map("most_seconds", C.MostSeconds) ||
      !O.map("most_rank", Rank))
    return false;
  C.File = File.value_or("");
  C.Line = static_cast<uint32_t>(Line.value_or(0));
  C.MostRank = static_cast<unsigned>(Rank);
  return true;
}

static bool fromJSON(const Value &V, RunData &R, Path P) {
  ObjectMapper O(V, P);
  uint64_t Ranks = 0, Nodes = 0, Reported = 0;
  if (!O || !O.map("ranks", Ranks) || !O.map("nodes", Nodes) || !O.map("ranks_reported", Reported) ||
      !O.map("total", R.Total) || !O.map("sites", R.Calls))
    return false;
  const llvm::json::Object &All = *V.getAsObject();
  if (const llvm::json::Object *Library = All.getObject("mpi"))
    R.Library = Library->getString("library").value_or("").str();
  if (const llvm::json::Array *List = All.getArray("per_rank"))
    for (const Value &Rank : *List)
      if (const llvm::json::Object *Each = Rank.getAsObject())
        R.LongestSeconds = std::max(R.LongestSeconds, Each->getNumber("run_seconds").value_or(0));
  R.Ranks = static_cast<unsigned>(Ranks);
  R.Nodes = static_cast<unsigned>(Nodes);
  R.Reported = static_cast<unsigned>(Reported);
  return true;
}

} // namespace mpishm

llvm::Expected<RunData> mpishm::readRun(llvm::StringRef FileName) {
  auto Buffer = llvm::MemoryBuffer::getFile(FileName, /*IsText=*/true);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(), "cannot read '%s': %s", FileName.str().c_str(),
                                   Buffer.getError().message().c_str());
  llvm::Expected<RunData> Run = llvm::json::parse<RunData>((*Buffer)->getBuffer(), "statistics");
  if (!Run)
    return llvm::createStringError("'%s' is not what MPISHM_STATS=FILE.json writes: %s", FileName.str().c_str(),
                                   llvm::toString(Run.takeError()).c_str());
  llvm::sort(Run->Calls, [](const RunCall &A, const RunCall &B) {
    return A.Seconds != B.Seconds ? A.Seconds > B.Seconds
                                  : std::tie(A.Place, A.Function) < std::tie(B.Place, B.Function);
  });
  return Run;
}

uint32_t mpishm::lineAfter(llvm::StringRef Diff, uint32_t Line) {
  uint32_t Old = 1, New = 1;        // the lines that come next
  std::vector<uint32_t> Gone, Come; // of one group of changed lines; those of includes are only counted
  auto CloseGroup = [&]() -> std::optional<uint32_t> {
    for (auto [From, To] : llvm::zip(Gone, Come))
      if (From == Line)
        return To;
    Gone.clear();
    Come.clear();
    return std::nullopt;
  };
  while (!Diff.empty()) {
    auto [Text, Rest] = Diff.split('\n');
    Diff = Rest;
    if (Text.starts_with("--- ") || Text.starts_with("+++ ")) // (no line that is renamed or added is like these)
      continue;
    if (Text.starts_with("-")) {
      Gone.push_back(Old++);
      continue;
    }
    if (Text.starts_with("+")) {
      if (!Text.starts_with("+#include"))
        Come.push_back(New);
      ++New;
      continue;
    }
    if (std::optional<uint32_t> Found = CloseGroup())
      return *Found;
    uint32_t Start = Old;
    if (Text.consume_front("@@ -") && !Text.consumeInteger(10, Start)) {
      if (Line < Start)
        break;
      New += Start - Old;
      Old = Start;
    } else if (Text.empty() || Text.starts_with(" ")) {
      if (Old == Line)
        return New;
      ++Old;
      ++New;
    }
  }
  if (std::optional<uint32_t> Found = CloseGroup())
    return *Found;
  return Line + New - Old;
}

/// How many names at the end of the two paths are the same.
static unsigned commonTail(llvm::StringRef A, llvm::StringRef B) {
  unsigned Common = 0;
  for (auto I = llvm::sys::path::rbegin(A), J = llvm::sys::path::rbegin(B);
       I != llvm::sys::path::rend(A) && J != llvm::sys::path::rend(B) && *I == *J; ++I, ++J)
    ++Common;
  return Common;
}

void mpishm::addRun(ReportData &Data, RunData Run) {
  for (RunCall &Call : Run.Calls) {
    unsigned Best = 0;
    for (const ReportedFile &File : Data.Files) {
      unsigned Common = Call.File.empty() ? 0 : commonTail(File.Path, Call.File);
      if (Common <= Best)
        continue;
      for (unsigned Index : File.Sites) {
        const ReportedSite &Site = Data.Sites[Index];
        if (Site.What == Outcome::LeftAlone || "MPISHM" + Site.Function.substr(strlen("MPI")) != Call.Function ||
            lineAfter(File.Diff, Site.Where.Line) != Call.Line)
          continue;
        Call.Site = Index;
        Best = Common;
        break;
      }
    }
  }
  Data.Run = std::move(Run);
}

llvm::StringRef mpishm::describePath(llvm::StringRef Path) {
  return llvm::StringSwitch<llvm::StringRef>(Path)
      .Case("inline", "in a cell")
      .Case("window", "one copy in the window")
      .Case("kernel", "one copy by the kernel")
      .Case("mpi_other_node", "MPI (other node)")
      .Case("mpi_unregistered", "MPI (communicator not registered)")
      .Case("mpi_window_full", "MPI (window full)")
      .Case("mpi_no_window", "MPI (node without window)")
      .Case("mpi_disabled", "MPI (disabled)")
      .Default(Path); // eager, staged
}
