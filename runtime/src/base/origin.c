/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/origin.h"

#include <stddef.h>

_Thread_local struct origin unrewritten = {NULL, 0};
