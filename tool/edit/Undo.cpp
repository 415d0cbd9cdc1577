// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Undo.h"
#include "edit/Includes.h"
#include "mpi/Functions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>

using namespace mpishm;
using clang::tooling::Replacement;

OriginalNames mpishm::originalNames(llvm::StringRef RuntimeHeader) {
  OriginalNames Names;
  for (llvm::line_iterator Line(llvm::MemoryBufferRef(RuntimeHeader, "mpishm.h")); !Line.is_at_end(); ++Line) {
    llvm::SmallVector<llvm::StringRef, 4> Words;
    llvm::SplitString(*Line, Words);
    if (Words.size() == 3 && Words[0] == "#define" && Words[1].starts_with("MPISHM_") && !Words[1].contains('(') &&
        !llvm::isDigit(Words[2][0]))
      Names[Words[1]] = Words[2].str();
  }
  return Names;
}

namespace {

struct Word {
  uint32_t Begin = 0, End = 0;
  llvm::StringRef Text;
};

class Undoer {
public:
  Undoer(EditedFile &F, const OriginalNames &N) : File(F), Text(F.Before), Names(N) {}
  llvm::Expected<UndoResult> run();

private:
  void readWords();
  void takeWord(size_t Index);
  void takeTag(size_t Index);
  void takeDeleteArray(size_t Index);
  void takeSurrounding(size_t Index);
  void takeStatement(size_t Index, llvm::StringRef End);
  void takeArray(size_t Index);
  void takeAnd(size_t Index);
  size_t closing(size_t Open) const;
  size_t closingAngle(size_t Open) const;
  bool takeAllocator(size_t Index);
  void findBlocks();
  std::optional<size_t> endOfBlock(size_t At, llvm::StringRef LineEnd, bool Else) const;
  size_t endOfNumber(size_t At) const;
  size_t endOfDefines(size_t At) const;
  void findSurroundings(const FileDirectives &Directives);
  bool isInBlock(const Word &W) const;
  bool says(size_t Index, llvm::ArrayRef<llvm::StringRef> Texts) const;
  void leave(const Word &W);
  void replace(uint32_t Begin, uint32_t End, llvm::StringRef New);

  EditedFile &File;
  llvm::StringRef Text;
  const OriginalNames &Names;
  std::vector<Word> Words;                           ///< all tokens but comments
  std::vector<std::pair<uint32_t, uint32_t>> Blocks; ///< includes of mpishm.h, and what was put around them
  UndoResult Result;
  llvm::Error Failure = llvm::Error::success();
};

} // namespace

void Undoer::readWords() {
  clang::LangOptions Options;
  Options.LineComment = true;
  // Raw strings. In C such text cannot stand before a quote but where a macro R is used.
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 = Options.RawStringLiterals =
      !llvm::sys::path::extension(File.Path).equals_insensitive(".c") || File.Path.ends_with(".C");
  clang::Lexer Lex(clang::SourceLocation(), Options, Text.begin(), Text.begin(), Text.end());
  clang::Token Next;
  while (!Lex.LexFromRawLexer(Next)) {
    uint32_t End = Lex.getBufferLocation() - Text.data(), Begin = End - Next.getLength();
    Words.push_back({Begin, End, Text.slice(Begin, End)});
  }
}

bool Undoer::says(size_t Index, llvm::ArrayRef<llvm::StringRef> Texts) const {
  return Index + Texts.size() <= Words.size() &&
         llvm::equal(Texts, llvm::ArrayRef(Words).slice(Index, Texts.size()),
                     [](llvm::StringRef T, const Word &W) { return T == W.Text; });
}

void Undoer::replace(uint32_t Begin, uint32_t End, llvm::StringRef New) {
  if (!Failure)
    Failure = File.Changes.add(Replacement(File.Path, Begin, End - Begin, New));
}

void Undoer::leave(const Word &W) {
  Result.Leftovers.push_back({unsigned(Text.take_front(W.Begin).count('\n')) + 1, W.Text.str()});
}

/// `new (mpishm::window) T[n]` becomes `new T[n]`; the tag may be the first of several arguments.
void Undoer::takeTag(size_t Index) {
  if (says(Index, {"(", "mpishm", "::", "window", ")"}) && Index + 5 < Words.size()) {
    uint32_t End = Words[Index + 4].End;
    replace(Words[Index - 1].End, End, Words[Index + 5].Begin == End && llvm::isAlpha(Text[End]) ? " " : "");
  } else if (says(Index, {"(", "mpishm", "::", "window", ","}) && Index + 5 < Words.size())
    replace(Words[Index + 1].Begin, Words[Index + 5].Begin, "");
  else
    return;
  ++Result.Names;
}

/// The parenthesis that closes the one at \p Open; the number of words when there is none.
size_t Undoer::closing(size_t Open) const {
  int Depth = 0;
  size_t Last = Open;
  for (; Last < Words.size(); ++Last) {
    Depth += Words[Last].Text == "(" ? 1 : Words[Last].Text == ")" ? -1 : 0;
    if (Depth == 0)
      break;
  }
  return Last;
}

/// `MPISHM_To_window(call(n))` becomes `call(n)`.
void Undoer::takeSurrounding(size_t Index) {
  size_t Last = closing(Index + 1);
  if (Last < Index + 3 || Last == Words.size())
    return leave(Words[Index]);
  replace(Words[Index].Begin, Words[Index + 1].End, "");
  replace(Words[Last].Begin, Words[Last].End, "");
  ++Result.Names;
}

/// `MPISHM_PACK_THERE(to, n, n); for` becomes `for`, as does `MPISHM_PACKING(to, n, n) for` without the \p End. Written
/// in another way it is the user's own, and stays.
void Undoer::takeStatement(size_t Index, llvm::StringRef End) {
  size_t Last = says(Index + 1, {"("}) ? closing(Index + 1) : Words.size();
  size_t Next = Last + (End.empty() ? 1 : 2);
  if (Next >= Words.size() || (!End.empty() && Words[Last + 1].Text != End) ||
      Text.slice(Words[Next - 1].End, Words[Next].Begin) != " ")
    return leave(Words[Index]);
  replace(Words[Index].Begin, Words[Next].Begin, "");
  ++Result.Names;
}

/// `double u[N]; MPISHM_ARRAY(u);` becomes `double u[N];`, `MPISHM_STATIC double` becomes `double`. Written in another
/// way it is the user's own, and stays.
void Undoer::takeArray(size_t Index) {
  const Word &W = Words[Index];
  if (W.Text == "MPISHM_STATIC" && Index + 1 < Words.size() && Text.slice(W.End, Words[Index + 1].Begin) == " ")
    replace(W.Begin, Words[Index + 1].Begin, "");
  else if (Index > 0 && Words[Index - 1].Text == ";" && Text.slice(Words[Index - 1].End, W.Begin) == " " &&
           says(Index + 1, {"("}) && says(Index + 3, {")", ";"}))
    replace(Words[Index - 1].End, Words[Index + 4].End, "");
  else
    return leave(W);
  ++Result.Names;
}

/// `; MPISHM_ARRAY(u); MPISHM_AND(double) x` was `, x`, and so was `; MPISHM_STATIC MPISHM_AND(double) x`: what stands
/// before it has been seen to.
void Undoer::takeAnd(size_t Index) {
  size_t Last = closing(Index + 1), Before = Index;
  bool IsStatic = Before > 0 && Words[Before - 1].Text == "MPISHM_STATIC";
  Before -= IsStatic;
  while (Before > 5 && Words[Before - 1].Text == ";" && Words[Before - 5].Text == "MPISHM_ARRAY")
    Before -= 5;
  size_t Space = Words[IsStatic ? Index - 1 : Index].Begin;
  if (Last >= Words.size() || Before == 0 || Words[Before - 1].Text != ";" || Text[Space - 1] != ' ')
    return leave(Words[Index]);
  replace(Words[Before - 1].Begin, Words[Before - 1].End, ",");
  replace(Space - 1, Space, "");
  replace(Words[Index].Begin, Words[Last].End, "");
  ++Result.Names;
}

/// The word that closes the bracket of template arguments at \p Open, or the number of words.
size_t Undoer::closingAngle(size_t Open) const {
  int Depth = 0;
  for (size_t At = Open; At < Words.size(); ++At) {
    llvm::StringRef Word = Words[At].Text;
    if (Word == "(")
      At = closing(At); // what is compared there is no bracket
    else if (Word == "<")
      ++Depth;
    else if (Word == ">" || Word == ">>")
      Depth -= Word.size();
    if (Depth <= 0)
      return Depth == 0 ? At : Words.size();
  }
  return Words.size();
}

/// `std::vector<double, mpishm::allocator<double> >` becomes `std::vector<double>`, also where the next bracket closes
/// another one, too: `>>`. Written in another way it is the user's own, and stays.
bool Undoer::takeAllocator(size_t Index) {
  if (Index == 0 || Words[Index - 1].Text != "," || !says(Index, {"mpishm", "::", "allocator", "<"}))
    return false;
  size_t Last = closingAngle(Index + 3);
  bool Closed = says(Last + 1, {">"}) || says(Last + 1, {">>"});
  if (!Closed || Text.slice(Words[Last].End, Words[Last + 1].Begin) != " ")
    return false;
  replace(Words[Index - 1].Begin, Words[Last + 1].Begin, "");
  ++Result.Names;
  return true;
}

/// `MPISHM_Delete_array(p)` becomes `delete[] p`. What the edit did to spaces is undone as well
/// (PointerReader::release): one before the parenthesis stood before the bracket, one after it stands for none after
/// the bracket.
void Undoer::takeDeleteArray(size_t Index) {
  size_t Last = closing(Index + 1);
  if (Last < Index + 3 || Last == Words.size())
    return leave(Words[Index]);
  llvm::StringRef Before = Text.slice(Words[Index].End, Words[Index + 1].Begin);
  llvm::StringRef After = Text.slice(Words[Index + 1].End, Words[Index + 2].Begin);
  After = After.empty() ? " " : After == " " ? "" : After;
  replace(Words[Index].Begin, Words[Index + 2].Begin, ("delete" + Before + "[]" + After).str());
  replace(Words[Last].Begin, Words[Last].End, "");
  ++Result.Names;
}

/// `mpishm::free(p)` was `std::free(p)`.
static bool isStandardMemory(llvm::StringRef Name) {
  return llvm::is_contained({"malloc", "calloc", "realloc", "aligned_alloc", "free"}, Name);
}

void Undoer::takeWord(size_t Index) {
  const Word &W = Words[Index];
  if (W.Text == "new")
    return takeTag(Index + 1);
  if (isAttach(W.Text) && marksOf(W.Text).any()) { // the user's own, but for the marks
    replace(W.Begin, W.End, AttachName);
    ++Result.Names;
    return leave({W.Begin, W.End, AttachName});
  }
  if (W.Text == "MPISHM_Delete_array")
    return takeDeleteArray(Index);
  if (W.Text == "MPISHM_To_window" || W.Text == "MPISHM_TO_WINDOW" || W.Text == "MPISHM_THERE")
    return takeSurrounding(Index);
  if (W.Text == "MPISHM_Packing_begin" || W.Text == "MPISHM_PACK_THERE")
    return takeStatement(Index, ";");
  if (W.Text == "MPISHM_PACKING")
    return takeStatement(Index, "");
  if (W.Text == "MPISHM_STATIC" || W.Text == "MPISHM_ARRAY")
    return takeArray(Index);
  if (W.Text == "MPISHM_AND")
    return takeAnd(Index);
  if (says(Index, {"mpishm", "::"})) {
    if (Index + 2 < Words.size() && isStandardMemory(Words[Index + 2].Text)) {
      replace(W.Begin, W.End, "std");
      ++Result.Names;
      return;
    }
    if (takeAllocator(Index))
      return;
    // What a tag of `new` is made of has been seen to.
    if (!says(Index, {"mpishm", "::", "window"}) || Index < 2 || Words[Index - 2].Text != "new")
      leave(W);
    return;
  }
  if (auto It = Names.find(W.Text); It != Names.end()) {
    llvm::StringRef Rest = Text.substr(W.End);
    size_t End = Rest.consume_front(InsteadBegin) ? Rest.find(InsteadEnd) : llvm::StringRef::npos;
    // A name with a qualifier of its own became a global one.
    bool Global = End != llvm::StringRef::npos && Rest.take_front(End).contains("::") && Index > 0 &&
                  Words[Index - 1].Text == "::";
    if (End != llvm::StringRef::npos)
      replace(Global ? Words[Index - 1].Begin : W.Begin,
              W.End + std::strlen(InsteadBegin) + End + std::strlen(InsteadEnd), Rest.take_front(End));
    else
      replace(W.Begin, W.End, It->second);
    ++Result.Names;
  } else if (W.Text.starts_with("MPISHM_") && W.Text != "MPISHM_OFF") {
    leave(W);
  }
}

/// The end of `#define`s of our names from \p At on, behind an `#else` when \p Else, up to an `#endif`, if all is
/// there.
std::optional<size_t> Undoer::endOfBlock(size_t At, llvm::StringRef LineEnd, bool Else) const {
  llvm::StringRef Rest = Text.substr(At);
  if (Else && !Rest.consume_front(("#else" + LineEnd).str()))
    return std::nullopt;
  bool Any = false;
  for (; Rest.starts_with("#define MPISHM_"); Any = true)
    Rest = Rest.drop_front(std::min(Rest.find('\n'), Rest.size() - 1) + 1);
  if (!Any || !Rest.consume_front(("#endif" + LineEnd).str()))
    return std::nullopt;
  return Rest.data() - Text.data();
}

/// The end of the line from \p At on, if that gives the next one its number; or \p At.
size_t Undoer::endOfNumber(size_t At) const {
  llvm::StringRef Rest = Text.substr(At);
  unsigned Number = 0;
  if (!Rest.consume_front(NextLineIs) || Rest.consumeInteger(10, Number))
    return At;
  Rest.consume_front("\r");
  return Rest.consume_front("\n") ? Rest.data() - Text.data() : At;
}

/// The end of the lines from \p At on that define names of MPI's functions as ours.
size_t Undoer::endOfDefines(size_t At) const {
  llvm::StringRef Rest = Text.substr(At);
  for (llvm::StringRef Name = Rest; Name.consume_front("#define MPI_"); Name = Rest) {
    Name = Name.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (!Rest.starts_with(("#define MPI_" + Name + " MPISHM_" + Name).str()))
      break;
    Rest = Rest.drop_front(std::min(Rest.find('\n'), Rest.size() - 1) + 1);
  }
  return Rest.data() - Text.data();
}

/// Each name that is defined as ours, outside of what follows an include, up to where that ends.
void Undoer::findSurroundings(const FileDirectives &Directives) {
  auto IsInBlocks = [&](const MacroChange &M) { return isInBlock({M.Begin, M.End, ""}); };
  auto TakeLine = [&](const MacroChange &M) {
    size_t End = std::min(Text.find('\n', M.End), Text.size() - 1) + 1;
    Blocks.push_back({M.Begin, endOfNumber(End)});
  };
  for (auto At = Directives.Macros.begin(); At != Directives.Macros.end(); ++At) {
    if (!At->Defines || IsInBlocks(*At) || endOfDefines(At->Begin) == At->Begin)
      continue;
    auto End =
        std::find_if(std::next(At), Directives.Macros.end(), [&](const MacroChange &M) { return M.Name == At->Name; });
    if (End == Directives.Macros.end() || End->Defines)
      continue;
    TakeLine(*At);
    TakeLine(*End);
    ++Result.Names;
  }
}

/// Each include of mpishm.h, with the conditional that holds nothing else, and the names for builds without MPI.
void Undoer::findBlocks() {
  FileDirectives Directives = readDirectives(Text);
  for (const IncludeLine &I : Directives.Includes) {
    if (llvm::sys::path::filename(I.Name) != "mpishm.h")
      continue;
    size_t Begin = Text.rfind('\n', I.Begin) + 1, End = endOfDefines(I.End);
    if (!Text.slice(Begin, I.Begin).trim(" \t").empty())
      Begin = I.Begin;
    if (I.Inside != Branch::None) {
      llvm::StringRef LineEnd = Text.slice(0, End).ends_with("\r\n") ? "\r\n" : "\n";
      std::string Before, After = ("#endif" + LineEnd).str();
      for (const std::string &Line : Directives.Branches[I.Inside].Opening)
        Before += Line + LineEnd.str();
      std::optional<size_t> Meanings = endOfBlock(End, LineEnd, /*Else=*/true);
      if (Text.slice(0, Begin).ends_with(Before) && (Meanings || Text.substr(End).starts_with(After))) {
        Begin -= Before.size();
        End = Meanings ? *Meanings : End + After.size();
      }
    }
    Blocks.push_back({Begin, endOfNumber(End)});
    ++Result.Includes;
  }
  for (const Branch &B : Directives.Branches) {
    if (B.Opening != std::vector<std::string>{WhereWeAreNot})
      continue;
    llvm::StringRef LineEnd = Text.substr(B.Begin).starts_with("\r\n") ? "\r\n" : "\n";
    if (std::optional<size_t> End = endOfBlock(B.Begin + LineEnd.size(), LineEnd, /*Else=*/false))
      Blocks.push_back({B.Begin - std::strlen(WhereWeAreNot), endOfNumber(*End)});
  }
  findSurroundings(Directives);
}

bool Undoer::isInBlock(const Word &W) const {
  return llvm::any_of(Blocks, [&](const auto &B) { return B.first <= W.Begin && W.Begin < B.second; });
}

llvm::Expected<UndoResult> Undoer::run() {
  readWords();
  findBlocks();
  for (size_t Index = 0; Index < Words.size(); ++Index)
    if (!isInBlock(Words[Index]))
      takeWord(Index);
  if (!Result.Leftovers.empty())
    Result.Includes = 0;
  else
    for (auto [Begin, End] : Blocks)
      replace(Begin, End, "");
  if (Failure)
    return std::move(Failure);
  llvm::Expected<std::string> After = clang::tooling::applyAllReplacements(File.Before, File.Changes);
  if (!After)
    return After.takeError();
  File.After = std::move(*After);
  return std::move(Result);
}

llvm::Expected<UndoResult> mpishm::undoFile(EditedFile &File, const OriginalNames &Names) {
  return Undoer(File, Names).run();
}
