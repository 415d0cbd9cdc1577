// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of which a program may read a column: by a std::source_location, or __builtin_COLUMN. A new name in such a line
// would move what stands behind it.

#ifndef MPISHM_TOOL_COLLECT_COLUMNS_H
#define MPISHM_TOOL_COLLECT_COLUMNS_H

#include "syntax/Places.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace mpishm {

/// Has the names in \p Facts that stand in such lines of the unit not be replaced there (Editability::Column).
void keepColumns(clang::ASTContext &Context, const Places &Where, UnitFacts &Facts);

} // namespace mpishm

#endif
