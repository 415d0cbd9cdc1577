/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * To be preloaded: the name of this machine is what MPISHM_TEST_HOST says (local_agent.sh).
 */
#include <stdio.h>
#include <stdlib.h>

int gethostname(char *name, size_t size) {
  const char *host = getenv("MPISHM_TEST_HOST");
  snprintf(name, size, "%s", host ? host : "localhost");
  return 0;
}
