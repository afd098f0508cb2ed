"""Reads a text by Python's own parser, unless libcst might see something else in it."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings

from ddl_lint.lowering.from_ast import AstLowering
from ddl_lint.lowering.places import Doubt
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source import Document
from ddl_lint.syntax.limits import find_excess, in_deep_stack
from ddl_lint.timing import stage

_LARGEST = 2_000_000
"""Characters; such texts are read in pieces."""

_ODD = re.compile(
    r"\x00|\f|\ufeff|[\ud800-\udfff]|\r(?!\n)"
    r"|^(?: +\t|\t+ )",  # how wide a tab is
    re.MULTILINE,
)
_OUT_OF_ASCII = re.compile(r"[^\x00-\x7f]+")


def read_quickly(document: Document, name: str, *, is_package: bool) -> LoweredFile | None:
    """The program of a document; None where there is any doubt that it is the one that libcst would give."""
    text = document.text
    if document.kind != "python" or len(text) > _LARGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes; they mean the same to both
        read = in_deep_stack(read_text, text, 0, document.path, name, is_package=is_package)
    if read is None:
        return None
    body, lowering = read
    module = code.Module(document.path, name, is_package, body, frozenset(lowering.imported), lowering.words)
    return LoweredFile(module, ())


def read_text(
    text: str, base: int, path: str, name: str, *, is_package: bool
) -> tuple[list[code.Statement], AstLowering] | None:
    """The statements of a part of the file at a path, which begins at the offset `base`, and what has lowered them;
    None where there is any doubt. To be called where deep recursion is safe, and warnings are ignored.
    """
    if _is_odd(text) or _has_other_names(text):
        return None
    try:
        with stage("parse", path):
            if find_excess(text) is not None:
                return None
            tree = ast.parse(text)
        with stage("lower", path):
            lowering = AstLowering(text, base, name, is_package=is_package)
            return lowering.suite(tree.body), lowering
    except (Doubt, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_odd(text: str) -> bool:
    """Whether the two readers may see different things. Few texts have any of the signs without which they do not."""
    is_plain = text.isascii() and not any(sign in text for sign in "\x00\f\r\t")
    return not is_plain and _ODD.search(text) is not None


def _has_other_names(text: str) -> bool:
    """Whether there may be names that Python's parser spells in another way than they are written."""
    if text.isascii():
        return False
    signs = set("".join(_OUT_OF_ASCII.findall(text)))
    return any(f"a{sign}".isidentifier() and _may_change(sign) for sign in signs)


def _may_change(sign: str) -> bool:
    joins = unicodedata.combining(sign) or unicodedata.category(sign) == "Mc" or "\u1160" <= sign <= "\u11ff"
    return bool(joins) or not unicodedata.is_normalized("NFKC", sign)
