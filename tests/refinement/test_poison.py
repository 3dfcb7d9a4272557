"""Test that overflow flags of 64-bit arithmetic are requirements, which a target may not add."""

from __future__ import annotations

import pytest

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs

FRAME = """func.func @f(%n: TYPE, %m: TYPE) -> TYPE {
  %1 = arith.constant 1 : TYPE
  %c = arith.cmpi slt, %n, %m : TYPE
  BODY
}
"""


def word(source: str, target: str, type: str) -> str:
    ours, theirs = (read_text(FRAME.replace("BODY", body).replace("TYPE", type)) for body in (source, target))
    (found,) = refine_programs(ours, theirs, Options(execute=False))
    return found.word


@pytest.mark.slow
@pytest.mark.parametrize("type", ["i64", "index"])
@pytest.mark.parametrize("flags", ["nsw", "nuw", "nsw, nuw"])
@pytest.mark.parametrize("op", ["addi", "subi", "muli"])
def test_an_added_flag_is_not_proved(op: str, flags: str, type: str) -> None:
    plain = f"%r = arith.{op} %n, %m : TYPE\n  return %r : TYPE"
    flagged = plain.replace("%m :", f"%m overflow<{flags}> :")
    unused = "%u = arith.addi %1, %1 : TYPE\n  "
    assert word(plain, flagged, type) == "undecided"
    assert word(flagged, plain, type) == "proved"
    assert word(flagged, unused + flagged, type) == "proved"


@pytest.mark.parametrize("type", ["i64", "index"])
def test_poison_that_is_not_used_does_no_harm(type: str) -> None:
    returned = "return %n : TYPE"
    assert word(returned, f"%r = arith.addi %n, %1 overflow<nsw> : TYPE\n  {returned}", type) == "proved"


@pytest.mark.parametrize("type", ["i8", "i64", "index"])
def test_poison_that_is_not_chosen_does_no_harm(type: str) -> None:
    """The sum is chosen only where there is a number above ``%n``, and so it does not wrap there."""
    target = """%s = arith.addi %n, %1 overflow<nsw> : TYPE
  %r = arith.select %c, %s, %n : TYPE
  return %r : TYPE"""
    source = target.replace(" overflow<nsw>", "")
    assert word(source, target, type) == "proved"


@pytest.mark.parametrize("type", ["i32", "i8"])
def test_narrow_integers_that_wrap_are_refuted(type: str) -> None:
    plain = "%r = arith.addi %n, %1 : TYPE\n  return %r : TYPE"
    assert word(plain, plain.replace("%1 :", "%1 overflow<nsw> :"), type) == "refuted"


PAIR = """func.func private @seen(TYPE)
func.func @f(%x: TYPE, %y: TYPE, %t: tensor<?xTYPE>) -> RESULT {
  %0 = arith.constant 0 : TYPE
  %1 = arith.constant 1 : TYPE
  %4 = arith.constant 4 : TYPE
  %i = arith.constant 0 : index
  %q = arith.cmpi slt, %x, %y : TYPE
  BODY
}
"""
ADD, SUM = "%s = arith.addi %x, %y : TYPE", "%s = arith.addi %x, %y overflow<nsw> : TYPE"
MORE = "%w = arith.cmpi sgt, %s, %x : TYPE"
RETURN, TRUTH = "return %r : TYPE", "return %r : i1"

WRONG = {
    "a flag of what is not used": (f"{SUM}\n%r = arith.addi %x, %y : TYPE", SUM.replace("%s", "%r")),
    "a shift that is not used": (
        "%s = arith.shli %x, %y : TYPE\n%r = arith.addi %x, %y : TYPE",
        "%c = arith.cmpi ult, %y, %4 : TYPE\n%s = arith.select %c, %y, %4 : TYPE\n%r = arith.addi %x, %s : TYPE",
    ),
    "an exact division that is not chosen": (
        "%s = arith.divui %x, %4 exact : TYPE\n%r = arith.select %q, %s, %x : TYPE",
        "%s = arith.divui %x, %4 : TYPE\n%u = arith.muli %s, %4 : TYPE\n%r = arith.select %q, %s, %u : TYPE",
    ),
    "another result": (f"{SUM}\n%r = arith.addi %s, %1 : TYPE", f"{SUM}\n%r = arith.addi %s, %4 : TYPE"),
    "a divisor": (
        f"%s = arith.ori %x, %1 : TYPE\n%p = arith.cmpi eq, %x, %s : TYPE\n{RETURN.replace('%r', '%x')}",
        f"%s = arith.ori %x, %1 : TYPE\n%u = arith.addi %s, %y overflow<nuw> : TYPE\n%d = arith.divui %0, %u : TYPE\n"
        f"%r = arith.addi %x, %d : TYPE\n{RETURN}",
    ),
    "poison for a number": ("%r = arith.addi %x, %1 : TYPE", "%r = ub.poison : TYPE"),
}
RIGHT = {
    "the same flag": (SUM.replace("%s", "%r"), f"%u = arith.addi %1, %1 : TYPE\n{SUM.replace('%s', '%r')}"),
    "a number for poison": ("%r = ub.poison : TYPE", "%r = arith.addi %x, %1 : TYPE"),
    "a flag where it is chosen": (
        "%s = arith.addi %x, %1 : TYPE\n%r = arith.select %q, %s, %x : TYPE",
        "%s = arith.addi %x, %1 overflow<nsw> : TYPE\n%r = arith.select %q, %s, %x : TYPE",
    ),
    "a factor that is divided away": (
        "%2 = arith.constant 2 : TYPE\n%s = arith.muli %x, %2 overflow<nsw> : TYPE\n%r = arith.divsi %s, %2 : TYPE",
        "%r = arith.addi %x, %0 : TYPE",
    ),
    "in a branch": (
        f"{SUM}\n%r = scf.if %q -> (TYPE) {{\nscf.yield %s : TYPE\n}} else {{\nscf.yield %x : TYPE\n}}",
        f"%u = arith.addi %1, %1 : TYPE\n{SUM}\n"
        "%r = scf.if %q -> (TYPE) {\nscf.yield %s : TYPE\n} else {\nscf.yield %x : TYPE\n}",
    ),
}


def compared(source: str, target: str, type: str, result: str = "TYPE") -> Refinement:
    bodies = (each if "return" in each else f"{each}\n{RETURN}" for each in (source, target))
    ours, theirs = (
        read_text(PAIR.replace("BODY", body).replace("RESULT", result).replace("TYPE", type)) for body in bodies
    )
    (found,) = refine_programs(ours, theirs, Options(execute=False, functions=("f",)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("pair", WRONG)
def test_poison_in_the_source_alone_excuses_nothing(pair: str) -> None:
    for type in ("i8", "i32"):
        assert compared(*WRONG[pair], type).word == "refuted"
    found = compared(*WRONG[pair], "i64")
    assert found.word != "proved" or found.not_compared


@pytest.mark.slow
@pytest.mark.parametrize("pair", RIGHT)
def test_poison_in_the_target_that_is_not_used_does_no_harm(pair: str) -> None:
    for type in ("i8", "i32"):
        assert compared(*RIGHT[pair], type).word == "proved"


def test_a_choice_is_no_conjunction() -> None:
    """Unless %x is less than %y, a sum that wraps is ignored by the choice, and not by the conjunction."""
    source = f"%f = arith.constant false\n{SUM}\n{MORE}\n%r = arith.select %q, %w, %f : i1\n{TRUTH}"
    target = f"{SUM}\n{MORE}\n%r = arith.andi %q, %w : i1\n{TRUTH}"
    assert compared(source, target, "i32", "i1").word == "refuted"
    assert compared(target, source, "i32", "i1").word == "proved"


def test_unfollowed_values_may_be_poison() -> None:
    """A call minds poison in both programs or in none, which is all that is known of it."""
    call = f"func.call @seen(%s) : (TYPE) -> ()\n{RETURN.replace('%r', '%x')}"
    unused = "%u = arith.addi %1, %1 : TYPE"
    assert {each.verdict.word for each in compared(f"{SUM}\n{call}", f"{unused}\n{SUM}\n{call}", "i32").findings} == {
        "proved"
    }
    assert compared(f"{ADD}\n{call}", f"{SUM}\n{call}", "i32").word == "undecided"


TAKEN = (
    f"{MORE}\ncf.cond_br %w, ^one, ^two\n^one:\ncf.br ^end(%x : TYPE)\n^two:\ncf.br ^end(%4 : TYPE)\n"
    "^end(%r: TYPE):\nreturn %r : TYPE"
)
SWITCHED = "cf.switch %s : TYPE, [default: ^one, 4: ^two]\n^one:\nreturn %x : TYPE\n^two:\nreturn %4 : TYPE"


@pytest.mark.slow
@pytest.mark.parametrize("branch", [TAKEN, SWITCHED], ids=["cond_br", "switch"])
def test_a_branch_on_poison_is_undefined_in_both(branch: str) -> None:
    unused = "%u = arith.addi %1, %1 : TYPE\n"
    swapped = branch.replace("^one:", "^three:").replace("^two:", "^one:").replace("^three:", "^two:")
    for type in ("i8", "i64"):
        assert compared(f"{SUM}\n{branch}", f"{unused}{SUM}\n{branch}", type).word == "proved"
        assert compared(f"{SUM}\n{branch}", f"{ADD}\n{branch}", type).word == "proved"
        assert compared(f"{SUM}\n{branch}", f"{SUM}\n{swapped}", type).word == "refuted"
    assert compared(f"{ADD}\n{branch}", f"{SUM}\n{branch}", "i8").word == "refuted"
    assert compared(f"{ADD}\n{branch}", f"{SUM}\n{branch}", "i64").word == "undecided"


def test_a_branch_that_is_not_taken_on_poison_excuses_nothing() -> None:
    """The sum is used where it cannot wrap, so nothing is undefined elsewhere."""
    guarded = f"cf.cond_br %q, ^sum, ^plain\n^sum:\n{SUM}\n{TAKEN}\n^plain:\nreturn VALUE : TYPE"
    source, target = (guarded.replace("VALUE", each) for each in ("%x", "%y"))
    assert compared(source, target, "i8").word == "refuted"
    assert compared(source, f"%u = arith.addi %1, %1 : TYPE\n{source}", "i8").word == "proved"


CHECKED = f'{MORE}\ncf.assert %w, "sum"\nreturn %y : TYPE'
UNCHECKED = "%u = arith.addi %1, %1 : TYPE\nreturn %y : TYPE"


@pytest.mark.parametrize("type", ["i8", "i32"])
def test_what_a_check_of_poison_does_is_not_known(type: str) -> None:
    """A sum that wraps is poison, so its check may be left out, and does not stand for one that fails."""
    assert compared(f"{SUM}\n{CHECKED}", UNCHECKED, type).word != "proved"
    small = SUM.replace("%y", "%1")
    assert compared(f"{small}\n{CHECKED}", UNCHECKED, type).word == "undecided"
    assert compared(f"{ADD}\n{CHECKED}", f"{SUM}\n{CHECKED}", type).word == "undecided"
    assert compared(f"{SUM}\n{CHECKED}", f"{ADD}\n{CHECKED}", type).word == "proved"
    assert compared(f"{SUM}\n{CHECKED}", f"%u = arith.addi %1, %1 : TYPE\n{SUM}\n{CHECKED}", type).word == "proved"
    assert compared(f"{SUM}\n{CHECKED.replace('sgt', 'sle')}", UNCHECKED, type).word == "refuted"


NEW = {
    "a tensor": ("%b = tensor.empty() : tensor<4xTYPE>\n", "%r = tensor.extract %b[%i] : tensor<4xTYPE>\n"),
    "memory": ("%b = memref.alloc() : memref<4xTYPE>\n", "%r = memref.load %b[%i] : memref<4xTYPE>\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", NEW)
def test_an_element_that_was_never_written_may_be_anything(kind: str) -> None:
    new, read = NEW[kind]
    source = f"{new}{read}{RETURN}"
    argument = RETURN.replace("%r", "%x")
    for type in ("i8", "i64", "index"):
        unused = "%u = arith.addi %1, %1 : TYPE\n"
        assert compared(source, f"{unused}{source}", type).word == "proved"
        assert compared(source, argument, type).word == "proved"
        assert compared(argument, source, type).word != "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        f"{NEW['memory'][0]}memref.store %x, %b[%i] : memref<4xTYPE>\n{NEW['memory'][1]}{RETURN}",
        f"{NEW['memory'][0]}%v = memref.cast %b : memref<4xTYPE> to memref<?xTYPE>\n"
        f"memref.store %x, %v[%i] : memref<?xTYPE>\n{NEW['memory'][1]}{RETURN}",
        "".join(NEW["a tensor"]) + "%z = arith.andi %r, %0 : TYPE\nreturn %z : TYPE",
        "".join(NEW["a tensor"]) + "%z = arith.subi %r, %r : TYPE\nreturn %z : TYPE",
    ],
    ids=["written", "written through a view", "masked", "less itself"],
)
def test_an_element_that_is_written_or_used_is_not_anything(source: str) -> None:
    for type in ("i8", "index"):
        found = compared(source, "return %4 : TYPE", type)
        assert found.word != "proved" or found.not_compared


AT_POSITION = """func.func @f(%v: vector<4x2xf32>, %x: f32) -> {type} {{
  {body}
  return %0 : {type}
}}"""


@pytest.mark.parametrize(
    ("type", "body"),
    [
        ("f32", "%0 = vector.extract %v[{at}, 0] : f32 from vector<4x2xf32>"),
        ("vector<2xf32>", "%0 = vector.extract %v[{at}] : vector<2xf32> from vector<4x2xf32>"),
        ("vector<4x2xf32>", "%0 = vector.insert %x, %v[1, {at}] : f32 into vector<4x2xf32>"),
    ],
)
def test_only_the_position_of_poison_may_become_poison(type: str, body: str) -> None:
    """The canonicalizer replaces an access at -1."""
    poison = read_text(AT_POSITION.format(type=type, body=f"%0 = ub.poison : {type}"))
    outside, inside = (
        refine_programs(
            read_text(AT_POSITION.format(type=type, body=body.format(at=at))), poison, Options(execute=False)
        )[0]
        for at in (-1, 1)
    )
    assert outside.word == "proved"
    assert inside.word != "proved" or inside.not_compared
