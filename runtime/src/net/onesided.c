/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One-sided operations and epochs on windows that rewritten code has made. In a window that is ours MPI has no epoch
 * open, and would refuse them.
 */
#include "net/serving.h"

#define COUNTED "net/onesided_calls.h"
#include "point_to_point/counted.h"

NET int MPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                         MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_FETCH_AND_OP, NET_SITE), CALL_FETCH_AND_OP, Fetch_and_op,
            (origin_addr, result_addr, datatype, target_rank, target_disp, op, win));
}

NET int MPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                             MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_COMPARE_AND_SWAP, NET_SITE), CALL_COMPARE_AND_SWAP, Compare_and_swap,
            (origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win));
}

NET int MPI_Win_free(MPI_Win *win) {
  NET_SERVE(win && net_has_window(*win, CALL_WIN_FREE, NET_SITE), CALL_WIN_FREE, Win_free, (win));
}

NET int MPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag) {
  NET_SERVE(net_knows_window(win), CALL_WIN_GET_ATTR, Win_get_attr, (win, win_keyval, attribute_val, flag));
}

NET int MPI_Win_fence(int assert, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_FENCE, NET_SITE), CALL_WIN_FENCE, Win_fence, (assert, win));
}

NET int MPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_POST, NET_SITE), CALL_WIN_POST, Win_post, (group, assert, win));
}

NET int MPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_START, NET_SITE), CALL_WIN_START, Win_start, (group, assert, win));
}

NET int MPI_Win_complete(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_COMPLETE, NET_SITE), CALL_WIN_COMPLETE, Win_complete, (win));
}

NET int MPI_Win_wait(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_WAIT, NET_SITE), CALL_WIN_WAIT, Win_wait, (win));
}

NET int MPI_Win_test(MPI_Win win, int *flag) {
  NET_SERVE(net_has_window(win, CALL_WIN_TEST, NET_SITE), CALL_WIN_TEST, Win_test, (win, flag));
}

NET int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_LOCK, NET_SITE), CALL_WIN_LOCK, Win_lock, (lock_type, rank, assert, win));
}

NET int MPI_Win_unlock(int rank, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_UNLOCK, NET_SITE), CALL_WIN_UNLOCK, Win_unlock, (rank, win));
}

NET int MPI_Win_lock_all(int assert, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_LOCK_ALL, NET_SITE), CALL_WIN_LOCK_ALL, Win_lock_all, (assert, win));
}

NET int MPI_Win_unlock_all(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_UNLOCK_ALL, NET_SITE), CALL_WIN_UNLOCK_ALL, Win_unlock_all, (win));
}

NET int MPI_Win_flush(int rank, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_FLUSH, NET_SITE), CALL_WIN_FLUSH, Win_flush, (rank, win));
}

NET int MPI_Win_flush_all(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_FLUSH_ALL, NET_SITE), CALL_WIN_FLUSH_ALL, Win_flush_all, (win));
}

NET int MPI_Win_flush_local(int rank, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_FLUSH_LOCAL, NET_SITE), CALL_WIN_FLUSH_LOCAL, Win_flush_local, (rank, win));
}

NET int MPI_Win_flush_local_all(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_FLUSH_LOCAL_ALL, NET_SITE), CALL_WIN_FLUSH_LOCAL_ALL, Win_flush_local_all,
            (win));
}

NET int MPI_Win_sync(MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL_WIN_SYNC, NET_SITE), CALL_WIN_SYNC, Win_sync, (win));
}

MPISHM_ONESIDED(OWN)
#define OWN_LARGE(name) OWN(name##_c)
MPISHM_COUNTED_ONESIDED(OWN)
MPISHM_LARGE_ONESIDED(OWN_LARGE)
#undef OWN_LARGE
