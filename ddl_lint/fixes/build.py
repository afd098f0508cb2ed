"""How a rule offers a fix: it is built beside the finding, and may turn out to be impossible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, ParamSpec

from ddl_lint.analysis.view import ProjectView
from ddl_lint.crash import NOT_OURS, reason
from ddl_lint.finding import Finding, Fix

_P = ParamSpec("_P")


class Unfixable(Exception):
    """There is no fix for this place; `str()` of it says why, as a half sentence: `the body has no line of its own`."""


def with_fix(
    finding: Finding,
    build: Callable[Concatenate[ProjectView, _P], Fix],
    project: ProjectView,
    *args: _P.args,
    **kwargs: _P.kwargs,
) -> Finding:
    """The finding with the fix that `build` makes of its arguments, or with the reason why it cannot be made.

    `build` sees of the project the programs that use the file of the finding: it must be right for all of them. Where
    it fails, the finding is as good as without it.
    """
    try:
        fix = build(project.programs_with(finding.location), *args, **kwargs)
        # What is imported comes before what uses it, where both go to one place.
        edits = sorted(fix.edits, key=lambda edit: not edit.text.lstrip().startswith(("import ", "from ")))
        return replace(finding, fix=replace(fix, edits=tuple(edits)))
    except Unfixable as because:
        return replace(finding, unfixable=str(because))
    except NOT_OURS:
        raise
    except BaseException as error:
        return replace(finding, crash=reason(error), unfixable="ddl-lint failed to build it, which is told apart")
