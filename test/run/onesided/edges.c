// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is rare: MPI_PROC_NULL, nothing, oneself, groups that name ranks twice, windows without memory, two windows over
// the same memory, all of MPI's functions on a window of libmpishm, errors of MPI's classes by the window's handler,
// communicators of some ranks, and many windows one after the other and at once, of which nothing may be left.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs %s -o %t/program
// RUN: mpiexec -n 1 %t/program | FileCheck %s
// RUN: mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_WINDOW=256K mpiexec -n 3 %t/program | FileCheck %s
// RUN: env MPISHM_BUFFERS=0 mpiexec -n 3 %t/program | FileCheck %s
// On two nodes epochs are MPI's, too: Open MPI 5 refuses a lock of MPI_PROC_NULL there, and no second one of a rank.
// RUN: %if mpi-openmpi %{ true %} %else %{ %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s %}
// CHECK: all right
#include "onesided.h"

#pragma GCC diagnostic ignored "-Wstringop-overflow" /* of MPI_STATUSES_IGNORE */

enum { WORDS = 16 };

static int handled, seen;
static void handle(MPI_Win *win, int *error, ...) {
  (void)win;
  handled++;
  MPI_Error_class(*error, &seen);
}

/* The call is refused with an error of this class, by the window's handler. */
#define REFUSED(call, class)                                                                                           \
  do {                                                                                                                 \
    int before = handled, found;                                                                                       \
    MPI_Error_class(call, &found);                                                                                     \
    expect(#call ": calls of the handler", handled - before, 1);                                                       \
    expect(#call, seen, class);                                                                                        \
    (void)found; /* MPICH 5 returns no error after a handler */                                                        \
  } while (0)

static void nobody_and_nothing(MPI_Win win, int *base) {
  int data[4] = {1, 2, 3, 4}, got = 77, left = (rank + size - 1) % size;
  MPI_Request request;
  MPISHM_Win_fence(0, win);
  MPISHM_Put(data, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, win);
  MPISHM_Get(&got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  MPISHM_Accumulate(data, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, MPI_SUM, win);
  MPISHM_Put(NULL, 0, MPI_INT, left, 0, 0, MPI_INT, win);
  MPISHM_Get(NULL, 0, MPI_INT, left, 0, 0, MPI_INT, win);
  MPISHM_Accumulate(NULL, 0, MPI_INT, left, 0, 0, MPI_INT, MPI_SUM, win);
  MPISHM_Put(data, 4, MPI_INT, rank, 4, 4, MPI_INT, win); /* oneself */
  MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
  expect("what nobody gave", got, 77);
  for (int i = 0; i < 4; i++)
    expect("what was put to oneself", base[4 + i], i + 1);
  MPISHM_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win);
  MPISHM_Rput(data, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, win, &request);
  MPISHM_Wait(&request, MPI_STATUS_IGNORE);
  expect("a request to nobody", request == MPI_REQUEST_NULL, 1);
  MPISHM_Win_flush(MPI_PROC_NULL, win);
  MPISHM_Win_unlock(MPI_PROC_NULL, win);
  /* Post and start with nobody. */
  MPISHM_Win_post(MPI_GROUP_EMPTY, 0, win);
  MPISHM_Win_start(MPI_GROUP_EMPTY, 0, win);
  MPISHM_Win_complete(win);
  MPISHM_Win_wait(win);
}

/* A group in which ranks are twice, as of a periodic grid's neighbours where it is two wide. The standard has no such
 * groups, but MPICH lets short ones pass. */
static void named_twice(MPI_Win win, int *base) {
  int left = (rank + size - 1) % size, right = (rank + 1) % size, value = 70 + rank, error;
  int ranks[] = {left, right, left, right, rank, rank};
  MPI_Group world, group;
  MPI_Errhandler before;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  error = MPI_Group_incl(world, (int)(sizeof ranks / sizeof *ranks), ranks, &group);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
  MPI_Group_free(&world);
  if (error != MPI_SUCCESS)
    return;
  for (int round = 0; round < 3; round++, value++) {
    MPISHM_Win_post(group, 0, win);
    MPISHM_Win_start(group, 0, win);
    MPISHM_Put(&value, 1, MPI_INT, left, 8, 1, MPI_INT, win);
    MPISHM_Put(&value, 1, MPI_INT, right, 9, 1, MPI_INT, win);
    MPISHM_Put(&value, 1, MPI_INT, rank, 10, 1, MPI_INT, win);
    MPISHM_Win_complete(win);
    MPISHM_Win_wait(win);
    expect("what the right one put", base[8], 70 + right + round);
    expect("what the left one put", base[9], 70 + left + round);
    expect("what was put to oneself", base[10], value);
  }
  MPI_Group_free(&group);
}

/* Requests are such as any function of MPI's takes, together with those of messages. */
static void requests(MPI_Win win) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size, data = rank, got = -1, put = 40 + rank, back = -1;
  MPI_Request request[4];
  MPISHM_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPISHM_Irecv(&got, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request[0]);
  MPISHM_Rput(&put, 1, MPI_INT, rank, 1, 1, MPI_INT, win, &request[1]);
  MPISHM_Isend(&data, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &request[2]);
  MPISHM_Rput(&put, 1, MPI_INT, rank, 2, 1, MPI_INT, win, &request[3]);
  MPI_Wait(&request[3], MPI_STATUS_IGNORE);
  MPISHM_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPISHM_Rget(&back, 1, MPI_INT, rank, 2, 1, MPI_INT, win, &request[0]);
  MPISHM_Waitall(1, request, MPI_STATUSES_IGNORE);
  MPISHM_Win_unlock(rank, win);
  expect("a message beside operations", got, left);
  expect("what was put and got", back, put);
}

static void refused(MPI_Win win) {
  int data[2] = {0, 0}, left = (rank + size - 1) % size;
  MPI_Errhandler handler, before;
  MPI_Win_get_errhandler(win, &before);
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPISHM_Win_fence(0, win);
  REFUSED(MPISHM_Put(data, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  REFUSED(MPISHM_Put(data, -1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  REFUSED(MPISHM_Put(data, 1, MPI_DATATYPE_NULL, rank, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  REFUSED(MPISHM_Accumulate(data, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
  MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
  REFUSED(MPISHM_Win_unlock(left, win), MPI_ERR_RMA_SYNC);
  REFUSED(MPISHM_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  MPISHM_Win_lock(MPI_LOCK_SHARED, left, 0, win);
  REFUSED(MPISHM_Win_lock(MPI_LOCK_SHARED, left, 0, win), MPI_ERR_RMA_SYNC);
  MPISHM_Win_unlock(left, win);
  /* The window is whole. */
  MPISHM_Win_fence(0, win);
  MPISHM_Put(data, 1, MPI_INT, left, 3, 1, MPI_INT, win);
  MPISHM_Win_fence(0, win);
  MPI_Win_set_errhandler(win, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&handler);
}

/* Beyond the target's memory, which libraries notice or not. */
static void out_of_range(MPI_Win win) {
  int data[WORDS] = {0}, before = handled, on_one_node;
  MPI_Errhandler handler, old;
  MPI_Comm_size(node, &on_one_node);
  if (on_one_node < size)
    return;
  MPI_Win_get_errhandler(win, &old);
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPISHM_Win_fence(0, win);
  REFUSED(MPISHM_Put(data, WORDS, MPI_INT, rank, 1, WORDS, MPI_INT, win), MPI_ERR_RMA_RANGE);
  REFUSED(MPISHM_Fetch_and_op(data, data + 1, MPI_INT, rank, WORDS, MPI_SUM, win), MPI_ERR_RMA_RANGE);
  expect("calls of the handler", handled - before, 2);
  MPISHM_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_set_errhandler(win, old);
  MPI_Errhandler_free(&old);
  MPI_Errhandler_free(&handler);
}

/* MPI's functions that tell of a window. */
static void asked(enum way way, const struct made *made) {
  const int flavors[WAYS] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE,
                             MPI_WIN_FLAVOR_SHARED};
  int found = 0, length = 0, members = 0, *flavor = NULL, *unit = NULL, *model = NULL;
  void *base = NULL;
  MPI_Aint *bytes = NULL;
  MPI_Group group;
  char name[MPI_MAX_OBJECT_NAME];
  MPISHM_Win_get_attr(made->win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  expect("whether there is a flavor", found, 1);
  expect("the flavor", *flavor, flavors[way]);
  MPISHM_Win_get_attr(made->win, MPI_WIN_BASE, &base, &found);
  expect("the base", base == made->base, 1);
  MPISHM_Win_get_attr(made->win, MPI_WIN_SIZE, &bytes, &found);
  expect("the size", (long)*bytes, WORDS * (long)sizeof(int));
  MPISHM_Win_get_attr(made->win, MPI_WIN_DISP_UNIT, &unit, &found);
  expect("the unit", *unit, sizeof(int));
  MPISHM_Win_get_attr(made->win, MPI_WIN_MODEL, &model, &found);
  expect("the model", *model, MPI_WIN_UNIFIED);
  MPI_Win_set_name(made->win, "mine");
  MPI_Win_get_name(made->win, name, &length);
  expect("the name", strcmp(name, "mine"), 0);
  MPI_Win_get_group(made->win, &group);
  MPI_Group_size(group, &members);
  expect("the group", members, size);
  MPI_Group_free(&group);
}

/* Other ranks, in another order; one's part is empty. */
static void of_some(void) {
  MPI_Comm comm;
  int members, me, data[3] = {5, 6, 7};
  MPISHM_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &comm);
  MPI_Comm_size(comm, &members);
  MPI_Comm_rank(comm, &me);
  for (enum way way = CREATE_PRIVATE; way <= ALLOCATE; way++) {
    struct made made = make(way, me == 0 ? (MPI_Aint)sizeof(int) * 3 * members : 0, sizeof(int), comm);
    int found = 0;
    void *base = NULL;
    MPISHM_Win_get_attr(made.win, MPI_WIN_BASE, &base, &found);
    expect("the base, of no bytes, too", found && (base == made.base || way != ALLOCATE), 1);
    MPISHM_Win_fence(0, made.win);
    MPISHM_Put(data, 3, MPI_INT, 0, 3 * me, 3, MPI_INT, made.win);
    MPISHM_Win_fence(0, made.win);
    for (int i = 0; me == 0 && i < 3 * members; i++)
      expect("what was put", ((int *)made.base)[i], 5 + i % 3);
    unmake(&made);
  }
  MPI_Comm_free(&comm);
}

/* The same memory twice, and the communicator is freed before them. On one node: on another MPICH 4.0.2 puts elsewhere
 * by the second window. */
static void twice(void) {
  MPI_Comm comm;
  MPI_Win first, second;
  int *base = MPISHM_Malloc(sizeof(int) * WORDS), one = 1, two = 2, right = (rank + 1) % size;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPISHM_Win_create(base, sizeof(int) * WORDS, sizeof(int), MPI_INFO_NULL, comm, &first);
  MPISHM_Win_create(base + 4, sizeof(int) * 2, 1, MPI_INFO_NULL, comm, &second);
  MPI_Comm_free(&comm);
  MPISHM_Win_fence(0, first);
  MPISHM_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, first);
  MPISHM_Win_fence(0, first);
  MPISHM_Win_fence(0, second);
  MPISHM_Put(&two, 1, MPI_INT, right, sizeof(int), 1, MPI_INT, second);
  MPISHM_Win_fence(0, second);
  expect("by the first window", base[0], 1);
  expect("by the second", base[5], 2);
  MPISHM_Win_free(&first);
  MPISHM_Win_free(&second);
  MPISHM_Free(base);
}

static void many(void) {
  enum { ROUNDS = 25, AT_ONCE = 6 };
  struct made made[AT_ONCE];
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < AT_ONCE; i++)
      made[i] = make(i % 3, sizeof(int) * WORDS, sizeof(int), MPI_COMM_WORLD);
    for (int i = 0; i < AT_ONCE; i++) {
      int number = round + i;
      MPISHM_Win_fence(0, made[i].win);
      MPISHM_Put(&number, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, made[i].win);
      MPISHM_Win_fence(0, made[i].win);
      expect("a number in one of many windows", ((int *)made[i].base)[2], number);
    }
    for (int i = AT_ONCE; i-- > 0;)
      unmake(&made[i]);
  }
}

int main(int argc, char **argv) {
  int on_one_node;
  start(&argc, &argv);
  MPI_Comm_size(node, &on_one_node);
  for (enum way way = 0; way < WAYS; way++) {
    if (way == ALLOCATE_SHARED && on_one_node < size)
      continue;
    struct made made = make(way, sizeof(int) * WORDS, sizeof(int), MPI_COMM_WORLD);
    memset(made.base, 0, sizeof(int) * WORDS);
    nobody_and_nothing(made.win, (int *)made.base);
    if (on_one_node == size)
      named_twice(made.win, (int *)made.base);
    requests(made.win);
    refused(made.win);
    out_of_range(made.win);
    asked(way, &made);
    unmake(&made);
  }
  of_some();
  if (on_one_node == size)
    twice();
  many();
  return finish(100);
}
