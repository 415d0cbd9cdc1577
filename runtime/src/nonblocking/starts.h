/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the entry points of nonblocking and persistent collectives have in common: each of these starts one, or makes
 * one to be started. Entered already. Where the call is STARTED, the request that was asked for is there.
 */
#ifndef MPISHM_STARTS_H
#define MPISHM_STARTS_H

#include "members/sides.h"
#include "nonblocking/bundle.h"

enum start start_barrier(MPI_Comm comm, struct asked asked);
enum start start_bcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       struct asked asked);
enum start start_gather(int root, const struct side *send, const struct side *receive, MPI_Comm comm,
                        struct asked asked);
enum start start_scatter(int root, const struct side *send, const struct side *receive, MPI_Comm comm,
                         struct asked asked);
enum start start_exchange(const struct side *send, const struct side *receive, MPI_Comm comm, struct asked asked);
enum start start_gather_from_all(const struct side *send, const struct side *receive, MPI_Comm comm,
                                 struct asked asked);
enum start start_allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm, struct asked asked);
enum start start_reduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                        MPI_Comm comm, struct asked asked);
enum start start_scan(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      bool excludes, MPI_Comm comm, struct asked asked);
enum start start_reduce_scatter(const void *sendbuf, const struct side *receive, MPI_Op op, MPI_Comm comm,
                                struct asked asked);
enum start start_with_neighbors(bool to_all, const struct side *send, const struct side *receive, MPI_Comm comm,
                                struct asked asked);

#endif
