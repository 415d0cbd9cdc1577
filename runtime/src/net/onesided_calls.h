/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One-sided operations that have a form for large counts, for counted.h.
 */
NET int FORM(MPI_Put)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL(PUT), NET_SITE), CALL(PUT), FORM(Put),
            (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win));
}

NET int FORM(MPI_Get)(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL(GET), NET_SITE), CALL(GET), FORM(Get),
            (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win));
}

NET int FORM(MPI_Accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                             MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                             MPI_Win win) {
  NET_SERVE(
      net_has_window(win, CALL(ACCUMULATE), NET_SITE), CALL(ACCUMULATE), FORM(Accumulate),
      (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win));
}

NET int FORM(MPI_Get_accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                 void *result_addr, COUNT result_count, MPI_Datatype result_datatype, int target_rank,
                                 MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                                 MPI_Win win) {
  NET_SERVE(net_has_window(win, CALL(GET_ACCUMULATE), NET_SITE), CALL(GET_ACCUMULATE), FORM(Get_accumulate),
            (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
             target_disp, target_count, target_datatype, op, win));
}

NET int FORM(MPI_Rput)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                       MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win,
                       MPI_Request *request) {
  NET_SERVE(net_has_window(win, CALL(RPUT), NET_SITE), CALL(RPUT), FORM(Rput),
            (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
             request));
}

NET int FORM(MPI_Rget)(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                       MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win,
                       MPI_Request *request) {
  NET_SERVE(net_has_window(win, CALL(RGET), NET_SITE), CALL(RGET), FORM(Rget),
            (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
             request));
}

NET int FORM(MPI_Raccumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                              int target_rank, MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype,
                              MPI_Op op, MPI_Win win, MPI_Request *request) {
  NET_SERVE(net_has_window(win, CALL(RACCUMULATE), NET_SITE), CALL(RACCUMULATE), FORM(Raccumulate),
            (origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
             win, request));
}

NET int FORM(MPI_Rget_accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                  void *result_addr, COUNT result_count, MPI_Datatype result_datatype, int target_rank,
                                  MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                                  MPI_Win win, MPI_Request *request) {
  NET_SERVE(net_has_window(win, CALL(RGET_ACCUMULATE), NET_SITE), CALL(RGET_ACCUMULATE), FORM(Rget_accumulate),
            (origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank,
             target_disp, target_count, target_datatype, op, win, request));
}
