// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/Readings.h"
#include "readings/CompilerBranches.h"
#include "readings/HarmlessTokens.h"
#include "readings/Lines.h"
#include "readings/OwnAnswers.h"
#include "readings/OwnText.h"
#include "readings/PastedNames.h"
#include "readings/SystemArguments.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace mpishm;
using namespace clang;

llvm::StringRef mpishm::spellingOf(tok::TokenKind Kind) {
  const char *Spelled = tok::getPunctuatorSpelling(Kind);
  return Spelled ? Spelled : "";
}

void TokenRecord::watch(Preprocessor &PP) {
  const SourceManager &SM = PP.getSourceManager();
  PP.setTokenWatcher([this, &PP, &SM](const Token &T) {
    if (T.isOneOf(tok::annot_pragma_openmp, tok::annot_pragma_openmp_end))
      InPragma = T.is(tok::annot_pragma_openmp);
    ReadsColumns |= T.isOneOf(tok::kw___builtin_COLUMN, tok::kw___builtin_source_location);
    if (T.isAnnotation() || T.isOneOf(tok::eof, tok::eod) || InPragma || T.getLocation().isInvalid() ||
        isInSystemFile(SM.getExpansionLoc(T.getLocation()), SM))
      return;
    ReadToken Read{spellingOf(T.getKind()), T.getLocation(), T.isLiteral()};
    if (T.needsCleaning() || (Read.IsLiteral && !T.getLiteralData()))
      Read.Text = Cleaned.emplace_back(PP.getSpelling(T));
    else if (const IdentifierInfo *Name = Read.IsLiteral ? nullptr : T.getIdentifierInfo())
      Read.Text = Name->getName();
    else if (Read.IsLiteral)
      Read.Text = {T.getLiteralData(), T.getLength()};
    Tokens.push_back(Read);
  });
}

/// What a floating-point constant is in its type, which its suffix says; nothing where that is not known.
static std::optional<llvm::APFloat> valueOf(llvm::StringRef Text) {
  char Suffix = llvm::toLower(Text.back());
  llvm::APFloat Value(Suffix == 'f'   ? llvm::APFloat::IEEEsingle()
                      : Suffix == 'l' ? llvm::APFloat::x87DoubleExtended()
                                      : llvm::APFloat::IEEEdouble());
  bool HasSuffix = Suffix == 'f' || Suffix == 'l';
  auto Status = Value.convertFromString(Text.drop_back(HasSuffix), llvm::APFloat::rmNearestTiesToEven);
  if (Status && !(*Status & (llvm::APFloat::opInvalidOp | llvm::APFloat::opOverflow)))
    return Value;
  llvm::consumeError(Status.takeError());
  return std::nullopt;
}

bool mpishm::isSame(const ReadToken &A, const ReadToken &B) {
  if (A.Text == B.Text)
    return true;
  if (!isNumber(A) || !isNumber(B))
    return false;
  auto Parts = [](llvm::StringRef Text) {
    std::string Suffix = Text.substr(Text.find_last_not_of("uUlL") + 1).lower();
    llvm::sort(Suffix);
    uint64_t Value = 0;
    bool Failed = Text.drop_back(Suffix.size()).getAsInteger(0, Value);
    return std::tuple(Failed, Value, Suffix);
  };
  auto Own = Parts(A.Text);
  if (!std::get<0>(Own))
    return Own == Parts(B.Text);
  std::optional<llvm::APFloat> Ours = valueOf(A.Text), Theirs = valueOf(B.Text);
  return Ours && Theirs && &Ours->getSemantics() == &Theirs->getSemantics() && Ours->bitwiseIsEqual(*Theirs);
}

namespace {

/// Finds what differs, each stretch as short as it is found to be.
class Comparison {
public:
  /// \p EndOf gives the end of the macros of the system that a token of Clang's is in, or the token itself.
  Comparison(llvm::ArrayRef<ReadToken> C, llvm::ArrayRef<ReadToken> O, llvm::function_ref<size_t(size_t)> EndOf)
      : Clangs(C), Others(O), EndOfMacros(EndOf) {}
  std::vector<Difference> run();

private:
  bool agreeFrom(size_t I, size_t J) const;
  std::pair<size_t, size_t> next(size_t I, size_t J) const;

  llvm::ArrayRef<ReadToken> Clangs, Others;
  llvm::function_ref<size_t(size_t)> EndOfMacros;
};

} // namespace

/// How many parentheses and brackets are opened in \p Tokens, and not closed.
static int depthOf(llvm::ArrayRef<ReadToken> Tokens) {
  int Depth = 0;
  for (const ReadToken &T : Tokens)
    Depth += llvm::StringSwitch<int>(T.Text).Cases("(", "[", "{", 1).Cases(")", "]", "}", -1).Default(0);
  return Depth;
}

bool Comparison::agreeFrom(size_t I, size_t J) const {
  constexpr size_t Agreement = 3;
  for (size_t N = 0; N < Agreement; ++N) {
    if (I + N == Clangs.size() || J + N == Others.size())
      return I + N == Clangs.size() && J + N == Others.size();
    // Where the next macro of the system begins, the other compiler has other tokens again.
    if (N > 0 && EndOfMacros(I + N) > I + N && EndOfMacros(I + N - 1) == I + N - 1)
      return true;
    if (!isSame(Clangs[I + N], Others[J + N]))
      return false;
  }
  return true;
}

/// Where both go on alike, with as many parentheses opened; a macro of the system is passed as a whole.
std::pair<size_t, size_t> Comparison::next(size_t I, size_t J) const {
  constexpr size_t Farthest = 400, FarthestInMacro = 4000;
  if (size_t End = EndOfMacros(I); End > I) {
    int Depth = depthOf(Clangs.slice(I, End - I));
    for (size_t Size = 0; Size <= FarthestInMacro && J + Size <= Others.size(); ++Size) {
      if (Depth == 0 && agreeFrom(End, J + Size))
        return {End, J + Size};
      if (J + Size < Others.size())
        Depth -= depthOf(Others[J + Size]);
    }
  }
  for (size_t Sum = 1; Sum <= Farthest; ++Sum)
    for (size_t A = 0; A <= Sum; ++A)
      if (size_t B = Sum - A; I + A <= Clangs.size() && J + B <= Others.size() && agreeFrom(I + A, J + B) &&
                              depthOf(Clangs.slice(I, A)) == depthOf(Others.slice(J, B)))
        return {I + A, J + B};
  return {Clangs.size(), Others.size()};
}

std::vector<Difference> Comparison::run() {
  std::vector<Difference> Result;
  for (size_t I = 0, J = 0; I < Clangs.size() || J < Others.size();) {
    if (I < Clangs.size() && J < Others.size() && isSame(Clangs[I], Others[J])) {
      ++I, ++J;
      continue;
    }
    auto [EndI, EndJ] = next(I, J);
    Result.push_back({I, EndI, J, EndJ});
    I = EndI, J = EndJ;
  }
  return Result;
}

namespace {

/// Says which differences count.
class Judge {
public:
  /// \p InMacros says which of Clang's tokens are a macro's of the system.
  Judge(llvm::ArrayRef<ReadToken> C, llvm::ArrayRef<ReadToken> O, const llvm::BitVector &InMacros, const Places &P,
        const LiteralUses &L, PastedNames &N)
      : Clangs(C), Others(O), AreSystems(InMacros), Where(P), Literals(L), Names(N) {}
  bool counts(const Difference &D) const { return !isOfClock(D) && !isTold(D) && !isNamed(D) && !isSystems(D); }
  bool isTold(const ReadToken &T) const { return T.IsLiteral && Literals.Told.contains(T.Where); }
  bool isHanded(const ReadToken &T) const { return T.IsLiteral && Literals.Handed.contains(T.Where); }
  Reading reading(const Difference &D) const;

private:
  bool isOfClock(const Difference &D) const;
  bool isTold(const Difference &D) const;
  bool isNamed(const Difference &D) const;
  bool isSystems(const Difference &D) const;

  llvm::ArrayRef<ReadToken> Clangs, Others;
  const llvm::BitVector &AreSystems;
  const Places &Where;
  const LiteralUses &Literals;
  PastedNames &Names;
};

} // namespace

bool mpishm::isSpelledInLibrary(SourceLocation Loc, const Places &Where) {
  const SourceManager &SM = Where.sources();
  SourceLocation Spelled = SM.getSpellingLoc(Loc);
  return SM.getFileEntryForID(SM.getFileID(Spelled)) && Where.isLibrary(Spelled);
}

/// An argument stands in the macro that it is given to, and may come from another that was expanded in it before.
bool mpishm::isInSystemMacro(SourceLocation Loc, const Places &Where) {
  const SourceManager &SM = Where.sources();
  llvm::SmallVector<SourceLocation, 8> Work{Loc};
  llvm::SmallDenseSet<SourceLocation, 8> Seen;
  while (!Work.empty()) {
    SourceLocation At = Work.pop_back_val();
    if (!At.isMacroID() || !Seen.insert(At).second)
      continue;
    if (isSpelledInLibrary(At, Where))
      return true;
    Work.push_back(SM.getImmediateExpansionRange(At).getBegin());
    if (SM.isMacroArgExpansion(At))
      Work.push_back(SM.getImmediateSpellingLoc(At));
  }
  return false;
}

llvm::SmallVector<llvm::StringRef, 4> mpishm::macrosOf(SourceLocation Loc, const Places &Where) {
  const SourceManager &SM = Where.sources();
  llvm::SmallVector<llvm::StringRef, 4> Names;
  for (llvm::StringRef Name; !(Name = Where.macroOf(Loc)).empty(); Names.push_back(Name)) {
    while (SM.isMacroArgExpansion(Loc))
      Loc = SM.getImmediateSpellingLoc(Loc);
    Loc = SM.getImmediateExpansionRange(Loc).getBegin();
  }
  return Names;
}

/// What is another each time that somebody compiles.
static bool isOfClock(const ReadToken &T, const Places &Where) {
  if (!T.IsLiteral || !T.Where.isMacroID())
    return false;
  return llvm::is_contained({"__TIME__", "__DATE__", "__TIMESTAMP__"}, Where.macroOf(T.Where));
}

static bool isText(const ReadToken &T) { return T.IsLiteral && T.Text.starts_with("\"") && T.Text.ends_with("\""); }

/// Between the two compilers the clock may have gone on; that a program reads it counts in any case.
bool Judge::isOfClock(const Difference &D) const {
  llvm::ArrayRef<ReadToken> Here = Clangs.slice(D.First, D.Last - D.First);
  llvm::ArrayRef<ReadToken> There = Others.slice(D.OthersFirst, D.OthersLast - D.OthersFirst);
  return Here.size() == There.size() && llvm::all_of(There, isText) &&
         llvm::all_of(Here, [&](const ReadToken &T) { return ::isOfClock(T, Where); });
}

/// What texts make of what is printed with them: their conversions.
static std::string conversionsOf(llvm::ArrayRef<ReadToken> Tokens) {
  std::string Result;
  for (const ReadToken &T : llvm::make_filter_range(Tokens, isText))
    for (size_t At = 0; (At = T.Text.find('%', At)) != llvm::StringRef::npos;) {
      size_t Letter = T.Text.find_first_not_of("0123456789.*+-# '$hlLjztq", At + 1); // the quote, at the latest
      Result += T.Text.slice(At, Letter + 1);
      At = Letter + 1;
    }
  return Result;
}

/// Whether what is printed with the text \p T goes on in that behind it: "%" "5d".
static bool endsInConversion(const ReadToken &T) {
  size_t At = isText(T) ? T.Text.drop_back().find_last_not_of("0123456789.*+-# '$hlLjztq") : llvm::StringRef::npos;
  llvm::StringRef Before = At == llvm::StringRef::npos ? "" : T.Text.take_front(At + 1);
  return (Before.size() - Before.rtrim('%').size()) % 2 != 0;
}

/// Of texts, as they are written.
static size_t lengthOf(llvm::ArrayRef<ReadToken> Texts) {
  size_t Length = 0;
  for (const ReadToken &T : Texts)
    Length += T.Text.size() - 2;
  return Length;
}

/// Texts, and numbers between the same tokens.
bool Judge::isTold(const Difference &D) const {
  llvm::ArrayRef<ReadToken> Here = Clangs.slice(D.First, D.Last - D.First);
  llvm::ArrayRef<ReadToken> There = Others.slice(D.OthersFirst, D.OthersLast - D.OthersFirst);
  bool GoesOn = D.First > 0 && endsInConversion(Clangs[D.First - 1]);
  if (Here.empty() || There.empty() || GoesOn || conversionsOf(Here) != conversionsOf(There))
    return false;
  if (llvm::all_of(Here, isText) && llvm::all_of(There, isText)) {
    bool IsAsLong = lengthOf(Here) == lengthOf(There);
    return llvm::all_of(Here, [&](const ReadToken &T) { return isTold(T) || (IsAsLong && isHanded(T)); });
  }
  return Here.size() == There.size() && llvm::all_of(llvm::zip(Here, There), [&](auto Both) {
           const auto &[A, B] = Both;
           return isSame(A, B) || (isTold(A) && B.IsLiteral && isText(A) == isText(B));
         });
}

/// Only names, between the same tokens.
bool Judge::isNamed(const Difference &D) const {
  llvm::ArrayRef<ReadToken> Here = Clangs.slice(D.First, D.Last - D.First);
  llvm::ArrayRef<ReadToken> There = Others.slice(D.OthersFirst, D.OthersLast - D.OthersFirst);
  return Here.size() == There.size() && llvm::all_of(llvm::zip(Here, There), [&](auto Both) {
           const auto &[A, B] = Both;
           return isSame(A, B) || Names.are(A, B);
         });
}

/// Whether the macro \p Name of the system is a number that the ABI or the processor settles: LLONG_MIN.
static bool isOfAbi(llvm::StringRef Name) {
  if (Name.starts_with("_MM_"))
    return true;
  if (!Name.consume_back("_MIN") && !Name.consume_back("_MAX"))
    return false;
  Name.consume_front("U");
  Name = Name.rtrim("0123456789");
  return llvm::StringSwitch<bool>(Name)
      .Cases("CHAR", "SCHAR", "SHRT", "INT", "LONG", "LLONG", "INTMAX", "INTPTR", true)
      .Cases("INT_FAST", "INT_LEAST", "SIZE", "SSIZE", "PTRDIFF", "WCHAR", "WINT", "SIG_ATOMIC", true)
      .Default(false);
}

/// What a system's macro does in another way with another compiler, or what there a function of its name does, is the
/// same; not what it is as a number.
bool Judge::isSystems(const Difference &D) const {
  size_t First = D.First, Last = D.Last;
  auto IsIn = [&](size_t I) { return I < Clangs.size() && AreSystems[I]; };
  if (First == Last && IsIn(First))
    ++Last;
  else if (First == Last && First > 0)
    --First;
  bool IsSettled = true;
  for (size_t I = First; I < Last; ++I) {
    if (!IsIn(I))
      return false;
    IsSettled &= llvm::any_of(macrosOf(Clangs[I].Where, Where), isOfAbi);
  }
  if (First == Last)
    return false;
  llvm::StringSet<> Arguments, Macros;
  for (; First > 0 && IsIn(First - 1); --First)
    ;
  for (; IsIn(Last); ++Last)
    ;
  // As many tokens of the macro stand before the difference there as here.
  size_t OthersFirst = D.OthersFirst - std::min(D.First - First, D.OthersFirst);
  if (!haveSameArguments(Clangs.slice(First, D.Last - First), Others.slice(OthersFirst, D.OthersLast - OthersFirst),
                         Where))
    return false;
  bool Computes = true; // of numbers only
  for (size_t I = First; I < Last; ++I) {
    Arguments.insert(Clangs[I].Text);
    for (llvm::StringRef Name : macrosOf(Clangs[I].Where, Where))
      Macros.insert(Name);
    Computes &= I < D.First || I >= D.Last || !(isWord(Clangs[I]) || isFloating(Clangs[I]));
  }
  if (!Computes)
    for (const auto &Name : Macros)
      Arguments.insert(Name.first());
  for (const ReadToken &T : Others.slice(D.OthersFirst, D.OthersLast - D.OthersFirst)) {
    // What compilers define is not said to be the system's: (double)1.8e308L.
    bool IsInteger = isNumber(T) && !isFloating(T);
    bool IsOfNumber = !isWord(T) ? Computes || !IsInteger : llvm::is_contained({"float", "double", "long"}, T.Text);
    if (!T.IsSystems && !IsOfNumber && !Arguments.contains(T.Text))
      return false;
    Computes &= !isWord(T) && !isFloating(T);
  }
  return !Computes || IsSettled;
}

Reading Judge::reading(const Difference &D) const {
  auto Text = [](llvm::ArrayRef<ReadToken> Tokens) {
    constexpr size_t Most = 6;
    std::string Said;
    for (const ReadToken &T : Tokens.take_front(Most))
      Said += (Said.empty() ? "" : " ") + T.Text.str();
    return Said.empty() ? "nothing" : "'" + Said + (Tokens.size() > Most ? " ..." : "") + "'";
  };
  Reading Result;
  Result.What = "reads " + Text(Others.slice(D.OthersFirst, D.OthersLast - D.OthersFirst)) +
                " where Clang, which the analysis goes by, reads " + Text(Clangs.slice(D.First, D.Last - D.First));
  if (!Clangs.empty())
    Result.Where = Where.at(Clangs[std::min(D.First, Clangs.size() - 1)].Where);
  return Result;
}

std::vector<ReadToken> mpishm::tokensOfProgram(const TokenRecord &Seen, const Places &Where) {
  const SourceManager &SM = Where.sources();
  std::vector<ReadToken> Result;
  llvm::DenseMap<FileID, bool> IsLibrarys;
  for (const ReadToken &T : Seen.tokens()) {
    SourceLocation At = SM.getExpansionLoc(T.Where);
    auto [It, New] = IsLibrarys.try_emplace(SM.getFileID(At));
    if (New) {
      llvm::StringRef File = Where.fileOf(It->first);
      It->second = File.empty() || Where.isLibrary(At) || llvm::sys::path::filename(File) == "mpishm.h";
    }
    if (!It->second)
      Result.push_back(T);
  }
  return Result;
}

/// Which of \p Tokens are what a macro of the system consists of, or arguments of one, also where it only names the
/// function that is given them: __c11_atomic_store.
static llvm::BitVector findSystemMacros(llvm::ArrayRef<ReadToken> Tokens, const Places &Where) {
  llvm::BitVector Result(Tokens.size());
  auto IsIn = [&](size_t I) { return I < Tokens.size() && isInSystemMacro(Tokens[I].Where, Where); };
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (!IsIn(I))
      continue;
    Result.set(I);
    bool NamesFunction = isWord(Tokens[I]) && I + 1 < Tokens.size() && Tokens[I + 1].Text == "(" && !IsIn(I + 1);
    if (!NamesFunction)
      continue;
    size_t Size = sizeOfGroup(Tokens.drop_front(I + 1));
    Result.set(I + 1, I + 1 + Size);
    I += Size;
  }
  return Result;
}

std::vector<Reading> mpishm::findOtherReadings(std::vector<ReadToken> Clangs, llvm::StringRef Own,
                                               const LiteralUses &Literals, const LangOptions &Language,
                                               const Places &Where) {
  OwnText Text(Own, Where);
  std::vector<ReadToken> Others = Text.tokens(Language);
  dropHarmless(Clangs, Language);
  dropHarmless(Others, Language);
  const llvm::BitVector InMacros = findSystemMacros(Clangs, Where);
  std::vector<Reading> Result;
  auto EndOf = [&](size_t I) {
    while (I < Clangs.size() && InMacros[I])
      ++I;
    return I;
  };
  const std::vector<Difference> Differ = Comparison(Clangs, Others, EndOf).run();
  PastedNames Names(Clangs, Others, Differ, Literals, Where);
  Judge Judges(Clangs, Others, InMacros, Where, Literals, Names);
  for (const Difference &D : Differ)
    if (Judges.counts(D))
      Result.push_back(Judges.reading(D));
  for (const ReadToken &T : Clangs)
    if (isOfClock(T, Where) && !Judges.isTold(T) && !Judges.isHanded(T)) // what the clock says is always as long
      Result.push_back({"reads here what the clock says", Where.at(T.Where)});
  return Result;
}

std::vector<Reading> mpishm::findPossibleReadings(const Places &Where, const Preprocessor &PP) {
  std::vector<FileText> Texts = textsOfProgram(Where);
  CompilerBranches Of(PP);
  Of.learnAll(Texts);
  for (const auto &[File, Text] : Texts)
    if (llvm::DenseSet<unsigned> In = Of.in(Text); !In.empty())
      return {{"could not be asked what it reads under this condition",
               Where.at(Where.sources().getComposedLoc(File, *llvm::min_element(In)))}};
  return {};
}
