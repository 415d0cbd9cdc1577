// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR of translation units, in memory, for analysis: everything that C and C++ have is lowered to some 65
// instructions there, and the standard library's templates are code like any other.

#ifndef MPISHM_TOOL_LOWER_LOWER_H
#define MPISHM_TOOL_LOWER_LOWER_H

#include "lower/Constants.h"
#include "lower/Hidden.h"
#include "lower/Marks.h"
#include "lower/SystemParts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang
namespace llvm {
class raw_ostream;
}

namespace mpishm {

/// Named metadata of modules in which memory may be read as another type than it was written as: GCC takes care of that
/// below -O2, where it has no -fstrict-aliasing. (Floating-point numbers are apart from others all the same.)
inline constexpr llvm::StringLiteral LooseTypesMark = "mpishm.loose.types";

/// One unit. Owns its IR.
struct LoweredUnit {
  std::unique_ptr<llvm::LLVMContext> Context; ///< declared before the module, which goes first
  std::unique_ptr<llvm::Module> Module;
  std::vector<SiteMark> Sites; ///< by the numbers in the callees' names
  HiddenRecords Hidden;
  std::map<std::string, SystemPart> SystemParts; ///< see findSystemParts
  MpiConstants Constants;                        ///< empty for a unit that calls nothing of MPI
  std::string MainFile;                          ///< real path
};

/// Makes IR in a front-end run that is made for something else, too: a unit is parsed once then. For one run.
class Generation {
public:
  Generation();
  ~Generation();

  /// Sets \p Compiler up, which has not begun to read. The consumer changes the syntax tree when the unit has been
  /// read, so that it has to come after those that look at it. It refers to this.
  std::unique_ptr<clang::ASTConsumer> consumer(clang::CompilerInstance &Compiler);

private:
  friend class Lowering;
  struct Task;
  std::unique_ptr<Task> Current;
};

/// Lowers units. Reads the constants of each mpi.h once. Thread-safe.
class Lowering {
public:
  /// Makes the IR of the unit that the command \p Arguments (of Compilers::adjust), run in \p Directory, compiles: with
  /// line tables and type-based alias information, scalars out of memory, coroutines split, and otherwise as it was
  /// written. Nothing when it does not compile: then \p Errors has Clang's messages.
  std::optional<LoweredUnit> lower(const std::vector<std::string> &Arguments, const std::string &Directory,
                                   llvm::raw_ostream &Errors);

  /// The same of what \p Made, by a run of that command that has ended.
  std::optional<LoweredUnit> finish(Generation &Made, const std::vector<std::string> &Arguments,
                                    const std::string &Directory);

private:
  const MpiConstants &constantsOf(const std::string &Header, const std::string &MainFile,
                                  const std::vector<std::string> &Arguments, const std::string &Directory);

  std::mutex Mutex;
  std::map<std::string, MpiConstants> ConstantsOf; ///< by the path of mpi.h
};

} // namespace mpishm

#endif
