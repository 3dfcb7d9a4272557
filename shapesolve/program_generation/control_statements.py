"""Statements with regions, blocks and calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.program_generation.writing import FLOATS, Nothing, Shaped, Type, Writer, tensor

Statement = Callable[[Writer], None]
Weighted = Sequence[tuple[float, Statement]]


def statements(w: Writer, weighted: Weighted) -> None:
    """As many statements as are left."""
    w.weighted = weighted
    weights, kinds = [each for each, _ in weighted], [each for _, each in weighted]
    tries = 4 * w.left + 4
    while w.left > 0 and tries > 0:
        tries -= 1
        (kind,) = w.chance.choices(kinds, weights)
        if w.depth >= 3 and kind in DEEP:
            continue
        mark, names = len(w.lines), {type: list(found) for type, found in w.scope.items()}
        try:
            kind(w)
            w.left -= 1
        except Nothing:
            del w.lines[mark:]
            w.scope = names


def body(w: Writer, most: int = 3) -> None:
    """A few statements inside a region."""
    outer, w.left = w.left, w.chance.randint(0, most)
    statements(w, w.weighted)
    w.left = max(0, outer - 1)


def _yield(w: Writer, types: Sequence[Type], word: str) -> None:
    if types:
        w.line(f"{word} {', '.join(w.pick(each) for each in types)} : {', '.join(map(str, types))}")
    elif word.startswith("affine"):
        w.line(word)
    else:
        w.line(word)


def _carried(w: Writer) -> list[Type]:
    choices: list[Type] = ["index", "index", "i8", "i32", *(each for each in FLOATS if w.scope.get(each))]
    tensors: list[Type] = [each for each in w.scope if isinstance(each, Shaped) and each.container == "tensor"]
    return [
        w.chance.choice(tensors if tensors and w.maybe(0.35) else choices)
        for _ in range(w.chance.choice((0, 0, 1, 1, 2)))
    ]


def _head(w: Writer, types: Sequence[Type]) -> tuple[str, list[str]]:
    names = [w.name("r") for _ in types]
    return (f"{', '.join(names)} = " if names else ""), names


def _arrow(types: Sequence[Type]) -> str:
    return f" -> ({', '.join(map(str, types))})" if types else ""


def if_(w: Writer) -> None:
    """scf.if, with and without results."""
    condition, types = w.pick("i1"), _carried(w)
    for each in types:
        w.pick(each)
    head, names = _head(w, types)
    w.line(f"{head}scf.if {condition}{_arrow(types)} {{")
    with w.inside():
        body(w)
        _yield(w, types, "scf.yield")
    if types or w.maybe(0.5):
        w.line("} else {")
        with w.inside():
            body(w)
            _yield(w, types, "scf.yield")
    w.line("}")
    for name, type in zip(names, types, strict=True):
        w.define(name, type)


def for_(w: Writer) -> None:
    """scf.for: a few iterations, or none."""
    lower, upper = w.pick("index"), w.pick("index")
    if w.maybe(0.6):
        lower = w.constant(w.chance.choice((0, 0, 1)))
    if w.maybe(0.3):
        upper = w.constant(w.chance.choice((0, 1, 2, 3)))
    by = w.constant(w.chance.choice((1, 1, 1, 2, 3))) if w.maybe(0.93) else w.pick("index")
    types = _carried(w)
    initial = [w.pick(each) for each in types]
    head, names = _head(w, types)
    counter, inner = w.name("i"), [w.name("x") for _ in types]
    pairs = ", ".join(f"{x} = {value}" for x, value in zip(inner, initial, strict=True))
    w.line(
        f"{head}scf.for {counter} = {lower} to {upper} step {by}"
        f"{f' iter_args({pairs})' if types else ''}{_arrow(types)} {{"
    )
    with w.inside((counter, "index"), *zip(inner, types, strict=True)):
        body(w)
        _yield(w, types, "scf.yield")
    w.line("}")
    for name, type in zip(names, types, strict=True):
        w.define(name, type)


def while_(w: Writer) -> None:
    """scf.while that counts up to a limit, or stops at once."""
    start, limit = w.pick("index"), w.pick("index")
    one = w.constant(w.chance.choice((1, 1, 2)))
    result, x, y, p, z = w.name("r"), w.name("x"), w.name("y"), w.name("p"), w.name("z")
    w.line(f"{result} = scf.while ({x} = {start}) : (index) -> index {{")
    with w.inside((x, "index")):
        if w.maybe(0.3):
            body(w, 2)
        w.line(f"{p} = arith.cmpi {w.one_of('slt', 'sle', 'ult')}, {x}, {limit} : index")
        w.line(f"scf.condition({p}) {x} : index")
    w.line("} do {")
    w.line(f"^bb0({y}: index):")
    with w.inside((y, "index")):
        body(w, 2)
        w.line(f"{z} = arith.addi {y}, {one} : index")
        w.line(f"scf.yield {z} : index")
    w.line("}")
    w.define(result, "index")


def blocks(w: Writer) -> None:
    """A branch between blocks, in scf.execute_region."""
    condition, result = w.pick("i1"), w.name("r")
    first, second, last = (f"^{w.name('b')[1:]}" for _ in range(3))
    joined = w.name("j")
    w.line(f"{result} = scf.execute_region -> index {{")
    w.depth += 1
    w.line(f"cf.cond_br {condition}, {first}, {second}")
    for label in (first, second):
        w.lines.append("  " * w.depth + f"{label}:")
        with w.inside():
            body(w, 2)
            w.line(f"cf.br {last}({w.pick('index')} : index)")
    w.lines.append("  " * w.depth + f"{last}({joined}: index):")
    w.line(f"scf.yield {joined} : index")
    w.depth -= 1
    w.line("}")
    w.define(result, "index")


def top_level_blocks(w: Writer) -> None:
    """A branch between blocks of the function itself; the rest of it is the last block."""
    if w.depth:
        raise Nothing
    condition = w.pick("i1")
    first, second, last = (f"^{w.name('b')[1:]}" for _ in range(3))
    joined = w.name("j")
    if w.maybe(0.3):
        flag = w.pick("i32")
        w.line(f"cf.switch {flag} : i32, [default: {first}, {w.chance.choice((0, 1, 2))}: {second}]")
    else:
        w.line(f"cf.cond_br {condition}, {first}, {second}")
    for label in (first, second):
        w.lines.append(f"{label}:")
        with w.inside():
            w.depth -= 1
            body(w, 2)
            w.line(f"cf.br {last}({w.pick('index')} : index)")
            w.depth += 1
    w.lines.append(f"{last}({joined}: index):")
    w.define(joined, "index")


def graph(w: Writer) -> None:
    """Several blocks in scf.execute_region: ways forward, arguments, and now and then a way back."""
    count, result = w.chance.choice((2, 3, 3, 4)), w.name("r")
    labels = [f"^{w.name('b')[1:]}" for _ in range(count + 1)]
    joined = [w.name("j") for _ in labels]
    circles = w.maybe(0.35)
    w.line(f"{result} = scf.execute_region -> index {{")
    w.depth += 1

    def branch(least: int) -> str:
        target = w.chance.choice(labels[least:])
        return f"{target}({w.pick('index')} : index)"

    def leave(number: int) -> None:
        least = number + 1 if not (circles and number >= 0 and w.maybe(0.3)) else max(0, number - 1)
        if w.maybe(0.25):
            w.line(f"cf.br {branch(number + 1)}")
        elif w.maybe(0.8):
            w.line(f"cf.cond_br {w.pick('i1')}, {branch(number + 1)}, {branch(least)}")
        else:
            default = branch(number + 1)
            cases = f"{w.chance.choice((0, 1, -1))}: {branch(least)}, 2: {branch(number + 1)}"
            w.line(f"cf.switch {w.pick('i32')} : i32, [default: {default}, {cases}]")

    leave(-1)
    for number, (label, argument) in enumerate(zip(labels, joined, strict=True)):
        w.lines.append("  " * w.depth + f"{label}({argument}: index):")
        with w.inside((argument, "index")):
            body(w, 2)
            if number == count:
                w.line(f"scf.yield {w.pick('index')} : index")
            else:
                leave(number)
    w.depth -= 1
    w.line("}")
    w.define(result, "index")


def carrying_while(w: Writer) -> None:
    """scf.while that carries several values, permutes them in its condition, and counts one of them."""
    count = w.chance.choice((2, 2, 3))
    types: list[Type] = ["index", *(w.chance.choice(("index", "index", "i8", "i32")) for _ in range(count - 1))]
    initial = [w.pick(each) for each in types]
    names, x, y = [w.name("r") for _ in types], [w.name("x") for _ in types], [w.name("y") for _ in types]
    spelled, pairs = ", ".join(map(str, types)), ", ".join(f"{a} = {b}" for a, b in zip(x, initial, strict=True))
    limit, p = w.pick("index"), w.name("p")
    w.line(f"{', '.join(names)} = scf.while ({pairs}) : ({spelled}) -> ({spelled}) {{")

    with w.inside(*zip(x, types, strict=True)):
        if w.maybe(0.2):
            body(w, 1)
        w.line(f"{p} = arith.cmpi {w.one_of('slt', 'slt', 'sle', 'ne')}, {x[0]}, {limit} : index")
        others = [name if w.maybe(0.6) else w.pick(type) for name, type in zip(x[1:], types[1:], strict=True)]
        w.line(f"scf.condition({p}) {', '.join([x[0], *others])} : {spelled}")
    w.line("} do {")
    w.line(f"^bb0({', '.join(f'{a}: {t}' for a, t in zip(y, types, strict=True))}):")
    with w.inside(*zip(y, types, strict=True)):
        body(w, 2)
        step = w.constant(w.chance.choice((1, 1, 2)))
        following = w.emit(f"arith.addi {y[0]}, {step} : index", "index")
        w.line(f"scf.yield {', '.join([following, *(w.pick(each) for each in types[1:])])} : {spelled}")
    w.line("}")
    for name, type in zip(names, types, strict=True):
        w.define(name, type)


def index_switch(w: Writer) -> None:
    """scf.index_switch."""
    flag, result = w.pick("index"), w.name("r")
    w.line(f"{result} = scf.index_switch {flag} -> index")
    for label in (*(f"case {number}" for number in w.chance.sample(range(4), w.chance.choice((1, 2)))), "default"):
        w.line(f"{label} {{")
        with w.inside():
            body(w, 2)
            w.line(f"scf.yield {w.pick('index')} : index")
        w.line("}")
    w.define(result, "index")


def parallel(w: Writer) -> None:
    """scf.parallel without a reduction."""
    upper, zero, one, counter = w.pick("index"), w.constant(0), w.constant(1), w.name("i")
    w.line(f"scf.parallel ({counter}) = ({zero}) to ({upper}) step ({one}) {{")
    with w.inside((counter, "index")):
        body(w, 2)
        w.line("scf.reduce")
    w.line("}")


def affine_for(w: Writer) -> None:
    """affine.for up to an argument or a dimension; only at the top are these symbols."""
    sizes = [each for each in w.scope.get("index", []) if each.startswith(("%d", "%c"))]
    if w.depth or not sizes:
        raise Nothing
    counter, bound = w.name("i"), w.chance.choice(sizes)
    limit = w.one_of(
        f"{bound}",
        f"affine_map<(d0) -> (d0 floordiv 2)>({bound})",
        f"min affine_map<(d0) -> (d0, 3)>({bound})",
        "3",
        "0",
    )
    step = w.one_of("", "", " step 2")
    types: list[Type] = ["index"] if w.maybe(0.3) else []
    head, names = _head(w, types)
    x = w.name("x")
    carried = f" iter_args({x} = {w.pick('index')})" if types else ""
    w.line(f"{head}affine.for {counter} = {w.one_of('0', '0', '1')} to {limit}{step}{carried}{_arrow(types)} {{")
    with w.inside((counter, "index"), *([(x, "index")] if types else [])):
        body(w)
        _yield(w, types, "affine.yield") if types else None
    w.line("}")
    for name in names:
        w.define(name, "index")


def affine_apply(w: Writer) -> None:
    """affine.apply, min and max on arguments, extents and constants."""
    sizes = [each for each in w.scope.get("index", []) if each.startswith(("%d", "%c"))]
    if w.depth or len(sizes) < 2:
        raise Nothing
    a, b = w.chance.choice(sizes), w.chance.choice(sizes)
    expression = w.one_of(
        "d0 + s0", "d0 * 2 - s0", "d0 floordiv 2", "d0 mod 3 + s0", "d0 ceildiv 2 - s0", "d0 - s0 + 1"
    )
    if w.maybe(0.5):
        w.emit(f"affine.apply affine_map<(d0)[s0] -> ({expression})>({a})[{b}]", "index")
    else:
        w.emit(f"affine.{w.one_of('min', 'max')} affine_map<(d0)[s0] -> ({expression}, s0, 4)>({a})[{b}]", "index")


def affine_if(w: Writer) -> None:
    """affine.if on extents."""
    sizes = [each for each in w.scope.get("index", []) if each.startswith(("%d", "%c"))]
    if w.depth or len(sizes) < 2:
        raise Nothing
    a, b, result = w.chance.choice(sizes), w.chance.choice(sizes), w.name("r")
    if w.maybe(0.2):
        condition = w.one_of("d0 mod s0 == 0", "s0 - 1 >= 0, d0 floordiv s0 - 1 >= 0", "d0 ceildiv (s0 - 1) - 2 >= 0")
        w.line(f"{result} = affine.if affine_set<(d0)[s0] : ({condition})>({a})[{b}] -> index {{")
    else:
        condition = w.one_of("d0 - d1 >= 0", "d0 - d1 == 0", "d0 mod 2 == 0, d1 - 1 >= 0", "d0 + d1 - 3 >= 0")
        w.line(f"{result} = affine.if affine_set<(d0, d1) : ({condition})>({a}, {b}) -> index {{")
    for last in (False, True):
        with w.inside():
            body(w, 2)
            w.line(f"affine.yield {w.pick('index')} : index")
        w.line("}" if last else "} else {")
    w.define(result, "index")


def linearize(w: Writer) -> None:
    """Places in row-major order, there and back."""
    basis = f"({w.chance.choice((2, 3, 4))}, {w.chance.choice((1, 2, 5))})"
    if w.maybe(0.5):
        a, b = w.name(), w.name()
        w.line(f"{a}, {b} = affine.delinearize_index {w.pick('index')} into {basis} : index, index")
        w.define(a, "index")
        w.define(b, "index")
    else:
        w.emit(f"affine.linearize_index [{w.pick('index')}, {w.pick('index')}] by {basis} : index", "index")


def call(w: Writer) -> None:
    """A call of a private function."""
    if not w.callees:
        raise Nothing
    callee = w.chance.choice(w.callees)
    given = [w.pick(each) for each in callee.arguments]
    head, names = _head(w, callee.results)
    types = ", ".join(map(str, callee.arguments))
    results = ", ".join(map(str, callee.results))
    w.line(f"{head}func.call @{callee.name}({', '.join(given)}) : ({types}) -> ({results})")
    for name, type in zip(names, callee.results, strict=True):
        w.define(name, type)


def generic_with_check(w: Writer) -> None:
    """A structured operation whose body checks something."""
    name, type = w.shaped(lambda each: each.container == "tensor" and each.rank == 1 and each.element == "f32")
    result, x, y, i = w.name("t"), w.name("x"), w.name("y"), w.name("i")
    w.line(
        f"{result} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
        f'iterator_types = ["parallel"]}} ins({name} : {type}) outs({name} : {type}) {{'
    )
    w.line(f"^bb0({x}: f32, {y}: f32):")
    with w.inside():
        w.line(f"{i} = linalg.index 0 : index")
        w.define(i, "index")
        body(w, 2)
        w.line(f"linalg.yield {x} : f32")
    w.line(f"}} -> {type}")
    w.define(result, type)


DEEP = {if_, for_, while_, carrying_while, blocks, graph, index_switch, parallel, generic_with_check}
CONTROL: list[tuple[float, Statement]] = [
    (3, if_),
    (2.2, for_),
    (0.8, while_),
    (0.6, carrying_while),
    (0.7, blocks),
    (0.6, graph),
    (0.7, top_level_blocks),
    (0.6, index_switch),
    (0.4, parallel),
    (0.9, affine_for),
    (0.9, affine_apply),
    (0.6, affine_if),
    (0.5, linearize),
    (2, call),
    (0.4, generic_with_check),
]

__all__ = ["CONTROL", "statements", "tensor"]
