"""What the ranks do in the programs of a rule, for its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule

_STAGE = "hangs_and_performance"
"""The stage of the rules that may be about ranks which do not meet."""

_WIDTH = 100


Side = Literal["bad", "good"]


@dataclass(frozen=True)
class RankPicture:
    """A trace of one of the two programs of a rule."""

    side: Side
    script: str
    """Its path in the folder of the program."""
    content: str


def rank_pictures(rule: Rule, form: str, width: int = _WIDTH) -> Iterator[RankPicture]:
    """The traces of the faulty script and of its corrected twin, in a format of `ddl-lint trace`.

    There are none where the ranks meet in the faulty one.
    """
    if rule.room is None or rule.info.stage != _STAGE:
        return
    from ddl_lint.check.rank_questions import (  # following a program takes far more than the rest of the page
        Traced,
        TraceError,
        trace,
    )
    from ddl_lint.output.trace import Presentation, render

    for file in sorted((rule.room / "bad").rglob("*.py")):
        name = file.relative_to(rule.room / "bad")
        try:
            bad, good = (trace(rule.room / side / name, Settings(), rules=[rule]) for side in ("bad", "good"))
        except TraceError:  # a helper, no script
            continue
        if bad.communication.gaps:
            sides: tuple[tuple[Side, Traced], ...] = (("bad", bad), ("good", good))
            for side, made in sides:
                presentation = Presentation(width, folder=str(rule.room / side))
                content = render(made.communication, made.documents, form, presentation)
                yield RankPicture(side, name.as_posix(), content)
            return
