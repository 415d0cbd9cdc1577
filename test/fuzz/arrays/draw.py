# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose message buffers are arrays: outside functions, in namespaces, in main, before MPI_Init and
after it."""

import random

TYPES = {"double": 8, "int": 4, "char": 1, "float": 4, "long": 8, "struct cell": 24}
LENGTHS = [10, 300, 2000, 5000, 9000, 40000, 150000]  # elements; from 8 KiB on an array may move

HEAD = """#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct cell {
  double x;
  int k;
  char c[8];
};
"""

FUNCTIONS = """static int rank, size, after, before;
static unsigned long hash = 14695981039346656037ul;
static void look(const void *data, long bytes) {
  const unsigned char *p = (const unsigned char *)data;
  for (long i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ul;
}
static void fill(void *data, long bytes, int seed) {
  unsigned char *p = (unsigned char *)data;
  for (long i = 0; i < bytes; i++)
    p[i] = (unsigned char)(i * 7 + seed * 13 + i / 251);
}
static void turn(const void *out, void *in, int bytes, int tag) {
  MPI_Request r[2];
  MPI_Irecv(in, bytes, MPI_BYTE, before, tag, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, bytes, MPI_BYTE, after, tag, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  look(in, bytes);
}
static void put(void *window, long bytes, const void *from, int length, int at) {
  MPI_Win w;
  MPI_Win_create(window, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_fence(0, w);
  MPI_Put(from, length, MPI_BYTE, after, at, length, MPI_BYTE, w);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  look(window, bytes);
}
/* A child writes to its copies, of which the parent must see nothing. */
static void split(void *one, long bytes, void *other, long others) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    fill(one, bytes, 99);
    fill(other, others, 98);
    _exit(0);
  }
  waitpid(child, &status, 0);
  look(one, bytes);
  look(other, others);
}
"""


class Array:
    """The array number k: how it is declared, and where."""

    def __init__(self, chance, k, is_cxx):
        self.name = f"a{k}"
        self.type = chance.choice(list(TYPES))
        length = chance.choice(LENGTHS)
        if chance.random() < 0.3:
            self.dimensions, length = f"[{length // 10 + 1}][10]", (length // 10 + 1) * 10
        else:
            self.dimensions = f"[{length}]"
        self.bytes = length * TYPES[self.type]
        outside = ["file", "static", "namespace" if is_cxx else "file"]
        self.where = chance.choice(outside + ["early", "late", "kept", "block"])
        plain = self.type != "struct cell" and self.dimensions.count("[") == 1
        self.initialiser = chance.choice(["", "", " = {0}", " = {1, 2}"]) if plain else ""
        self.also = chance.random() < 0.3 and self.where == "static"  # another one is declared with it

    def declaration(self):
        text = f"{self.type} {self.name}{self.dimensions}{self.initialiser}"
        if self.also:
            text += f", {self.name}_too{self.dimensions}"
        if self.where == "namespace":
            return f"namespace of_{self.name} {{\n{text};\n}}\nusing of_{self.name}::{self.name};"
        return ("static " if self.where in ("static", "kept") else "") + text + ";"


class Draw:
    """One program, its text in `source`. The seed alone makes it."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.is_cxx = self.chance.random() < 0.4
        self.arrays = [Array(self.chance, k, self.is_cxx) for k in range(self.chance.randint(3, 9))]
        outside = "\n".join(a.declaration() for a in self.of("file", "static", "namespace"))
        body = "\n".join(f"  {line}" for line in self._main())
        self.source = f"{HEAD}{outside}\n{FUNCTIONS}int main(int argc, char **argv) {{\n{body}\n}}\n"

    def of(self, *places):
        return [a for a in self.arrays if a.where in places]

    def _step(self, tag):
        """What is done with two of them."""
        chance = self.chance
        a, b = chance.sample(self.arrays, 2)
        both = min(a.bytes, b.bytes)
        at = chance.choice([0, 0, chance.randint(0, both - 1)])
        length = chance.choice([both - at, (both - at + 1) // 2])
        yield f"fill({a.name}, sizeof {a.name}, rank + step);"
        yield f"turn((const char *){a.name} + {at}, (char *){b.name} + {at}, {length}, {tag});"
        if chance.random() < 0.2:
            yield f"MPI_Bcast({a.name}, {both}, MPI_BYTE, step % size, MPI_COMM_WORLD);"
            yield f"look({a.name}, sizeof {a.name});"
        if chance.random() < 0.15:
            yield f"split({a.name}, sizeof {a.name}, {b.name}, sizeof {b.name});"
        if chance.random() < 0.15:
            yield f"put({a.name}, sizeof {a.name}, {b.name}, {both - at}, {at});"

    def _main(self):
        for a in self.of("early", "kept"):
            yield a.declaration()
        for a in self.of("early"):
            if not a.initialiser:
                yield f"memset({a.name}, 0, sizeof {a.name});"
        for a in self.of("file", "static", "namespace", "early", "kept"):
            if self.chance.random() < 0.4:
                yield f"fill({a.name}, sizeof {a.name}, 3);"
        yield "MPI_Init(&argc, &argv);"
        yield "MPI_Comm_rank(MPI_COMM_WORLD, &rank);"
        yield "MPI_Comm_size(MPI_COMM_WORLD, &size);"
        yield "after = (rank + 1) % size, before = (rank + size - 1) % size;"
        if blocks := self.of("block"):
            yield "{"
        for a in self.of("late") + blocks:
            yield a.declaration()
        for a in self.of("late", "block"):
            if not a.initialiser:
                yield f"memset({a.name}, 0, sizeof {a.name});"
        for a in self.arrays:
            yield f"look({a.name}, sizeof {a.name});"
        yield "for (int step = 0; step < 3; step++) {"
        for tag in range(self.chance.randint(3, 10)):
            yield from self._step(tag)
        yield "}"
        for a in self.arrays:
            yield f"look({a.name}, sizeof {a.name});"
        if blocks:
            yield "}"
        yield 'printf("%d %lx\\n", rank, hash);'
        yield "MPI_Finalize();"
        for a in self.of("file", "static", "namespace", "early", "kept")[:1]:
            yield f"fill({a.name}, sizeof {a.name}, 1);"
        yield "return 0;"
