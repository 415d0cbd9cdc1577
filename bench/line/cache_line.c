/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cache-line - nanoseconds that a cache line takes from one core to another one and back: the median of short
 * measurements between the first two cores that this process may use. The state of the machine that all else depends
 * on; on a virtual machine it changes as the host places its cores.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15, TURNS = 5000, APART = 256 };

/* Each written by one thread, release, and read by the other, acquire; far enough apart for no two to be fetched
 * together. */
static struct {
  _Alignas(APART) atomic_int there;
  _Alignas(APART) atomic_int back;
} words;
static int cores[2];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void await(atomic_int *word, int value) {
  while (atomic_load_explicit(word, memory_order_acquire) != value)
    ;
}

static void *answer(void *unused) {
  stay_on(cores[1]);
  for (int turn = 1; turn <= ROUNDS * TURNS; turn++) {
    await(&words.there, turn);
    atomic_store_explicit(&words.back, turn, memory_order_release);
  }
  return unused;
}

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

/* The first two cores; false when there is only one. */
static int find_cores(void) {
  cpu_set_t set;
  int found = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 0;
  for (int core = 0; core < CPU_SETSIZE && found < 2; core++)
    if (CPU_ISSET(core, &set))
      cores[found++] = core;
  return found == 2;
}

int main(void) {
  pthread_t other;
  double took[ROUNDS];
  if (!find_cores() || pthread_create(&other, NULL, answer, NULL) != 0) {
    fprintf(stderr, "cache-line: it takes two cores\n");
    return 1;
  }
  stay_on(cores[0]);
  for (int round = 0, turn = 1; round < ROUNDS; round++) {
    double since = seconds();
    for (int i = 0; i < TURNS; i++, turn++) {
      atomic_store_explicit(&words.there, turn, memory_order_release);
      await(&words.back, turn);
    }
    took[round] = (seconds() - since) / TURNS * 1e9;
  }
  pthread_join(other, NULL);
  qsort(took, ROUNDS, sizeof *took, compare);
  printf("%.0f\n", took[ROUNDS / 2]);
  return 0;
}
