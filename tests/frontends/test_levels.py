"""Tests of lowering one module to several levels."""

from __future__ import annotations

from typing import Any

import pytest

from shapesolve.errors import InputError
from shapesolve.frontends.export_process import Exported
from shapesolve.frontends.lowering import at_levels
from shapesolve.ir import bindings


def _not_reached(_: Any, level: str) -> Exported:
    pytest.fail(f"it goes on to {level}")


def test_imported_modules_are_verified_before_use() -> None:
    ir = bindings.ir()
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
        wrong = ir.Operation.create(
            "arith.constant", results=[ir.IntegerType.get_signless(32)], attributes={"value": number}
        )
        module.body.append(wrong)
        with pytest.raises(InputError, match=r"no valid program: 'arith\.constant' op"):
            at_levels(module, ("torch", "linalg"), _not_reached, "model.py:make")
