// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "edit/Sight.h"
#include "mpi/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace mpishm;

static bool isWordCharacter(char C) { return llvm::isAlnum(C) || C == '_'; }

/// Branch::None for a guard, which is always entered.
static unsigned withoutGuard(const FileDirectives &File, unsigned Inside) {
  return Inside != Branch::None && File.Branches[Inside].Guard ? Branch::None : Inside;
}

static std::vector<std::string> wordsOf(llvm::StringRef Line) {
  std::vector<std::string> Words;
  while (!Line.empty()) {
    llvm::StringRef Word = Line.take_while(isWordCharacter);
    if (!Word.empty() && !llvm::isDigit(Word.front()))
      Words.push_back(Word.str());
    Line = Line.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return Words;
}

/// `#ifdef X`, `#if defined(X)` and `# if defined X` are one.
static std::string normalised(llvm::StringRef Line) {
  std::vector<std::string> Words = wordsOf(Line);
  bool Simple = llvm::all_of(Line, [](char C) { return isWordCharacter(C) || llvm::is_contained("#!() \t", C); });
  if (!Simple || Words.size() < 2 || Line.count('!') > 1)
    return Line.str();
  if (Words[0] == "ifdef" || Words[0] == "ifndef")
    return "defined " + Words[1] + (Words[0] == "ifdef" ? "" : " not");
  if (Words.size() == 3 && Words[0] == "if" && Words[1] == "defined")
    return "defined " + Words[2] + (Line.contains('!') ? " not" : "");
  return Line.str();
}

bool mpishm::changesBetween(const FileDirectives &File, llvm::ArrayRef<std::string> Lines, uint32_t Begin,
                            uint32_t End) {
  return llvm::any_of(File.Macros, [&](const MacroChange &M) {
    return M.Begin >= Begin && M.Begin < End &&
           llvm::any_of(Lines, [&](const std::string &Line) { return llvm::is_contained(wordsOf(Line), M.Name); });
  });
}

/// True when whichever branch of the conditional around \p Inside is taken includes mpi.h, by whatever path.
static bool eachBranchHasMpi(const FileDirectives &File, unsigned Inside) {
  bool HasElse = false;
  for (auto [Index, B] : llvm::enumerate(File.Branches)) {
    if (B.First != File.Branches[Inside].First)
      continue;
    HasElse |= llvm::StringRef(B.Opening.back()).drop_front().ltrim().starts_with("else");
    if (llvm::none_of(File.Includes, [&, Branch = Index](const IncludeLine &I) {
          return I.Inside == Branch && llvm::sys::path::filename(I.Name) == "mpi.h";
        }))
      return false;
  }
  return HasElse;
}

bool mpishm::isUnder(const FileDirectives &File, uint32_t Offset, unsigned Inside) {
  Inside = withoutGuard(File, Inside);
  unsigned At = File.branchAt(Offset);
  if (File.isInside(At, Inside))
    return true;
  const Branch &Wanted = File.Branches[Inside];
  if (!File.isInside(At, withoutGuard(File, Wanted.Parent)))
    return false;
  if (Offset >= Wanted.After && eachBranchHasMpi(File, Inside))
    return true;
  auto Same = [&](const Branch &B) {
    return llvm::equal(B.Opening, Wanted.Opening,
                       [](llvm::StringRef X, llvm::StringRef Y) { return normalised(X) == normalised(Y); }) &&
           !changesBetween(File, B.Opening, std::min(B.Begin, Wanted.Begin), std::max(B.Begin, Wanted.Begin));
  };
  for (; At != Branch::None; At = File.Branches[At].Parent)
    if (Same(File.Branches[At]))
      return true;
  return false;
}

bool Sights::needsMpi(llvm::StringRef Path, const FileDirectives &File, llvm::ArrayRef<MpiLine> Lines) const {
  if (!Lines.empty() || Seen.Conditional)
    return false;
  for (auto It = Seen.Calls.lower_bound({Path.str(), 0, 0, 0}); It != Seen.Calls.end() && It->File == Path; ++It)
    if (withoutGuard(File, File.branchAt(It->Offset)) == Branch::None && !File.inMacro(It->Offset))
      return true;
  return false;
}

bool Sights::asksForMpi(const FileDirectives &File, uint32_t Offset) const {
  for (unsigned At = File.branchAt(Offset); At != Branch::None; At = File.Branches[At].Parent)
    for (const std::string &Line : File.Branches[At].Opening)
      if (!llvm::StringRef(Line).contains("||") &&
          llvm::any_of(wordsOf(Line), [&](const std::string &Word) { return Seen.Words.count(Word) != 0; }))
        return true;
  return false;
}

std::string mpishm::withoutMpi(llvm::StringRef Name) {
  static const std::map<llvm::StringRef, llvm::StringRef> Meanings = {
      {"MPISHM_Malloc", " malloc"},
      {"MPISHM_Calloc", " calloc"},
      {"MPISHM_Realloc", " realloc"},
      {"MPISHM_Aligned_alloc", " aligned_alloc"},
      {"MPISHM_Posix_memalign", " posix_memalign"},
      {"MPISHM_Free", " free"},
      {"MPISHM_To_window", "(memory) (memory)"},
      {"MPISHM_TO_WINDOW", "(memory) (memory)"},
  };
  llvm::StringRef Word = Name.take_while(isWordCharacter);
  if (auto It = Meanings.find(Word); It != Meanings.end())
    return ("#define " + Word + It->second).str();
  const FunctionInfo *Function = findFunction(Word);
  return Function ? ("#define " + Word + " " + Function->Name).str() : "";
}

const FileDirectives &Sights::directivesOf(const std::string &Path) {
  auto [It, New] = Files.try_emplace(Path);
  if (New)
    if (auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                                  /*IsVolatile=*/true))
      It->second = readDirectives((*Buffer)->getBuffer());
  return It->second;
}

bool Sights::alwaysBrings(const std::string &Header) {
  auto [It, New] = Known.try_emplace(Header, false);
  if (!New)
    return It->second;
  const FileDirectives &File = directivesOf(Header);
  bool Always = llvm::any_of(lines(Header, File, ~0u), [&](const MpiLine &L) {
    return L.Always && withoutGuard(File, L.Line->Inside) == Branch::None;
  });
  return Known[Header] = Always;
}

std::vector<MpiLine> Sights::lines(llvm::StringRef Path, const FileDirectives &File, uint32_t Before) {
  std::vector<MpiLine> Result;
  for (const IncludeLine &Line : File.Includes) {
    if (!Line.FileScope || Line.End > Before)
      continue;
    Place Begin{Path.str(), Line.Begin, 0, 0};
    auto IsHere = [&](const Place &P) { return P.File == Path && P.Offset < Line.End; };
    auto Include = llvm::lower_bound(Seen.Includes, Begin);
    if (Include != Seen.Includes.end() && IsHere(*Include)) {
      Result.push_back({&Line, true, true});
      continue;
    }
    auto Bringer = llvm::lower_bound(Seen.Bringers, MpiBringer{Begin, ""});
    bool Brings = false, Always = true;
    for (; Bringer != Seen.Bringers.end() && IsHere(Bringer->Where); ++Bringer) {
      Brings = true;
      Always &= alwaysBrings(Bringer->Header);
    }
    if (Brings)
      Result.push_back({&Line, false, Always});
  }
  return Result;
}

Sights::Shelter Sights::shelterOf(const Place &Name) {
  const FileDirectives &File = directivesOf(Name.File);
  std::vector<MpiLine> Lines = lines(Name.File, File, Name.Offset);
  if (needsMpi(Name.File, File, Lines) ||
      llvm::any_of(Lines, [&](const MpiLine &L) { return L.Always && isUnder(File, Name.Offset, L.Line->Inside); }))
    return Shelter::Always;
  if (!Lines.empty())
    return Seen.EndedWithout.count(Name.File) ? Shelter::Never : Shelter::Sometimes;
  if (!Seen.Optional)
    return Shelter::Always; // it can include mpi.h itself
  if (!Seen.BeganWithout.count(Name.File))
    return Shelter::Sometimes;
  return Seen.Condition.empty() || changesBetween(File, {Seen.Condition}, 0, ~0u) ? Shelter::Never : Shelter::Sometimes;
}

/// The macro that the condition of \p B is about, if it is one alone.
static std::string onlyWord(const Branch &B) {
  std::set<std::string> Found;
  for (const std::string &Line : B.Opening) {
    const std::vector<std::string> Words = wordsOf(Line);
    for (const std::string &Word : llvm::drop_begin(Words)) // the first is `if` or so
      if (Word != "defined")
        Found.insert(Word);
  }
  return Found.size() == 1 ? *Found.begin() : "";
}

/// Fills in MpiSight::Conditional and Words. What encloses a condition may be about something else, unless that only
/// asks for what mpi.h itself defines.
static void findWords(Sights &Look, MpiSight &Seen) {
  std::set<std::string> Paths;
  for (const Place &P : Seen.Includes)
    Paths.insert(P.File);
  for (const MpiBringer &B : Seen.Bringers)
    Paths.insert(B.Where.File);
  for (const std::string &Path : Paths) {
    const FileDirectives &File = Look.directivesOf(Path);
    for (const MpiLine &L : Look.lines(Path, File, ~0u))
      for (unsigned At = withoutGuard(File, L.Line->Inside); At != Branch::None;
           At = withoutGuard(File, File.Branches[At].Parent)) {
        Seen.Conditional = true;
        std::string Word = onlyWord(File.Branches[At]);
        if (llvm::StringRef(Word).starts_with("MPI_"))
          continue;
        if (!Word.empty())
          Seen.Words.insert(Word);
        break;
      }
  }
}

/// Fills in MpiSight::Optional and Condition.
static void findCondition(llvm::ArrayRef<UnitFacts> Units, Sights &Look, MpiSight &Seen) {
  std::set<std::string> Conditions, Paths;
  std::string Line;
  for (const Place &P : Seen.Includes)
    Paths.insert(P.File);
  bool Plain = true;
  for (const std::string &Path : Paths) {
    const FileDirectives &File = Look.directivesOf(Path);
    for (const MpiLine &L : Look.lines(Path, File, ~0u)) {
      unsigned Inside = withoutGuard(File, L.Line->Inside);
      if (!L.Direct)
        continue;
      if (Inside == Branch::None)
        return; // no build is without MPI
      const Branch &B = File.Branches[Inside];
      Line = B.Opening.front();
      Conditions.insert(normalised(Line));
      Plain &= B.Opening.size() == 1 && withoutGuard(File, B.Parent) == Branch::None &&
               !changesBetween(File, B.Opening, 0, ~0u);
    }
  }
  Seen.Optional = !Conditions.empty();
  if (!Plain || Conditions.size() != 1)
    return;
  const std::vector<std::string> Words = wordsOf(Line);
  for (const std::string &Word : llvm::drop_begin(Words)) // the first is `if` or so
    for (const UnitFacts &Unit : Units)
      if (auto Defines = [&](const std::string &Macro) { return llvm::StringRef(Macro).split('=').first == Word; };
          Word != "defined" && (llvm::count_if(Unit.CommandMacros, Defines) != 1 ||
                                llvm::none_of(Units.front().CommandMacros, [&](const std::string &Macro) {
                                  return Defines(Macro) && llvm::is_contained(Unit.CommandMacros, Macro);
                                })))
        return;
  Seen.Condition = Line;
}

MpiSight mpishm::sightOf(llvm::ArrayRef<UnitFacts> Units) {
  MpiSight Seen;
  std::set<Place> Includes;
  std::set<MpiBringer> Bringers;
  for (const UnitFacts &Unit : Units) {
    Includes.insert(Unit.MpiIncludes.begin(), Unit.MpiIncludes.end());
    Bringers.insert(Unit.MpiBringers.begin(), Unit.MpiBringers.end());
    Seen.BeganWithout.insert(Unit.BeganWithoutMpi.begin(), Unit.BeganWithoutMpi.end());
    Seen.EndedWithout.insert(Unit.EndedWithoutMpi.begin(), Unit.EndedWithoutMpi.end());
    Seen.Lines.insert(Unit.Lines.begin(), Unit.Lines.end());
    for (const Call &C : Unit.Calls)
      Seen.Calls.insert(C.Token);
  }
  Seen.Includes.assign(Includes.begin(), Includes.end());
  Seen.Bringers.assign(Bringers.begin(), Bringers.end());
  Sights Look(Seen);
  findCondition(Units, Look, Seen);
  findWords(Look, Seen);
  return Seen;
}

std::set<Place> mpishm::findUnsheltered(llvm::ArrayRef<UnitFacts> Units, const MpiSight &Seen) {
  std::set<Place> Result;
  Sights Look(Seen);
  auto Check = [&](const Place &At, const std::optional<Place> &Host, bool Needed) {
    const Place &Name = Host ? *Host : At;
    if (Name.File.empty())
      return;
    Sights::Shelter Shelter = Look.shelterOf(Name);
    if (Shelter == Sights::Shelter::Never || (Needed && Shelter == Sights::Shelter::Sometimes))
      Result.insert(At);
  };
  auto CheckCall = [&](const MemoryCall &C, bool Needed) {
    if (!C.Already)
      Check(C.Edit == Editability::MacroDefinition ? C.Token : C.Name, C.Host, Needed);
    if (C.Whole)
      Check(C.Whole->Begin, C.Whole->Host, false);
  };
  for (const UnitFacts &Unit : Units) {
    for (const MemoryCall &C : Unit.Pointers.Calls)
      if (!C.New.empty())
        CheckCall(C, withoutMpi(C.New).empty());
    for (const ResultCall &C : Unit.Pointers.Results)
      CheckCall(C.As, false);
    for (const ArrayDeclaration &A : Unit.Pointers.Arrays)
      if (A.Unfit.empty() && !A.Already)
        Check(A.End, A.Host, true);
    for (const VectorDeclaration &V : Unit.Pointers.Vectors)
      if (V.Angle && !V.Already)
        Check(*V.Angle, V.Host, true);
    for (const PackedSend &S : Unit.Packed)
      if (S.Refused.empty())
        for (const Place &At : {S.Loops, S.Send})
          if (Look.shelterOf(At) != Sights::Shelter::Always)
            Result.insert(S.Loops);
  }
  return Result;
}
