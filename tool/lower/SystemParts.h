// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of an object a library may look into that was handed it as an object of a class of its own.

#ifndef MPISHM_TOOL_LOWER_SYSTEMPARTS_H
#define MPISHM_TOOL_LOWER_SYSTEMPARTS_H

#include <cstdint>
#include <map>
#include <string>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace mpishm {

/// Whether a system header declares \p D.
bool isOfSystem(const clang::Decl &D);

/// Of objects of a class with virtual functions.
struct SystemPart {
  /// How many bytes, from the beginning, are of a class that other code knows: one of a system header, or one that the
  /// program reaches by an address from elsewhere, as by a cast. 0 where none is of a system header, or where the
  /// class, or one that it is derived from, has several bases or a virtual one: then there may be more than one table
  /// of virtual functions. And 0 of a class of the program's that is only declared.
  int64_t Part = 0;
  int64_t Size = 0; ///< of the whole object, in bytes

  bool operator==(const SystemPart &) const = default;
};

/// Those of the classes of a unit, by their mangled names.
std::map<std::string, SystemPart> findSystemParts(clang::ASTContext &Context);

} // namespace mpishm

#endif
