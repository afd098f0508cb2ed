"""Findings that are made up, for tests of formats."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence, Severity
from ddl_lint.source import document_from_bytes
from ddl_lint.source.document import CellSpan, Document
from ddl_lint.source.span import Location, Span


def document(text: str, name: str = "train.py", **fields: Any) -> Document:
    return Document((Path(os.getcwd()) / name).as_posix(), text, **fields)


def notebook(*cells: str, name: str = "n.ipynb") -> Document:
    """A notebook whose code cells are the second, fourth and so on of all cells."""
    text, spans = "", []
    for number, cell in enumerate(cells):
        spans.append(CellSpan(2 * number + 2, f"id{number}", Span(len(text), len(text) + len(cell))))
        text += f"{cell}\n"
    return document(text, name, kind="notebook", cells=tuple(spans))


def notebook_file(*cells: str, name: str = "n.ipynb") -> tuple[Document, list[str]]:
    """A notebook as Jupyter writes it, and the lines of its file."""
    made = [{"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)} for cell in cells]
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    return document_from_bytes((Path(os.getcwd()) / name).as_posix(), text.encode()), text.splitlines()


def at(doc: Document, part: str, nth: int = 0) -> Location:
    start = -1
    for _ in range(nth + 1):
        start = doc.text.index(part, start + 1)
    return Location(doc.path, start, start + len(part))


def finding(location: Location, message: str = "it is wrong", **fields: Any) -> Diagnostic:
    stamp: dict[str, Any] = {
        "code": "DDL201",
        "name": "lost-rank",
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "symptom": "hang",
        "fix_pattern": "fix behavior logic",
    }
    return Diagnostic(message=message, location=location, **{**stamp, **fields})
