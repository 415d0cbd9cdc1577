// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way to complete: Waitany, Waitsome, Test, Testany, Testall, Testsome, Request_get_status. What comes first may
// differ from run to run; what has come in the end may not.
//
// RUN: %run-both %s --work %t
#include "report.h"
#include <string.h>

enum { MESSAGES = 5, LENGTH = 700, WAYS = 7 };

static int in[MESSAGES][LENGTH], out[MESSAGES][LENGTH]; // mpishm: keep
static hash_t per_message[MESSAGES];

static void arrived(int i, const MPI_Status *status) {
  if (i < MESSAGES)
    per_message[i] = hash_bytes(hash_status(per_message[i], status, MPI_INT), in[i], sizeof in[i]);
}

static void by_waitany(int n, MPI_Request *r) {
  int k, i;
  MPI_Status status;
  for (k = 0; k < n; k++) {
    MPI_Waitany(n, r, &i, &status);
    arrived(i, &status);
  }
  MPI_Waitany(n, r, &i, &status);
  if (i != MPI_UNDEFINED)
    printf("Waitany found one more\n");
}

static void by_some(int n, MPI_Request *r, int test) {
  int done = 0, count, k, indices[2 * MESSAGES];
  MPI_Status statuses[2 * MESSAGES];
  while (done < n) {
    if (test)
      MPI_Testsome(n, r, &count, indices, statuses);
    else
      MPI_Waitsome(n, r, &count, indices, statuses);
    for (k = 0; k < count; k++)
      arrived(indices[k], &statuses[k]);
    done += count;
  }
  MPI_Testsome(n, r, &count, indices, statuses);
  if (count != MPI_UNDEFINED)
    printf("Testsome found one more\n");
}

static void by_test(int n, MPI_Request *r) {
  int done = 0, i, flag;
  MPI_Status status;
  while (done < n)
    for (i = 0; i < n; i++)
      if (r[i] != MPI_REQUEST_NULL) {
        MPI_Test(&r[i], &flag, &status);
        if (flag) {
          arrived(i, &status);
          done++;
        }
      }
}

static void by_testany(int n, MPI_Request *r) {
  int done = 0, i, flag;
  MPI_Status status;
  while (done < n) {
    MPI_Testany(n, r, &i, &flag, &status);
    if (flag) {
      arrived(i, &status);
      done++;
    }
  }
}

static void by_testall(int n, MPI_Request *r) {
  int flag = 0, i;
  MPI_Status statuses[2 * MESSAGES];
  while (!flag)
    MPI_Testall(n, r, &flag, statuses);
  for (i = 0; i < n; i++)
    arrived(i, &statuses[i]);
}

static void by_get_status(int n, MPI_Request *r) {
  int i, flag;
  MPI_Status looked, waited;
  for (i = 0; i < n; i++) {
    do {
      MPI_Request_get_status(r[i], &flag, &looked);
    } while (!flag);
    MPI_Wait(&r[i], &waited);
    if (i < MESSAGES && (looked.MPI_SOURCE != waited.MPI_SOURCE || looked.MPI_TAG != waited.MPI_TAG))
      printf("Request_get_status and Wait disagree\n");
    arrived(i, &waited);
  }
}

int main(int argc, char **argv) {
  int rank, size, way, i;
  MPI_Request r[2 * MESSAGES];
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < MESSAGES; i++)
    per_message[i] = HASH_START;
  for (way = 0; way < WAYS; way++) {
    memset(in, 0, sizeof in);
    for (i = 0; i < MESSAGES; i++)
      MPI_Irecv(in[i], LENGTH, MPI_INT, (rank + i) % size, i, MPI_COMM_WORLD, &r[i]);
    for (i = 0; i < MESSAGES; i++) {
      fill_bytes(out[i], sizeof out[i], rank * 100 + way * 10 + i);
      MPI_Isend(out[i], LENGTH - i * 10, MPI_INT, (rank + size * MESSAGES - i) % size, i, MPI_COMM_WORLD,
                &r[MESSAGES + i]);
    }
    switch (way) {
    case 0: by_waitany(2 * MESSAGES, r); break;
    case 1: by_some(2 * MESSAGES, r, 0); break;
    case 2: by_some(2 * MESSAGES, r, 1); break;
    case 3: by_test(2 * MESSAGES, r); break;
    case 4: by_testany(2 * MESSAGES, r); break;
    case 5: by_testall(2 * MESSAGES, r); break;
    case 6: by_get_status(2 * MESSAGES, r); break;
    }
    for (i = 0; i < 2 * MESSAGES; i++)
      h = hash_number(h, r[i] == MPI_REQUEST_NULL);
  }
  for (i = 0; i < MESSAGES; i++)
    h = hash_number(h, (long long)per_message[i]);
  report("completions", h);
  MPI_Finalize();
  return 0;
}
