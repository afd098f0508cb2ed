"""Syntax errors of one cause, which is reported once: another language, Python 2 or that of notebooks, or a merge that
was not finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.source.fault import SyntaxFault

_PYTHON_2, _NOTEBOOK, _MERGE = "Python 2", "notebook", "merge conflict"
_MESSAGES = {
    _PYTHON_2: "this is Python 2 code, which Python 3 cannot run; the file is checked only in part",
    _MERGE: "a merge conflict is left here; the file is checked only in part",
    _NOTEBOOK: "this is a command of a notebook, which Python cannot run; the file is checked only in part",
}

_COMMAND = re.compile(r"^\s*(?:![\w./]|%{1,2}[a-z]\w*)")

_MARKER = re.compile(r"(?:<{7,}|={7,}|>{7,}|\|{7,})(?:\s|$)")
"""How version control marks both sides of a conflict: seven signs, or more in merges of merges."""

_OLD = re.compile(
    r"""
      (?:^|[:;])\s*print\s*(?:>>|["'\w])             # a statement
    | (?:^|[:;])\s*exec\s+["'\w]
    | ^\s*except\s+[\w.()\s,]+,\s*\w+\s*:                 # except ValueError, error:
    | ^\s*raise\s+[\w.]+\s*,                              # raise ValueError, "text"
    | \blambda\s*\(                                       # lambda (key, value): ...
    | ^\s*def\s+\w+\s*\((?:[\w\s,=]*,)?\s*\(              # def first((key, value)):
    | [\w)\]"']\s*<>\s*[\w("'-]
    | (?<![\w.])0[0-7]+(?![\w.])                          # 0777
    | (?<!\w)[uU][rR]["']
    """,
    re.VERBOSE,
)


def told_once(text: str, faults: Iterable[SyntaxFault]) -> list[SyntaxFault]:
    """The faults of a source text: of those that are another language only the first, and beside a merge none, since
    they may follow from it.
    """
    kept: list[SyntaxFault] = []
    told: set[str] = set()
    for fault in faults:
        dialect = "" if fault.is_legal else _dialect(text, fault)
        if not dialect:
            kept.append(fault)
        elif dialect == _MERGE:
            return [replace(fault, message=_MESSAGES[dialect])]
        elif dialect not in told:
            kept.append(replace(fault, message=_MESSAGES[dialect], dialect=dialect))
            told.add(dialect)
    return kept


def _dialect(text: str, fault: SyntaxFault) -> str:
    """The language of a line that Python 3 does not know any more, or never did, or that of a merge; empty if it is
    none of these.
    """
    start = max(text.rfind("\n", 0, fault.span.start), text.rfind("\r", 0, fault.span.start)) + 1
    end = text.find("\n", fault.span.start)
    line = text[start : end if end >= 0 else len(text)][:_LONGEST]
    if _MARKER.match(line) is not None:
        return _MERGE
    if _OLD.search(line) is not None:
        return _PYTHON_2
    return _NOTEBOOK if _COMMAND.match(line) is not None else ""


_LONGEST = 500
"""Letters of a line that are looked at."""
