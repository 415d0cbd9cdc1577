# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C or C++ of a phase of collectives (draw.py)."""

import completions
import layouts
from collectives.draw import COMBINING, NUMBERS

MAKERS = {
    "dup": "MPI_Comm_dup(comm, &own);",
    "split": "MPI_Comm_split(comm, rank % 2, rank, &own);",
    "split_back": "MPI_Comm_split(comm, 0, -rank, &own);",
    "grid": "extents[0] = size; MPI_Cart_create(comm, 1, extents, periods, 0, &own);",
    "grid_2d": "MPI_Dims_create(size, 2, extents); MPI_Cart_create(comm, 2, extents, periods, 0, &own);",
    "ring": "MPI_Dist_graph_create_adjacent(comm, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, "
            "MPI_INFO_NULL, 0, &own);",
    "two_rings": "MPI_Dist_graph_create_adjacent(comm, 2, both, MPI_UNWEIGHTED, 2, both, MPI_UNWEIGHTED, "
                 "MPI_INFO_NULL, 0, &own);",
}
DIMENSIONS = {"grid": 1, "grid_2d": 2}
# Of these one side has a single part, for all or for the root; the other side's lengths depend on whose they are.
RECEIVES_PARTS = ("gather", "gatherv", "allgather", "allgatherv", "neighbor_allgather", "neighbor_allgatherv")
SENDS_PARTS = ("scatter", "scatterv")
ROOTED = ("bcast", "gather", "gatherv", "scatter", "scatterv", "reduce")
# Those for which there may be a function around the call.
WRAPPED = {
    "barrier": ("MPI_Comm comm", "comm"),
    "bcast": ("void *at, int count, MPI_Datatype type, int root, MPI_Comm comm", "at, count, type, root, comm"),
    "allreduce": ("const void *give, void *take, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm",
                  "give, take, count, type, op, comm"),
}
# Those that take the same arguments as others: where the one is called, a condition could have chosen the other.
ALIKE = {"allreduce": "scan", "scan": "exscan", "exscan": "allreduce", "reduce_scatter_block": "allreduce",
         "gather": "scatter", "scatter": "gather", "allgather": "alltoall", "alltoall": "allgather",
         "neighbor_allgather": "neighbor_alltoall", "neighbor_alltoall": "neighbor_allgather",
         "gatherv": "gatherv", "bcast": "bcast", "barrier": "barrier"}


def _function(name, form):
    return "MPI_" + ("I" + name if form == "i" else name.capitalize())


class _Call:
    """Names and pieces of operation number k of a phase."""

    def __init__(self, phase, k, cxx):
        self.phase, self.k, self.cxx, self.it = phase, k, cxx, phase.operations[k]
        self.name = self.it.name
        prefix = "own_" if self.it.own else ""
        self.me, self.size, self.comm = f"{prefix}rank", f"{prefix}size", "own" if self.it.own else "comm"
        self.seed = f"100 * rank + 10 * step + {k} + {phase.seed}"
        self.combines, self.neighbors = self.name in COMBINING, self.name.startswith("neighbor")
        self.in_place = self.it.in_place

    def is_root(self):
        return f"{self.me} == root{self.k}"

    def declarations(self):
        lines = [f"struct buffer out{self.k}, in{self.k};", f"struct parts to{self.k}, from{self.k};",
                 f"MPI_Datatype out_type{self.k}, in_type{self.k};", f"int root{self.k};",
                 f"void *give{self.k}, *take{self.k};"]
        return [] if self.name == "barrier" else lines

    # -- memory ----------------------------------------------------------------------------------------------------

    def _type(self, side):
        layout = self.it.receive if side == "in" else self.it.send
        return layout.kind if layout.basic else f"phase{self.phase.number}_{side}{self.k}()"

    def _parts(self):
        k, it = self.k, self.it
        everybody = f"{'own_all' if it.own else 'all'}"
        sources, destinations = ("sources", "destinations") if self.neighbors else (everybody, everybody)
        single = "one" if self.name in RECEIVES_PARTS + SENDS_PARTS + ("bcast",) else ""
        to = single if self.name not in SENDS_PARTS and single else destinations
        source = single if self.name not in RECEIVES_PARTS and single else sources
        on = "ON_SOURCE" if self.name in RECEIVES_PARTS else "ON_DESTINATION" if single else "ON_BOTH"
        return [f"to{k} = parts_of(&{to}, {self.me}, 1, {on}, {it.spread}, {it.send_count});",
                f"from{k} = parts_of(&{source}, {self.me}, 0, {on}, {it.spread}, {it.receive_count});"], to, source

    def _own_buffers(self, is_root):
        """What the arguments for the buffers are."""
        k, it = self.k, self.it
        give, take = f"out{k}.at", f"in{k}.at"
        if self.in_place and self.name in ("scatter", "scatterv"):
            take = f"{is_root} ? MPI_IN_PLACE : {take}"
        elif self.in_place:
            give = f"{is_root} ? MPI_IN_PLACE : {give}" if self.name in ROOTED else "MPI_IN_PLACE"
        if it.insignificant and self.name in ("gather", "gatherv", "reduce"):
            take = f"{is_root} ? {take} : NULL"
        if it.insignificant and self.name in ("scatter", "scatterv"):
            give = f"{is_root} ? {give} : NULL"
        return [f"give{k} = (void *)({give});", f"take{k} = (void *)({take});"]

    def set_up(self):
        k, it = self.k, self.it
        if self.name == "barrier":
            return []
        lines = [f"root{k} = {it.root} % {self.size};"]
        if self.combines:
            return lines + self._set_up_numbers() + self._own_buffers(self.is_root())
        lines += [f"one = one_peer(root{k});", f"out_type{k} = {self._type('out')};",
                  f"in_type{k} = {self._type('in')};"]
        parts, to, source = self._parts()
        lines += parts
        if self.name.endswith("w"):
            odd = [0 if side.structured else side.items for side in (it.send, it.receive)]
            lines += [f"give_types(&to{k}, &{to}, out_type{k}, {it.element}, {odd[0]});",
                      f"give_types(&from{k}, &{source}, in_type{k}, {it.element}, {odd[1]});"]
        lines += [f"out{k} = make_room(out_type{k}, &to{k});", f"in{k} = make_room(in_type{k}, &from{k});",
                  f"fill_bytes(out{k}.base, out{k}.bytes, {self.seed});",
                  f"fill_bytes(in{k}.base, in{k}.bytes, {self.seed} + 7);"]
        return lines + self._own_buffers(self.is_root())

    def _set_up_numbers(self):
        k, it = self.k, self.it
        ctype = NUMBERS[it.element][0]
        value = {"small": f"(({self.me} * 7 + i * 3 + step) % 11 - {k % 5})",
                 "real": f"({self.me} + 1.37) / (i % 13 + 3) * (i % 3 ? 1 : 1e5)"}.get(it.values)
        lines = [f"out_type{k} = in_type{k} = {it.element};",
                 f"to{k} = parts_of(&{'own_all' if it.own else 'all'}, {self.me}, 1, ON_DESTINATION, {it.spread}, "
                 f"{it.send_count});",
                 f"i = {self._operand()};", f"out{k} = make_buffer({it.element}, i);",
                 f"in{k} = make_buffer({it.element}, i);", f"fill_bytes(out{k}.at, out{k}.bytes, {self.seed});"]
        if value:
            lines += [f"for (i = 0; i < {self._operand()}; i++)", f"(({ctype} *)out{k}.at)[i] = ({ctype})({value});"]
        return lines + [f"memcpy(in{k}.at, out{k}.at, out{k}.bytes);"]

    def _operand(self):
        """Elements that each rank gives."""
        count = self.it.send_count
        several = {"reduce_scatter": f"to{self.k}.total", "reduce_scatter_block": f"{count} * {self.size}"}
        return several.get(self.name, str(count))

    # -- the call --------------------------------------------------------------------------------------------------

    def _side(self, which, plural):
        """Count and datatype of a side; with `plural` as the form with v or w has them."""
        k = self.k
        parts, kind = (f"to{k}", f"out_type{k}") if which == "out" else (f"from{k}", f"in_type{k}")
        if not plural:
            return f"{parts}.count[0], {kind}"
        if self.name.endswith("w"):
            places = "far_byte" if self.neighbors else "byte"
            return f"{parts}.count_of_type, {parts}.{places}, {parts}.type"
        return f"{parts}.count, {parts}.place, {kind}"

    def arguments(self):
        k, it, comm = self.k, self.it, self.comm
        if self.name == "barrier":
            return comm
        if self.name == "bcast":
            root = self.is_root()
            return (f"{root} ? out{k}.at : in{k}.at, {root} ? to{k}.count[0] : from{k}.count[0], "
                    f"{root} ? out_type{k} : in_type{k}, root{k}, {comm}")
        rooted = f"root{k}, " if self.name in ROOTED else ""
        if self.combines:
            count = f"to{k}.count" if self.name == "reduce_scatter" else it.send_count
            op = "user" if it.combine == "USER" else f"MPI_{it.combine}"
            return f"give{k}, take{k}, {count}, {it.element}, {op}, {rooted}{comm}"
        several = self.name.endswith(("v", "w"))
        given = self._side("out", several and self.name not in RECEIVES_PARTS)
        taken = self._side("in", several and self.name not in SENDS_PARTS)
        return f"give{k}, {given}, take{k}, {taken}, {rooted}{comm}"

    def style(self):
        style = self.it.call
        if style == "wrapper" and self.name not in WRAPPED or style == "lambda" and not self.cxx:
            return "direct"
        if style == "chosen" and self.name not in ALIKE:
            return "direct"
        if style == "large_count" and (self.name.endswith(("v", "w", "barrier")) or self.name == "reduce_scatter"):
            return "direct"
        return style

    def function(self):
        return _function(self.name, self.it.form)

    def wrapper(self):
        """(name, text) of the function around the call, if there is one."""
        if self.style() != "wrapper":
            return "", ""
        parameters, passed = WRAPPED[self.name]
        if self.it.form == "i":
            parameters, passed = f"{parameters}, MPI_Request *request", f"{passed}, request"
        name = f"phase{self.phase.number}_{self.it.form}{self.name}"
        return name, f"static int {name}({parameters}) {{\nreturn {self.function()}({passed});\n}}"

    def call(self):
        request = ", &r[posted]" if self.it.form == "i" else ""
        function, style = self.function(), self.style()
        if style == "large_count":
            function += "_c"
        elif style == "chosen":
            other, test = _function(ALIKE[self.name], self.it.form), f"step < {self.phase.steps}"
            function = f"({test} ? {function} : {other})"
        text = f"{self.wrapper()[0] or function}({self.arguments()}{request})"
        lines = {"two_sites": [f"if ((rank + {self.phase.seed}) % 2)", f"{text};", "else", f"{text};"],
                 "checked": [f"CHECK({text});"], "macro": [f"AS_IT_IS({text});"],
                 "lambda": [f"[&] {{ {text}; }}();"]}.get(style, [f"{text};"])
        return lines + (["posted++;"] if request else []) + (self._free_types() if self.it.free_types else [])

    # -- afterwards ------------------------------------------------------------------------------------------------

    def _free_types(self):
        if self.combines or self.name == "barrier":
            return []
        sides = [side for side, layout in (("out", self.it.send), ("in", self.it.receive)) if not layout.basic]
        return [f"MPI_Type_free(&{side}_type{self.k});" for side in sides]

    def finish(self):
        """Hash what there is, and free it."""
        k = self.k
        if self.name == "barrier":
            return []
        if self.combines:
            count = {"reduce_scatter": f"to{k}.count[{self.me}]"}.get(self.name, str(self.it.send_count))
            condition = {"reduce": f"if ({self.is_root()})", "exscan": f"if ({self.me} > 0)"}.get(self.name, "")
            lines = [condition, f"h = hash_bytes(h, in{k}.at, (size_t)({count}) * {NUMBERS[self.it.element][1]});"]
        else:
            lines = [f"h = hash_bytes(h, {side}{k}.base, {side}{k}.bytes);" for side in ("in", "out")]
        return [*filter(None, lines), *([] if self.it.free_types else self._free_types()), f"free(out{k}.base);",
                f"free(in{k}.base);"]


def _message(phase, k):
    """(declarations, statements) of a message around the ring."""
    it, tag = phase.operations[k], 1000 + 100 * phase.number + 60 + k
    return ([f"static int out{k}[{it.send_count}], in{k}[{it.send_count}];"],
            [f"fill_bytes(out{k}, sizeof out{k}, rank + step + {k});",
             f"MPI_Irecv(in{k}, {it.send_count}, MPI_INT, before, {tag}, comm, &r[posted++]);",
             f"MPI_Isend(out{k}, {it.send_count}, MPI_INT, after, {tag}, comm, &r[posted++]);"],
            [f"h = hash_bytes(h, in{k}, sizeof in{k});"])


def _refused(it, k):
    """(declarations, statements) of a collective that all members call with a wrong argument; its error's class is
    hashed."""
    size = "own_size" if it.own else "size"
    count, kind = ("-1" if it.wrong == "count" else "1"), ("MPI_DATATYPE_NULL" if it.wrong == "type" else "MPI_INT")
    side, root = f"room{k}, {count}, {kind}", f"{size if it.wrong == 'root' else 0}, "
    if it.refused == "bcast":
        arguments = f"{side}, {root}"
    elif it.refused == "reduce":
        arguments = f"room{k}, room{k} + 64, {count}, {kind}, MPI_SUM, {root}"
    else:
        arguments = f"{side}, room{k} + 64, {count}, {kind}, {root if it.refused in ROOTED else ''}"
    comm, request = ("own" if it.own else "comm"), (", &refused" if it.form == "i" else "")
    return ([f"static int room{k}[128];"],
            ["{", "MPI_Request refused = MPI_REQUEST_NULL;", "int error;", "(void)refused;",
             f"MPI_Comm_set_errhandler({comm}, MPI_ERRORS_RETURN);",
             f"MPI_Error_class({_function(it.refused, it.form)}({arguments}{comm}{request}), &error);",
             "h = hash_number(h, error);", f"MPI_Comm_set_errhandler({comm}, MPI_ERRORS_ARE_FATAL);", "}"])


def _mismatched(it):
    """Statements of a collective in which rank 1 has more or fewer elements for rank 0 than that one expects; of a
    scatter, rank 0 for rank 1. That is an error, of which MPI need not tell. What is hashed is that all came that
    should, or that some error is told."""
    count, scatters, less = it.send_count, it.refused == "scatterv", min(it.more, 0)
    giver, taker = (0, 1) if scatters else (1, 0)
    given = "given[0], MPI_INT" if it.refused == "gatherv" else "given, places, MPI_INT"
    taken = f"{count}, MPI_INT" if scatters else "counts, places, MPI_INT"
    root, request = ("" if it.refused == "alltoallv" else ", 0"), (", &one" if it.form == "i" else "")
    call = f"{_function(it.refused, it.form)}(out, {given}, in, {taken}{root}, apart{request})"
    takes, sources = {"gatherv": ("rank == 0", "size"), "scatterv": ("1", "1"), "alltoallv": ("1", "size")}[it.refused]
    first = "0" if it.refused == "gatherv" else "places[rank]"
    return ["{", "MPI_Comm apart;", "MPI_Request one = MPI_REQUEST_NULL;",
            "int error, source, right = 1, counts[64], places[64], given[64];",
            f"int *out = (int *)malloc({2 * count} * size * sizeof(int)), *in = (int *)calloc({2 * count} * size, "
            "sizeof(int));", "(void)counts; (void)one;", f"for (i = 0; i < {2 * count} * size; i++)",
            "out[i] = 1000 * rank + i % 997;", "for (i = 0; i < size; i++) {", f"counts[i] = given[i] = {count};",
            f"places[i] = {2 * count} * i;", "}", f"if (rank == {giver})", f"given[{taker}] += {it.more};",
            "MPI_Comm_dup(comm, &apart);", "MPI_Comm_set_errhandler(apart, MPI_ERRORS_RETURN);",
            "MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);", f"error = {call};",
            "if (error == MPI_SUCCESS && one != MPI_REQUEST_NULL)", "error = MPI_Wait(&one, MPI_STATUS_IGNORE);",
            f"for (source = 0; ({takes}) && source < {sources}; source++)",
            f"for (i = 0; i < {count} + (source == {giver} && rank == {taker} ? {less} : 0); i++)",
            f"right &= in[places[source] + i] == 1000 * source + ({first} + i) % 997;",
            "h = hash_number(h, error != MPI_SUCCESS || right);",
            "MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);", "MPI_Comm_free(&apart);", "free(out);",
            "free(in);", "i = 0;", "}"]


def _complete(phase):
    return ["{", "MPI_Request *a = r;", "MPI_Status *s = NULL;", "int n = posted;", "(void)s;",
            completions.body(phase.completion, True), "posted = 0;", "}"]


def _own_set_up(phase):
    made = MAKERS[phase.own]
    lines = [f"int extents[2] = {{0, 0}}, periods[2] = {{{phase.seed % 2}, {phase.seed // 2 % 2}}};",
             "int both[2] = {before, after};", "(void)extents; (void)periods; (void)both;", made,
             "MPI_Comm_rank(own, &own_rank);", "MPI_Comm_size(own, &own_size);", "own_all = all_peers(own_size);"]
    if phase.own in DIMENSIONS:
        lines.append(f"sources = destinations = grid_peers(own, {DIMENSIONS[phase.own]});")
    elif phase.own == "ring":
        lines.append("sources = one_peer(before); destinations = one_peer(after);")
    elif phase.own == "two_rings":
        lines += ["sources.count = 2; sources.who[0] = before; sources.who[1] = after;", "destinations = sources;"]
    return ["{", *lines, "}"]


def _layouts_of(phase):
    text = []
    for k, it in enumerate(phase.operations):
        for side, layout in (("out", it.send), ("in", it.receive)):
            if layout and not layout.basic:
                text.append(layouts.function(layout, f"phase{phase.number}_{side}{k}"))
    return text


def function(phase, cxx):
    """(text, declarations for the common header, text of a file that the tool does not see) of a phase."""
    number = phase.number
    declared, before, during, after, wrappers, unseen = [], [], [], [], {}, []
    for k, it in enumerate(phase.operations):
        comm = "own" if it.own else "comm"
        if it.name == "complete":
            during += _complete(phase)
        elif it.name == "refused":
            for into, lines in zip((declared, during), _refused(it, k)):
                into.extend(lines)
        elif it.name == "mismatched":
            during += _mismatched(it)
        elif it.name == "value":
            during.append(f"{{ int (*wait)(MPI_Comm) = MPI_Barrier; wait({comm}); }}")
        elif it.name == "unseen":
            unseen = [f"void unseen_sum_{number}(MPI_Comm comm, int *sum) {{", "int one = *sum;",
                      "MPI_Allreduce(&one, sum, 1, MPI_INT, MPI_SUM, comm);", "}"]
            during.append(f"i = rank; unseen_sum_{number}({comm}, &i); h = hash_number(h, i);")
        elif it.name == "message":
            for into, lines in zip((declared, during, after), _message(phase, k)):
                into.extend(lines)
        else:
            call = _Call(phase, k, cxx)
            declared += call.declarations()
            before += call.set_up()
            during += call.call()
            after += call.finish()
            wrappers.update([call.wrapper()])
    free_own = ["MPI_Comm_free(&own);"] if phase.own else []
    early = phase.seed % 3 == 0  # while the operations on it are under way
    body = [*(_own_set_up(phase) if phase.own else []), *before, *during, *(free_own if early else []),
            *_complete(phase), *([] if early else free_own), *after]
    head = ["int rank, size, before, after, step, own_rank = 0, own_size = 1, i = 0, posted = 0;",
            "hash_t h = HASH_START;", "MPI_Comm own = MPI_COMM_NULL;", "MPI_Request r[64];", "MPI_Op user;",
            "struct peers all, own_all, sources, destinations, one;", *declared,
            "MPI_Comm_rank(comm, &rank);", "MPI_Comm_size(comm, &size);", "before = (rank + size - 1) % size;",
            "after = (rank + 1) % size;", "all = all_peers(size);", "own_all = sources = destinations = one = all;",
            "(void)own, (void)one, (void)sources, (void)destinations, (void)own_all, (void)own_rank, (void)own_size;",
            "MPI_Op_create(keep_left, 0, &user);"]
    text = [*_layouts_of(phase), *filter(None, wrappers.values()), f"hash_t phase{number}(MPI_Comm comm) {{", *head,
            f"for (step = 0; step < {phase.steps}; step++) {{", *body, "}", "MPI_Op_free(&user);",
            "return hash_number(h, i);", "}"]
    declarations = [f"hash_t phase{number}(MPI_Comm comm);"]
    if unseen:
        declarations.append(f"void unseen_sum_{number}(MPI_Comm comm, int *sum);")
    return text, declarations, unseen
