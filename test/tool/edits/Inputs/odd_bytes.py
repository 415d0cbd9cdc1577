# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a source with CRLF line ends, Latin-1 letters and no last line end; or what it is to become."""

import sys

NAMES = ("Init", "Irecv", "Isend", "Waitall")
SOURCE = b"""#include <mpi.h>
/* \xdcbertragung der R\xe4nder */
int main(int argc, char **argv) {
\tMPI_Request r[2];
\tMPI_Init(&argc, &argv);
\tMPI_Irecv(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]); /* \xe9 */
\tMPI_Isend(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[1]);
\tMPI_Waitall(2, r, MPI_STATUSES_IGNORE); return MPI_Finalize(); }"""

text = SOURCE
if sys.argv[1] == "rewritten":
    for name in NAMES:
        text = text.replace(b"MPI_%s(" % name.encode(), b"MPISHM_%s(" % name.encode())
    text = text.replace(b"<mpi.h>\n", b"<mpi.h>\n#include <mpishm.h>\n")
with open(sys.argv[2], "wb") as out:
    out.write(text.replace(b"\n", b"\r\n"))
