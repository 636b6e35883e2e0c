"""Writes a network as the bytes of an ONNX file: the few messages of the format that we need, without the package `onnx`.

An ONNX file is a Protocol Buffer: fields of a number and a value, nested. The numbers below are those of the format's own
definition (onnx/onnx.proto, IR version 8); the runtime checks the result when it loads it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Attribute = int | float | str | Sequence[int]
Tensor = NDArray[np.float32] | NDArray[np.float16] | NDArray[np.int64]

_IR_VERSION = 8
_OPSET = 17
_VARINT, _BYTES, _FLOAT = 0, 2, 5
_ELEMENTS = {"float32": 1, "int64": 7, "float16": 10}
_FLOAT_KIND, _INT_KIND, _STRING_KIND, _INTS_KIND = 1, 2, 3, 7


@dataclass(frozen=True, slots=True)
class Node:
    """One operation, by the names of what goes in and what comes out."""

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Put:
    """An input or output of the network; a word in the shape is an edge of any length."""

    name: str
    element: str  # float32, float16 or int64
    shape: tuple[int | str, ...]


def network(
    inputs: Sequence[Put], outputs: Sequence[Put], nodes: Sequence[Node], weights: Mapping[str, Tensor]
) -> bytes:
    """The file. Nodes stand in the order in which they can be computed."""
    graph = b"".join(
        (
            *(_nested(1, _node(node)) for node in nodes),
            _text(2, "network"),
            *(_nested(5, _tensor(name, values)) for name, values in weights.items()),
            *(_nested(11, _put(each)) for each in inputs),
            *(_nested(12, _put(each)) for each in outputs),
        )
    )
    return _number(1, _IR_VERSION) + _nested(7, graph) + _nested(8, _text(1, "") + _number(2, _OPSET))


def _node(node: Node) -> bytes:
    return b"".join(
        (
            *(_text(1, name) for name in node.inputs),
            *(_text(2, name) for name in node.outputs),
            _text(4, node.operator),
            *(_nested(5, _attribute(name, value)) for name, value in node.attributes.items()),
        )
    )


def _attribute(name: str, value: Attribute) -> bytes:
    head = _text(1, name)
    if isinstance(value, float):
        return head + _key(2, _FLOAT) + np.float32(value).tobytes() + _number(20, _FLOAT_KIND)
    if isinstance(value, int):
        return head + _number(3, value) + _number(20, _INT_KIND)
    if isinstance(value, str):
        return head + _text(4, value) + _number(20, _STRING_KIND)
    return head + b"".join(_number(8, each) for each in value) + _number(20, _INTS_KIND)


def _tensor(name: str, values: Tensor) -> bytes:
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    edges = b"".join(_number(1, edge) for edge in values.shape)
    return edges + _number(2, _ELEMENTS[values.dtype.name]) + _text(8, name) + _nested(9, little.tobytes())


def _put(put: Put) -> bytes:
    edges = b"".join(_nested(1, _number(1, edge) if isinstance(edge, int) else _text(2, edge)) for edge in put.shape)
    return _text(1, put.name) + _nested(2, _nested(1, _number(1, _ELEMENTS[put.element]) + _nested(2, edges)))


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(value & 0xFFFF_FFFF_FFFF_FFFF)


def _text(number: int, text: str) -> bytes:
    return _nested(number, text.encode())


def _nested(number: int, content: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the high bit says that more follow."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
