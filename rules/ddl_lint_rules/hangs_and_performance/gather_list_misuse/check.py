"""Finds lists of a gather or scatter that hold one tensor several times, or that the wrong ranks pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Alternatives,
    Apply,
    Claim,
    Const,
    Evaluator,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    Process,
    RunView,
    Undecided,
    Value,
    alternatives,
    always,
    branches,
    catches,
    depends_on_rank,
    is_default_group,
    job,
    match,
    may_guard_rank,
    rank_guards,
    with_contexts,
    with_fix,
)
from ddl_lint.rulekit.events import Collective
from ddl_lint_rules.hangs_and_performance.gather_list_misuse.fix import fill, make_each, pass_on_root

_FILLED = frozenset({"all_gather", "gather", "all_to_all", "all_gather_coalesced"})
"""Operations that fill a list of tensors on the ranks that get the result."""

_FOR_ALL = frozenset({"all_gather", "all_gather_object"})
_FOR_ROOT = {"gather": "output", "gather_object": "output", "scatter": "tensor"}
"""Operations whose list the root passes alone, and the role of that list."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per list, or per call."""
    seen: set[Location] = set()
    for event in run.events(Collective):
        if any(context.traits.get("expects_error") for context in with_contexts(event.context)):
            continue
        for finding in (*_repeated(run, event), *_empty(run, event), *_misplaced(run, event)):
            if finding.location not in seen:
                seen.add(finding.location)
                yield finding


def _name(event: Event) -> str:
    return str(event.constants.get("operation"))


def _is_in_place(run: RunView, event: Event) -> bool:
    """Whether the call takes the list as an argument; functional forms return it."""
    model = run.api.function(event.api)
    return model is not None and "output" in model.roles


# --- one tensor, several names ----------------------------------------------------------------------------------------


def _repeated(run: RunView, event: Collective) -> Iterator[Finding]:
    output = event.output
    if _name(event) not in _FILLED or output is None:
        return
    for option in alternatives(output):
        place = _same_thing(option)
        if place is not None:
            place = event.location if place == Location("", 0, 0) else place
            finding = Finding(
                f"this list holds one tensor several times, so every entry gets what `{_name(event)}` receives last",
                place,
                () if place == event.location else (Evidence("the list is filled here", event.location),),
                help="Create one tensor per rank, for example in a list comprehension.",
            )
            yield with_fix(finding, make_each, run, place)


def _same_thing(value: Value) -> Location | None:
    """Where a list was written that holds one tensor several times."""
    if (source := match.listed(value)) is not None:
        return _same_thing(source)
    if isinstance(value, Apply) and (factors := match.product(value)) is not None:
        held = next((side for side in factors if isinstance(side, Items)), None)
        if held is not None and held.items and not all(isinstance(item, (Const, Items)) for item in held.items):
            return value.location or Location("", 0, 0)
    if isinstance(value, Items):
        tensors = [item for item in value.items if isinstance(item, Object) and item.kind == "tensor"]
        if len(tensors) > 1 and all(tensor is tensors[0] for tensor in tensors):
            return tensors[0].location
    return None


# --- empty, or passed by the wrong ranks ------------------------------------------------------------------------------


def _empty(run: RunView, event: Collective) -> Iterator[Finding]:
    output = event.output
    if _name(event) in _FOR_ALL and always(output, lambda option: option == Items("list", ())):
        finding = Finding(
            f"`{_name(event)}` needs a list with one entry per rank, and this one is empty",
            event.location,
            consequence="crash",
        )
        yield with_fix(finding, fill, run, event)


def _misplaced(run: RunView, event: Collective) -> Iterator[Finding]:
    role = _FOR_ROOT.get(_name(event))
    if role is None or role in event.unseen or "root" in event.unseen or not _is_in_place(run, event):
        return
    if not is_default_group(event.group) or catches(event.context, "ValueError", "Exception"):
        return
    guards = rank_guards(event.context)
    others = (node.value for node in branches(event.context) if node not in guards)
    if any(value is None or may_guard_rank(value) for value in others):
        return
    if depends_on_rank(event.root):
        return  # that is a fault of its own
    given = event.operands.get(role, NONE)
    wrong = [_wrong(event, given, process) for process in job(1, 3)]
    if None in wrong:
        return
    if "missing" in wrong:
        message = Claim(f"the root passes no list to `{_name(event)}`, which raises ValueError", "crash")
        help = "Pass a list with one tensor per rank on the root."
        yield with_fix(Finding(message, event.location, help=help), fill, run, event)
    elif "extra" in wrong:
        message = Claim(
            f"all ranks pass a list to `{_name(event)}`, but only its root may; the others raise ValueError", "crash"
        )
        help = "Pass the list on the root only, and None on the other ranks."
        yield with_fix(Finding(message, event.location, help=help), pass_on_root, run, event, role)


def _wrong(event: Collective, given: Value, process: Process) -> str | None:
    """What is wrong with the list on a process: `missing`, `extra` or nothing; None where that is not known."""
    evaluator = Evaluator(process)
    try:
        if not all(
            node.value is None or evaluator.truth(node.value) is node.arm for node in rank_guards(event.context)
        ):
            return ""
    except Undecided:
        return None
    root = evaluator.number(event.operands.get("root", Const(0)))
    if event.root == NONE:
        root = 0
    passed = _is_passed(given, evaluator)
    if root is None or passed is None:
        return None
    if passed:
        return "" if process.rank == root else "extra"
    return "missing" if process.rank == root else ""


def _is_passed(value: Value, evaluator: Evaluator) -> bool | None:
    """Whether a process passes a list with something in it."""
    if value == NONE:
        return False
    if isinstance(value, Items):
        return True if value.items else (None if value.open else False)
    if isinstance(value, Apply):
        made = match.product(value) or match.each_of(value) or match.list_of(value)
        return True if made is not None else None
    if isinstance(value, Alternatives):
        found: set[bool | None] = set()
        for labels, option in value.options:
            try:
                if all(evaluator.truth(condition) is wanted for condition, wanted in labels):
                    found.add(_is_passed(option, evaluator))
            except Undecided:
                return None
        return found.pop() if len(found) == 1 else None
    return None
