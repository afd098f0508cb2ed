"""How a rule offers a fix: it is built beside the finding, and may turn out to be impossible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, ParamSpec

from ddl_lint.analysis.view import RunView
from ddl_lint.crash import NOT_OURS, with_place
from ddl_lint.finding import Finding, Fix
from ddl_lint.fixes.unfixable import Unfixable

_P = ParamSpec("_P")


def with_fix(
    finding: Finding,
    build: Callable[Concatenate[RunView, _P], Fix],
    run: RunView,
    *args: _P.args,
    **kwargs: _P.kwargs,
) -> Finding:
    """The finding with the fix that `build` makes of its arguments, or with the reason why it cannot be made.

    The fix is safe only where `fixes.proof` can prove that. `build` knows one run. A fix that may be wrong for another
    one that uses the file must be withdrawn by the rule's `join`. Where `build` fails, the finding is as good as
    without it. Nothing is built where the rule has spoken of the run before: that finding is the one that counts.
    """
    if finding.location in run.said:
        return finding
    from ddl_lint.fixes.proof import proved  # here, since most checks make no fix

    try:
        fix = build(run, *args, **kwargs)
        # What is imported comes before what uses it, where both go to one place.
        edits = sorted(fix.edits, key=lambda edit: not edit.text.lstrip().startswith(("import ", "from ")))
        return replace(finding, fix=proved(run, replace(fix, edits=tuple(edits)), (*args, *kwargs.values())))
    except Unfixable as because:
        return replace(finding, unfixable=str(because))
    except NOT_OURS:
        raise
    except BaseException as error:
        return replace(finding, crash=with_place(error), unfixable="ddl-lint failed to build it; see that finding")
