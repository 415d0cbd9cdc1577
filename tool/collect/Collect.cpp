// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Collect.h"
#include "collect/Cache.h"
#include "collect/Unit.h"
#include "sources/Compiler.h"
#include "sources/OwnCompiler.h"
#include "sources/Scan.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

namespace {

/// One unit's result, filled in by one thread.
struct Slot {
  clang::tooling::CompileCommand Command;
  std::vector<std::string> Targets;   ///< that the unit is of, see targetOf
  std::vector<std::string> Arguments; ///< for Clang; empty when there is a Failure
  UnitScan Scan;
  bool Read = false;         ///< it is parsed, or cannot be
  bool HasOwnMacros = false; ///< see parse
  UnitKnowledge Known;
  std::string Errors; ///< what Clang says
  std::string Failure;
};

} // namespace

/// Why the unit of \p Command cannot be read at all; empty when it can.
static std::string whyUnreadable(const clang::tooling::CompileCommand &Command) {
  if (!llvm::sys::fs::is_directory(Command.Directory))
    return "the folder '" + Command.Directory + "', in which '" + Command.Filename +
           "' is compiled, does not exist.\n  Make the compilation database anew, where the program now is";
  llvm::SmallString<256> File(Command.Filename);
  llvm::sys::fs::make_absolute(Command.Directory, File);
  if (!llvm::sys::fs::exists(File))
    return "'" + Command.Filename +
           "', which the compilation database names, does not exist.\n  If the program's build "
           "generates it, build the program first; else make the database anew";
  return "";
}

/// What to do about errors that Clang has shown.
static std::string adviceOn(llvm::StringRef Errors) {
  if (Errors.contains("'mpi.h' file not found"))
    return "\n  Its compiler is no MPI compiler that this tool knows, and no -I leads to mpi.h: make the database with "
           "mpicc or mpicxx as the compiler";
  if (Errors.contains("file not found"))
    return "\n  If the program's build generates the header, build the program first";
  return "\n  The tool reads all of the program as Clang does, before it changes any of it";
}

/// The target that an object file belongs to, where its path says so: CMake's CMakeFiles/TARGET.dir/..., Meson's
/// TARGET.p/... (with the folder that this is in); else empty.
static std::string targetOf(const clang::tooling::CompileCommand &Command) {
  std::string Output = Command.Output;
  for (size_t I = 0; Output.empty() && I + 1 < Command.CommandLine.size(); ++I)
    if (Command.CommandLine[I] == "-o")
      Output = Command.CommandLine[I + 1];
  for (llvm::StringRef Rest = Output; !Rest.empty(); Rest = llvm::sys::path::parent_path(Rest)) {
    llvm::StringRef Folder = llvm::sys::path::filename(Rest);
    bool InCMake = llvm::sys::path::filename(llvm::sys::path::parent_path(Rest)) == "CMakeFiles";
    if (Rest.size() < Output.size() && ((InCMake && Folder.ends_with(".dir")) || Folder.ends_with(".p")))
      return llvm::sys::path::is_absolute(Rest) ? Rest.str() : Command.Directory + "/" + Rest.str();
  }
  return "";
}

static void scan(Slot &S, Compilers &All, Scanner &Scans) {
  S.Failure = whyUnreadable(S.Command);
  if (!S.Failure.empty())
    return;
  llvm::Expected<std::vector<std::string>> Arguments = All.adjust(S.Command);
  if (!Arguments) {
    S.Failure = llvm::toString(Arguments.takeError());
    return;
  }
  S.Arguments = std::move(*Arguments);
  S.Scan = Scans.scan(S.Arguments, S.Command.Directory);
}

/// Whether \p Facts could have included mpi.h.
static bool findsMpi(const UnitFacts &Facts) {
  return llvm::any_of(Facts.SearchFolders,
                      [](const std::string &Folder) { return llvm::sys::fs::exists(Folder + "/mpi.h"); });
}

/// Parses \p S. Where its own compiler reads something otherwise, or Clang refuses it, once more with that compiler's
/// macros: what is then the same in both is the program. False when it does not compile with Clang's.
static bool parse(Slot &S, OwnCompilers &Own, Lowering *Code) {
  llvm::raw_string_ostream Errors(S.Errors);
  llvm::Expected<std::string> Text = Own.preprocess(S.Command);
  if (!Text)
    llvm::consumeError(Text.takeError());
  bool Compiles =
      collectUnit(S.Arguments, S.Command.Directory, Text ? &*Text : nullptr, nullptr, Code, S.Known, Errors);
  if (!Text || (Compiles && S.Known.Facts.Readings.empty()))
    return Compiles;
  llvm::Expected<Predefined> Macros = Own.predefined(S.Command);
  if (!Macros) {
    llvm::consumeError(Macros.takeError());
    return Compiles;
  }
  UnitKnowledge Again;
  llvm::raw_null_ostream Unsaid; // the branches of another compiler may be ones that Clang cannot read
  if (!collectUnit(S.Arguments, S.Command.Directory, &*Text, &*Macros, Code, Again, Unsaid) ||
      (Compiles && Again.Facts.Readings.size() >= S.Known.Facts.Readings.size()))
    return Compiles;
  S.Known = std::move(Again);
  S.Errors.clear();
  return S.HasOwnMacros = true;
}

/// Gets what is known of \p S from \p Cache, which may be null, or else by parsing; calls \p Parsing before that. \p
/// Code is null when its code is of no interest.
static void read(Slot &S, FactsCache *Cache, OwnCompilers &Own, Lowering *Code, llvm::function_ref<void()> Parsing) {
  if (!S.Failure.empty())
    return;
  FactsCache::Entry Kept;
  if (Cache)
    Kept = Cache->entryFor(S.Arguments, S.Command.Directory, Own.versionOf(S.Command), S.Scan.AllPaths);
  if (!Cache || !Cache->read(Kept, Code != nullptr, S.Known)) {
    Parsing();
    S.Known = {};
    if (!parse(S, Own, Code))
      S.Failure = "'" + S.Command.Filename + "' does not compile with Clang." + adviceOn(S.Errors);
    else if (Cache && !S.HasOwnMacros) // else it may have files that the scanner has not seen
      Cache->write(Kept, S.Known);
  }
  // None of these follows from what stands in the unit's files.
  std::string Option = findOptionPassedOver(S.Command);
  if (!Option.empty() && !llvm::StringRef(Own.versionOf(S.Command)).contains("clang")) {
    Place Start;
    Start.File = S.Known.Facts.MainFile;
    Start.Line = Start.Column = 1;
    S.Known.Facts.Readings.push_back({"is given " + Option + ", which Clang passes over", std::move(Start)});
  }
  S.Known.Facts.FindsMpi = findsMpi(S.Known.Facts);
  if (!S.Command.CommandLine.empty())
    S.Known.Facts.Compiler = S.Command.CommandLine.front();
}

/// Some builds preprocess a source and compile the outcome, which only the same compiler can read: puts the source in
/// its place in \p Command.
static void useOrigin(clang::tooling::CompileCommand &Command) {
  std::string File = fileOf(Command, Command.Filename);
  auto Buffer = llvm::MemoryBuffer::getFileSlice(File, 4096, 0);
  if (!Buffer)
    return;
  llvm::StringRef Marker = (*Buffer)->getBuffer();
  if (!Marker.consume_front("# 1 \"") && !Marker.consume_front("# 0 \"")) // GCC's first line
    return;
  std::string Origin = fileOf(Command, Marker.take_until([](char C) { return C == '"' || C == '\n'; }));
  bool Source = llvm::is_contained({".c", ".cc", ".cpp", ".cxx", ".c++", ".C"}, llvm::sys::path::extension(Origin));
  if (!Source || !llvm::sys::fs::is_regular_file(Origin) || llvm::sys::fs::equivalent(Origin, File))
    return;
  for (std::string &Word : Command.CommandLine)
    if (fileOf(Command, Word) == File)
      Word = Origin;
  Command.Filename = std::move(Origin);
}

/// Two commands of one key say the same of a unit, whichever object file they make. Databases have duplicates where a
/// program was built twice, and where several targets have a file.
static std::string keyOf(const clang::tooling::CompileCommand &Command) {
  std::string Key = Command.Directory;
  auto WithoutOutput = clang::tooling::getClangStripOutputAdjuster();
  for (const std::string &Word : WithoutOutput(Command.CommandLine, Command.Filename))
    Key += '\0' + Word;
  return Key;
}

/// The real paths of the files of units that are not read.
static std::vector<std::string> filesOfUnread(const std::vector<Slot> &Slots) {
  llvm::StringSet<> All;
  for (const Slot &S : Slots)
    if (!S.Read)
      for (const std::string &Path : S.Scan.Paths)
        All.insert(Path);
  std::vector<std::string> Result;
  for (const auto &Path : All)
    if (llvm::SmallString<256> Real; !llvm::sys::fs::real_path(Path.first(), Real))
      Result.push_back(Real.str().str());
  return Result;
}

/// One for each command of \p Sources, those of one key together.
static llvm::Expected<std::vector<Slot>> slotsOf(const clang::tooling::CompilationDatabase &Database,
                                                 llvm::ArrayRef<std::string> Sources) {
  std::vector<Slot> Slots;
  llvm::StringMap<size_t> Known;
  for (const std::string &Source : Sources) {
    std::vector<clang::tooling::CompileCommand> Commands = Database.getCompileCommands(Source);
    if (Commands.empty())
      return llvm::createStringError("no command for '%s' in the compilation database", Source.c_str());
    for (clang::tooling::CompileCommand &Command : Commands) {
      useOrigin(Command);
      dropWritten(Command);
      dropOtherSources(Command);
      auto [It, New] = Known.try_emplace(keyOf(Command), Slots.size());
      if (New)
        Slots.emplace_back();
      Slot &S = Slots[It->second];
      if (std::string Target = targetOf(Command); !llvm::is_contained(S.Targets, Target))
        S.Targets.push_back(std::move(Target));
      if (New)
        S.Command = std::move(Command);
    }
  }
  return Slots;
}

namespace {

/// Reads units, several at a time.
class UnitReader {
public:
  UnitReader(const CollectOptions &How, FactsCache *Kept) : Options(How), Cache(Kept), Pool(strategyOf(How)) {}

  /// Finds out what can be known of \p Slots without parsing them.
  void scanAll(std::vector<Slot> &Slots, Compilers &All);

  /// Reads those of \p Slots that have to be: first what is refused, and nothing else when any of that cannot be read.
  void readNeeded(std::vector<Slot> &Slots);

private:
  static llvm::ThreadPoolStrategy strategyOf(const CollectOptions &How) { return llvm::hardware_concurrency(How.Jobs); }
  bool readRefused(std::vector<Slot> &Slots);
  std::vector<Slot *> nextOf(std::vector<Slot> &Slots) const;
  void readAll(llvm::ArrayRef<Slot *> Next, size_t All);
  void readOne(Slot &S, size_t All);

  const CollectOptions &Options;
  FactsCache *Cache;
  llvm::DefaultThreadPool Pool;
  Scanner Scans;
  OwnCompilers Own;
  Lowering Code;
  NameSet Names; ///< that the units which are read declare
  std::mutex Mutex;
  unsigned Started = 0, Failed = 0;
};

} // namespace

/// Of so many units that do not compile it is shown what the compiler says.
static constexpr unsigned MostFailures = 10;

void UnitReader::scanAll(std::vector<Slot> &Slots, Compilers &All) {
  for (Slot &S : Slots)
    Pool.async([&] { scan(S, All, Scans); });
  Pool.wait();
}

void UnitReader::readNeeded(std::vector<Slot> &Slots) {
  if (!readRefused(Slots))
    return;
  for (std::vector<Slot *> Next = nextOf(Slots); !Next.empty(); Next = nextOf(Slots))
    readAll(Next, Slots.size());
}

/// Reads the units that cannot be preprocessed, of which some can be read all the same, see parse. Where a header of
/// the whole program is missing, some are enough. False when one cannot be read.
bool UnitReader::readRefused(std::vector<Slot> &Slots) {
  auto Fails = [](const Slot *S) { return !S->Failure.empty(); };
  std::vector<Slot *> Refused;
  bool Good = true;
  for (Slot &S : Slots)
    if (Fails(&S)) {
      S.Read = true;
      Good = false;
    } else if (S.Scan.Refused)
      Refused.push_back(&S);
  llvm::ArrayRef<Slot *> Rest = Refused;
  for (size_t Some = MostFailures; !Rest.empty(); Some *= 2) {
    llvm::ArrayRef<Slot *> Next = Rest.take_front(Some);
    Rest = Rest.drop_front(Next.size());
    readAll(Next, Slots.size());
    if (llvm::any_of(Next, Fails))
      return false;
  }
  return Good;
}

/// The units that have to be read now that those which are read declare Names.
std::vector<Slot *> UnitReader::nextOf(std::vector<Slot> &Slots) const {
  std::vector<Slot *> Rest, Next;
  std::vector<const UnitScan *> Units;
  for (Slot &S : Slots)
    if (!S.Read) {
      Rest.push_back(&S);
      Units.push_back(&S.Scan);
    }
  for (auto [S, Mentions] : llvm::zip_equal(Rest, Scans.mentioning(Units, Names)))
    if (S->Scan.MustRead || Mentions)
      Next.push_back(S);
  return Next;
}

/// Reads \p Next, of \p All units.
void UnitReader::readAll(llvm::ArrayRef<Slot *> Next, size_t All) {
  for (Slot *S : Next)
    Pool.async([this, S, All] { readOne(*S, All); });
  Pool.wait();
  for (Slot *S : Next) {
    S->Read = true;
    Names.insert(S->Known.Names.begin(), S->Known.Names.end());
    S->Known.Names.clear();
  }
}

void UnitReader::readOne(Slot &S, size_t All) {
  read(S, Cache, Own, Options.Code ? &Code : nullptr, [&] {
    if (!Options.Progress)
      return;
    std::lock_guard<std::mutex> Lock(Mutex);
    Options.Progress(++Started, All, S.Command.Filename);
  });
  if (S.Failure.empty() || !Options.Failed)
    return;
  std::lock_guard<std::mutex> Lock(Mutex);
  if (++Failed <= MostFailures)
    Options.Failed(S.Errors);
  S.Errors.clear();
}

/// That what is said of one unit goes for \p Others, and may for \p Doubtful ones.
static std::string countOf(unsigned Others, unsigned Doubtful) {
  std::string May = Doubtful ? std::to_string(Doubtful) + " that were not read" : "";
  if (Others == 0)
    return Doubtful ? ".\n  The same may go for " + May : "";
  return ".\n  The same goes for " + std::to_string(Others) + (Others == 1 ? " other unit" : " other units") +
         (Doubtful ? ", and may for " + May : "");
}

/// The facts of the units that were read, once for each target, and to \p Code, which may be null, their code; when
/// there were failures, these.
static llvm::Expected<std::vector<UnitFacts>> outcomeOf(std::vector<Slot> &Slots, std::vector<ir::Unit> *Code,
                                                        llvm::raw_ostream &Errors) {
  std::string FirstFailure;
  unsigned Failures = 0, Doubtful = 0;
  std::vector<UnitFacts> Result;
  for (Slot &S : Slots) {
    if (!S.Read) {
      Doubtful += S.Scan.Refused;
      continue;
    }
    if (!S.Failure.empty() && Failures++ == 0)
      FirstFailure = S.Failure;
    if (Failures <= MostFailures)
      Errors << S.Errors;
    for (std::string &Target : S.Targets) {
      bool IsLast = &Target == &S.Targets.back();
      Result.push_back(IsLast ? std::move(S.Known.Facts) : S.Known.Facts);
      Result.back().Target = std::move(Target);
      if (Code && S.Known.Code)
        Code->push_back(IsLast ? std::move(*S.Known.Code) : *S.Known.Code);
    }
  }
  if (Failures)
    return llvm::createStringError("%s", (FirstFailure + countOf(Failures - 1, Doubtful)).c_str());
  return Result;
}

llvm::Expected<std::vector<UnitFacts>> mpishm::collectFacts(const clang::tooling::CompilationDatabase &Database,
                                                            llvm::ArrayRef<std::string> Sources,
                                                            const CollectOptions &Options, llvm::raw_ostream &Errors) {
  llvm::Expected<std::string> Resources = findResourceDirectory();
  if (!Resources)
    return Resources.takeError();
  llvm::Expected<std::vector<Slot>> Made = slotsOf(Database, Sources);
  if (!Made)
    return Made.takeError();
  std::vector<Slot> &Slots = *Made;
  std::unique_ptr<FactsCache> Cache;
  if (!Options.Cache.empty()) {
    llvm::Expected<std::unique_ptr<FactsCache>> Opened = FactsCache::open(Options.Cache);
    if (!Opened)
      return Opened.takeError();
    Cache = std::move(*Opened);
  }
  Compilers All(*Resources);
  UnitReader Reader(Options, Cache.get());
  Reader.scanAll(Slots, All);
  Reader.readNeeded(Slots);

  if (Options.Sources)
    for (Slot &S : Slots) {
      // The program's own compiler has others.
      llvm::erase_if(S.Scan.Paths, [&](llvm::StringRef Path) { return Path.starts_with(*Resources); });
      if (!S.Scan.Paths.empty())
        Options.Sources->push_back({S.Scan.Paths.front(), S.Scan.Paths});
    }

  if (Options.UnreadFiles)
    *Options.UnreadFiles = filesOfUnread(Slots);
  return outcomeOf(Slots, Options.Code, Errors);
}
