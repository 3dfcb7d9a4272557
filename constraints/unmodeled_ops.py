"""Effects of operations without a rule, and which of them are safe to execute.

Those on the allow-list compute, or name what the program itself holds. No other operation without a rule is executed,
since it may reach outside of the program.
"""

from __future__ import annotations

from shapesolve.semantics.effects import ANY_RESULT, UNSTATED
from shapesolve.semantics.registry import safe_to_execute, without_rule

# Symbols that hold operations or that operations refer to. The use of a function without a body, or of a buffer without
# a value, is refused all the same: it stands for something outside.
safe_to_execute(
    "func.func",
    "shape.func",
    "shape.function_library",
    "memref.global",
    "ml_program.global",
    "tosa.variable",
    module=__name__,
)

# Arithmetic on values, whole dialects of it.
safe_to_execute("arith.*", "math.*", "complex.*", "index.*", module=__name__)

# PyTorch's operators, which have shapes of their own; its custom ones (`torch.operator`) are not among them.
safe_to_execute(
    "torch.aten.*",
    "torch.constant.*",
    "torch.copy.*",
    "torch.derefine",
    "torch.overwrite.tensor.contents",
    "torch.prim.*",
    "torch.prims.*",
    "torch.runtime.assert",
    "torch.tensor_static_info_cast",
    "torch.vtensor.literal",
    "torch_c.*",
    module=__name__,
)

# These read external data: two runs may differ even after the same history.
without_rule("stablehlo.infeed", "stablehlo.recv", "tosa.custom", effects=UNSTATED | ANY_RESULT)
