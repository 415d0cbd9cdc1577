/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives: all members of a communicator start them in one order, blocking, nonblocking and persistent ones (at
 * their making) together, so that the communicator and how many came before tell which calls are one.
 */
#include "recorder.h"

void collective_start(int site, MPI_Comm comm) {
  struct comm *known = comm_find(comm);
  if (known)
    say("collective %d %llx %u", site, (unsigned long long)known->id, known->collectives++);
}

/* The lock is not held while it waits for others: all threads keep the order of their collectives themselves. */
#define BLOCKING(name, arguments, passed)                                                                              \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    collective_start(enter(TEXT(FORM(MPI_##name)), HERE), comm);                                                       \
    unlock();                                                                                                          \
    return FORM(PMPI_##name) passed;                                                                                   \
  }

static const struct operation nothing;

#define NONBLOCKING(name, arguments, passed)                                                                           \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    int error, site = enter(TEXT(FORM(MPI_##name)), HERE);                                                             \
    collective_start(site, comm);                                                                                      \
    error = FORM(PMPI_##name) passed;                                                                                  \
    if (error == MPI_SUCCESS)                                                                                          \
      request_made(site, request, nothing, nothing);                                                                   \
    unlock();                                                                                                          \
    return error;                                                                                                      \
  }

#define PERSISTENT(name, arguments, passed)                                                                            \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    int error, site = enter(TEXT(FORM(MPI_##name)), HERE);                                                             \
    collective_start(site, comm);                                                                                      \
    error = FORM(PMPI_##name) passed;                                                                                  \
    if (error == MPI_SUCCESS)                                                                                          \
      request_persistent(site, *request, NEITHER, (struct envelope){0});                                               \
    unlock();                                                                                                          \
    return error;                                                                                                      \
  }

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define UNPACK(...) __VA_ARGS__

/* The forms of one function: `arguments` and `passed` are in parentheses, without those that only some forms have. */
#if MPI_VERSION >= 4
#define PERSISTENT_TOO(name, arguments, passed)                                                                        \
  PERSISTENT(name##_init, (UNPACK arguments, MPI_Info info, MPI_Request * request), (UNPACK passed, info, request))
#else
#define PERSISTENT_TOO(name, arguments, passed)
#endif
#define ALL_FORMS(name, lower, arguments, passed)                                                                      \
  BLOCKING(name, arguments, passed)                                                                                    \
  NONBLOCKING(I##lower, (UNPACK arguments, MPI_Request * request), (UNPACK passed, request))                           \
  PERSISTENT_TOO(name, arguments, passed)

#define FORM(name) name
ALL_FORMS(Barrier, barrier, (MPI_Comm comm), (comm))

#define COUNT int
#define PLACE int
#include "collective_calls.h"
#undef COUNT
#undef PLACE
#undef FORM

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define FORM(name) name##_c
#include "collective_calls.h"
#endif
