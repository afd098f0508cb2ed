"""The comments at the ends of a program's lines that say what is to be found there, for tests and not for readers.

`# error: [rule-name]` is on each line that a rule must report (several names are separated by commas), `# info:` or
`# warning:` where that must be an info, or more than one, and `# related: [rule-name]` on each line that must be shown
as evidence of such a finding.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["error", "warning", "info", "related"]

REPORTED: tuple[Kind, ...] = ("error", "warning", "info")
"""The marks of lines that a rule must report."""

_MARK = re.compile(r"[ \t]*# *(error|warning|info|related): \[([\w-]+(?:, *[\w-]+)*)\]")


def marked(line: str, *kinds: Kind) -> list[str]:
    """The rules that a line names in its marks of these kinds."""
    return [name.strip() for kind, names in _MARK.findall(line) if kind in kinds for name in names.split(",")]


def without_marks(text: str) -> str:
    """A text without its marks."""
    return _MARK.sub("", text)
