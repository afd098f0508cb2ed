"""The table for programs.

`{"version": 1, "traces": [...]}`. A trace is::

    {"file", "function": null | str,      # what is shown: a script, or one function (`Class.method`)
     "alone": bool,                       # the function was followed by itself, with unknown arguments
     "complete": bool,                    # false: the run was not followed to its end
     "job": {"nodes", "processes_per_node"},
     "groups": {dimension: [ranks...]},   # the groups of a job that is divided: "tensor": [[0, 1], [2, 3]]
     "classes": [{"title", "ranks": [...]}],
     "steps": [{"blocks": [block...],     # around the step, outermost first
                "cells": [cell | null],   # one for each class
                "meets": bool,            # all classes make the same call
                "gap": null | {"message", "related": [{"message", place...}]}}]}

A block is `{"id", "kind": "call" | "loop" | "if" | "unless", "text", "varies": null | "rank" | "local", place...}`;
blocks of equal `id` are one. A cell is `{"kind": "call" | "return" | "break" | "continue" | "exit" | "raise", "name",
"group": null | str, "certain", "under": [block...], place...}`; `group` is the dimension of parallelism in whose groups
the call is made. A place is `"file", "range": {"start": {"line", "column"}, "end": {...}}` and, in a notebook,
`"cell"`, as in the findings of `ddl-lint check`: lines and columns count from 1, columns in code points.
"""

from __future__ import annotations

import json
from typing import Any

from ddl_lint.analysis.ranks.communication import Block, Cell, Communication, Gap, Row
from ddl_lint.output.json import place_fields
from ddl_lint.output.places import shown_path
from ddl_lint.output.trace.outline import Documents

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def render(communication: Communication, documents: Documents) -> str:
    """One trace as JSON."""
    return json.dumps({"version": VERSION, "traces": [_trace(communication, documents)]}, indent=2) + "\n"


def _trace(communication: Communication, documents: Documents) -> dict[str, Any]:
    return {
        "file": shown_path(communication.path),
        "function": communication.function or None,
        "alone": communication.alone,
        "complete": communication.complete,
        "job": {"nodes": communication.nodes, "processes_per_node": communication.per_node},
        "groups": _groups(communication),
        "classes": [
            {"title": ranks.title, "ranks": [process.rank for process in ranks.members]}
            for ranks in communication.columns
        ],
        "steps": [_step(row, documents) for row in communication.rows],
    }


def _groups(communication: Communication) -> dict[str, list[list[int]]]:
    grid = communication.grid
    return {} if grid is None else {name: [list(group) for group in grid.groups(name)] for name in grid.dimensions}


def _step(row: Row, documents: Documents) -> dict[str, Any]:
    return {
        "blocks": [_block(block, documents) for block in row.blocks],
        "cells": [_cell(cell, documents) if cell is not None else None for cell in row.cells],
        "meets": row.meets,
        "gap": _gap(row.gap, documents) if row.gap is not None else None,
    }


def _block(block: Block, documents: Documents) -> dict[str, Any]:
    fields = {"id": block.number, "kind": block.kind, "text": block.text, "varies": block.varies or None}
    return {**fields, **place_fields(block.location, documents)}


def _cell(cell: Cell, documents: Documents) -> dict[str, Any]:
    return {
        "kind": cell.leaves or "call",
        "name": cell.name,
        "group": cell.group or None,
        "certain": cell.sure and cell.seen,
        "under": [_block(block, documents) for block in cell.under],
        **place_fields(cell.location, documents),
    }


def _gap(gap: Gap, documents: Documents) -> dict[str, Any]:
    related = [{"message": part.message, **place_fields(part.location, documents)} for part in gap.evidence]
    return {"message": gap.message, "related": related}
