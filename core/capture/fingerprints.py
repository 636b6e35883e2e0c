"""Describes what a picture shows in 64 bits, so that two shots of one scene differ in few of them."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_FLAT = 2.0  # grey levels; below this spread the bits would be noise


def fingerprint_of(picture: NDArray[np.uint8]) -> int | None:
    """The difference hash (is each cell brighter than its right neighbour?) as a signed 64-bit number; None for a flat picture."""
    grey = np.asarray(Image.fromarray(picture).convert("L").resize((9, 8), Image.Resampling.BOX), dtype=np.int16)
    if float(grey.std()) < _FLAT:
        return None
    bits = np.packbits(grey[:, 1:] > grey[:, :-1]).tobytes()
    return int.from_bytes(bits, "big", signed=True)
