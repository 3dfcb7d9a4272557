"""Tests of folds to one alternative: equal branches, decided selects, loops of one iteration."""

from __future__ import annotations

import pytest
from support.pruned_programs import fates, ops, prune

from shapesolve.pruning.result import PruneResult

MAPS = """
#same = affine_map<(i) -> (i)>
#first = affine_map<(i) -> (0)>
#square = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (0, j)>
"""
ARGUMENTS = "%a: tensor<?xf32>, %b: tensor<?xf32>, %s: tensor<?x?xf32>, %n: index, %m: index, %k: i1"
HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.dim %b, %c0 : tensor<?xf32>
  %p = tensor.dim %s, %c0 : tensor<?x?xf32>
  %q = tensor.dim %s, %c1 : tensor<?x?xf32>
  %one = arith.cmpi eq, %d, %c1 : index
"""


def function(text: str, result: str = "tensor<?xf32>", name: str = "%r") -> str:
    """A function that computes one value."""
    end = f"  return {name} : {result}" if result else "  return"
    return f"{MAPS}func.func @f({ARGUMENTS}) -> ({result}) {{{HEAD}{text}\n{end}\n}}"


def moving(source: str, out: str, name: str, maps: str = "#first, #same", body: str = "%in", type: str = "?") -> str:
    """A loop nest that writes one value to every position."""
    rank = "x?" if "square" in maps else ""
    kinds = '"parallel", "parallel"' if rank else '"parallel"'
    into = f"tensor<{type}{rank}xf32>"
    given = f"tensor<?{rank}xf32>"
    return (
        f"""
    {name} = linalg.generic {{indexing_maps = [affine_map<{maps.split(", ")[0]}>, affine_map<{maps.split(", ")[1]}>],
      iterator_types = [{kinds}]}} ins({source} : {given}) outs({out} : {into}) {{
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %in : f32
      linalg.yield {body} : f32
    }} -> {into}""".replace("affine_map<#", "#")
        .replace("same>", "same")
        .replace("first>", "first")
        .replace("square>", "square")
        .replace("turned>", "turned")
        .replace("row>", "row")
        .replace(
            "      %sum = arith.addf %in, %in : f32\n",
            "      %sum = arith.addf %in, %in : f32\n" if body == "%sum" else "",
        )
    )


def guard(then: str, given: str, condition: str = "%one", otherwise: str = "%a", type: str = "tensor<?xf32>") -> str:
    """A value that is one thing or another."""
    return f"""
  %r = scf.if {condition} -> ({type}) {{{then}
    scf.yield {given} : {type}
  }} else {{
    scf.yield {otherwise} : {type}
  }}"""


def guards(result: PruneResult) -> tuple[int, int]:
    """Return the number of guards before and after."""
    return result.counts["scf.if"]


BROADCAST = "\n    %e0 = tensor.empty(%size) : tensor<?xf32>" + moving("%a", "%e0", "%w")

COPIES = {
    "to an extent that is the same": "\n  %size = arith.maxui %d, %d : index" + guard(BROADCAST, "%w"),
    "to an extent of 1": guard(BROADCAST.replace("%size", "%c1"), "%w"),
    "to its own extent": guard(BROADCAST.replace("%size", "%d"), "%w"),
    "under another type": guard(
        "\n    %e0 = tensor.empty() : tensor<1xf32>"
        + moving("%a", "%e0", "%w", type="1")
        + "\n    %x = tensor.cast %w : tensor<1xf32> to tensor<?xf32>",
        "%x",
    ),
    "by name": guard(
        "\n    %e0 = tensor.empty(%d) : tensor<?xf32>"
        "\n    %w = linalg.copy ins(%a : tensor<?xf32>) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>",
        "%w",
    ),
    "position by position": guard(BROADCAST.replace("%size", "%d").replace("#first, #same", "#same, #same"), "%w"),
    "a square that is turned, of one position": guard(
        "\n    %e0 = tensor.empty(%q, %p) : tensor<?x?xf32>" + moving("%s", "%e0", "%w", "#turned, #square"),
        "%w",
        "%single",
        "%s",
        "tensor<?x?xf32>",
    ),
}
SINGLE = """
  %p1 = arith.cmpi eq, %p, %c1 : index
  %q1 = arith.cmpi eq, %q, %c1 : index
  %single = arith.andi %p1, %q1 : i1"""


@pytest.mark.parametrize("what", COPIES)
def test_a_guard_goes_that_copies_what_it_would_take_as_it_is(what: str) -> None:
    squared = "square" in what
    text = (SINGLE if squared else "") + COPIES[what]
    result = prune(function(text, "tensor<?x?xf32>" if squared else "tensor<?xf32>"))
    assert guards(result) == (1, 0)
    assert result.checks[0].reason == "its branches give the same for all sizes"
    assert "linalg" not in result.text
    assert f"return {'%s' if squared else '%a'} : " in result.text


NO_COPIES = {
    "to an extent that may be another": guard(BROADCAST.replace("%size", "%e"), "%w"),
    "to the greater of two extents": "\n  %size = arith.maxui %d, %e : index" + guard(BROADCAST, "%w"),
    "to an extent of 2": guard(BROADCAST.replace("%size", "%c2"), "%w"),
    "under the opposite condition": (
        "\n  %true = arith.constant true\n  %many = arith.xori %one, %true : i1"
        + guard(BROADCAST.replace("%size", "%d"), "%w", "%many")
    ),
    "with twice the elements": guard(
        "\n    %e0 = tensor.empty(%d) : tensor<?xf32>" + moving("%a", "%e0", "%w", body="%sum"), "%w"
    ),
    "what stood there before": guard(
        "\n    %e0 = tensor.empty(%d) : tensor<?xf32>" + moving("%a", "%e0", "%w", body="%out"), "%w"
    ),
    "of another tensor": guard(BROADCAST.replace("%size", "%d").replace("ins(%a", "ins(%b"), "%w"),
    "nothing at all": guard("\n    %w = tensor.empty(%d) : tensor<?xf32>", "%w"),
    "into a type of another extent": guard(
        "\n    %x = tensor.cast %a : tensor<?xf32> to tensor<2xf32>"
        "\n    %w = tensor.cast %x : tensor<2xf32> to tensor<?xf32>",
        "%w",
    ),
    "a square that is turned": guard(
        "\n    %e0 = tensor.empty(%q, %p) : tensor<?x?xf32>" + moving("%s", "%e0", "%w", "#turned, #square"),
        "%w",
        "%even",
        "%s",
        "tensor<?x?xf32>",
    ),
    "the first row of a square": guard(
        "\n    %e0 = tensor.empty(%p, %q) : tensor<?x?xf32>" + moving("%s", "%e0", "%w", "#row, #square"),
        "%w",
        "%even",
        "%s",
        "tensor<?x?xf32>",
    ),
}
EVEN = "\n  %even = arith.cmpi eq, %p, %q : index"


@pytest.mark.slow
@pytest.mark.parametrize("what", NO_COPIES)
def test_a_guard_stays_that_gives_something_else(what: str) -> None:
    squared = "square" in what
    text = (EVEN if squared else "") + NO_COPIES[what]
    result = prune(function(text, "tensor<?x?xf32>" if squared else "tensor<?xf32>"))
    assert guards(result) == (1, 1)


@pytest.mark.parametrize("condition", ["%one", "%many"])
def test_a_guard_goes_with_another_in_it_that_is_settled(condition: str) -> None:
    """Inside, the condition of the first is known; the branch goes as it is, and is not opened up before."""
    inner = f"""
    %true = arith.constant true
    %many = arith.xori %one, %true : i1
    %size = scf.if {condition} -> (index) {{
      scf.yield %d : index
    }} else {{
      scf.yield %e : index
    }}"""
    result = prune(function(guard(inner, "%a")))
    assert guards(result) == (2, 0)
    assert sorted(each.reason for each in result.checks) == [
        "it stands in a branch that makes no difference",
        "its branches give the same for all sizes",
    ]


def test_equal_extents_are_what_an_assumption_makes_them() -> None:
    text = function("\n  %size = arith.maxui %d, %e : index" + guard(BROADCAST, "%w"))
    result = prune(text, assumptions=("a[0] == b[0]",))
    assert guards(result) == (1, 0)
    assert result.checks[0].reason == "its branches give the same, implied by --assume: a[0] == b[0]"


def test_a_copy_that_may_be_undefined_is_none() -> None:
    """A cast says that the extent is 4; nothing proves it."""
    text = function(
        guard(
            "\n    %x = tensor.cast %a : tensor<?xf32> to tensor<4xf32>"
            "\n    %w = tensor.cast %x : tensor<4xf32> to tensor<?xf32>",
            "%w",
            "%k",
        )
    )
    assert guards(prune(text)) == (1, 1)
    assert guards(prune(text, assumptions=("a[0] == 4",))) == (1, 0)


def test_a_copy_may_share_memory_with_a_buffer_and_then_is_none() -> None:
    text = function(guard(BROADCAST.replace("%size", "%d"), "%w"))
    shared = "\n  %buffer = bufferization.to_buffer %b : tensor<?xf32> to memref<?xf32>\n  return"
    assert guards(prune(text.replace("\n  return", shared))) == (1, 1)


NUMBERS = {
    "the number that the condition says": (guard("", "%c1", otherwise="%d", type="index"), 0),
    "another number": (guard("", "%c2", otherwise="%d", type="index"), 1),
    "one value": (guard("", "%n", "%k", "%n", "index"), 0),
    "two values": (guard("", "%n", "%k", "%m", "index"), 1),
    "a truth that the condition is": (guard("", "%true", otherwise="%one", type="i1"), 0),
    "a number that wraps around where the other is taken": (
        """
  %big = arith.constant 1000000000000000000 : index
  %many = arith.cmpi sgt, %n, %big : index
  %unit = arith.cmpi eq, %m, %c1 : index
  %both = arith.andi %many, %unit : i1
  %r = scf.if %both -> (index) {
    %y = arith.divsi %n, %m : index
    scf.yield %y : index
  } else {
    %x = arith.muli %n, %c4 : index
    %y = arith.divsi %x, %c4 : index
    scf.yield %y : index
  }""",
        1,
    ),
    "a number that wraps around no sooner than the other": (
        """
  %r = scf.if %k -> (index) {
    %x = arith.muli %n, %c2 : index
    %y = arith.muli %x, %c2 : index
    %z = arith.divsi %y, %c2 : index
    scf.yield %z : index
  } else {
    %x = arith.muli %n, %c4 : index
    %y = arith.muli %x, %c4 : index
    %z = arith.divsi %y, %c8 : index
    scf.yield %z : index
  }""",
        0,
    ),
    "the sum of the same": (
        """
  %r = scf.if %k -> (index) {
    %x = arith.addi %n, %m : index
    scf.yield %x : index
  } else {
    %x = arith.addi %m, %n : index
    scf.yield %x : index
  }""",
        0,
    ),
    "quotients of the same": (
        """
  %r = scf.if %k -> (index) {
    %x = arith.divsi %d, %n : index
    scf.yield %x : index
  } else {
    %x = arith.divsi %d, %n : index
    scf.yield %x : index
  }""",
        1,
    ),
    "a quotient where there is one": (
        """
  %some = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %some -> (index) {
    %z = arith.subi %n, %n : index
    scf.yield %z : index
  } else {
    %x = arith.divsi %c0, %n : index
    scf.yield %x : index
  }""",
        1,
    ),
    "floats that are computed alike": (
        """
  %f = arith.constant 2.0 : f32
  %r = scf.if %k -> (f32) {
    %x = arith.mulf %f, %f : f32
    scf.yield %x : f32
  } else {
    %x = arith.mulf %f, %f : f32
    scf.yield %x : f32
  }""",
        0,
    ),
    "zeros of different signs": (
        """
  %f = arith.constant 0.0 : f32
  %g = arith.constant -0.0 : f32"""
        + guard("", "%f", "%k", "%g", "f32"),
        1,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", NUMBERS)
def test_guards_of_numbers_are_reduced(what: str) -> None:
    text, left = NUMBERS[what]
    type = "i1" if "truth" in what else "f32" if "float" in what or "zeros" in what else "index"
    true = "\n  %true = arith.constant true" if "truth" in what else ""
    assert guards(prune(function(true + text, type))) == (1, left)


EFFECTS = {
    "a call": "func.call @other() : () -> ()",
    "an operation that nobody knows": '"some.op"() : () -> ()',
    "a check": 'cf.assert %k, "inside"',
    "a store": "memref.store %n, %memory[%c0] : memref<4xindex>",
}


@pytest.mark.parametrize("what", EFFECTS)
@pytest.mark.parametrize("branch", ["first", "second"])
def test_observable_operations_stay(what: str, branch: str) -> None:
    done = {"first": "", "second": "", branch: EFFECTS[what]}
    text = f"""
  %memory = memref.alloca() : memref<4xindex>
  %r = scf.if %one -> (index) {{
    {done["first"]}
    scf.yield %c1 : index
  }} else {{
    {done["second"]}
    scf.yield %d : index
  }}"""
    assert guards(prune(function(text, "index") + "\nfunc.func private @other()")) == (1, 1)


def test_a_loop_that_may_never_end_stays() -> None:
    text = """
  %r = scf.if %one -> (index) {
    %end = scf.while (%x = %n) : (index) -> index {
      %more = arith.cmpi ne, %x, %c0 : index
      scf.condition(%more) %x : index
    } do {
    ^bb0(%x: index):
      %y = arith.addi %x, %c2 : index
      scf.yield %y : index
    }
    scf.yield %c1 : index
  } else {
    scf.yield %d : index
  }"""
    assert guards(prune(function(text, "index"))) == (1, 1)


def test_a_guard_without_results_that_does_nothing_goes() -> None:
    result = prune(function("\n  scf.if %k {\n    %x = arith.addi %n, %n : index\n  }", ""))
    assert guards(result) == (1, 0)
    assert "arith.addi" not in ops(result.text)


def test_facts_of_a_branch_are_not_hoisted() -> None:
    """The inner guard is settled where the extent is not 1, the outer one gives what the inner would where it is."""
    text = """
  %r = scf.if %one -> (index) {
    scf.yield %n : index
  } else {
    %x = scf.if %one -> (index) {
      scf.yield %n : index
    } else {
      scf.yield %m : index
    }
    scf.yield %x : index
  }"""
    assert fates(prune(function(text, "index"))) == [("scf.if", False), ("scf.if", True)]
    choice = """
  %r = scf.if %one -> (index) {
    scf.yield %c1 : index
  } else {
    %x = arith.select %one, %c1, %c2 : index
    scf.yield %x : index
  }"""
    result = prune(function(choice, "index"))
    assert guards(result) == (1, 1)
    assert "arith.select" not in result.text


def test_guards_of_a_chain_go_one_after_the_other() -> None:
    """The second copies what the first gives."""
    text = (
        guard(BROADCAST.replace("%size", "%d"), "%w").replace("%r =", "%x =")
        + "\n  %g = tensor.dim %x, %c0 : tensor<?xf32>\n  %still = arith.cmpi eq, %g, %c1 : index"
        + guard(BROADCAST.replace("%size", "%d").replace("ins(%a", "ins(%x"), "%w", "%still", "%x")
    )
    result = prune(function(text))
    assert guards(result) == (2, 0)
    assert not {"scf.if", "linalg.generic", "tensor.empty"} & set(ops(result.text))


# Choices -------------------------------------------------------------------------------------------------------------

CHOICES = {
    "arith.select %one, %c1, %d : index": "%d",
    "arith.select %k, %n, %n : index": "%n",
    "arith.maxsi %less, %d : index": "%d",
    "arith.minsi %less, %d : index": "%less",
    "arith.maxsi %greater, %d : index": "%greater",
    "arith.maxsi %lesser, %d : index": "%d",
    "arith.minsi %greater, %d : index": "%d",
    "arith.maxui %d, %c0 : index": "%d",
    "arith.minui %e, %e : index": "%e",
    "index.maxs %d, %less": "%d",
    "index.minu %d, %c0": "%c0",
    "arith.maxui %greater, %e : index": "%greater",
    "arith.maxui %greater, %lesser : index": "%greater",
    "arith.minui %n, %greater : index": None,
    "affine.min affine_map<(i)[n] -> (n, i)>(%c4)[%c4]": "%c4",
    "affine.max affine_map<(i) -> (i, 0)>(%d)": "%d",
    "affine.min affine_map<(i) -> (i, 0)>(%d)": "0",
    "affine.min affine_map<(i)[n] -> (4, n - i)>(%even)[%more]": "4",
    "arith.select %k, %n, %m : index": None,
    "arith.maxsi %n, %m : index": None,
    "arith.maxui %n, %c0 : index": "%n",
    "arith.maxsi %n, %c0 : index": None,
    "affine.min affine_map<(i)[n] -> (4, n - i)>(%d)[%e]": None,
}


@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_that_is_settled_is_what_it_chooses(choice: str) -> None:
    given = """
  %less = arith.subi %d, %c1 : index
  %even = arith.muli %d, %c4 : index
  %more = arith.addi %even, %c4 : index
  %greater = arith.maxui %d, %e : index
  %lesser = arith.minui %d, %e : index"""
    text = function(f"{given}\n  %r = {choice}", "index")
    result = prune(text)
    name = choice.split()[0]
    if CHOICES[choice] is None:
        assert not result.simplified
        assert name in result.text
        return
    (gone,) = result.simplified
    assert (gone.op, gone.removed) == (name, True)
    assert gone.reason == f"it is always {CHOICES[choice]} for all sizes"
    assert ops(result.text).count(name) == ops(text).count(name) - 1


def test_the_size_of_what_is_not_empty() -> None:
    text = function("\n  %x = arith.subi %d, %c1 : index\n  %y = arith.maxsi %x, %c0 : index\n"
                    "  %r = arith.addi %y, %c1 : index", "index")  # fmt: skip
    assert not prune(text).simplified
    assert [each.op for each in prune(text, assumptions=("a[0] > 0",)).simplified] == ["arith.maxsi"]


def test_the_tile_of_an_even_loop_is_whole() -> None:
    text = function(
        """
  %r = scf.for %i = %c0 to %d step %c4 iter_args(%x = %c0) -> (index) {
    %tile = affine.min affine_map<(i)[n] -> (4, n - i)>(%i)[%d]
    %y = arith.addi %x, %tile : index
    scf.yield %y : index
  }""",
        "index",
    )
    assert not prune(text).simplified
    result = prune(text, assumptions=("a[0] % 4 == 0",))
    assert [each.op for each in result.simplified] == ["affine.min"]
    assert "arith.constant 4" in result.text


# Loops ---------------------------------------------------------------------------------------------------------------


def loop(bounds: str, body: str = "", tail: str = "%y") -> str:
    """A loop that carries a number."""
    return f"""
  %r = scf.for %i = {bounds} iter_args(%x = %n) -> (index) {{
    {body}
    %y = arith.addi %x, %i : index
    scf.yield {tail} : index
  }}"""


LOOPS = {
    "%c0 to %c1 step %c1": "once",
    "%d to %d step %c1": "never",
    "%d to %next step %c2": "once",
    "%c0 to %d step %next": "",
    "%c1 to %c1 step %n": "",
    "%c0 to %d step %c1": "",
    "%c0 to %c2 step %c1": "",
}


@pytest.mark.slow
@pytest.mark.parametrize("bounds", LOOPS)
def test_a_loop_of_one_run_or_none(bounds: str) -> None:
    text = function("\n  %next = arith.addi %d, %c1 : index" + loop(bounds, '"some.op"(%i) : (index) -> ()'), "index")
    result = prune(text)
    expected = {"once": "its loop runs once", "never": "its loop never runs"}.get(LOOPS[bounds])
    if expected is None:
        assert not result.simplified
        return
    (gone,) = result.simplified
    assert gone.reason == f"{expected} for all sizes"
    left = ops(result.text)
    assert "scf.for" not in left
    assert ("some.op" in left) == (expected == "its loop runs once")


def test_a_check_in_a_loop_does_not_say_how_often_it_runs() -> None:
    """If the loop runs, its check stops the program."""
    text = function(
        """
  %none = arith.cmpi eq, %d, %c0 : index
  scf.for %i = %c0 to %d step %c1 {
    cf.assert %none, "inside"
  }""",
        "",
    )
    result = prune(text)
    assert fates(result) == [("cf.assert", False)]
    assert not result.simplified


def test_loops_in_each_other() -> None:
    inner = """
    %z = scf.for %j = %i to %c1 step %c1 iter_args(%w = %x) -> (index) {
      %v = arith.select %k, %j, %w : index
      scf.yield %v : index
    }"""
    result = prune(function(loop("%c0 to %c1 step %c1", inner, "%z"), "index"))
    assert [each.op for each in result.simplified] == ["scf.for", "scf.for"]
    assert "arith.select %k, %c0, %n" in result.text


def test_a_guard_of_unused_results_is_not_reported_as_equivalent() -> None:
    result = prune(
        """func.func @f(%x: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %q = arith.cmpi slt, %n, %d : index
  %u = scf.if %q -> index {
    %t = arith.cmpi sge, %d, %c0 : index
    cf.assert %t, "inner"
    scf.yield %d : index
  } else {
    scf.yield %c0 : index
  }
  return %d : index
}"""
    )
    assert guards(result) == (1, 0)
    assert result.checks[0].reason == "nothing uses what it gives for all sizes"
