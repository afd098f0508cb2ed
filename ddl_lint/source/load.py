"""Files and bytes to documents."""

from __future__ import annotations

import codecs

from ddl_lint.source.decode import DEFAULT_MAX_BYTES, SourceError, check_size, decode
from ddl_lint.source.document import Document
from ddl_lint.source.regular_file import read_bytes


def load(path: str, max_bytes: int = DEFAULT_MAX_BYTES) -> Document:
    """Read a Python file or a notebook (by its suffix `.ipynb`). Raises `SourceError`."""
    return document_from_bytes(path, read_bytes(path, max_bytes), max_bytes)


def document_from_bytes(path: str, data: bytes, max_bytes: int = DEFAULT_MAX_BYTES) -> Document:
    """The document of a file whose content is already at hand. Raises `SourceError`."""
    check_size(path, len(data), max_bytes)
    if path.lower().endswith(".ipynb"):
        return _notebook(path, data)
    text, encoding, has_bom = decode(path, data)
    return Document(path, text, "python", encoding, has_bom)


def document_from_text(path: str, text: str, max_bytes: int = DEFAULT_MAX_BYTES) -> Document:
    """The document of a file whose content is already decoded; a notebook's is its JSON. Raises `SourceError`."""
    check_size(path, len(text), max_bytes)
    if path.lower().endswith(".ipynb"):
        return _notebook(path, text.encode("utf-8", "surrogatepass"))
    return Document(path, text)


def text_from_bytes(path: str, data: bytes) -> Document:
    """The document of a file that is neither: UTF-8, whatever its comments say. Raises `SourceError`."""
    has_bom = data.startswith(codecs.BOM_UTF8)
    try:
        return Document(path, data.decode("utf-8-sig"), "text", has_bom=has_bom)
    except UnicodeDecodeError:
        raise SourceError(path, "is not valid UTF-8") from None


def _notebook(path: str, data: bytes) -> Document:
    from ddl_lint.source.notebook import read_notebook  # most files are none

    return read_notebook(path, data)
