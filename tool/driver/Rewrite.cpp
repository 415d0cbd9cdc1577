// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Rewrite.h"
#include "collect/Collect.h"
#include "driver/Sources.h"
#include "edit/Diff.h"
#include "edit/Write.h"
#include "explain/Diagnostics.h"
#include "explain/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

static Status fail(llvm::Error E) {
  llvm::handleAllErrors(std::move(E), [](const llvm::ErrorInfoBase &Info) {
    llvm::WithColor::error(llvm::errs(), "mpishm-rewrite") << Info.message() << '\n';
  });
  return Unusable;
}

static std::string currentFolder() {
  llvm::SmallString<256> Folder;
  if (llvm::sys::fs::real_path(".", Folder))
    return "/";
  return Folder.str().str();
}

/// Shows all diffs, with paths relative to the current folder where all files are below it, else to \p Root.
static void showDiffs(llvm::ArrayRef<EditedFile> Files, std::string Root, bool Quiet) {
  auto Below = [](llvm::StringRef Path, llvm::StringRef Folder) {
    return Path.starts_with(Folder) && (Folder.ends_with("/") || Path.substr(Folder.size()).starts_with("/"));
  };
  std::string Current = currentFolder();
  if (llvm::all_of(Files, [&](const EditedFile &F) { return Below(F.Path, Current); }))
    Root = Current;
  if (Root != Current && !Files.empty() && !Quiet)
    llvm::errs() << "mpishm-rewrite: paths in the diff are relative to " << Root << '\n';
  for (const EditedFile &F : Files)
    printDiff(F, llvm::StringRef(F.Path).substr(Root.size()).ltrim('/'), llvm::outs());
  llvm::outs().flush();
}

/// Puts the edits where \p O wants them.
static Status deliver(const Options &O, const SourceSet &Sources, llvm::ArrayRef<EditedFile> Files) {
  std::string Root = Sources.Root;
  for (const EditedFile &F : Files) // headers may lie elsewhere
    Root = commonFolder(Root, llvm::sys::path::parent_path(F.Path));
  switch (O.What) {
  case Options::Output::Diff:
    showDiffs(Files, Root, O.Quiet);
    return Done;
  case Options::Output::InPlace:
    if (llvm::Error E = writeInPlace(Files))
      return fail(std::move(E));
    return Done;
  case Options::Output::Folder:
    if (llvm::Error E = writeBelow(Files, O.Folder, Root))
      return fail(std::move(E));
    return Done;
  case Options::Output::Check:
    return Files.empty() ? Done : WouldChange;
  case Options::Output::Facts:
    break;
  }
  return Done;
}

static bool isError(const Finding &F) { return infoOf(F.What).Level == Severity::Error; }

/// Decides, explains and delivers.
static Status process(const Options &O, const SourceSet &Sources, std::vector<UnitFacts> Units) {
  Decisions D = matchProgram(std::move(Units), Sources.Context);
  bool Broken = llvm::any_of(D.Findings, isError);
  PathNames Names(currentFolder(), Sources.AsGiven);
  Report R(D, Names, llvm::errs());
  if (!O.Quiet)
    R.printFindings();
  else
    R.printErrors();
  if (Broken) {
    llvm::WithColor::error(llvm::errs(), "mpishm-rewrite")
        << "the program is rewritten in part only; nothing was written\n";
    return Unusable;
  }
  llvm::Expected<std::vector<EditedFile>> Files = editFiles(D);
  if (!Files)
    return fail(Files.takeError());
  Status Result = deliver(O, Sources, *Files);
  if (!O.Quiet && Result != Unusable)
    R.printSummary(Files->size(), O.What == Options::Output::Check ? "would rewrite" : "rewrote");
  return Result;
}

Status mpishm::rewrite(const Options &O) {
  llvm::Expected<SourceSet> Sources = findSources(O);
  if (!Sources)
    return fail(Sources.takeError());
  if (!O.Quiet)
    for (const Finding &F : Sources->Remarks)
      llvm::errs() << "mpishm-rewrite: remark: " << textOf(F) << " [" << infoOf(F.What).Id << "]\n";

  CollectOptions How;
  How.Jobs = O.Jobs;
  How.Progress = !O.Quiet && llvm::errs().is_displayed();
  llvm::Expected<std::vector<UnitFacts>> Units = collectFacts(*Sources->Database, Sources->Files, How, llvm::errs());
  if (!Units)
    return fail(Units.takeError());
  if (O.What == Options::Output::Facts) {
    for (const UnitFacts &Unit : *Units)
      dumpFacts(Unit, llvm::outs());
    return Done;
  }
  if (llvm::none_of(*Units, [](const UnitFacts &U) { return U.IncludesMpi; })) {
    if (!O.Quiet)
      llvm::errs() << "mpishm-rewrite: no translation unit includes mpi.h: there is nothing to rewrite\n";
    return Done;
  }
  return process(O, *Sources, std::move(*Units));
}
