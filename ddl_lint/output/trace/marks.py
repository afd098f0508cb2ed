"""The signs of calls in pictures: a shape for each kind of process group, so that colour is not all that tells them."""

from __future__ import annotations

ROUND = 0
"""The sign of calls that all ranks make together."""

_SHAPES = (
    "M-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
    "M-{s} -{s}H{s}V{s}H-{s}z",
    "M0 -{l}L{l} 0L0 {l}L-{l} 0z",
    "M0 -{l}L{l} {s}H-{l}z",
    "M-{l} -{s}H{l}L0 {l}z",
    "M-{l} 0L-{h} -{s}H{h}L{l} 0L{h} {s}H-{h}z",
    "M-{h} -{l}H{h}V-{h}H{l}V{h}H{h}V{l}H-{h}V{h}H-{l}V-{h}H-{h}z",
)

NAMES = ("circle", "square", "diamond", "triangle", "triangle pointing down", "hexagon", "cross")
"""What the shapes are called."""


def shape(number: int, size: float = 4.5) -> str:
    """The path of a sign around the origin. `number` is 0 for all ranks, else that of a kind of process groups."""
    lengths = {"r": size, "d": 2 * size, "s": size * 0.9, "l": size * 1.3, "h": size * 0.45}
    return _SHAPES[_index(number)].format(**{name: f"{length:g}" for name, length in lengths.items()})


def name(number: int) -> str:
    """What the sign is called to those who do not see it."""
    return NAMES[_index(number)]


def _index(number: int) -> int:
    return number if number < len(_SHAPES) else 1 + (number - 1) % (len(_SHAPES) - 1)
