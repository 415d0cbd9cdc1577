/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "net/net.h"
#include "net/serving.h"

struct net net;

static bool serves_all;
void net_serve_all(void) { serves_all = true; }
bool net_serves_all(void) { return serves_all; }
void net_start_counting(void) { net.counts = serves_all && mpishm.watching; }

void net_start(enum net_mode wanted, bool any_obstacle, const char *obstacle) {
  slips_start(wanted, any_obstacle && !obstacle ? "other ranks have an obstacle" : obstacle);
  net.requests = wanted != NET_OFF && mpishm.active;
  net.messages = wanted != NET_OFF && !any_obstacle;
}

void net_end(void) { net.requests = net.messages = net.counts = false; }

bool net_finds(int count, const MPI_Request requests[], enum call call, const void *site) {
  bool ours = false, rewritten = false;
  runtime_lock();
  for (int i = 0; i < count; i++) {
    struct operation *op;
    enum request_kind kind = request_classify(requests[i], &op);
    if (kind == REQUEST_NULL || kind == REQUEST_MPI)
      continue;
    ours = true;
    rewritten = rewritten || request_is_rewritten(requests[i], op);
  }
  if (UNLIKELY(rewritten))
    slip_handle(call, site, "request");
  runtime_unlock();
  return ours;
}

bool net_has_message(const MPI_Message *message, enum call call, const void *site) {
  if (!net.requests || !message || *message == MPI_MESSAGE_NULL)
    return false;
  runtime_lock();
  const struct held_message *held = message_find(*message);
  if (held && !held->unrewritten)
    slip_handle(call, site, "message");
  runtime_unlock();
  return held != NULL;
}
