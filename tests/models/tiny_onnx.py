"""Writes tiny networks of random numbers with the inputs and outputs of the real ones: SigLIP2's two, and multilingual-e5's."""

from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from models.onnx_file import Node, Put, network

WORDS = (
    "<pad>",
    "<eos>",
    "<unk>",
    "query",
    "passage",
    ":",
    "a",
    "dog",
    "on",
    "the",
    "beach",
    "cat",
    "snow",
    "hund",
    "am",
    "strand",
)
SIGLIP_DIMENSIONS, E5_DIMENSIONS, SIGLIP_TOKENS = 768, 384, 64
_UNKNOWN = "<unk>"
FILES = ("vision_model.onnx", "text_model.onnx", "tokenizer.json")


def write_tiny_siglip(folder: Path, *, element: str = "float32") -> tuple[Path, Path, Path]:
    """Write what the catalogue's entry is made of, and return the paths; pictures alike in their colours are alike."""
    folder.mkdir(parents=True, exist_ok=True)
    vision, text, tokenizer = (folder / name for name in FILES)
    vision.write_bytes(_vision(element))
    text.write_bytes(_text())
    tokenizer.write_text(_tokenizer(ends=True))
    return vision, text, tokenizer


def write_tiny_e5(folder: Path) -> tuple[Path, Path]:
    """Write a network and a tokenizer as e5 has them, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    inputs = [Put(name, "int64", ("batch", "length")) for name in ("input_ids", "attention_mask", "token_type_ids")]
    table = np.random.default_rng(3).normal(0, 1, (len(WORDS), E5_DIMENSIONS)).astype(np.float32)
    nodes = [
        Node("Gather", ("table", "input_ids"), ("words",)),
        Node("Mul", ("attention_mask", "token_type_ids"), ("seen",)),  # so that every input is asked for
        Node("Cast", ("seen",), ("seen_float",), {"to": 1}),
        Node("Unsqueeze", ("seen_float", "last_axis"), ("seen_wide",)),
        Node("Add", ("words", "seen_wide"), ("last_hidden_state",)),
    ]
    outputs = [Put("last_hidden_state", "float32", ("batch", "length", E5_DIMENSIONS))]
    model.write_bytes(network(inputs, outputs, nodes, {"table": table, "last_axis": np.array([2], np.int64)}))
    tokenizer.write_text(_tokenizer(ends=False))
    return model, tokenizer


def _vision(element: str) -> bytes:
    random = np.random.default_rng(1)
    weights = random.normal(0, 1, (48, SIGLIP_DIMENSIONS)).astype(element)
    inputs = [Put("pixel_values", element, ("batch", 3, 224, 224))]
    outputs = [
        Put("last_hidden_state", element, ("batch", 3, 4, 4)),
        Put("pooler_output", element, ("batch", SIGLIP_DIMENSIONS)),
    ]
    nodes = [
        Node("AveragePool", ("pixel_values",), ("last_hidden_state",), {"kernel_shape": (56, 56), "strides": (56, 56)}),
        Node("Flatten", ("last_hidden_state",), ("flat",)),
        Node("MatMul", ("flat", "weights"), ("pooler_output",)),
    ]
    return network(inputs, outputs, nodes, {"weights": weights})


def _text() -> bytes:
    table = np.random.default_rng(2).normal(0, 1, (len(WORDS), SIGLIP_DIMENSIONS)).astype(np.float32)
    inputs = [Put("input_ids", "int64", ("batch", SIGLIP_TOKENS))]
    outputs = [Put("pooler_output", "float32", ("batch", SIGLIP_DIMENSIONS))]
    nodes = [
        Node("Gather", ("table", "input_ids"), ("words",)),
        Node("ReduceMean", ("words",), ("pooler_output",), {"axes": (1,), "keepdims": 0}),
    ]
    return network(inputs, outputs, nodes, {"table": table})


def _tokenizer(*, ends: bool) -> str:
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token=_UNKNOWN))
    tokenizer.pre_tokenizer = Whitespace()
    if ends:
        tokenizer.post_processor = TemplateProcessing(single="$A <eos>", special_tokens=[("<eos>", 1)])
    text: str = tokenizer.to_str()
    return text
