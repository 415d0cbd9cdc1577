// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Database.h"
#include "edit/Failure.h"
#include "clang/Driver/Types.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
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

std::string mpishm::realPathOf(llvm::StringRef Path) {
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

/// The sources that \p O names, compiled with \p Flags.
static llvm::Expected<CommandSource> takeFlags(const Options &O, const std::vector<std::string> &Flags) {
  if (O.Sources.empty())
    return failure("`-- FLAGS` needs the names of the sources before it");
  for (const std::string &Source : O.Sources)
    if (!fs::exists(Source) || fs::is_directory(Source))
      return failure("'" + Source + (fs::exists(Source) ? "' is a folder" : "' does not exist"));
  std::vector<std::string> Files;
  for (const std::string &Source : O.Sources) {
    llvm::SmallString<256> Absolute(Source);
    llvm::consumeError(llvm::errorCodeToError(fs::make_absolute(Absolute)));
    Files.push_back(Absolute.str().str());
  }
  const std::string Here = realPathOf(".");
  return CommandSource{std::make_unique<GivenFlags>(std::move(Files), Flags, Here), Here, ""};
}

/// The commands in \p File, as they stand there.
static llvm::Expected<std::unique_ptr<CompilationDatabase>> readDatabase(const std::string &File) {
  std::string Message;
  std::unique_ptr<CompilationDatabase> Json;
  if (auto Buffer = llvm::MemoryBuffer::getFile(File)) {
    Message = damageOf((*Buffer)->getBuffer());
    if (!Message.empty())
      Message += ".\n  It may have been cut off: make it anew with `make clean` and then `bear -- make`";
    else
      Json = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
          withAbsoluteFolders((*Buffer)->getBuffer(), path::parent_path(File)), Message,
          clang::tooling::JSONCommandLineSyntax::AutoDetect);
  } else {
    Message = Buffer.getError().message();
  }
  if (!Json)
    return failure("cannot read the compilation database '" + File + "': " + llvm::StringRef(Message).trim());
  return Json;
}

llvm::Expected<CommandSource> mpishm::openDatabase(const Options &O) {
  if (O.Flags)
    return takeFlags(O, *O.Flags);
  llvm::Expected<std::string> File = findDatabase(O);
  if (!File)
    return File.takeError();
  llvm::Expected<std::unique_ptr<CompilationDatabase>> Json = readDatabase(*File);
  if (!Json)
    return Json.takeError();
  CommandSource Found;
  Found.Folder = realPathOf(path::parent_path(*File));
  Found.File = realPathOf(*File);
  Found.Database = clang::tooling::expandResponseFiles(std::move(*Json), llvm::vfs::getRealFileSystem());
  if (!O.Objects.empty())
    if (llvm::Error E = takeObjects(O.Objects, Found.Database))
      return E;
  return Found;
}
