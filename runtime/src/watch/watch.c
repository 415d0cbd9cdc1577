/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looking inside: the call that each thread is in, and what the hooks hand on to statistics.c and timeout.c.
 */
#include "watch/watch.h"
#include "base/handles.h"
#include "base/origin.h"
#include "communicators/communicators.h"
#include "watch/statistics.h"
#include "watch/timeout.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

const char *const call_names[CALL_COUNT] = {
#define MPISHM_CALL(name, text) [CALL_##name] = (text),
    MPISHM_CALLS(MPISHM_CALL)
#undef MPISHM_CALL
};

const char *const path_names[PATH_COUNT] = {
    [PATH_INLINE] = "inline",
    [PATH_EAGER] = "eager",
    [PATH_WINDOW] = "window",
    [PATH_KERNEL] = "kernel",
    [PATH_STAGED] = "staged",
    [PATH_MPI_OTHER_NODE] = "mpi_other_node",
    [PATH_MPI_NODEWISE] = "mpi_nodewise",
    [PATH_MPI_UNREGISTERED] = "mpi_unregistered",
    [PATH_MPI_WINDOW_FULL] = "mpi_window_full",
    [PATH_MPI_NO_WINDOW] = "mpi_no_window",
    [PATH_MPI_DISABLED] = "mpi_disabled",
};

static _Thread_local struct watched_call current;
_Thread_local const void *came_from;

/* Requests of MPI's own whose messages we know, by handle: persistent ones until they are freed, others until they are
 * complete. Requests that the program completes without us stay until MPI uses their handle again. */
static struct handle_table mpi_messages;

uint64_t watch_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ---- Set-up and teardown. ---- */

enum { SETTING_STATISTICS, SETTING_TIMEOUT, SETTING_ABORT };
_Static_assert(SETTING_ABORT + 1 == WATCH_SETTINGS, "all settings are agreed on");

void watch_environment(int64_t settings[WATCH_SETTINGS]) {
  settings[SETTING_STATISTICS] = statistics_wanted();
  settings[SETTING_TIMEOUT] = timeout_wanted();
  settings[SETTING_ABORT] = timeout_aborts();
}

void watch_start(const int64_t settings[WATCH_SETTINGS], describe_wait *describer) {
  mpishm.watching = settings[SETTING_STATISTICS] || settings[SETTING_TIMEOUT];
  if (settings[SETTING_STATISTICS])
    statistics_start();
  if (settings[SETTING_TIMEOUT])
    timeout_start((uint64_t)settings[SETTING_TIMEOUT], settings[SETTING_ABORT], describer);
}

void watch_end(void) {
  statistics_end();
  mpishm.watching = false;
  mpishm.attended = mpishm.threaded;
  for (size_t i = 0; mpi_messages.entries && i <= mpi_messages.mask; i++)
    free(mpi_messages.entries[i].value);
  handle_table_destroy(&mpi_messages);
}

/* ---- Calls. ---- */

/* Which of the call's requests are MPI's and known to us, so that what MPI completes can be forgotten. */
static void remember_requests(void) {
  current.known = NULL;
  if (mpi_messages.count == 0)
    return;
  for (int i = 0; i < current.count && current.requests; i++) {
    struct mpi_message *message = handle_find(&mpi_messages, HANDLE_KEY(current.requests[i]));
    if (message) {
      message->index = i;
      message->next_known = current.known;
      current.known = message;
    }
  }
}

static void forget_requests(void) {
  while (current.known) {
    struct mpi_message *message = current.known;
    current.known = message->next_known;
    if (HANDLE_KEY(current.requests[message->index]) != message->key) {
      handle_remove(&mpi_messages, message->key);
      free(message);
    }
  }
}

void attended_enter(enum call call, const void *site, int count, MPI_Request *requests) {
  uint64_t now = mpishm.watching ? watch_clock() : 0;
  runtime_lock();
  if (!mpishm.watching)
    return;
  current.call = current.charged_call = call;
  current.site = current.charged_site = unrewritten.site ? unrewritten.site : site;
  current.entered = now;
  current.count = count;
  current.requests = requests;
  current.posted_count = 0;
  current.message_count = 0;
  current.awaits = current.left_to_library = false;
  current.reported = false;
  remember_requests();
}

void attended_leave(void) {
  /* A call during which another one was made, as error handlers do, has no beginning any more. */
  if (mpishm.watching && current.entered) {
    uint64_t spent = watch_clock() - current.entered;
    statistics_call(current.call, current.site, spent, current.left_to_library);
    if (current.reported)
      timeout_over(&current, spent);
    current.entered = 0;
    forget_requests();
  }
  runtime_unlock();
}

struct watched_call *watch_call(void) { return &current; }

void watch_charge(enum call call, const void *site) {
  current.charged_call = call;
  current.charged_site = site;
}

/* ---- Messages of ours. ---- */

void watch_at_once(enum path path, size_t bytes) {
  statistics_message(current.charged_call, current.charged_site, true, path, bytes);
}

void watch_eager(size_t bytes) { watch_at_once(bytes <= INLINE_BYTES ? PATH_INLINE : PATH_EAGER, bytes); }

void watch_message(enum call call, const void *site, bool is_send, enum path path, uint64_t bytes) {
  statistics_message(call, site, is_send, path, bytes);
}

/* ---- Messages of MPI's. ---- */

static bool makes_persistent(enum call call) { return call >= CALL_SEND_INIT && call <= CALL_RECV_INIT_C; }

/* Why a message is not for the window; PATH_NONE for MPI_PROC_NULL, which is none. */
static enum path path_through_mpi(int peer, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL)
    return PATH_NONE;
  if (!mpishm.active)
    return mpishm.registers ? PATH_MPI_NO_WINDOW : PATH_MPI_DISABLED;
  const struct communicator *communicator = communicator_find(comm);
  if (!communicator)
    return PATH_MPI_UNREGISTERED;
  bool may_be_here = peer < 0 || peer >= communicator->size || communicator->node_rank[peer] >= 0;
  return communicator->messages_by_mpi && may_be_here ? PATH_MPI_NODEWISE : PATH_MPI_OTHER_NODE;
}

void watch_mpi(bool is_send, MPI_Count count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm) {
  MPI_Count size = 0;
  if (current.message_count == WATCH_POSTED || count < 0 || datatype == MPI_DATATYPE_NULL ||
      PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS)
    return;
  struct mpi_message message = {.call = current.call,
                                .site = current.site,
                                .is_send = is_send,
                                .peer = peer,
                                .tag = tag,
                                .comm = comm,
                                .bytes = (uint64_t)count * (uint64_t)size,
                                .path = path_through_mpi(peer, comm)};
  if (message.path == PATH_NONE)
    return;
  current.messages[current.message_count++] = message;
  if (!makes_persistent(current.call))
    statistics_message(current.call, current.site, is_send, message.path, message.bytes);
}

void watch_probe(int source, int tag, MPI_Comm comm) {
  current.messages[current.message_count++] = (struct mpi_message){
      .call = current.call, .site = current.site, .peer = source, .tag = tag, .comm = comm, .path = PATH_NONE};
}

static void store_message(uint64_t key) {
  struct mpi_message *message = handle_find(&mpi_messages, key);
  if (!message) {
    message = malloc(sizeof *message);
    if (!message || !handle_set(&mpi_messages, key, message)) {
      free(message);
      return;
    }
  }
  *message = current.messages[0];
  message->key = key;
}

void watch_mpi_request(MPI_Request request) {
  if (current.message_count == 0 || request == MPI_REQUEST_NULL)
    return;
  int complete = 0;
  bool persistent = makes_persistent(current.call);
  if (!persistent) /* Nobody will wait for it, and MPI may have one handle for all that are. */
    PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  runtime_lock();
  if (persistent || (timeout_is_on() && !complete))
    store_message(HANDLE_KEY(request));
  runtime_unlock();
}

void watch_mpi_start(MPI_Request request) {
  const struct mpi_message *message = watch_mpi_message(request);
  if (message && makes_persistent(message->call))
    statistics_message(message->call, message->site, message->is_send, message->path, message->bytes);
}

const struct mpi_message *watch_mpi_message(MPI_Request request) {
  return handle_find(&mpi_messages, HANDLE_KEY(request));
}

/* ---- Waiting. ---- */

void watch_member(MPI_Comm comm, int rank) {
  current.awaits = true;
  current.awaited_comm = comm;
  current.awaited_rank = rank;
}

void watch_left_to_library(void) { current.left_to_library = true; }

bool watch_waits(void) { return timeout_is_on(); }

void watch_wait(void) { timeout_check(&current); }

/* True when MPI would go on: all, or any, of its requests are complete, or there is none. */
static bool mpi_is_ready(int count, const MPI_Request requests[], bool all) {
  int complete = 0, pending = 0;
  for (int i = 0; i < count; i++) {
    int flag = 0;
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    if (PMPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return true; /* MPI's own function reports it */
    complete += flag;
    pending += !flag;
  }
  return pending == 0 || (!all && complete > 0);
}

/* Between two looks at what MPI does. False when there is no reason to look further. */
static bool keep_looking(void) {
  sched_yield();
  runtime_lock();
  timeout_check(&current);
  runtime_unlock();
  return !current.reported || timeout_aborts_soon();
}

void watch_mpi_wait(int count, const MPI_Request requests[], bool all) {
  if (!timeout_is_on() || count <= 0 || !requests)
    return;
  while (!mpi_is_ready(count, requests, all) && keep_looking()) {
  }
}

void watch_mpi_receive(int source, int tag, MPI_Comm comm) {
  int flag = 0;
  if (!timeout_is_on() || current.message_count == 0)
    return;
  while (PMPI_Iprobe(source, tag, comm, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && !flag && keep_looking()) {
  }
}
