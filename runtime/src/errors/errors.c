/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "errors/errors.h"
#include "next/next.h"
#include "node/runtime.h"

#include <stdatomic.h>

/* Held by who finds out, so that `called` is about its own error. */
static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm called;

static void note(MPI_Comm *comm, int *error, ...) {
  (void)error;
  called = *comm;
}

static bool is_fatal(MPI_Comm comm) {
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return fatal;
}

static bool all_are_fatal(void) { return is_fatal(MPI_COMM_WORLD) && is_fatal(MPI_COMM_SELF); }

/* The handlers that may be called instead of an object's own. One that ends the program stays: it does so rightly, and
 * setting it again would make it one that somebody has set. */
struct handlers {
  MPI_Errhandler noting, own[2];
};

static MPI_Comm stand_in(int i) { return i == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF; }

static struct handlers begin_finding(void) {
  struct handlers handlers;
  pthread_mutex_lock(&finding);
  called = MPI_COMM_NULL;
  PMPI_Comm_create_errhandler(note, &handlers.noting);
  for (int i = 0; i < 2; i++) {
    PMPI_Comm_get_errhandler(stand_in(i), &handlers.own[i]);
    if (handlers.own[i] != MPI_ERRORS_ARE_FATAL)
      PMPI_Comm_set_errhandler(stand_in(i), handlers.noting);
  }
  return handlers;
}

static MPI_Comm end_finding(struct handlers *handlers) {
  MPI_Comm found = called;
  for (int i = 0; i < 2; i++) {
    if (handlers->own[i] != MPI_ERRORS_ARE_FATAL)
      PMPI_Comm_set_errhandler(stand_in(i), handlers->own[i]);
    PMPI_Errhandler_free(&handlers->own[i]);
  }
  PMPI_Errhandler_free(&handlers->noting);
  pthread_mutex_unlock(&finding);
  return found;
}

/* Whether others than an object's own may be called. With Open MPI they are not, and one that nobody has set ends the
 * program. */
#ifdef MPICH_VERSION
enum { OTHERS_ARE_CALLED = true };
#else
enum { OTHERS_ARE_CALLED = false };
#endif

/* A negative count is an error with every communicator, which goes to nobody: where the library does not look for
 * errors, nothing happens. Where somebody has set MPI_ERRORS_ARE_FATAL this ends the program, as the error would. */
void error_on_communicator(MPI_Comm comm, int error) {
  MPI_Comm on = MPI_COMM_NULL;
  if (OTHERS_ARE_CALLED && is_fatal(comm) && !all_are_fatal()) {
    struct handlers handlers = begin_finding();
    mpi_own.Send(NULL, -1, MPI_BYTE, MPI_PROC_NULL, 0, comm);
    on = end_finding(&handlers);
  }
  PMPI_Comm_call_errhandler(on == MPI_COMM_NULL ? comm : on, error);
}

void error_on_window(MPI_Win win, int error) {
  MPI_Comm on = MPI_COMM_NULL;
  MPI_Errhandler own;
  PMPI_Win_get_errhandler(win, &own);
  if (OTHERS_ARE_CALLED && own == MPI_ERRORS_ARE_FATAL && !all_are_fatal()) {
    struct handlers handlers = begin_finding();
    mpi_own.Put(NULL, -1, MPI_BYTE, MPI_PROC_NULL, 0, -1, MPI_BYTE, win);
    on = end_finding(&handlers);
  }
  PMPI_Errhandler_free(&own);
  if (on == MPI_COMM_NULL)
    PMPI_Win_call_errhandler(win, error);
  else
    PMPI_Comm_call_errhandler(on, error);
}

/* Collective over this rank alone, and apart from what the program does on communicators of its own. */
MPI_Comm error_private_communicator(void) {
  MPI_Group world, self;
  MPI_Comm alone;
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, 1, &rank, &self);
  PMPI_Comm_create_group(MPI_COMM_WORLD, self, 0, &alone);
  PMPI_Group_free(&self);
  PMPI_Group_free(&world);
  return alone;
}

/* A message of this rank to itself that is too long for its receive. */
static void fail_in_completion(MPI_Comm comm) {
  char in, out[2] = {0};
  int rank;
  MPI_Request requests[2];
  PMPI_Comm_rank(comm, &rank);
  mpi_own.Irecv(&in, 1, MPI_BYTE, rank, 0, comm, &requests[0]);
  mpi_own.Isend(out, 2, MPI_BYTE, rank, 0, comm, &requests[1]);
  mpi_own.Wait(&requests[1], MPI_STATUS_IGNORE);
  mpi_own.Wait(&requests[0], MPI_STATUS_IGNORE);
}

/* In the node's communicator no rank sends itself anything but this. What MPICH 4.0 finds in one of a single member, it
 * raises there. */
static MPI_Comm find_of_completion(bool alone) {
  MPI_Comm comm = alone ? error_private_communicator() : mpishm.node;
  MPI_Errhandler own;
  struct handlers handlers = begin_finding();
  PMPI_Comm_get_errhandler(comm, &own); /* not that of another thread, which finds out the same */
  PMPI_Comm_set_errhandler(comm, handlers.noting);
  fail_in_completion(comm);
  PMPI_Comm_set_errhandler(comm, own);
  MPI_Comm found = end_finding(&handlers);
  PMPI_Errhandler_free(&own);
  if (alone)
    PMPI_Comm_free(&comm);
  return found;
}

/* A negative number of requests is an error that no communicator has to do with. */
static MPI_Comm find_of_completions(void) {
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Status status;
  struct handlers handlers = begin_finding();
  mpi_own.Waitall(-1, &none, &status);
  return end_finding(&handlers);
}

/* With Open MPI all is raised on the request's own; and so it is here where MPI_COMM_WORLD has no other handler than
 * one that ends the program, although that is what the library may call: MPI asks for the communicator's. */
MPI_Comm error_is_on(enum error_in in, bool alone) {
  enum { NOT_KNOWN, THE_WORLD, THE_SELF, ITS_OWN };
  static _Atomic int completion[2], completions; /* by whoever has found it out: the same for all threads */
  if (!OTHERS_ARE_CALLED || in == ERROR_IN_CALL || all_are_fatal())
    return MPI_COMM_NULL;
  _Atomic int *known = in == ERROR_IN_COMPLETION ? &completion[alone] : &completions;
  int now = *known;
  if (now == NOT_KNOWN) {
    MPI_Comm found = in == ERROR_IN_COMPLETION ? find_of_completion(alone) : find_of_completions();
    now = found == MPI_COMM_WORLD ? THE_WORLD : found == MPI_COMM_SELF ? THE_SELF : ITS_OWN;
    if (!is_fatal(MPI_COMM_WORLD) && !is_fatal(MPI_COMM_SELF)) /* else one may have given way to the other */
      *known = now;
  }
  return now == THE_WORLD ? MPI_COMM_WORLD : now == THE_SELF ? MPI_COMM_SELF : MPI_COMM_NULL;
}
