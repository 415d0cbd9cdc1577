// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages stay what they are where the program has made something else of them before MPI_Init: memory that a child
// shares, pages that must not be written, and the stack that MPI_Init is called on.
//
// RUN: mkdir -p %t && mpishmcc -I%S/../Inputs %s -o %t/program
// RUN: %mpiexec -n 2 %t/program | FileCheck %s
// RUN: %mpiexec -n 2 %t/program on-its-stack | FileCheck %s
//
// CHECK: wrong: 0
#define _GNU_SOURCE
#include "report.h"
#include <mpishm.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096, LENGTH = 4 * PAGE, STACK = 1 << 20 };
static _Alignas(4096) unsigned char plain[LENGTH]; MPISHM_ARRAY(plain);
static _Alignas(4096) unsigned char mapped[LENGTH]; MPISHM_ARRAY(mapped);
static _Alignas(4096) unsigned char guarded[LENGTH]; MPISHM_ARRAY(guarded);
static _Alignas(4096) struct {
  unsigned char stack[STACK + 64], data[LENGTH];
} both; // a stack begins in the page in which data does
__attribute__((constructor)) static void place_data(void) {
  const struct MPISHM_Array data = {both.data, LENGTH};
  MPISHM_Place_arrays(&data, &data + 1);
}
static ucontext_t outside, inside;
static int wrong;

#define EXPECT(condition) expect(condition, #condition, __LINE__)
static void expect(int condition, const char *what, int line) {
  if (!condition) {
    wrong++;
    fprintf(stderr, "line %d: not so: %s\n", line, what);
  }
}

// What the kernel says of the page at `start`: rw-p, say.
static const char *flags_of(const void *start) {
  static char line[4096], flags[8];
  unsigned long begin, end;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, flags) == 3 && begin <= (unsigned long)start &&
        (unsigned long)start < end)
      break;
  fclose(maps);
  return flags;
}

static void look(void) {
  int rank, all, status;
  MPISHM_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *window = MPISHM_Window_allocate(1, 1); // an MPI may have no shared memory
  EXPECT(strcmp(flags_of(plain), window ? "rw-s" : "rw-p") == 0);
  EXPECT(strcmp(flags_of(guarded), "rw-p") == 0 && strcmp(flags_of(guarded + PAGE), "r--p") == 0);
  if (fork() == 0) {
    mapped[PAGE] = 99;
    mapped[0] = 98;
    _exit(0);
  }
  wait(&status);
  EXPECT(mapped[PAGE] == 99 && mapped[0] == 0);
  PMPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  MPI_Finalize();
}

static void on_its_stack(void) {
  unsigned char before[64];
  memset(before, 7, sizeof before);
  look();
  for (size_t i = 0; i < sizeof before; i++)
    wrong += before[i] != 7;
}

int main(int argc, char **argv) {
  void *there = mmap(mapped + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  EXPECT(there == mapped + PAGE && mprotect(guarded + PAGE, PAGE, PROT_READ) == 0);
  if (argc == 1) {
    look();
  } else {
    getcontext(&inside);
    inside.uc_stack.ss_sp = both.stack;
    inside.uc_stack.ss_size = sizeof both.stack;
    inside.uc_link = &outside;
    makecontext(&inside, on_its_stack, 0);
    swapcontext(&outside, &inside);
    EXPECT(strcmp(flags_of(both.data), "rw-p") == 0);
  }
  return wrong;
}
