"""What a check that was ended before its end may say: nothing that needs what it has not come to, and where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.runs import Remainder
from ddl_lint.check.rule_runner import RunResult
from ddl_lint.finding import Evidence, Finding, RuleFinding
from ddl_lint.fixes.unfixable import without_fix
from ddl_lint.program.followed import Coverage
from ddl_lint.project.contents import BUDGET
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location

_REASON = "the check ended before it"
"""Why something was not followed."""

_SHOWN = 3  # scripts that the note names
_HELP = (
    "Check again to go on from here: what is done is stored. Or give the check more time (`--max-check-seconds`, "
    "`max-check-seconds` in the configuration), all that it needs (`--no-limit`), or fewer files."
)
_UNFIXABLE = "only you know how long a check may take"


@dataclass
class Unfinished:
    """What a check has not come to, in all projects together."""

    scripts: list[str] = field(default_factory=list[str])
    """The paths of those that were not followed, or not to their end."""

    others: list[str] = field(default_factory=list[str])
    """The paths of the files of which is unknown what is found in that which no script reaches."""

    followed: int = 0
    """How many scripts were followed to their end, or as far as each of them may take."""

    def add(self, left: Remainder, followed: int) -> None:
        """Take in what is left of one project, and how many of its scripts are not."""
        self.scripts += [*left.partly.values(), *left.scripts.values()]
        self.others += left.libraries.values()
        self.followed += followed

    def __bool__(self) -> bool:
        return bool(self.scripts or self.others)

    def note(self, allowance: Allowance, given: Mapping[str, object]) -> RuleFinding:
        """What is reported of it, in the first of the `given` files that it is about."""
        left = [*self.scripts, *self.others]
        path = next((path for path in left if path in given), next(iter(given), left[0]))
        shown = self.scripts[:_SHOWN]
        evidence = tuple(Evidence("this script was not checked to its end", Location(each, 0, 0)) for each in shown)
        reason = "was interrupted" if allowance.is_stopped else f"ended after {allowance.seconds:g} CPU seconds"
        finding = Finding(self._message(reason), Location(path, 0, 0), evidence, unfixable=_UNFIXABLE, help=_HELP)
        return RuleFinding(BUDGET, finding)

    def _message(self, reason: str) -> str:
        count = len(self.scripts)
        scripts = f"{count} of {count + self.followed} scripts" if count else ""
        code = "code that no script uses" if self.others else ""
        left = " and ".join(filter(None, (scripts, code)))
        return f"Partly checked: the check {reason}; not checked: {left}"


def coverage(left: Remainder) -> list[Coverage]:
    """What is reported of the scripts that were left out."""
    return [Coverage(path, "script", "", False, _REASON) for path in left.scripts.values()]


def careful(
    run_results: Iterable[RunResult],
    rules: Iterable[Rule],
    reached: frozenset[str],
    module_of: Callable[[str], str | None],
) -> Sequence[RunResult]:
    """Verdicts without what scripts that were left out might contradict: in the modules that those have `reached`, what
    a rule says only when it has heard all programs, and fixes.
    """
    joining = {rule.code for rule in rules if rule.join is not None}

    def kept(run_result: RunResult) -> Iterable[RuleFinding]:
        for each in run_result.findings:
            if reached.isdisjoint((run_result.module, module_of(each.finding.location.path))):
                yield each
            elif each.code not in joining:
                finding = without_fix(each.finding, "not all programs that use this code were checked")
                yield RuleFinding(each.code, finding)

    return [replace(run_result, findings=tuple(kept(run_result))) for run_result in run_results]
