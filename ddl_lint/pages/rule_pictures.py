"""What the ranks do in the programs of a rule, for its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule

if TYPE_CHECKING:
    from ddl_lint.check.rank_questions import Traced

_CONSEQUENCE = "hang"
"""Of the rules that may be about ranks which do not meet."""

_WIDTH = 100


Side = Literal["bad", "good"]

_SIDES: tuple[Side, ...] = ("bad", "good")


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
    if rule.folder is None or _CONSEQUENCE not in rule.info.consequences:
        return
    from ddl_lint.check.traced_program import TraceError  # following a program takes far more than the rest of the page
    from ddl_lint.output.trace import Presentation, render

    rule_folder = rule.folder
    for file in sorted((rule_folder / "bad").rglob("*.py")):
        name = file.relative_to(rule_folder / "bad")
        try:
            bad, good = (_traced(rule, rule_folder / side, name) for side in _SIDES)
        except TraceError:  # a helper, no script
            continue
        if bad.communication.gaps:
            for side, made in zip(_SIDES, (bad, good), strict=True):
                presentation = Presentation(width, folder=str(rule_folder / side))
                content = render(made.communication, made.documents, form, presentation)
                yield RankPicture(side, name.as_posix(), content)
            return


def _traced(rule: Rule, folder: Path, name: Path) -> Traced:
    """What ranks do in a program of a rule. What is around its folder, such as the project that the rules are installed
    in, says nothing of it.
    """
    from ddl_lint.check.limits import analysis_limits
    from ddl_lint.check.rank_questions import trace
    from ddl_lint.check.traced_program import open_project
    from ddl_lint.syntax import in_deep_stack

    script = folder / name
    with analysis_limits():
        project = in_deep_stack(open_project, folder, [script], {})
    return trace(script, Settings(), rules=[rule], project=project)
