"""Tests of names for parts of long conditions: what they stand for is the text itself, and no line is long."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapesolve.diagnosis.diagnosis import diagnose
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program
from shapesolve.reports.check_text import print_report
from shapesolve.reports.long_conditions import NamedCondition, print_condition, with_names, with_shared_alternatives
from shapesolve.reports.page import LONGEST_LINE, Page

ATOMS = st.sampled_from(["a[0]", "b[1]", "n", "%g.rounded", "3", "C1", "idx.values[0]"])


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(parts, parts)
    sums = pair.map(lambda two: f"({two[0]} + {two[1]})")
    quotients = parts.map(lambda one: f"{one}//2")
    calls = st.tuples(st.sampled_from(["max", "select", "compatible"]), parts, parts)
    return st.one_of(sums, quotients, calls.map(lambda three: f"{three[0]}({three[1]}, {three[2]})"))


TERMS = st.recursive(ATOMS, _larger, max_leaves=40)


def expanded(named: NamedCondition) -> str:
    """Return a condition with every name replaced by what it stands for, in parentheses unless that is a call."""
    parts = {name: part if _is_call(part) else f"({part})" for name, part in named.definitions}
    text, used = named.text, set[str]()
    for _ in range(len(parts) + 1):
        used |= set(re.findall(r"\b[A-Z]\d+\b", text)) & parts.keys()
        text = re.sub(r"\b[A-Z]\d+\b", lambda name: parts.get(name[0], name[0]), text)
    assert used == parts.keys()
    return text


def _is_call(part: str) -> bool:
    """Return whether a text is a call: its last parenthesis closes the first one."""
    if not re.match(r"\w+\(", part):
        return False
    depth = 0
    for at, each in enumerate(part):
        depth += (each == "(") - (each == ")")
        if each == ")" and depth == 0:
            return at == len(part) - 1
    return False


@given(st.lists(TERMS, min_size=1, max_size=6), st.integers(20, 200))
def test_names_stand_for_the_text_itself(terms: list[str], room: int) -> None:
    text = " and ".join(f"{each} == {terms[0]}" for each in terms)
    named = with_names(text, room)
    assert expanded(named) == text
    assert (named.text == text) or len(named.text) < len(text)


def test_repeated_parts_get_a_name() -> None:
    half = "(a[0] + 2*b[0] - 1)//2"
    text = f"max({half}, c) == min({half}, d) and x == {half}"
    named = with_names(text, 40)
    assert named.text == "max(C1//2, c) == min(C1//2, d) and x == C1//2"
    assert named.definitions == (("C1", "a[0] + 2*b[0] - 1"),)
    assert with_names(text, 200) == NamedCondition(text)


def test_a_name_of_the_program_is_not_taken() -> None:
    text = "max((C1 + D7)*(C1 + D7)*(C1 + D7 - 11111), (C1 + D7 - 11111)) == max(E, (C1 + D7 - 11111))"
    named = with_names(text, 20)
    assert "E1" in named.text and expanded(named) == text


@pytest.mark.parametrize("text", ['f("(" + a) == (a + b + c + d + e)', "(a + b]", "(x: [M + N]) -> [M]" * 20])
def test_texts_that_are_no_condition_are_left_alone(text: str) -> None:
    assert with_names(text, 10) == NamedCondition(text)


def _printed(text: str, *, verbose: bool) -> list[str]:
    stream = io.StringIO()
    print_condition(Page(stream, color="never", width=80), "needs", text, verbose=verbose)
    return stream.getvalue().splitlines()


@pytest.mark.slow
def test_all_of_it_is_printed_or_the_place_of_the_whole() -> None:
    flat = " + ".join(f"x{each}" for each in range(400))
    nested = "0"
    for each in range(300):
        nested = f"max({nested}, n{each})"
    for text in (flat, nested):
        lines = _printed(text, verbose=False)
        assert f"in full it has {len(text):,} characters, which --verbose shows" in " ".join(lines[-1].split())
        assert len(lines) < 40
        whole = " ".join(_printed(text, verbose=True))
        assert "..." not in whole and "in full" not in whole
        for name in re.findall(r"[xn]\d+", text):
            assert re.search(rf"\b{name}\b", whole)
        assert all(len(line) <= LONGEST_LINE for line in (*lines, whole[:1]))


LONG = [f"extent_of_{each} == number_of_{each}" for each in "abcdefgh"]


@given(
    st.lists(st.sampled_from(LONG), min_size=2, max_size=4, unique=True),
    st.lists(st.lists(st.sampled_from([*LONG, "x == 1", "f(y or z)"]), max_size=3, unique=True), max_size=6),
)
def test_alternatives_keep_what_they_are(shared: list[str], rests: list[list[str]]) -> None:
    texts = ["n >= 1 and (a or b)", "n >= 2", *(" or ".join(dict.fromkeys([*shared, *rest])) for rest in rests)]
    named, definitions = with_shared_alternatives(texts)
    for text, each in zip(texts, named, strict=True):
        for name, part in definitions:
            each = each.replace(name, part)
        assert set(each.split(" or ")) == set(text.split(" or "))
    assert not definitions or sum(map(len, named)) < sum(map(len, texts))


def test_shared_alternatives_get_a_name() -> None:
    empty = " or ".join(f"broadcast(a[{each}], b[{each}]) == 0" for each in range(3))
    texts = ["n >= 1", *(f"{empty} or a[{each}] == c[{each}]" for each in range(3))]
    named, definitions = with_shared_alternatives(texts)
    assert named == ["n >= 1", "C1 or a[0] == c[0]", "C1 or a[1] == c[1]", "C1 or a[2] == c[2]"]
    assert definitions == (("C1", empty),)
    assert with_shared_alternatives(texts[:3]) == (texts[:3], ())
    assert with_shared_alternatives([]) == ([], ())


@pytest.mark.slow
def test_cut_conditions_say_where_the_whole_stands() -> None:
    ranked = "x".join("?" * 6)
    tensor = f"tensor<{ranked}xf32>"
    text = f"""func.func @f(%a: {tensor}, %b: {tensor}, %c: {tensor}) {{
  %0 = tosa.add %a, %b : ({tensor}, {tensor}) -> {tensor}
  %1 = linalg.add ins(%0, %c : {tensor}, {tensor}) outs(%a : {tensor}) -> {tensor}
  return
}}"""
    diagnosis = diagnose(check_program(read_text(text, "m.mlir"), Options(execute=False)))
    for verbose in (False, True):
        stream = io.StringIO()
        print_report(diagnosis, Page(stream, color="never", width=80), verbose=verbose)
        assert ("   ...        stands for what is left out; --verbose shows it" in stream.getvalue()) is not verbose
        assert "C1 or a[0] == broadcast(a[0], b[0])" in stream.getvalue()
