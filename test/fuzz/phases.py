# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C or C++ of one phase: its variables, and the statements that its form consists of."""

import completions
import layouts

FUNCTIONS = {"": "Send", "s": "Ssend", "r": "Rsend", "b": "Bsend"}


class PhaseWriter:
    """Names of one phase's variables and the statements that use them. A lane is given by its number, or as "i" in a
    loop over all of them."""

    def __init__(self, program, phase, cxx, calls):
        self.program, self.phase, self.cxx, self.calls = program, phase, cxx, calls
        self.name = f"phase{phase.number}"
        self.lanes = phase.lanes
        self.count = len(phase.lanes)
        self.split = phase.storage not in ("local", "static")
        self.prefix = {"structure": "p->", "global": f"{self.name}_state."}.get(phase.storage, "")
        self.fields = []  # declarations of what lives as long as the phase
        self.top = []  # types and tables, before the functions
        self.shared = []  # for the common header

    # -- names ---------------------------------------------------------------------------------------------------

    def var(self, name):
        return self.prefix + name

    def at(self, name, lane):
        return f"{self.prefix}{name}[i]" if lane == "i" else f"{self.prefix}{name}{'' if self.phase.loop else lane}" + (
            f"[{lane}]" if self.phase.loop else "")

    def comm(self):
        return self.var("comm")

    def buffer(self, side, lane):
        """The address argument of in or out."""
        kind = "made" if lane == "i" else self.lanes[lane].buffers
        name = self.at(side, lane)
        if kind == "made":
            return f"{name}.at"
        return {"vector": f"{name}.data()", "static": f"&{name}[0]"}.get(kind, name)

    def extent_of_buffer(self, side, lane):
        """(address, bytes) of the whole buffer."""
        kind = "made" if lane == "i" else self.lanes[lane].buffers
        name = self.at(side, lane)
        if kind == "made":
            return f"{name}.base", f"{name}.bytes"
        if kind == "vector":
            return f"{name}.data()", f"{name}.size() * sizeof {name}[0]"
        return name, f"sizeof {name}"

    def type(self, side, lane):
        if self.phase.loop:
            return self.at(side + "_type", lane)
        layout = getattr(self.lanes[lane], "send" if side == "out" else "receive")
        return layouts.expression(layout) if layout.basic else self.at(side + "_type", lane)

    def elements(self, side, lane):
        """The count argument."""
        if lane == "i":
            return self.at(side + "_count", lane)
        n = self.lanes[lane]
        if side == "in":
            return str(n.receive_count)
        vary = {"rank": f" - {self.var('rank')} % 2", "step": " - step % 2"}.get(n.vary, "")
        return f"{n.send_count}{vary}"

    def tag(self, lane):
        phase = self.phase
        step = " + step" if phase.changing_tags else ""
        if phase.tags == "arithmetic":
            distance = self.lanes[1].tag - self.lanes[0].tag if self.count > 1 else 1
            return f"{phase.tag_base} + {distance} * {lane}{step}"
        if lane == "i":
            return self.at("tag", lane)
        value = self.lanes[lane].tag
        named = f"{self.name.upper()}_TAG_{lane}"
        written = {"literal": str(value), "macro": named, "enum": f"{self.name}_tag_{lane}",
                   "constant": f"{self.name}_tag_{lane}", "variable": self.var(f"tag_of_{lane}"),
                   "table": f"{self.name}_tags[{lane}]"}[phase.tags]
        return written + step

    def request(self, side, lane):
        """The request of a receive (in) or send (out), as an lvalue."""
        phase = self.phase
        if phase.requests == "two":
            return self.var(f"{side}_requests[{lane}]")
        if phase.requests == "singles":
            return self.var(f"{side}_request_{lane}")
        if phase.requests == "scattered":
            return self.var(f"requests[2 * {lane} + {0 if side == 'in' else 1}]")
        return self.var(f"requests[{lane}]" if side == "in" else f"requests[{self.count} + {lane}]")

    def source(self, lane):
        """Whom a lane receives from, as an argument."""
        peer = self.at("from", lane)
        wild = self.lanes[0 if lane == "i" else lane].wild
        return f"{peer} == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE" if wild else peer

    def status(self, lane):
        place = f"2 * {lane}" if self.phase.requests == "scattered" else str(lane)
        return self.var(f"statuses[{place}]")

    # -- pieces ----------------------------------------------------------------------------------------------------

    def every(self, statement):
        """statement(lane) for all lanes, written out or as a loop."""
        if self.phase.loop:
            return ["for (i = 0; i < %d; i++) {" % self.count, *statement("i"), "}"]
        return [line for lane in range(self.count) for line in statement(lane)]

    def declare(self, ctype, name, size=""):
        self.fields.append(f"{ctype} {name}{size};")

    def per_lane(self, ctype, *names):
        for name in names:
            if self.phase.loop:
                self.declare(ctype, name, f"[{self.count}]")
            else:
                for lane in range(self.count):
                    self.declare(ctype, f"{name}{lane}")

    def declare_requests(self):
        phase, count = self.phase, self.count
        static = "static " if phase.storage == "static" else ""
        if phase.requests == "two":
            self.declare(static + "MPI_Request", "in_requests", f"[{count}]")
            self.declare(static + "MPI_Request", "out_requests", f"[{count}]")
        elif phase.requests == "singles":
            for lane in range(count):
                self.declare("MPI_Request", f"in_request_{lane} = MPI_REQUEST_NULL")
                self.declare("MPI_Request", f"out_request_{lane} = MPI_REQUEST_NULL")
        elif phase.requests == "vector" and self.cxx:
            self.declare(f"std::vector<MPI_Request> requests({2 * count})", "")
        elif phase.requests == "std_array" and self.cxx:
            self.declare(f"std::array<MPI_Request, {2 * count}>", "requests")
        else:
            self.declare(static + "MPI_Request", "requests", f"[{2 * count}]")
        self.declare("MPI_Status", "statuses", f"[{2 * count}]")
        if phase.compact:
            self.declare("int", "posted", "")
            self.declare("int", "who", f"[{2 * count}]")

    def declare_all(self):
        phase = self.phase
        self.declare("MPI_Comm", "comm")
        self.declare("int", "rank, size")
        self.declare("hash_t", "h")
        self.per_lane("int", "to", "from")
        self.declare_requests()
        if phase.loop:
            self.per_lane("struct buffer", "in", "out")
            self.per_lane("MPI_Datatype", "in_type", "out_type")
            self.per_lane("int", "in_count", "out_count", "tag")
        for n, lane in enumerate(self.lanes):
            if phase.loop:
                continue
            for side, layout, count in (("in", lane.receive, lane.receive_count), ("out", lane.send, lane.send_count)):
                if not layout.basic:
                    self.declare("MPI_Datatype", f"{side}_type{n}")
                if lane.buffers == "made":
                    self.declare("struct buffer", f"{side}{n}")
                elif lane.buffers == "vector" and self.cxx:
                    self.declare(f"std::vector<{layout.c_type}> {side}{n}({max(count, 1)})", "")
                else:
                    large = lane.buffers == "static" or count * layout.size > 100000
                    self.declare(("static " if large else "") + layout.c_type, f"{side}{n}", f"[{max(count, 1)}]")
            if phase.tags == "variable":
                self.declare("int", f"tag_of_{n}")
        if phase.loop and phase.tags == "variable":
            for n in range(self.count):
                self.declare("int", f"tag_of_{n}")

    def tables(self):
        """What stands before the functions: types, names of tags, tables of peers."""
        phase = self.phase
        tags = [lane.tag for lane in self.lanes]
        if phase.tags == "macro":
            self.top += [f"#define {self.name.upper()}_TAG_{n} {tag}" for n, tag in enumerate(tags)]
        elif phase.tags == "enum":
            self.top.append("enum { " + ", ".join(f"{self.name}_tag_{n} = {tag}" for n, tag in enumerate(tags)) + " };")
        elif phase.tags == "constant":
            self.top += [f"static const int {self.name}_tag_{n} = {tag};" for n, tag in enumerate(tags)]
        elif phase.tags == "table":
            self.top.append(f"static const int {self.name}_tags[] = {{{', '.join(map(str, tags))}}};")
        for n, lane in enumerate(self.lanes):
            for side, layout in (("in", lane.receive), ("out", lane.send)):
                if not layout.basic:
                    self.top.append(layouts.function(layout, f"{self.name}_{side}_{n}"))
            if lane.peers == "table":
                inverse = [-1] * len(lane.table)
                for source, target in enumerate(lane.table):
                    if target >= 0:
                        inverse[target] = source
                for word, peers in (("to", lane.table), ("from", inverse)):
                    text = ", ".join("MPI_PROC_NULL" if peer < 0 else str(peer) for peer in peers)
                    self.top.append(f"static const int {self.name}_{word}_{n}[] = {{{text}}};")

    def peers(self, n):
        lane, to, back = self.lanes[n], self.at("to", n), self.at("from", n)
        rank, size, d = self.var("rank"), self.var("size"), lane.distance
        if lane.peers == "table":
            return [f"{to} = {self.name}_to_{n}[{rank}];", f"{back} = {self.name}_from_{n}[{rank}];"]
        if lane.peers == "cart":
            made = self.program.communicators[self.phase.communicator]
            dimensions = sum(made.numbers["keep"]) if made.kind == "cart_sub" else len(made.numbers["extents"])
            return [f"MPI_Cart_shift({self.comm()}, {n % dimensions}, {d}, &{back}, &{to});"]
        if lane.peers == "exclusive":
            return [f"{to} = ({rank} ^ {d}) < {size} ? {rank} ^ {d} : MPI_PROC_NULL;", f"{back} = {to};"]
        if lane.peers == "edge":
            other = [f"{rank} + ({step})" for step in (d, -d)]
            return [f"{word} = {peer} >= 0 && {peer} < {size} ? {peer} : MPI_PROC_NULL;"
                    for word, peer in zip((to, back), other)]
        return [f"{to} = ({rank} + {size} + ({d}) % {size}) % {size};",
                f"{back} = ({rank} + {size} - ({d}) % {size}) % {size};"]

    # -- the parts of a phase --------------------------------------------------------------------------------------

    def set_up(self, communicator):
        phase = self.phase
        lines = [f"{self.comm()} = {communicator};", f"{self.var('h')} = HASH_START;",
                 f"MPI_Comm_rank({self.comm()}, &{self.var('rank')});",
                 f"MPI_Comm_size({self.comm()}, &{self.var('size')});"]
        for n, lane in enumerate(self.lanes):
            lines += self.peers(n)
            for side, layout, count in (("in", lane.receive, lane.receive_count), ("out", lane.send, lane.send_count)):
                if phase.loop or not layout.basic:
                    made = layouts.expression(layout) if layout.basic else f"{self.name}_{side}_{n}()"
                    lines.append(f"{self.at(side + '_type', n)} = {made};")
                if lane.buffers == "made":
                    if phase.form == "replace" and side == "in":
                        continue
                    lines.append(f"{self.at(side, n)} = make_buffer({self.type(side, n)}, {count});")
            if phase.loop:
                lines.append(f"{self.at('in_count', n)} = {lane.receive_count};")
            if phase.tags == "variable":
                lines.append(f"{self.var(f'tag_of_{n}')} = {lane.tag};")
        if phase.requests != "singles":
            arrays = ["in_requests", "out_requests"] if phase.requests == "two" else ["requests"]
            size = self.count if phase.requests == "two" else 2 * self.count
            lines += [f"for (i = 0; i < {size}; i++) {self.var(array)}[i] = MPI_REQUEST_NULL;" for array in arrays]
        return lines

    def fill(self):
        """Every step starts with these: new contents, and what loops read."""
        lines = [f"memset({self.var('statuses')}, 0, sizeof {self.var('statuses')});"]
        for n, lane in enumerate(self.lanes):
            if self.phase.loop:
                vary = {"rank": f" - {self.var('rank')} % 2", "step": " - step % 2"}.get(lane.vary, "")
                lines.append(f"{self.at('out_count', n)} = {lane.send_count}{vary};")
                if self.phase.tags != "arithmetic":
                    lines.append(f"{self.at('tag', n)} = {self.tag(n)};")

        def statement(lane):
            out, out_bytes = self.extent_of_buffer("out", lane)
            seed = f"100 * {self.var('rank')} + 10 * step + {lane} + {self.phase.seed}"
            result = [f"fill_bytes({out}, {out_bytes}, {seed});"]
            if self.phase.form != "replace":
                into, in_bytes = self.extent_of_buffer("in", lane)
                result.append(f"memset({into}, 17, {in_bytes});")
            return result

        return lines + self.every(statement)

    def hash(self):
        """What came: every received buffer, holes too, and the statuses."""
        side = "out" if self.phase.form == "replace" else "in"
        h = self.var("h")

        def statement(lane):
            into, bytes_ = self.extent_of_buffer(side, lane)
            lines = [f"{h} = hash_bytes({h}, {into}, {bytes_});"]
            if self.has_statuses() and not self.phase.compact:
                # MPICH 4.0.2 gives a receive from nobody whatever status such a one had before.
                lines += [f"if ({self.at('from', lane)} != MPI_PROC_NULL)",
                          f"{h} = hash_status({h}, &{self.status(lane)}, {self.type(side, lane)});"]
            return lines

        lines = self.every(statement)
        if self.has_statuses() and self.phase.compact:
            who = f"{self.var('who')}[i]"
            lines += [f"for (i = 0; i < {self.var('posted')}; i++)", f"if ({who} >= 0)",
                      f"{h} = hash_status({h}, &{self.var('statuses')}[i], {self.var('in_type')}[{who}]);"]
        return lines

    def has_statuses(self):
        return not self.phase.ignore_statuses

    def clean_up(self):
        lines = []
        if self.phase.form == "persistent":
            lines += self.every(lambda lane: [f"MPI_Request_free(&{self.request('in', lane)});",
                                              f"MPI_Request_free(&{self.request('out', lane)});"])
        for n, lane in enumerate(self.lanes):
            for side, layout in (("in", lane.receive), ("out", lane.send)):
                if not layout.basic:
                    lines.append(f"MPI_Type_free(&{self.at(side + '_type', n)});")
                if lane.buffers == "made" and not (self.phase.form == "replace" and side == "in"):
                    lines.append(f"free({self.at(side, n)}.base);")
        return lines

    # -- operations ------------------------------------------------------------------------------------------------

    def receive(self, lane, function):
        arguments = [self.buffer("in", lane), self.elements("in", lane), self.type("in", lane), self.source(lane),
                     self.tag(lane), self.comm()]
        if function == "Recv":
            arguments.append(f"&{self.status(lane)}" if self.has_statuses() else "MPI_STATUS_IGNORE")
            return [self.calls.call(function, arguments)]
        return self._posted("in", lane, self.at("from", lane), function, arguments)

    def send(self, lane, nonblocking, ending=""):
        mode = self.lanes[0 if lane == "i" else lane].mode
        function = FUNCTIONS[mode] + ending
        arguments = [self.buffer("out", lane), self.elements("out", lane), self.type("out", lane), self.at("to", lane),
                     self.tag(lane), self.comm()]
        if not nonblocking:
            return [self.calls.call(function, arguments)]
        if not ending:
            function = "I" + function.lower()
        return self._posted("out", lane, self.at("to", lane), function, arguments)

    def _posted(self, side, lane, peer, function, arguments):
        if self.phase.compact:
            posted = self.var("posted")
            return [f"if ({peer} != MPI_PROC_NULL) {{",
                    f"{self.var('who')}[{posted}] = {lane if side == 'in' else -1};",
                    self.calls.call(function, arguments + [f"&{self.var('requests')}[{posted}++]"]), "}"]
        return [self.calls.call(function, arguments + [f"&{self.request(side, lane)}"])]

    def in_order(self, receive, send):
        """(the receives, the sends, all in the phase's order) by the statements for a lane."""
        if self.phase.loop:
            receives, sends = self.every(receive), self.every(send)
            both = receives + sends if self.phase.order[0] < self.count else sends + receives
            return receives, sends, both
        parts = [(at < self.count, receive(at) if at < self.count else send(at - self.count))
                 for at in self.phase.order]
        receives = [line for is_receive, lines in parts if is_receive for line in lines]
        sends = [line for is_receive, lines in parts if not is_receive for line in lines]
        return receives, sends, [line for _, lines in parts for line in lines]

    def between(self):
        return {"": [], "barrier": [f"MPI_Barrier({self.comm()});"],
                "allreduce": [f"{{ int one = 1, all; MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, {self.comm()}); "
                              f"{self.var('h')} += all; }}"],
                "dawdle": [f"dawdle({self.var('rank')} + step);"]}[self.phase.between]

    def completion(self, sides):
        """Complete the requests of the given sides, in the phase's way."""
        return completions.complete(self, sides)
