/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How one of our definitions of MPI's functions begins and ends.
 */
#ifndef MPISHM_SERVING_H
#define MPISHM_SERVING_H

#include "base/origin.h"
#include "mpishm.h"
#include "net/net.h"
#include "next/next.h"
#include "requests/message_handles.h"
#include "requests/requests.h"

/* Weak, so that a program that links another library's definitions statically keeps those. Where a function is defined
 * twice the dynamic linker takes the first, weak or not. */
#define NET __attribute__((weak, visibility("default")))

/* Written at set-up and teardown. */
struct net {
  bool requests, messages, collectives;
  bool counts; /* and with them all other calls, for statistics */
  bool early;  /* there were messages before set-up, which are MPI's */
  /* Messages, and requests, are served, and nobody attends entry points: the most frequent calls take a short way. */
  bool messages_at_once, requests_at_once;
};
extern struct net net;

static inline bool net_knows(MPI_Comm comm) {
  runtime_lock();
  bool ours = communicator_find(comm) != NULL;
  runtime_unlock();
  return ours || net.counts;
}
/* Whether messages on this communicator are ours. */
static inline bool net_has(MPI_Comm comm) {
  if (net.messages && mpishm.active)
    return net_knows(comm);
  if (!mpishm.attached)
    net.early = true;
  return net.counts;
}
/* Whether they are, and can be served by the functions of at_once.h. */
static inline bool net_has_at_once(MPI_Comm comm) {
  return net.messages_at_once && last_communicator.communicator && comm == last_communicator.handle;
}
/* Whether collectives on it are. */
static inline bool net_has_collectives(MPI_Comm comm) {
  return net.collectives && mpishm.active ? net_knows(comm) : net.counts;
}

static inline bool net_is_ours(MPI_Request request, struct operation **op) {
  return is_request_of_ours(request_classify(request, op));
}
/* Whether one of these requests is ours. Says so when one is of rewritten code. */
bool net_finds(int count, const MPI_Request requests[], enum call call, const void *site);
/* The same, up to the first that is; of which code they are, the completion call that serves them says. */
bool net_finds_any(int count, const MPI_Request requests[]);
static inline bool net_has_request(const MPI_Request *request, enum call call, const void *site) {
  return (net.requests && request && *request != MPI_REQUEST_NULL && net_finds(1, request, call, site)) || net.counts;
}
static inline bool net_has_any(int count, const MPI_Request requests[]) {
  return (net.requests && count > 0 && requests && net_finds_any(count, requests)) || net.counts;
}
static inline bool net_has_persistent(int count, const MPI_Request requests[], enum call call, const void *site) {
  return (net.requests && count > 0 && requests && net_finds(count, requests, call, site)) || net.counts;
}
/* The same of a message handle. */
bool net_has_message(const MPI_Message *message, enum call call, const void *site);

/* Whether a window is registered. */
bool net_knows_window(MPI_Win win);
/* The same; it is of rewritten code, which it says. */
bool net_has_window(MPI_Win win, enum call call, const void *site);

/* Our definition by a name that no other library has: where another's comes first, MPI_Send is that one's. */
#define OWN(name) extern __typeof__(MPI_##name) own_##name __attribute__((alias("MPI_" #name), visibility("hidden")));

/* Around the entry point that serves a call: returns what net_leave is to be given. */
static inline struct origin net_enter(enum call call, const void *site) {
  struct origin before = unrewritten;
  unrewritten = (struct origin){site, (int)call};
  return before;
}
static inline int net_leave(struct origin before, int error) {
  unrewritten = before;
  return error;
}
#define NET_SITE __builtin_return_address(0)
/* The body of a definition: `condition` is whether the call is ours; `arguments` are those of a call, in parentheses.
 * NOLINTBEGIN(bugprone-macro-parentheses): not a second time. */
#define NET_SERVE(condition, call, name, arguments)                                                                    \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      return mpi_next.name arguments;                                                                                  \
    struct origin before = net_enter(call, NET_SITE);                                                                  \
    return net_leave(before, MPISHM_(name) arguments);                                                                 \
  } while (0)
/* The same where `at_once` does not say that a function of at_once.h will do. */
#define NET_SERVE_AT_ONCE(at_once, short_arguments, condition, call, name, arguments)                                  \
  do {                                                                                                                 \
    if (UNLIKELY(!(at_once)))                                                                                          \
      NET_SERVE(condition, call, name, arguments);                                                                     \
    return NET_SERVED_(name) short_arguments;                                                                          \
  } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */
#define NET_SERVED_PASTE_(name) serve_##name
#define NET_SERVED_(name) NET_SERVED_PASTE_(name)
#define MPISHM_PASTE_(name) MPISHM_##name
#define MPISHM_(name) MPISHM_PASTE_(name)

#endif
