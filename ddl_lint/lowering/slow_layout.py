"""Positions by libcst's own provider: for the rare text that `layout` does not add up to. Fifty times slower."""

from __future__ import annotations

import re

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from ddl_lint.lowering.layout import Extents

_LINE_END = re.compile(r"\r\n|\r|\n")


def place_nodes_slowly(module: cst.Module, text: str) -> Extents:
    """Extents as `place_nodes` gives them, correct up to the places that libcst does not reproduce."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    extents: Extents = {}
    last = len(starts) - 1
    for node, found in wrapper.resolve(PositionProvider).items():
        begin = starts[min(found.start.line - 1, last)] + found.start.column
        end = starts[min(found.end.line - 1, last)] + found.end.column
        extents[id(node)] = (min(begin, len(text)), min(end, len(text)))
    return extents
