"""Syntax errors that are Python 2: one cause, so it is reported once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.source.fault import SyntaxFault

_MESSAGE = "this is Python 2 code, which Python 3 cannot run; the file is checked only in part"

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
    """The faults of a source text, of those that are Python 2 only the first."""
    kept: list[SyntaxFault] = []
    is_old = False
    for fault in faults:
        if fault.is_legal or not _is_python_2(text, fault):
            kept.append(fault)
        elif not is_old:
            kept.append(replace(fault, message=_MESSAGE, is_old=True))
            is_old = True
    return kept


def _is_python_2(text: str, fault: SyntaxFault) -> bool:
    """Whether the line of a fault is one of those that Python 3 does not know any more."""
    start = max(text.rfind("\n", 0, fault.span.start), text.rfind("\r", 0, fault.span.start)) + 1
    end = text.find("\n", fault.span.start)
    return _OLD.search(text[start : end if end >= 0 else len(text)][:_LONGEST]) is not None


_LONGEST = 500
"""Letters of a line that are looked at."""
