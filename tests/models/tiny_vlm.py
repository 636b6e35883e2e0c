"""Writes a vision-language model of random numbers, small enough for a test: GGUF weights and a projector, under 1 MB.

The vocabulary is three control tokens, a padding of ordinary ones and one token for every byte, so that any text can be read
and written. What it says is noise; what is tested is loading, pictures, template, grammar and crashes on the real library.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 2048
SIGHT_WIDTH, SIGHT_LAYERS, SIGHT_INNER, IMAGE_SIZE, PATCH = 32, 2, 64, 112, 14
TEMPLATE = (
    "{% for m in messages %}<|turn|>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}"
    "{% else %}{% for part in m['content'] %}{% if part['type'] == 'text' %}{{ part['text'] }}{% endif %}{% endfor %}"
    "{% endif %}</s>\n{% endfor %}{% if add_generation_prompt %}<|turn|>assistant\n{% endif %}"
)

Value = str | int | float | bool | Sequence[str] | Sequence[int] | Sequence[float]
Tensors = Mapping[str, NDArray[np.float32]]


def write_tiny_vlm(folder: Path) -> tuple[Path, Path]:
    """Write `model.gguf` and `mmproj.gguf` into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    model, projector = folder / "model.gguf", folder / "mmproj.gguf"
    random = np.random.default_rng(0)
    _write(model, _language_keys(), _language_tensors(random))
    _write(projector, _sight_keys(), _sight_tensors(random))
    return model, projector


def _tokens() -> tuple[list[str], list[float], list[int]]:
    words = ["<unk>", "<s>", "</s>", "<|turn|>"]
    kinds = [2, 3, 3, 3]  # unknown, then control tokens
    words += [f"<0x{byte:02X}>" for byte in range(256)]
    kinds += [6] * 256
    words += ["▁", *"etaoinshr"]
    kinds += [1] * 10
    return words, [float(-index) for index in range(len(words))], kinds


def _language_keys() -> dict[str, Value]:
    words, scores, kinds = _tokens()
    return {
        "general.architecture": "llama",
        "general.name": "tiny-random",
        "llama.context_length": CONTEXT,
        "llama.embedding_length": WIDTH,
        "llama.block_count": LAYERS,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "llama.vocab_size": len(words),
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.chat_template": TEMPLATE,
    }


def _language_tensors(random: np.random.Generator) -> Tensors:
    vocabulary = len(_tokens()[0])
    tensors = {
        "token_embd.weight": _noise(random, vocabulary, WIDTH),
        "output_norm.weight": np.ones(WIDTH, np.float32),
        "output.weight": _noise(random, vocabulary, WIDTH),
    }
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        for norm in ("attn_norm", "ffn_norm"):
            tensors[f"{block}{norm}.weight"] = np.ones(WIDTH, np.float32)
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensors[f"{block}{part}.weight"] = _noise(random, WIDTH, WIDTH)
        tensors[f"{block}ffn_gate.weight"] = _noise(random, INNER, WIDTH)
        tensors[f"{block}ffn_up.weight"] = _noise(random, INNER, WIDTH)
        tensors[f"{block}ffn_down.weight"] = _noise(random, WIDTH, INNER)
    return tensors


def _sight_keys() -> dict[str, Value]:
    return {
        "general.architecture": "clip",
        "clip.has_vision_encoder": True,
        "clip.projector_type": "gemma3",
        "clip.use_gelu": True,
        "clip.vision.image_size": IMAGE_SIZE,
        "clip.vision.patch_size": PATCH,
        "clip.vision.embedding_length": SIGHT_WIDTH,
        "clip.vision.feed_forward_length": SIGHT_INNER,
        "clip.vision.projection_dim": WIDTH,
        "clip.vision.block_count": SIGHT_LAYERS,
        "clip.vision.attention.head_count": 2,
        "clip.vision.attention.layer_norm_epsilon": 1e-6,
        "clip.vision.image_mean": [0.5, 0.5, 0.5],
        "clip.vision.image_std": [0.5, 0.5, 0.5],
    }


def _sight_tensors(random: np.random.Generator) -> Tensors:
    tensors = {
        "v.patch_embd.weight": _noise(random, SIGHT_WIDTH, 3, PATCH, PATCH),
        "v.patch_embd.bias": _noise(random, SIGHT_WIDTH),
        "v.position_embd.weight": _noise(random, (IMAGE_SIZE // PATCH) ** 2, SIGHT_WIDTH),
        "v.post_ln.weight": np.ones(SIGHT_WIDTH, np.float32),
        "v.post_ln.bias": _noise(random, SIGHT_WIDTH),
        "mm.input_projection.weight": _noise(random, SIGHT_WIDTH, WIDTH),
        "mm.soft_emb_norm.weight": np.ones(SIGHT_WIDTH, np.float32),
    }
    for layer in range(SIGHT_LAYERS):
        block = f"v.blk.{layer}."
        for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
            tensors[f"{block}{part}.weight"] = _noise(random, SIGHT_WIDTH, SIGHT_WIDTH)
            tensors[f"{block}{part}.bias"] = _noise(random, SIGHT_WIDTH)
        for norm in ("ln1", "ln2"):
            tensors[f"{block}{norm}.weight"] = np.ones(SIGHT_WIDTH, np.float32)
            tensors[f"{block}{norm}.bias"] = _noise(random, SIGHT_WIDTH)
        tensors[f"{block}ffn_up.weight"] = _noise(random, SIGHT_INNER, SIGHT_WIDTH)
        tensors[f"{block}ffn_up.bias"] = _noise(random, SIGHT_INNER)
        tensors[f"{block}ffn_down.weight"] = _noise(random, SIGHT_WIDTH, SIGHT_INNER)
        tensors[f"{block}ffn_down.bias"] = _noise(random, SIGHT_WIDTH)
    return tensors


def _noise(random: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return (random.standard_normal(shape) * 0.05).astype(np.float32)


# The GGUF container, version 3: a header, typed key-value pairs, tensor descriptions, then the numbers, 32-byte aligned.
_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
_ALIGNMENT = 32


def _write(path: Path, keys: Mapping[str, Value], tensors: Tensors) -> None:
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    head += b"".join(_text(name) + _typed(value) for name, value in keys.items())
    body = b""
    for name, tensor in tensors.items():
        dimensions = tensor.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
        head += struct.pack("<IQ", 0, len(body))  # type 0 is 32-bit float
        body += _padded(np.ascontiguousarray(tensor, np.float32).tobytes())
    path.write_bytes(_padded(head) + body)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)


def _text(text: str) -> bytes:
    data = text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def _typed(value: Value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<IB", _BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT32, value)
    if isinstance(value, float):
        return struct.pack("<If", _FLOAT32, value)
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _text(value)
    if isinstance(value[0], str):
        return struct.pack("<IIQ", _ARRAY, _STRING, len(value)) + b"".join(_text(str(item)) for item in value)
    form = ("f", _FLOAT32) if isinstance(value[0], float) else ("i", _INT32)
    return struct.pack(f"<IIQ{len(value)}{form[0]}", _ARRAY, form[1], len(value), *value)
