"""Text to sizes, shapes and claims and back, and the errors for what cannot be read."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples
from support.strategies import SCOPE, arithmetic, formulas, quotient_sums, ranked_shapes, sizes

from shapesolve.errors import InputError
from shapesolve.symbolic import limits
from shapesolve.symbolic.dims import Dim, ceildiv, dims, variable
from shapesolve.symbolic.evaluation import evaluate
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, compatible, conjunction, divides, equal, implies
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum
from shapesolve.symbolic.parser import parse_formula, parse_shape, parse_size
from shapesolve.symbolic.scope import Kind, Scope
from shapesolve.symbolic.shape_kinds import INVALID, Shape
from shapesolve.symbolic.shapes import broadcast, broadcastable, same_extents, shape, unranked

N, M, H, K = dims("N M H K")
s, t = unranked("s"), unranked("t")
NAMED = Scope.closed(
    {"N": N, "M": M, "batch_size": K, "both": H},
    {"arg0": shape([N, M]), "%arg1": unranked("arg1"), "%0": shape([N]), "scalar": shape([]), "both": shape([H])},
)


# Round trips -----------------------------------------------------------------------------------------------------


@given(sizes)
def test_a_printed_size_is_read_back_as_the_same_object(size: Dim) -> None:
    assert parse_size(str(size), SCOPE) is size


@given(quotient_sums)
def test_a_printed_sum_of_quotients_is_read_back_as_the_same_object(size: Dim) -> None:
    assert parse_size(str(size), SCOPE) is size


@given(formulas)
def test_a_printed_claim_is_read_back_as_the_same_object(claim: Formula) -> None:
    assert parse_formula(str(claim), SCOPE) is claim


@given(quotient_sums, quotient_sums)
def test_a_printed_comparison_of_quotients_is_read_back_as_the_same_object(x: Dim, y: Dim) -> None:
    for claim in (equal(x, y), at_least(x, y), ~equal(x, y), ~at_least(x, y)):
        assert parse_formula(str(claim), SCOPE) is claim


@given(ranked_shapes)
def test_a_printed_shape_is_read_back_as_the_same_object(whole: Shape) -> None:
    assert parse_shape(str(whole), SCOPE) is whole


@given(arithmetic)
def test_spaces_and_brackets_change_nothing(size: Dim) -> None:
    spaced = str(size).replace(" ", "\n\t").replace("(", "( (").replace(")", ") )")
    if not any(f"{name}(" in str(size) for name in ("min", "max", "broadcast", "ceildiv")):
        assert parse_size(f"(({spaced}))", SCOPE) is size


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9), st.integers(0, 3))
def test_precedences_are_pythons(a: int, b: int, c: int, d: int) -> None:
    for text in (
        f"{a} + {b} * {c} - {b} // {c}",
        f"-{abs(a)}**2 // {c} % {c}",
        f"{a} - {b} - {c} + -{abs(b)} * {c}",
        f"{a} // {c} * {b} % {c} + {c}**{d}",
        f"-({a} + {b}) % {c} * 2**{d}",
        f"- - -{abs(a)} + +{abs(b)}",
        f"2**{d}**2 + {a}",
    ):
        assert parse_size(text, Scope.free()).value == eval(text), text
    claim = f"{a} < {b} <= {c} or not {a} == {b} and {c} > {d} != {b}"
    assert parse_formula(claim, Scope.free()) is (TRUE if eval(claim) else FALSE)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("2*N + 1 == M", 2 * N + 1 == M),
        ("H % 16 == 0", divides(16, H)),
        ("divides(16, H)", divides(16, H)),
        ("0 <= N < M <= 1_000", conjunction((N < M, M <= 1000))),
        ("N >= 2 -> M >= 2", implies(N >= 2, M >= 2)),
        ("N >= 2 implies M >= 2", implies(N >= 2, M >= 2)),
        ("N >= 2 -> M >= 2 -> H >= 2", implies(N >= 2, implies(M >= 2, H >= 2))),
        ("not not N == 1", N == 1),
        ("not N == 1 and M == 2", conjunction((N != 1, M == 2))),
        ("(N == 1 or M == 2) and true", (N == 1) | (M == 2)),
        ("false or N == 1", N == 1),
        ("compatible(N, M, 1)", compatible([N, M])),
        ("broadcastable([N, 2], [M, 1])", compatible([N, M])),
        ("same_shape([N, 2], [M, 2])", N == M),
        ("[N, 2] == [M, 2] == [H, 2]", conjunction((N == M, M == H))),
        ("[N] != [M]", N != M),
        ("[N, M][0] == [N, M][-1]", N == M),
        ("[N, M,].rank == 2", TRUE),
        ("rank([N, M].shape) == 2", TRUE),
        ("broadcast(N, M) == 2", broadcast_extent(N, M) == 2),
        ("broadcast([N], [M]) == [2]", broadcast([N], [M]) == [2]),
        ("broadcastable(s, t)", broadcastable(s, t)),
        ("s.rank == t.rank and s[0] == t[-1]", conjunction((s.rank == t.rank, s.extent(0) == t.column(0)))),
        ("same_extents(broadcast(s, t), s)", same_extents(broadcast(s, t), s)),
        ("column(s, N) == 1", s.column(N) == 1),
        ("invalid == [N]", FALSE),
    ],
)
def test_claims_are_parsed_to_their_normal_form(text: str, claim: Formula) -> None:
    assert parse_formula(text, Scope.free()) is claim


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("N", N),
        ("-N**2 + 3", 3 - N * N),
        ("N//2*2", N // 2 * 2),
        ("-(N//2)", -(N // 2)),
        ("-N//2", (-N) // 2),
        ("N % 4 % 2", N % 2),
        ("ceildiv(N, 2)", ceildiv(N, 2)),
        ("min(N, M + 1, 7)", minimum(N, M + 1, 7)),
        ("max(N)", maximum(N)),
        ("select(N == 1 or M == 2, H, 3)", choose((N == 1) | (M == 2), H, 3)),
        ("2**10", N * 0 + 1024),
        ("9223372036854775807", N * 0 + 2**63 - 1),
        ("min + max", variable("min") + variable("max")),
        ("layers.0.size + %0 + %0#1", variable("layers.0.size") + variable("%0") + variable("%0#1")),
        ("N%M", N % M),
        ("N %2", N % 2),
        ("(N)%M", N % M),
        ("N % %M", N % variable("%M")),
    ],
)
def test_sizes_are_parsed_to_their_normal_form(text: str, size: Dim) -> None:
    assert parse_size(text, Scope.free()) is size


def test_shapes_are_parsed_to_their_normal_form() -> None:
    assert parse_shape("[B, T, 8]", Scope.free()) is shape([*dims("B T"), 8])
    assert parse_shape("[2*H + 1, N // 2]", Scope.free()) is shape([2 * H + 1, N // 2])
    assert parse_shape("[]", Scope.free()) is shape([])
    assert parse_shape("s", Scope.free()) is s
    assert parse_shape("broadcast(s, t)", Scope.free()) is broadcast(s, t)
    assert parse_shape("broadcast([N], [M])", Scope.free()) is broadcast([N], [M])
    assert parse_shape("invalid", Scope.free()) is INVALID
    assert parse_shape("arg0", NAMED) is shape([N, M])


# Scopes ----------------------------------------------------------------------------------------------------------


def test_a_closed_scope_knows_its_names() -> None:
    assert parse_formula("arg0[0] == N and arg0[-1] == M and arg0.rank == 2", NAMED) is TRUE
    assert parse_formula("%arg0 == [N, M]", NAMED) is TRUE
    assert parse_size("arg1[0]", NAMED) is unranked("arg1").extent(0)
    assert parse_size("%0[0] % %0[0]", NAMED) is N % N
    assert parse_size("arg0[batch_size]", NAMED) is shape([N, M]).extent(K)


def test_a_free_scope_gives_sizes_their_least_value() -> None:
    assert parse_formula("N >= 2", Scope.free(2)) is TRUE
    assert parse_formula("N >= 0", Scope.free()) is TRUE
    assert parse_formula("N >= 1", Scope.free()) is not TRUE


def test_a_free_scope_finds_out_what_is_a_shape() -> None:
    scope = Scope.free()
    assert (
        parse_formula("a == b and b == c and rank(c) == 2", scope).variables
        == parse_formula("broadcastable(a, b, c)", scope).variables
    )
    assert scope.kind("a") is Kind.SHAPE
    assert scope.names == {"a", "b", "c"}
    assert parse_formula("broadcast(d, e) == a", scope) == parse_formula("same_shape(broadcast(d, e), a)", scope)
    with pytest.raises(InputError, match="used both as a size and as a shape"):
        parse_formula("a >= 1", scope)


def test_a_closed_scope_takes_no_new_names() -> None:
    with pytest.raises(ValueError, match="closed"):
        NAMED.declare("new", Kind.SIZE)


# Mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("", "the text is empty", ""),
        ("  \n ", "the text is empty", None),
        ("N = 2", "write `==`", "="),
        ("N && M", "write `and`", "&&"),
        ("N || M", "write `or`", "||"),
        ("N & M", "write `and`", "&"),
        ("N | M", "write `or`", "|"),
        ("!N", "write `not`", "!"),
        ("~N", "write `not`", "~"),
        ("N / 2 == 1", "write `//`", "/"),
        ("N ^ 2 == 1", r"write `\*\*`", "^"),
        ("N => 2", "write `>=`", "=>"),
        ("N <> 2", "write `!=`", "<>"),
        ("N := 2", "write `==`", ":="),
        ("N ≤ 2", "write `<=`", "≤"),
        ("N \N{MULTIPLICATION SIGN} 2 == 2", r"write `\*`", "\N{MULTIPLICATION SIGN}"),
        ("Ν == 2", "GREEK CAPITAL LETTER NU", "Ν"),  # noqa: RUF001
        ("N == \N{FULLWIDTH DIGIT TWO}", "plain `2`", "\N{FULLWIDTH DIGIT TWO}"),
        ("é == 2", "plain letters", "é"),
        ("N == ?", "give it a name", "?"),
        ("N == 2;", "`;` is not used here", ";"),
        ("N == 'a'", "`'` is not used here", "'"),
        ("N == \x00", "U\\+0000", " "),
        ("True", "`True` is written `true`", "True"),
        ("N == None", "`None` is no size", "None"),
        ("N == 1 AND M == 2", "written `and`", "AND"),
        ("1.5 == N", "sizes are integers", "1."),
        ("2N == 4", r"`2\*N`", "2N"),
        ("1__0 == N", "underscore", "1__0"),
        ("9223372036854775808 == N", "no size is larger", "9223372036854775808"),
        ("1" + "0" * 5000 + " == N", "no size is larger", None),
        ("N +", r"something is missing after `\+`", ""),
        ("* N", r"something is missing before `\*`", "*"),
        ("N + * 2 == 1", r"something is missing between `\+` and `\*`", "*"),
        ("N == == 2", "something is missing between", "=="),
        ("N and and M", "something is missing between", "and"),
        ("(N == 1", "is never closed", "("),
        ("[N, M == 1", "is never closed", "["),
        ("N == 1)", "no bracket is open", ")"),
        ("min(N, M] == 1", "is missing before `]`", "]"),
        ("(N, M) == 1", "one expression", ","),
        ("() == 1", "is empty", "("),
        ("s[] == 1", "is empty", "["),
        ("s[0, 1] == 1", "one index", ","),
        ("N M", "should end before `M`", "M"),
        ("N == 1 2", "should end before `2`", "2"),
        ("N == not M", "needs parentheses", "not"),
        ("N", "`N` is a size; a claim is needed here, such as `N == 0`", "N"),
        ("H % 16", "such as `H % 16 == 0`", "H % 16"),
        ("[N, M]", "is a shape; a claim is needed", "[N, M]"),
        ("not N", "a claim is needed", "N"),
        ("N and M == 1", "a claim is needed", "N"),
        ("N == 1 -> M", "a claim is needed", "M"),
        ("(N == 1) + 1 == 2", "is a claim; a size is needed", "N == 1"),
        ("[N] + 1 == 2", "is a shape; a size is needed", "[N]"),
        ("[N] == 1", "is a shape; a size is needed", "[N]"),
        ("[[N]] == [1]", "is a shape; a size is needed", "[N]"),
        ("broadcastable(N + 1, s)", "is a size; a shape is needed", "N + 1"),
        ("compatible([N], [M])", "a size is needed", "[N]"),
        ("[N] < [M]", "only", "[N] < [M]"),
        ("(N + 1)[0] == 1", "is a size; a shape is needed", "N + 1"),
        ("N[0] == 1 and N == 1", "both as a size and as a shape", "N"),
        ("N // 0 == 1", "divides by 0", "0"),
        ("N % (M - M) == 1", "divides by 0", "M - M"),
        (
            "N ** M == 1",
            "an exponent is a constant; of an exponent with few values list the cases: "
            "k == 0 and n <= 1 or k == 1 and n <= 2",
            "M",
        ),
        ("N ** 65 == 1", "at most 64", "65"),
        ("N ** -1 == 1", "at least 0", "-1"),
        ("[N, M][2] == 1", "has rank 2; an index is -2 to 1", "2"),
        ("[N, M][-3] == 1", "has rank 2; an index is -2 to 1", "-3"),
        ("[][0] == 1", "has no extents", "0"),
        ("min() == 1", r"written `min\(a, b, ...\)`", "min()"),
        ("select(N == 1, 2) == 1", r"written `select\(claim, a, b\)`", "select(N == 1, 2)"),
        ("rank(s, t) == 1", r"written `rank\(s\)`", "rank(s, t)"),
        ("maximum(N) == 1", "there is no function `maximum`", "maximum"),
        ("brodcastable(s)", "did you mean `broadcastable`", "brodcastable"),
        ("s.ndim() == 1", "there is no function `s.ndim`", "s.ndim"),
        ("[N].ndim == 1", "only `.rank` and `.shape`", "ndim"),
        ("true == false", "a size is needed", "true"),
        ("__import__('os')", "`'` is not used here", "'"),
        ("open(1) == 1", "there is no function `open`", "open"),
    ],
)
def test_parse_errors_mark_the_mistake(text: str, message: str, marked: str | None) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_formula(text, Scope.free())
    line, carets = caught.value.excerpt.split("\n")
    assert set(carets.strip()) == {"^"}
    if marked is not None:
        shown = line[carets.index("^") : len(carets)]
        assert shown == marked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("batchsize == 1", "`batchsize` is not known; did you mean `batch_size`"),
        ("n == 1", "did you mean `N`"),
        ("unheard == 1", "known are %0, %arg1, M, N, arg0, batch_size"),
        ("arg0 == 1", "`arg0` is a shape; a size is needed here, such as `arg0\\[0\\]`"),
        ("arg0[N == 1] == 1", "a size is needed"),
        ("arg0[2] == 1", "`arg0` has rank 2"),
        ("scalar[0] == 1", "it has no extents"),
        ("arg2[0] == 1", "did you mean"),
        ("both == 1", "both of a size and of a shape"),
        ("both[0] == 1", "both of a size and of a shape"),
        ("N.rank == 1", "`N` is a size; a shape is needed here, such as `\\[N\\]`"),
    ],
)
def test_mistakes_with_known_names(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_formula(text, NAMED)


def test_an_empty_scope_says_so() -> None:
    with pytest.raises(InputError, match="no names are known here"):
        parse_size("N", Scope.closed())


def test_the_excerpt_shows_the_line_of_the_mistake() -> None:
    with pytest.raises(InputError) as caught:
        parse_formula("N == 1 and\n\tM = 2\nand H == 3", Scope.free())
    assert caught.value.excerpt == " M = 2\n   ^"


def test_the_excerpt_of_a_long_line_is_cut() -> None:
    with pytest.raises(InputError) as caught:
        parse_formula("N + " * 500 + "= 2 + " + "M + " * 500 + "M", Scope.free())
    line, carets = caught.value.excerpt.split("\n")
    assert len(line) <= 100
    assert line[carets.index("^")] == "="


PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
NESTED_QUOTIENTS = "".join(f"{p}*((" for p in PRIMES) + "N" + "".join(f")//{p})" for p in reversed(PRIMES)) + " == 1"

# Limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N + " * 4000 + "1 == 2", "characters"),
        ("(" * 101 + "N" + ")" * 101 + " == 1", "nested deeper"),
        ("(" * 5000, "nested deeper"),
        ("[" * 5000, "nested deeper"),
        ("-(" * 99 + "N" + ")" * 99 + " == 1", "too deep"),
        ("not (" * 99 + "N == 1" + ")" * 99, "too deep"),
        ("min(N, " * 99 + "M" + ")" * 99 + " == 1", "too deep"),
        ("((N**64)**64)**64 == 1", "degree"),
        ("N" + "**2" * 7 + " == 1", "at most 256"),
        ("((((2**64)**64)**64)**64)**64 == 1", "1,024 binary digits"),
        ("*".join(f"(a{i} + b{i})" for i in range(50)) + " == 1", "too long"),
        ("(a + b + c + d + e)**20 == 1", "too many terms"),
        ("9223372036854775807*" * 400 + "N == 1", "too large"),
        ("(N**9" + "//9223372036854775807" * 30 + ") == 1", "too large"),
        (NESTED_QUOTIENTS, "too long"),
        ("min(" + ", ".join(f"n{i}" for i in range(101)) + ") == 1", "at most 100"),
        ("[" + ", ".join("1" for _ in range(101)) + "] == [1]", "at most 100"),
    ],
)
def test_texts_that_would_cost_too_much(text: str, message: str) -> None:
    started = time.process_time()
    with pytest.raises(InputError, match=message):
        parse_formula(text, Scope.free())
    assert time.process_time() - started < 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 95 + "N" + ")" * 95 + " == 1",
        "- " * 4000 + "N == 1",
        "not " * 2000 + "N == 1",
        " + ".join(f"n{i}" for i in range(1200)) + " == 1",
        " and ".join(f"n{i} == {i}" for i in range(600)),
        " -> ".join(f"n{i} == {i}" for i in range(600)),
        "min(N, " * 90 + "M" + ")" * 90 + " == 1",
        "N == 1 and (M == 1 or (" * 45 + "N == 2" + "))" * 45,
        "select(N == 1, " * 90 + "M" + ", 2)" * 90 + " == 1",
        "s" + ".shape" * 1000 + "[0] == 1",
    ],
)
def test_long_texts_are_read_quickly(text: str) -> None:
    started = time.process_time()
    claim = parse_formula(text, Scope.free())
    assert claim is not TRUE
    assert time.process_time() - started < 5


WORDS = (
    "// ** == != <= < -> min( select( true broadcast( broadcastable( rank( column( .rank .shape [0] %arg0 16 invalid"
)
PIECES = st.sampled_from([*"NMst01()[],.%+-* ", *WORDS.split(), " and ", " or ", "not "])


def read(text: str, scope: Scope) -> None:
    """Read a text as everything; every answer is an object or an InputError with an excerpt."""
    for parse in (parse_formula, parse_size, parse_shape):
        try:
            parse(text, scope)
        except InputError as error:
            line, carets = error.excerpt.split("\n")
            assert len(line) <= 100
            assert carets.strip(" ^") == ""
            assert error.message


@given(st.text(max_size=60))
@example("\x85")
@example("%")
@example("\ud800")
def test_any_text_is_read_or_refused(text: str) -> None:
    read(text, Scope.free())
    read(text, NAMED)


@examples(300)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_sequence_of_tokens_is_read_or_refused(text: str) -> None:
    read(text, Scope.free())
    read(text, NAMED)


@given(formulas, st.data())
def test_any_damaged_claim_is_read_or_refused(claim: Formula, data: st.DataObject) -> None:
    text = str(claim)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    read(text[:start] + data.draw(PIECES) + text[end:], SCOPE)


def test_no_stack_left_is_an_error_about_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STACK", 0)  # else room is made for what is nested deep
    before = sys.getrecursionlimit()
    text = "min(N, " * 95 + "M" + ")" * 95

    def deep(frames: int) -> Dim:
        return deep(frames - 1) if frames else parse_size(text, Scope.free())

    sys.setrecursionlimit(1_000)
    try:
        with pytest.raises(InputError, match="nested too deep"):
            deep(550)
    finally:
        sys.setrecursionlimit(before)


def test_room_is_made_for_what_is_nested_deep() -> None:
    text = "min(N, " * 95 + "M" + ")" * 95

    def deep(frames: int) -> Dim:
        return deep(frames - 1) if frames else parse_size(text, Scope.free())

    assert str(deep(550)) == "min(M, N)"


def test_evaluating_what_was_read_deep() -> None:
    size = parse_size("select(N == 1, " * 90 + "M" + ", 2)" * 90, Scope.free())
    assert evaluate(size, dict.fromkeys(size.variables, 1)) == 1
