"""Writes PyTorch checkpoints of the old layout without torch, honest and malicious ones, and a narrow EfficientNet-Lite0."""

import pickle
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
WIDTH = 8
Floats = NDArray[np.float32]


def write_checkpoint(
    path: Path, tensors: Mapping[str, Floats], *, steps: Mapping[str, tuple[int, ...]] | None = None
) -> Path:
    """Write tensors as torch did; `steps` says what a tensor claims its strides to be."""
    claimed = dict(steps or {})
    body = b"\x80\x02ccollections\nOrderedDict\n)R("
    for name, values in tensors.items():
        plain = tuple(each // 4 for each in np.ascontiguousarray(values).strides)
        body += _text(name) + _tensor(name, values, claimed.get(name, plain))
    body += b"u."
    machine = {"protocol_version": PROTOCOL, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}
    parts = [pickle.dumps(each, protocol=2) for each in (MAGIC, PROTOCOL, machine)]
    parts += [body, pickle.dumps(list(tensors), protocol=2)]
    parts += [struct.pack("<q", values.size) + values.astype("<f4").tobytes() for values in tensors.values()]
    path.write_bytes(b"".join(parts))
    return path


def tiny_efficientnet(winner: int = 285) -> dict[str, Floats]:
    """Random weights of every layer, eight channels wide; the class `winner` always wins."""
    random = np.random.default_rng(7)
    tensors: dict[str, Floats] = {}

    def convolution(name: str, norm: str, shape: tuple[int, ...]) -> None:
        tensors[f"{name}.weight"] = random.normal(0, 0.3, shape).astype(np.float32)
        for part, low, high in (
            ("weight", 0.5, 1.5),
            ("bias", -1, 1),
            ("running_mean", -1, 1),
            ("running_var", 0.001, 2),
        ):
            tensors[f"{norm}.{part}"] = random.uniform(low, high, shape[0]).astype(np.float32)

    convolution("_conv_stem", "_bn0", (WIDTH, 3, 3, 3))
    for number in range(16):
        block = f"_blocks.{number}."
        if number:
            convolution(f"{block}_expand_conv", f"{block}_bn0", (WIDTH, WIDTH, 1, 1))
        edge = 5 if number in (3, 4, 8, 9, 10, 11, 12, 13, 14) else 3
        convolution(f"{block}_depthwise_conv", f"{block}_bn1", (WIDTH, 1, edge, edge))
        convolution(f"{block}_project_conv", f"{block}_bn2", (WIDTH, WIDTH, 1, 1))
    convolution("_conv_head", "_bn1", (WIDTH, WIDTH, 1, 1))
    tensors["_fc.weight"] = random.normal(0, 0.1, (1000, WIDTH)).astype(np.float32)
    tensors["_fc.bias"] = np.zeros(1000, np.float32)
    tensors["_fc.bias"][winner] = 12
    return tensors


def _tensor(name: str, values: Floats, steps: tuple[int, ...]) -> bytes:
    block = (
        b"(" + _text("storage") + b"ctorch\nFloatStorage\n" + _text(name) + _text("cpu") + _number(values.size) + b"NtQ"
    )
    shape, stride = (b"(" + b"".join(map(_number, each)) + b"t" for each in (values.shape, steps))
    rest = b"\x89ccollections\nOrderedDict\n)R"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + block + _number(0) + shape + stride + rest + b"tR"


def _text(text: str) -> bytes:
    return b"X" + struct.pack("<I", len(text)) + text.encode()


def _number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)
