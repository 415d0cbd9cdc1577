// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Sources.h"
#include "driver/Database.h"
#include "edit/Failure.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace types = clang::driver::types;

/// Why the tool does not read a source of this name; empty when it does.
static std::string whySkipped(llvm::StringRef File) {
  types::ID Type = types::lookupTypeForExtension(path::extension(File).drop_front(!path::extension(File).empty()));
  switch (Type) {
  case types::TY_C:
  case types::TY_CXX:
  case types::TY_PP_C:
  case types::TY_PP_CXX:
  case types::TY_CHeader:
  case types::TY_CXXHeader:
    return "";
  case types::TY_INVALID:
    return "its name does not tell its language";
  default:
    return std::string("its language is ") + types::getTypeName(Type) + ", not C or C++";
  }
}

/// True for the little programs by which CMake, autoconf and Meson try the compiler out, which bear records with the
/// rest.
static bool isCompilerCheck(llvm::StringRef File) {
  llvm::StringRef Name = path::filename(File);
  auto IsIn = [&](llvm::StringRef Folder) { return File.contains(("/" + Folder + "/").str()); };
  bool OfCMake = Name.starts_with("CMake") && Name.contains("Compiler");
  return path::stem(Name) == "conftest" || (OfCMake && (IsIn("Modules") || IsIn("CMakeFiles"))) || IsIn("CMakeTmp") ||
         IsIn("CMakeScratch") || IsIn("meson-private");
}

/// Not as letters of another word, as in "compiled" or "damping": whoever uses MPI names something of it.
static bool mentionsMpi(llvm::StringRef Text) {
  for (size_t At = 0; (At = Text.find_insensitive("mpi", At)) != llvm::StringRef::npos; ++At) {
    bool IsInWord = At > 0 && llvm::isAlpha(Text[At - 1]) && At + 3 < Text.size() && llvm::isAlpha(Text[At + 3]);
    if (!IsInWord)
      return true;
  }
  return false;
}

/// Says of a file of the program, called \p Name, that it is not read; returns whether that matters.
static bool addUnseen(SourceSet &S, llvm::StringRef File, const std::string &Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer || !mentionsMpi((*Buffer)->getBuffer()))
    return false;
  S.Context.UnseenSources.push_back(Name);
  if ((*Buffer)->getBuffer().contains_insensitive("pmpi_"))
    S.Context.ProfilingSources.push_back(Name);
  return true;
}

/// Takes the files of \p Candidates that are C or C++; remarks on the others.
static void takeReadable(SourceSet &S, llvm::ArrayRef<std::string> Candidates) {
  for (const std::string &File : Candidates) {
    std::string Why = whySkipped(File);
    if (Why.empty()) {
      S.Files.push_back(File);
      continue;
    }
    S.Remarks.push_back({Diagnostic::SkippedSource, Place(), {File, Why}, {}});
    S.Context.Partial = true;
    addUnseen(S, File, File);
  }
}

/// The database's files that \p O names.
static llvm::Expected<std::vector<std::string>> selectFiles(const Options &O, llvm::ArrayRef<std::string> Known,
                                                            SourceSet &S) {
  llvm::StringMap<std::string> ByRealPath;
  for (const std::string &File : Known)
    ByRealPath.try_emplace(realPathOf(File), File);
  std::vector<std::string> Selected;
  for (const std::string &Source : O.Sources) {
    if (!fs::exists(Source))
      return failure("'" + Source + "' does not exist");
    std::string Real = realPathOf(Source);
    auto It = ByRealPath.find(Real);
    if (It == ByRealPath.end())
      return failure(llvm::Twine("'") + Source + "' is not in the compilation database in '" + S.Folder +
                     "'.\n  Add it there, or give its compiler flags: mpishm-rewrite " + Source + " -- FLAGS");
    if (S.AsGiven.try_emplace(Real, Source).second)
      Selected.push_back(It->second);
  }
  S.Context.Partial |= !O.WholeProgram && S.AsGiven.size() < ByRealPath.size();
  for (const auto &Entry : ByRealPath)
    if (!O.WholeProgram && !S.AsGiven.count(Entry.first()) && addUnseen(S, Entry.first(), Entry.second))
      S.Remarks.push_back({Diagnostic::NotNamed, Place(), {Entry.second}, {}});
  llvm::sort(S.Context.UnseenSources);
  llvm::sort(S.Remarks, [](const Finding &A, const Finding &B) { return A.Args < B.Args; });
  return Selected;
}

std::string mpishm::commonFolder(llvm::StringRef A, llvm::StringRef B) {
  llvm::SmallString<256> Common;
  for (auto I = path::begin(A), J = path::begin(B); I != path::end(A) && J != path::end(B) && *I == *J; ++I, ++J)
    path::append(Common, *I);
  return Common.str().str();
}

/// The folder of the sources that were configured in \p Folder, when that is a build folder of CMake or Meson; else
/// \p Folder itself.
static std::string sourceFolderOf(llvm::StringRef Folder) {
  if (auto Cache = llvm::MemoryBuffer::getFile(Folder + "/CMakeCache.txt"))
    for (llvm::line_iterator Line(**Cache); !Line.is_at_end(); ++Line)
      if (llvm::StringRef Value = *Line; Value.consume_front("CMAKE_HOME_DIRECTORY:INTERNAL="))
        return realPathOf(Value);
  if (auto Info = llvm::MemoryBuffer::getFile(Folder + "/meson-info/meson-info.json")) {
    llvm::Expected<llvm::json::Value> Json = llvm::json::parse((*Info)->getBuffer());
    if (!Json)
      llvm::consumeError(Json.takeError());
    else if (const llvm::json::Object *Top = Json->getAsObject())
      if (const llvm::json::Object *Folders = Top->getObject("directories"))
        if (std::optional<llvm::StringRef> Source = Folders->getString("source"))
          return realPathOf(*Source);
  }
  return Folder.str();
}

/// The folder of the build that \p Path is in, of a program in \p Root; empty where there is none.
static llvm::StringRef buildFolderOf(llvm::StringRef Path, llvm::StringRef Root) {
  llvm::StringRef Folder = path::parent_path(Path);
  while (!Folder.empty() && (sourceFolderOf(Folder) == Folder || commonFolder(Folder, Root) == Folder))
    Folder = path::parent_path(Folder);
  return Folder;
}

/// Whether a rule of the Makefile \p Text has a file of \p Name as its target.
static bool makes(llvm::StringRef Text, llvm::StringRef Name) {
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    auto [Targets, Rest] = Line.split(':');
    // Neither a command, nor a comment, nor an assignment (A := B).
    if (Targets.size() == Line.size() || Line.starts_with("\t") || Rest.starts_with("=") ||
        Targets.find_first_of("#=") != llvm::StringRef::npos)
      continue;
    llvm::SmallVector<llvm::StringRef, 4> Words;
    llvm::SplitString(Targets, Words);
    if (llvm::any_of(Words, [&](llvm::StringRef Word) { return path::filename(Word) == Name; }))
      return true;
  }
  return false;
}

/// The Makefile that has a rule for \p Path: in its folder or in one above it, up to \p Root, or in \p Other.
static std::string makefileThatMakes(llvm::StringRef Path, llvm::StringRef Root, llvm::StringRef Other) {
  llvm::SmallVector<llvm::StringRef, 8> Folders = {Other};
  for (llvm::StringRef Folder = path::parent_path(Path); Folder.starts_with(Root) && !Folder.empty();
       Folder = path::parent_path(Folder))
    Folders.push_back(Folder);
  for (llvm::StringRef Folder : Folders)
    for (llvm::StringRef Name : {"GNUmakefile", "makefile", "Makefile"})
      if (auto Text = llvm::MemoryBuffer::getFile(Folder + "/" + Name);
          Text && makes((*Text)->getBuffer(), path::filename(Path)))
        return (Folder + "/" + Name).str();
  return "";
}

/// How the build comes to make \p Path of a program in \p Root, with a database in \p Database, or nothing.
static std::string makerOf(llvm::StringRef Path, llvm::StringRef Root, llvm::StringRef Database) {
  llvm::StringRef Stem = Path.drop_back(path::extension(Path).size());
  // A template, and what make has rules for by itself.
  for (auto [Start, Ending] :
       {std::pair(Path, ".in"), {Path, ".m4"}, {Stem, ".y"}, {Stem, ".yy"}, {Stem, ".l"}, {Stem, ".ll"}})
    if (fs::exists(Start + Ending))
      return ("from '" + path::filename(Start) + Ending + "'").str();
  if (llvm::StringRef Folder = buildFolderOf(Path, Root); !Folder.empty())
    return ("in its folder '" + Folder + "'").str();
  std::string Makefile = makefileThatMakes(Path, Root, Database);
  return Makefile.empty() ? "" : "by a rule of '" + Makefile + "'";
}

std::vector<Finding> mpishm::findGenerated(const std::vector<EditedFile> &Files, const SourceSet &Sources,
                                           bool Copied) {
  const char *Then =
      Copied ? "a build of the copy makes it anew, without its edits: run mpishm-rewrite -i on the copy then"
             : "when it is made anew, its edits are lost: run mpishm-rewrite again then";
  std::vector<Finding> Warnings;
  for (const EditedFile &F : Files)
    if (std::string Maker = makerOf(F.Path, Sources.Root, Sources.Folder); !Maker.empty())
      Warnings.push_back({Diagnostic::GeneratedFile, Place(), {F.Path, Maker, Then}, {}});
  return Warnings;
}

std::vector<std::string> mpishm::findMissing(llvm::ArrayRef<UnitSources> Units, llvm::ArrayRef<EditedFile> Files,
                                             const SourceSet &Sources) {
  std::vector<std::string> Missing;
  for (const UnitSources &Unit : Units) {
    std::string Path = realPathOf(Unit.Source);
    auto IsIt = [&](const EditedFile &F) { return F.Path == Path; };
    if (!buildFolderOf(Path, Sources.Root).empty() && llvm::none_of(Files, IsIt))
      Missing.push_back(std::move(Path));
  }
  return Missing;
}

std::vector<Finding> mpishm::findOriginals(std::vector<EditedFile> &Files, const SourceSet &Sources, bool Edit) {
  llvm::StringSet<> Known;
  for (const std::string &File : Sources.Files)
    Known.insert(realPathOf(File));
  for (const EditedFile &F : Files)
    Known.insert(F.Path);
  std::vector<Finding> Remarks;
  std::vector<EditedFile> Originals;
  for (const EditedFile &F : Files)
    for (llvm::StringRef Folder = path::parent_path(path::parent_path(F.Path));
         commonFolder(Folder, Sources.Root) == Sources.Root; Folder = path::parent_path(Folder)) {
      llvm::SmallString<256> File(Folder);
      path::append(File, path::filename(F.Path));
      auto Buffer = llvm::MemoryBuffer::getFile(File);
      if (!Buffer || (*Buffer)->getBuffer() != F.Before || fs::equivalent(File, F.Path))
        continue;
      std::string Path = realPathOf(File);
      if (!Known.insert(Path).second)
        continue;
      std::string Done = Edit ? "both are edited" : "say --edit-originals to edit both";
      Remarks.push_back({Diagnostic::CopiedSource, Place(), {F.Path, Path, Done}, {}});
      if (!Edit)
        continue;
      EditedFile Original{Path, F.Before, F.After, {}};
      for (const clang::tooling::Replacement &R : F.Changes)
        llvm::cantFail(Original.Changes.add({Path, R.getOffset(), R.getLength(), R.getReplacementText()}));
      Originals.push_back(std::move(Original));
    }
  llvm::move(Originals, std::back_inserter(Files));
  llvm::sort(Files, [](const EditedFile &A, const EditedFile &B) { return A.Path < B.Path; });
  return Remarks;
}
llvm::Expected<SourceSet> mpishm::findSources(const Options &O) {
  SourceSet S;
  llvm::Expected<CommandSource> Commands = openDatabase(O);
  if (!Commands)
    return Commands.takeError();
  S.Database = std::move(Commands->Database);
  S.Folder = std::move(Commands->Folder);
  if (!Commands->File.empty())
    S.DatabaseFiles.push_back(std::move(Commands->File));
  std::vector<std::string> Known = S.Database->getAllFiles();
  if (Known.empty())
    return failure("the compilation database in '" + S.Folder +
                   "' is empty.\n  Nothing was compiled when it was made, or only copies of sources that the build "
                   "removes: make it anew with `make clean` and then `bear -- make`, without removing them");
  llvm::erase_if(Known, isCompilerCheck);
  llvm::sort(Known);
  if (!O.Sources.empty()) {
    llvm::Expected<std::vector<std::string>> Selected = selectFiles(O, Known, S);
    if (!Selected)
      return Selected.takeError();
    Known = std::move(*Selected);
  }
  takeReadable(S, Known);
  if (S.Files.empty() && O.Flags)
    return failure("no file that is named is a source of C or C++, by the end of its name");
  if (S.Files.empty())
    return failure("the compilation database in '" + S.Folder + "' has no C or C++ source");
  S.Root = sourceFolderOf(S.Folder);
  for (const std::string &File : S.Files)
    S.Root = commonFolder(S.Root, path::parent_path(realPathOf(File)));
  return S;
}
