#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that pack messages directly before they send them, rewritten with --zero-copy=on and compared.

    packing.py --seed 17             one program; its folder stays in --work
    packing.py --first 1 --count 100
    packing.py --seed 17 --print     only the source
    packing.py --first 1 --count 100 --parts

Each program has several exchanges with buffers of their own, which pack in random ways, good and bad, and after some of
which the program reads, writes, keeps, sends again, copies, exchanges or aliases its buffers. What is packed where it is
received, and what not, is the tool's affair: both programs must print the same, on one node and on two, and without
shared memory. At the end it says how many sends the tool changed; none at all is an error, too.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys

LAUNCH = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "support", "launch.py")
TYPES = [("double", "MPI_DOUBLE"), ("double", "MPI_DOUBLE"), ("float", "MPI_FLOAT"), ("int", "MPI_INT")]
HEAD = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { FACES = 3, MOST = 40, STEPS = 6 };
static int rank, size, left, right;
static unsigned long hash = 14695981039346656037ul;
static void look(double x) {
  unsigned char b[sizeof x];
  memcpy(b, &x, sizeof x);
  for (unsigned i = 0; i < sizeof x; i++)
    hash = (hash ^ b[i]) * 1099511628211ul;
}
"""


class Exchange:
    """One exchange, number k: its declarations, functions, and what is done with it in a step."""

    def __init__(self, chance, k):
        self.chance, self.k = chance, k
        self.type, self.mpi = chance.choice(TYPES)
        self.two = chance.random() < 0.6
        self.parameter = chance.random() < 0.4
        self.static = chance.random() < 0.3
        self.blocking = chance.random() < 0.25
        self.number = chance.choice(["unsigned short", "unsigned short", "int"])
        self.early = chance.random() < 0.5
        self.clean = chance.random() < 0.55  # nobody reads what was sent
        self.loops = chance.random() < 0.5  # they stand where it is sent

    def pick(self, good, bad, share=0.2):
        return self.chance.choice(bad if self.chance.random() < share else good)

    def count(self):
        return self.pick([f"n{self.k} * n{self.k}"] if self.two else [f"n{self.k}", f"n{self.k} + 1 - 1"],
                         [f"m{self.k}"], 0.1)

    def declarations(self):
        k, most = self.k, "MOST * MOST" if self.two else "MOST"
        out = f"out{k}[FACES][{most}]" if self.static else f"*out{k}[FACES]"
        return (f"static {self.number} n{k};\nstatic int m{k};\nstatic {self.type} {out}, *in{k}[FACES], *from{k}, *other{k};\n"
                f"static double kept{k};\n")

    def store(self):
        inner = "j * n + i" if self.two else "i"
        good = [f"*to++ = from[{inner}];", f"to[k++] = from[{inner}];", f"to[{inner}] = from[{inner}] + 1;",
                f"*to++ = ({self.type})(from[{inner}] / 2);"]
        bad = [f"if (from[i] > 3) *to++ = from[{inner}]; else *to++ = 3;", f"to[{inner}] += 1;", "*to++ = i ? to[-1] : 1;",
               f"to[i] = from[{inner}];", f"*to++ = from[{inner}]; kept{self.k}++;",
               f"*to++ = other{self.k} ? other{self.k}[i] : 1;", f"if (from[i] > 9) continue; to[{inner}] = 1;"]
        return self.pick(good, bad)

    def pack(self):
        k = self.k
        head = f"static void pack{k}({self.type + ' *to, ' if self.parameter else ''}int f) {{\n"
        head += f"  const int n = n{k};\n  const {self.type} *from = from{k} + f;\n"
        if not self.parameter:
            head += f"  {self.type} *to = out{k}[f];\n"
        store = self.store()
        if "k++" in store:
            head += "  int k = 0;\n"
        first, last = self.chance.choice([("0", "<"), ("0", "<"), ("1", "<=")])
        if first == "1" and ("[i]" in store or "* n + i" in store or "i ?" in store):
            first, last = "0", "<"
        loops = f"  for (int i = {first}; i {last} n; i++) {{\n    {store}\n  }}\n"
        if self.two:
            loops = f"  for (int j = 0; j < n; j++)\n  {loops}"
        after = self.pick([""], [f"  kept{k}++;\n", f"  kept{k} += out{k}[f][0];\n", f"  out{k}[f ? 0 : 1][0] = 1;\n"], 0.15)
        before = self.pick([""], ["  if (n == 2)\n    return;\n", "  if (f > 7)\n    exit(3);\n"], 0.1)
        return head + before + loops + after + "}\n"

    def loops_before(self):
        """Loops that pack, and what stands before them, in the function that sends."""
        k, two = self.k, self.two
        inner = "j * n + i" if two else "i"
        to = self.pick([f"out{k}[f]", "mine", "to++"], [f"(f ? out{k}[f] : out{k}[0])", f"out{k}[(f + 1) % FACES]", "row"], 0.12)
        count = self.chance.choice(["", "", "", "block", "head", "again", "outside"]) if to != "to++" else ""
        index = "k++" if count else self.pick([inner, f"0 + {inner}"], [f"{inner} / 1", f"{inner} + 1", "0"], 0.06)
        place = "*to++" if to == "to++" else self.chance.choice([f"{to}[{index}]", f"*({to} + ({index}))"])
        value = self.pick([f"from[{inner}]", f"from[{inner}] / 2", f"at{k}({inner})", f"({self.type})(f + {inner})", "x", "x"],
                          [f"count{k}({inner})", "n > 99 ? n-- : 1", f"out{k}[f ? 0 : 1][0]", f"(from{k}[0] += 1)", "f > 7 ? f++ : 1",
                           f"other{k} ? other{k}[i] : 1", f"kept{k}++"], 0.15)
        store = f"{place} = {value};"
        if value == "x":
            store = f"{self.type} x = from[{inner}]; if (x > 7) x -= 7; " + store
        store = self.pick([store], [f"if (from[i] > 8) break; {store}", f"if (i != 1) {{ {store} }}", f"{store} kept{k}++;",
                                    f"{store} from{k}[1] = {inner};", f"{store} x{k}(&n);"], 0.1)
        head = self.pick([f"    {self.chance.choice(['const int', 'int', 'long', 'unsigned short', 'const unsigned short'])} n = n{k};\n"],
                         [f"    int n = n{k}, *m = &n;\n    *m += 0;\n"], 0.06)
        if "n--" in store:
            head = head.replace("const ", "", 1)
        head += f"    const {self.type} *from = from{k} + f;\n"
        if to == "mine" or to == "row":
            head += f"    {self.type} *mine = out{k}[f];\n"
        if to == "row":
            head += f"    {self.type} *row = mine{self.chance.choice(['', ' + 1', ' + (f > 7)'])};\n"
        if to == "to++":
            head += f"    {self.type} *to = out{k}[f];\n" + self.pick([""], ["    to += f > 7;\n", f"    from{k}[1] += 0;\n"], 0.1)
        head += {"": "", "head": "", "block": "    int k = 0;\n", "outside": "", "again": "    int k = n;\n    k = 0;\n"}[count]
        head += self.pick([""], [f"    if (n == 2 && f > 7)\n      break;\n", f"    k{k} = 0;\n"], 0.1)
        first, last = self.chance.choice([("0", "<"), ("0", "<"), ("1", "<=")])
        if first == "1" and inner in store.split("= ", 1)[0] and not count:
            first, last = "0", "<"
        one = f"for (int i = {first}; i {last} n; i++) {{ {store} }}"
        if count == "head" and not two:
            one = one.replace("int i", "int k = 0, i")
        outer = "int k = 0, j = 0" if count == "head" else "int j = 0"
        loops = f"    for ({outer}; j < n; j++)\n      {one}\n" if two else f"    {one}\n"
        if first == "1" and to != "to++" and value != "x":
            loops = loops.replace(f"from[{inner}]", "from[0]")
        return head + loops, count == "outside"

    def helpers(self):
        k = self.k
        return (f"static int k{k};\nstatic {self.type} at{k}(int i) {{ {self.type} y = from{k}[i]; return y / 4 + i; }}\n"
                f"static {self.type} count{k}(int i) {{ kept{k} += i; return i; }}\nstatic void x{k}(void *n) {{ (void)n; }}\n")

    def actions(self):
        k = self.k
        reads = [f"look(out{k}[1][0]);", f"other{k} = out{k}[2];", f"if (other{k}) look(other{k}[0]);",
                 f"memcpy(from{k}, out{k}[0], sizeof *from{k});", f"look(memcmp(out{k}[0], out{k}[1], 4) != 0);",
                 f"again{k}();", f"again{k}();"]
        if not self.static:
            reads += [f"{{ {self.type} *t = out{k}[0]; out{k}[0] = in{k}[0]; in{k}[0] = t; }}",
                      f"{{ {self.type} *t = out{k}[0]; out{k}[0] = out{k}[1]; out{k}[1] = t; }}",
                      f"free(out{k}[1]); out{k}[1] = calloc(MOST * MOST, sizeof(double));"]
        writes = [f"out{k}[1][0] = 5;", f"memset(out{k}[0], 1, 4);", f"from{k}[2] += 1;", f"n{k} = (n{k} * 7 + step) % 6;", ""]
        chosen = [self.chance.choice(writes) for _ in range(2)]
        if not self.clean:
            chosen += [self.chance.choice(reads) for _ in range(self.chance.randint(1, 2))]
        self.chance.shuffle(chosen)
        return "".join(f"    {each}\n" for each in chosen)

    def again(self):
        k = self.k
        return (f"static void again{k}(void) {{\n  MPI_Request r;\n"
                f"  MPI_Irecv(in{k}[1], 2, {self.mpi}, left, {100 + k}, MPI_COMM_WORLD, &r);\n"
                f"  MPI_Send(out{k}[1], 2, {self.mpi}, right, {100 + k}, MPI_COMM_WORLD);\n"
                f"  MPI_Wait(&r, MPI_STATUS_IGNORE);\n  look(in{k}[1][1]);\n}}\n")

    def exchange(self):
        k, tag = self.k, f"{10 * self.k} + f"
        before = self.chance.random() < 0.5
        count = "count" if before else self.count()
        if self.loops and self.chance.random() < 0.6:
            before, count = False, "n * n" if self.two else "n"
        text = f"static void exchange{k}(void) {{\n  MPI_Request r[2 * FACES];\n  int sends = FACES;\n"
        text += f"  const int count = {self.count()};\n" if before else ""
        receive = (f"  for (int f = 0; f < FACES; f++)\n    MPI_Irecv(in{k}[f], m{k}, {self.mpi}, left, {tag}, "
                   "MPI_COMM_WORLD, &r[f]);\n")
        pack = f"pack{k}({f'out{k}[f], ' if self.parameter else ''}f);"
        send = (f"MPI_Send(out{k}[f], {count}, {self.mpi}, right, {tag}, MPI_COMM_WORLD);" if self.blocking else
                f"MPI_Isend(out{k}[f], {count}, {self.mpi}, right, {tag}, MPI_COMM_WORLD, &r[FACES + f]);")
        packs, outside = self.loops_before() if self.loops else (f"    {pack}\n", False)
        between = self.pick([""], [f"    kept{k}++;\n", f"    m{k} += 0;\n"], 0.1)
        sending = f"  for (int f = 0; f < FACES; f++) {{\n{packs}{between}    {send}\n  }}\n"
        if outside:
            sending = "  int k = 0;\n" + sending.replace("    " + send, "    " + send + "\n    k = f > 7;")
        sending += "" if self.blocking else "  sends = 2 * FACES;\n"
        meet = "  MPI_Barrier(MPI_COMM_WORLD);\n" if self.early else ""
        text += receive + meet + sending
        return text + ("  MPI_Waitall(sends, r, MPI_STATUSES_IGNORE);\n"
                       f"  for (int f = 0; f < FACES; f++)\n    for (int i = 0; i < m{k}; i++)\n      look(in{k}[f][i]);\n}}\n")

    def start(self):
        k = self.k
        text = f"  n{k} = {self.chance.randint(1, 6)};\n  from{k} = calloc(MOST * MOST + FACES, sizeof *from{k});\n"
        text += f"  for (int i = 0; i < MOST * MOST; i++)\n    from{k}[i] = ({self.type})(i % 13 + rank + {k});\n"
        made = "" if self.static else f"    out{k}[f] = calloc(MOST * MOST, sizeof(double));\n"
        return text + f"  for (int f = 0; f < FACES; f++) {{\n{made}    in{k}[f] = calloc(MOST * MOST, sizeof(double));\n  }}\n"

    def step(self):
        k = self.k
        return f"    m{k} = n{k}{f' * n{k}' if self.two else ''};\n    exchange{k}();\n{self.actions()}"


class Regions:
    """Parts of one block that main cuts, and what it does with them in a step: number k, in main itself."""

    def __init__(self, chance, k):
        self.chance, self.k = chance, k
        self.type, self.mpi = chance.choice(TYPES)
        self.rows, self.other = chance.randint(1, 3), chance.choice(["", " + 1", " * 2"])
        self.clean = chance.random() < 0.65

    def pick(self, good, bad, share=0.15):
        return self.chance.choice(bad if self.chance.random() < share else good)

    def declarations(self):
        return f"#define TYPE{self.k} {self.mpi}\n#define AT{self.k}(i) cells{self.k}[(i) - low{self.k} + 1]\n"

    def start(self):
        """The parts: a of what is sent, b and c of what is received, d of what is sent as a copy."""
        k, rows, pick = self.k, self.rows, self.pick
        low = pick([f"int low{k}, high{k};\n  if (rank % 2)\n    low{k} = {k + 1}, high{k} = low{k} + {self.chance.randint(0, 9)};\n"
                    f"  else\n    low{k} = 2, high{k} = {self.chance.randint(1, 9)};\n"],
                   [f"int low{k} = 1, high{k} = 7, *others{k} = &high{k};\n  *others{k} += 1;\n"], 0.06)
        width = pick([f"wide{k} = high{k} - low{k} + 1;\n"],
                     [f"if (size > 1)\n    wide{k} = high{k} - low{k} + 1;\n", f"wide{k} = high{k} - low{k} + 1;\n  high{k} += 0;\n",
                      f"for (int i = 0; i < 2; i++)\n    wide{k} = high{k} - low{k} + 1;\n"], 0.1)
        # All ranks have messages of one length.
        agree = f"  MPI_Bcast(&low{k}, 1, MPI_INT, 0, MPI_COMM_WORLD);\n  MPI_Bcast(&high{k}, 1, MPI_INT, 0, MPI_COMM_WORLD);\n"
        if self.chance.random() < 0.85:
            agree = f"  high{k} = low{k} + {self.chance.randint(0, 9)};\n"
        parts = ["a", "b", "c", "d"]
        self.chance.shuffle(parts)
        base = parts[0]
        step = self.pick([f"{rows} * wide{k}"], [f"{rows} * wide{k} + 1"], 0.15)
        cut = "".join(f"  {each}{k} = {base}{k} + {n} * ({step});\n" for n, each in enumerate(parts) if n)
        return (f"  int wide{k} = size;\n  {low}{agree}  {width}  const int rows{k} = {rows};\n"
                f"  {self.type} *a{k}, *b{k}, *c{k}, *d{k}, *cells{k} = calloc(99, sizeof *cells{k});\n"
                f"  for (int i = 0; i < 99; i++)\n    cells{k}[i] = ({self.type})(i % 13 + rank + {k});\n"
                f"  {base}{k} = calloc(4 * MOST, sizeof({self.type}));\n{cut}")

    def nest(self, do, more=""):
        """Loops; nothing that lies there is to be sent or received meanwhile if they go on for more."""
        k = self.k
        first, last, inner = self.chance.choice([("0", f"j < {self.rows}{more}", "<="), ("3", f"j < 3 + {self.rows}{more}", "<="),
                                                 ("1", f"j <= {self.rows}{more}", "<=")])
        return (f"    for (int k = 0, j = {first}; {last}; j++)\n      for (int i = low{k}; i {inner} high{k}; i++) {{\n"
                f"        {do}\n      }}\n")

    def step(self):
        k, pick = self.k, self.pick
        count = pick([f"{self.rows} * wide{k}"], [f"{self.rows} * (high{k} - low{k} + 1)", f"rows{k} * wide{k}"], 0.2)
        also = ["a", "d"] if self.chance.random() < 0.5 else ["a"]
        text = ""
        for n, to in enumerate("bc"[:len(also)]):
            text += f"    MPI_Irecv({to}{k}, {count}, TYPE{k}, left, {1000 + 10 * k + n}, MPI_COMM_WORLD, &parts[{n}]);\n"
        text += self.chance.choice(["", "    MPI_Barrier(MPI_COMM_WORLD);\n"])
        for n, out in enumerate(also):
            value = pick([f"AT{k}(i) + j", f"AT{k}(i) / 2"], [f"a{k}[0]"], 0.05)
            store = pick([f"{out}{k}[k++] = {value};"], [f"if (i) {out}{k}[k++] = 1;", f"{out}{k}[k] = {value}; k++;"], 0.08)
            text += self.nest(store)
            text += f"    MPI_Isend({out}{k}, {count}, TYPE{k}, right, {1000 + 10 * k + n}, MPI_COMM_WORLD, &parts[{2 + n}]);\n"
        text += "".join(f"    MPI_Wait(&parts[{n}], MPI_STATUS_IGNORE);\n    MPI_Wait(&parts[{2 + n}], MPI_STATUS_IGNORE);\n"
                        for n in range(len(also)))
        for to in "bc"[:len(also)]:
            text += self.nest(pick([f"AT{k}(i) = {to}{k}[k++];", f"double x = {to}{k}[k++]; look(x);"],
                                   [f"AT{k}(i) = {to}{k}[k]; k++;", f"AT{k}(i) = {to}{k}[k++], look(a{k}[0]);"], 0.1), pick(["", ""], [" + 1"], 0.1))
        reads = [f"look(a{k}[0]);", f"for (int i = 0; i < 4 * {self.rows} * wide{k}; i++) look((a{k} < d{k} ? a{k} : d{k})[i % wide{k}]);",
                 f"{{ {self.type} *q = a{k}; look(q[1]); }}", f"wide{k} += 0;", f"if (step > 99) a{k} = b{k};",
                 f"memcpy(cells{k}, a{k}, sizeof *cells{k});"]
        text += "" if self.clean else f"    {self.chance.choice(reads)}\n"
        return text + self.chance.choice([f"    a{k}[0] = 3;\n", "", "", f"    cells{k}[2] += 1;\n"])


def program(seed, has_parts):
    chance = random.Random(seed)
    exchanges = [Exchange(chance, k) for k in range(chance.randint(2, 4))]
    parts = []
    if has_parts:
        exchanges = exchanges[:chance.randint(0, 2)]
        parts = [Regions(chance, k) for k in range(chance.randint(1, 2))]
    text = HEAD + "".join(p.declarations() for p in parts)
    text += "".join(e.declarations() + e.helpers() + e.pack() + e.again() + e.exchange() for e in exchanges)
    text += ("int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
             "  MPI_Comm_size(MPI_COMM_WORLD, &size);\n  left = (rank + size - 1) % size;\n  right = (rank + 1) % size;\n")
    text += "".join(e.start() for e in exchanges) + "".join(p.start() for p in parts)
    text += "  MPI_Request parts[4];\n" if parts else ""
    text += "  for (int step = 0; step < STEPS; step++) {\n" + "".join(e.step() for e in exchanges + parts) + "  }\n"
    text += "".join(f"  look(kept{e.k});\n" for e in exchanges)
    text += ("  unsigned long *all = calloc(size, sizeof hash);\n"
             "  MPI_Gather(&hash, 1, MPI_UNSIGNED_LONG, all, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);\n"
             '  for (int i = 0; rank == 0 && i < size; i++)\n    printf("%lx\\n", all[i]);\n')
    return text + "  MPI_Finalize();\n  return 0;\n}\n"


def run(arguments, folder, **environment):
    done = subprocess.run(arguments, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def trial(seed, options):
    """(what is wrong or None, how many sends were changed) of one program."""
    folder = os.path.join(options.work, f"seed-{seed}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "new"))
    for name in ("original.c", "new/program.c"):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(program(seed, options.parts))
    options_of_tool = ["--zero-copy=on"] + (["--trust-counts"] if seed % 3 == 0 else [])
    commands = [["mpishm-rewrite", "-i", *options_of_tool, "new/program.c", "--", "mpicc"],
                ["mpishm-rewrite", "--check", *options_of_tool, "new/program.c", "--", "mpicc"],
                ["mpicc", "-O1", "-w", "original.c", "-o", "original"],
                ["mpishmcc", "-O1", "-w", "new/program.c", "-o", "program"]]
    changed = 0
    for command in commands:
        status, _, err = run(command, folder)
        if status:
            return f"{' '.join(command)}\n{err}", 0
        if "-i" in command:
            with open(os.path.join(folder, "new", "program.c"), encoding="utf-8") as stream:
                changed = stream.read().count("end_packed(")
            if not changed and not options.keep:
                shutil.rmtree(folder)
                return None, 0  # what else is rewritten, other tests compare
    ways = [(1, {})] + ([(2, {})] if seed % 4 == 0 else [(1, {"MPISHM_DISABLE": "1"})] if seed % 4 == 1 else [])
    for nodes, environment in ways:
        environment = {"MPISHM_PLACE": "0", **environment}  # these messages are short
        command = [sys.executable, LAUNCH, "--nodes", str(nodes), "-n", str(2 * nodes)]
        old, new = (run([*command, os.path.join(folder, name)], folder, **environment) for name in ("original", "program"))
        if old[0] or old[:2] != new[:2] or "warning" in new[2]:
            return f"{nodes} nodes, {environment}: {old}\nbecame {new}", changed
    if not options.keep:
        shutil.rmtree(folder)
    return None, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--work", default="packing-work")
    parser.add_argument("--parts", action="store_true", help="messages of parts of a block that main cuts, too")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    options.keep = options.seed is not None
    first, count = (options.seed, 1) if options.keep else (options.first, options.count)
    if options.print:
        print(program(first, options.parts))
        return
    wrong = changed = 0
    for seed in range(first, first + count):
        failure, sends = trial(seed, options)
        changed += sends
        if failure:
            wrong += 1
            print(f"seed {seed}: {failure}", flush=True)
    print(f"{count} programs, {changed} sends of what was packed there, {wrong} wrong")
    sys.exit(wrong > 0 or (count > 1 and changed == 0))


if __name__ == "__main__":
    main()
