/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry points of allreduce.c, for counted.h.
 */
HOT int FORM(MPISHM_Allreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                               MPI_Comm comm) {
  runtime_enter(CALL(ALLREDUCE));
  struct communicator *communicator =
      is_refused_reduction(sendbuf, recvbuf, count)
          ? NULL
          : collective_find_reducing(comm, CALL_ALLREDUCE, COUNTED_ALLREDUCE, count, datatype, op);
  const struct order *order = NULL;
  const struct reduction *reduction = find_reduction(communicator, count, datatype, op);
  if (!reduction)
    reduction = find_sum(communicator, count, datatype, op, ALL_ROOTS, &order);
  bool by_mpi = !reduction || !are_buffers(sendbuf, recvbuf) ||
                trial_leaves(communicator, TRIED_ALLREDUCE, (size_t)count * reduction->bytes);
  if (!by_mpi)
    by_mpi = reduce_to_all(communicator, reduction, order, sendbuf, recvbuf, count);
  if (UNLIKELY(by_mpi)) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_beyond->FORM(Allreduce)(sendbuf, recvbuf, count, datatype, op, comm)));
  }
  trial_end();
  runtime_leave();
  return MPI_SUCCESS;
}

HOT int FORM(MPISHM_Reduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, int root,
                            MPI_Comm comm) {
  runtime_enter(CALL(REDUCE));
  struct communicator *communicator =
      UNLIKELY(sendbuf == recvbuf) && is_refused_at(comm, root, count)
          ? NULL
          : collective_find_reducing(comm, CALL_REDUCE, COUNTED_REDUCE, count, datatype, op);
  if (UNLIKELY(communicator && (unsigned)root >= (unsigned)communicator->size)) /* MPI refuses it */
    communicator = NULL;
  const struct order *order = NULL;
  const struct reduction *reduction = find_reduction(communicator, count, datatype, op);
  if (!reduction && communicator)
    reduction = find_sum(communicator, count, datatype, op, root, &order);
  const struct extreme_choices *choices;
  const bool is_handed = reduction && are_handed_over(communicator, reduction, count, datatype, op, root, &choices);
  int error = MPI_SUCCESS;
  bool by_mpi = !reduction ||
                (root == communicator->rank ? !are_buffers(sendbuf, recvbuf) : !sendbuf || sendbuf == MPI_IN_PLACE) ||
                (!is_handed && trial_leaves(communicator, TRIED_REDUCE, (size_t)count * reduction->bytes));
  if (!by_mpi && is_handed)
    by_mpi = root == communicator->rank
                 ? reduce_take(communicator, reduction, choices, sendbuf, recvbuf, count, datatype, op, &error)
                 : reduce_hand(communicator, reduction, sendbuf, count, datatype, &error);
  else if (!by_mpi)
    by_mpi = reduce_to(communicator, reduction, order, (unsigned)root, sendbuf, recvbuf, count);
  if (UNLIKELY(by_mpi)) {
    runtime_unlock();
    return runtime_return(trial_return(mpi_beyond->FORM(Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm)));
  }
  trial_end();
  runtime_leave();
  return error;
}
