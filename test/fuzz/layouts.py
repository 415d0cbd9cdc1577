# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random MPI datatypes for the generated programs: how large they are, and the C that makes them."""

from dataclasses import dataclass, field, replace

# name: (C type, bytes)
BASICS = {
    "MPI_INT": ("int", 4),
    "MPI_DOUBLE": ("double", 8),
    "MPI_FLOAT": ("float", 4),
    "MPI_CHAR": ("char", 1),
    "MPI_BYTE": ("unsigned char", 1),
    "MPI_SHORT": ("short", 2),
    "MPI_LONG": ("long", 8),
    "MPI_UINT64_T": ("uint64_t", 8),
}


@dataclass(frozen=True)
class Layout:
    """A datatype: a basic one by its MPI name, or a constructor over inner layouts with its arguments."""

    kind: str
    inner: tuple = ()
    numbers: dict = field(default_factory=dict)
    items: int = 1  # basic elements in one item
    size: int = 1  # bytes of data in one item
    span: int = 1  # no less than the bytes from the first to the last of an item, and than its extent

    @property
    def basic(self):
        return not self.inner

    @property
    def structured(self):
        """Whether different basic types are in it."""
        return self.kind == "struct" or any(inner.structured for inner in self.inner)

    @property
    def c_type(self):
        """The C type of the elements of a basic layout."""
        return BASICS[self.kind][0]


def basic(name):
    bytes_ = BASICS[name][1]
    return Layout(name, (), {}, 1, bytes_, bytes_)


def _derived(kind, inner, items, span, **numbers):
    return Layout(kind, (inner,), numbers, items * inner.items, items * inner.size, span)


def contiguous(inner, count):
    return _derived("contiguous", inner, count, count * inner.span, count=count)


def vector(inner, count, length, stride):
    return _derived("vector", inner, count * length, ((count - 1) * stride + length) * inner.span,
                    count=count, length=length, stride=stride)


def hvector(inner, count, length, gap):
    stride = length * inner.span + 8 * gap
    return _derived("hvector", inner, count * length, count * stride, count=count, length=length, stride=stride)


def indexed(inner, lengths, gaps, in_bytes=False):
    """Blocks of the given lengths, each a gap after the one before."""
    places, at = [], 0
    for length, gap in zip(lengths, gaps):
        at += gap
        places.append(at)
        at += length
    if in_bytes:
        return _derived("hindexed", inner, sum(lengths), at * (inner.span + 8), lengths=lengths,
                        places=[place * (inner.span + -inner.span % 8) - 16 for place in places])
    return _derived("indexed", inner, sum(lengths), at * inner.span, lengths=lengths, places=places)


def subarray(inner, sizes, subsizes, starts, order):
    items, whole = 1, 1
    for part, size in zip(subsizes, sizes):
        items, whole = items * part, whole * size
    return _derived("subarray", inner, items, whole * inner.span, sizes=sizes, subsizes=subsizes, starts=starts,
                    order=order)


def resized(inner, lower, extent):
    return replace(_derived("resized", inner, 1, max(extent, inner.span), lower=lower, extent=extent))


def struct(blocks, gaps):
    """blocks: [(length, name of a basic type)], each a gap of so many times 8 bytes after the one before."""
    places, at, items, size = [], 0, 0, 0
    for (length, name), gap in zip(blocks, gaps):
        at += -at % 8 + 8 * gap
        places.append(at)
        at += length * BASICS[name][1]
        items, size = items + length, size + length * BASICS[name][1]
    return Layout("struct", tuple(basic(name) for _, name in blocks),
                  {"lengths": [length for length, _ in blocks], "places": places}, items, size, at + -at % 16)


def _random_over(rng, inner, depth):
    """A constructor over inner whose parts do not overlap, so that it may receive."""
    kind = rng.choice(["contiguous", "vector", "vector", "hvector", "indexed", "hindexed", "subarray", "resized"])
    few = rng.choice([1, 2, 3, 5, 17])
    if kind == "contiguous":
        made = contiguous(inner, rng.choice([2, 3, 8, 64]))
    elif kind == "vector":
        length = rng.randint(1, 4)
        made = vector(inner, few, length, length + rng.choice([0, 1, 1, 3, 8]))
    elif kind == "hvector":
        made = hvector(inner, few, rng.randint(1, 4), rng.randint(0, 3))
    elif kind in ("indexed", "hindexed"):
        lengths = [rng.randint(0, 5) for _ in range(few)] + [rng.randint(1, 4)]
        gaps = [rng.randint(0, 4) for _ in lengths]
        made = indexed(inner, lengths, gaps, in_bytes=kind == "hindexed")
    elif kind == "subarray":
        sizes = [rng.randint(2, 6) for _ in range(rng.randint(1, 3))]
        subsizes = [rng.randint(1, size) for size in sizes]
        starts = [rng.randint(0, size - part) for size, part in zip(sizes, subsizes)]
        made = subarray(inner, sizes, subsizes, starts, rng.choice(["MPI_ORDER_C", "MPI_ORDER_FORTRAN"]))
    else:
        made = resized(inner, rng.choice([0, 0, -8, 8]), inner.span + -inner.span % 8 + 8 * rng.randint(0, 3))
    return made if depth <= 1 or rng.random() < 0.6 else _random_over(rng, made, depth - 1)


def random_layout(rng, name):
    """A layout of nothing but elements of the basic type name."""
    start = basic(name)
    return start if rng.random() < 0.55 else _random_over(rng, start, 3)


def random_structs(rng):
    """Two layouts of the same mixed elements, which may match."""
    blocks = [(rng.randint(1, 6), rng.choice(list(BASICS))) for _ in range(rng.randint(2, 4))]
    pair = [struct(blocks, [rng.randint(0, 2) for _ in blocks]) for _ in range(2)]
    if rng.random() < 0.3:
        pair[0] = resized(pair[0], 0, pair[0].span + 16)
    if rng.random() < 0.5:
        pair[1] = pair[0]
    return pair


def columns(rng, name):
    """Columns of a matrix, one after the other: items that lie inside one another without overlapping. Returns the
    layout and how many columns there are."""
    rows, width = rng.randint(2, 20), rng.randint(2, 8)
    column = vector(basic(name), rows, 1, width)
    return replace(resized(column, 0, BASICS[name][1]), span=column.span), width


def expression(layout):
    """The name of the handle of a basic layout."""
    return layout.kind


def _list(numbers):
    return "{" + ", ".join(str(number) for number in numbers) + "}"


def _make(layout, lines, depth):
    """Append the statements that make layout; return the expression of its handle."""
    if layout.basic:
        return layout.kind
    n, name = layout.numbers, f"t{depth}"
    inner = [_make(part, lines, depth + 1) for part in layout.inner]
    old = inner[0]
    lines.append(f"MPI_Datatype {name};")
    if layout.kind == "contiguous":
        lines.append(f"MPI_Type_contiguous({n['count']}, {old}, &{name});")
    elif layout.kind == "vector":
        lines.append(f"MPI_Type_vector({n['count']}, {n['length']}, {n['stride']}, {old}, &{name});")
    elif layout.kind == "hvector":
        lines.append(f"MPI_Type_create_hvector({n['count']}, {n['length']}, {n['stride']}, {old}, &{name});")
    elif layout.kind in ("indexed", "hindexed"):
        place, call = ("int", "MPI_Type_indexed") if layout.kind == "indexed" else ("MPI_Aint",
                                                                                   "MPI_Type_create_hindexed")
        lines += [f"int lengths{depth}[] = {_list(n['lengths'])};", f"{place} places{depth}[] = {_list(n['places'])};",
                  f"{call}({len(n['lengths'])}, lengths{depth}, places{depth}, {old}, &{name});"]
    elif layout.kind == "subarray":
        for part in ("sizes", "subsizes", "starts"):
            lines.append(f"int {part}{depth}[] = {_list(n[part])};")
        lines.append(f"MPI_Type_create_subarray({len(n['sizes'])}, sizes{depth}, subsizes{depth}, starts{depth}, "
                     f"{n['order']}, {old}, &{name});")
    elif layout.kind == "resized":
        lines.append(f"MPI_Type_create_resized({old}, {n['lower']}, {n['extent']}, &{name});")
    elif layout.kind == "struct":
        lines += [f"int lengths{depth}[] = {_list(n['lengths'])};", f"MPI_Aint places{depth}[] = {_list(n['places'])};",
                  f"MPI_Datatype parts{depth}[] = {{{', '.join(inner)}}};",
                  f"MPI_Type_create_struct({len(inner)}, lengths{depth}, places{depth}, parts{depth}, &{name});"]
    else:
        raise ValueError(layout.kind)
    if layout.kind != "struct" and not layout.inner[0].basic:
        lines.append(f"MPI_Type_free(&{old});")
    return name


def function(layout, name):
    """A C function called name that returns a new, committed datatype with this layout."""
    lines = []
    handle = _make(layout, lines, 0)
    body = "\n".join(lines)
    return f"static MPI_Datatype {name}(void) {{\n{body}\nMPI_Type_commit(&{handle});\nreturn {handle};\n}}\n"
