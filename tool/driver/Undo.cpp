// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver/Undo.h"
#include "driver/Deliver.h"
#include "driver/Sources.h"
#include "edit/Failure.h"
#include "edit/Undo.h"
#include "output/Tree.h"
#include "output/Write.h"
#include "sources/Compiler.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mpishm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class UndoRun {
public:
  explicit UndoRun(const Options &Given) : O(Given) {}
  llvm::Error run();
  bool Changes = false;

private:
  llvm::Error add(llvm::StringRef Name);
  llvm::Error addFolder(const std::string &Folder);
  llvm::Error addFile(const std::string &File);
  void printLeftovers(llvm::StringRef File, llvm::ArrayRef<UndoResult::Left> Leftovers);
  void printSummary() const;

  const Options &O;
  OriginalNames Names = originalNames(getRuntimeHeader());
  llvm::StringSet<> Known;
  std::vector<EditedFile> Files;
  std::vector<std::string> Remarks;
  unsigned Renamed = 0, Includes = 0;
};

} // namespace

/// True for the names that sources, headers and what is included as code commonly have.
static bool isSource(llvm::StringRef File) {
  using namespace clang::driver;
  llvm::StringRef Extension = path::extension(File);
  if (!Extension.consume_front("."))
    return false;
  return types::isAcceptedByClang(types::lookupTypeForExtension(Extension)) ||
         llvm::is_contained({"inc", "inl", "ipp", "tpp", "txx", "tcc", "icc", "def", "ixx", "cuh"}, Extension);
}

static bool mayBeEdited(llvm::StringRef Text) { return Text.contains("MPISHM_") || Text.contains("mpishm"); }

static std::string counted(unsigned Number, llvm::StringRef What) {
  return llvm::formatv("{0} {1}{2}", Number, What, Number == 1 ? "" : "s");
}

static std::string shownName(llvm::StringRef File) {
  File.consume_front(currentFolder() + "/");
  return File.str();
}

void UndoRun::printLeftovers(llvm::StringRef File, llvm::ArrayRef<UndoResult::Left> Leftovers) {
  for (const UndoResult::Left &Left : Leftovers)
    Remarks.push_back(llvm::formatv("{0}:{1}: {2} stands for nothing of MPI: it stays, with the file's include of "
                                    "mpishm.h; take them out by hand",
                                    shownName(File), Left.Line, Left.Name));
}

/// \p File is a real path.
llvm::Error UndoRun::addFile(const std::string &File) {
  if (path::filename(File) == "mpishm.h" || !Known.insert(File).second)
    return llvm::Error::success();
  auto Buffer = llvm::MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!Buffer)
    return failure("cannot read '" + File + "': " + Buffer.getError().message());
  if (!mayBeEdited((*Buffer)->getBuffer()))
    return llvm::Error::success();
  EditedFile Edited;
  Edited.Path = File;
  Edited.Before = (*Buffer)->getBuffer().str();
  llvm::Expected<UndoResult> Result = undoFile(Edited, Names);
  if (!Result)
    return Result.takeError();
  printLeftovers(File, Result->Leftovers);
  Renamed += Result->Names;
  Includes += Result->Includes;
  if (Edited.After != Edited.Before)
    Files.push_back(std::move(Edited));
  return llvm::Error::success();
}

llvm::Error UndoRun::addFolder(const std::string &Folder) {
  std::error_code EC;
  std::vector<std::string> Found;
  for (fs::recursive_directory_iterator I(Folder, EC, /*follow_symlinks=*/false), End; !EC && I != End;
       I.increment(EC)) {
    if (I->type() == fs::file_type::directory_file && isVersionControl(path::filename(I->path())))
      I.no_push();
    else if (I->type() == fs::file_type::regular_file || I->type() == fs::file_type::symlink_file)
      Found.push_back(I->path());
  }
  if (EC)
    return failure("cannot read the folder '" + Folder + "': " + EC.message());
  llvm::sort(Found);
  for (const std::string &File : Found) {
    // A link is a source by its own name: the file was edited through it, whatever that is called and wherever it lies.
    llvm::SmallString<256> Real;
    if (isSource(File) && !fs::real_path(File, Real) && fs::is_regular_file(Real))
      if (llvm::Error E = addFile(Real.str().str()))
        return E;
  }
  return llvm::Error::success();
}

llvm::Error UndoRun::add(llvm::StringRef Name) {
  llvm::SmallString<256> Real;
  if (std::error_code EC = fs::real_path(Name, Real))
    return failure("cannot read '" + Name + "': " + EC.message());
  return fs::is_directory(Real) ? addFolder(Real.str().str()) : addFile(Real.str().str());
}

void UndoRun::printSummary() const {
  for (const std::string &Remark : Remarks)
    llvm::WithColor::remark(llvm::errs(), "mpishm-rewrite") << Remark << '\n';
  if (Files.empty())
    llvm::errs() << "mpishm-rewrite: there is nothing to undo\n";
  else
    llvm::errs() << "mpishm-rewrite: " << (O.What == Options::Output::InPlace ? "took back " : "would take back ")
                 << counted(Renamed, "name") << " and " << counted(Includes, "include") << " in "
                 << counted(Files.size(), "file") << '\n';
}

llvm::Error UndoRun::run() {
  if (O.Sources.empty())
    if (llvm::Error E = add("."))
      return E;
  for (const std::string &Name : O.Sources)
    if (llvm::Error E = add(Name))
      return E;
  Changes = !Files.empty();
  if (O.What == Options::Output::Diff) {
    if (llvm::Error E = Diffs(currentFolder(), Files).print(O.Quiet))
      return E;
  } else if (O.What == Options::Output::InPlace) {
    std::vector<OutputFile> Outputs;
    Outputs.reserve(Files.size());
    for (const EditedFile &F : Files)
      Outputs.push_back({F.Path, F.After, F.Before});
    if (llvm::Error E = writeAll(Outputs))
      return E;
  }
  if (!O.Quiet)
    printSummary();
  return llvm::Error::success();
}

Status mpishm::undo(const Options &O) {
  UndoRun Undoing(O);
  if (llvm::Error E = Undoing.run()) {
    llvm::WithColor::error(llvm::errs(), "mpishm-rewrite") << llvm::toString(std::move(E)) << '\n';
    return Unusable;
  }
  return O.What == Options::Output::Check && Undoing.Changes ? WouldChange : Done;
}
