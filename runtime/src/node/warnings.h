/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What users are told once. Thread safety: any thread, at the cost of a line that might come twice.
 */
#ifndef MPISHM_WARNINGS_H
#define MPISHM_WARNINGS_H

/* Prints "mpishm: warning: <text>", once per kind: from one rank of a node where there is a window, else from the first
 * rank of MPI_COMM_WORLD. */
enum warning {
  WARN_NOT_ATTACHED,
  WARN_ATTACHED_TWICE,
  WARN_NO_WINDOW,
  WARN_WINDOW_FULL,
  WARN_NO_NET,
  WARN_PLACE,
  WARN_NEGATIVE,
  WARN_MISMATCH,
  WARN_ENVIRONMENT,
  WARN_COUNT
};
void warn_once(enum warning which, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
