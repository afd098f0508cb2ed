"""Finds scripts that use the default process group before anything has created it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ddl_lint.rulekit import (
    RANK_TAGS,
    Alternatives,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Flag,
    Items,
    RunView,
    Setting,
    Severity,
    Symbol,
    Unknown,
    Value,
    alternatives,
    branches,
    callee,
    dependencies,
    excludes,
    in_handler,
    in_process,
    is_absent,
    is_object,
    is_rank_guarded,
    mentions_flag,
    normal,
    parts,
    tags_of,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, RANKS, count_of
from ddl_lint.rulekit.events import Backward, Collective, ReadEnvironment, StartProcesses
from ddl_lint_rules.communication_setup.missing_init_process_group.fix import fix

_IN_ORDER = ("init_process_group", "init_mesh", "wrap_model")
"""Events that create the group where they are; whatever else provides one may have done so out of sight."""

_CAUGHT = frozenset({"BaseException", "Exception", "RuntimeError", "ValueError", "AssertionError"})
"""What a handler must name to catch the failure."""

_LEFT_OUT = "this project starts other scripts beside it, and nothing starts this one"

_NEAR = 2
"""How many calls inside the body of a `try` a failure is taken to be expected."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per script and group: at the first use that no creation of the group precedes."""
    if not run.is_script or run.run.is_supposed:  # whoever calls it may have created the group
        return
    providers = list(run.providers("process_group"))
    if run.exhausted or any(provider.kind not in _IN_ORDER for provider in providers):
        return
    for owner in ("", *sorted(run.api.own_groups)):
        own = [provider for provider in providers if run.api.group_of(provider.api) == owner]
        others = [provider for provider in providers if provider not in own]
        for use in run.all_events:
            if not _needs_group(run, use, owner) or _is_covered(use, own) or not _is_unconditional(use, providers):
                continue
            if _may_be_created_out_of_sight(run, use, owner):
                break
            if _was_tried(run, use, owner):
                continue
            if run.run.single_process and is_rank_guarded(use):
                continue  # the one process of a notebook need not be the rank that is asked for
            if not _depends_on_mode(use) or _tells_processes_apart(run):
                finding = replace(_finding(run, use, own, others, owner), cause=f"{owner} in {run.run.path}")
                if run.run.path in run.launch.unlaunched:
                    finding = replace(finding, severity=Severity.INFO, doubt=_LEFT_OUT)
                if run.run.single_process:
                    yield replace(finding, unfixable="a notebook process has no launcher that sets its rank")
                else:
                    yield with_fix(finding, fix, run, use, own, others)
                break
    yield from _outside_of_mode(run, providers)


def _outside_of_mode(run: RunView, providers: Sequence[Event]) -> Iterable[Finding]:
    """Calls that every run makes, though an option that is off as a rule decides whether there is a group: the first
    one of each function.
    """
    mode = _mode(providers)
    if mode is None or not _has_two_modes(run, mode, providers):
        return
    seen: set[object] = set()
    for use in run.events(Collective):
        made = [each for each in providers if each.order < use.order]
        if not made or use.function in seen or not _needs_group(run, use, "") or in_handler(use):
            continue
        if any(node.kind in ("try", "process", "callback") for node in use.context.chain()):
            continue
        if all(_is_of_another_option(node, mode) for node in branches(use.context)):
            seen.add(use.function)
            yield Finding(
                f"without `{mode.name}`, which is off by default, there is no process group for `{callee(run, use)}`",
                use.location,
                tuple(Evidence("the group is created only with the option", each.location) for each in made[:1]),
                help=f"Make this call under the same condition: `if {mode.name}`.",
                unfixable="cannot tell what else a run without the option has to leave out",
            )


def _mode(providers: Sequence[Event]) -> Setting | None:
    """The option with which alone each group is created, where it is off by default."""
    modes = [set(_switched_on(each)) for each in providers if each.kind == "init_process_group"]
    if not modes or len(modes) != len(providers):
        return None
    common = set[Setting].intersection(*modes)
    return next((each for each in common if each.default == Const(False) and _is_given(each)), None)


def _switched_on(event: Event) -> Iterable[Setting]:
    """The options that must be on for an event."""
    for node in branches(event.context):
        condition, holds = normal(node.value) if node.value is not None else (None, True)
        if isinstance(condition, Setting) and holds is node.arm:
            yield condition


def _is_given(setting: Setting) -> bool:
    """Whether who starts the program gives the option."""
    return setting.source in ("argument", "field")


def _has_two_modes(run: RunView, mode: Setting, providers: Sequence[Event]) -> bool:
    """Whether the program cares elsewhere for what it does without the option, and trains in any case."""
    asked = {
        node.location
        for event in run.all_events
        for node in branches(event.context)
        if node.value is not None and mode in parts(node.value)
    }
    own = {node.location for each in providers for node in branches(each.context)}
    trained = any(mode not in _switched_on(event) for event in run.events(Backward))
    return bool(asked - own) and trained


def _is_of_another_option(condition: Context, mode: Setting) -> bool:
    """Whether a condition on the way says nothing of the mode: it asks for other options, or for what was computed."""
    value = condition.value
    if value is None or mode in _asked_in(value) or _tells_of_ranks(value):
        return False
    return value == Flag("main") if condition.assumed else _is_seen(value)


def _asked_in(value: Value) -> Iterable[Value]:
    """What a value is made of, and what decides which of several it is."""
    for part in parts(value):
        yield part
        if isinstance(part, Alternatives):
            for labels, _ in part.options:
                for condition, _ in labels:
                    yield from parts(condition)


def _tells_of_ranks(value: Value) -> bool:
    return bool(tags_of(value) & RANK_TAGS) or any(
        count_of(part) in PROCESSES | RANKS or (isinstance(part, Flag) and part.name == "distributed")
        for part in parts(value)
    )


def _is_seen(value: Value) -> bool:
    """Whether a condition depends on nothing that cannot be seen but numbers that the program computes."""
    return not any(
        isinstance(part, Symbol) or (isinstance(part, Unknown) and not tags_of(part)) for part in parts(value)
    )


def _was_tried(run: RunView, use: Event, owner: str) -> bool:
    """Whether the program has tried the group before, and comes to a use only where that has not failed: the handler
    leaves, or a condition lies between.
    """
    around = set(use.context.chain())
    failing = {rescue.attempt for rescue in run.run.rescues}
    for attempt in run.all_events:
        if attempt.order >= use.order or not _needs_group(run, attempt, owner):
            continue
        tried = next((node for node in attempt.context.chain() if node.kind == "try"), None)
        if tried is None or tried in around or tried.parent not in around or not _catches(tried):
            continue
        if tried not in failing or any(node not in attempt.context.chain() for node in branches(use.context)):
            return True
    return False


def _may_be_created_out_of_sight(run: RunView, use: Event, owner: str) -> bool:
    """Whether something unknown was called before, such as a class from a table, and the files of the program
    create a group somewhere.
    """
    if not any(order <= use.order and not excludes(context, use.context) for order, context in run.run.hidden_calls):
        return False
    makers = {
        name.rpartition(".")[2]
        for name in run.api.words.functions["init_process_group"]
        if run.api.group_of(name) == owner
    }
    return any(makers & module.words for module in run.modules.values())


def _needs_group(run: RunView, event: Event, owner: str) -> bool:
    """Whether an event fails without the group of its own framework, or else PyTorch's default one; one on a group from
    elsewhere may not."""
    if "process_group" not in event.requires or run.api.framework(event.api) != (owner or "pytorch"):
        return False
    return is_absent(event, "group") or is_object(event.operands.get("group"), "group")


def _is_unconditional(event: Event, providers: Sequence[Event]) -> bool:
    """Whether the program neither asks for the group, nor expects the failure, nor leaves the call to others. Where
    nothing makes a group in any mode, it does not matter in which one the program comes there.
    """
    if in_handler(event) or any(_asks(node) for node in branches(event.context)):
        return False
    if any(_is_switched_on(node) for node in undecided(event)):
        return False
    later = [each for each in providers if each.order > event.order and in_process(each) is in_process(event)]
    if providers and any(_may_choose_mode(node) and not _is_chosen_with(node, later) for node in undecided(event)):
        return False
    calls = 0
    for node in event.context.chain():
        if node.kind == "callback" and (node.parent is None or node.parent.kind != "process"):
            return False
        if node.kind == "try" and calls <= _NEAR and _catches(node):
            return False
        calls += node.kind == "call"
    return True


def _is_switched_on(condition: Context) -> bool:
    """Whether a variable of the environment leads there, which whoever sets it may do where there is a group."""
    return condition.value is not None and any(
        isinstance(part, Setting) and part.source == "environment" for part in parts(condition.value)
    )


def _may_choose_mode(condition: Context) -> bool:
    """Whether an undecided condition may tell a distributed run from another one: all but ranks and devices may."""
    value = condition.value
    return value is None or not (tags_of(value) & RANK_TAGS or mentions_flag(value, "cuda"))


def _is_chosen_with(condition: Context, later: Sequence[Event]) -> bool:
    """Whether the program creates the group later on under the same condition: then it is one of a distributed run."""
    return any(
        node.arm is condition.arm and condition.value is not None and condition.value in alternatives(node.value)
        for creation in later
        for node in branches(creation.context)
        if node.value is not None
    )


def _asks(condition: Context) -> bool:
    """Whether a condition asks if there is a group; a look at the launcher's variables does not."""
    return condition.value is not None and any(
        isinstance(part, Flag) and part.name == "distributed" and part.source != "environment"
        for part in parts(condition.value, below=dependencies)
    )


def _depends_on_mode(use: Event) -> bool:
    """Whether the use is reached only because a flag of the program, by its name, says that the run is distributed."""
    return any(
        node.assumed and node.value is not None and not any(isinstance(part, Flag) for part in parts(node.value))
        for node in branches(use.context)
    )


def _tells_processes_apart(run: RunView) -> bool:
    """Whether the script starts processes or works with a rank; else its flag is off, as in a notebook for a demo."""
    return run.has(StartProcesses, ReadEnvironment) or any(
        tags_of(value) & RANK_TAGS for event in run.all_events for value in event.operands.values()
    )


def _catches(context: Context) -> bool:
    if not isinstance(context.value, Items):
        return True
    types = [part for item in context.value.items for part in (item.items if isinstance(item, Items) else (item,))]
    return any(not isinstance(part, Symbol) or part.name.rpartition(".")[2] in _CAUGHT for part in types)


def _is_covered(use: Event, providers: Sequence[Event]) -> bool:
    """Whether the group may exist at a use: created before, in the same process, or in the other arm of a condition."""
    processes = [node for node in use.context.chain() if node.kind == "process"]
    for provider in providers:
        home = in_process(provider)
        if provider.order < use.order and (home is None or home in processes):
            return True
        if excludes(provider.context, use.context):
            return True
    return False


def _maker(run: RunView, later: Event) -> str:
    """What creates the group, and nothing else, in the framework of something that would create it on its way."""
    if later.kind != "wrap_model":
        return callee(run, later)
    framework = run.api.framework(later.api)
    makers = (name for name in run.api.words.functions["init_process_group"] if run.api.framework(name) == framework)
    return min(makers, default=callee(run, later), key=len)


def _finding(run: RunView, use: Event, providers: Sequence[Event], others: Sequence[Event], owner: str) -> Finding:
    name = callee(run, use)
    later = next((provider for provider in providers if provider.order > use.order), None)
    started = in_process(use)
    evidence = [Evidence("the process is started here", started.location)] if started is not None else []
    evidence += [
        Evidence("called here", node.location)
        for node in reversed(list(use.context.chain()))
        if node.kind == "call" and node.function is not None
    ]
    if later is not None and in_process(later) is started:
        evidence.append(Evidence("the group is created here, too late", later.location))
        makes = callee(run, later)
        message = f"`{name}` is called before `{makes}`" + ("" if owner else " has created the process group")
        return Finding(message, use.location, tuple(evidence), help=f"Call `{_maker(run, later)}` before this line.")
    if owner:
        message = f"`{name}` needs {owner.capitalize()} to be initialized, which no code does before"
        makers = sorted(
            name for name in run.api.words.functions["init_process_group"] if run.api.group_of(name) == owner
        )
        makes = makers[0].rpartition(".")[2]
        help = f"Call `{makes}` of {owner.capitalize()} at the start of each process."
        return Finding(message, use.location, tuple(evidence), help=help)
    evidence += [Evidence("this creates a group of another kind", other.location) for other in others[:1]]
    message = f"`{name}` needs the default process group, which no code creates before"
    return Finding(message, use.location, tuple(evidence), help="Call `init_process_group` once per process before.")
