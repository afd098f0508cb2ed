"""The table for programs.

`{"version": 1, "traces": [...]}`. A trace is::

    {"file", "function": null | str,      # what is shown: a script, or one function (`Class.method`)
     "alone": bool,                       # the function was followed by itself, with unknown arguments
     "complete": bool,                    # false: the run was not followed to its end
     "verdict": {"tone": "hang" | "doubt" | "clear", "text", "limits": [str...]},
     "hidden": null | {"name", place...}, # the call in which the training loop is, out of sight
     "stopped": null | {"function", "limit", place...},  # where the analysis stopped
     "blind": [{"kind": "loop" | "generate" | "sharded" | "unknown", "text",  # what the trace cannot see
                "more": int, place...}],  # how many more there are
     "focus": null | {"file", "line", "text"},  # the line that was asked for, and which ranks execute it
     "job": {"nodes", "processes_per_node"},   # of the processes that are shown
     "launch": null | {"processes": null | int, "nodes": null | int, place...},  # of the job, with `--job`
     "groups": {dimension: [ranks...]},   # the groups of a job that is divided: "tensor": [[0, 1], [2, 3]]
     "classes": [{"title", "ranks": [...]}],
     "steps": [{"blocks": [block...],     # around the step, outermost first
                "cells": [cell | null],   # one for each class
                "meets": bool,            # all classes make the same call
                "gap": null | {"message", "certain", "doubt": null | str, "related": [{"message", place...}],
                               "prints": [{"backend", "text", "seconds": null | int}]}}]}

A block is `{"id", "kind": "call" | "loop" | "if" | "unless", "text", "varies": null | "rank" | "local", place...}`;
blocks of equal `id` are one. A cell is `{"kind": "call" | "return" | "break" | "continue" | "exit" | "raise", "name",
"group": null | str, "certain", "under": [block...], "source", "address", place...}`; `group` is the dimension of
parallelism in whose groups the call is made, `source` the line that it is on, `address` where that is in the web
(only with `--link-base`). A place is `"file", "range": {"start": {"line", "column"}, "end": {...}}` and, in a notebook,
`"cell"`, as in the findings of `ddl-lint check`: lines and columns count from 1, columns in code points.
"""

from __future__ import annotations

import json
from typing import Any

from ddl_lint.analysis.ranks.communication import Block, Cell, Communication, Gap, Row
from ddl_lint.escape import harmless_json
from ddl_lint.output.json import place_fields
from ddl_lint.output.places import shown_path
from ddl_lint.output.trace.outline import Documents
from ddl_lint.output.trace.presentation import Presentation, Spots
from ddl_lint.output.trace.verdict import verdict

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """One trace as JSON."""
    trace = _trace(communication, documents, Spots(documents, presentation))
    return harmless_json(json.dumps({"version": VERSION, "traces": [trace]}, indent=2)) + "\n"


def _trace(communication: Communication, documents: Documents, spots: Spots) -> dict[str, Any]:
    found, hidden, stop = verdict(communication, documents), communication.hidden, communication.stop
    focus, launch = spots.presentation.focus, communication.launch
    return {
        "file": shown_path(communication.path),
        "function": communication.function or None,
        "alone": communication.alone,
        "complete": communication.complete,
        "verdict": {"tone": found.tone, "text": found.text, "limits": list(found.limits)},
        "hidden": hidden and {"name": hidden.name, **place_fields(hidden.location, documents)},
        "stopped": stop
        and {"function": stop.function or None, "limit": stop.limit, **place_fields(stop.location, documents)},
        "focus": focus and {"file": shown_path(focus.path), "line": focus.line, "text": focus.lead},
        "blind": [
            {"kind": spot.kind, "text": spot.text, "more": spot.more, **place_fields(spot.location, documents)}
            for spot in communication.blind
        ],
        "job": {"nodes": communication.nodes, "processes_per_node": communication.per_node},
        "launch": launch
        and {"processes": launch.processes, "nodes": launch.nodes, **place_fields(launch.location, documents)},
        "groups": _groups(communication),
        "classes": [
            {"title": ranks.title, "ranks": [process.rank for process in ranks.members]}
            for ranks in communication.columns
        ],
        "steps": [_step(row, spots) for row in communication.rows],
    }


def _groups(communication: Communication) -> dict[str, list[list[int]]]:
    grid = communication.grid
    return {} if grid is None else {name: [list(group) for group in grid.groups(name)] for name in grid.dimensions}


def _step(row: Row, spots: Spots) -> dict[str, Any]:
    documents = spots.documents
    return {
        "blocks": [_block(block, documents) for block in row.blocks],
        "cells": [_cell(cell, spots) if cell is not None else None for cell in row.cells],
        "meets": row.meets,
        "gap": _gap(row.gap, documents) if row.gap is not None else None,
    }


def _block(block: Block, documents: Documents) -> dict[str, Any]:
    fields = {"id": block.number, "kind": block.kind, "text": block.text, "varies": block.varies or None}
    return {**fields, **place_fields(block.location, documents)}


def _cell(cell: Cell, spots: Spots) -> dict[str, Any]:
    spot, documents = spots.of(cell.location), spots.documents
    return {
        "kind": cell.leaves or "call",
        "name": cell.name,
        "group": cell.group or None,
        "certain": cell.sure and cell.seen,
        "under": [_block(block, documents) for block in cell.under],
        **place_fields(cell.location, documents),
        "source": spot.source,
        **({"address": spot.address} if spot.address else {}),
    }


def _gap(gap: Gap, documents: Documents) -> dict[str, Any]:
    related = [{"message": part.message, **place_fields(part.location, documents)} for part in gap.evidence]
    prints = [{"backend": each.backend, "text": each.text, "seconds": each.seconds or None} for each in gap.reports]
    return {
        "message": gap.message,
        "consequence": gap.consequence,
        "certain": gap.certain,
        "doubt": gap.doubt or None,
        "related": related,
        "prints": prints,
    }
