"""Measures distances on the earth."""

import math

EARTH_KM = 6371.0


def km_between(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Great-circle distance of two positions in degrees."""
    first, second = math.radians(latitude), math.radians(other_latitude)
    half_across = math.sin(math.radians(other_longitude - longitude) / 2)
    half_up = math.sin((second - first) / 2)
    chord = half_up**2 + math.cos(first) * math.cos(second) * half_across**2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(chord)))
