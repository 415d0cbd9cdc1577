/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leaders/served.h"

void served_start(void) {
  static struct mpi_functions served;
  served = mpi_first;
#define TAKE(name) served.name = leaders_##name;
#define TAKE_LARGE(name) served.name##_c = leaders_##name##_c;
  TAKE(Barrier)
  MPISHM_LED(TAKE)
  MPISHM_LARGE_LED(TAKE_LARGE)
#undef TAKE
#undef TAKE_LARGE
  mpi_beyond = &served;
}
