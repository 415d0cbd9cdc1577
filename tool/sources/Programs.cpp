// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sources/Programs.h"
#include "sources/Compiler.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <mutex>
#include <optional>
#include <sys/mman.h>

using namespace mpishm;

// Made by the build from runtime/include/mpishm.h and from LLVM's installation.
namespace mpishm {
extern const char *const RuntimeHeaderLines[]; ///< up to a null pointer
extern const char *const BuildResourceDirectory;
extern const char *const InstalledResources;
} // namespace mpishm

static constexpr unsigned TimeoutSeconds = 60;

llvm::Expected<std::string> mpishm::runProgram(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Arguments) {
  llvm::ErrorOr<std::string> Path = llvm::sys::findProgramByName(Program);
  if (!Path)
    return llvm::createStringError(Path.getError(), "'%s' is not found", Program.str().c_str());
  // A file without a name, so that nothing is left of it however this ends. The program's process opens it before it
  // becomes the program, which does not have it under this number.
  llvm::sys::fs::file_t Output = memfd_create("mpishm", MFD_CLOEXEC);
  if (Output < 0)
    return llvm::createStringError(llvm::errnoAsErrorCode(), "no temporary file can be made");
  auto Closer = llvm::make_scope_exit([&] { (void)llvm::sys::fs::closeFile(Output); });
  std::string Name = "/proc/self/fd/" + std::to_string(Output);
  llvm::SmallVector<llvm::StringRef, 4> Command = {Program};
  Command.append(Arguments.begin(), Arguments.end());
  std::string Message;
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(""), llvm::StringRef(Name), llvm::StringRef("")};
  int Status = llvm::sys::ExecuteAndWait(*Path, Command, std::nullopt, Redirects, TimeoutSeconds, 0, &Message);
  if (Status != 0)
    return llvm::createStringError("'%s' ended with status %d%s%s", Program.str().c_str(), Status,
                                   Message.empty() ? "" : ": ", Message.c_str());
  auto Buffer = llvm::MemoryBuffer::getOpenFile(Output, Name, /*FileSize=*/-1);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(), "the output of '%s' cannot be read", Program.str().c_str());
  return (*Buffer)->getBuffer().str();
}

/// Texts that lead to GCC's headers, by their names. GCC finds omp.h also without -fopenmp; but its folder has headers
/// in it that Clang's own would go on to (stdatomic.h) and cannot be read with.
static const llvm::StringMap<std::string> &gccHeaders() {
  static const llvm::StringMap<std::string> Texts = [] {
    llvm::StringMap<std::string> Found;
    llvm::Expected<std::string> Answer = runProgram("gcc", {"-print-file-name=include"});
    if (!Answer) {
      llvm::consumeError(Answer.takeError());
      return Found;
    }
    for (llvm::StringRef Name : {"omp.h", "quadmath.h"}) {
      llvm::SmallString<256> Header(llvm::StringRef(*Answer).trim());
      llvm::sys::path::append(Header, Name);
      // It names functions that free, which Clang's attribute cannot take.
      if (llvm::sys::fs::exists(Header))
        Found[Name] = ("#pragma push_macro(\"__malloc__\")\n#define __malloc__(...) __malloc__\n#include \"" + Header +
                       "\"\n#pragma pop_macro(\"__malloc__\")\n")
                          .str();
    }
    return Found;
  }();
  return Texts;
}

llvm::StringRef mpishm::getVirtualIncludeDirectory() { return "/mpishm-builtin/include"; }

llvm::StringRef mpishm::getGccIncludeDirectory() { return "/mpishm-builtin/include/gcc"; }

llvm::StringRef mpishm::getRuntimeHeader() {
  static const std::string Text = [] {
    std::string All;
    for (const char *const *Line = RuntimeHeaderLines; *Line; ++Line)
      All += *Line;
    return All;
  }();
  return Text;
}

/// CMake's header of what it precompiles says that it is the system's, and so would be the program's headers in it. Its
/// text without saying so, with all else in its place; empty where \p Path is no such file. Thread-safe. The text
/// stays: the scanner remembers files longer than it has their file system.
static llvm::StringRef readAsOwn(llvm::StringRef Path) {
  if (!llvm::sys::path::filename(Path).starts_with("cmake_pch") || !llvm::sys::path::is_absolute(Path))
    return "";
  static std::mutex Mutex;
  static llvm::StringMap<std::string> Texts;
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, New] = Texts.try_emplace(Path);
  std::string &Text = It->second;
  if (New)
    if (auto File = llvm::MemoryBuffer::getFile(Path))
      Text = (*File)->getBuffer().str();
  for (llvm::StringRef Pragma : {"#pragma GCC system_header", "#pragma clang system_header"})
    if (size_t At = Text.find(Pragma); New && At != std::string::npos)
      Text.replace(At, Pragma.size(), Pragma.size(), ' ');
  return Text;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> mpishm::makeFileSystem(llvm::ArrayRef<std::string> Arguments) {
  // Whether or not its build asks for MPI's own functions: the program is the same.
  static const std::string Header = ("#undef MPISHM_OFF\n" + getRuntimeHeader()).str();
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Memory->addFile(getVirtualIncludeDirectory() + "/mpishm.h", 0, llvm::MemoryBuffer::getMemBuffer(Header, "mpishm.h"));
  for (const llvm::StringMapEntry<std::string> &Each : gccHeaders())
    Memory->addFile(getGccIncludeDirectory() + "/" + Each.getKey(), 0,
                    llvm::MemoryBuffer::getMemBuffer(Each.getValue(), Each.getKey()));
  for (const std::string &Word : Arguments)
    if (llvm::StringRef Text = readAsOwn(Word); !Text.empty())
      Memory->addFile(Word, 0, llvm::MemoryBuffer::getMemBuffer(Text, Word));
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Real(llvm::vfs::createPhysicalFileSystem().release());
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Real);
  Overlay->pushOverlay(Memory);
  return Overlay;
}

llvm::Expected<std::string> mpishm::findResourceDirectory() {
  static int Anchor;
  auto IsGood = [](llvm::StringRef Folder) {
    llvm::SmallString<256> Header(Folder);
    llvm::sys::path::append(Header, "include", "stddef.h");
    return llvm::sys::fs::exists(Header);
  };
  llvm::SmallString<256> Beside(llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(nullptr, &Anchor)));
  llvm::sys::path::append(Beside, InstalledResources);
  llvm::sys::path::remove_dots(Beside, /*remove_dot_dot=*/true);
  if (IsGood(Beside))
    return std::string(Beside);
  if (IsGood(BuildResourceDirectory))
    return std::string(BuildResourceDirectory);
  for (llvm::StringRef Name : {"clang-" CLANG_VERSION_MAJOR_STRING, "clang"}) {
    llvm::Expected<std::string> Answer = runProgram(Name, {"-print-resource-dir"});
    if (!Answer) {
      llvm::consumeError(Answer.takeError());
      continue;
    }
    llvm::StringRef Folder = llvm::StringRef(*Answer).trim();
    // Another version's builtin headers need not suit this parser.
    if (llvm::sys::path::filename(Folder).starts_with(CLANG_VERSION_MAJOR_STRING) && IsGood(Folder))
      return Folder.str();
  }
  return llvm::createStringError(
      "Clang's own headers (stddef.h of version " CLANG_VERSION_MAJOR_STRING
      ") are found neither in '%s' nor in '%s', and there is no clang-" CLANG_VERSION_MAJOR_STRING
      " in PATH; install Clang " CLANG_VERSION_MAJOR_STRING,
      Beside.c_str(), BuildResourceDirectory);
}
