// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/Scan.h"
#include "sources/Compiler.h"
#include "clang/Tooling/DependencyScanning/DependencyScanningWorker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mpishm;
namespace dependencies = clang::tooling::dependencies;

uint64_t mpishm::hashOfName(llvm::StringRef Name) {
  return llvm::xxh3_64bits(Name) >> 1; // the largest values are DenseSet's own
}

namespace {

/// Takes the names of files from Clang's scan; modules are for other users.
class Consumer : public dependencies::DependencyConsumer, public dependencies::DependencyActionController {
public:
  void handleFileDependency(llvm::StringRef File) override { Files.push_back(File.str()); }
  void handleDependencyOutputOpts(const clang::DependencyOutputOptions &) override {}
  void handlePrebuiltModuleDependency(dependencies::PrebuiltModuleDep) override { Modules = true; }
  void handleModuleDependency(dependencies::ModuleDeps) override { Modules = true; }
  void handleDirectModuleDependency(dependencies::ModuleID) override { Modules = true; }
  void handleContextHash(std::string) override {}
  std::string lookupModuleOutput(const dependencies::ModuleID &, dependencies::ModuleOutputKind) override { return ""; }

  std::vector<std::string> Files;
  bool Modules = false;
};

} // namespace

static bool isNameCharacter(char C) { return llvm::isAlnum(C) || C == '_' || static_cast<unsigned char>(C) >= 0x80; }

/// Adds all words of \p Text.
static void addNames(llvm::StringRef Text, FileMentions &To) {
  NameSet Seen;
  llvm::StringRef Last;
  while (true) {
    // A number may end in a suffix that names an operator.
    Text = Text.drop_until([](char C) { return isNameCharacter(C) && !llvm::isDigit(C); });
    if (Text.empty())
      break;
    llvm::StringRef Name = Text.take_while(isNameCharacter);
    Text = Text.drop_front(Name.size());
    To.MpiName |= Name.starts_with("MPI_") || Name.starts_with("PMPI_") || Name.starts_with("MPISHM_");
    To.Replaces |= Last == "operator" && (Name == "new" || Name == "delete");
    Last = Name;
    if (uint64_t Hash = hashOfName(Name); Seen.insert(Hash).second)
      To.Names.push_back(Hash);
  }
}

bool mpishm::isSystemFile(llvm::StringRef Path) {
  return Path.starts_with("/usr/include/") || Path.starts_with("/usr/lib/");
}

Scanner::Scanner()
    : Service(dependencies::ScanningMode::DependencyDirectivesScan, dependencies::ScanningOutputFormat::Make) {}

/// Null when the file cannot be read.
const FileMentions *Scanner::mentionsOf(const std::string &Path) {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto It = Files.find(Path); It != Files.end())
      return &It->second;
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return nullptr;
  FileMentions Mentions;
  addNames((*Buffer)->getBuffer(), Mentions);
  Mentions.Pastes = (*Buffer)->getBuffer().contains("##");
  std::lock_guard<std::mutex> Lock(Mutex);
  return &Files.try_emplace(Path, std::move(Mentions)).first->second;
}

/// What -D brings into a unit, as if it stood in a file of that name.
const FileMentions *Scanner::mentionsOfDefinitions(llvm::ArrayRef<std::string> Arguments) {
  std::string Text;
  for (const std::string &Word : Arguments)
    if (llvm::StringRef(Word).contains('='))
      Text += Word + "\n";
  FileMentions Mentions;
  addNames(Text, Mentions);
  std::lock_guard<std::mutex> Lock(Mutex);
  return &Files.try_emplace("-D\n" + Text, std::move(Mentions)).first->second;
}

UnitScan Scanner::scan(const std::vector<std::string> &Arguments, const std::string &Directory) {
  UnitScan Result;
  Consumer Found;
  dependencies::DependencyScanningWorker Worker(Service, makeFileSystem(Arguments));
  if (llvm::Error E = Worker.computeDependencies(Directory, Arguments, Found, Found)) {
    llvm::consumeError(std::move(E)); // the parser will say what is wrong
    Result.Refused = true;
    return Result;
  }
  bool Unknown = Found.Modules || Found.Files.empty();
  bool IsOfSystem = !Unknown && isSystemFile(Found.Files.front());
  for (const std::string &File : Found.Files) {
    llvm::SmallString<256> Path(File);
    llvm::sys::fs::make_absolute(Directory, Path);
    if (Path.starts_with(getVirtualIncludeDirectory()))
      continue;
    if (IsOfSystem || !isSystemFile(Path))
      Result.Paths.push_back(Path.str().str());
    if (!Unknown)
      Result.AllPaths.push_back(Path.str().str());
  }
  for (const std::string &File : Found.Files) {
    llvm::SmallString<256> Path(File);
    llvm::sys::fs::make_absolute(Directory, Path);
    if (llvm::is_contained({"mpi.h", "mpishm.h"}, llvm::sys::path::filename(Path)))
      return Result;
    if (!IsOfSystem && isSystemFile(Path))
      continue;
    const FileMentions *Mentions = mentionsOf(Path.str().str());
    if (!Mentions || Mentions->MpiName || Mentions->Replaces || Mentions->Pastes)
      return Result;
    Result.Files.push_back(Mentions);
  }
  Result.Files.push_back(mentionsOfDefinitions(Arguments));
  Result.MustRead = Unknown;
  return Result;
}

std::vector<bool> Scanner::mentioning(const std::vector<const UnitScan *> &Units, const NameSet &Names) const {
  llvm::DenseMap<const FileMentions *, bool> Known;
  auto Mentions = [&](const FileMentions *File) {
    auto [It, New] = Known.try_emplace(File);
    if (New)
      It->second = llvm::any_of(File->Names, [&](uint64_t Name) { return Names.contains(Name); });
    return It->second;
  };
  std::vector<bool> Result;
  Result.reserve(Units.size());
  for (const UnitScan *Unit : Units)
    Result.push_back(llvm::any_of(Unit->Files, Mentions));
  return Result;
}
