"""Real architectures, with random weights, exported as users export them: by torch.export and shapesolve's own door.

Nothing is downloaded: models are made from configurations.

    python benchmarks/models/export.py gpt2 bert --to build/models [--layers 12] [--level linalg] [--decompose] [--bare]
    python benchmarks/models/export.py --list

Each is also a model for the command line: ``shapesolve check benchmarks/models/transformer_models.py:gpt2``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MODELS = {
    "gpt2": "transformer_models",
    "bert": "transformer_models",
    "llama": "transformer_models",
    "mixtral": "transformer_models",
    "t5": "transformer_models",
    "whisper": "transformer_models",
    "clip": "transformer_models",
    "vit": "transformer_models",
    "swin": "transformer_models",
    "resnet": "vision_models",
    "unet": "vision_models",
    "deeplab": "vision_models",
    "lraspp": "vision_models",
    "decoder": "plain_models",
    "decoder_batched": "plain_models",
    "encoder": "plain_models",
    "encoder_batched": "plain_models",
    "patches": "plain_models",
    "segments": "plain_models",
}
"""The file that makes each model."""

LEVELS = ("linalg", "stablehlo", "torch")
FULL = 12


def export(name: str, levels: list[str], folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Write ``NAME.LEVEL.mlir`` for each level; seconds of the processor and peak memory, or why there is none."""
    from shapesolve.errors import InputError
    from shapesolve.frontends.export_worker import model_from
    from shapesolve.frontends.torch_export import torch_model
    from shapesolve.frontends.torch_import import exported_program

    start = time.process_time()
    try:
        program = torch_model(model_from(str(HERE / f"{MODELS[name]}.py"), name), name).program
    except InputError as error:
        return {"error": error.message}
    record: dict[str, Any] = {"seconds": round(time.process_time() - start, 1), "levels": {}}
    for level in levels:
        start = time.process_time()
        try:
            text = exported_program(program, level=level, decompose=options.decompose, where=name).text
        except InputError as error:
            record["levels"][level] = {"error": error.message}
            continue
        text = without_facts(text) if options.bare else text
        path = folder / f"{name}.{level}.mlir"
        path.write_text(text, encoding="utf-8")
        record["levels"][level] = {"file": str(path), "seconds": round(time.process_time() - start, 1)}
    record["parameters"] = sum(each.numel() for each in program.state_dict.values())
    record["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return record


def without_facts(text: str) -> str:
    """Return the program without the attributes that hold what its exporter states of sizes."""
    from shapesolve.ir import bindings
    from shapesolve.ir.own_attributes import ASSUME, SHAPE, STATED_BY

    ir, context = bindings.ir(), bindings.new_context()
    context.allow_unregistered_dialects = True
    with context:
        module = ir.Module.parse(text)
        for function in module.body.operations:
            for each in (ASSUME, STATED_BY):
                if each in function.attributes:
                    del function.attributes[each]
            if "arg_attrs" in function.attributes:
                entries = ir.ArrayAttr(function.attributes["arg_attrs"])
                kept = [{each.name: each.attr for each in ir.DictAttr(entry)} for entry in entries]
                without = [{name: each for name, each in entry.items() if name != SHAPE} for entry in kept]
                function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in without])
        return module.operation.get_asm(enable_debug_info=True, use_name_loc_as_prefix=True)


def main() -> None:
    """Export what was asked for; what was made is printed as JSON, a line a model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="default: all")
    parser.add_argument("--to", type=Path, default=Path("build/models"), metavar="DIR")
    parser.add_argument("--layers", type=int, default=2, help="of each stack (default: 2)")
    parser.add_argument("--full", action="store_const", const=FULL, dest="layers", help=f"--layers {FULL}")
    parser.add_argument("--level", nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument(
        "--decompose", action="store_true", help="linear and matmul too, as torch-mlir has it by default"
    )
    parser.add_argument("--bare", action="store_true", help="without what the exporter states of sizes")
    parser.add_argument("--list", action="store_true", help="the names of the models")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(MODELS))
        return
    unknown = [each for each in arguments.models if each not in MODELS]
    if unknown:
        parser.error(f"there is no model {unknown[0]}; there are {', '.join(MODELS)}")
    os.environ["MODEL_LAYERS"] = str(arguments.layers)
    warnings.simplefilter("ignore")
    arguments.to.mkdir(parents=True, exist_ok=True)
    for name in arguments.models or MODELS:
        print(json.dumps({"model": name, **export(name, arguments.level, arguments.to, arguments)}), flush=True)


if __name__ == "__main__":
    main()
