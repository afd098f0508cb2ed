"""The programs that show faults under the real frameworks: what their first lines say.

    # witness: hangs                      the processes wait for each other, or break off when one of them has gone
    # witness: crashes with "TEXT"        one of them ends with an error of its own, which says TEXT
    # witness: differs                    they print different results, where all should print the same
    # witness: wrong                      they print the same result, but not the one of the fixed program

After a comma may follow what else the program needs:

    on 2 nodes        each process believes to be alone on its node
    by itself         one process that no launcher has started: it starts others, or none
    on STACK          what shows it, if not PyTorch alone: another framework, or a launcher (`stacks.py`)

A program is named after its rule: `RULE.py`, or `RULE.STACK.py` where there are several. Where a rule has no fix, or
one that asks for GPUs, a program `NAME.good.py` beside it shows the right way.

The faults of launches are folders, whose `run.sh` has such a first line; `NAME.good` is one that shows the right way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stacks import STACKS

_FOLDER = Path(__file__).parent / "witness" / "programs"
_LAUNCHES = _FOLDER.with_name("launches")
_SCRIPT = "run.sh"
_TWIN = ".good"
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
    stack: str
    """The framework or launcher on which it is seen."""

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return self.program.name.removesuffix(".py").replace("_", "-")

    @property
    def environment(self) -> str:
        """Where it runs: the marker that the target of `make` names which installs it."""
        return STACKS[self.stack].environment

    @property
    def twin(self) -> Path | None:
        """The program that shows the right way, where no fix can."""
        own = self.program.suffix if self.program.is_file() else ""
        twin = self.program.with_name(self.program.name.removesuffix(own) + _TWIN + own)
        return twin if twin.exists() else None


def witnesses() -> Iterator[Witness]:
    """All that there are, by name."""
    for program in sorted(_FOLDER.glob("*.py")):
        if not program.stem.endswith(_TWIN):
            yield _witness(program)


def launch_witnesses() -> Iterator[Witness]:
    """All folders that show the fault of a launch, by name."""
    for folder in sorted(filter(Path.is_dir, _LAUNCHES.iterdir())):
        if folder.suffix != _TWIN:
            yield _witness(folder)


def _witness(program: Path) -> Witness:
    said = program / _SCRIPT if program.is_dir() else program
    head = said.read_text(encoding="utf-8").partition("\n")[0]
    match = _HEAD.fullmatch(head)
    if match is None:
        raise ValueError(f"{program.name}: the first line must say how the program fails, not `{head}`")
    nodes, alone, stack = 1, False, "torch"
    for need in match["needs"].split(", ")[1:]:
        if need == "by itself":
            alone = True
        elif number := re.fullmatch(r"on (\d) nodes", need):
            nodes = int(number[1])
        elif need.removeprefix("on ") in STACKS:
            stack = need.removeprefix("on ")
        else:
            raise ValueError(f"{program.name}: nothing is known of `{need}`")
    rule = program.name.partition(".")[0].replace("_", "-")
    return Witness(program, rule, match["outcome"] or match["crashes"], match["text"] or "", nodes, alone, stack)
