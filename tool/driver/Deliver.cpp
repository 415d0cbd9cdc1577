// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Deliver.h"
#include "explain/Reports.h"
#include "output/Diff.h"
#include "output/Fixes.h"
#include "output/Mirror.h"
#include "output/Tree.h"
#include "output/Write.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mpishm;

std::string mpishm::currentFolder() {
  llvm::SmallString<256> Folder;
  if (llvm::sys::fs::real_path(".", Folder))
    return "/";
  return Folder.str().str();
}

/// The deepest folder that holds \p Root and all \p Files: headers may lie elsewhere.
static std::string rootOf(std::string Root, llvm::ArrayRef<EditedFile> Files) {
  for (const EditedFile &F : Files)
    Root = commonFolder(Root, llvm::sys::path::parent_path(F.Path));
  return Root;
}

Diffs::Diffs(const std::string &Program, llvm::ArrayRef<EditedFile> All) : Files(All), Root(rootOf(Program, All)) {
  std::string Current = currentFolder();
  if (llvm::all_of(Files, [&](const EditedFile &F) { return commonFolder(F.Path, Current) == Current; }))
    Root = Current;
}

std::string Diffs::of(const EditedFile &File) const {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  printDiff(File, llvm::StringRef(File.Path).substr(Root.size()).ltrim('/'), Out);
  return Text;
}

llvm::Error Diffs::print(bool Quiet) const {
  if (Root != currentFolder() && !Files.empty() && !Quiet)
    llvm::errs() << "mpishm-rewrite: paths in the diff are relative to " << Root << '\n';
  for (const EditedFile &F : Files)
    llvm::outs() << of(F);
  llvm::outs().flush();
  std::error_code EC = llvm::outs().error();
  llvm::outs().clear_error();
  if (EC)
    return llvm::createStringError(EC, "cannot print the diff: %s", EC.message().c_str());
  return llvm::Error::success();
}

/// Where to write \p Name: at the end of links, which stay links.
static std::string targetOf(llvm::StringRef Name) {
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(Name, Real) ? Name.str() : Real.str().str();
}

/// The folder that -o copies: what the user says, or \p Least, which holds \p Paths and where the program is
/// configured.
static llvm::Expected<std::string> copiedFolder(const Options &O, const SourceSet &Sources, const std::string &Least,
                                                llvm::ArrayRef<std::string> Paths) {
  if (O.Root.empty())
    return Least;
  std::string Root = targetOf(O.Root);
  if (commonFolder(Root, Least) == Root)
    return Root;
  auto Outside = llvm::find_if(Paths, [&](const std::string &Path) {
    return commonFolder(Root, llvm::sys::path::parent_path(targetOf(Path))) != Root;
  });
  return llvm::createStringError("--root '%s' does not hold the whole program; '%s' does, with '%s'", O.Root.c_str(),
                                 Least.c_str(), Outside == Paths.end() ? Sources.Folder.c_str() : Outside->c_str());
}

llvm::Error mpishm::checkRoot(const Options &O, const SourceSet &Sources) {
  return copiedFolder(O, Sources, Sources.Root, Sources.Files).takeError();
}

static std::set<std::string> filesOf(llvm::ArrayRef<UnitSources> Units) {
  std::set<std::string> Files;
  for (const UnitSources &Unit : Units)
    Files.insert(Unit.Files.begin(), Unit.Files.end());
  return Files;
}

/// A rule of make: \p Target depends on all files of \p Units.
static std::string dependencyRule(llvm::StringRef Target, llvm::ArrayRef<UnitSources> Units) {
  auto Escaped = [](llvm::StringRef Path) {
    std::string Text;
    for (char C : Path)
      Text += C == ' ' || C == '#' ? std::string("\\") + C : C == '$' ? "$$" : std::string(1, C);
    return Text;
  };
  std::string Rule = Escaped(Target) + ":";
  for (const std::string &File : filesOf(Units))
    Rule += " \\\n  " + Escaped(File);
  return Rule + "\n";
}

llvm::Error mpishm::deliver(const Options &O, const SourceSet &Sources, llvm::ArrayRef<UnitSources> Units,
                            llvm::ArrayRef<EditedFile> Files, const ReportData &Data) {
  std::vector<OutputFile> Outputs;
  if (O.What == Options::Output::InPlace)
    for (const EditedFile &F : Files)
      Outputs.push_back({F.Path, F.After, F.Before});
  for (const std::string &Name : O.Reports) {
    std::string Text;
    llvm::raw_string_ostream Out(Text);
    writerFor(Name)(Data, Out);
    Outputs.push_back({targetOf(Name), std::move(Text), {}});
  }
  if (!O.Fixes.empty())
    Outputs.push_back({targetOf(O.Fixes), fixesOf(Files, Sources.Files.front()), {}});
  if (!O.DependencyFile.empty())
    Outputs.push_back({targetOf(O.DependencyFile), dependencyRule(O.Reports.front(), Units), {}});
  if (O.What == Options::Output::Mirror)
    if (llvm::Error E = writeMirror(Files, Units, O.Folder))
      return E;
  if (O.What == Options::Output::Folder) {
    std::vector<std::string> Edited;
    for (const EditedFile &F : Files)
      Edited.push_back(F.Path);
    llvm::Expected<std::string> Root = copiedFolder(O, Sources, rootOf(Sources.Root, Files), Edited);
    if (!Root)
      return Root.takeError();
    TreeOptions Copy = {std::move(*Root), O.Folder, Sources.DatabaseFiles, {}};
    for (const std::string &File : filesOf(Units))
      Copy.Read.push_back(targetOf(File));
    llvm::Expected<std::vector<std::string>> LeftOut = writeTree(Files, Copy);
    if (!LeftOut)
      return LeftOut.takeError();
    for (const std::string &Path : *LeftOut)
      if (!O.Quiet)
        llvm::errs() << "mpishm-rewrite: '" << Path << "' is left out of '" << O.Folder << "' for its size\n";
    for (const std::string &Path : findMissing(Units, Files, Sources))
      if (!O.Quiet)
        llvm::errs() << "mpishm-rewrite: '" << Path << "', which the build makes, is not in '" << O.Folder
                     << "': a build of the copy makes it anew\n";
  }
  return writeAll(Outputs);
}
