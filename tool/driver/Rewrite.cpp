// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Rewrite.h"
#include "classes/Classes.h"
#include "collect/Collect.h"
#include "constraints/Dump.h"
#include "driver/Deliver.h"
#include "driver/Sources.h"
#include "driver/Undo.h"
#include "explain/Explain.h"
#include "explain/Messages.h"
#include "explain/Spot.h"
#include "match/Match.h"
#include "program/Linked.h"
#include "program/ZeroCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/ioctl.h>
#include <unistd.h>

using namespace mpishm;

static Status fail(llvm::Error E) {
  llvm::handleAllErrors(std::move(E), [](const llvm::ErrorInfoBase &Info) {
    llvm::WithColor::error(llvm::errs(), "mpishm-rewrite") << Info.message() << '\n';
  });
  return Unusable;
}

/// Whether a terminal understands more than text.
static bool canErase() { return llvm::errs().has_colors(); }

static void eraseLine() {
  if (canErase())
    llvm::errs() << "\r\x1b[K";
}

/// Says on the terminal which unit is read: in one line that is written over, where it can do that.
static void showProgress(unsigned Number, unsigned All, llvm::StringRef File) {
  std::string Line = llvm::formatv("[{0}/{1}] {2}", Number, All, File);
  winsize Size{};
  // A line that wraps would not be erased as a whole.
  if (canErase() && ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col && Line.size() >= Size.ws_col)
    Line.resize(Size.ws_col - 1);
  eraseLine();
  llvm::errs() << Line << (canErase() ? "" : "\n");
}

/// Decides, explains and delivers.
static Status process(const Options &O, SourceSet &Sources, llvm::ArrayRef<UnitSources> AllUnits,
                      std::vector<UnitFacts> Units, std::vector<std::string> UnreadFiles,
                      const std::vector<ir::Unit> &Code, std::optional<RunData> Run) {
  bool AnyMpi = llvm::any_of(Units, [](const UnitFacts &U) { return U.IncludesMpi; });
  for (const UnitFacts &Unit : Units)
    for (const std::string &Folder : Unit.HeaderFolders)
      Sources.Root = commonFolder(Sources.Root, Folder);
  ProgramContext Context = Sources.Context;
  Context.TrustedCalls = O.TrustedCalls;
  Context.Together = O.OneJob;
  Context.AllowChangedText = O.AllowChangedText;
  Context.ExchangesOnly = O.ExchangesOnly;
  Context.Which = O.Which;
  Context.Windows = O.Windows;
  Context.Zero = O.Zero;
  Context.TrustCounts = O.TrustCounts;
  if (O.Zero != ZeroCopy::Off)
    Context.Packed = packedSends(Units);
  Context.Guarded = O.Guarded;
  Context.Move = O.Move;
  Context.UnreadFiles = std::move(UnreadFiles);
  const PathNames Names(currentFolder(), Sources.AsGiven);
  const std::optional<Spot> Asked = parseSpot(O.Explain);
  if (Asked)
    Context.Asked = [&](const Place &Call) {
      return Call.Line == Asked->Line && isInFile(*Asked, Call.File, Names.nameOf(Call.File));
    };
  const std::vector<ir::ValueClasses> Classes = findValueClasses(Units, Code, Context);
  Context.Values = &Classes;
  if (O.What == Options::Output::Classes) {
    for (const ir::ValueClasses &Each : Classes)
      dump(Each, llvm::outs());
    return Done;
  }
  MpiSight Seen = sightOf(Units);
  if (O.Move != MoveBuffers::None || O.Zero != ZeroCopy::Off)
    Context.Unsheltered = findUnsheltered(Units, Seen);
  Decisions D = matchProgram(std::move(Units), Context);
  ReportData Data = makeReportData(D, Names);
  Data.Version = MPISHM_VERSION;
  Data.Folder = currentFolder();
  if (Asked) {
    llvm::Error E = explainSpot(Data, *Asked, llvm::outs());
    return E ? fail(std::move(E)) : Done;
  }
  printFindings(Data, O.Quiet ? Shown::Errors : O.AllRemarks ? Shown::All : Shown::First, llvm::errs());
  if (Data.Broken)
    return fail(llvm::createStringError("the program is rewritten in part only; nothing was written"));
  addRemarks(Data, Sources.Remarks);

  llvm::Expected<std::vector<EditedFile>> Files = editFiles(D, Seen);
  if (!Files)
    return fail(Files.takeError());
  std::vector<Finding> Later = findOriginals(*Files, Sources, O.EditOriginals);
  if (O.What != Options::Output::Mirror) // where the build does it again itself
    llvm::append_range(Later, findGenerated(*Files, Sources, O.What == Options::Output::Folder));
  addRemarks(Data, Later);
  if (!O.Quiet)
    printRemarks(Later, llvm::errs());
  Diffs Changes(Sources.Root, *Files);
  for (const EditedFile &F : *Files)
    addChange(Data, Names, F.Path, Changes.of(F));
  if (Run)
    addRun(Data, std::move(*Run));
  if (llvm::Error E = deliver(O, Sources, AllUnits, *Files, Data))
    return fail(std::move(E));
  if (O.What == Options::Output::Diff)
    if (llvm::Error E = Changes.print(O.Quiet))
      return fail(std::move(E));
  bool Check = O.What == Options::Output::Check;
  if (!O.Quiet && AnyMpi)
    printSummary(Data, Check, llvm::errs());
  else if (!O.Quiet)
    llvm::errs() << "mpishm-rewrite: no translation unit includes mpi.h: there is nothing to rewrite\n";
  if (!O.Quiet && O.What == Options::Output::Diff && !Files->empty())
    llvm::errs() << "mpishm-rewrite: no file was changed: -i edits them, -o DIR makes a rewritten copy\n";
  return Check && !Files->empty() ? WouldChange : Done;
}

Status mpishm::rewrite(const Options &O) {
  if (O.Undo)
    return undo(O);
  if (!O.Explain.empty() && !parseSpot(O.Explain)) {
    llvm::Error E = explainDiagnostic(O.Explain, llvm::outs());
    return E ? fail(std::move(E)) : Done;
  }
  std::optional<RunData> Run;
  if (!O.Statistics.empty()) {
    llvm::Expected<RunData> Read = readRun(O.Statistics);
    if (!Read)
      return fail(Read.takeError());
    Run = std::move(*Read);
  }
  llvm::Expected<SourceSet> Sources = findSources(O);
  if (!Sources)
    return fail(Sources.takeError());
  if (llvm::Error E = checkRoot(O, *Sources))
    return fail(std::move(E));
  if (!O.Quiet)
    printRemarks(Sources->Remarks, llvm::errs());

  CollectOptions How;
  std::vector<UnitSources> Files;
  How.Sources = &Files;
  How.Jobs = O.Jobs;
  How.Cache = O.Cache;
  std::vector<std::string> UnreadFiles;
  How.UnreadFiles = &UnreadFiles;
  if (!O.Quiet && llvm::errs().is_displayed())
    How.Progress = showProgress;
  How.Failed = [&](llvm::StringRef Errors) {
    if (How.Progress)
      eraseLine();
    llvm::errs() << Errors;
  };
  std::vector<ir::Unit> Code;
  How.Code = &Code;
  llvm::Expected<std::vector<UnitFacts>> Units = collectFacts(*Sources->Database, Sources->Files, How, llvm::errs());
  if (How.Progress)
    eraseLine();
  if (!Units)
    return fail(Units.takeError());
  if (O.What == Options::Output::Facts) {
    for (const UnitFacts &Unit : *Units)
      dumpFacts(Unit, llvm::outs());
    return Done;
  }
  return process(O, *Sources, Files, std::move(*Units), std::move(UnreadFiles), Code, std::move(Run));
}
