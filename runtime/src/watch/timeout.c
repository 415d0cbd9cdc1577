/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPISHM_TIMEOUT: who waits for whom. Each rank speaks for itself, on standard error, in one piece.
 */
#include "watch/timeout.h"
#include "base/environment.h"
#include "watch/places.h"
#include "watch/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ABORT_AFTER_SECONDS = 1, /* the other ranks of a deadlock began to wait at about the same time */
};
static const double NANOSECONDS = 1e9;

static struct {
  uint64_t limit; /* nanoseconds, 0: off */
  bool aborts;
  describe_wait *describe; /* what a call waits for */
} timeout;

/* ---- Settings. ---- */

int64_t timeout_wanted(void) {
  const char *text = getenv("MPISHM_TIMEOUT");
  char *end;
  if (!text || !*text)
    return 0;
  double seconds = strtod(text, &end);
  if (*end || !isfinite(seconds) || seconds < 0 || seconds > 1e9) {
    environment_ignore("MPISHM_TIMEOUT", text, "seconds");
    return 0;
  }
  return (int64_t)(seconds * NANOSECONDS);
}

bool timeout_aborts(void) {
  const char *text = getenv("MPISHM_TIMEOUT_ACTION");
  bool aborts = text && strcmp(text, "abort") == 0;
  if (text && *text && !aborts && strcmp(text, "continue") != 0)
    environment_ignore("MPISHM_TIMEOUT_ACTION", text, "abort or continue");
  return aborts;
}

void timeout_start(uint64_t nanoseconds, bool aborts, describe_wait *describer) {
  timeout.describe = describer;
  timeout.limit = nanoseconds;
  timeout.aborts = aborts;
}

bool timeout_is_on(void) { return timeout.limit != 0; }
bool timeout_aborts_soon(void) { return timeout.aborts; }

/* ---- Reporting. ---- */

static void report(const struct watched_call *call, double seconds) {
  char *text = NULL;
  size_t length = 0;
  int rank = 0;
  FILE *to = open_memstream(&text, &length);
  if (!to)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(to, "mpishm: rank %d of MPI_COMM_WORLD has waited %.3g s in ", rank, seconds);
  print_site(call->call, call->site, to);
  fputs(" for\n", to);
  timeout.describe(call, to);
  places_close();
  /* Said now, since launchers drop what a rank says right before it aborts. */
  if (timeout.aborts)
    fprintf(to, "mpishm: MPISHM_TIMEOUT_ACTION=abort ends the job in %d s\n", ABORT_AFTER_SECONDS);
  if (fclose(to) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}

void timeout_check(struct watched_call *call) {
  if (!timeout.limit || !call->entered)
    return;
  uint64_t now = watch_clock();
  if (!call->reported && now - call->entered > timeout.limit) {
    report(call, (double)(now - call->entered) / NANOSECONDS);
    call->reported = true;
    call->aborts_at = watch_clock() + ABORT_AFTER_SECONDS * UINT64_C(1000000000);
  } else if (call->reported && timeout.aborts && now > call->aborts_at) {
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void timeout_over(const struct watched_call *call, uint64_t nanoseconds) {
  char *text = NULL;
  size_t length = 0;
  int rank = 0;
  FILE *to = open_memstream(&text, &length);
  if (!to)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(to, "mpishm: rank %d of MPI_COMM_WORLD goes on after %.3g s in ", rank, (double)nanoseconds / NANOSECONDS);
  print_site(call->call, call->site, to);
  fputc('\n', to);
  places_close();
  if (fclose(to) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}
