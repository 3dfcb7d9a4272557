"""../tosa_chain.mlir, written by hand -> ../tosa_chain_lowered.mlir, through upstream's tosa-to-linalg

tosa-to-arith only turns the leftover tosa.const into arith.constant.
"""

from pathlib import Path

from torch_mlir.ir import Context, Module
from torch_mlir.passmanager import PassManager

HERE = Path(__file__).resolve().parent
PIPELINE = "builtin.module(func.func(tosa-to-linalg,tosa-to-arith))"


def main() -> None:
    source = HERE.parent / "tosa_chain.mlir"
    path = HERE.parent / "tosa_chain_lowered.mlir"
    with Context():
        module = Module.parse(source.read_text())
        PassManager.parse(PIPELINE).run(module.operation)
        path.write_text(
            f"// {source.name} after func.func(tosa-to-linalg,tosa-to-arith): exporters/tosa_chain.py\n{module}"
        )
    print(f"wrote {path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
