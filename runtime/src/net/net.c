/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "net/net.h"
#include "net/serving.h"
#include "onesided/windows.h"

struct net net;

static bool needed, serves_all;
void net_need(void) { needed = true; }
void net_serve_all(void) { needed = serves_all = true; }
bool net_is_needed(void) { return needed; }
void net_start_counting(void) { net.counts = serves_all && mpishm.watching && net_is_first(); }

void net_start(struct net_settings settings) {
  for (int i = 0; i < NET_PARTS; i++)
    if (settings.any_obstacle[i] && !settings.obstacle[i])
      settings.obstacle[i] = "other ranks have an obstacle";
  slips_start(settings.mode, settings.needed, settings.obstacle);
  net.requests = settings.mode != NET_OFF && mpishm.active;
  net.messages = settings.mode != NET_OFF && !settings.any_obstacle[NET_MESSAGES];
  net.requests_at_once = net.requests && !mpishm.attended;
  net.messages_at_once = net.messages && mpishm.active && !mpishm.attended;
  net.collectives = settings.mode != NET_OFF && !settings.any_obstacle[NET_COLLECTIVES];
}

void net_end(void) { net = (struct net){.early = net.early}; }

bool net_finds_any(int count, const MPI_Request requests[]) {
  struct operation *op;
  bool ours = false;
  runtime_lock();
  for (int i = 0; i < count && !ours; i++)
    ours = net_is_ours(requests[i], &op);
  runtime_unlock();
  return ours;
}

bool net_finds(int count, const MPI_Request requests[], enum call call, const void *site) {
  bool ours = false, rewritten = false;
  runtime_lock();
  for (int i = 0; i < count; i++) {
    struct operation *op;
    if (!net_is_ours(requests[i], &op))
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

bool net_knows_window(MPI_Win win) {
  if (!net.requests)
    return false;
  runtime_lock();
  bool found = window_find(win);
  runtime_unlock();
  return found;
}

bool net_has_window(MPI_Win win, enum call call, const void *site) {
  if (!net_knows_window(win))
    return false;
  runtime_lock();
  slip_handle(call, site, "window");
  runtime_unlock();
  return true;
}
