/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of accumulates.c, for counted.h.
 */
static NOINLINE int FORM(accumulate_any)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                         int target_rank, MPI_Aint target_disp, COUNT target_count,
                                         MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  struct operand origin = {origin_addr, origin_count, origin_datatype};
  runtime_enter_come(CALL(ACCUMULATE), 0, NULL);
  OPERATE_ENTERED(accumulate_later(&origin, target_rank, target_disp, target_count, target_datatype, op, win),
                  mpi_first.FORM(Accumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                             target_count, target_datatype, op, win));
  return error;
}

int FORM(MPISHM_Accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                            MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                            MPI_Win win) {
  if (origin_count == target_count && origin_datatype == target_datatype &&
      (target_count == 1
           ? accumulate_at_once(origin_addr, target_datatype, target_rank, target_disp, op, win)
           : combine_at_once(origin_addr, NULL, target_datatype, target_rank, target_disp, target_count, op, win)))
    return MPI_SUCCESS;
  runtime_come();
  return FORM(accumulate_any)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                              target_datatype, op, win);
}

static NOINLINE int FORM(get_accumulate_any)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                             void *result_addr, COUNT result_count, MPI_Datatype result_datatype,
                                             int target_rank, MPI_Aint target_disp, COUNT target_count,
                                             MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  struct accumulate what = {{origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype},
                            target_rank,
                            target_disp,
                            target_count,
                            target_datatype,
                            op};
  runtime_enter_come(CALL(GET_ACCUMULATE), 0, NULL);
  OPERATE_ENTERED(accumulate(&what, win),
                  mpi_first.FORM(Get_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                                 result_datatype, target_rank, target_disp, target_count,
                                                 target_datatype, op, win));
  return error;
}

int FORM(MPISHM_Get_accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                void *result_addr, COUNT result_count, MPI_Datatype result_datatype, int target_rank,
                                MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                                MPI_Win win) {
  if (origin_count == target_count && result_count == target_count && origin_datatype == target_datatype &&
      result_datatype == target_datatype && result_addr &&
      (target_count == 1 ? fetch_at_once(origin_addr, result_addr, target_datatype, target_rank, target_disp, op, win)
                         : combine_at_once(origin_addr, result_addr, target_datatype, target_rank, target_disp,
                                           target_count, op, win)))
    return MPI_SUCCESS;
  runtime_come();
  return FORM(get_accumulate_any)(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                  result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}

int FORM(MPISHM_Raccumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype, int target_rank,
                             MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                             MPI_Win win, MPI_Request *request) {
  struct accumulate what = {{origin_addr, origin_count, origin_datatype},
                            no_operand,
                            target_rank,
                            target_disp,
                            target_count,
                            target_datatype,
                            op};
  OPERATE(CALL(RACCUMULATE), accumulate(&what, win),
          mpi_first.FORM(Raccumulate)(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                      target_count, target_datatype, op, win, request));
  RETURN_REQUEST();
}

int FORM(MPISHM_Rget_accumulate)(const void *origin_addr, COUNT origin_count, MPI_Datatype origin_datatype,
                                 void *result_addr, COUNT result_count, MPI_Datatype result_datatype, int target_rank,
                                 MPI_Aint target_disp, COUNT target_count, MPI_Datatype target_datatype, MPI_Op op,
                                 MPI_Win win, MPI_Request *request) {
  struct accumulate what = {{origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype},
                            target_rank,
                            target_disp,
                            target_count,
                            target_datatype,
                            op};
  OPERATE(CALL(RGET_ACCUMULATE), accumulate(&what, win),
          mpi_first.FORM(Rget_accumulate)(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                          result_datatype, target_rank, target_disp, target_count, target_datatype, op,
                                          win, request));
  RETURN_REQUEST();
}
