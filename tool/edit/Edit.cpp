// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Edit.h"
#include "edit/Failure.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <tuple>

using namespace mpishm;
using clang::tooling::Replacement;

static constexpr char Include[] = "#include <mpishm.h>";

/// Puts \p Defines, whole lines, behind the include of mpishm.h: in each of \p Includes, or where the file has it.
static void addDefines(std::vector<IncludeInsertion> &Includes, llvm::StringRef Text, const std::string &Defines) {
  for (IncludeInsertion &I : Includes)
    for (size_t At = I.Text.find(Include); At != std::string::npos; At = I.Text.find(Include, At + 1))
      I.Text.insert(I.Text.find('\n', At) + 1, Defines);
  if (Includes.empty())
    for (const IncludeLine &I : readDirectives(Text).Includes)
      if (llvm::sys::path::filename(I.Name) == "mpishm.h")
        Includes.push_back({I.End, Defines});
}

namespace {

/// Names that are defined as ours in some lines alone.
class Surroundings {
public:
  void add(const Rename &R, LineRange In) { All.push_back({In, R.OldName, R.NewName}); }
  /// Adds the directives to \p Texts, by their offsets in \p File.
  void insert(const EditedFile &File, const Sights &Look, std::map<uint32_t, std::string> &Texts);

private:
  struct Lines {
    LineRange In;
    std::string Name, New;
  };
  std::vector<Lines> All;
};

} // namespace

/// Lines of one name that follow one another are surrounded together.
void Surroundings::insert(const EditedFile &File, const Sights &Look, std::map<uint32_t, std::string> &Texts) {
  llvm::sort(All, [](const Lines &A, const Lines &B) {
    return std::tie(A.In.Begin, A.In.End, A.Name) < std::tie(B.In.Begin, B.In.End, B.Name);
  });
  const std::string LineEnd = lineEndOf(File.Before).str();
  std::map<uint32_t, std::string> Begins, Ends;
  for (auto At = All.begin(); At != All.end();) {
    auto Next = std::next(At);
    LineRange In = At->In;
    for (; Next != All.end() && Next->In.Begin == In.End && Next->Name == At->Name && Next->New == At->New; ++Next)
      In.End = Next->In.End;
    Begins[In.Begin] += "#define " + At->Name + " " + At->New + LineEnd;
    Ends[In.End] += "#undef " + At->Name + LineEnd;
    At = Next;
  }
  for (const auto *Each : {&Ends, &Begins})
    for (const auto &[Offset, Text] : *Each)
      Texts[Offset] += Text;
  for (auto &[Offset, Text] : Texts)
    Text += numberOfNext(File.Path, File.Before, Offset, Look);
}

llvm::Error mpishm::editFile(EditedFile &File, const std::vector<Rename> &Renames, Sights &Look,
                             const std::vector<NewName> &Hosted) {
  std::vector<NewName> Places = Hosted;
  std::string Defines;
  Surroundings Around;
  for (const Rename &R : Renames) {
    // A macro may have pasted together what is defined as another.
    if (!R.Defined && llvm::StringRef(File.Before).substr(R.Where.Offset, R.OldName.size()) != R.OldName)
      return failure(llvm::formatv("{0}:{1}:{2}: {3} is not there any more: the file was changed while it was analysed",
                                   File.Path, R.Where.Line, R.Where.Column, R.OldName));
    if (R.Lines)
      Around.add(R, *R.Lines);
    else if (R.Defined)
      Defines += "#define " + R.OldName + " " + R.NewName + lineEndOf(File.Before).str();
    else if (llvm::Error E = File.Changes.add(Replacement(File.Path, R.Where.Offset, R.OldName.size(), R.NewName)))
      return E;
    if (!R.Host)
      Places.push_back({R.Where.Offset, R.NewName});
  }
  std::vector<IncludeInsertion> Includes;
  if (!Places.empty())
    Includes = placesForInclude(File.Path, File.Before, Places, Look);
  if (!Defines.empty())
    addDefines(Includes, File.Before, Defines);
  std::map<uint32_t, std::string> Texts;
  Around.insert(File, Look, Texts);
  for (const IncludeInsertion &I : Includes)
    Texts[I.Offset].insert(0, I.Text);
  for (const auto &[Offset, Text] : Texts)
    if (llvm::Error E = File.Changes.add(Replacement(File.Path, Offset, 0, Text)))
      return E;
  llvm::Expected<std::string> After = clang::tooling::applyAllReplacements(File.Before, File.Changes);
  if (!After)
    return After.takeError();
  File.After = std::move(*After);
  return llvm::Error::success();
}

llvm::Expected<std::vector<EditedFile>> mpishm::editFiles(const Decisions &D, const MpiSight &Seen) {
  Sights Look(Seen);
  std::map<std::string, std::vector<Rename>> ByFile;
  std::map<std::string, std::vector<NewName>> Hosted;
  for (const Rename &R : D.Renames) {
    ByFile[R.Where.File].push_back(R);
    if (R.Host) {
      ByFile.try_emplace(R.Host->File);
      Hosted[R.Host->File].push_back({R.Host->Offset, R.NewName});
    }
  }

  std::vector<EditedFile> Files;
  for (const auto &[Path, Renames] : ByFile) {
    EditedFile File;
    File.Path = Path;
    auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                              /*IsVolatile=*/true);
    if (!Buffer)
      return failure("cannot read '" + Path + "': " + Buffer.getError().message());
    File.Before = (*Buffer)->getBuffer().str();
    if (llvm::Error E = editFile(File, Renames, Look, Hosted[Path]))
      return E;
    if (File.After == File.Before) // it includes mpishm.h already
      continue;
    Files.push_back(std::move(File));
  }
  return Files;
}
