// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/HarmlessTokens.h"
#include "readings/Attributes.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mpishm;
using namespace clang;

bool mpishm::isNumber(const ReadToken &T) { return !T.Text.empty() && llvm::isDigit(T.Text.front()); }

bool mpishm::isFloating(const ReadToken &T) {
  return isNumber(T) && !T.Text.starts_with_insensitive("0x") && T.Text.find_first_of(".eE") != llvm::StringRef::npos;
}

bool mpishm::isWord(const ReadToken &T) {
  return !T.Text.empty() && (llvm::isAlpha(T.Text.front()) || T.Text.front() == '_');
}

/// How many tokens of \p All define DBL_MAX as GCC does: ((double)1.8e308L) in C, double(1.8e308L) in C++; the last
/// but one is the number. Else none.
static size_t sizeOfConverted(llvm::ArrayRef<ReadToken> All) {
  static constexpr llvm::StringLiteral OfC[] = {"(", "(", "double", ")"}, OfCxx[] = {"double", "("};
  for (llvm::ArrayRef<llvm::StringLiteral> Before : {llvm::ArrayRef(OfC), llvm::ArrayRef(OfCxx)}) {
    size_t Size = Before.size();
    if (All.size() > Size + 1 && isFloating(All[Size]) && All[Size + 1].Text == ")" &&
        llvm::equal(All.take_front(Size), Before,
                    [](const ReadToken &T, llvm::StringRef Text) { return T.Text == Text; }))
      return Size + 2;
  }
  return 0;
}

namespace {

/// Finds statements that do nothing, whichever way they are written.
class Statements {
public:
  Statements(llvm::ArrayRef<ReadToken> T, const LangOptions &L) : All(T), IsC(!L.CPlusPlus) {}
  /// Where the semicolon of the one that begins at \p First is; \p First when that may do something.
  size_t endOfNothing(size_t First) const;
  /// Where what is told to Clang alone ends, which computes nothing of it: behind the semicolon; or \p First.
  size_t endOfAssumption(size_t First) const;

private:
  bool is(size_t At, llvm::StringRef Text) const { return At < All.size() && All[At].Text == Text; }
  size_t endOfValue(size_t First) const;
  size_t endOfAlignment(size_t First) const;
  size_t endOfLoop(size_t First) const;
  llvm::ArrayRef<ReadToken> upTo(size_t &At, llvm::StringRef End) const;

  llvm::ArrayRef<ReadToken> All;
  bool IsC;
};

} // namespace

/// A number that nobody takes: ((void)0);
size_t Statements::endOfValue(size_t First) const {
  size_t At = First;
  while (At < All.size() && (is(At, "(") || is(At, ")") || is(At, "void") || isNumber(All[At])))
    ++At;
  return is(At, ";") ? At : First;
}

/// The tokens from \p At to \p End, which is outside of their parentheses, as far as none of them may do something;
/// \p At becomes where End is.
llvm::ArrayRef<ReadToken> Statements::upTo(size_t &At, llvm::StringRef End) const {
  size_t First = At;
  for (int Depth = 0; At < All.size(); ++At) {
    const ReadToken &T = All[At];
    if (Depth == 0 && T.Text == End)
      return All.slice(First, At - First);
    Depth += T.Text == "(" ? 1 : T.Text == ")" ? -1 : 0;
    bool IsCast = T.Text == ")" && At > First && All[At - 1].Text == "*";
    bool IsCall = is(At + 1, "(") && ((isWord(T) && T.Text != "sizeof") || (T.Text == ")" && !IsCast));
    bool IsPlain = isWord(T) || isNumber(T) || llvm::is_contained({"(", ")", "[", "]", "->", ".", "*", "+"}, T.Text);
    if (Depth < 0 || IsCall || !IsPlain)
      break;
  }
  At = First;
  return {};
}

size_t mpishm::sizeOfGroup(llvm::ArrayRef<ReadToken> Value) {
  for (size_t At = 0, Depth = 0; At < Value.size(); ++At) {
    Depth += Value[At].Text == "(" ? 1 : 0;
    Depth -= Value[At].Text == ")" ? 1 : 0;
    if (Depth == 0)
      return At + 1;
  }
  return Value.size();
}

/// Without parentheses around it, and casts to pointers before it.
static llvm::ArrayRef<ReadToken> bare(llvm::ArrayRef<ReadToken> Value) {
  while (Value.size() > 2 && Value.front().Text == "(") {
    size_t Size = sizeOfGroup(Value);
    if (Size == Value.size())
      Value = Value.drop_front().drop_back();
    else if (Value[Size - 2].Text == "*")
      Value = Value.drop_front(Size);
    else
      break;
  }
  return Value;
}

/// A pointer that stays what it is, of which the compiler is told something: p = (T *)__builtin_assume_aligned(p, n);
/// not in C++, where it may be an object that counts this.
size_t Statements::endOfAlignment(size_t First) const {
  size_t At = First;
  llvm::ArrayRef<ReadToken> Pointer = bare(upTo(At, "="));
  if (!IsC || Pointer.empty())
    return First;
  ++At;
  while (is(At, "(")) { // casts
    size_t Size = sizeOfGroup(All.drop_front(At));
    if (!llvm::all_of(All.slice(At + 1, Size - 2), [](const ReadToken &T) { return isWord(T) || T.Text == "*"; }))
      return First;
    At += Size;
  }
  if (!is(At, "__builtin_assume_aligned"))
    return First;
  At += 2; // and a parenthesis
  llvm::ArrayRef<ReadToken> Again = bare(upTo(At, ","));
  if (!llvm::equal(Pointer, Again, [](const ReadToken &A, const ReadToken &B) { return A.Text == B.Text; }))
    return First;
  ++At;
  bool IsKnown = !upTo(At, ")").empty(); // the alignment
  return IsKnown && is(At + 1, ";") ? At + 1 : First;
}

/// __builtin_assume(n > 0);
size_t Statements::endOfAssumption(size_t First) const {
  if (!is(First, "__builtin_assume") || !is(First + 1, "("))
    return First;
  size_t End = First + 1 + sizeOfGroup(All.drop_front(First + 1));
  return is(End, ";") ? End + 1 : First;
}

/// do { ... } while (0);
size_t Statements::endOfLoop(size_t First) const {
  if (!is(First, "do") || !is(First + 1, "{"))
    return First;
  size_t At = First + 2;
  while (At < All.size() && !is(At, "}")) {
    size_t End = endOfNothing(At);
    if (!is(End, ";"))
      return First;
    At = End + 1;
  }
  bool Once = is(At + 1, "while") && is(At + 2, "(") && is(At + 3, "0") && is(At + 4, ")") && is(At + 5, ";");
  return Once ? At + 5 : First;
}

size_t Statements::endOfNothing(size_t First) const {
  for (auto End : {&Statements::endOfValue, &Statements::endOfAlignment, &Statements::endOfLoop})
    if (size_t At = (this->*End)(First); At != First)
      return At;
  return First;
}

/// Whether \p All begins with ((_Bool)+1u) or ((_Bool)+0u), which are true and false in GCC's <stdbool.h> for C23.
static bool beginsWithTruth(llvm::ArrayRef<ReadToken> All) {
  static constexpr llvm::StringLiteral Before[] = {"(", "(", "_Bool", ")", "+"};
  size_t Size = std::size(Before);
  return All.size() > Size + 1 && (All[Size].Text == "1u" || All[Size].Text == "0u") && All[Size + 1].Text == ")" &&
         llvm::equal(All.take_front(Size), Before,
                     [](const ReadToken &T, llvm::StringRef Text) { return T.Text == Text; });
}

/// Intrinsics that have two names, by the one that all compilers have.
static llvm::StringRef plainName(llvm::StringRef Name) {
  return llvm::StringSwitch<llvm::StringRef>(Name)
      .Case("_mm_cvtsi128_si64x", "_mm_cvtsi128_si64")
      .Case("_mm_cvtsi64x_si128", "_mm_cvtsi64_si128")
      .Case("_mm_cvtsd_si64x", "_mm_cvtsd_si64")
      .Case("_mm_cvttsd_si64x", "_mm_cvttsd_si64")
      .Case("_mm_cvtsi64x_sd", "_mm_cvtsi64_sd")
      .Default(Name);
}

/// Keywords of C23 are macros of the system's headers for a compiler that has not got all of it.
static void spellAsInC23(std::vector<ReadToken> &All) {
  std::vector<ReadToken> Result;
  Result.reserve(All.size());
  for (size_t At = 0; At < All.size(); ++At) {
    Result.push_back(All[At]);
    llvm::StringRef &Text = Result.back().Text;
    if (beginsWithTruth(llvm::ArrayRef(All).drop_front(At))) {
      Text = All[At + 5].Text == "1u" ? "true" : "false";
      At += 6;
      continue;
    }
    Text = llvm::StringSwitch<llvm::StringRef>(Text)
               .Case("_Bool", "bool")
               .Case("_Alignas", "alignas")
               .Case("_Alignof", "alignof")
               .Case("_Static_assert", "static_assert")
               .Case("_Thread_local", "thread_local")
               .Default(Text);
  }
  All = std::move(Result);
}

/// Where the second argument of a __builtin_va_start at \p First begins, with its comma, and where it ends: it names
/// the last parameter, is not computed, and in C23 is another with each compiler's macro. Two equal numbers: there is
/// none.
static std::pair<size_t, size_t> lastParameter(llvm::ArrayRef<ReadToken> All, size_t First) {
  if (All[First].Text != "__builtin_va_start" || First + 1 == All.size() || All[First + 1].Text != "(")
    return {First, First};
  size_t End = First + sizeOfGroup(All.drop_front(First + 1)), Depth = 0; // of the closing parenthesis
  for (size_t At = First + 2; At < End; ++At) {
    if (Depth == 0 && All[At].Text == ",")
      return {At, End};
    Depth += llvm::is_contained({"(", "[", "{"}, All[At].Text) ? 1 : 0;
    Depth -= llvm::is_contained({")", "]", "}"}, All[At].Text) ? 1 : 0;
  }
  return {End, End};
}

static void dropLastParameters(std::vector<ReadToken> &All) {
  for (size_t At = 0; At < All.size(); ++At)
    if (auto [First, End] = lastParameter(All, At); First != End)
      All.erase(All.begin() + static_cast<std::ptrdiff_t>(First), All.begin() + static_cast<std::ptrdiff_t>(End));
}

/// Writes the name of each type of C's own in one way: `short unsigned int`, as GCC does, and `unsigned short`, as
/// Clang does, name the same. An `int` alone stays, and `signed`, which a bit-field may heed.
static void orderTypeNames(std::vector<ReadToken> &All) {
  auto IsPart = [](const ReadToken &T) {
    return llvm::is_contained({"char", "double", "int", "long", "short", "signed", "unsigned"}, T.Text);
  };
  auto ImpliesInt = [](const ReadToken &T) { return llvm::is_contained({"long", "short", "unsigned"}, T.Text); };
  std::vector<ReadToken> Kept;
  Kept.reserve(All.size());
  for (auto At = All.begin(); At != All.end();) {
    auto End = std::find_if_not(At, All.end(), IsPart);
    if (End == At) {
      Kept.push_back(*At++);
      continue;
    }
    bool DropsInt = std::any_of(At, End, ImpliesInt);
    const size_t First = Kept.size();
    std::copy_if(At, End, std::back_inserter(Kept), [&](const ReadToken &T) { return !DropsInt || T.Text != "int"; });
    std::stable_sort(Kept.begin() + static_cast<std::ptrdiff_t>(First), Kept.end(),
                     [](const ReadToken &A, const ReadToken &B) { return A.Text < B.Text; });
    At = End;
  }
  All = std::move(Kept);
}

void mpishm::dropHarmless(std::vector<ReadToken> &All, const LangOptions &Language) {
  if (Language.C23) {
    spellAsInC23(All);
    dropLastParameters(All);
  }
  orderTypeNames(All);
  std::vector<ReadToken> Kept;
  Kept.reserve(All.size());
  Statements Every(All, Language);
  std::vector<llvm::StringRef> Open; // parentheses, brackets and braces
  for (size_t At = 0; At < All.size();) {
    bool Begins =
        (Open.empty() || Open.back() == "{") && !Kept.empty() && llvm::is_contained({";", "{", "}"}, Kept.back().Text);
    if (Begins) {
      if (size_t End = Every.endOfAssumption(At); End != At) {
        At = End;
        continue;
      }
      At = Every.endOfNothing(At);
    }
    llvm::StringRef Text = All[At].Text;
    if (llvm::is_contained({"(", "[", "{"}, Text))
      Open.push_back(Text);
    else if (llvm::is_contained({")", "]", "}"}, Text) && !Open.empty())
      Open.pop_back();
    if (std::optional<AttributeList> List = attributesAt(All, At); List && List->isHarmless()) {
      At = List->End;
      continue;
    }
    if (size_t Size = sizeOfConverted(llvm::ArrayRef(All).drop_front(At))) {
      if (Text == "(") // which is closed in it
        Open.pop_back();
      At += Size;
      Kept.push_back(All[At - 2]);
      Kept.back().Text = Kept.back().Text.rtrim("lL");
      continue;
    }
    bool Drops = llvm::StringSwitch<bool>(All[At].Text)
                     .Cases("restrict", "__restrict", "__restrict__", "__extension__", "register", true)
                     .Default(false);
    if (!Drops) {
      Kept.push_back(All[At]);
      Kept.back().Text = plainName(Kept.back().Text);
    }
    ++At;
  }
  All = std::move(Kept);
}
