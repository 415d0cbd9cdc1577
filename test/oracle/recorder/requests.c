/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Requests: which call made each, which calls it was handed to, and when what it stands for is complete.
 */
#include "recorder.h"

#include <stdlib.h>

struct request {
  MPI_Request handle;
  int site;
  bool persistent, cancelled;
  enum direction direction; /* of a persistent one, and what each start gives: */
  struct envelope given;
  struct operation send, receive; /* those that have begun */
  struct idup *idup;
  struct request *next;
};

#define BUCKETS 1024
static struct request *requests[BUCKETS];

/* Handles are integers or pointers. */
static struct request **bucket_of(MPI_Request handle) {
  return &requests[((uintptr_t)handle ^ (uintptr_t)handle >> 7) % BUCKETS];
}

static struct request *find(MPI_Request handle) {
  struct request *request = *bucket_of(handle);
  while (request && request->handle != handle)
    request = request->next;
  return request;
}

static struct request *add(int site, MPI_Request handle) {
  struct request **bucket = bucket_of(handle), *request = calloc(1, sizeof *request);
  request->handle = handle;
  request->site = site;
  request->next = *bucket;
  return *bucket = request;
}

static void forget(struct request *gone) {
  struct request **at = bucket_of(gone->handle);
  while (*at != gone)
    at = &(*at)->next;
  *at = gone->next;
  comm_release(gone->given.comm);
  free(gone);
}

/* A request of our own that stands for one of the library's that is complete. */
static int query(void *status, MPI_Status *asked) {
  int cancelled, count;
  PMPI_Test_cancelled(status, &cancelled);
  PMPI_Get_count(status, MPI_BYTE, &count);
  count = count < 0 ? 0 : count; /* a send's means nothing */
  asked->MPI_SOURCE = ((MPI_Status *)status)->MPI_SOURCE;
  asked->MPI_TAG = ((MPI_Status *)status)->MPI_TAG;
  PMPI_Status_set_elements(asked, MPI_BYTE, count);
  PMPI_Status_set_cancelled(asked, cancelled);
  return MPI_SUCCESS;
}

static int release(void *status) {
  free(status);
  return MPI_SUCCESS;
}

static int cancel(void *status, int complete) {
  (void)status, (void)complete;
  return MPI_SUCCESS;
}

/* Handles that the library has given to several requests at a time. */
static bool is_shared(MPI_Request handle, bool is_known) {
  static MPI_Request shared[64];
  static int count;
  for (int i = 0; i < count; i++)
    if (shared[i] == handle)
      return true;
  if (is_known && count < 64)
    shared[count++] = handle;
  return is_known;
}

static void give_own_handle(MPI_Request *handle) {
  MPI_Status *status;
  int complete;
  if (!is_shared(*handle, find(*handle)))
    return;
  status = calloc(1, sizeof *status);
  if (PMPI_Request_get_status(*handle, &complete, status) != MPI_SUCCESS || !complete) {
    free(status);
    return;
  }
  PMPI_Wait(handle, status);
  PMPI_Grequest_start(query, release, cancel, status, handle);
  PMPI_Grequest_complete(*handle);
}

void request_made(int site, MPI_Request *handle, struct operation send, struct operation receive) {
  struct request *request;
  give_own_handle(handle);
  request = add(site, *handle);
  request->send = send;
  request->receive = receive;
}

void request_persistent(int site, MPI_Request handle, enum direction direction, struct envelope given) {
  struct request *request = add(site, handle);
  request->persistent = true;
  request->direction = direction;
  request->given = given;
}

void request_idup(int site, MPI_Request *handle, struct idup *idup) {
  give_own_handle(handle);
  add(site, *handle)->idup = idup;
}

/* Says, once for each pair, that a request that one call made was handed to another. */
static void say_use(int site, int other) {
  static unsigned char *said; /* a matrix of bits */
  static size_t sites;
  size_t bit;
  if ((size_t)site >= sites || (size_t)other >= sites) {
    sites = 2 * (size_t)(site > other ? site : other) + 64;
    free(said); /* pairs may be said once more */
    said = calloc(sites * sites / 8 + 1, 1);
  }
  bit = (size_t)site * sites + (size_t)other;
  if (said[bit / 8] & 1u << bit % 8)
    return;
  said[bit / 8] |= (unsigned char)(1u << bit % 8);
  say("use %d %d", site, other);
}

/* The known one of these handles, which is handed to the call `site`; or null. */
static struct request *used(int site, MPI_Request handle) {
  struct request *request = handle == MPI_REQUEST_NULL ? NULL : find(handle);
  if (request)
    say_use(request->site, site);
  return request;
}

/* MPI said that what the request stands for is complete; `after` is its handle now. */
static void complete(struct request *request, MPI_Request after, const MPI_Status *status, int error) {
  if (!request)
    return;
  if (request->send.number && request->receive.number)
    end_unseen(&request->receive, false, request->cancelled); /* of MPI_Isendrecv */
  end_both(&request->send, &request->receive, status, error);
  if (request->persistent || after != MPI_REQUEST_NULL)
    return;
  if (request->idup)
    idup_end(request->idup);
  forget(request);
}

/* The known ones of an array, in its order. The caller frees them. */
static struct request **used_all(int site, int count, const MPI_Request *handles) {
  struct request **all = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof(struct request *));
  for (int i = 0; i < count; i++)
    all[i] = used(site, handles[i]);
  return all;
}

/* Statuses to be looked at, where the program wants none; to be given back with give_back. */
static MPI_Status *looked_at(MPI_Status *wanted, int count) {
  return wanted != MPI_STATUSES_IGNORE ? wanted : calloc((size_t)(count > 0 ? count : 0) + 1, sizeof(MPI_Status));
}

static int leave(int error, struct request **all, MPI_Status *statuses, const MPI_Status *wanted) {
  free(all);
  if (statuses != wanted)
    free(statuses);
  unlock();
  return error;
}

/* What a call that completes several says of one of them; MPI_ERR_PENDING: nothing. */
static int error_of(int error, const MPI_Status *status) {
  int class;
  if (error == MPI_SUCCESS)
    return MPI_SUCCESS;
  PMPI_Error_class(error, &class);
  if (class != MPI_ERR_IN_STATUS)
    return error;
  PMPI_Error_class(status->MPI_ERROR, &class);
  return class == MPI_ERR_PENDING ? MPI_ERR_PENDING : status->MPI_ERROR;
}

static void complete_all(int count, struct request **all, const MPI_Request *after, const MPI_Status *statuses,
                         int error) {
  for (int i = 0; i < count; i++)
    if (error_of(error, &statuses[i]) != MPI_ERR_PENDING)
      complete(all[i], after[i], &statuses[i], error_of(error, &statuses[i]));
}

/* Those of `indices`. */
static void complete_some(int count, const int *indices, struct request **all, const MPI_Request *after,
                          const MPI_Status *statuses, int error) {
  for (int i = 0; i < count; i++) /* MPI_UNDEFINED is negative */
    complete(all[indices[i]], after[indices[i]], &statuses[i], error_of(error, &statuses[i]));
}

EXPORT int MPI_Wait(MPI_Request *handle, MPI_Status *wanted) {
  MPI_Status own, *status = wanted == MPI_STATUS_IGNORE ? &own : wanted;
  struct request *request = used(enter("MPI_Wait", HERE), *handle);
  int error;
  unlock();
  error = PMPI_Wait(handle, status);
  lock();
  complete(request, *handle, status, error);
  unlock();
  return error;
}

EXPORT int MPI_Test(MPI_Request *handle, int *flag, MPI_Status *wanted) {
  MPI_Status own, *status = wanted == MPI_STATUS_IGNORE ? &own : wanted;
  struct request *request = used(enter("MPI_Test", HERE), *handle);
  int error = PMPI_Test(handle, flag, status);
  if (error != MPI_SUCCESS || *flag)
    complete(request, *handle, status, error);
  unlock();
  return error;
}

EXPORT int MPI_Waitall(int count, MPI_Request *handles, MPI_Status *wanted) {
  struct request **all = used_all(enter("MPI_Waitall", HERE), count, handles);
  MPI_Status *statuses = looked_at(wanted, count);
  int error;
  unlock();
  error = PMPI_Waitall(count, handles, statuses);
  lock();
  complete_all(count, all, handles, statuses, error);
  return leave(error, all, statuses, wanted);
}

EXPORT int MPI_Testall(int count, MPI_Request *handles, int *flag, MPI_Status *wanted) {
  struct request **all = used_all(enter("MPI_Testall", HERE), count, handles);
  MPI_Status *statuses = looked_at(wanted, count);
  int error = PMPI_Testall(count, handles, flag, statuses);
  if (error != MPI_SUCCESS || *flag)
    complete_all(count, all, handles, statuses, error);
  return leave(error, all, statuses, wanted);
}

EXPORT int MPI_Waitany(int count, MPI_Request *handles, int *index, MPI_Status *wanted) {
  MPI_Status own, *status = wanted == MPI_STATUS_IGNORE ? &own : wanted;
  struct request **all = used_all(enter("MPI_Waitany", HERE), count, handles);
  int error;
  *index = MPI_UNDEFINED; /* what is left of it where MPI refuses */
  unlock();
  error = PMPI_Waitany(count, handles, index, status);
  lock();
  if (*index >= 0 && *index < count)
    complete(all[*index], handles[*index], status, error);
  return leave(error, all, NULL, NULL);
}

EXPORT int MPI_Testany(int count, MPI_Request *handles, int *index, int *flag, MPI_Status *wanted) {
  MPI_Status own, *status = wanted == MPI_STATUS_IGNORE ? &own : wanted;
  struct request **all = used_all(enter("MPI_Testany", HERE), count, handles);
  int error;
  *index = MPI_UNDEFINED;
  error = PMPI_Testany(count, handles, index, flag, status);
  if ((error != MPI_SUCCESS || *flag) && *index >= 0 && *index < count)
    complete(all[*index], handles[*index], status, error);
  return leave(error, all, NULL, NULL);
}

EXPORT int MPI_Waitsome(int count, MPI_Request *handles, int *done, int *indices, MPI_Status *wanted) {
  struct request **all = used_all(enter("MPI_Waitsome", HERE), count, handles);
  MPI_Status *statuses = looked_at(wanted, count);
  int error;
  *done = 0;
  unlock();
  error = PMPI_Waitsome(count, handles, done, indices, statuses);
  lock();
  complete_some(*done, indices, all, handles, statuses, error);
  return leave(error, all, statuses, wanted);
}

EXPORT int MPI_Testsome(int count, MPI_Request *handles, int *done, int *indices, MPI_Status *wanted) {
  struct request **all = used_all(enter("MPI_Testsome", HERE), count, handles);
  MPI_Status *statuses = looked_at(wanted, count);
  int error;
  *done = 0;
  error = PMPI_Testsome(count, handles, done, indices, statuses);
  complete_some(*done, indices, all, handles, statuses, error);
  return leave(error, all, statuses, wanted);
}

EXPORT int MPI_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status) {
  used(enter("MPI_Request_get_status", HERE), handle);
  unlock();
  return PMPI_Request_get_status(handle, flag, status);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#if defined(I_MPI_NUMVERSION) && I_MPI_NUMVERSION < 20220000000 /* Intel MPI 2021.18 has forgotten it */
#define CONST
#else
#define CONST const
#endif

/* They complete nothing. */
static void look(int site, int count, const MPI_Request *handles) {
  free(used_all(site, count, handles));
  unlock();
}

EXPORT int MPI_Request_get_status_all(int count, CONST MPI_Request handles[], int *flag, MPI_Status *statuses) {
  look(enter("MPI_Request_get_status_all", HERE), count, handles);
  return PMPI_Request_get_status_all(count, handles, flag, statuses);
}

EXPORT int MPI_Request_get_status_any(int count, CONST MPI_Request handles[], int *index, int *flag,
                                      MPI_Status *status) {
  look(enter("MPI_Request_get_status_any", HERE), count, handles);
  return PMPI_Request_get_status_any(count, handles, index, flag, status);
}

EXPORT int MPI_Request_get_status_some(int count, CONST MPI_Request handles[], int *done, int *indices,
                                       MPI_Status *statuses) {
  look(enter("MPI_Request_get_status_some", HERE), count, handles);
  return PMPI_Request_get_status_some(count, handles, done, indices, statuses);
}
#endif

EXPORT int MPI_Cancel(MPI_Request *handle) {
  struct request *request = used(enter("MPI_Cancel", HERE), *handle);
  if (request)
    request->cancelled = true;
  unlock();
  return PMPI_Cancel(handle);
}

EXPORT int MPI_Request_free(MPI_Request *handle) {
  struct request *request = used(enter("MPI_Request_free", HERE), *handle);
  MPI_Status status;
  int done = 0, error;
  /* The last moment to learn what a receive has got. */
  if (request && request->receive.number)
    PMPI_Request_get_status(*handle, &done, &status);
  error = PMPI_Request_free(handle);
  if (request && done)
    end_receive(&request->receive, &status, MPI_SUCCESS);
  if (request) {
    end_unseen(&request->send, true, request->cancelled);
    end_unseen(&request->receive, false, request->cancelled);
    forget(request);
  }
  unlock();
  return error;
}

/* Persistent requests start, in the order of lines. */
static int start_all(int site, int count, MPI_Request *handles, int (*start)(int, MPI_Request *)) {
  struct request **all = used_all(site, count, handles);
  int error;
  for (int i = 0; i < count; i++)
    if (all[i] && all[i]->persistent && all[i]->direction != NEITHER) {
      struct envelope given = all[i]->given;
      comm_hold(given.comm);
      all[i]->cancelled = false;
      if (all[i]->direction == SENDS)
        all[i]->send = start_send(all[i]->site, given);
      else
        all[i]->receive = start_receive(all[i]->site, given);
    }
  error = start(count, handles);
  for (int i = 0; error != MPI_SUCCESS && i < count; i++)
    complete(all[i], handles[i], NULL, error);
  return leave(error, all, NULL, NULL);
}

static int start_one(int count, MPI_Request *handle) {
  (void)count;
  return PMPI_Start(handle);
}

EXPORT int MPI_Start(MPI_Request *handle) { return start_all(enter("MPI_Start", HERE), 1, handle, start_one); }

EXPORT int MPI_Startall(int count, MPI_Request *handles) {
  return start_all(enter("MPI_Startall", HERE), count, handles, PMPI_Startall);
}
