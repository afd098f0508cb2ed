"""Positions by libcst's own provider: for the rare text that `layout` does not add up to. Fifty times slower."""

from __future__ import annotations

import re

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from ddl_lint.lowering.layout import Extents

_LINE_END = re.compile(r"\r\n|\r|\n")


def place_nodes_slowly(module: cst.Module, text: str) -> Extents:
    """Extents as `place_nodes` returns them, correct up to the places that libcst does not reproduce."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    extents: Extents = {}
    last = len(starts) - 1
    nodes = wrapper.resolve(PositionProvider)
    for node, found in nodes.items():
        begin = starts[min(found.start.line - 1, last)] + found.start.column
        end = starts[min(found.end.line - 1, last)] + found.end.column
        extents[id(node)] = (min(begin, len(text)), min(end, len(text)))
    for node in nodes:
        if isinstance(node, cst.Param):
            extents[id(node)] = (extents[id(node)][0], _parameter_end(node, extents))
    return extents


def _parameter_end(node: cst.Param, extents: Extents) -> int:
    """The end of a parameter, which the provider takes for its name."""
    last = node.default or (node.annotation.annotation if node.annotation is not None else None)
    parts = (node, last, *last.rpar) if last is not None else (node,)
    return max(extents[id(part)][1] for part in parts)
