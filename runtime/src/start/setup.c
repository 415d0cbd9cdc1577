/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Attach and teardown.
 */
#include "base/environment.h"
#include "communicators/counted.h"
#include "communicators/nodes.h"
#include "leaders/leaders.h"
#include "members/trials.h"
#include "messages/staging.h"
#include "mpishm.h"
#include "net/net.h"
#include "next/next.h"
#include "node/agreement.h"
#include "node/program_heap.h"
#include "node/warnings.h"
#include "node/window.h"
#include "onesided/windows.h"
#include "packing/packing.h"
#include "requests/message_handles.h"
#include "requests/requests.h"
#include "requests/watched.h"

/* ---- Teardown: the delete callback of an attribute of MPI_COMM_SELF, which MPI_Finalize calls first of all, while
 * communication still works (MPI 3.1, 8.7.1). ---- */

static int teardown_keyval = MPI_KEYVAL_INVALID;

static int teardown(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  runtime_lock();
  packing_close();
  if (mpishm.active)
    requests_drain();
  runtime_unlock();
  if (mpishm.watching)
    watch_end();
  net_end();
  leaders_end();
  if (mpishm.active) {
    mpishm.active = false;
    memory_close();
    windows_destroy();
    makers_destroy();
    message_handles_destroy();
    requests_destroy();
    window_destroy();
    sends_discard();
    layout_cache_destroy();
  }
  communicators_destroy();
  nodes_destroy();
  if (mpishm.node != MPI_COMM_NULL)
    PMPI_Comm_free(&mpishm.node);
  if (mpishm.node_group != MPI_GROUP_NULL)
    PMPI_Group_free(&mpishm.node_group);
  mpishm.attached = mpishm.registers = false;
  return MPI_SUCCESS;
}

/* ---- Attach. ---- */

static void activate(void) {
  const char *reason = NULL;
  int all;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &mpishm.node);
  PMPI_Comm_set_errhandler(mpishm.node, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(mpishm.node, &mpishm.node_rank);
  PMPI_Comm_size(mpishm.node, &mpishm.node_size);
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  mpishm.several_nodes = mpishm.node_size < all;
  PMPI_Comm_group(mpishm.node, &mpishm.node_group);
  bool ready = layout_cache_init() && requests_init() && communicators_init();
  mpishm.active = window_create(ready, &reason);
  if (mpishm.active)
    return;
  layout_cache_destroy();
  requests_destroy();
  communicators_destroy();
  if (mpishm.node_rank == 0)
    warn_once(WARN_NO_WINDOW, "%s; messages on this node go through MPI", reason);
}

/* Recursive: MPI may free a datatype, and so call us, while we call MPI. */
static void create_mutex(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mpishm.mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

/* What the ranks ask for. The environment may differ from rank to rank; whether messages use the window must not. */
enum {
  DISABLE,
  WITHOUT_NET,
  NET_ABORTS,
  NEEDS_NET,
  NODEWISE,
  THREADED,
  WITHOUT_LEADERS,
  MOST_LEADERS,
  LEFT_TO_LIBRARY,
  WITHOUT_TRIALS,
  MOST_CALLS_BEFORE,
  OBSTACLE,
  WATCH = OBSTACLE + NET_PARTS,
  SETTINGS = WATCH + WATCH_SETTINGS
};

/* This program's messages on communicators with members on several nodes are to be MPI's. */
static bool is_nodewise;

/* any[...]: whether, or how much, any rank does. `obstacles`: those of this one. */
static void agree_on_settings(const char *const obstacles[NET_PARTS], int64_t any[SETTINGS]) {
  enum net_mode net_wanted = slips_wanted();
  int leaders = leaders_wanted(), trials = trials_wanted();
  int64_t mine[SETTINGS] = {[DISABLE] = environment_flag("MPISHM_DISABLE", false),
                            [WITHOUT_NET] = net_wanted == NET_OFF,
                            [NET_ABORTS] = net_wanted == NET_ABORT,
                            [NEEDS_NET] = net_is_needed(),
                            [NODEWISE] = is_nodewise,
                            [THREADED] = mpishm.threaded,
                            [WITHOUT_LEADERS] = leaders == 0 || !nodes_prepare(),
                            [MOST_LEADERS] = leaders,
                            [LEFT_TO_LIBRARY] = counted_by_library(),
                            [WITHOUT_TRIALS] = trials == 0,
                            [MOST_CALLS_BEFORE] = trials};
  MPI_Request request;
  for (int i = 0; i < NET_PARTS; i++)
    mine[OBSTACLE + i] = obstacles[i] != NULL;
  watch_environment(&mine[WATCH]);
  mpi_own.Iallreduce(mine, any, SETTINGS, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &request);
  wait_yielding(&request);
}

static struct net_settings net_settings(const char *const obstacles[NET_PARTS], const int64_t any[SETTINGS]) {
  struct net_settings settings = {.mode = any[WITHOUT_NET]  ? NET_OFF
                                          : any[NET_ABORTS] ? NET_ABORT
                                                            : NET_ON,
                                  .needed = any[NEEDS_NET] != 0};
  for (int i = 0; i < NET_PARTS; i++) {
    settings.any_obstacle[i] = any[OBSTACLE + i] != 0;
    settings.obstacle[i] = obstacles[i];
  }
  return settings;
}

/* A program that needs the net where that is not in force: everything goes through MPI, or all collectives do. */
static void do_without_net(const char *const obstacles[NET_PARTS], int64_t any[SETTINGS]) {
  char why[512];
  bool messages = any[WITHOUT_NET] || any[OBSTACLE + NET_MESSAGES];
  if (any[DISABLE] || !any[NEEDS_NET] || !(messages || any[OBSTACLE + NET_COLLECTIVES]))
    return;
  any[DISABLE] = messages;
  mpishm.collectives_by_mpi = true;
  net_start(net_settings(obstacles, any));
  net_text(why, sizeof why);
  warn_once(WARN_NO_NET, "%s go through MPI; net for calls that were not rewritten: %s",
            messages ? "messages" : "collectives", why);
}

static void ask_mpi(void) {
  int provided = MPI_THREAD_SINGLE, *tag_ub = NULL, found = 0;
  PMPI_Query_thread(&provided);
  mpishm.threaded = provided == MPI_THREAD_MULTIPLE;
  if (mpishm.threaded)
    create_mutex();
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &found);
  mpishm.tag_ub = found ? *tag_ub : 32767;
}

static int attach(void) {
  int64_t any[SETTINGS];
  if (mpishm.attached) {
    warn_once(WARN_ATTACHED_TWICE, "MPISHM_Attach called again; the call does nothing");
    return MPI_SUCCESS;
  }
  ask_mpi();
  mpishm.oversubscribed = true; /* as long as it is not known */
  const char *obstacles[NET_PARTS];
  net_obstacles(obstacles);
  agree_on_settings(obstacles, any);
  mpishm.any_threaded = any[THREADED] != 0;
  mpishm.left_to_library = (int)any[LEFT_TO_LIBRARY];
  mpishm.nodewise = any[NODEWISE] != 0;
  communicator_begins = trials_make;
  mpishm.calls_before_trial = any[WITHOUT_TRIALS]          ? 0
                              : any[MOST_CALLS_BEFORE] < 0 ? CALLS_BEFORE_TRIAL
                                                           : (int)any[MOST_CALLS_BEFORE];
  do_without_net(obstacles, any);
  bool by_leaders = !any[DISABLE] && !any[WITHOUT_LEADERS] && !mpishm.collectives_by_mpi;
  if (!by_leaders)
    nodes_destroy();
  mpishm.oversubscribed = !any[DISABLE];
  mpishm.attached = true;
  watch_start(&any[WATCH], operations_describe);
  mpishm.attended = mpishm.threaded || mpishm.watching;
  if (!any[DISABLE]) {
    mpishm.registers = true;
    activate();
    /* With more ranks than cores a library may spin time slices away, and what is measured there is luck. */
    if (any[MOST_CALLS_BEFORE] < 0 && mpishm.oversubscribed)
      mpishm.calls_before_trial = 0;
    if (by_leaders && communicators_know_nodes())
      leaders_start((int)any[MOST_LEADERS]);
    net_start(net_settings(obstacles, any));
  }
  if (mpishm.node_rank == 0 && *environment_ignored()) /* that rank reads all variables */
    warn_once(WARN_ENVIRONMENT, "%s; it is ignored", environment_ignored());
  if (any[DISABLE] && !mpishm.watching)
    return MPI_SUCCESS;
  net_start_counting();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, teardown, &teardown_keyval, NULL);
  PMPI_Comm_set_attr(MPI_COMM_SELF, teardown_keyval, NULL);
  PMPI_Comm_free_keyval(&teardown_keyval);
  return MPI_SUCCESS;
}

int MPISHM_Attach(void) {
  int initialized = 0;
  PMPI_Initialized(&initialized);
  if (!initialized) {
    warn_once(WARN_NOT_ATTACHED, "MPISHM_Attach called before MPI_Init; messages go through MPI");
    return MPI_SUCCESS;
  }
  return attach();
}

int MPISHM_Init(int *argc, char ***argv) {
  arrays_before_mpi();
  int error = MPI_Init(argc, argv); /* whose error it is when it is called again */
  arrays_after_mpi();
  return error == MPI_SUCCESS ? attach() : error;
}

int MPISHM_Init_thread(int *argc, char ***argv, int required, int *provided) {
  arrays_before_mpi();
  int error = MPI_Init_thread(argc, argv, required, provided);
  arrays_after_mpi();
  return error == MPI_SUCCESS ? attach() : error;
}

int MPISHM_Attach_guarded(void) {
  net_need();
  return MPISHM_Attach();
}

int MPISHM_Init_guarded(int *argc, char ***argv) {
  net_need();
  return MPISHM_Init(argc, argv);
}

int MPISHM_Init_thread_guarded(int *argc, char ***argv, int required, int *provided) {
  net_need();
  return MPISHM_Init_thread(argc, argv, required, provided);
}

/* ---- For programs that send synchronously to wildcards. What such a send claims, on the board of the receiver's rank,
 * MPI may give away to a message of another node; so messages of such nodes and of this one do not meet. ---- */

int MPISHM_Attach_nodewise(void) {
  is_nodewise = true;
  return MPISHM_Attach();
}

int MPISHM_Init_nodewise(int *argc, char ***argv) {
  is_nodewise = true;
  return MPISHM_Init(argc, argv);
}

int MPISHM_Init_thread_nodewise(int *argc, char ***argv, int required, int *provided) {
  is_nodewise = true;
  return MPISHM_Init_thread(argc, argv, required, provided);
}

int MPISHM_Attach_nodewise_guarded(void) {
  net_need();
  return MPISHM_Attach_nodewise();
}

int MPISHM_Init_nodewise_guarded(int *argc, char ***argv) {
  net_need();
  return MPISHM_Init_nodewise(argc, argv);
}

int MPISHM_Init_thread_nodewise_guarded(int *argc, char ***argv, int required, int *provided) {
  net_need();
  return MPISHM_Init_thread_nodewise(argc, argv, required, provided);
}
