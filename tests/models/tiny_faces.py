"""Writes a detector and a recogniser with the inputs and outputs of YuNet and SFace, made of a few numbers.

The detector sees a face in each cell that is red all over, and nowhere else; the recogniser tells faces apart by the colours in their
quarters. Both go through OpenCV's real drivers.
"""

from pathlib import Path

import numpy as np

from models.onnx_file import Node, Put, network

STRIDES = (8, 16, 32)
_SIZE = 640
_LANDMARKS = (-0.35, -0.3, 0.35, -0.3, 0.0, 0.0, -0.25, 0.4, 0.25, 0.4)
"""Eyes, nose and corners of the mouth, in cells from the middle."""


def write_tiny_faces(folder: Path, seed: int = 0) -> tuple[Path, Path]:
    """The detector's and the recogniser's file."""
    folder.mkdir(parents=True, exist_ok=True)
    detector, recogniser = folder / "yunet.onnx", folder / "sface.onnx"
    detector.write_bytes(_detector())
    recogniser.write_bytes(_recogniser(seed))
    return detector, recogniser


def _detector() -> bytes:
    """Only the coarsest grid sees faces: a cell whose mean of red is high and of green is low."""
    nodes: list[Node] = []
    weights: dict[str, np.ndarray] = {}
    outputs: list[Put] = []
    for stride in STRIDES:
        cells = (_SIZE // stride) ** 2
        for head, channels in (("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)):
            name = f"{head}_{stride}"
            kernel = np.zeros((channels, 3, stride, stride), np.float32)
            bias = np.zeros(channels, np.float32)
            if head in ("cls", "obj"):
                # channels come as blue, green, red; 0 to 255
                kernel[0, 2], kernel[0, 1] = 1 / stride**2 / 20, -1 / stride**2 / 20
                bias[0] = -8.0 if stride == STRIDES[-1] else -1000.0
            elif head == "bbox":
                bias[:] = (0.5, 0.5, np.log(1.0), np.log(1.0))  # the middle of the cell, as large as the cell
            else:
                bias[:] = [0.5 + part for part in _LANDMARKS]
            weights |= {f"{name}_w": kernel, f"{name}_b": bias}
            nodes.append(
                Node("Conv", ("input", f"{name}_w", f"{name}_b"), (f"{name}_c",),
                     {"kernel_shape": (stride, stride), "strides": (stride, stride)})
            )  # fmt: skip
            last = f"{name}_c"
            if head in ("cls", "obj"):
                nodes.append(Node("Sigmoid", (last,), (f"{name}_s",)))
                last = f"{name}_s"
            weights[f"{name}_shape"] = np.array([1, -1, channels], np.int64)
            nodes.append(Node("Transpose", (last,), (f"{name}_t",), {"perm": (0, 2, 3, 1)}))
            nodes.append(Node("Reshape", (f"{name}_t", f"{name}_shape"), (name,)))
            outputs.append(Put(name, "float32", (1, cells, channels)))
    ordered = [put for head in ("cls", "obj", "bbox", "kps") for put in outputs if put.name.startswith(head)]
    return network([Put("input", "float32", (1, 3, _SIZE, _SIZE))], ordered, nodes, weights)


def _recogniser(seed: int) -> bytes:
    """The mean colours of sixteen parts of the face, mixed into 128 numbers."""
    mix = np.random.default_rng(seed).normal(size=(48, 128)).astype(np.float32)
    nodes = [
        Node("AveragePool", ("data",), ("pooled",), {"kernel_shape": (28, 28), "strides": (28, 28)}),
        Node("Reshape", ("pooled", "flat"), ("row",)),
        Node("MatMul", ("row", "mix"), ("fc1",)),
    ]
    return network(
        [Put("data", "float32", (1, 3, 112, 112))],
        [Put("fc1", "float32", (1, 128))],
        nodes,
        {"flat": np.array([1, 48], np.int64), "mix": mix},
    )
