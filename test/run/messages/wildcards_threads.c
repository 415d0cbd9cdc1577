// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads of each rank receive and probe with wildcards on one communicator, each with its own tags; a third pair
// of messages is exact.
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -pthread"
#include "report.h"
#include <pthread.h>

enum { THREADS = 2, ROUNDS = 6, MAX = 6000 };

static int rank, size, wrong[THREADS];
static hash_t result[THREADS];

static int length(int from, int round) { return round == 3 ? MAX - from : 10 * round + from; }

static void *work(void *argument) {
  static int in[THREADS][8][MAX], out[THREADS][MAX], expected[THREADS][MAX];
  int t = (int)(long)argument, round, i, n;
  hash_t of[8];
  MPI_Request r[8];
  MPI_Status s[8];
  for (i = 0; i < 8; i++)
    of[i] = HASH_START;
  for (round = 0; round < ROUNDS; round++) {
    int tag = 10 * round + t, count = 0;
    for (i = 0; i < size - 1 && round % 2; i++)
      MPI_Irecv(in[t][i], MAX, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &r[i]);
    fill_bytes(out[t], sizeof out[t], rank * 100 + tag);
    for (i = 0; i < size; i++)
      if (i != rank)
        MPI_Send(out[t], length(rank, round), MPI_INT, i, tag, MPI_COMM_WORLD);
    for (i = 0; i < size - 1 && round % 2 == 0; i++) {
      MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &s[i]);
      MPI_Get_count(&s[i], MPI_INT, &n);
      MPI_Irecv(in[t][i], n, MPI_INT, s[i].MPI_SOURCE, tag, MPI_COMM_WORLD, &r[i]);
    }
    MPI_Waitall(size - 1, r, s);
    for (i = 0; i < size - 1; i++) {
      int from = s[i].MPI_SOURCE;
      fill_bytes(expected[t], sizeof expected[t], from * 100 + tag);
      MPI_Get_count(&s[i], MPI_INT, &n);
      wrong[t] += n != length(from, round) || memcmp(in[t][i], expected[t], n * sizeof(int)) != 0;
      of[from] = hash_status(hash_bytes(of[from], in[t][i], n * sizeof(int)), &s[i], MPI_INT);
      count++;
    }
    wrong[t] += count != size - 1;
  }
  result[t] = hash_bytes(HASH_START, of, sizeof of);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int provided, t, all, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (t = 0; t < THREADS; t++)
    if (provided < MPI_THREAD_MULTIPLE) /* one after the other */
      work((void *)(long)t);
    else
      pthread_create(&threads[t], NULL, work, (void *)(long)t);
  for (t = 0; t < THREADS; t++) {
    if (provided == MPI_THREAD_MULTIPLE)
      pthread_join(threads[t], NULL);
    sum += wrong[t];
  }
  report("threads", hash_bytes(HASH_START, result, sizeof result));
  MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wrong: %d\n", all);
  MPI_Finalize();
  return 0;
}
