/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "fail.h"

#include <errno.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fail(const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s: ", program_invocation_short_name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  sleep(1); /* launchers drop what a rank says right before it aborts */
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void *checked_malloc(long bytes) {
  void *memory = malloc((size_t)bytes);
  if (memory == NULL)
    fail("no memory for %ld bytes", bytes);
  return memset(memory, 0, (size_t)bytes);
}
