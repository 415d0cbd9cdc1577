/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of transfers.c, for counted.h. Those without a request are in two parts (transfer_at_once).
 */
NOINLINE static int FORM(put_any)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                  int target_rank, MPI_Aint target_disp, COUNT target_count,
                                  MPI_Datatype target_datatype, MPI_Win win) {
  runtime_enter_come(CALL(PUT), 0, NULL);
  OPERATE_ENTERED(transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                           target_datatype, win, PUT),
                  mpi_first.FORM(Put)(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                      target_count, target_datatype, win));
  return error;
}

int FORM(MPISHM_Put)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (transfer_at_once(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                       target_datatype, win, true))
    return MPI_SUCCESS;
  runtime_come();
  return FORM(put_any)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                       target_datatype, win);
}

NOINLINE static int FORM(get_any)(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                                  MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win) {
  runtime_enter_come(CALL(GET), 0, NULL);
  OPERATE_ENTERED(transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                           target_datatype, win, GET),
                  mpi_first.FORM(Get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                      target_count, target_datatype, win));
  return error;
}

int FORM(MPISHM_Get)(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (transfer_at_once(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                       target_datatype, win, false))
    return MPI_SUCCESS;
  runtime_come();
  return FORM(get_any)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                       target_datatype, win);
}

int FORM(MPISHM_Rput)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win,
                      MPI_Request *request) {
  OPERATE(CALL(RPUT),
          transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype,
                   win, PUT_NOW),
          mpi_first.FORM(Rput)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                               target_datatype, win, request));
  RETURN_REQUEST();
}

int FORM(MPISHM_Rget)(void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                      MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Win win,
                      MPI_Request *request) {
  OPERATE(CALL(RGET),
          transfer(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype,
                   win, GET_NOW),
          mpi_first.FORM(Rget)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                               target_datatype, win, request));
  RETURN_REQUEST();
}
