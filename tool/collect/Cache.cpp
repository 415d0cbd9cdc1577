// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collect/Cache.h"
#include "collect/Serialize.h"
#include "constraints/Serialize.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/HashBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;

// What is added to it cannot run together: each text goes with its length.
using Hasher = llvm::HashBuilder<llvm::TruncatedBLAKE3<16>, llvm::endianness::little>;

static std::string resultOf(Hasher &Hash) { return llvm::toHex(Hash.final(), /*LowerCase=*/true); }

static std::string hashOf(llvm::StringRef Text) {
  Hasher Hash;
  Hash.add(Text);
  return resultOf(Hash);
}

llvm::Expected<std::unique_ptr<FactsCache>> FactsCache::open(llvm::StringRef Folder) {
  std::error_code Error = llvm::sys::fs::create_directories(Folder);
  if (!Error && !llvm::sys::fs::is_directory(Folder))
    Error = std::make_error_code(std::errc::not_a_directory);
  if (Error)
    return llvm::createStringError(Error, "cannot make the folder of --cache, '%s': %s", Folder.str().c_str(),
                                   Error.message().c_str());
  std::unique_ptr<FactsCache> Cache(new FactsCache(Folder));
  static int Anchor;
  Cache->Tool = Cache->stateOf(llvm::sys::fs::getMainExecutable(nullptr, &Anchor)).Text;
  if (Cache->Tool.empty())
    return llvm::createStringError("--cache: mpishm-rewrite cannot read its own program");
  Cache->Tool += clang::getClangFullVersion();
  return Cache;
}

const FactsCache::State &FactsCache::stateOf(const std::string &Path) {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (auto It = States.find(Path); It != States.end())
      return It->second;
  }
  State Now;
  llvm::sys::fs::file_status Status;
  llvm::SmallString<256> Real;
  if (!llvm::sys::fs::status(Path, Status) && !llvm::sys::fs::real_path(Path, Real))
    if (auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false))
      Now = {hashOf((*Text)->getBuffer()) + " " + Real.str().str(), Status.getLastModificationTime(), Status.getSize()};
  std::lock_guard<std::mutex> Lock(Mutex);
  return States.try_emplace(Path, std::move(Now)).first->second;
}

FactsCache::Entry FactsCache::entryFor(llvm::ArrayRef<std::string> Arguments, llvm::StringRef Directory,
                                       llvm::StringRef Own, llvm::ArrayRef<std::string> Files) {
  if (Files.empty())
    return {};
  Hasher Command;
  Command.add(Directory);
  Command.add(Arguments.size());
  for (const std::string &Word : Arguments)
    Command.add(llvm::StringRef(Word));
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, resultOf(Command));

  Hasher All;
  All.add(llvm::StringRef(Tool));
  All.add(Own);
  for (const std::string &File : Files) {
    const std::string &State = stateOf(File).Text;
    if (State.empty())
      return {};
    All.add(llvm::StringRef(File));
    All.add(llvm::StringRef(State));
  }
  return {Path.str().str(), resultOf(All), Files};
}

// A file is the key, the hash of what follows, the number of bytes that the facts have, these, and the code, if any.

bool FactsCache::read(const Entry &From, bool WithCode, UnitKnowledge &Known) const {
  if (From.Path.empty())
    return false;
  auto File = llvm::MemoryBuffer::getFile(From.Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!File)
    return false;
  llvm::StringRef Bytes = (*File)->getBuffer();
  if (!Bytes.consume_front(From.Key))
    return false;
  llvm::StringRef Hash = Bytes.take_front(From.Key.size());
  Bytes = Bytes.drop_front(Hash.size());
  uint64_t Size = 0;
  if (Hash != hashOf(Bytes) || Bytes.consumeInteger(10, Size) || !Bytes.consume_front(" ") || Size > Bytes.size())
    return false;
  llvm::StringRef Code = Bytes.drop_front(Size);
  if (WithCode && (Code.empty() || !ir::readUnit(Code, Known.Code.emplace())))
    return false;
  return readFacts(Bytes.take_front(Size), Known.Facts, Known.Names);
}

void FactsCache::write(const Entry &To, const UnitKnowledge &Known) {
  auto Changed = [this](const std::string &File) {
    const State &Then = stateOf(File);
    llvm::sys::fs::file_status Now;
    return llvm::sys::fs::status(File, Now) || Now.getLastModificationTime() != Then.Time || Now.getSize() != Then.Size;
  };
  if (To.Path.empty() || llvm::any_of(To.Files, Changed))
    return;
  llvm::Expected<llvm::sys::fs::TempFile> File = llvm::sys::fs::TempFile::create(To.Path + ".%%%%%%");
  if (!File)
    return llvm::consumeError(File.takeError());
  std::string Bytes = writeFacts(Known.Facts, Known.Names);
  Bytes.insert(0, std::to_string(Bytes.size()) + " ");
  if (Known.Code)
    Bytes += ir::writeUnit(*Known.Code);
  llvm::raw_fd_ostream Out(File->FD, /*shouldClose=*/false);
  Out << To.Key << hashOf(Bytes) << Bytes;
  Out.flush();
  bool Failed = Out.has_error();
  Out.clear_error();
  llvm::Error E = Failed ? File->discard() : File->keep(To.Path);
  if (E)
    llvm::consumeError(std::move(E));
}
