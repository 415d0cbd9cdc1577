/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void copy_line(char to[WORDS], const char *from) { snprintf(to, WORDS, "%.*s", (int)strcspn(from, "\n"), from); }

static void append(char to[WORDS], const char *text) {
  size_t length = strlen(to);
  snprintf(to + length, WORDS - length, "%s%s", length > 0 ? " " : "", text);
}

/* What follows `name`, blanks and a colon in a text of lines, or NULL. */
static const char *value_of(const char *text, const char *name) {
  const char *found = strstr(text, name);
  if (found == NULL)
    return NULL;
  found += strlen(name);
  return found + strspn(found, " \t:");
}

static void describe_processor(char processor[WORDS]) {
  char line[WORDS] = "";
  const char *model = NULL;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file != NULL && model == NULL && fgets(line, sizeof line, file) != NULL)
    model = value_of(line, "model name");
  copy_line(processor, model != NULL ? model : "unknown");
  if (file != NULL)
    fclose(file);
}

static void describe_library(struct machine *m) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);

  const char *mpich = value_of(text, "MPICH Version"), *device = value_of(text, "MPICH Device");
  if (mpich != NULL) {
    length = (int)strcspn(mpich, "\n");
    snprintf(m->mpi, WORDS, "MPICH %.*s", length, mpich);
  } else {
    copy_line(m->mpi, text);
    m->mpi[strcspn(m->mpi, ",")] = '\0'; /* Open MPI goes on with who built it where */
  }
  if (device != NULL)
    copy_line(m->transport, device);
}

static void describe_environment(struct machine *m) {
  static const char *const transports[] = {
      "UCX_TLS=",   "MPIR_CVAR_CH4_NETMOD=", "MPIR_CVAR_NOLOCAL=", "OMPI_MCA_pml=", "OMPI_MCA_btl=", "I_MPI_FABRICS=",
      "I_MPI_SHM=", "FI_PROVIDER=",          "OMPI_MCA_smsc="};
  for (char **variable = environ; *variable != NULL; variable++) {
    if (strncmp(*variable, "MPISHM_", 7) == 0)
      append(m->settings, *variable);
    for (size_t i = 0; i < sizeof transports / sizeof transports[0]; i++)
      if (strncmp(*variable, transports[i], strlen(transports[i])) == 0)
        append(m->transport, *variable);
  }
  if (m->transport[0] == '\0')
    strcpy(m->transport, "default");
}

/* Some launchers bind each rank to cores of its own. */
static int count_cores(MPI_Comm node) {
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0)
    CPU_SET(0, &mine);
  MPI_Allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, node);
  return CPU_COUNT(&all);
}

struct machine describe_machine(MPI_Comm node) {
  struct machine m = {.cores = count_cores(node)};
  describe_processor(m.processor);
  describe_library(&m);
  describe_environment(&m);
  return m;
}
