#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same as zero_loops.py for zero_regions.c, whose main cuts buffers from one block, and computes counts early."""

from zero_copy import END, GLOBALS, GOES, LENGTH, main

WIDTH, BEFORE, STEP = "// WIDTH", "// BEFORE", "// STEP"
IN, OTHER = "in = out + RADIUS * width;", "other = out + 2 * RADIUS * width;"
MADE = "width = last - first + 1;"
RECEIVES = "MPI_Irecv(in, RADIUS * width,"
STORE, LOAD = "out[k++] = cells[i] + j;", "cells[i + 1] = in[k++];"
READ, CALLED = "is read in line", "by another call of MPI"
RETURN = "  MPI_Finalize();\n  return 0;\n}\n"
LOOPS = "for (int k = 0, j = 0; j < RADIUS; j++)\n      for (int i = first; i <= last; i++) {\n        "

ROWS = [
    ("as it is", GOES, []),
    ("by an index", GOES, [(LOAD, "cells[i + 1] = in[j * width + i - first];")]),
    ("more is read and received behind", GOES, [
        (RECEIVES, "MPI_Irecv(in, 2 * RADIUS * width,"),
        ("j < RADIUS", "j < 2 * RADIUS")]),
    ("the buffer behind", GOES, [
        ("out = malloc", "in = malloc"), ("if (!out)", "if (!in)"), (IN, "out = in + RADIUS * width;"),
        (OTHER, "other = in;")]),
    ("another part is sent", GOES, [
        (STEP, "MPI_Irecv(in, RADIUS * width, TYPE, left, 2, MPI_COMM_WORLD, requests);\n"
         "MPI_Send(other, RADIUS * width, TYPE, right, 2, MPI_COMM_WORLD);\nMPI_Wait(requests, MPI_STATUS_IGNORE);")]),
    ("a type in brackets", GOES, [("TYPE MPI_DOUBLE", "TYPE (MPI_DOUBLE)")]),
    ("a type of two macros", GOES, [("#define TYPE MPI_DOUBLE", "#define REAL MPI_DOUBLE\n#define TYPE REAL")]),
    ("a width that is made once", GOES, [("size, n = 9, width,", "size, n = 9,"), ("  width = n / size;", "  int wide = n / size, width;"),
                                         ("width * rank", "wide * rank"), ("(width + 1)", "(wide + 1)")]),
    ("a jump before all", GOES, [("  width = n / size;", "  if (n > 99)\n    goto past;\n  n += 0;\npast:\n  width = n / size;")]),

    ("what was sent is read", READ, [(END, "kept = out[0];")]),
    ("what was sent is read by another name", READ, [(BEFORE, "double *q = out;"), (END, "kept = q[3];")]),
    ("another part by another name", READ, [(BEFORE, "double *q = in;"), (STEP, "kept += q[1];")]),
    ("one element", READ, [(STEP, "kept += in[0];")]),
    ("a part that begins in it", READ, [(OTHER, "other = out + width;"), (LOAD, "cells[i + 1] = in[k];\n kept += other[k++];")]),
    ("a part that begins before it", READ, [(OTHER, "other = in - width;"), (LOAD, "cells[i + 1] = other[k++];")]),
    ("more is read than lies before it", READ, [
        ("out = malloc", "in = malloc"), ("if (!out)", "if (!in)"), (IN, "out = in + RADIUS * width;"),
        (OTHER, "other = in;"), ("j < RADIUS;", "j < RADIUS + 1;")]),
    ("twice in a line", READ, [(LOAD, "cells[i + 1] = in[k++], kept += out[0];")]),
    ("twice in a turn", READ, [(LOAD, "cells[i + 1] = in[k++];\n kept += in[k++];")]),
    ("from another number", READ, [(LOOPS, LOOPS.replace("k = 0", "k = -3"))]),
    ("in another loop", READ, [(LOAD, "while (kept > 99)\n kept -= in[k++];")]),
    ("with a label", READ, [(LOAD, "again: " + LOAD + "\n if (kept < -99)\n goto again;")]),
    ("with a smaller index", READ, [(LOOPS, LOOPS.replace("int k = 0, j", "signed char k = 0, j"))]),
    ("with a smaller counter", READ, [
        (LOOPS, LOOPS.replace("int i = first", "unsigned char i = 0")), (LOAD, LOAD + "\n if (kept > 99)\n break;")]),
    ("with a counter that others have", READ, [
        (BEFORE, "int i, *counts = &i;"), (LOOPS, LOOPS.replace("int i = first", "i = first")),
        (LOAD, LOAD + "\n *counts -= kept > 99;")]),
    ("a triangle", READ, [(LOOPS, LOOPS.replace("i <= last", "i <= last + j"))]),
    ("of unsigned numbers", READ, [(LOOPS, LOOPS.replace("i <= last", "i <= first + 1u * width * n"))]),
    ("copied from", READ, [(STEP, "memcpy(&kept, in, sizeof kept);")]),
    ("known to others", "known to code that was not read", [(GLOBALS, "void keep(double *);"), (END, "keep(in);")]),
    ("received into", CALLED, [(OTHER, "other = out + width;"), (RECEIVES, RECEIVES.replace("in,", "other,"))]),
    ("more is received than lies before it", CALLED, [
        ("out = malloc", "in = malloc"), ("if (!out)", "if (!in)"), (IN, "out = in + RADIUS * width;"),
        (OTHER, "other = in;"), (RECEIVES, "MPI_Irecv(in, RADIUS * width + 1,")]),
    ("received into with a number that changes", CALLED, [
        (BEFORE, "int m = RADIUS * width;"), (RECEIVES, "MPI_Irecv(in, m,"), (STEP, "m += 0;")]),
    ("received as something else", CALLED, [(RECEIVES + " TYPE", RECEIVES + " MPI_FLOAT")]),
    ("sent by another call", CALLED, [(STEP, "MPI_Bcast(in, 1, TYPE, 0, MPI_COMM_WORLD);")]),

    ("a width that changes behind", LENGTH, [(STEP, "width += 0;")]),
    ("a width that others have", LENGTH, [(BEFORE, "int *w = &width;\n  *w += 0;")]),
    ("a width that is made of what changes", LENGTH, [(WIDTH, "first += 0;")]),
    ("a width that is made on one way", LENGTH, [(MADE, "if (n > 3) " + MADE)]),
    ("a width that is made in a loop", LENGTH, [(MADE, "for (int i = 0; i < 1; i++) {\n " + MADE + " }")]),
    ("a width that is made in a switch", LENGTH, [(MADE, "switch (n) {\n case 9: " + MADE + "\n default: ; }")]),
    ("a width that a jump passes over", LENGTH, [("  width = n / size;", "  width = n / size;\n  first = last = 0;\n  if (n > 99)\n    goto past;"),
                                                 (WIDTH, "past:;")]),
    ("a width that is made again by a jump", LENGTH, [("  width = n / size;", "again:\n  width = n / size;"),
                                                      (BEFORE, "if (n > 99)\n    goto again;")]),
    ("a width that is made of something else", LENGTH, [(MADE, "width = last - first + 1 + (n > 99);")]),
    ("a width that is too small a number", LENGTH, [("size, n = 9, width,", "size, n = 9,"), ("  width = n / size;", "  short width = n / size;")]),
    ("a function that comes back", LENGTH, [(WIDTH, "static jmp_buf back;\n  if (setjmp(back))\n    kept++;")]),
    ("a block that is made again", READ, [("    out = malloc", "    for (int i = 0; i < 2; i++)\n      out = malloc")]),
    ("a block that is changed", READ, [(END, "if (n > 99)\n    out = in;")]),
    ("a part that is changed", READ, [(END, "if (n > 99)\n    in = out;")]),
    ("another function", READ, [
        ("int main(int argc, char **argv) {", "static int run(int argc, char **argv) {"),
        (RETURN, RETURN + "\nint main(int argc, char **argv) { return run(argc, argv); }\n")]),
    ("main again", READ, [(END, "if (argc > 99)\n    main(argc, argv);")]),
    ("main again by its address", READ, [
        (GLOBALS, "int main(int, char **);\nstatic int (*volatile again)(int, char **) = main;"),
        (END, "if (argc > 99)\n    again(argc, argv);")]),
    ("another type", "its elements are of another type", [("TYPE MPI_DOUBLE", "TYPE MPI_FLOAT")]),
    ("a type and more", "its elements are of another type", [("TYPE MPI_DOUBLE", "TYPE MPI_DOUBLE + 0")]),
    ("a type that is something else", "its elements are of another type", [
        ("#define TYPE MPI_DOUBLE", "#undef MPI_DOUBLE\n#define MPI_DOUBLE MPI_INT\n#define TYPE MPI_DOUBLE")]),
]

if __name__ == "__main__":
    main(ROWS, ("MPISHM_Packing_begin(", "end_packed("))
