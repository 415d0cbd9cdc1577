/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file of the runtime with its releases or acquires weakened to relaxed: a mistake for ThreadSanitizer to find.
 */
#include <stdatomic.h>

#ifdef WEAKEN_RELEASE
#define memory_order_release memory_order_relaxed
#endif
#ifdef WEAKEN_ACQUIRE
#define memory_order_acquire memory_order_relaxed
#endif
#include WEAKENED_FILE
