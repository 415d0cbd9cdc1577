/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One rank's long waits between two threads, for tests in C++.
 */
#ifndef MPISHM_TEST_LONG_WAITS_H
#define MPISHM_TEST_LONG_WAITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct waiting_rank;
struct told {
  uint32_t context, number;
  uint16_t call, awaited;
  uint64_t milliseconds;
};

struct waiting_rank *waiting_rank_create(void);
void waiting_rank_destroy(struct waiting_rank *rank);
void waiting_rank_tell(struct waiting_rank *rank, struct told told);
struct told waiting_rank_look(struct waiting_rank *rank);

#ifdef __cplusplus
}
#endif

#endif
