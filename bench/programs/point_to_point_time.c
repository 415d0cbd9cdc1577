/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * point_to_point_time - how long a program is in calls for point-to-point messages, its own MPI's or libmpishm's.
 *
 * To be preloaded (LD_PRELOAD). Each function stands before the one of the same name that the program would have
 * called, and adds up what that takes. At MPI_Finalize rank 0 writes one line of two numbers to the file that
 * POINT_TO_POINT_TIME names: seconds from MPI_Init to MPI_Finalize, and seconds in such calls, each of the slowest
 * rank. For programs with one thread that communicates. A program that is linked to libmpishm.a calls within itself,
 * where nothing can be put before: link it with MPISHM_LINK=shared.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double started, inside;
static int depth; /* libmpishm calls MPI */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *next_of(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "point_to_point_time: there is no %s\n", name);
    abort();
  }
  return function;
}

/* A semicolon follows. */
#define TIMED(name, parameters, arguments)                                                                             \
  int name parameters {                                                                                                \
    static int(*next) parameters;                                                                                      \
    if (!next)                                                                                                         \
      *(void **)&next = next_of(#name);                                                                                \
    if (depth > 0)                                                                                                     \
      return next arguments;                                                                                           \
    double begin = now();                                                                                              \
    depth++;                                                                                                           \
    int error = next arguments;                                                                                        \
    depth--;                                                                                                           \
    inside += now() - begin;                                                                                           \
    return error;                                                                                                      \
  }                                                                                                                    \
  int name parameters
#define BOTH(name, parameters, arguments)                                                                              \
  int MPISHM_##name parameters;                                                                                        \
  TIMED(MPI_##name, parameters, arguments);                                                                            \
  TIMED(MPISHM_##name, parameters, arguments)

#define SEND(name)                                                                                                     \
  BOTH(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),                        \
       (buf, count, type, dest, tag, comm))
#define START(name, buffer)                                                                                            \
  BOTH(name, (buffer buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request),       \
       (buf, count, type, peer, tag, comm, request))

SEND(Send);
SEND(Ssend);
SEND(Bsend);
SEND(Rsend);
START(Isend, const void *);
START(Issend, const void *);
START(Ibsend, const void *);
START(Irsend, const void *);
START(Irecv, void *);
BOTH(Recv, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status),
     (buf, count, type, source, tag, comm, status));
BOTH(Sendrecv,
     (const void *out, int outcount, MPI_Datatype outtype, int dest, int outtag, void *in, int incount,
      MPI_Datatype intype, int source, int intag, MPI_Comm comm, MPI_Status *status),
     (out, outcount, outtype, dest, outtag, in, incount, intype, source, intag, comm, status));
BOTH(Sendrecv_replace,
     (void *buf, int count, MPI_Datatype type, int dest, int outtag, int source, int intag, MPI_Comm comm,
      MPI_Status *status),
     (buf, count, type, dest, outtag, source, intag, comm, status));
BOTH(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status));
BOTH(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (source, tag, comm, flag, status));
BOTH(Start, (MPI_Request * request), (request));
BOTH(Startall, (int count, MPI_Request requests[]), (count, requests));
BOTH(Wait, (MPI_Request * request, MPI_Status *status), (request, status));
BOTH(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses));
BOTH(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status), (count, requests, index, status));
BOTH(Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
     (count, requests, done, indices, statuses));
BOTH(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status));
BOTH(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]), (count, requests, flag, statuses));
BOTH(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
     (count, requests, index, flag, status));
BOTH(Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
     (count, requests, done, indices, statuses));

int MPI_Init(int *argc, char ***argv) {
  int error = PMPI_Init(argc, argv);
  started = now();
  return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int error = PMPI_Init_thread(argc, argv, required, provided);
  started = now();
  return error;
}

int MPI_Finalize(void) {
  double mine[2] = {now() - started, inside}, slowest[2] = {0, 0};
  const char *path = getenv("POINT_TO_POINT_TIME");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(mine, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  FILE *file = rank == 0 && path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%.9f %.9f\n", slowest[0], slowest[1]);
    fclose(file);
  }
  return PMPI_Finalize();
}
