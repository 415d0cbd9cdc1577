// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The changes are known, so nothing has to be compared: they are widened to whole lines and put into hunks.

#include "output/Diff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mpishm;

namespace {

constexpr size_t Context = 3;

/// Lines with their ends; the last may have none.
std::vector<llvm::StringRef> linesOf(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Lines;
  while (!Text.empty()) {
    size_t End = Text.find('\n');
    Lines.push_back(Text.take_front(End == llvm::StringRef::npos ? Text.size() : End + 1));
    Text = Text.drop_front(Lines.back().size());
  }
  return Lines;
}

/// Lines [First, First + Removed) of the old text become the text New.
struct LineChange {
  size_t First, Removed;
  std::string New;
};

/// The changes as changes of whole lines, in order, none overlapping another.
class LineChanges {
public:
  LineChanges(const EditedFile &Edited, llvm::ArrayRef<llvm::StringRef> Old) : File(Edited), Lines(Old) {
    for (llvm::StringRef Line : Lines)
      Starts.push_back(Line.data() - File.Before.data());
    for (const clang::tooling::Replacement &R : File.Changes)
      add(R);
    flush();
  }
  std::vector<LineChange> Result;

private:
  size_t lineAt(size_t Offset) const { return llvm::upper_bound(Starts, Offset) - Starts.begin() - 1; }
  size_t endOf(size_t Line) const { return Starts[Line] + Lines[Line].size(); }
  void add(const clang::tooling::Replacement &R);
  void flush();

  const EditedFile &File;
  llvm::ArrayRef<llvm::StringRef> Lines;
  std::vector<size_t> Starts;
  LineChange Pending{0, 0, ""};
  size_t Done = 0; ///< offset up to which the pending change's text is complete
};

void LineChanges::add(const clang::tooling::Replacement &R) {
  size_t Begin = R.getOffset(), End = Begin + R.getLength();
  size_t First = lineAt(Begin), Last = lineAt(End);
  auto startOf = [&](size_t Line) { return Line < Starts.size() ? Starts[Line] : 0; };
  bool WholeLines = Begin == startOf(First) && End == startOf(Last) &&
                    (R.getReplacementText().ends_with("\n") || (R.getReplacementText().empty() && Begin < End));
  bool Continues = Pending.Removed && First < Pending.First + Pending.Removed;
  if (!Continues) {
    flush();
    if (WholeLines) {
      Result.push_back({First, Last - First, R.getReplacementText().str()});
      return;
    }
    Pending = {First, 0, ""};
    Done = Starts[First];
  }
  Pending.New += llvm::StringRef(File.Before).slice(Done, Begin);
  Pending.New += R.getReplacementText();
  Pending.Removed = Last + 1 - Pending.First;
  Done = End;
}

void LineChanges::flush() {
  if (!Pending.Removed)
    return;
  Pending.New += llvm::StringRef(File.Before).slice(Done, endOf(Pending.First + Pending.Removed - 1));
  // Neighbouring lines are one change: the old ones are shown together, then the new ones.
  if (!Result.empty() && Result.back().Removed && Result.back().First + Result.back().Removed == Pending.First) {
    Result.back().Removed += Pending.Removed;
    Result.back().New += Pending.New;
  } else {
    Result.push_back(std::move(Pending));
  }
  Pending = {0, 0, ""};
}

void printLine(char Mark, llvm::StringRef Line, llvm::raw_ostream &Out) {
  Out << Mark << Line;
  if (!Line.ends_with("\n"))
    Out << "\n\\ No newline at end of file\n";
}

/// Prints the hunk of \p Changes. \p Shift: by how many lines the new text has grown before it.
void printHunk(llvm::ArrayRef<llvm::StringRef> Lines, llvm::ArrayRef<LineChange> Changes, ptrdiff_t &Shift,
               llvm::raw_ostream &Out) {
  size_t Begin = Changes.front().First - std::min(Changes.front().First, Context);
  size_t End = std::min(Lines.size(), Changes.back().First + Changes.back().Removed + Context);
  ptrdiff_t Growth = 0;
  for (const LineChange &C : Changes)
    Growth += ptrdiff_t(linesOf(C.New).size()) - ptrdiff_t(C.Removed);
  size_t OldCount = End - Begin, NewCount = OldCount + Growth;
  // A hunk without lines is placed after the line before it.
  Out << llvm::formatv("@@ -{0},{1} +{2},{3} @@\n", OldCount ? Begin + 1 : Begin, OldCount,
                       NewCount ? Begin + Shift + 1 : Begin + Shift, NewCount);
  Shift += Growth;
  size_t At = Begin;
  for (const LineChange &C : Changes) {
    for (; At < C.First; ++At)
      printLine(' ', Lines[At], Out);
    for (; At < C.First + C.Removed; ++At)
      printLine('-', Lines[At], Out);
    for (llvm::StringRef Line : linesOf(C.New))
      printLine('+', Line, Out);
  }
  for (; At < End; ++At)
    printLine(' ', Lines[At], Out);
}

} // namespace

void mpishm::printDiff(const EditedFile &File, llvm::StringRef Name, llvm::raw_ostream &Out) {
  std::vector<llvm::StringRef> Lines = linesOf(File.Before);
  std::vector<LineChange> Changes = LineChanges(File, Lines).Result;
  if (Changes.empty())
    return;
  // A tab ends the name where it has blanks.
  llvm::StringRef Tab = Name.contains(' ') ? "\t" : "";
  Out << "--- a/" << Name << Tab << "\n+++ b/" << Name << Tab << '\n';
  ptrdiff_t Shift = 0;
  for (size_t First = 0, Last = 0; First < Changes.size(); First = Last) {
    for (Last = First + 1; Last < Changes.size(); ++Last)
      if (Changes[Last].First > Changes[Last - 1].First + Changes[Last - 1].Removed + 2 * Context)
        break;
    printHunk(Lines, llvm::ArrayRef(Changes).slice(First, Last - First), Shift, Out);
  }
}
