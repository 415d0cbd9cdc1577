// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program's own compiler reads otherwise than Clang does.
//
// Both preprocess the same files by the same command, and what each then has of the program's files are tokens. Where
// these are the same, it does not matter by which conditionals, macros and headers they came about; where they are not,
// the tool has analysed another program than the one that runs.

#ifndef MPISHM_TOOL_READINGS_READINGS_H
#define MPISHM_TOOL_READINGS_READINGS_H

#include "readings/Lines.h"
#include "syntax/Places.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace mpishm {

/// A token as it goes to the parser. Where is in Clang's source, an offset in that of another compiler.
struct ReadToken {
  llvm::StringRef Text;
  clang::SourceLocation Where;
  bool IsLiteral = false;
  bool IsSystems = false; ///< another compiler's: it says that a macro of the system has it
};

/// Whether both compilers have read the same. One number may be written in several ways: 3.4028234664e+38F and
/// 3.40282347e+38F.
bool isSame(const ReadToken &A, const ReadToken &B);

/// Of a punctuator; else empty.
llvm::StringRef spellingOf(clang::tok::TokenKind Kind);

/// Tokens of the files that are not known to be the system's.
class TokenRecord {
public:
  /// Records what \p PP gives to the parser from now on; this must outlive it.
  void watch(clang::Preprocessor &PP);
  const std::vector<ReadToken> &tokens() const { return Tokens; }
  /// Whether anything in the unit, also of the system's, is the column of a place, or a place with one.
  bool readsColumns() const { return ReadsColumns; }

private:
  std::vector<ReadToken> Tokens;
  std::deque<std::string> Cleaned; ///< texts of tokens that have none in one piece
  bool InPragma = false, ReadsColumns = false;
};

/// Those of the program's own files.
std::vector<ReadToken> tokensOfProgram(const TokenRecord &Seen, const Places &Where);

/// Whether the text itself is the system's, whoever's macro brings it.
bool isSpelledInLibrary(clang::SourceLocation Loc, const Places &Where);

/// True for what a macro of the system, or an argument of one, consists of.
bool isInSystemMacro(clang::SourceLocation Loc, const Places &Where);

/// The macros that the text at \p Loc comes from the bodies of, the innermost first.
llvm::SmallVector<llvm::StringRef, 4> macrosOf(clang::SourceLocation Loc, const Places &Where);

/// Where \p Own, which the program's own compiler has made of the unit, is another program than \p Clangs, the tokens
/// of its files. Attributes that only help compilers do not make it one, nor what a macro of the system consists of,
/// unless that is a number; nor do texts and numbers that are only told to the user, or handed on (\p Literals).
std::vector<Reading> findOtherReadings(std::vector<ReadToken> Clangs, llvm::StringRef Own, const LiteralUses &Literals,
                                       const clang::LangOptions &Language, const Places &Where);

/// Of a unit whose compiler could not be asked: the first branch of the program's that it may read otherwise.
std::vector<Reading> findPossibleReadings(const Places &Where, const clang::Preprocessor &PP);

} // namespace mpishm

#endif
