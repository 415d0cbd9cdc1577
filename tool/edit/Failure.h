// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that are nothing but their text.

#ifndef MPISHM_TOOL_EDIT_FAILURE_H
#define MPISHM_TOOL_EDIT_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace mpishm {

/// The error that says \p Message.
inline llvm::Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

} // namespace mpishm

#endif
