"""Edits of a document, made in the file that it was read from."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.notebooks import edited_notebook
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.source import Document


def edited_source(document: Document, text: str, edits: Iterable[Edit]) -> str:
    """The content of a file with edits made.

    Args:
        document: What was read from the file.
        text: The content of the file, decoded: for a notebook its JSON, else the text of the document.
        edits: Edits of the document.

    Raises:
        Unfixable: an edit touches what is not Python in a notebook.
    """
    if document.kind == "notebook":
        return edited_notebook(document, text, edits)
    return edited(text, edits)


def encoded(document: Document, text: str) -> bytes:
    """The bytes of a file with another content, in the encoding and with the byte order mark that it has.

    Raises:
        Unfixable: the encoding of the file cannot say what was put in.
    """
    if document.kind == "notebook":
        return text.encode("utf-8")
    try:
        data = text.encode(document.encoding)
    except UnicodeEncodeError:
        raise Unfixable(f"the file is written in {document.encoding}, which lacks a letter of the new text") from None
    return codecs.BOM_UTF8 + data if document.has_bom else data
