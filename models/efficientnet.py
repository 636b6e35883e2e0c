"""EfficientNet-Lite0 as an ONNX network, built from the tensors of its PyTorch conversion.

Tan and Le's network without squeeze and excitation and with ReLU6, as TensorFlow trained it: its convolutions pad more at the
lower right ("SAME"), and its normalisation, folded into each convolution here, adds 0.001 to the variance (PyTorch's default is
0.00001). Either one forgotten gives plausible nonsense, so `tests/models/test_models_scenes.py` compares with plain numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.onnx_file import Attribute, Node, Put, Tensor, network

EDGE = 224
CLASSES = 1000
_STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
"""Of the depthwise convolution of each block; all else can be seen from the shapes."""

_EPSILON = 1e-3


def build_network(tensors: Mapping[str, NDArray[np.generic]]) -> bytes:
    """The ONNX file: input `picture` (1, 3, 224, 224), output `probabilities` (1, 1000).

    Raises:
        KeyError: a tensor is missing: these are the weights of another network.
    """
    build = _Build(tensors)
    last = build.convolution("picture", "_conv_stem", "_bn0", stride=2)
    for number, stride in enumerate(_STRIDES):
        last = build.block(last, f"_blocks.{number}.", stride)
    last = build.convolution(last, "_conv_head", "_bn1")
    pooled = build.add("GlobalAveragePool", (last,))
    flat = build.add("Flatten", (pooled,))
    for name in ("_fc.weight", "_fc.bias"):
        build.weights[name] = build.tensor(name)
    raw = build.add("Gemm", (flat, "_fc.weight", "_fc.bias"), transB=1)
    build.nodes.append(Node("Softmax", (raw,), ("probabilities",), {"axis": 1}))
    inputs = [Put("picture", "float32", (1, 3, EDGE, EDGE))]
    outputs = [Put("probabilities", "float32", (1, CLASSES))]
    return network(inputs, outputs, build.nodes, build.weights)


@dataclass(slots=True)
class _Build:
    """The network so far."""

    tensors: Mapping[str, NDArray[np.generic]]
    nodes: list[Node] = field(default_factory=list)
    weights: dict[str, Tensor] = field(default_factory=dict)

    def tensor(self, name: str) -> NDArray[np.float32]:
        """One tensor of the weights."""
        return np.asarray(self.tensors[name], np.float32)

    def add(self, operator: str, inputs: tuple[str, ...], **attributes: Attribute) -> str:
        """Append an operation; the name of its output."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(Node(operator, inputs, (name,), attributes))
        return name

    def convolution(self, source: str, name: str, norm: str, stride: int = 1, *, clipped: bool = True) -> str:
        """A convolution with its normalisation, and ReLU6 where it is `clipped`."""
        kernel = self.tensor(f"{name}.weight")
        scale = self.tensor(f"{norm}.weight") / np.sqrt(self.tensor(f"{norm}.running_var") + _EPSILON)
        self.weights[f"{name}.kernel"] = (kernel * scale[:, None, None, None]).astype(np.float32)
        self.weights[f"{name}.shift"] = self.tensor(f"{norm}.bias") - self.tensor(f"{norm}.running_mean") * scale
        done = self.add(
            "Conv",
            (source, f"{name}.kernel", f"{name}.shift"),
            auto_pad="SAME_UPPER",
            group=kernel.shape[0] if kernel.shape[1] == 1 else 1,
            kernel_shape=kernel.shape[2:],
            strides=(stride, stride),
        )
        if not clipped:
            return done
        self.weights.update(zero=np.array(0, np.float32), six=np.array(6, np.float32))
        return self.add("Clip", (done, "zero", "six"))

    def block(self, source: str, name: str, stride: int) -> str:
        """An inverted bottleneck: wider, filtered channel by channel, narrower, and added to what came in where that fits."""
        last = source
        if f"{name}_expand_conv.weight" in self.tensors:
            last = self.convolution(last, f"{name}_expand_conv", f"{name}_bn0")
        last = self.convolution(last, f"{name}_depthwise_conv", f"{name}_bn1", stride)
        last = self.convolution(last, f"{name}_project_conv", f"{name}_bn2", clipped=False)
        narrow = self.tensors[f"{name}_project_conv.weight"].shape[0]
        widened = self.tensors.get(f"{name}_expand_conv.weight", self.tensors[f"{name}_depthwise_conv.weight"])
        came_in = widened.shape[1] if f"{name}_expand_conv.weight" in self.tensors else widened.shape[0]
        return self.add("Add", (last, source)) if stride == 1 and narrow == came_in else last
