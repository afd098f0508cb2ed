"""Bytes to documents: encoding, lines and columns, notebooks. Suppression comments are read by `suppressions`."""

from __future__ import annotations

from ddl_lint.source.columns import ColumnUnit, column_from_units, column_to_units
from ddl_lint.source.decode import DEFAULT_MAX_BYTES, SourceError, decode
from ddl_lint.source.document import Cell, CellSpan, Document
from ddl_lint.source.load import document_from_bytes, document_from_text, load, text_from_bytes
from ddl_lint.source.regular_file import SETTINGS_MAX_BYTES, leads_out_of, lies_within, read_bytes, read_text
from ddl_lint.source.span import Location, Span

__all__ = [
    "DEFAULT_MAX_BYTES",
    "SETTINGS_MAX_BYTES",
    "Cell",
    "CellSpan",
    "ColumnUnit",
    "Document",
    "Location",
    "SourceError",
    "Span",
    "column_from_units",
    "column_to_units",
    "decode",
    "document_from_bytes",
    "document_from_text",
    "leads_out_of",
    "lies_within",
    "load",
    "read_bytes",
    "read_text",
    "text_from_bytes",
]
