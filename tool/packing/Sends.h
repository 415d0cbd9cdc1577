// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of a send, and of what stands around it, to see whether its message is packed directly before.

#ifndef MPISHM_TOOL_PACKING_SENDS_H
#define MPISHM_TOOL_PACKING_SENDS_H

#include "facts/PackingFacts.h"
#include "packing/Covers.h"
#include "syntax/Places.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mpishm {

/// `pack(...); MPI_Isend(...);` in a function, or loops and `MPI_Isend(...)`.
struct Pair {
  const clang::Stmt *Packs = nullptr;
  const clang::CallExpr *Sends = nullptr;
  /// What the pair stands in, from inside out: blocks, and which of their statements.
  std::vector<std::pair<const clang::CompoundStmt *, const clang::Stmt *>> Around;
};

class SendReader {
public:
  /// \p Callee is called to pack; may be null.
  SendReader(clang::ASTContext &C, const Places &P, const Pair &What, const clang::FunctionDecl *In,
             const clang::FunctionDecl *Callee)
      : Context(C), SM(C.getSourceManager()), Where(P), Both(What), Sender(In), Packer(Callee), OfSender(In) {}

protected:
  static bool refuse(PackedSend &Result, std::string Why) {
    Result.Refused = std::move(Why);
    return true;
  }
  /// Reads the cover by \p Read in so many \p Ways, until one is not refused; after what both kinds of pairs have in
  /// common. False when it is none in any.
  bool readAny(PackedSend &Result, size_t Ways, llvm::function_ref<bool(size_t, PackedSend &)> Read) const;
  /// Why the pair cannot be edited. None: \p Result gets the arguments.
  std::string whyNotEditable(PackedSend &Result) const;
  std::string whyOtherLength(const Cover &C, Terms &Outer, PackedSend &Result) const;
  /// Whether the type of the elements is MPI's for \p Element.
  bool isOfElement(clang::QualType Element) const { return isOfElement(argument(2), Element); }
  bool isOfElement(const clang::Expr *Datatype, clang::QualType Element) const;
  /// Whether since \p D began, nothing was done but calls of MPI, of what packs, and steps of the function's own
  /// variables.
  bool isKeptSince(const clang::VarDecl *D) const;
  LinkedName nameOf(const clang::FunctionDecl *F) const;
  std::string wordAt(clang::SourceLocation Loc) const;
  llvm::StringRef textOf(clang::SourceLocation Begin, clang::SourceLocation End) const;
  const clang::Expr *argument(unsigned I) const { return Both.Sends->getArg(I); }
  bool isInMainFile(clang::SourceLocation Loc) const {
    return Loc.isFileID() && SM.getFileID(Loc) == SM.getMainFileID();
  }

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const Places &Where;
  const Pair &Both;
  const clang::FunctionDecl *Sender, *Packer;
  const Uses OfSender;

private:
  const clang::Expr *valueOf(const clang::Expr *E) const;
  std::string nameOfConstant(const clang::Expr *E) const;
  bool isQuiet(const clang::Stmt *S) const;
};

} // namespace mpishm

#endif
