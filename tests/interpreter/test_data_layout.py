"""Test of data layouts with another width of `index` than 64 bits: reports state the assumption."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shapesolve import check
from shapesolve.ir.analyses import ProgramAnalyses
from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.pipeline import check_program

ROUND_TRIP = """module{layout} {{
  func.func @f(%x: i64) {{
    %i = arith.index_cast %x : i64 to index
    %y = arith.index_cast %i : index to i64
    %p = arith.cmpi eq, %x, %y : i64
    cf.assert %p, "the same"
    return
  }}
}}"""

LEANS = "index has 64 bits, though a data layout in the file says 32"


@pytest.mark.parametrize(
    ("entries", "leans"),
    [
        (None, False),
        ("#dlti.dl_entry<index, 32 : i64>", True),
        ("#dlti.dl_entry<index, 64 : i64>", False),
        ('#dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<index, 32 : i64>', True),
        ("#dlti.dl_entry<i64, dense<[32, 64]> : vector<2xi64>>", False),
    ],
)
def test_another_width_of_index_is_reported(entries: str | None, leans: bool) -> None:
    layout = "" if entries is None else f" attributes {{dlti.dl_spec = #dlti.dl_spec<{entries}>}}"
    report = check(ROUND_TRIP.format(layout=layout), execute=False)
    assert (LEANS in report.functions[0].trace.modeling_texts) is leans


def test_a_program_is_looked_through_once_for_all_its_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []
    get = ProgramAnalyses.get

    def counted(analyses: ProgramAnalyses, key: tuple[object, ...], compute: Callable[[], object]) -> object:
        def counting() -> object:
            computed.append(getattr(key[0], "__name__", ""))
            return compute()

        return get(analyses, key, counting)

    monkeypatch.setattr(ProgramAnalyses, "get", counted)
    program = read_text("".join(f"func.func @f{number}(%x: index) {{ return }}\n" for number in range(5)))
    assert len(check_program(program, Options(execute=False)).functions) == 5
    assert computed.count("other_widths") == 1
