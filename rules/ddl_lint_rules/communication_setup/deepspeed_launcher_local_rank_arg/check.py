"""Finds scripts that refuse the option in which their launcher passes the local rank."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Const, Event, Finding, Flag, Items, RunView, Value, branches, catches, with_fix
from ddl_lint.rulekit.events import ParseOptions
from ddl_lint_rules.communication_setup.deepspeed_launcher_local_rank_arg.fix import fix

_PASSED = "--local_rank"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where the command line is read."""
    if not run.is_script:
        return
    launch = run.launch.told_local_rank.get(run.run.path, "")
    for event in run.events(ParseOptions) if launch else ():
        if _is_refused(event):
            finding = Finding(
                f"`{launch.rpartition('/')[2]}` launches this with `{_PASSED}`, which this parser rejects",
                event.location,
            )
            yield with_fix(finding, fix, run, event)


def _is_refused(event: Event) -> bool:
    """Whether the parser surely does not know the option."""
    options = event.operands["options"]
    certain = not any(True for node in branches(event.context) if not (node.assumed or _is_script(node.value)))
    return (
        certain
        and isinstance(options, Items)
        and not options.open
        and Const(_PASSED) not in options.items
        and not catches(event.context, "SystemExit", "BaseException")
    )


def _is_script(condition: Value | None) -> bool:
    """Whether a condition asks whether the file is run."""
    return isinstance(condition, Flag) and condition.name == "main"
