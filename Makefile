# `make demo` runs the main job on the examples; `make test` runs the whole suite. Both set up what they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Hundreds of processes start in one run of the suite. Where the environment forbids bytecode, each compiles everything again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-exhaustive test-fast test-frontends lint bench fuzz mutants certify docs clean

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or later is needed"'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

# Exit code 1 says that something was refuted: in the demonstration that is what should happen.
demo: $(READY)
	@mkdir -p build
	$(BIN)/shapesolve check examples/unet.mlir || test $$? -eq 1
	$(BIN)/shapesolve check examples/linear.mlir || test $$? -eq 1
	$(BIN)/shapesolve prune examples/transformer.mlir -o build/transformer.pruned.mlir --force
	$(BIN)/shapesolve prune examples/transformer.mlir -o build/transformer.shaped.mlir --force --min-size 1 \
	    --shape 'arg0=[B, S, 8]' --shape 'arg1=[B, S, 8]' --shape 'arg2=[B, 1, S, S]'

# Everything but the sweeps and what needs PyTorch, JAX or ONNX, with a fifth of the random examples of a property.
test: $(READY)
	HYPOTHESIS_PROFILE=brief $(BIN)/python -m pytest -n auto --dist worksteal -m 'not exhaustive and not frontends'

# Sweeps over many programs, sizes and commands, and every property with all its examples: the longer half by time.
test-exhaustive: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'exhaustive or property'

# The cases, and the unit tests that start no process and take next to no time: for between two changes.
test-fast: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m fast --durations=10 --durations-min=1

# What needs PyTorch, JAX or ONNX, in an environment of its own (about 1.5 GB), with the version of PyTorch that they expect.
FRONTENDS := .venv-frontends
$(FRONTENDS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(FRONTENDS)
	$(FRONTENDS)/bin/python -m pip install --quiet --disable-pip-version-check 'torch==2.13.0' 'onnxruntime>=1.20,<2' -e '.[test,jax,onnx]'
	@touch $@

test-frontends: $(FRONTENDS)/.ready
	$(FRONTENDS)/bin/python -c 'import torch, jax, onnx, torch_mlir'
	$(FRONTENDS)/bin/python -m pytest -n auto --dist worksteal -m frontends

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: $(READY)
	$(BIN)/python benchmarks/queries.py
	$(BIN)/python benchmarks/questions_of_others.py
	$(BIN)/python benchmarks/scaling.py

# Random trials for MINUTES, from SEED on or where the last run ended; what they find is in build/fuzz.
MINUTES ?= 5
fuzz: $(READY)
	PYTHONPATH=tests $(BIN)/python -m fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# Rules with one thing changed: the share that the tests notice, of a sample of SAMPLE for each dialect, drawn by SEED.
SAMPLE ?= 40
mutants: $(READY)
	$(BIN)/python benchmarks/mutants.py --sample $(SAMPLE) $(if $(SEED),--seed $(SEED))

# Every proof of the examples and the cases, confirmed by cvc5.
certify: $(READY)
	$(BIN)/python benchmarks/certificates.py

# The site, in build/site, with the notebooks as pages. A link or an anchor that leads nowhere is an error.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	PYTHONPATH=tests $(BIN)/python -m support.notebook_pages docs/notebooks
	$(BIN)/zensical build --strict

clean:
	rm -rf $(VENV) $(FRONTENDS) build *.egg-info
