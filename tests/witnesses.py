"""The programs that show faults under the real frameworks: what their first lines say.

    # witness: hangs                      the processes wait for each other, or break off when one of them has gone
    # witness: crashes with "TEXT"        one of them ends with an error of its own, which says TEXT
    # witness: differs                    they print different results, where all should print the same
    # witness: wrong                      they print the same result, but not the one of the fixed program

After a comma may follow what else the program needs:

    on 2 nodes        each process believes to be alone on its node
    by itself         one process that no launcher has started: it starts others, or none
    on PACKAGE        the framework on top of PyTorch that shows it

A program is named after its rule: `RULE.py`, or `RULE.PACKAGE.py` where there are several. Where a rule has no fix, or
one that asks for GPUs, a program `NAME.good.py` beside it shows the right way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / "witness" / "programs"
_TWIN = ".good.py"
_HEAD = re.compile(
    r'# witness: (?:(?P<outcome>hangs|differs|wrong)|(?P<crashes>crashes) with "(?P<text>[^"]+)")'
    r"(?P<needs>(?:, [^,]+)*)"
)


@dataclass(frozen=True)
class Witness:
    """A program that shows the fault of a rule."""

    program: Path
    rule: str
    outcome: str
    """How it fails: `hangs`, `crashes`, `differs` or `wrong`."""

    text: str
    """What the error says where it crashes."""

    nodes: int
    alone: bool
    package: str
    """The framework on which it is seen, `torch` or one on top of it."""

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return self.program.stem.replace("_", "-")

    @property
    def twin(self) -> Path | None:
        """The program that shows the right way, where no fix can."""
        twin = self.program.with_name(self.program.stem + _TWIN)
        return twin if twin.exists() else None


def witnesses() -> Iterator[Witness]:
    """All that there are, by name."""
    for program in sorted(_FOLDER.glob("*.py")):
        if not program.name.endswith(_TWIN):
            yield _witness(program)


def _witness(program: Path) -> Witness:
    head = program.read_text(encoding="utf-8").partition("\n")[0]
    match = _HEAD.fullmatch(head)
    if match is None:
        raise ValueError(f"{program.name}: the first line must say how the program fails, not `{head}`")
    nodes, alone, package = 1, False, "torch"
    for need in match["needs"].split(", ")[1:]:
        if need == "by itself":
            alone = True
        elif number := re.fullmatch(r"on (\d) nodes", need):
            nodes = int(number[1])
        elif name := re.fullmatch(r"on ([a-z]\w+)", need):
            package = name[1]
        else:
            raise ValueError(f"{program.name}: nothing is known of `{need}`")
    rule = program.name.partition(".")[0].replace("_", "-")
    return Witness(program, rule, match["outcome"] or match["crashes"], match["text"] or "", nodes, alone, package)
