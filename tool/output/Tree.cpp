// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "output/Tree.h"
#include "edit/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace mpishm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool isBelow(llvm::StringRef Path, llvm::StringRef Folder) {
  return Path.consume_front(Folder) && (Path.empty() || Folder.ends_with("/") || Path.starts_with("/"));
}

static std::string joined(llvm::StringRef Folder, llvm::StringRef Relative) {
  llvm::SmallString<256> Result(Folder);
  path::append(Result, Relative);
  return Result.str().str();
}

bool mpishm::isVersionControl(llvm::StringRef Name) {
  return llvm::is_contained({".git", ".hg", ".svn", ".bzr", "CVS"}, Name);
}

static bool isBuildFolder(llvm::StringRef Folder) {
  return fs::exists(joined(Folder, "CMakeCache.txt")) || fs::exists(joined(Folder, "meson-info/meson-info.json"));
}

/// In a copy, so that the next one, made in another folder, leaves it out.
static constexpr llvm::StringLiteral CopyMark = ".mpishm-rewrite";

static std::error_code writeMark(llvm::StringRef Folder, llvm::StringRef Root) {
  std::error_code EC;
  llvm::raw_fd_ostream Out(joined(Folder, CopyMark), EC, fs::CD_CreateAlways);
  if (EC)
    return EC;
  Out << "A copy of " << Root << ", made by mpishm-rewrite -o. Other copies leave it out.\n";
  Out.close();
  EC = Out.error();
  Out.clear_error();
  return EC;
}

/// What a build has to do with a file, by its first bytes.
enum class Product { None, Program, Library };

static Product productOf(llvm::StringRef File) {
  llvm::file_magic Magic;
  if (llvm::identify_magic(File, Magic))
    return Product::None;
  switch (Magic) {
  case llvm::file_magic::elf_relocatable:
  case llvm::file_magic::elf_executable:
  case llvm::file_magic::bitcode:
    return Product::Program;
  case llvm::file_magic::elf_shared_object: // or an executable that may be loaded anywhere
    return path::filename(File).contains(".so") ? Product::Library : Product::Program;
  case llvm::file_magic::archive:
    return Product::Library;
  default:
    return Product::None;
  }
}

namespace {

class TreeWriter {
public:
  TreeWriter(llvm::ArrayRef<EditedFile> Files, const TreeOptions &O) : Options(O) {
    for (const EditedFile &F : Files)
      Edited[F.Path] = &F;
    for (const std::string &Path : O.Without)
      Without.insert(Path);
  }
  llvm::Error run();
  std::vector<std::string> LeftOut; ///< large files

private:
  /// What a path below Root is to be in the copy.
  struct Entry {
    std::string Relative;
    fs::file_type Type = fs::file_type::regular_file;
    const EditedFile *Edit = nullptr;
  };

  llvm::Error checkFolder();
  bool isLeftOut(const std::string &Path) const;
  llvm::Error list(const std::string &Folder);
  llvm::Error add(const fs::directory_entry &Found);
  llvm::Error tooMuch(llvm::StringRef What) const;
  llvm::Error writeInto(llvm::StringRef Folder);
  std::error_code write(const Entry &E, const std::string &Target);
  std::error_code copyFile(const std::string &Source, const EditedFile *Edit, const std::string &Target);
  std::error_code copyLink(const std::string &Source, const std::string &Target);
  bool isThere(const Entry &E) const;
  llvm::Error moveNew(llvm::StringRef Stage);
  std::string sourceOf(const Entry &E) const { return joined(Options.Root, E.Relative); }

  const TreeOptions &Options;
  llvm::StringMap<const EditedFile *> Edited;
  llvm::StringSet<> Without;
  std::string Folder; ///< the copy's real path
  bool New = false;   ///< there is no copy yet
  std::vector<Entry> Entries;
  uint64_t Bytes = 0; ///< of all entries
};

} // namespace

llvm::Error TreeWriter::checkFolder() {
  llvm::SmallString<256> Real;
  if (fs::real_path(Options.Folder, Real)) {
    llvm::SmallString<256> Absolute(Options.Folder);
    if (std::error_code EC = fs::make_absolute(Absolute))
      return failure("cannot find '" + Options.Folder + "': " + EC.message());
    path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    llvm::StringRef Parent = path::parent_path(Absolute);
    if (std::error_code EC = fs::create_directories(Parent))
      return failure("cannot make the folder '" + Parent + "': " + EC.message());
    if (std::error_code EC = fs::real_path(Parent, Real))
      return failure("cannot find '" + Parent + "': " + EC.message());
    path::append(Real, path::filename(Absolute));
  } else if (!fs::is_directory(Real)) {
    return failure("cannot write below '" + Options.Folder + "': it is no folder");
  }
  Folder = Real.str().str();
  if (isBelow(Options.Root, Folder))
    return failure("-o must name a folder other than that of the program, '" + Options.Root +
                   "'. Use -i to edit in place");
  for (const auto &File : Edited)
    if (isBelow(File.first(), Folder))
      return failure("-o must not name a folder that holds sources: '" + File.first() + "' is below it");
  return llvm::Error::success();
}

bool TreeWriter::isLeftOut(const std::string &Path) const {
  if (Path == Folder || isVersionControl(path::filename(Path)) || isBuildFolder(Path))
    return true;
  auto IsBelow = [&](const std::string &File) { return isBelow(File, Path); };
  return fs::exists(joined(Path, CopyMark)) && llvm::none_of(Options.Read, IsBelow);
}

llvm::Error TreeWriter::add(const fs::directory_entry &Found) {
  const std::string &Path = Found.path();
  fs::file_type Type = Found.type();
  if (Type == fs::file_type::directory_file)
    return isLeftOut(Path) ? llvm::Error::success() : list(Path);
  if (path::filename(Path) == CopyMark)
    return llvm::Error::success();
  if (Type != fs::file_type::regular_file && Type != fs::file_type::symlink_file)
    return llvm::Error::success(); // sockets and the like
  auto Edit = Edited.find(Path);
  bool IsEdited = Edit != Edited.end();
  if (Without.contains(Path) ||
      (!IsEdited && Type == fs::file_type::regular_file && productOf(Path) == Product::Program))
    return llvm::Error::success();
  uint64_t Size = 0;
  if (!IsEdited && Type == fs::file_type::regular_file)
    if (std::error_code EC = fs::file_size(Path, Size))
      return failure("cannot read '" + Path + "': " + EC.message());
  if (Size > Options.LargeFile) {
    LeftOut.push_back(Path);
    return llvm::Error::success();
  }
  llvm::StringRef Relative = Path;
  Relative.consume_front(Options.Root);
  Entries.push_back({Relative.ltrim('/').str(), Type, IsEdited ? Edit->second : nullptr});
  Bytes += Size;
  if (IsEdited)
    Edited.erase(Edit);
  if (Entries.size() > Options.MostFiles)
    return tooMuch(llvm::formatv("{0} files", Options.MostFiles).str());
  if (Bytes > Options.MostBytes)
    return tooMuch(llvm::formatv("{0} MB", Options.MostBytes >> 20).str());
  return llvm::Error::success();
}

llvm::Error TreeWriter::tooMuch(llvm::StringRef What) const {
  return failure(llvm::formatv("'{0}' has more than {1}, which -o would copy; it is the deepest folder that holds the "
                               "database, all sources and the headers that are named relative to them. Use -i, on a "
                               "copy of the program",
                               Options.Root, What));
}

llvm::Error TreeWriter::list(const std::string &From) {
  std::error_code EC;
  std::vector<fs::directory_entry> Found;
  for (fs::directory_iterator I(From, EC, /*follow_symlinks=*/false), End; !EC && I != End; I.increment(EC))
    Found.push_back(*I);
  if (EC)
    return failure("cannot read the folder '" + From + "': " + EC.message());
  llvm::sort(Found, [](const auto &A, const auto &B) { return A.path() < B.path(); });
  for (const fs::directory_entry &Each : Found)
    if (llvm::Error E = add(Each))
      return E;
  return llvm::Error::success();
}

std::error_code TreeWriter::copyFile(const std::string &Source, const EditedFile *Edit, const std::string &Target) {
  fs::file_status Status;
  if (std::error_code EC = fs::status(Source, Status))
    return EC;
  int Descriptor = -1;
  if (std::error_code EC = fs::openFileForWrite(Target, Descriptor, fs::CD_CreateNew))
    return EC;
  std::error_code EC;
  if (Edit) {
    llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
    Out << Edit->After;
    EC = Out.error();
    Out.clear_error();
  } else if (!(EC = fs::copy_file(Source, Descriptor)) && New) {
    EC = fs::setLastAccessAndModificationTime(Descriptor, Status.getLastModificationTime());
  }
  if (!EC)
    EC = fs::setPermissions(Descriptor, Status.permissions());
  std::error_code Closed = llvm::sys::Process::SafelyCloseFileDescriptor(Descriptor);
  return EC ? EC : Closed;
}

static std::string readLink(const std::string &Link) {
  std::string Text(4096, '\0');
  Text.resize(std::max<ssize_t>(::readlink(Link.c_str(), Text.data(), Text.size()), 0));
  return Text;
}

/// What a link must say in the copy: the same, unless that would lead elsewhere.
static std::string linkText(const std::string &Link, llvm::StringRef Root, llvm::StringRef Copy) {
  std::string Text = readLink(Link);
  llvm::SmallString<256> Goal(Text);
  fs::make_absolute(path::parent_path(Link), Goal);
  path::remove_dots(Goal, /*remove_dot_dot=*/true);
  if (!isBelow(Goal, Root))
    return Goal.str().str();
  return path::is_relative(Text) ? Text : joined(Copy, Goal.str().substr(Root.size()).ltrim('/'));
}

std::error_code TreeWriter::copyLink(const std::string &Source, const std::string &Target) {
  if (::symlink(linkText(Source, Options.Root, Folder).c_str(), Target.c_str()) != 0)
    return std::error_code(errno, std::generic_category());
  return {};
}

std::error_code TreeWriter::write(const Entry &E, const std::string &Target) {
  if (std::error_code EC = fs::create_directories(path::parent_path(Target)))
    return EC;
  return E.Type == fs::file_type::symlink_file ? copyLink(sourceOf(E), Target) : copyFile(sourceOf(E), E.Edit, Target);
}

/// True when the copy has this entry already, from a run before.
bool TreeWriter::isThere(const Entry &E) const {
  std::string Source = sourceOf(E), Target = joined(Folder, E.Relative);
  fs::file_status Status;
  if (fs::status(Target, Status, /*follow=*/false) || Status.type() != E.Type)
    return false;
  if (E.Type == fs::file_type::symlink_file)
    return linkText(Source, Options.Root, Folder) == readLink(Target);
  if (productOf(Target) == Product::Library) // built from the edited sources, it may be
    return true;
  auto There = llvm::MemoryBuffer::getFile(Target), Here = llvm::MemoryBuffer::getFile(Source);
  if (!There || !Here)
    return false;
  return (*There)->getBuffer() == (E.Edit ? llvm::StringRef(E.Edit->After) : (*Here)->getBuffer());
}

/// Writes all entries that the copy does not have yet below \p Stage.
llvm::Error TreeWriter::writeInto(llvm::StringRef Stage) {
  for (const Entry &E : Entries)
    if (std::error_code EC = write(E, joined(Stage, E.Relative)))
      return failure("cannot write '" + joined(Options.Folder, E.Relative) + "': " + EC.message() +
                     "; nothing was changed");
  if (std::error_code EC = writeMark(Stage, Options.Root))
    return failure("cannot write '" + joined(Options.Folder, CopyMark) + "': " + EC.message() +
                   "; nothing was changed");
  return llvm::Error::success();
}

llvm::Error TreeWriter::moveNew(llvm::StringRef Stage) {
  auto Move = [&](llvm::StringRef Relative) {
    std::string Target = joined(Folder, Relative);
    std::error_code EC = fs::create_directories(path::parent_path(Target));
    if (!EC)
      EC = fs::rename(joined(Stage, Relative), Target);
    return EC ? failure("cannot replace '" + Target + "': " + EC.message() + "; '" + Options.Folder +
                        "' is incomplete: remove it, and run again")
              : llvm::Error::success();
  };
  for (const Entry &E : Entries)
    if (llvm::Error Failed = Move(E.Relative))
      return Failed;
  return Move(CopyMark);
}

llvm::Error TreeWriter::run() {
  if (path::root_path(Options.Root) == Options.Root) // where reading some files never ends
    return failure("the sources and the folder of the database have no folder in common but '" + Options.Root +
                   "', which -o will not copy. Use -i, on a copy of the program");
  if (llvm::Error E = checkFolder())
    return E;
  if (llvm::Error E = list(Options.Root))
    return E;
  for (const auto &Rest : Edited) // in a folder that is left out, as generated sources are
    Entries.push_back({llvm::StringRef(Rest.first()).substr(Options.Root.size()).ltrim('/').str(),
                       fs::file_type::regular_file, Rest.second});
  std::error_code EC;
  New = !fs::exists(Folder) || (fs::directory_iterator(Folder, EC) == fs::directory_iterator() && !EC);
  llvm::erase_if(Entries, [&](const Entry &E) { return !New && isThere(E); });
  llvm::SmallString<256> Stage;
  std::string Model = New ? Folder + ".mpishm-%%%%%%" : joined(Folder, ".mpishm-%%%%%%");
  fs::createUniquePath(Model, Stage, /*MakeAbsolute=*/false);
  if ((EC = fs::create_directory(Stage)))
    return failure("cannot write below '" + Options.Folder + "': " + EC.message() + "; nothing was changed");
  llvm::Error Result = writeInto(Stage);
  if (!Result && New && (EC = fs::rename(Stage, Folder)))
    Result = failure("cannot make the folder '" + Options.Folder + "': " + EC.message() + "; nothing was changed");
  else if (!Result && !New)
    Result = moveNew(Stage);
  (void)fs::remove_directories(Stage); // which may have become the folder
  return Result;
}

llvm::Expected<std::vector<std::string>> mpishm::writeTree(llvm::ArrayRef<EditedFile> Files,
                                                           const TreeOptions &Options) {
  TreeWriter Writer(Files, Options);
  if (llvm::Error E = Writer.run())
    return E;
  return std::move(Writer.LeftOut);
}
