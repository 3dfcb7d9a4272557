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


def t5() -> Any:
    """Encoder and decoder with relative positions: token ids [B, T] and [B, S] to logits."""
    configuration = transformers.T5Config(
        vocab_size=WORDS,
        d_model=WIDTH,
        d_kv=WIDTH // HEADS,
        d_ff=2 * WIDTH,
        num_layers=LAYERS,
        num_heads=HEADS,
        use_cache=False,
        **COMMON,
    )
    b, t, s = Dim("B", min=1, max=64), Dim("T", min=2, max=128), Dim("S", min=2, max=128)
    model = transformers.T5ForConditionalGeneration(configuration).eval()
    wrapped = Outputs(model, "logits", "input_ids", "decoder_input_ids", use_cache=False)
    given = torch.zeros(2, 7, dtype=torch.int64), torch.zeros(2, 5, dtype=torch.int64)
    return wrapped, given, (({0: b, 1: t}, {0: b, 1: s}),)


def clip() -> Any:
    """Two towers: token ids [N, T] and images [M, 3, 32, 32] to their similarities."""
    common = {"hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "num_hidden_layers": LAYERS}
    common |= {"num_attention_heads": HEADS, "projection_dim": WIDTH}
    configuration = transformers.CLIPConfig(
        text_config={**common, "vocab_size": WORDS, "max_position_embeddings": 77, "eos_token_id": WORDS - 1},
        vision_config={**common, "image_size": 32, "patch_size": 8},
        projection_dim=WIDTH,
        **COMMON,
    )
    n, m, t = Dim("N", min=1, max=64), Dim("M", min=1, max=64), Dim("T", min=2, max=77)
    wrapped = Outputs(transformers.CLIPModel(configuration).eval(), "logits_per_image", "input_ids", "pixel_values")
    given = torch.zeros(4, 7, dtype=torch.int64), torch.zeros(3, 3, 32, 32)
    return wrapped, given, (({0: n, 1: t}, {0: m}),)


def whisper() -> Any:
    """Speech: spectrograms [B, 80, 200] and token ids [B, T] to logits."""
    configuration = transformers.WhisperConfig(
        vocab_size=WORDS,
        d_model=WIDTH,
        encoder_layers=LAYERS,
        decoder_layers=LAYERS,
        encoder_attention_heads=HEADS,
        decoder_attention_heads=HEADS,
        encoder_ffn_dim=2 * WIDTH,
        decoder_ffn_dim=2 * WIDTH,
        max_source_positions=100,
        max_target_positions=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        use_cache=False,
        **COMMON,
    )
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=64)
    model = transformers.WhisperForConditionalGeneration(configuration).eval()
    wrapped = Outputs(model, "logits", "input_features", "decoder_input_ids", use_cache=False)
    given = torch.zeros(2, 80, 200), torch.zeros(2, 7, dtype=torch.int64)
    return wrapped, given, (({0: b}, {0: b, 1: t}),)


def mixtral() -> Any:
    """Decoder with experts, two of four for each token: token ids [B, T] to logits."""
    configuration = transformers.MixtralConfig(
        vocab_size=WORDS,
        hidden_size=WIDTH,
        intermediate_size=2 * WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS // 2,
        num_local_experts=4,
        experts_implementation="batched_mm",
        use_cache=False,
        **COMMON,
    )
    b, t = Dim("B", min=1, max=64), Dim("T", min=2, max=128)
    wrapped = Outputs(transformers.MixtralForCausalLM(configuration).eval(), "logits", "input_ids", use_cache=False)
    return wrapped, (torch.zeros(2, 7, dtype=torch.int64),), (({0: b, 1: t},),)


def swin() -> Any:
    """Vision transformer with shifted windows: images [B, 3, 64, 64] to states."""
    configuration = transformers.SwinConfig(
        image_size=64, patch_size=4, embed_dim=16, depths=[LAYERS, LAYERS], num_heads=[2, 4], window_size=4, **COMMON
    )
    wrapped = Outputs(transformers.SwinModel(configuration).eval(), "last_hidden_state", "pixel_values")
    return wrapped, (torch.zeros(2, 3, 64, 64),), (({0: Dim("B", min=1, max=64)},),)
