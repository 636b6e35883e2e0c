"""Reads the tensors of a PyTorch checkpoint as data: without torch, and without running anything that the file asks for.

A checkpoint is a pickle, which may name any function of any module to be called. Here four names are known, each is ours, and
every other name is refused. Only the old layout is read (before PyTorch 1.6): pickles in a row, then the numbers.
"""

import math
import pickle
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.generic]

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_KINDS: dict[str, type[np.float32] | type[np.int64]] = {"FloatStorage": np.float32, "LongStorage": np.int64}
_MOST_NUMBERS = 1 << 28


class BadCheckpointError(ValueError):
    """The file is no checkpoint of the old layout, is torn, or asks for more than tensors."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of numbers at the file's end, known by its key; several tensors may show parts of it."""

    key: str
    kind: type[np.float32] | type[np.int64]
    count: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    """A tensor before its numbers are read."""

    block: _Block
    offset: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]  # how many numbers further the next of each index is


def read_checkpoint(path: Path) -> dict[str, Numbers]:
    """Every tensor by its name, as an array of its own.

    Raises:
        BadCheckpointError: the file is something else, or damaged.
        OSError: it cannot be read.
    """
    try:
        with path.open("rb") as source:
            if (_Tensors(source).load(), _Tensors(source).load()) != (_MAGIC, _PROTOCOL):
                raise BadCheckpointError("it does not begin as a checkpoint does")
            _Tensors(source).load()  # what machine wrote it
            tensors, keys = _Tensors(source).load(), _Tensors(source).load()
            return _filled(tensors, _blocks(source, tensors, keys))
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        raise BadCheckpointError(f"it is no checkpoint of tensors ({error})") from error


class _Tensors(pickle.Unpickler):
    """An unpickler that can build nothing but dictionaries of tensors."""

    def __init__(self, source: IO[bytes]) -> None:
        super().__init__(source)

    def find_class(self, module: str, name: str) -> Any:  # whatever the pickle may call: one of ours
        """The stand-in for a name of PyTorch's; no module is ever imported."""
        if module == "torch" and name in _KINDS:
            return name
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuilt
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")

    def persistent_load(self, pid: Any) -> _Block:  # whatever the pickle says: checked here
        """The block that a tensor shows."""
        word, kind, key, _, count, view = pid
        if word != "storage" or view is not None or not isinstance(count, int) or not 0 <= count <= _MOST_NUMBERS:
            raise pickle.UnpicklingError("it describes its numbers in an unknown way")
        return _Block(str(key), _KINDS[kind], count)


def _rebuilt(block: _Block, offset: int, shape: Sequence[int], steps: Sequence[int], *_: object) -> _Tensor:
    """What stands for a tensor in the pickle; it must lie within its numbers, whatever its steps say."""
    tensor = _Tensor(block, int(offset), tuple(map(int, shape)), tuple(map(int, steps)))
    last = tensor.offset + sum((edge - 1) * step for edge, step in zip(tensor.shape, tensor.steps, strict=True))
    size = math.prod(tensor.shape)
    if min((*tensor.shape, *tensor.steps, tensor.offset)) < 0 or (size and last >= block.count) or size > block.count:
        raise pickle.UnpicklingError("a tensor does not fit its numbers")
    return tensor


def _blocks(source: IO[bytes], tensors: object, keys: Sequence[str]) -> dict[str, Numbers]:
    """The numbers of each block: how many there are, then they themselves, in the order of the keys."""
    if not isinstance(tensors, dict) or not all(isinstance(each, _Tensor) for each in tensors.values()):
        raise BadCheckpointError("it holds something other than tensors")
    declared = {tensor.block.key: tensor.block for tensor in tensors.values()}
    found: dict[str, Numbers] = {}
    for key in keys:
        block = declared[key]
        raw = source.read(8 + block.count * np.dtype(block.kind).itemsize)
        if len(raw) < 8 or int.from_bytes(raw[:8], "little") != block.count:
            raise BadCheckpointError("its numbers are cut off")
        found[key] = np.frombuffer(raw, np.dtype(block.kind).newbyteorder("<"), offset=8)
    return found


def _filled(tensors: dict[str, _Tensor], blocks: dict[str, Numbers]) -> dict[str, Numbers]:
    return {name: _of(tensor, blocks[tensor.block.key]) for name, tensor in tensors.items()}


def _of(tensor: _Tensor, numbers: Numbers) -> Numbers:
    """A tensor's own numbers, in the order of its indices; that it lies within them was checked."""
    steps = [step * numbers.itemsize for step in tensor.steps]
    view = np.lib.stride_tricks.as_strided(numbers[tensor.offset :], tensor.shape, steps, writeable=False)
    own: Numbers = np.array(view, dtype=tensor.block.kind)
    return own
