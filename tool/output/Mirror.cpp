// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output/Mirror.h"
#include "edit/Directives.h"
#include "edit/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <unistd.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string withoutDots(llvm::StringRef Path) {
  llvm::SmallString<256> Clean(Path);
  path::remove_dots(Clean, /*remove_dot_dot=*/true);
  return Clean.str().str();
}

namespace {

class MirrorWriter {
public:
  MirrorWriter(llvm::ArrayRef<EditedFile> Edited, llvm::ArrayRef<UnitSources> U, llvm::StringRef F)
      : Units(U), Folder(F.str()) {
    for (const EditedFile &E : Edited)
      Edits[E.Path] = &E;
  }
  llvm::Error run();

private:
  llvm::Error makeFolders(llvm::StringRef Path);
  llvm::Error place(const std::string &Path);
  llvm::Expected<std::string> textOf(llvm::StringRef Path, bool &IsEdited);
  std::string withMirroredIncludes(llvm::StringRef Text) const;
  llvm::Error writeText(const std::string &Target, llvm::StringRef Text, bool &Written);
  llvm::Error writeLink(const std::string &Target, const std::string &Original, bool &Written);
  llvm::Error touch(const std::string &Target);
  llvm::Error removeOld();
  std::string list(const std::set<std::string> &Paths) const {
    return llvm::join(Paths, "\n") + (Paths.empty() ? "" : "\n");
  }

  llvm::ArrayRef<UnitSources> Units;
  const std::string Folder;
  llvm::StringMap<const EditedFile *> Edits; ///< by real path
  std::set<std::string> Files, Sources;      ///< all paths, without dots
  std::set<std::string> EditedPaths, Changed;
  llvm::StringSet<> Placed; ///< real paths
};

} // namespace

/// The folders on the way to \p Path, also those that `..` leaves again.
llvm::Error MirrorWriter::makeFolders(llvm::StringRef Path) {
  std::error_code EC = fs::create_directories(Folder + path::parent_path(withoutDots(Path)));
  for (llvm::StringRef Way = Path; !EC && Way.contains("/../"); Way = Way.take_front(Way.rfind("/../")))
    EC = fs::create_directories(Folder + withoutDots(Way.take_front(Way.rfind("/../"))));
  return EC ? failure("cannot make a folder below '" + Folder + "': " + EC.message()) : llvm::Error::success();
}

/// What includes an absolute path would leave the mirror, as generated sources of unity builds do.
std::string MirrorWriter::withMirroredIncludes(llvm::StringRef Text) const {
  if (!Text.contains("\"/") && !Text.contains("</"))
    return Text.str();
  std::string Result;
  size_t Done = 0;
  for (const IncludeLine &I : readDirectives(Text).Includes) {
    size_t Name = Text.find(I.Name, I.Begin);
    if (!path::is_absolute(I.Name) || Name >= I.End || !Files.count(withoutDots(I.Name)))
      continue;
    Result += (Text.slice(Done, Name) + Folder).str();
    Done = Name;
  }
  return Result + Text.substr(Done).str();
}

llvm::Expected<std::string> MirrorWriter::textOf(llvm::StringRef Path, bool &IsEdited) {
  llvm::SmallString<256> Real;
  if (std::error_code EC = fs::real_path(Path, Real))
    return failure("cannot find '" + Path + "': " + EC.message());
  auto Edit = Edits.find(Real);
  IsEdited = Edit != Edits.end();
  Placed.insert(Real);
  if (IsEdited)
    return withMirroredIncludes(Edit->second->After);
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return failure("cannot read '" + Path + "': " + Buffer.getError().message());
  return withMirroredIncludes((*Buffer)->getBuffer());
}

llvm::Error MirrorWriter::writeText(const std::string &Target, llvm::StringRef Text, bool &Written) {
  fs::file_status Status;
  if (!fs::status(Target, Status, /*follow=*/false) && Status.type() == fs::file_type::regular_file)
    if (auto There = llvm::MemoryBuffer::getFile(Target, /*IsText=*/false, /*RequiresNullTerminator=*/false))
      if ((*There)->getBuffer() == Text)
        return llvm::Error::success();
  Written = true;
  if (Status.type() == fs::file_type::symlink_file) // what it leads to is an original
    if (std::error_code EC = fs::remove(Target))
      return failure("cannot replace '" + Target + "': " + EC.message());
  return llvm::writeToOutput(Target, [&](llvm::raw_ostream &Out) {
    Out << Text;
    return llvm::Error::success();
  });
}

llvm::Error MirrorWriter::writeLink(const std::string &Target, const std::string &Original, bool &Written) {
  std::string Text(4096, '\0');
  Text.resize(std::max<ssize_t>(::readlink(Target.c_str(), Text.data(), Text.size()), 0));
  if (Text == Original)
    return llvm::Error::success();
  Written = true;
  if (std::error_code EC = fs::remove(Target))
    return failure("cannot replace '" + Target + "': " + EC.message());
  if (::symlink(Original.c_str(), Target.c_str()) != 0)
    return failure("cannot write '" + Target + "': " + std::error_code(errno, std::generic_category()).message());
  return llvm::Error::success();
}

llvm::Error MirrorWriter::place(const std::string &Path) {
  bool IsEdited = false, Written = false;
  llvm::Expected<std::string> Text = textOf(Path, IsEdited);
  if (!Text)
    return Text.takeError();
  if (IsEdited)
    EditedPaths.insert(Path);
  bool Copied = IsEdited || Sources.count(Path) || Text->find(Folder + "/") != std::string::npos;
  std::string Target = Folder + Path;
  if (llvm::Error E = Copied ? writeText(Target, *Text, Written) : writeLink(Target, Path, Written))
    return E;
  if (Written)
    Changed.insert(Path);
  return llvm::Error::success();
}

llvm::Error MirrorWriter::touch(const std::string &Target) {
  int Descriptor = -1;
  std::error_code EC = fs::openFileForWrite(Target, Descriptor, fs::CD_OpenExisting, fs::OF_Append);
  if (!EC) {
    EC = fs::setLastAccessAndModificationTime(Descriptor, std::chrono::system_clock::now());
    ::close(Descriptor);
  }
  return EC ? failure("cannot touch '" + Target + "': " + EC.message()) : llvm::Error::success();
}

/// A header that is gone must not be found here instead of another one of its name.
llvm::Error MirrorWriter::removeOld() {
  std::string List = Folder + "/files.txt";
  bool Written = false;
  if (auto Old = llvm::MemoryBuffer::getFile(List))
    for (llvm::line_iterator Line(**Old); !Line.is_at_end(); ++Line)
      if (!Files.count(Line->str()))
        if (std::error_code EC = fs::remove(Folder + *Line))
          return failure("cannot remove '" + Folder + *Line + "': " + EC.message());
  return writeText(List, list(Files), Written);
}

llvm::Error MirrorWriter::run() {
  for (const UnitSources &Unit : Units) {
    Sources.insert(withoutDots(Unit.Source));
    for (const std::string &File : Unit.Files)
      if (std::string Path = withoutDots(File); fs::exists(Path)) // a link before `..` may lead elsewhere
        Files.insert(std::move(Path));
  }
  for (const UnitSources &Unit : Units)
    for (const std::string &File : Unit.Files)
      if (llvm::Error E = makeFolders(File))
        return E;
  for (const std::string &File : Files)
    if (llvm::Error E = place(File))
      return E;
  for (const auto &Edit : Edits)
    if (!Placed.contains(Edit.first()))
      return failure("'" + Edit.first() + "' is included by a path from which a link and `..` lead elsewhere");
  for (const UnitSources &Unit : Units) {
    auto IsChanged = [&](const std::string &File) { return Changed.count(withoutDots(File)) != 0; };
    if (!IsChanged(Unit.Source) && llvm::any_of(Unit.Files, IsChanged))
      if (llvm::Error E = touch(Folder + withoutDots(Unit.Source)))
        return E;
  }
  bool Written = false;
  if (llvm::Error E = removeOld())
    return E;
  return writeText(Folder + "/edited.txt", list(EditedPaths), Written);
}

llvm::Error mpishm::writeMirror(llvm::ArrayRef<EditedFile> Edited, llvm::ArrayRef<UnitSources> Units,
                                llvm::StringRef Folder) {
  llvm::SmallString<256> Absolute(Folder);
  if (std::error_code EC = fs::make_absolute(Absolute))
    return failure("cannot find '" + Folder + "': " + EC.message());
  return MirrorWriter(Edited, Units, withoutDots(Absolute)).run();
}
