# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes single calls of one-sided functions in the ways in which programs call them."""

_ORIGIN = "const void *o, int on, MPI_Datatype ot"
_INTO = "void *o, int on, MPI_Datatype ot"
_TARGET = "int t, MPI_Aint at, int tn, MPI_Datatype tt"
_MADE = "MPI_Aint n, int unit, MPI_Info info, MPI_Comm c"
# The parameters of functions that a function of the program's may be around.
_PARAMETERS = {
    "Put": f"{_ORIGIN}, {_TARGET}, MPI_Win w",
    "Get": f"{_INTO}, {_TARGET}, MPI_Win w",
    "Accumulate": f"{_ORIGIN}, {_TARGET}, MPI_Op op, MPI_Win w",
    "Get_accumulate": f"{_ORIGIN}, void *r, int rn, MPI_Datatype rt, {_TARGET}, MPI_Op op, MPI_Win w",
    "Fetch_and_op": "const void *o, void *r, MPI_Datatype tt, int t, MPI_Aint at, MPI_Op op, MPI_Win w",
    "Compare_and_swap": "const void *o, const void *c, void *r, MPI_Datatype tt, int t, MPI_Aint at, MPI_Win w",
    "Win_create": f"void *m, {_MADE}, MPI_Win *w",
    "Win_allocate": f"{_MADE}, void *m, MPI_Win *w",
    "Win_allocate_shared": f"{_MADE}, void *m, MPI_Win *w",
    "Win_fence": "int how, MPI_Win w",
    "Win_post": "MPI_Group g, int how, MPI_Win w",
    "Win_start": "MPI_Group g, int how, MPI_Win w",
    "Win_complete": "MPI_Win w",
    "Win_wait": "MPI_Win w",
    "Win_test": "MPI_Win w, int *done",
    "Win_lock": "int type, int t, int how, MPI_Win w",
    "Win_unlock": "int t, MPI_Win w",
    "Win_lock_all": "int how, MPI_Win w",
    "Win_unlock_all": "MPI_Win w",
    "Win_flush": "int t, MPI_Win w",
    "Win_flush_local": "int t, MPI_Win w",
    "Win_flush_all": "MPI_Win w",
    "Win_flush_local_all": "MPI_Win w",
}
_LARGE = ("Put", "Get", "Accumulate", "Get_accumulate", "Win_create", "Win_allocate", "Win_allocate_shared")


class Calls:
    """Of one phase; the functions around calls are its own."""

    def __init__(self, phase, cxx):
        self.phase, self.cxx = phase, cxx
        self.wrappers = {}  # name: text

    def _wrapper(self, function, with_request):
        name = f"phase{self.phase.number}_{function.lower()}"
        parameters = _PARAMETERS[function[1:].capitalize() if with_request else function]
        if with_request:
            parameters += ", MPI_Request *q"
        passed = ", ".join(words.split()[-1].lstrip("*") for words in parameters.split(", "))
        self.wrappers[name] = f"static int {name}({parameters}) {{\nreturn MPI_{function}({passed});\n}}"
        return name

    def call(self, style, function, arguments, window):
        """The lines that call MPI_<function>; window is the expression among the arguments that is the handle's."""
        with_request = function[0] == "R"
        text = ", ".join(arguments)
        plain = f"MPI_{function}({text})"
        base = function[1:].capitalize() if with_request else function
        if style == "large_count" and base in _LARGE:
            return [f"MPI_{function}_c({text});"]
        if style == "two_sites":
            return [f"if ((rank + {self.phase.seed}) % 2)", f"{plain};", "else", f"{plain};"]
        if style == "copy" and window in arguments:
            copied = ", ".join("copy" if argument == window else argument for argument in arguments)
            return [f"{{ MPI_Win copy = {window}; MPI_{function}({copied}); }}"]
        if style == "wrapper" and base in _PARAMETERS:
            return [f"{self._wrapper(function, with_request)}({text});"]
        if style == "lambda" and self.cxx:
            return [f"[&] {{ {plain}; }}();"]
        return [{"checked": f"CHECK({plain});", "macro": f"AS_IT_IS({plain});"}.get(style, f"{plain};")]
