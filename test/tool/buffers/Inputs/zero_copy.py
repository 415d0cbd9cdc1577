#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrite zero_copy.c with one thing changed at a time, and see whether its messages are packed where they are received.

    zero_copy.py PROGRAM WORK [NAME...]

Each row: a name, what the tool says of the send (GOES: it is packed there; NOTHING: not a word, since it is nothing of
the kind), and texts with what stands in their place.
"""

import os
import subprocess
import sys

GOES, NOTHING = "goes", "nothing"
STORE = "*to++ = from[j * n + i];"
LOOPS = """  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      *to++ = from[j * n + i];
"""
SEND = "MPI_Isend(h.out[f], count, MPI_DOUBLE, h.right, TAG + f, comm, &requests[FACES + f]);"
END, GLOBALS, TO, DECLARED = "// END", "// GLOBALS", "double *to = h.out[f];", "const int n = h.n;\n  const double *from"
COUNT = "const int count = h.n * h.n;"
LENGTH = "it is not seen that as much is packed as is sent"
FORM = "a loop has another form"
ORDER = "what is packed is not written one element after the other"
END_BEFORE = "what packs it may end before"
CHANGES = "how much is packed may change after it was found out how much is sent"
ELSEWHERE = "what packs it writes elsewhere, too"
SIGNS = "the numbers that its loops count to may be negative"
INT = ("unsigned short n; // never negative\n", "int n;\n")
ARGUMENT = [(GLOBALS, "static void pack(double *to, int f, int n);"), ("static void pack(int f) {\n  const int n = h.n;",
            "static void pack(double *to, int f, int n) {"), ("  " + TO + "\n", ""), ("    pack(f);", "    pack(h.out[f], f, h.n);")]

ROWS = [
    ("as it is", GOES, []),
    ("an argument", GOES, ARGUMENT),
    ("the count where it is sent", GOES, [(SEND, SEND.replace("count", "h.n * h.n"))]),
    ("the count in another order", GOES, [(COUNT, "const int k = h.n, count = (k + 1) * k - k;")]),
    ("a running index", GOES, [(TO, TO + "\n  int k = 0;"), (STORE, "to[k++] = from[j * n + i];")]),
    ("an index", GOES, [(STORE, "to[j * n + i] = from[j * n + i];")]),
    ("an index behind a pointer", GOES, [(STORE, "*(to + (i + n * j)) = from[j * n + i];")]),
    ("counted from 1", GOES, [("int j = 0; j < n;", "int j = 1; j <= n;")]),
    ("counted from 2", GOES, [("int j = 0; j < n;", "int j = 2; j < n + 2;")]),
    ("declared before", GOES, [("for (int j = 0;", "int j;\n  for (j = 0;")]),
    ("several steps", GOES, [("j++)", "j++, from += n)"), ("from[j * n + i]", "from[i]")]),
    ("braces", GOES, [
        (LOOPS,
         LOOPS.replace("j++)", "j++) {").replace("i++)", "i++) {\n      const double x = from[i];").replace("from[j * n + i];", "x; } }"))]),
    ("one loop", GOES, [
        ("    for (int i = 0; i < n; i++)\n", ""),
        ("j * n + i", "j"),
        (COUNT, "const int count = h.n;")]),
    ("a blocking send", GOES, [
        (SEND, "MPI_Send(h.out[f], count, MPI_DOUBLE, h.right, TAG + f, comm);"),
        ("2 * FACES, requests, MPI", "FACES, requests, MPI")]),
    ("a function of numbers", GOES, [(STORE, "*to++ = cbrt(from[j * n + i]);")]),
    ("a function of its own", GOES, [
        (GLOBALS, "static double at(const double *p, int i) { return 2 * p[i]; }"),
        (STORE, "*to++ = at(from, j * n + i);")]),
    ("an array", GOES, [
        (GLOBALS, "static double outs[FACES][64];"),
        ("h.out[f] = malloc(h.m * sizeof(double));", "h.out[f] = outs[f];"),
        ("    free(h.out[f]);\n", "")]),
    ("an array beside what is read", "is read in line", [
        (SEND, SEND.replace("count", "h.n * h.n")),
        ("double *out[FACES], *in", "double out[FACES][64], *in"),
        ("    h.out[f] = malloc(h.m * sizeof(double));\n", ""),
        ("    free(h.out[f]);\n", "")]),
    ("cleared before", GOES, [(END, "memset(h.out[0], 0, 8);")]),
    ("a return behind", GOES, [(LOOPS, LOOPS + "  return;\n")]),

    ("a statement between", NOTHING, [(SEND, "kept++;\n    " + SEND)]),
    ("nothing is packed", NOTHING, [("    pack(f);", "    ;")]),
    ("another buffer", NOTHING, [(SEND, SEND.replace("out[f]", "out[f ^ 1]"))]),
    ("a part of the buffer", NOTHING, [(SEND, SEND.replace("h.out[f]", "h.out[f] + 1"))]),
    ("a synchronous send", NOTHING, [(SEND, SEND.replace("Isend", "Issend"))]),
    ("by what stands in its place", NOTHING, [
        ("static void pack(", "__attribute__((always_inline)) static inline void pack(")]),
    ("by a pointer", NOTHING, [
        (GLOBALS, "static void pack(int f);\nstatic void (*packs)(int) = pack;"),
        ("    pack(f);", "    packs(f);")]),
    ("a constant pointer", NOTHING, [
        (TO, TO.replace("*to", "*const to")),
        (STORE, "to[j * n + i] = from[j * n + i];")]),
    ("a macro packs", NOTHING, [
        (GLOBALS, "#define PACK(f) pack(f)"),
        ("    pack(f);", "    PACK(f);")]),
    ("a macro loops", "how often a loop runs cannot be written before it", [
        (GLOBALS, "#define FOR(v) for (int v = 0; v < n; v++)"),
        ("for (int j = 0; j < n; j++)", "FOR(j)")]),
    ("an argument that counts", NOTHING, [
        ("f < FACES; f++) {\n    pack(f);", "f < FACES;) {\n    pack(f++);"),
        (SEND, SEND)]),
    ("a send that calls", "an argument of the send may do something beside", [
        (GLOBALS, "static int right(void) { return h.right; }"),
        (SEND, SEND.replace("h.right", "right()").replace("count", "h.n * h.n"))]),
    ("a comment", "the arguments of the send cannot be written twice", [
        (SEND, SEND.replace("count", "count /* n * n */"))]),
    ("a directive", "directives of the preprocessor stand in the text", [
        ("    " + SEND, "#ifdef MORE\n    kept++;\n#endif\n    " + SEND)]),
    ("a directive in the loops", "directives of the preprocessor stand in the text", [
        (LOOPS, LOOPS.replace("    for", "#ifndef MORE\n    for").replace("      *to", "#endif\n      *to"))]),
    ("a pragma", "directives of the preprocessor stand in the text", [(LOOPS, "#pragma GCC ivdep\n" + LOOPS)]),
    ("more is sent", LENGTH, [(SEND, SEND.replace("count", "count + 1"))]),
    ("less is sent", LENGTH, [(SEND, SEND.replace("count", "count - 1"))]),
    ("as many as somebody says", LENGTH, [(SEND, SEND.replace("count", "h.m"))]),
    ("a narrower count", LENGTH, [(COUNT, "const short count = h.n * h.n;")]),
    ("other elements", "its elements are of another type", [(SEND, SEND.replace("DOUBLE", "FLOAT"))]),
    ("a datatype in a variable", GOES, [
        (COUNT, COUNT + "\n  MPI_Datatype type = MPI_DOUBLE;"),
        (SEND, SEND.replace("MPI_DOUBLE", "type"))]),
    ("a datatype in a constant", GOES, [
        (GLOBALS, "static const MPI_Datatype type = MPI_DOUBLE;"),
        (SEND, SEND.replace("MPI_DOUBLE", "type"))]),
    ("a datatype that changes", "its elements are of another type", [
        (COUNT, COUNT + "\n  MPI_Datatype type = MPI_DOUBLE;\n  if (h.n > 5)\n    type = MPI_FLOAT;"),
        (SEND, SEND.replace("MPI_DOUBLE", "type"))]),
    ("a datatype that may change", "its elements are of another type", [
        (GLOBALS, "static MPI_Datatype type = MPI_DOUBLE;"),
        (SEND, SEND.replace("MPI_DOUBLE", "type"))]),
    ("another datatype in a variable", "its elements are of another type", [
        (COUNT, COUNT + "\n  MPI_Datatype type = MPI_FLOAT;"),
        (SEND, SEND.replace("MPI_DOUBLE", "type"))]),
    ("an error that is kept", GOES, [
        (COUNT, COUNT + "\n  int error = 0;"),
        (SEND, "error = " + SEND),
        ("    unpack(f);", "    error ? (void)0 : unpack(f);")]),
    ("an error that is declared", GOES, [(SEND, "int error = " + SEND + "\n    if (error)\n      break;")]),
    ("an error that all see", NOTHING, [(GLOBALS, "static int error;"), (SEND, "error = " + SEND)]),
    ("an error that is added", NOTHING, [(COUNT, COUNT + "\n  int error = 0;"), (SEND, "error += " + SEND)]),
    ("an error that is passed on", NOTHING, [
        (COUNT, COUNT + "\n  int error = 0, other;"),
        (SEND, "other = error = " + SEND),
        ("    unpack(f);", "    other ? (void)0 : unpack(f);")]),
    ("from the second on", LENGTH, [("int i = 0; i < n;", "int i = 1; i < n;")]),
    ("one more", LENGTH, [("i < n;", "i <= n;")]),
    ("every other", FORM, [("i < n; i++", "i < n; i += 2")]),
    ("backwards", FORM, [("int i = 0; i < n; i++", "int i = n; i > 0; i--")]),
    ("until another", FORM, [("i < n; i++", "i != n; i++")]),
    ("a triangle", "how often a loop runs is not known", [("i < n; i++", "i < j; i++")]),
    ("a bound that changes", "how often a loop runs is not known", [
        ("const int n = h.n;\n  const", "int n = h.n;\n  const"),
        (STORE, "*to++ = from[n++ - n];")]),
    ("an unsigned counter", "how often a loop runs is not known", [("int i = 0;", "unsigned i = 0;")]),
    ("a counter that is changed", "what counts a loop is changed elsewhere, too", [(STORE, "*to++ = from[i += 0];")]),
    ("numbers that may be negative", SIGNS, [INT]),
    ("one that may be negative", GOES, [
        INT,
        ("    for (int i = 0; i < n; i++)\n", ""),
        ("j * n + i", "j"),
        (COUNT, "const int count = h.n;")]),
    ("one of two that may be negative", GOES, [INT, ("int j = 0; j < n;", "int j = 0; j < 3;"), (COUNT, COUNT.replace("h.n *", "3 *"))]),
    ("constant numbers", GOES, [INT, ("const int n = h.n;", "const int n = 5;"), (COUNT, "const int count = 25;")]),
    ("sizes", GOES, [
        (INT[0], "size_t n;"),
        ("const int n = h.n;", "const size_t n = h.n;"),
        ("int j = 0;", "size_t j = 0;"),
        ("int i = 0;", "size_t i = 0;"),
        (COUNT, ""),
        ("h.in[f], count", "h.in[f], 9"),
        (SEND, SEND.replace("count", "(int)(h.n * h.n)"))]),
    ("a size that is narrowed before", LENGTH, [
        (INT[0], "size_t n;"),
        (COUNT, ""),
        ("const int n = h.n;", "const size_t n = h.n;"),
        ("int j = 0;", "size_t j = 0;"),
        ("int i = 0;", "size_t i = 0;"),
        ("h.in[f], count", "h.in[f], 9"),
        (SEND, SEND.replace("count", "(int)h.n * (int)h.n"))]),
    ("unsigned numbers made signed ones", SIGNS, [(INT[0], "unsigned n;\n")]),
    ("less than none", SIGNS, [
        ("int j = 0; j < n;", "int j = 2; j < n;"),
        ("int i = 0; i < n;", "int i = 2; i < n;"),
        (COUNT, "const int count = (h.n - 2) * (h.n - 2);")]),
    ("one that may be negative, and becomes positive", SIGNS, [
        INT,
        (GLOBALS, "static unsigned rows;"),
        ("int j = 0; j < n;", "unsigned j = 0; j < rows;"),
        (COUNT, "const int count = h.n * rows;")]),
    ("one that may be negative, and is narrowed", SIGNS, [
        (INT[0], "long n;"),
        ("const int n = h.n;", "const long n = h.n;"),
        ("    for (int i = 0; i < n; i++)\n", ""),
        ("int j = 0;", "long j = 0;"),
        ("j * n + i", "j"),
        (COUNT, "const int count = 9;"),
        (SEND, SEND.replace("count", "h.n"))]),
    ("a last number that wraps around", "how often a loop runs is not known", [
        (GLOBALS, "static unsigned first;"),
        ("int j = 0; j < n;", "unsigned j = first; j < first + n;"),
        (STORE, "*to++ = from[i];")]),
    ("three loops", "more than two loops", [("i++)\n", "i++)\n    for (int k = 0; k < 1; k++)\n")]),
    ("a while loop", "another way than by loops of its own", [
        ("for (int j = 0; j < n; j++)", "int j = -1;\n  while (++j < n)")]),
    ("a copy", "another way than by loops of its own", [(LOOPS, "  memcpy(to, from, n * n * sizeof *to);\n")]),
    ("a branch", "not packed in each turn", [(STORE, "if (from[i] > 1) " + STORE)]),
    ("either branch", "not packed in each turn", [(STORE, "if (i) *to++ = 1; else *to++ = 2;")]),
    ("two in a turn", "used several times in a loop", [
        ("i++)\n      " + STORE, "i++) {\n      *to++ = 1; " + STORE + " }")]),
    ("a sum", "not just written, element by element", [(STORE, STORE.replace("=", "+="))]),
    ("read behind", "not just written, element by element", [(STORE, "*to++ = i ? to[-1] : from[i];")]),
    ("one place", ORDER, [(STORE, "*to = from[i];")]),
    ("the next place", ORDER, [(STORE, "*++to = from[i];")]),
    ("every row to the first", ORDER, [(STORE, "to[i] = from[i];")]),
    ("by columns", ORDER, [(STORE, "to[i * n + j] = from[i];")]),
    ("an index that is too small", ORDER, [(TO, TO + "\n  unsigned char k = 0;"), (STORE, "to[k++] = from[j * n + i];")]),
    ("an index that jumps", ORDER, [(TO, TO + "\n  int k = 0;"), (STORE, "to[k++] = from[k++];")]),
    ("an index that begins elsewhere", ORDER, [(TO, TO + "\n  int k = 1;"), (STORE, "to[k++] = 1;")]),
    ("an index that begins anew", ORDER, [("i++)\n      " + STORE, "i++) {\n      int k = 0;\n      to[k++] = 1; }")]),
    ("moved before", "another way than by loops of its own", [(TO, TO + "\n  to++;")]),
    ("looked at behind", "used outside of the loops", [(LOOPS, LOOPS + "  kept = to[-1];\n")]),
    ("a way out", END_BEFORE, [(TO, TO + "\n  if (n > 9)\n    return;")]),
    ("a way out of a loop", END_BEFORE, [
        (LOOPS, LOOPS.replace("i++)\n", "i++) {\n      if (kept) goto out;\n").replace("i];\n", "i];\n    }\nout:;\n"))]),
    ("a break", END_BEFORE, [("i++)\n      " + STORE, "i++) {\n      if (from[i] < 0) break;\n      " + STORE + " }")]),
    ("a turn that is left out", END_BEFORE, [
        ("i++)\n      " + STORE, "i++) {\n      if (from[i] < 0) continue;\n      " + STORE + " }")]),
    ("a label", "another way than by loops of its own", [(LOOPS, "again:\n" + LOOPS + "  if (kept++ < 0) goto again;\n")]),
    ("assembly", END_BEFORE, [(TO, TO + '\n  __asm__ volatile("" ::: "memory");')]),
    ("a statement in an expression", END_BEFORE, [(STORE, "*to++ = ({ if (n > 9) return; 1; });")]),
    ("volatile", END_BEFORE, [(GLOBALS, "static volatile int flag;"), (STORE, "*to++ = flag;")]),
    ("atomic", END_BEFORE, [
        (GLOBALS, "static int flag;"),
        (STORE, "*to++ = __atomic_load_n(&flag, __ATOMIC_SEQ_CST);")]),
    ("a variable for all calls", END_BEFORE, [(TO, TO + "\n  static int calls; calls++;")]),

    ("it prints", "what packs it calls 'printf'", [(STORE, '*to++ = printf("");')]),
    ("it exits", "what packs it calls 'exit'", [(TO, TO + "\n  if (n > 9) exit(1);")]),
    ("it jumps", "what packs it calls", [
        (GLOBALS, "static jmp_buf out;"),
        (TO, TO + "\n  if (n > 9) longjmp(out, 1);")]),
    ("it asks MPI", "what packs it calls 'MPI_Wtime'", [(STORE, "*to++ = MPI_Wtime();")]),
    ("it allocates", "what packs it calls 'malloc'", [(TO, TO + "\n  free(malloc(8));")]),
    ("by an address", "calls a function by its address", [
        (GLOBALS, "static double one(void) { return 1; }\nstatic double (*number)(void) = one;"),
        (STORE, "*to++ = number();")]),
    ("deeper down", "what packs it calls 'puts'", [
        (GLOBALS, 'static double say(void) { puts("x"); return 1; }'),
        (STORE, "*to++ = say();")]),
    ("it counts", ELSEWHERE, [(TO, TO + "\n  kept++;")]),
    ("it writes what it packs", ELSEWHERE, [(STORE, "*to++ = cells[i]++;")]),
    ("it writes what is received", ELSEWHERE, [(TO, TO + "\n  h.in[f][0] = 0;")]),
    ("it writes the message once more", ELSEWHERE, [(LOOPS, LOOPS + "  h.out[f][0] = 1;\n")]),
    ("it writes the message before", ELSEWHERE, [(TO, TO + "\n  h.out[f][0] = 1;")]),
    ("what it calls writes the message", ELSEWHERE, [
        (GLOBALS, "static void first(int f) { h.out[f][0] = 1; }"),
        (LOOPS, LOOPS + "  first(f);\n")]),
    ("a variable of its own", GOES, [
        (GLOBALS, "static void twice(double *x) { *x *= 2; }"),
        (STORE, STORE.replace("from", "x = from").replace("*to++ = ", "")),
        ("i++)\n", "i++) {\n      double x;\n"),
        ("x = from[j * n + i];", "x = from[j * n + i];\n      twice(&x);\n      *to++ = x; }")]),
    ("it changes its own buffer", ELSEWHERE, [(LOOPS, LOOPS + "  h.out[f] = h.out[f] + 0;\n")]),

    ("read at the end", "is read in line", [(END, "kept = h.out[0][0];")]),
    ("read when it is packed", "is read in line", [
        (TO, TO + "\n  const double *old = h.out[f ^ 1];"),
        (STORE, "*to++ = old[i];")]),
    ("read by another name", "is read in line", [
        (GLOBALS, "static double *other;"),
        (END, "other = h.out[2]; for (int i = 0; i < 3; i++) kept += other[i];")]),
    ("read as bytes", "is read in line", [(END, "kept = ((char *)h.out[0])[3];")]),
    ("copied", "is read in line", [(END, "memcpy(cells, h.out[1], 8);")]),
    ("shared with what is received", "is read in line", [
        ("h.in[f] = malloc(h.m * sizeof(double));", "h.in[f] = h.out[f];")]),
    ("exchanged", "is read in line", [
        ("  for (int f = 0; f < FACES; f++)\n    unpack(f);",
         "  double *t = h.out[0]; h.out[0] = h.in[0]; h.in[0] = t;\n  unpack(0);")]),
    ("compared", "is handed to memcmp", [(END, "kept = memcmp(h.out[0], cells, 8);")]),
    ("written to a file", "is handed to fwrite", [(END, "fwrite(h.out[0], 8, 1, stdout);")]),
    ("printed", "becomes a number", [(END, 'printf("%p", (void *)h.out[0]);')]),
    ("resized", "is handed to realloc", [(END, "h.out[0] = realloc(h.out[0], 8);")]),
    ("compared with what leads to it", "is handed to memcmp", [(END, "kept = memcmp(&h, cells, 8);")]),
    ("written with what leads to it", "becomes a number", [(END, "fwrite(&h, sizeof h, 1, stdout);")]),
    ("reduced", "by another call of MPI", [(END, "MPI_Allreduce(h.out[0], cells, 1, MPI_DOUBLE, MPI_SUM, comm);")]),
    ("broadcast", "by another call of MPI", [(END, "MPI_Bcast(h.out[0], 1, MPI_DOUBLE, 0, comm);")]),
    ("sent once more", "by another call of MPI", [
        (END,
         "MPI_Request again; MPI_Isend(h.out[0], 1, MPI_DOUBLE, h.right, 99, comm, &again); MPI_Wait(&again, MPI_STATUS_IGNORE); MPI_Recv(cells, 1, MPI_DOUBLE, h.left, 99, comm, MPI_STATUS_IGNORE);")]),
    ("received into", "by another call of MPI", [
        (END,
         "MPI_Send(cells, 1, MPI_DOUBLE, h.right, 99, comm); MPI_Recv(h.out[0], 1, MPI_DOUBLE, h.left, 99, comm, MPI_STATUS_IGNORE);")]),
    ("a window", "window", [
        (END, "MPI_Win w; MPI_Win_create(h.out[0], 8, 8, MPI_INFO_NULL, comm, &w); MPI_Win_free(&w);")]),
    ("known to others", "known to code that was not read", [
        (GLOBALS, "void keep(double *);"),
        (END, "keep(h.out[0]);")]),
    ("known by what leads to it", "its buffer may be any memory", [
        (GLOBALS, "void keep(struct halo *);"),
        (END, "keep(&h);")]),
    ("an address that is shown", "becomes a number", [(END, "kept = (double)(size_t)h.out[0];")]),
    ("a constant address", "writes at an address that it makes of a number", [(END, "*(double *)0x12345678 = 1;")]),
    ("another sender", "by another call of MPI", [
        (GLOBALS,
         "static void pack(int f);\nstatic void other(void) { pack(1); kept++; MPI_Send(h.out[1], h.n * h.n, MPI_DOUBLE, h.right, 98, comm); MPI_Recv(h.in[1], h.n * h.n, MPI_DOUBLE, h.left, 98, comm, MPI_STATUS_IGNORE); }"),
        (END, "other();")]),

    ("the length is received", CHANGES, [
        ("    pack(f);", "    MPI_Recv(&h.n, 1, MPI_UNSIGNED_SHORT, MPI_PROC_NULL, 5, comm, MPI_STATUS_IGNORE);\n    pack(f);")]),
    ("the length changes", CHANGES, [("    pack(f);", "    h.n += 0;\n    pack(f);")]),
    ("somebody is called", CHANGES, [
        (GLOBALS, "static void other(void) { h.n += 0; }"),
        ("    pack(f);", "    other();\n    pack(f);")]),
    ("the length of another time", CHANGES, [
        (GLOBALS, "static unsigned short *where = &h.n;"),
        ("  for (int f = 0; f < FACES; f++) {", "  *where += 0;\n  for (int f = 0; f < FACES; f++) {")]),
    ("an open class", "the send itself is not proved", [(GLOBALS, "void talk(MPI_Comm);"), (END, "talk(comm);")]),
    ("to be kept", "the send itself is not proved", [("    " + SEND, "    // mpishm: keep\n    " + SEND)]),
]


def rewrite(name, text, work):
    path = os.path.join(work, name.replace(" ", "_") + ".c")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return subprocess.run(["mpishm-rewrite", "--zero-copy=why", "--all-remarks", path, "--", "mpicc"], text=True, timeout=100,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def main(rows, signs):
    """The texts signs stand in what is packed where it is received."""
    program, work, *names = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    with open(program, encoding="utf-8") as stream:
        original = stream.read()
    wrong = 0
    for name, wanted, changes in rows:
        if names and name not in names:
            continue
        text = original
        for old, new in changes:
            if old not in text:
                sys.exit(f"{name}: the program has no '{old}'")
            text = text.replace(old, new, 1)
        done = rewrite(name, text, work)
        goes = [sign in done.stdout for sign in signs]
        said = "and still copied" in done.stderr
        right = all(goes) and not said if wanted == GOES else \
            not any(goes) and (not said if wanted == NOTHING else said and wanted in done.stderr)
        if done.returncode or not right:
            wrong += 1
            print(f"{name}: wanted: {wanted}\n{done.stderr}")
    print(f"{len(rows)} rows, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(ROWS, ("MPISHM_Packing_begin(h.out[f]", "MPISHM_PACK_THERE(to, ", "end_packed(h.out[f]"))
