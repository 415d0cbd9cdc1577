#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write programs with expressions of many terms into the current folder.

    long_expressions.py TERMS
"""

import sys

MAIN = """#include <mpi.h>
{declarations}
int main(int argc, char **argv) {{
  int x = 1;
  MPI_Init(&argc, &argv);
{body}
  MPI_Finalize();
  return 0;
}}
"""
SEND = "  {send}(&x, 1, MPI_INT, 0, {tag}, MPI_COMM_WORLD);"
RECEIVE = "  MPI_Recv(&x, 1, MPI_INT, {source}, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"


def write(name, declarations, *body):
    with open(name, "w", encoding="utf-8") as stream:
        stream.write(MAIN.format(declarations=declarations, body="\n".join(body)))


def send(tag, name="MPI_Send"):
    return SEND.format(send=name, tag=tag)


def receive(tag, source="0"):
    return RECEIVE.format(tag=tag, source=source)


def main():
    terms = int(sys.argv[1])
    total = " + ".join(f"argc * {i % 7}" for i in range(terms))
    nested = "(" * 100 + "argc" + " + 1)" * 100
    write("long.c", "", send(total), receive(nested), send("-" + nested.replace("+", "-")), receive(total))
    elements = " + ".join(f"a[{i % 7}] * b[{i % 5}]" for i in range(terms))
    write("elements.c", "#include <stdlib.h>\nstatic double b[7];",
          "  double *a = malloc(7 * sizeof *a), sum;",
          "  MPI_Send(a, 7, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);",
          "  MPI_Recv(a, 7, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
          f"  sum = {elements};", "  x = sum > 0;", "  free(a);")
    # The wildcard is the innermost operand.
    hidden = "(" * 200 + "MPI_ANY_SOURCE" + " + argc - argc)" * 200
    write("wildcard.c", "", send("5", "MPI_Ssend"), receive("5", hidden))
    write("apart.c", "", send(total, "MPI_Ssend"), receive("5", "MPI_ANY_SOURCE"), send("6"), receive("6"))


if __name__ == "__main__":
    main()
