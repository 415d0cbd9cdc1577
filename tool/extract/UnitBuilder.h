// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of a unit, while it is extracted.

#ifndef MPISHM_TOOL_EXTRACT_UNITBUILDER_H
#define MPISHM_TOOL_EXTRACT_UNITBUILDER_H

#include "constraints/Constraints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

namespace mpishm::ir {

/// Numbers symbols, lines and texts.
class UnitBuilder {
public:
  UnitBuilder(Unit &U, const llvm::Module &Module) : Result(U), M(Module) {}

  /// The symbol that \p G, a function or variable, or an alias of one, has.
  uint32_t symbol(const llvm::GlobalValue &G);
  uint32_t line(const llvm::DILocation *Loc);
  uint32_t line(const llvm::DIFile *File, unsigned Line);
  uint32_t text(llvm::StringRef Text);
  const llvm::Module &module() const { return M; }
  /// Notes the words of an assembly code.
  void assembly(llvm::StringRef Code);

private:
  uint32_t file(const llvm::DIFile *File);

  Unit &Result;
  const llvm::Module &M;
  llvm::DenseMap<const llvm::GlobalValue *, uint32_t> Symbols;
  llvm::DenseMap<const llvm::Metadata *, uint32_t> Files, Lines;
  llvm::StringMap<uint32_t> Texts;
};

} // namespace mpishm::ir

#endif
