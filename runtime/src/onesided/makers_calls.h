/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of makers.c, for counted.h.
 */
int FORM(MPISHM_Win_create)(void *base, MPI_Aint size, DISPLACEMENT disp_unit, MPI_Info info, MPI_Comm comm,
                            MPI_Win *win) {
  runtime_enter(CALL(WIN_CREATE));
  runtime_unlock();
  int error = mpi_first.FORM(Win_create)(base, size, disp_unit, info, comm, win);
  return register_made(error, comm, win, (struct window_part){base, size, disp_unit, false});
}

int FORM(MPISHM_Win_allocate_shared)(MPI_Aint size, DISPLACEMENT disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                                     MPI_Win *win) {
  runtime_enter(CALL(WIN_ALLOCATE_SHARED));
  runtime_unlock();
  int error = mpi_first.FORM(Win_allocate_shared)(size, disp_unit, info, comm, baseptr, win);
  void *base = error == MPI_SUCCESS ? *(void **)baseptr : NULL;
  return register_made(error, comm, win, (struct window_part){base, size, disp_unit, true});
}

int FORM(MPISHM_Win_allocate)(MPI_Aint size, DISPLACEMENT disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                              MPI_Win *win) {
  void *memory = NULL;
  runtime_enter(CALL(WIN_ALLOCATE));
  runtime_unlock();
  bool here = is_of_this_node(comm) && size >= 0 && disp_unit > 0 && baseptr && win;
  if (here && !allocate_part(size, info, &memory))
    return runtime_return(raise_no_memory(comm));
  int error = here ? mpi_first.FORM(Win_create)(memory, size, disp_unit, info, comm, win)
                   : mpi_first.FORM(Win_allocate)(size, disp_unit, info, comm, baseptr, win);
  if (here)
    error = keep_part(error, memory, *win);
  if (here && error == MPI_SUCCESS)
    *(void **)baseptr = memory;
  void *base = error == MPI_SUCCESS ? *(void **)baseptr : NULL;
  return register_made(error, comm, win, (struct window_part){base, size, disp_unit, false});
}
