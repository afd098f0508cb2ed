"""Finds conditions of which an alternative escapes the rank guard, for `and` binds tighter than `or`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    RANK_TAGS,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    RunView,
    Value,
    always,
    match,
    normal,
    rank_guards,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.events import Download, MixConditions, RemoveFiles, Save, WriteFile
from ddl_lint_rules.hangs_and_performance.rank_guard_operator_precedence.fix import fix

_FOR_ONE = (Save, WriteFile, RemoveFiles, Download)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per condition, at the first of what only one rank may do under it."""
    reported: set[Event] = set()
    for event in run.events(*_FOR_ONE):
        mixed = _escaping(run, event) if _is_for_one(event) else None
        if mixed is not None and mixed not in reported:
            reported.add(mixed)
            finding = Finding(
                "`and` binds tighter than `or`, so all ranks pass this rank check when the alternative is true",
                mixed.location,
                (Evidence("all ranks may do this at once", event.location),),
            )
            yield with_fix(finding, fix, run, mixed)


def _escaping(run: RunView, event: Event) -> MixConditions | None:
    """The condition through which all ranks come to an event that was meant for one."""
    guards = rank_guards(event.context)
    if len({node.value for node in guards}) != 1:
        return None  # a further guard keeps the others away
    return next((mixed for node in guards for mixed in run.events(MixConditions) if _asks(node, mixed)), None)


def _asks(node: Context, mixed: Event) -> bool:
    """Whether a branch is that of a mixed condition, or of one with more alternatives, and is taken when it holds."""
    if node.value is None:
        return False
    condition, truth = normal(node.value)
    whole = mixed.result
    if whole is None or truth is not node.arm or node.location.path != mixed.location.path:
        return False
    wanted, positive = normal(whole)
    return positive and wanted in _chain(condition)


def _chain(condition: Value) -> Iterator[Value]:
    """`a or b or c`, `a or b` and `a`, as long as what is left out does not depend on the rank."""
    yield condition
    while (parted := match.disjunction(condition)) is not None:
        condition, *others = parted
        if any(tags_of(other) & RANK_TAGS for other in others):
            return
        yield condition


def _is_for_one(event: Download | RemoveFiles | Save | WriteFile) -> bool:
    """Whether an event changes a file that surely is the same for all ranks."""
    path = event.path
    if path is None or "guard_save" in event.provides or tags_of(path) & (RANK_TAGS | LOCAL_TAGS):
        return False
    return event.kind != "write_file" or always(event.operands.get("mode"), _writes)


def _writes(mode: Value) -> bool:
    return isinstance(mode, Const) and isinstance(mode.value, str) and bool(set(mode.value) & set("wax"))
