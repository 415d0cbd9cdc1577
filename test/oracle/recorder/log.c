/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The log of a rank, and the functions that begin and end it.
 */
#include "recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool several_threads;

static int file = -1;
static pthread_mutex_t mutex;

/* Made before any thread can be. */
__attribute__((constructor)) static void make_lock(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void lock(void) { pthread_mutex_lock(&mutex); }
void unlock(void) { pthread_mutex_unlock(&mutex); }

void log_open(int rank, bool several) {
  const char *folder = getenv("MPISHM_TEST_RECORD");
  char path[PATH_MAX];
  several_threads = several;
  if (!folder)
    return;
  snprintf(path, sizeof path, "%s/rank%d", folder, rank);
  file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    perror(path);
    abort();
  }
  say("rank %d", rank);
}

void log_close(void) {
  if (file >= 0)
    close(file);
  file = -1;
}

void say(const char *format, ...) {
  char line[PATH_MAX + 200];
  va_list arguments;
  int length;
  if (file < 0)
    return;
  va_start(arguments, format);
  length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof line - 1)
    length = sizeof line - 2;
  line[length++] = '\n';
  if (write(file, line, (size_t)length) != length) {
    perror("recorder");
    abort();
  }
}

static void say_site(int number, const char *function, const void *address) {
  static char program[PATH_MAX];
  struct link_map *map;
  Dl_info info;
  const char *module = "?";
  uintptr_t place = (uintptr_t)address - 1; /* inside the call */
  if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP)) {
    place -= map->l_addr;
    module = map->l_name;
    if (!*module && (*program || readlink("/proc/self/exe", program, sizeof program - 1) > 0))
      module = program;
  }
  say("site %d %s 0x%zx %s", number, function, (size_t)place, module);
}

int site_of(const char *function, const void *address) {
  static struct known {
    const void *address;
    const char *function;
    int number;
    struct known *next;
  } *known[1024];
  static int count;
  struct known **at = &known[((uintptr_t)address >> 2) % 1024];
  for (; *at; at = &(*at)->next)
    if ((*at)->address == address && !strcmp((*at)->function, function))
      return (*at)->number;
  *at = malloc(sizeof **at);
  **at = (struct known){address, function, count++, NULL};
  say_site((*at)->number, function, address);
  return (*at)->number;
}

int enter(const char *function, const void *address) {
  lock();
  return site_of(function, address);
}

static void begin(const char *function, const void *address) {
  int rank, provided;
  MPI_Comm parent;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Query_thread(&provided);
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) /* the ranks of another MPI_COMM_WORLD are not told apart */
    return;
  lock();
  log_open(rank, provided == MPI_THREAD_MULTIPLE);
  comms_begin();
  say("init %d", site_of(function, address));
  unlock();
}

EXPORT int MPI_Init(int *argc, char ***argv) {
  int error = PMPI_Init(argc, argv);
  if (error == MPI_SUCCESS)
    begin("MPI_Init", HERE);
  return error;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int error = PMPI_Init_thread(argc, argv, required, provided);
  if (error == MPI_SUCCESS)
    begin("MPI_Init_thread", HERE);
  return error;
}

EXPORT int MPI_Finalize(void) {
  int error = PMPI_Finalize();
  lock();
  log_close();
  unlock();
  return error;
}
