// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output/Write.h"
#include "edit/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <unistd.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;

namespace {

/// A temporary file beside the one whose place it may take. It is removed when it has not been moved, also when a
/// signal ends the program.
class Temporary {
public:
  Temporary() = default;
  Temporary(Temporary &&Other) noexcept : Path(std::exchange(Other.Path, "")) {}
  Temporary &operator=(Temporary &&Other) noexcept {
    std::swap(Path, Other.Path);
    return *this;
  }
  ~Temporary() {
    if (Path.empty())
      return;
    (void)fs::remove(Path);
    llvm::sys::DontRemoveFileOnSignal(Path);
  }

  bool exists() const { return !Path.empty(); }

  /// Writes \p Text to a new file beside \p Target, with Target's mode and owner when that exists.
  std::error_code create(llvm::StringRef Target, llvm::StringRef Text);

  /// Takes the place of \p Target, in one step.
  std::error_code moveTo(const std::string &Target) {
    // Not TempFile::keep, which copies, bit by bit, when it cannot rename.
    if (::rename(Path.c_str(), Target.c_str()) != 0)
      return std::error_code(errno, std::generic_category());
    llvm::sys::DontRemoveFileOnSignal(Path);
    Path.clear();
    return {};
  }

private:
  std::string Path;
};

/// A file's new contents, and its old ones, waiting.
struct Staged {
  const OutputFile *File;
  Temporary New, Old;
};

/// Keeps signals that end the program away.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t Ending;
    sigemptyset(&Ending);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      sigaddset(&Ending, Signal);
    pthread_sigmask(SIG_BLOCK, &Ending, &Before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }

private:
  sigset_t Before;
};

} // namespace

static std::error_code copyModeAndOwner(int Descriptor, llvm::StringRef Model) {
  fs::file_status Status;
  if (std::error_code EC = fs::status(Model, Status))
    return EC == std::errc::no_such_file_or_directory ? std::error_code() : EC;
  // The owner of a file may not give it away, so that its group alone must do.
  if (fchown(Descriptor, Status.getUser(), Status.getGroup()) != 0 && Status.getUser() != geteuid())
    return std::error_code(errno, std::generic_category());
  return fs::setPermissions(Descriptor, Status.permissions());
}

std::error_code Temporary::create(llvm::StringRef Target, llvm::StringRef Text) {
  int Descriptor = -1;
  llvm::SmallString<256> Name;
  unsigned Mode = fs::exists(Target) ? fs::owner_read | fs::owner_write : fs::all_read | fs::all_write;
  if (std::error_code EC = fs::createUniqueFile(Target + ".mpishm-%%%%%%", Descriptor, Name, fs::OF_None, Mode))
    return EC;
  Path = Name.str().str();
  llvm::sys::RemoveFileOnSignal(Path);
  llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
  Out << Text;
  std::error_code EC = Out.error();
  Out.clear_error();
  if (!EC)
    EC = copyModeAndOwner(Descriptor, Target);
  // What takes a file's place must be on the disk, or a crash could leave an empty one.
  if (!EC && fsync(Descriptor) != 0 && errno != EINVAL)
    EC = std::error_code(errno, std::generic_category());
  std::error_code Closed = llvm::sys::Process::SafelyCloseFileDescriptor(Descriptor);
  return EC ? EC : Closed;
}

static llvm::Error wasChanged(llvm::StringRef Path) {
  return failure("'" + Path + "' was changed while it was analysed; nothing was changed. Run again");
}

/// Why \p File must not be replaced; nothing is read or written yet.
static llvm::Error check(const OutputFile &File) {
  fs::file_status Status;
  if (fs::status(File.Path, Status) == std::errc::no_such_file_or_directory)
    return File.Before ? wasChanged(File.Path) : llvm::Error::success();
  const char *Elsewhere = File.Before ? " or use -o DIR to write the changed files elsewhere" : " or give another name";
  if (fs::is_directory(Status))
    return failure("cannot write '" + File.Path + "': it is a folder; nothing was changed");
  if (std::error_code EC = fs::access(File.Path, fs::AccessMode::Write))
    return failure("cannot write '" + File.Path + "': " + EC.message() + "; nothing was changed. Make it writable," +
                   Elsewhere);
  if (Status.getLinkCount() > 1)
    return failure("will not replace '" + File.Path + "': the file has " + llvm::Twine(Status.getLinkCount()) +
                   " names (hard links), and what the others stand for is not known; nothing was changed. Make it a "
                   "file of its own (cp -p FILE COPY && mv COPY FILE)," +
                   Elsewhere);
  return llvm::Error::success();
}

/// The file's contents, or nothing when it cannot be read.
static std::optional<std::string> contentsOf(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  return Buffer ? std::optional((*Buffer)->getBuffer().str()) : std::nullopt;
}

static llvm::Error stage(Staged &S) {
  const std::string &Path = S.File->Path;
  std::optional<std::string> Now = contentsOf(Path);
  if (S.File->Before && Now != S.File->Before)
    return wasChanged(Path);
  std::error_code EC = S.New.create(Path, S.File->Text);
  if (!EC && Now)
    EC = S.Old.create(Path, *Now);
  if (EC)
    return failure("cannot write beside '" + Path + "': " + EC.message() + "; nothing was changed" +
                   (S.File->Before ? ". Use -o DIR to write the changed files elsewhere" : ""));
  return llvm::Error::success();
}

/// Puts back what the first \p Count files were.
static llvm::Error putBack(std::vector<Staged> &Files, size_t Count) {
  llvm::Error Result = llvm::Error::success();
  for (Staged &S : llvm::MutableArrayRef(Files).take_front(Count)) {
    std::error_code EC = S.Old.exists() ? S.Old.moveTo(S.File->Path) : fs::remove(S.File->Path);
    if (EC)
      Result = llvm::joinErrors(std::move(Result),
                                failure("'" + S.File->Path + "' could not be put back as it was: " + EC.message()));
  }
  return Result;
}

llvm::Error mpishm::writeAll(llvm::ArrayRef<OutputFile> Files) {
  for (const OutputFile &File : Files)
    if (llvm::Error E = check(File))
      return E;
  std::vector<Staged> All;
  for (const OutputFile &File : Files) {
    All.push_back({&File, {}, {}});
    if (llvm::Error E = stage(All.back()))
      return E;
  }
  SignalsBlocked Blocked;
  for (auto [Count, S] : llvm::enumerate(All))
    if (std::error_code EC = S.New.moveTo(S.File->Path)) {
      llvm::Error Stayed = putBack(All, Count);
      llvm::StringRef Rest = Stayed ? "" : "; nothing was changed";
      return llvm::joinErrors(failure("cannot replace '" + S.File->Path + "': " + EC.message() + Rest),
                              std::move(Stayed));
    }
  return llvm::Error::success();
}
