/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the programs in test/run: each rank hashes whatever it received and can observe, rank 0 prints all hashes, and the
 * original's must be the rewritten program's. run_both.py puts this file beside each program.
 */
#ifndef REPORT_H
#define REPORT_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1 where AddressSanitizer keeps freed memory back, so that what a process holds tells nothing of what it lost. */
#if defined(__SANITIZE_ADDRESS__)
#define KEEPS_FREED_MEMORY 1
#elif defined(__has_feature)
#define KEEPS_FREED_MEMORY __has_feature(address_sanitizer)
#else
#define KEEPS_FREED_MEMORY 0
#endif

typedef uint64_t hash_t;
#define HASH_START 14695981039346656037ull

/* FNV-1a. */
static inline hash_t hash_bytes(hash_t h, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  size_t i;
  for (i = 0; i < bytes; i++)
    h = (h ^ p[i]) * 1099511628211ull;
  return h;
}

static inline hash_t hash_number(hash_t h, long long number) { return hash_bytes(h, &number, sizeof number); }

/* What MPI lets a program see of a status: source, tag, count in type, cancelled. */
static inline hash_t hash_status(hash_t h, const MPI_Status *status, MPI_Datatype type) {
  int count, cancelled;
  MPI_Get_count(status, type, &count);
  MPI_Test_cancelled(status, &cancelled);
#if defined(I_MPI_VERSION) || (defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 50000000)
  /* Between nodes Intel MPI 2021.18 says it of some receives that were not, and MPICH 5.0.2 of messages that
   * MPI_Iprobe finds. */
  cancelled = 0;
#endif
  h = hash_number(h, status->MPI_SOURCE);
  h = hash_number(h, status->MPI_TAG);
  return hash_number(hash_number(h, count), cancelled);
}

/* Bytes that differ by rank, message and place. */
static inline void fill_bytes(void *data, size_t bytes, int seed) {
  unsigned char *p = (unsigned char *)data;
  uint32_t x = (uint32_t)seed * 2654435761u + 12345u;
  size_t i;
  for (i = 0; i < bytes; i++) {
    x = x * 1664525u + 1013904223u;
    p[i] = (unsigned char)(x >> 24);
  }
}

/* Kilobytes that a line of /proc/self/status tells. */
static inline long status_kb(const char *what) {
  char line[256];
  long kb = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, what, strlen(what)))
      kb = atol(line + strlen(what));
  if (status)
    fclose(status);
  return kb;
}

/* Collective over MPI_COMM_WORLD: prints every rank's hash, in order. */
static inline void report(const char *what, hash_t h) {
  int rank, size, r;
  hash_t *all;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  all = (hash_t *)malloc((size_t)size * sizeof *all);
  MPI_Gather(&h, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (r = 0; r < size && rank == 0; r++)
    printf("%s: rank %d %016llx\n", what, r, (unsigned long long)all[r]);
  free(all);
}

#endif
