// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "readings/OwnText.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/LiteralSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mpishm;
using namespace clang;

static std::string realPath(llvm::StringRef Folder, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Name), Real;
  llvm::sys::fs::make_absolute(Folder, Path);
  return llvm::sys::fs::real_path(Path, Real) ? std::string(Path) : std::string(Real);
}

OwnText::OwnText(llvm::StringRef Preprocessed, const Places &Where) {
  const SourceManager &SM = Where.sources();
  Folder = SM.getFileManager().getFileSystemOpts().WorkingDir;
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I)
    if (const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I); Entry.isFile()) {
      SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
      FileID In = SM.getFileID(Start);
      if (llvm::StringRef Path = Where.fileOf(In); !Path.empty() && !Where.isLibrary(Start)) {
        Known[Path].IsPrograms = true;
        Known[Path].ClaimsSystems = SM.getBufferDataOrNone(In).value_or("").contains("system_header");
      } else if (!Path.empty()) {
        Known.try_emplace(Path);
      }
    }
  while (!Preprocessed.empty()) {
    auto [Here, Rest] = Preprocessed.split('\n');
    Preprocessed = Rest;
    llvm::StringRef Directive = Here.ltrim();
    bool IsDirective = RawEnd.empty() && Directive.consume_front("#");
    if (!IsDirective)
      passLiterals(Here);
    if (IsDirective && addMarker(Directive = Directive.ltrim()))
      continue;
    if (IsIn && IsDirective && Directive.consume_front("pragma") && !IsSystems)
      Pragmas.push_back({Directive.trim().str(), realPath(Folder, File), Line});
    else if (IsIn && !IsDirective)
      Text += Here.str() + "\n";
    ++Line;
  }
}

/// Sets RawEnd: a line in a raw string is no directive, whatever it looks like.
void OwnText::passLiterals(llvm::StringRef Here) {
  for (size_t At = 0; At < Here.size();) {
    if (!RawEnd.empty()) {
      size_t End = Here.find(RawEnd, At);
      if (End == llvm::StringRef::npos)
        return;
      At = End + RawEnd.size();
      RawEnd.clear();
    } else if (Here[At] == '"' || (Here[At] == '\'' && (At == 0 || !llvm::isAlnum(Here[At - 1])))) { // not 1'000
      char Quote = Here[At];
      llvm::StringRef Prefix = Here.take_front(At);
      size_t Named = Prefix.find_last_not_of("LuU8R") + 1;
      bool IsRaw = llvm::is_contained({"R", "LR", "uR", "UR", "u8R"}, Prefix.substr(Named)) &&
                   (Named == 0 || !(llvm::isAlnum(Prefix[Named - 1]) || Prefix[Named - 1] == '_'));
      size_t Begin = Here.find('(', At);
      if (Quote == '"' && IsRaw && Begin != llvm::StringRef::npos) {
        RawEnd = ")" + Here.slice(At + 1, Begin).str() + "\"";
        At = Begin + 1;
        continue;
      }
      for (++At; At < Here.size() && Here[At] != Quote; ++At)
        At += Here[At] == '\\';
      ++At;
    } else {
      ++At;
    }
  }
}

/// The text that follows belongs to another file, perhaps: `line 123 "name" 3`.
/// False: it is another directive, a pragma.
bool OwnText::addMarker(llvm::StringRef Marker) {
  Marker.consume_front("line ");
  unsigned Number;
  if (Marker.consumeInteger(10, Number) || !Marker.consume_front(" \""))
    return false;
  std::string Name;
  for (; !Marker.empty() && Marker.front() != '"'; Marker = Marker.drop_front()) {
    Marker.consume_front("\\");
    Name += Marker.front();
  }
  bool SaysSystem = Marker.contains(" 3");
  Line = Number;
  File = Name;
  Source Of = sourceOf(Name, SaysSystem);
  IsIn = Of.IsPrograms;
  SaysSystem &= !Of.ClaimsSystems;
  if (IsIn && SaysSystem != IsSystems) {
    IsSystems = SaysSystem;
    Changes.push_back(Text.size());
  }
  return true;
}

OwnText::Source OwnText::sourceOf(llvm::StringRef Name, bool SaysSystem) {
  if (Name.starts_with("<") || llvm::sys::path::filename(Name) == "mpishm.h")
    return {};
  auto [It, New] = ByName.try_emplace(Name);
  if (New) {
    auto Read = Known.find(realPath(Folder, Name));
    It->second = Read == Known.end() ? Source{!SaysSystem, false} : Read->second;
  }
  return It->second;
}

/// GCC writes letters of names that ASCII has not as `\U000000f6`; Clang has them in UTF-8, however they are written.
llvm::StringRef OwnText::nameOf(llvm::StringRef Written) {
  if (!Written.contains('\\'))
    return Written;
  llvm::SmallString<64> Name;
  expandUCNs(Name, Written);
  return Cleaned.emplace_back(Name);
}

std::vector<ReadToken> OwnText::tokens(const LangOptions &Language) {
  std::vector<ReadToken> Result;
  Lexer Lex(SourceLocation(), Language, Text.data(), Text.data(), Text.data() + Text.size());
  size_t Passed = 0;
  for (Token T; !Lex.LexFromRawLexer(T) || T.isNot(tok::eof);) {
    size_t Offset = T.getLocation().getRawEncoding();
    for (; Passed < Changes.size() && Changes[Passed] <= Offset; ++Passed)
      ;
    llvm::StringRef Spelled = spellingOf(T.getKind());
    if (Spelled.empty())
      Spelled = llvm::StringRef(Text).substr(Offset, T.getLength());
    if (T.is(tok::raw_identifier))
      Spelled = nameOf(Spelled);
    Result.push_back({Spelled, T.getLocation(), T.isLiteral(), Passed % 2 == 1});
  }
  return Result;
}
