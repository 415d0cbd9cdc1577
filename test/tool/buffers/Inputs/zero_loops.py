#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same as zero_copy.py for zero_loops.c, whose messages loops pack in the function that sends them."""

from zero_copy import CHANGES, END, FORM, GLOBALS, GOES, LENGTH, NOTHING, ORDER, SIGNS, main

LOOPS = """    for (int j = 0; j < h.n; j++)
      for (int i = 0; i < h.n; i++)
        h.out[j * h.n + i] = from[j + i];
"""
STORE = "h.out[j * h.n + i] = from[j + i];"
BEFORE, AT = "// BEFORE", "// LOOPS"
SEND = "MPI_Isend(h.out, h.n * h.n, MPI_DOUBLE, h.right, TAG + f, comm, &requests[FACES + f]);"
ELSE = "something else is done in the loops that pack it"
KNOWN = "how often a loop runs is not known"
CHANGED = "the loops that pack it change an argument of the send"
DIRECTIVES = "directives of the preprocessor stand in the text"
OWN = "the pointer that packs is used outside of the loops, too"
WRITES = """ double one(double *x) { return x ? *x = 1 : 2; }
static double (*volatile number)(double *) = one;"""
INT = ("unsigned short n; // never negative\n", "int n;\n")
ONE = [(LOOPS, LOOPS.replace("      for (int i = 0; i < h.n; i++)\n", "").replace("j * h.n + i", "j").replace("j + i", "j")),
       (SEND, SEND.replace("h.n * h.n", "h.n"))]

ROWS = [
    ("as it is", GOES, []),
    ("one loop", GOES, ONE),
    ("one loop of a number that may be negative", GOES, [INT, *ONE]),
    ("numbers that may be negative", SIGNS, [INT]),
    ("a blocking send", GOES, [
        (SEND + "\n    MPI_Wait(&requests[FACES + f], MPI_STATUS_IGNORE);",
         "MPI_Send(h.out, h.n * h.n, MPI_DOUBLE, h.right, TAG + f, comm);")]),
    ("an argument", GOES, [
        ("exchange(double *own)", "exchange(double *own, double *out)"),
        ("exchange(cells)", "exchange(cells, h.out)"),
        (STORE, STORE.replace("h.out", "out")),
        (SEND, SEND.replace("h.out", "out"))]),
    ("a variable that changes elsewhere", GOES, [
        (BEFORE, "double *out = h.out;\n  if (n > 9)\n    out = h.out;\n"),
        (STORE, STORE.replace("h.out", "out")),
        (SEND, SEND.replace("h.out", "out"))]),
    ("a number that changes elsewhere", GOES, [
        (AT, "n = h.n;\n    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_SELF);"),
        (LOOPS, LOOPS.replace("j < h.n", "j < 2").replace("h.n", "n")),
        (SEND, SEND.replace("h.n * h.n", "2 * n"))]),
    ("an array", GOES, [
        (GLOBALS, "static double out[99];"),
        (STORE, STORE.replace("h.out", "out")),
        (SEND, SEND.replace("h.out", "out"))]),
    ("an array of arrays", GOES, [
        (GLOBALS, "static double out[FACES][99];"),
        (STORE, STORE.replace("h.out", "out[f]")),
        (SEND, SEND.replace("h.out", "&out[f][0]"))]),
    ("a member of a variable", GOES, [
        (BEFORE, "struct halo mine = h;"),
        (STORE, STORE.replace("h.out", "mine.out")),
        (SEND, SEND.replace("h.out", "mine.out"))]),
    ("an index behind a pointer", GOES, [(STORE, "*(h.out + (i + j * h.n)) = from[i];")]),
    ("a running index", GOES, [(AT, "int k = 0;"), (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index of the loops", GOES, [("int j = 0;", "int j = 0, k = 0;"), (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that is made zero", GOES, [
        (BEFORE, "int k = 3;"),
        (AT, "k = 0;"),
        (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that is made zero by the loops", GOES, [
        (BEFORE, "int j, k = 3;"),
        ("int j = 0; j", "j = 0, k = 0; j"),
        (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that is not made zero again", ORDER, [(BEFORE, "int k = 0;"), (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that is made one", ORDER, [(AT, "int k = 0;\n    k = 1;"), (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that changes between", ORDER, [
        (AT, "int k = 0;\n    if (n > 4)\n      k++;"),
        (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that others have", ORDER, [
        (AT, "int k = 0, *other = &k;\n    *other = n > 9;"),
        (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index behind a label", ORDER, [
        (BEFORE, "int k = 0;"),
        (AT, "k = 0;\n    if (n > 9)\n      k = 1, n = 0;\n    if (k)\n      goto in;\n    k = 0;\n  in:\n    n = h.n;"),
        (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that is too small", ORDER, [(AT, "unsigned char k = 0;"), (STORE, "h.out[k++] = from[j + i];")]),
    ("a running index that jumps", ORDER, [(AT, "int k = 0;"), (STORE, "h.out[k++] = from[k++];")]),
    ("a pointer of its own", GOES, [(AT, "double *to = h.out;"), (STORE, "*to++ = from[j + i];")]),
    ("a pointer that is used again", OWN, [
        (AT, "double *to = h.out;"),
        (STORE, "*to++ = from[j + i];"),
        ("    MPI_Wait(&", "    n += to == h.out;\n    MPI_Wait(&")]),
    ("a pointer that is not begun again", OWN, [(BEFORE, "double *to = h.out;"), (STORE, "*to++ = from[j + i];")]),
    ("a pointer that begins elsewhere", NOTHING, [(AT, "double *to = h.out + 1;"), (STORE, "*to++ = from[j + i];")]),
    ("a pointer before something else", "something is done after it was found out where to pack", [
        (AT, "double *to = h.out;\n    h.left += 0;"),
        (STORE, "*to++ = from[j + i];")]),
    ("a pointer of a number that changes", OWN, [
        (AT, "int k = 0;\n    double *to = h.out + k;\n    k = n > 9;"),
        (STORE, "*to++ = from[j + i];"),
        (SEND, SEND.replace("h.out", "h.out + k"))]),
    ("a function of numbers", GOES, [(STORE, STORE.replace("from[j + i]", "sqrt(from[j + i])"))]),
    ("a function of its own", GOES, [
        (GLOBALS, "static double at(const double *p, int i) { double x = 2; return x * p[i]; }"),
        (STORE, STORE.replace("from[j + i]", "at(from, j + i)"))]),
    ("a number between", GOES, [
        (LOOPS, LOOPS.replace("i++)", "i++) {\n double x = from[i]; if (x > 3) x = 3;").replace("from[j + i];", "x; }"))]),
    ("a loop of its own", GOES, [
        (LOOPS, LOOPS.replace("i++)", "i++) {\n double x = 0; for (int k = 0; k < 3; k++) x += from[i + k];")
         .replace("from[j + i];", "x; }"))]),
    ("several steps", GOES, [("j < h.n; j++", "j < h.n; j++, from += h.n"), (STORE, STORE.replace("j + i]", "i]"))]),
    ("an error that is kept", GOES, [(SEND, "int error = " + SEND + "\n    n += error;")]),
    ("a constant macro", GOES, [
        (GLOBALS, "#define ROWS 3"), ("j < h.n;", "j < ROWS;"), (SEND, SEND.replace("h.n * h.n", "ROWS * h.n"))]),
    ("a constant in the loops and the send", GOES, [("j < h.n;", "j < FACES;"), (SEND, SEND.replace("h.n * h.n", "FACES * h.n"))]),
    ("a type by a macro", GOES, [(GLOBALS, "#define REAL MPI_DOUBLE"), (SEND, SEND.replace("MPI_DOUBLE", "REAL"))]),
    ("what is read by a macro", GOES, [
        (GLOBALS, "#define AT(j, i) from[(j) + (i)]"), (STORE, STORE.replace("from[j + i]", "AT(j, i)"))]),
    ("within a switch", GOES, [(AT, "switch (n) { case 9: break; default: break; }")]),

    ("a statement between", NOTHING, [(SEND, "kept++;\n    " + SEND)]),
    ("a label between", NOTHING, [
        (AT, "if (n > 9)\n      goto out;"),
        (SEND, "out: " + SEND)]),
    ("a label before", NOTHING, [(AT, "if (n > 9)\n      goto again;\nagain:")]),
    ("another buffer", NOTHING, [(SEND, SEND.replace("h.out", "own"))]),
    ("a part of the buffer", NOTHING, [(SEND, SEND.replace("h.out", "h.out + 1"))]),
    ("a later part of the buffer", ORDER, [(STORE, STORE.replace("j * h.n + i", "j * h.n + i + 1"))]),
    ("more is sent", LENGTH, [(SEND, SEND.replace("h.n * h.n", "h.n * h.n + 1"))]),
    ("the number of another time", CHANGES, [(SEND, SEND.replace("h.n * h.n", "h.n * n"))]),
    ("other elements", "its elements are of another type", [(SEND, SEND.replace("DOUBLE", "FLOAT"))]),
    ("every other", FORM, [("i < h.n; i++", "i < h.n; i += 2")]),
    ("a triangle", KNOWN, [("i < h.n; i++", "i < j; i++")]),
    ("a bound that changes", KNOWN, [
        (LOOPS, LOOPS.replace("i < h.n", "i < n").replace("from[j + i]", "from[n++]"))]),
    ("a bound in the loops", "cannot be written before it", [
        (LOOPS, LOOPS.replace("j++)", "j++) { const int m = h.n;").replace("i < h.n", "i < m").replace("from[j + i];", "1; }"))]),
    ("a count that changes", CHANGED, [
        (LOOPS, LOOPS.replace("from[j + i]", "from[n++]")),
        (SEND, SEND.replace("TAG + f", "TAG + f + 0 * n"))]),
    ("the face that changes", CHANGED, [
        (LOOPS, LOOPS.replace("from[j + i]", "f++"))]),
    ("by columns", ORDER, [(STORE, STORE.replace("j * h.n + i", "i * h.n + j"))]),
    ("a sum", "not just written, element by element", [(STORE, STORE.replace("=", "+="))]),
    ("a branch", "not packed in each turn", [(STORE, "if (i) " + STORE)]),
    ("two in a turn", ELSE, [(STORE, "{ h.out[0] = 1; " + STORE + " }")]),
    ("something else is written", ELSE, [(STORE, "{ " + STORE + " own[i] += 1; }")]),
    ("something else is counted", ELSE, [(STORE, STORE.replace("from[j + i]", "from[j + i] + kept++"))]),
    ("something else by an address", ELSE, [
        (AT, "int k = 0, *other = &k;\n    kept += *other;"),
        (STORE, STORE.replace("from[j + i]", "k++"))]),
    ("something else by a reference", ELSE, [(STORE, STORE.replace("from[j + i]", "*own = 3"))]),
    ("a break", ELSE, [(STORE, "{ if (from[i] < 0) break; " + STORE + " }")]),
    ("a return", ELSE, [(STORE, "{ if (from[i] < 0) return; " + STORE + " }")]),
    ("volatile", ELSE, [(GLOBALS, "static volatile int flag;"), (STORE, STORE.replace("from[j + i]", "flag"))]),
    ("assembly", ELSE, [(STORE, '{ __asm__ volatile("" ::: "memory"); ' + STORE + " }")]),
    ("a statement in an expression", ELSE, [(STORE, STORE.replace("from[j + i]", "({ kept++; 1; })"))]),
    ("a while loop inside", ELSE, [(STORE, "{ while (n > 99) n--; " + STORE + " }")]),
    ("it prints", ELSE, [(STORE, STORE.replace("from[j + i]", 'printf("")'))]),
    ("it asks MPI", "what packs it calls 'MPI_Wtime'", [(STORE, STORE.replace("from[j + i]", "MPI_Wtime()"))]),
    ("by an address", ELSE, [
        (GLOBALS, "static double one(void) { return 1; }\nstatic double (*number)(void) = one;"),
        (STORE, STORE.replace("from[j + i]", "number()"))]),
    ("what stands in the place of its call", ELSE, [
        (GLOBALS, "static inline __attribute__((always_inline))" + WRITES), (BEFORE, "kept += number(0);"),
        (STORE, STORE.replace("from[j + i]", "one(own)"))]),
    ("all that it calls stands in its place", NOTHING, [
        (GLOBALS, "static" + WRITES), (BEFORE, "kept += number(0);"),
        (STORE, STORE.replace("from[j + i]", "one(own)")),
        ("static void exchange(", "__attribute__((flatten)) static void exchange(")]),
    ("what it calls counts", "what packs it writes elsewhere, too", [
        (GLOBALS, "static int at(int i) { return h.n += 0, i; }"),
        (STORE, STORE.replace("from[j + i]", "from[at(i)]"))]),
    ("what it calls writes what it is given", "what packs it writes elsewhere, too", [
        (GLOBALS, "static int at(int *x, int i) { return x[0] = i; }"),
        (AT, "int x[3];"),
        (STORE, STORE.replace("from[j + i]", "from[at(x, i)]"))]),
    ("what it calls exits", "what packs it calls 'exit'", [
        (GLOBALS, "static int at(int i) { if (i > 99) exit(1); return i; }"),
        (STORE, STORE.replace("from[j + i]", "from[at(i)]"))]),
    ("read in the loops", "is read in line", [(STORE, STORE.replace("from[j + i]", "i ? h.out[0] : 1"))]),
    ("read in the loops behind", "is read in line", [
        (LOOPS, LOOPS.replace("i++)", "i++) { double x; ").replace("from[j + i];", "from[i]; x = h.out[i]; from += x > 1e9; }"))]),
    ("read at the end", "is read in line", [(END, "kept = h.out[0];")]),
    ("what it counts to lies there", "is read in line", [
        (BEFORE, "double *other = (double *)&h;\n  if (n > 9)\n    h.out = other;")]),
    ("received into", "by another call of MPI", [
        (END, "MPI_Bcast(h.out, 1, MPI_DOUBLE, 0, comm);")]),
    ("known to others", "known to code that was not read", [(GLOBALS, "void keep(double *);"), (END, "keep(h.out);")]),
    ("a macro writes", "a macro packs it", [
        (GLOBALS, "#define OUT(j, i) h.out[(j) * h.n + (i)]"), (STORE, "OUT(j, i) = from[j + i];")]),
    ("a send that calls", "an argument of the send may do something beside", [
        (GLOBALS, "static int right(void) { return h.right; }"), (SEND, SEND.replace("h.right", "right()"))]),
    ("a directive", DIRECTIVES, [(SEND, "\n#ifdef MORE\n    kept++;\n#endif\n    " + SEND)]),
    ("a pragma", DIRECTIVES, [(AT, "\n#pragma GCC ivdep")]),
    ("a pragma by its operator", DIRECTIVES, [(AT, '_Pragma("GCC ivdep")')]),
    ("a comment", "the arguments of the send cannot be written twice", [(SEND, SEND.replace("comm,", "/* all */ comm,"))]),
    ("an open class", "the send itself is not proved", [(GLOBALS, "void talk(MPI_Comm);"), (END, "talk(comm);")]),
]

if __name__ == "__main__":
    main(ROWS, ("MPISHM_Packing_begin(", "end_packed("))
