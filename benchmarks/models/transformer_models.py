"""Transformers of the package `transformers`, from their configurations, with random weights: nothing is downloaded.

Each function is what ``shapesolve check benchmarks/models/transformer_models.py:gpt2`` names. The environment variable
MODEL_LAYERS is the number of layers (2 where it is not set).
"""

# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import os
from typing import Any

import torch
import transformers
from torch.export import Dim

LAYERS = int(os.environ.get("MODEL_LAYERS", "2"))
WIDTH, HEADS, WORDS = 64, 4, 500
COMMON: dict[str, Any] = {"attn_implementation": os.environ.get("MODEL_ATTENTION", "eager")}


class Outputs(torch.nn.Module):
    """A model of which one output is wanted: exports return tensors, not the classes of that package."""

    def __init__(self, model: torch.nn.Module, output: str, *inputs: str, **always: Any) -> None:
        super().__init__()
        self.model = model
        self._output, self._inputs, self._always = output, inputs, always

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        return getattr(self.model(**dict(zip(self._inputs, given, strict=True)), **self._always), self._output)


def gpt2() -> Any:
    """Decoder: token ids [B, T] to logits."""
    configuration = transformers.GPT2Config(
        vocab_size=WORDS, n_positions=128, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, **COMMON
    )
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=128)
    model = Outputs(transformers.GPT2LMHeadModel(configuration).eval(), "logits", "input_ids", use_cache=False)
    return model, (torch.zeros(2, 7, dtype=torch.int64),), (({0: b, 1: t},),)


def bert() -> Any:
    """Encoder: token ids and a mask, both [B, T], to states."""
    configuration = transformers.BertConfig(
        vocab_size=WORDS,
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=4 * WIDTH,
        max_position_embeddings=128,
        **COMMON,
    )
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=128)
    model = Outputs(transformers.BertModel(configuration).eval(), "last_hidden_state", "input_ids", "attention_mask")
    ids = torch.zeros(2, 7, dtype=torch.int64)
    return model, (ids, torch.ones_like(ids)), (({0: b, 1: t}, {0: b, 1: t}),)


def vit() -> Any:
    """Vision transformer: images [B, 3, 32, 32] to states."""
    configuration = transformers.ViTConfig(
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=4 * WIDTH,
        image_size=32,
        patch_size=8,
        **COMMON,
    )
    model = Outputs(transformers.ViTModel(configuration).eval(), "last_hidden_state", "pixel_values")
    return model, (torch.zeros(2, 3, 32, 32),), (({0: Dim("B", min=1, max=64)},),)


class Step(torch.nn.Module):
    """One step of a decoder with a cache: new token ids [B, N] after keys and values of P positions."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, past: list[tuple[torch.Tensor, torch.Tensor]]) -> Any:
        cache = transformers.DynamicCache(past)
        given = self.model(input_ids=ids, past_key_values=cache, use_cache=True)
        return given.logits, [(layer.keys, layer.values) for layer in given.past_key_values.layers]


def llama() -> Any:
    """Decoder with grouped queries and a cache: token ids [B, N] after P positions, to logits and the cache."""
    groups = HEADS // 2
    configuration = transformers.LlamaConfig(
        vocab_size=WORDS,
        hidden_size=WIDTH,
        intermediate_size=2 * WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=groups,
        max_position_embeddings=256,
        **COMMON,
    )
    b, n, p = Dim("B", min=1, max=64), Dim("N", min=2, max=64), Dim("P", min=1, max=128)
    model = Step(transformers.LlamaForCausalLM(configuration).eval())
    one = (torch.zeros(2, groups, 5, WIDTH // HEADS), torch.zeros(2, groups, 5, WIDTH // HEADS))
    shapes = ({0: b, 2: p}, {0: b, 2: p})
    ids = torch.zeros(2, 3, dtype=torch.int64)
    return model, (ids, [one] * LAYERS), ({0: b, 1: n}, [shapes] * LAYERS)
