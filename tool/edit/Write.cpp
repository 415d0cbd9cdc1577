// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Write.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;

namespace {

llvm::Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// A file's new contents, written and waiting to take its place.
struct Staged {
  std::string Target;
  const EditedFile *File;
  std::optional<fs::TempFile> Temporary;
};

/// Writes \p Text to a temporary file beside \p Target, with the mode and owner of \p Model where that exists.
llvm::Expected<fs::TempFile> stage(llvm::StringRef Target, llvm::StringRef Text, llvm::StringRef Model) {
  llvm::Expected<fs::TempFile> Temporary = fs::TempFile::create(Target + ".mpishm-%%%%%%");
  if (!Temporary)
    return Temporary.takeError();
  llvm::raw_fd_ostream Out(Temporary->FD, /*shouldClose=*/false);
  Out << Text;
  Out.flush();
  std::error_code EC = Out.error();
  Out.clear_error();
  fs::file_status Status;
  if (!EC && !(EC = fs::status(Model, Status))) {
    if (fchown(Temporary->FD, Status.getUser(), Status.getGroup()) != 0 && Status.getUser() != geteuid())
      EC = std::error_code(errno, std::generic_category());
    else
      EC = fs::setPermissions(Temporary->FD, Status.permissions());
  }
  if (EC) {
    llvm::consumeError(Temporary->discard());
    return llvm::errorCodeToError(EC);
  }
  return Temporary;
}

/// True when \p Path still has the contents that the edits were made from.
bool isUnchanged(const EditedFile &File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File.Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  return Buffer && (*Buffer)->getBuffer() == File.Before;
}

/// Puts the old contents of the first \p Count files back.
llvm::Error putBack(llvm::ArrayRef<Staged> Files, size_t Count) {
  llvm::Error Result = llvm::Error::success();
  for (const Staged &S : Files.take_front(Count)) {
    llvm::Expected<fs::TempFile> Old = stage(S.Target, S.File->Before, S.Target);
    llvm::Error E = Old ? Old->keep(S.Target) : Old.takeError();
    if (E)
      Result = llvm::joinErrors(
          std::move(Result),
          llvm::joinErrors(failure("'" + S.Target + "' could not be put back as it was"), std::move(E)));
  }
  return Result;
}

} // namespace

llvm::Error mpishm::writeInPlace(llvm::ArrayRef<EditedFile> Files) {
  for (const EditedFile &File : Files)
    if (std::error_code EC = fs::access(File.Path, fs::AccessMode::Write))
      return failure("cannot write '" + File.Path + "': " + EC.message() +
                     "; nothing was changed. Make it writable, or use -o DIR to write the changed files elsewhere");
  std::vector<Staged> All;
  auto Discard = llvm::make_scope_exit([&] {
    for (Staged &S : All)
      if (S.Temporary)
        llvm::consumeError(S.Temporary->discard());
  });
  for (const EditedFile &File : Files) {
    llvm::Expected<fs::TempFile> Temporary = stage(File.Path, File.After, File.Path);
    if (!Temporary)
      return failure("cannot write beside '" + File.Path + "': " + llvm::toString(Temporary.takeError()) +
                     "; nothing was changed. Use -o DIR to write the changed files elsewhere");
    All.push_back({File.Path, &File, std::move(*Temporary)});
  }
  for (const EditedFile &File : Files)
    if (!isUnchanged(File))
      return failure("'" + File.Path + "' was changed while it was analysed; nothing was changed. Run again");
  for (auto [Count, S] : llvm::enumerate(All)) {
    llvm::Error E = S.Temporary->keep(S.Target);
    S.Temporary.reset();
    if (E)
      return llvm::joinErrors(failure("cannot replace '" + S.Target + "': " + llvm::toString(std::move(E))),
                              putBack(All, Count));
  }
  return llvm::Error::success();
}

llvm::Error mpishm::writeBelow(llvm::ArrayRef<EditedFile> Files, llvm::StringRef Folder, llvm::StringRef Root) {
  std::vector<Staged> All;
  auto Discard = llvm::make_scope_exit([&] {
    for (Staged &S : All)
      if (S.Temporary)
        llvm::consumeError(S.Temporary->discard());
  });
  for (const EditedFile &File : Files) {
    llvm::StringRef Relative = File.Path;
    if (!Relative.consume_front(Root))
      return failure("'" + File.Path + "' is not below '" + Root + "'");
    llvm::SmallString<256> Target(Folder);
    llvm::sys::path::append(Target, Relative);
    if (std::error_code EC = fs::create_directories(llvm::sys::path::parent_path(Target)))
      return failure("cannot make the folder of '" + Target + "': " + EC.message());
    llvm::Expected<fs::TempFile> Temporary = stage(Target, File.After, File.Path);
    if (!Temporary)
      return failure("cannot write '" + Target + "': " + llvm::toString(Temporary.takeError()));
    All.push_back({Target.str().str(), &File, std::move(*Temporary)});
  }
  for (Staged &S : All) {
    llvm::Error E = S.Temporary->keep(S.Target);
    S.Temporary.reset();
    if (E)
      return failure("cannot write '" + S.Target + "': " + llvm::toString(std::move(E)));
  }
  return llvm::Error::success();
}
