// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Sources.h"
#include "edit/Failure.h"
#include "clang/Driver/Types.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/YAMLParser.h"

using namespace mpishm;
using clang::tooling::CompilationDatabase;
using clang::tooling::CompileCommand;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace types = clang::driver::types;

static constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

/// The real path, or the absolute one when there is no such file.
static std::string realPathOf(llvm::StringRef Path) {
  llvm::SmallString<256> Real;
  if (!fs::real_path(Path, Real))
    return Real.str().str();
  Real = Path;
  llvm::consumeError(llvm::errorCodeToError(fs::make_absolute(Real)));
  path::remove_dots(Real, /*remove_dot_dot=*/true);
  return Real.str().str();
}

static bool isCxx(llvm::StringRef File) {
  return types::isCXX(types::lookupTypeForExtension(path::extension(File).drop_front(!path::extension(File).empty())));
}

namespace {

/// The sources of the command line, compiled with the flags that follow `--`. These may begin with a compiler's name;
/// otherwise MPI's own compilers are taken when they are there, so that mpi.h is found.
class GivenFlags : public CompilationDatabase {
public:
  GivenFlags(std::vector<std::string> Sources, std::vector<std::string> Words, std::string Directory)
      : Files(std::move(Sources)), Flags(std::move(Words)), Folder(std::move(Directory)) {
    if (!Flags.empty() && !llvm::StringRef(Flags.front()).starts_with("-")) {
      Compiler = Flags.front();
      Flags.erase(Flags.begin());
    }
  }
  std::vector<std::string> getAllFiles() const override { return Files; }
  std::vector<CompileCommand> getCompileCommands(llvm::StringRef File) const override {
    std::vector<std::string> Line{Compiler.empty() ? defaultCompiler(File) : Compiler};
    llvm::append_range(Line, Flags);
    Line.push_back("-c");
    Line.push_back(File.str());
    return {CompileCommand(Folder, File, std::move(Line), "")};
  }

private:
  static std::string defaultCompiler(llvm::StringRef File) {
    llvm::StringRef Mpi = isCxx(File) ? "mpicxx" : "mpicc";
    return (llvm::sys::findProgramByName(Mpi) ? Mpi : isCxx(File) ? "clang++" : "clang").str();
  }

  std::vector<std::string> Files, Flags;
  std::string Compiler, Folder;
};

/// The absolute path of the object file that \p Command makes.
std::string objectOf(const CompileCommand &Command) {
  llvm::SmallString<256> Object(Command.Output);
  for (size_t I = 0; Object.empty() && I + 1 < Command.CommandLine.size(); ++I)
    if (Command.CommandLine[I] == "-o")
      Object = Command.CommandLine[I + 1];
  fs::make_absolute(Command.Directory, Object);
  path::remove_dots(Object, /*remove_dot_dot=*/true);
  return Object.str().str();
}

/// A database cut down to the units whose object files are listed.
class SomeObjects : public CompilationDatabase {
public:
  SomeObjects(std::unique_ptr<CompilationDatabase> All, llvm::StringSet<> Listed)
      : Database(std::move(All)), Objects(std::move(Listed)) {}
  std::vector<std::string> getAllFiles() const override {
    std::vector<std::string> Files = Database->getAllFiles();
    llvm::erase_if(Files, [&](const std::string &File) { return getCompileCommands(File).empty(); });
    return Files;
  }
  std::vector<CompileCommand> getCompileCommands(llvm::StringRef File) const override {
    std::vector<CompileCommand> Commands = Database->getCompileCommands(File);
    llvm::erase_if(Commands, [&](const CompileCommand &C) { return !Objects.contains(objectOf(C)); });
    return Commands;
  }

private:
  std::unique_ptr<CompilationDatabase> Database;
  llvm::StringSet<> Objects;
};

} // namespace

/// Cuts \p Database down to the objects that the file \p List names.
static llvm::Error takeObjects(const std::string &List, std::unique_ptr<CompilationDatabase> &Database) {
  auto Buffer = llvm::MemoryBuffer::getFile(List);
  if (!Buffer)
    return failure("cannot read '" + List + "': " + Buffer.getError().message());
  llvm::StringSet<> Objects, Made;
  for (const CompileCommand &C : Database->getAllCompileCommands())
    Made.insert(objectOf(C));
  for (llvm::line_iterator Line(**Buffer); !Line.is_at_end(); ++Line) {
    llvm::SmallString<256> Object(*Line);
    if (std::error_code EC = fs::make_absolute(Object))
      return failure("cannot tell where '" + Object.str() + "' is: " + EC.message());
    path::remove_dots(Object, /*remove_dot_dot=*/true);
    if (!Made.contains(Object)) // what is linked and was not read may do anything
      return failure("no command of the compilation database makes '" + Object.str() + "', which '" + List + "' names");
    Objects.insert(Object);
  }
  Database = std::make_unique<SomeObjects>(std::move(Database), std::move(Objects));
  return llvm::Error::success();
}

/// A folder directly in \p Folder with a database, as a build of CMake's leaves it; empty when there is none.
static std::string folderOfBuild(llvm::StringRef Folder) {
  std::string Found;
  std::error_code Stop;
  for (fs::directory_iterator Each(Folder, Stop), End; !Stop && Each != End; Each.increment(Stop)) {
    llvm::SmallString<256> File(Each->path());
    path::append(File, DatabaseName);
    if (fs::exists(File) && (Found.empty() || Each->path() < Found))
      Found = Each->path();
  }
  return path::filename(Found).str();
}

/// The database's file: what -p names, or what is found upwards from the first source.
static llvm::Expected<std::string> findDatabase(const Options &O) {
  if (!O.Database.empty()) {
    llvm::SmallString<256> File(O.Database);
    if (fs::is_directory(File))
      path::append(File, DatabaseName);
    if (!fs::exists(File))
      return failure("no compilation database: '" + File + "' does not exist");
    return realPathOf(File);
  }
  llvm::SmallString<256> Start(realPathOf(O.Sources.empty() ? "." : path::parent_path(O.Sources.front())));
  for (llvm::SmallString<256> Folder = Start; !Folder.empty(); Folder = path::parent_path(Folder)) {
    llvm::SmallString<256> File = Folder;
    path::append(File, DatabaseName);
    if (fs::exists(File))
      return File.str().str();
  }
  const std::string None =
      "no compilation database: there is no " + (DatabaseName + " in '" + Start).str() + "' or above.\n  ";
  if (const std::string Build = folderOfBuild(Start); !Build.empty())
    return failure(None + "There is one in '" + Build + "': name that folder with -p");
  return failure(None + "Make one with `bear -- make` or with CMake's -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, name "
                        "its folder with -p,\n  or give the compiler's flags: mpishm-rewrite FILE... -- FLAGS");
}

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

/// The text of a database whose relative folders are made absolute: they count from the database's own folder.
static std::string withAbsoluteFolders(llvm::StringRef Text, llvm::StringRef Folder) {
  llvm::Expected<llvm::json::Value> Json = llvm::json::parse(Text);
  if (!Json) { // LLVM's reader will say what is wrong
    llvm::consumeError(Json.takeError());
    return Text.str();
  }
  bool Changed = false;
  if (llvm::json::Array *Entries = Json->getAsArray())
    for (llvm::json::Value &Entry : *Entries)
      if (llvm::json::Object *Fields = Entry.getAsObject())
        if (std::optional<llvm::StringRef> Given = Fields->getString("directory"); Given && path::is_relative(*Given)) {
          llvm::SmallString<256> Absolute(*Given);
          fs::make_absolute(Folder, Absolute);
          path::remove_dots(Absolute, /*remove_dot_dot=*/true);
          (*Fields)["directory"] = Absolute.str().str();
          Changed = true;
        }
  return Changed ? llvm::formatv("{0}", *Json).str() : Text.str();
}

/// Where and why the text of a database is not as YAML has it, which LLVM's reader takes it for, or "". That reader
/// goes on with the entries before such a place, which are a part of the program alone.
static std::string damageOf(llvm::StringRef Text) {
  std::string First;
  llvm::SourceMgr Places;
  Places.setDiagHandler(
      [](const llvm::SMDiagnostic &At, void *To) {
        auto &Said = *static_cast<std::string *>(To);
        if (Said.empty())
          Said = llvm::formatv("line {0}, column {1}: {2}", At.getLineNo(), At.getColumnNo() + 1, At.getMessage());
      },
      &First);
  llvm::yaml::Stream Parsed(Text, Places, /*ShowColors=*/false);
  unsigned Documents = 0;
  for (llvm::yaml::Document &Each : Parsed) {
    Each.skip();
    if (++Documents > 1 && First.empty())
      First = "something stands behind the list";
  }
  return Parsed.failed() && First.empty() ? "it is no JSON" : First;
}

static llvm::Error openDatabase(const Options &O, SourceSet &S) {
  if (O.Flags) {
    if (O.Sources.empty())
      return failure("`-- FLAGS` needs the names of the sources before it");
    for (const std::string &Source : O.Sources)
      if (!fs::exists(Source) || fs::is_directory(Source))
        return failure("'" + Source + (fs::exists(Source) ? "' is a folder" : "' does not exist"));
    S.Folder = realPathOf(".");
    std::vector<std::string> Files;
    for (const std::string &Source : O.Sources) {
      llvm::SmallString<256> Absolute(Source);
      llvm::consumeError(llvm::errorCodeToError(fs::make_absolute(Absolute)));
      Files.push_back(Absolute.str().str());
    }
    S.Database = std::make_unique<GivenFlags>(std::move(Files), *O.Flags, S.Folder);
    return llvm::Error::success();
  }
  llvm::Expected<std::string> File = findDatabase(O);
  if (!File)
    return File.takeError();
  std::string Message;
  std::unique_ptr<CompilationDatabase> Json;
  if (auto Buffer = llvm::MemoryBuffer::getFile(*File)) {
    Message = damageOf((*Buffer)->getBuffer());
    if (!Message.empty())
      Message += ".\n  It may have been cut off: make it anew with `make clean` and then `bear -- make`";
    else
      Json = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
          withAbsoluteFolders((*Buffer)->getBuffer(), path::parent_path(*File)), Message,
          clang::tooling::JSONCommandLineSyntax::AutoDetect);
  } else {
    Message = Buffer.getError().message();
  }
  if (!Json)
    return failure("cannot read the compilation database '" + *File + "': " + llvm::StringRef(Message).trim());
  S.Folder = realPathOf(path::parent_path(*File));
  S.DatabaseFiles.push_back(realPathOf(*File));
  S.Database = clang::tooling::expandResponseFiles(std::move(Json), llvm::vfs::getRealFileSystem());
  return O.Objects.empty() ? llvm::Error::success() : takeObjects(O.Objects, S.Database);
}

llvm::Expected<SourceSet> mpishm::findSources(const Options &O) {
  SourceSet S;
  if (llvm::Error E = openDatabase(O, S))
    return E;
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
