# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C or C++ of a phase of one-sided communication (draw.py)."""

import completions
import layouts
from onesided.calls import Calls
from onesided.draw import NUMBERS

HOMES = {"local": "win{0}", "static": "win{0}", "member": "held.win{0}", "pointer": "holder->win{0}",
         "array": "wins[{0}]", "vector": "list[{0}]"}
TARGETS = {"after": "after", "self": "rank", "first": "0", "nobody": "MPI_PROC_NULL",
           "edge": "rank + 1 < size ? rank + 1 : MPI_PROC_NULL"}
MOST_STATIC = 400000  # bytes of variables that are windows


class _Writer:
    """Names and pieces of a phase."""

    def __init__(self, phase, ranks, cxx):
        self.phase, self.ranks, self.cxx, self.calls = phase, ranks, cxx, Calls(phase, cxx)
        self.operations = [(epoch, it) for epoch in phase.epochs for it in epoch.operations]
        self.comm = "own" if phase.own == "node" else "comm"

    def home(self, w):
        home = self.phase.windows[w].home
        return HOMES["array" if home == "vector" and not self.cxx else home].format(w)

    def used(self, w):
        """(number, operation) of those on a window."""
        return [(k, it) for k, (epoch, it) in enumerate(self.operations) if epoch.window == w]

    def most_bytes(self, w):
        """No less than any rank's part has."""
        return 512 + sum((1 if it.common else self.ranks) * ((it.target_count + 1) * it.target.span + 512)
                         for _, it in self.used(w))

    def is_passive(self, w):
        return any(epoch.passive for epoch in self.phase.epochs if epoch.window == w)

    # -- windows ---------------------------------------------------------------------------------------------------

    def declarations(self):
        lines = ["MPI_Win wins[4];", f"struct phase{self.phase.number} held, *holder = &held;"]
        if self.cxx:
            lines.append("std::vector<MPI_Win> list(4);")
        for w, window in enumerate(self.phase.windows):
            if window.home in ("local", "static"):
                lines.append(f"{'static ' * (window.home == 'static')}MPI_Win win{w};")
            lines += [f"struct shape shape{w} = {{0, {self._unit(w)}, {int(self._uneven(w))}, {int(window.some)}}};",
                      f"char *base{w} = NULL, *memory{w} = NULL;"]
            if window.way == "dynamic":
                lines.append(f"MPI_Aint bases{w}[64];")
            if window.way in ("create", "dynamic"):
                lines += self._variable(w)
        for k, (_, it) in enumerate(self.operations):
            lines += [f"struct region region{k};", f"MPI_Datatype origin{k}, target{k}, result{k};"]
            lines += [f"struct {'buffers' if name[:4] in ('into', 'back') else 'buffer'} {name};"
                      for name, _ in self._buffers(k, it)]
            if it.name == "fetch_and_op" and it.common:
                lines.append(f"uint64_t sum{k} = 0;")
        return lines

    def _unit(self, w):
        return 1 if self.phase.windows[w].way == "dynamic" else self.phase.windows[w].unit

    def _uneven(self, w):
        return self.phase.windows[w].uneven and self.phase.windows[w].way != "dynamic"

    def _memory_kind(self, w):
        kind = self.phase.windows[w].memory
        if kind in ("static", "stack") and self.most_bytes(w) > MOST_STATIC or kind in ("vector", "new") and \
                not self.cxx:
            return "malloc"
        return kind

    def _variable(self, w):
        kind, words = self._memory_kind(w), (self.most_bytes(w) + 7) // 8
        if kind == "vector":
            return [f"std::vector<double> variable{w}({words});"]
        if kind in ("static", "stack"):
            return [f"{'static ' * (kind == 'static')}uint64_t variable{w}[{words}];"]
        return []

    def _take_memory(self, w):
        kind, bytes_ = self._memory_kind(w), f"(size_t)bytes_of(&shape{w}, rank)"
        if kind in ("vector", "static", "stack"):
            at = f"variable{w}.data()" if kind == "vector" else f"variable{w}"
            return [f"CHECK({bytes_} > {self.most_bytes(w)} ? MPI_ERR_SIZE : MPI_SUCCESS);",
                    f"base{w} = (char *){at};"]
        take = {"malloc": f"memory{w} = (char *)malloc({bytes_});",
                "calloc": f"memory{w} = (char *)calloc({bytes_} / 8, 8);",
                "inside": f"memory{w} = (char *)malloc({bytes_} + 4096);",
                "new": f"memory{w} = new char[{bytes_}];",
                "alloc_mem": f"MPI_Alloc_mem({bytes_}, MPI_INFO_NULL, &memory{w});"}[kind]
        return [take, f"base{w} = memory{w}{' + 96' if kind == 'inside' else ''};"]

    def _give_memory_back(self, w):
        kind = self._memory_kind(w)
        if kind in ("vector", "static", "stack"):
            return []
        return [{"new": f"delete[] memory{w};", "alloc_mem": f"MPI_Free_mem(memory{w});"}.get(
            kind, f"free(memory{w});")]

    def make(self, w):
        """Statements that make a window; its operations' regions are known."""
        window, win, comm = self.phase.windows[w], self.home(w), "own" if self.phase.own else "comm"
        info = "no_locks" if not self.is_passive(w) and self.phase.seed % 3 == 0 else "MPI_INFO_NULL"
        part = [f"bytes_of(&shape{w}, rank)", f"unit_of(&shape{w}, rank)", info, comm]
        if window.way == "dynamic":
            return self._take_memory(w) + [
                f"MPI_Win_create_dynamic({info}, {comm}, &{win});",
                f"MPI_Win_attach({win}, base{w}, bytes_of(&shape{w}, rank));",
                f"MPI_Get_address(base{w}, &bases{w}[rank]);",
                f"MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bases{w}, 1, MPI_AINT, {self.comm});"]
        if window.way == "create":
            lines = self._take_memory(w) + self.calls.call(window.call, "Win_create", [f"base{w}", *part, f"&{win}"],
                                                           win)
        else:
            function = "Win_allocate" if window.way == "allocate" else "Win_allocate_shared"
            lines = self.calls.call(window.call, function, [*part, f"&base{w}", f"&{win}"], win)
        return lines + (self._ask(w) if window.asked else [])

    def _ask(self, w):
        win = self.home(w)
        return ["{", "void *at;", "int found, *unit;", "MPI_Aint *bytes;",
                f"MPI_Win_get_attr({win}, MPI_WIN_BASE, &at, &found);",
                f"h = hash_number(h, found && (at == base{w} || !has_memory(&shape{w}, rank)));",
                f"MPI_Win_get_attr({win}, MPI_WIN_SIZE, &bytes, &found);", "h = hash_number(h, found ? *bytes : -1);",
                f"MPI_Win_get_attr({win}, MPI_WIN_DISP_UNIT, &unit, &found);",
                "h = hash_number(h, found ? *unit : -1);", "}"]

    def free(self, w):
        window, win = self.phase.windows[w], self.home(w)
        lines = []
        if window.way == "dynamic":
            lines = [f"MPI_Barrier({self.comm});", f"MPI_Win_detach({win}, base{w});"]
        lines += [f"MPI_Win_free(&{win});", f"h = hash_number(h, {win} == MPI_WIN_NULL);"]
        return lines + (self._give_memory_back(w) if window.way in ("create", "dynamic") else [])

    # -- what operations work on ------------------------------------------------------------------------------------

    def _type(self, k, side):
        layout = getattr(self.operations[k][1], side)
        return layout.kind if layout.basic else f"phase{self.phase.number}_{side}{k}()"

    def types_and_regions(self):
        lines = []
        for k, (epoch, it) in enumerate(self.operations):
            lines += [f"{side}{k} = {self._type(k, side)};" for side in ("origin", "target", "result")
                      if getattr(it, side)]
            lines.append(f"region{k} = next_region(&shape{epoch.window}, target{k}, {it.target_count}, "
                         f"{int(it.common)}, size);")
            lines += [f"{name} = {maker};" for name, maker in self._buffers(k, it)]
        return lines

    def _buffers(self, k, it):
        """(name, what makes it)."""
        made = []
        if it.name not in ("get", "increment", "swap_until"):
            made.append((f"from{k}", f"make_buffer(origin{k}, {it.origin_count})"))
        if it.name == "compare_and_swap":
            made.append((f"compared{k}", f"make_buffer(origin{k}, 1)"))
        if it.name == "get":
            made.append((f"into{k}", f"make_buffers(origin{k}, {it.origin_count}, size)"))
        elif it.name in ("get_accumulate", "fetch_and_op", "compare_and_swap"):
            made.append((f"into{k}", f"make_buffers(result{k}, {it.result_count}, size)"))
        if it.read_back:
            made.append((f"back{k}", f"make_buffers(target{k}, {it.target_count}, size)"))
        return made

    def _numbers(self, it, where, length, seed):
        """Fill memory with numbers that the operation may combine; with bytes, where it combines none."""
        if not it.combine and it.name not in ("increment", "swap_until"):
            return f"fill_bytes({where}, {length}, {seed});"
        c_type = NUMBERS[it.element][0]
        is_real = c_type in ("double", "float")
        if it.values == "any" and not is_real and it.name != "compare_and_swap":
            return f"fill_bytes({where}, {length}, {seed});"
        most = 1 if it.name == "compare_and_swap" else 10
        each = "1.37" if is_real and it.values != "small" else "1"
        return f"FILL_NUMBERS({c_type}, {where}, {length}, {seed}, {most}, {each});"

    def fill(self):
        """New contents of windows and buffers; nobody accesses the windows."""
        lines = []
        for w, _ in enumerate(self.phase.windows):
            win = self.home(w)
            if self.is_passive(w):
                lines.append(f"MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, {win});")
            lines += [f"if (has_memory(&shape{w}, rank)) {{",
                      f"fill_bytes(base{w}, (size_t)bytes_of(&shape{w}, rank), 10 * rank + step + {w});"]
            lines += [self._numbers(it, f"base{w} + lead_of(&shape{w}, rank) + region{k}.start",
                                    f"bytes_in(&region{k}, size)", f"3 * rank + step + {k}")
                      for k, it in self.used(w) if it.combine or it.common]
            lines.append("}")
            if self.is_passive(w):
                lines.append(f"MPI_Win_unlock(rank, {win});")
        for k, (_, it) in enumerate(self.operations):
            for name, _ in self._buffers(k, it):
                which = name.rstrip("0123456789")
                if which in ("into", "back"):
                    lines.append(f"memset({name}.base, 17, {name}.bytes);")
                else:
                    lines.append(self._numbers(it, f"{name}.at", f"{name}.bytes - ({name}.at - {name}.base)",
                                               f"100 * rank + step + {k + (which == 'compared')} + {self.phase.seed}"))
            if it.name == "fetch_and_op" and it.common:
                lines.append(f"*({NUMBERS[it.element][0]} *)from{k}.at = 1;")
        return lines + [f"MPI_Barrier({self.comm});"]

    # -- operations --------------------------------------------------------------------------------------------------

    def _place(self, epoch, k):
        shape = f"&shape{epoch.window}"
        place = f"place_of({shape}, &region{k}, rank, t)"
        if self.phase.windows[epoch.window].way == "dynamic":
            return f"t < 0 ? 0 : bases{epoch.window}[t] + {place}"
        return place

    def _count(self, it, side):
        count = getattr(it, side + "_count")
        return f"rank % 2 ? 0 : {count}" if it.nothing else str(count)

    def _arguments(self, epoch, k):
        it, win = self.operations[k][1], self.home(epoch.window)
        place = self._place(epoch, k)
        target = ["t", place, self._count(it, "target"), f"target{k}"]
        into = f"into{k}.at + t * (t > 0 ? into{k}.stride : 0)"
        given = [f"from{k}.at", self._count(it, "origin"), f"origin{k}"]
        return {
            "put": [*given, *target, win],
            "get": [into, self._count(it, "origin"), f"origin{k}", *target, win],
            "accumulate": [*given, *target, f"MPI_{it.combine}", win],
            "get_accumulate": [*given, into, str(it.result_count), f"result{k}", *target, f"MPI_{it.combine}", win],
            "fetch_and_op": [f"from{k}.at", into, f"target{k}", "t", place, f"MPI_{it.combine}", win],
            "compare_and_swap": [f"from{k}.at", f"compared{k}.at", into, f"target{k}", "t", place, win],
        }[it.name]

    def _increment(self, epoch, k):
        """In an exclusive lock."""
        it, win, place = self.operations[k][1], self.home(epoch.window), self._place(epoch, k)
        call = [f"1, target{k}, t, {place}, 1, target{k}, {win}"]
        return [f"{{ {NUMBERS[it.element][0]} number;", *self.calls.call(it.call, "Get", ["&number", *call], win),
                f"MPI_Win_flush(t, {win});", "number += 1;", *self.calls.call(it.call, "Put", ["&number", *call], win),
                f"MPI_Win_flush_local(t, {win}); }}"]

    def _swap_until(self, epoch, k):
        """Add one by compare and swap, as often as it takes."""
        it, win, place = self.operations[k][1], self.home(epoch.window), self._place(epoch, k)
        swap = self.calls.call(it.call, "Compare_and_swap",
                               ["&wanted", "&expected", "&got", f"target{k}", "t", place, win], win)
        return [f"{{ {NUMBERS[it.element][0]} got = 0, expected, wanted;", "do {", "expected = got;",
                f"wanted = ({NUMBERS[it.element][0]})(got + 1);", *swap, f"MPI_Win_flush(t, {win});",
                "} while (got != expected); }"]

    def _hidden(self, it, arguments):
        text, number = ", ".join(arguments), self.phase.number
        if it.hidden == "unseen":
            return [f"unseen_put_{number}({text});"]
        return ["{ int (*put)(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win) = MPI_Put;",
                f"put({text}); }}"]

    def _once(self, epoch, k):
        """An operation on the target t, and what comes directly behind it."""
        it, win = self.operations[k][1], self.home(epoch.window)
        if it.name in ("increment", "swap_until"):
            lines = (self._increment if it.name == "increment" else self._swap_until)(epoch, k)
            return [f"if (t != MPI_PROC_NULL) {{", *lines, "}"]
        arguments = self._arguments(epoch, k)
        if it.hidden:
            lines = self._hidden(it, arguments)
        elif it.form:
            function = "R" + it.name
            lines = self.calls.call(it.call, function, [*arguments, "&r[posted]"], win) + ["posted++;"]
        else:
            lines = self.calls.call(it.call, it.name.capitalize(), arguments, win)
        if it.flush:
            lines += self.calls.call(epoch.call, f"Win_{it.flush}", [win] if "all" in it.flush else ["t", win], win)
        if it.overwritten:
            lines.append(f"memset(from{k}.base, 55, from{k}.bytes);")
        if it.read_back:
            lines += ["if (t != MPI_PROC_NULL) {", f"MPI_Win_flush(t, {win});",
                      f"MPI_Get(back{k}.at + t * back{k}.stride, {it.target_count}, target{k}, t, "
                      f"{self._place(epoch, k)}, {it.target_count}, target{k}, {win});", "}"]
        return lines

    def _to_targets(self, epoch, k, lines):
        shape, it = f"&shape{epoch.window}", self.operations[k][1]
        if it.peers == "all":
            return ["for (t = 0; t < size; t++)", f"if (has_memory({shape}, t)) {{", *lines, "}"]
        return [f"t = with_memory({shape}, {TARGETS[it.peers]});", *lines]

    def _operate(self, epoch, k):
        """An operation on all of its targets, each in a lock where the epoch is one of such."""
        lines = self._once(epoch, k)
        if epoch.kind == "lock" and epoch.locks == "each":
            win, it = self.home(epoch.window), self.operations[k][1]
            how = "MPI_LOCK_EXCLUSIVE" if epoch.exclusive else "MPI_LOCK_SHARED"
            held = lines if self._is_late(epoch) or not it.form else [*lines, *self._complete()]
            lines = ["if (t != MPI_PROC_NULL) {",
                     *self.calls.call(epoch.call, "Win_lock", [how, "t", self._unchecked(epoch), win], win), *held,
                     *self.calls.call(epoch.call, "Win_unlock", ["t", win], win), "}"]
        lines = self._to_targets(epoch, k, self._again(k, lines))
        return lines + (self._free_types(k) if self._frees_early(k) else [])

    def _again(self, k, lines):
        """So often that ranks meet, where all origins combine in one place."""
        it = self.operations[k][1]
        meets = it.common and not it.form and it.name not in ("fetch_and_op", "get_accumulate")
        if not meets or it.target_count * it.target.size > 256:
            return lines
        return [f"for (i = 0; i < {300 if self.ranks == 2 else 30}; i++) {{", *lines, "}"]

    def _frees_early(self, k):
        return self.operations[k][1].free_types and self.phase.steps == 1

    def _free_types(self, k):
        it = self.operations[k][1]
        return [f"MPI_Type_free(&{side}{k});" for side in ("origin", "target", "result")
                if getattr(it, side) and not getattr(it, side).basic]

    # -- epochs --------------------------------------------------------------------------------------------------------

    def _is_late(self, epoch):
        """Whether requests are completed behind the epoch."""
        return (self.phase.seed + len(epoch.operations)) % 3 == 0

    def _complete(self):
        return ["{", "MPI_Request *a = r;", "MPI_Status *s = NULL;", "int n = posted;", "(void)s;",
                completions.body(self.phase.completion, True), "posted = 0;", "}"]

    @staticmethod
    def _unchecked(epoch):
        return "MPI_MODE_NOCHECK" if epoch.nocheck else "0"

    def _fences(self, epoch, operations):
        win, only_gets = self.home(epoch.window), all(it.name == "get" for it in epoch.operations)
        first = "MPI_MODE_NOPRECEDE" + " | MPI_MODE_NOPUT" * only_gets if epoch.noted else "0"
        last = "MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE" if epoch.noted else "0"
        middle = self.calls.call(epoch.call, "Win_fence", ["0", win], win) if epoch.twice else []
        return [*self.calls.call(epoch.call, "Win_fence", [first, win], win), *sum(operations[:-1], []), *middle,
                *operations[-1], *self._finish_requests(epoch),
                *self.calls.call(epoch.call, "Win_fence", [last, win], win)]

    def _posts(self, epoch, operations):
        win, call = self.home(epoch.window), self.calls.call
        one, everybody = "MPI_Group_incl(all, 1, &{1}, &{0});", "MPI_Group_excl(all, 0, NULL, &{0});"
        origins = (one if epoch.groups == "ring" else everybody).format("origins", "before")
        targets = (everybody if epoch.groups == "all" else one).format(
            "targets", "after" if epoch.groups == "ring" else "zero")
        exposed = "if (rank == 0) {" if epoch.groups == "star" else "{"
        wait = call(epoch.call, "Win_wait", [win], win)
        if epoch.tests:
            wait = ["{", "int done = 0;", "while (!done) {", *call(epoch.call, "Win_test", [win, "&done"], win), "}",
                    "}"]
        return ["{ MPI_Group all, origins, targets; int zero = 0; (void)zero;",
                f"MPI_Win_get_group({win}, &all);", origins, targets,
                exposed, *call(epoch.call, "Win_post", ["origins", self._unchecked(epoch), win], win), "}",
                *([f"MPI_Barrier({self.comm});"] if epoch.nocheck else []),
                *call(epoch.call, "Win_start", ["targets", self._unchecked(epoch), win], win),
                "MPI_Group_free(&origins); MPI_Group_free(&targets); MPI_Group_free(&all); }",
                *sum(operations, []), *self._finish_requests(epoch),
                *call(epoch.call, "Win_complete", [win], win), exposed, *wait, "}"]

    def _locks(self, epoch, operations):
        win, call = self.home(epoch.window), self.calls.call
        late = self._finish_requests(epoch)
        if epoch.kind == "lock_all":
            last = call(epoch.call, "Win_unlock_all", [win], win)
            first = call(epoch.call, "Win_lock_all", [self._unchecked(epoch), win], win)
        elif epoch.locks == "each":
            first = last = []
        else:
            first = ["for (t = 0; t < size; t++) {", *call(epoch.call, "Win_lock", [
                "MPI_LOCK_SHARED", "t", self._unchecked(epoch), win], win), "}"]
            last = ["for (t = size - 1; t >= 0; t--) {", *call(epoch.call, "Win_unlock", ["t", win], win), "}"]
        behind = [*last, *late] if self._is_late(epoch) else [*late, *last]
        return [*first, *sum(operations, []), *behind, f"MPI_Barrier({self.comm});"]

    def _finish_requests(self, epoch):
        return self._complete() if epoch.message or any(it.form for it in epoch.operations) else []

    def _message(self, e):
        tag = 1000 + 100 * self.phase.number + e
        return [f"out{e} = rank + 100 * step;",
                f"MPI_Irecv(&in{e}, 1, MPI_INT, before, {tag}, {self.comm}, &r[posted++]);",
                f"MPI_Isend(&out{e}, 1, MPI_INT, after, {tag}, {self.comm}, &r[posted++]);"]

    def epoch(self, e):
        """An epoch, and the hash of what it has left behind."""
        epoch, w = self.phase.epochs[e], self.phase.epochs[e].window
        win, start = self.home(w), sum(len(other.operations) for other in self.phase.epochs[:e])
        numbers = range(start, start + len(epoch.operations))
        operations = [self._operate(epoch, k) for k in numbers]
        kind = {"fence": self._fences, "post": self._posts}.get(epoch.kind, self._locks)
        lines = (self._message(e) if epoch.message else []) + kind(epoch, operations)
        if epoch.passive:
            lines.append(f"MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, {win});")
        lines.append(f"h = hash_bytes(h, base{w}, (size_t)bytes_of(&shape{w}, rank));")
        if epoch.passive:
            lines.append(f"MPI_Win_unlock(rank, {win});")
        if epoch.message:
            lines.append(f"h = hash_number(h, in{e});")
        for k in numbers:
            lines += self._hash(k)
        is_last = e + 1 == len(self.phase.epochs)
        rests = epoch.rests or epoch.passive or is_last or self.phase.epochs[e + 1].passive
        return lines + ([f"MPI_Barrier({self.comm});"] if rests else [])

    def _hash(self, k):
        it = self.operations[k][1]
        lines = [f"h = hash_bytes(h, back{k}.base, back{k}.bytes);"] if it.read_back else []
        if it.name == "fetch_and_op" and it.common:  # who got which number is open, but not what all got
            c_type = NUMBERS[it.element][0]
            return ["{", "uint64_t mine = 0;", *self._to_targets(self.operations[k][0], k, [
                f"mine += (uint64_t)*({c_type} *)(into{k}.at + t * into{k}.stride);"]),
                    f"MPI_Allreduce(&mine, &sum{k}, 1, MPI_UINT64_T, MPI_SUM, {self.comm});",
                    f"h = hash_number(h, (long long)sum{k});", "}"]
        if any(name == f"into{k}" for name, _ in self._buffers(k, it)) and not it.common:
            lines.append(f"h = hash_bytes(h, into{k}.base, into{k}.bytes);")
        return lines

    def clean_up(self):
        lines = []
        for k, (_, it) in enumerate(self.operations):
            lines += [] if self._frees_early(k) else self._free_types(k)
            lines += [f"free({name}.base);" for name, _ in self._buffers(k, it)]
        return lines

    def top(self):
        """What stands before the function."""
        text = [layouts.function(getattr(it, side), f"phase{self.phase.number}_{side}{k}")
                for k, (_, it) in enumerate(self.operations) for side in ("origin", "target", "result")
                if getattr(it, side) and not getattr(it, side).basic]
        members = " ".join(f"MPI_Win win{w};" for w, _ in enumerate(self.phase.windows))
        return [f"struct phase{self.phase.number} {{ {members} int unused; }};", *text]


def _unseen(phase):
    """(declarations, text of a file that the tool does not see)."""
    if not any(it.hidden == "unseen" for epoch in phase.epochs for it in epoch.operations):
        return [], []
    head = f"void unseen_put_{phase.number}(const void *o, int on, MPI_Datatype ot, int t, MPI_Aint at, int tn, " \
        "MPI_Datatype tt, MPI_Win w)"
    return [head + ";"], [head + " {", "MPI_Put(o, on, ot, t, at, tn, tt, w);", "}"]


def function(phase, ranks, cxx):
    """(text, declarations for the common header, text of a file that the tool does not see) of a phase."""
    w = _Writer(phase, ranks, cxx)
    windows = range(len(phase.windows))
    own = {"node": [f"MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &own);"],
           "early": ["MPI_Comm_dup(comm, &own);"]}.get(phase.own, [])
    free_own = ["MPI_Comm_free(&own);"] if phase.own else []
    head = ["int rank, size, before, after, step, i, t = 0, posted = 0;", "hash_t h = HASH_START;",
            "MPI_Comm own = MPI_COMM_NULL;", "MPI_Request r[64];", "MPI_Info no_locks;",
            *[f"int in{e} = 0, out{e};" for e, epoch in enumerate(phase.epochs) if epoch.message],
            *w.declarations(), *own, f"MPI_Comm_rank({w.comm}, &rank);",
            f"MPI_Comm_size({w.comm}, &size);", "before = (rank + size - 1) % size;", "after = (rank + 1) % size;",
            "MPI_Info_create(&no_locks);",
            'MPI_Info_set(no_locks, "no_locks", "true");']
    made = [line for at in windows for line in w.make(at)] + (free_own if phase.own == "early" else [])
    freed = [line for at in (windows if phase.seed % 2 else reversed(windows)) for line in w.free(at)]
    epochs = [line for e in range(len(phase.epochs)) for line in w.epoch(e)]
    steps = [f"for (step = 0; step < {phase.steps}; step++) {{", *w.fill(), *epochs, "}"]
    body = [*w.types_and_regions(), *made, *steps, *freed, *w.clean_up()]
    declared, unseen = _unseen(phase)
    text = [*w.top(), *w.calls.wrappers.values(), f"hash_t phase{phase.number}(MPI_Comm comm) {{", *head, *body,
            *(free_own if phase.own == "node" else []), "MPI_Info_free(&no_locks);",
            "return hash_number(h, t + posted);", "}"]
    return text, [f"hash_t phase{phase.number}(MPI_Comm comm);", *declared], unseen
