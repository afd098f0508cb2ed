"""Finds files and directories that every rank writes at one path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ddl_lint.rulekit import (
    LOCAL_RANK,
    NONE,
    RANK_TAGS,
    Claim,
    Confidence,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Setting,
    Severity,
    Shared,
    argument_text,
    as_caller,
    branches,
    idiom_at,
    in_handler,
    is_absent,
    is_constant,
    is_kept_out,
    is_of_job,
    is_on_every_rank,
    is_rank_guarded,
    job,
    joint_use,
    may_span_nodes,
    meeting_with,
    objects,
    parts,
    rank_guards,
    shown,
    source_text,
    speaker,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import FileName, FileUse, Path, RunFiles, asks_for_any
from ddl_lint.rulekit.events import (
    BuildDataset,
    Collective,
    Communicate,
    Download,
    Export,
    MakeDirectory,
    RemoveFiles,
    Save,
    Unfollowed,
    WriteFile,
)
from ddl_lint_rules.training.unguarded_filesystem_write.copies import is_read_by_all
from ddl_lint_rules.training.unguarded_filesystem_write.fix import fix_dataset, fix_directory, fix_write, is_in_group
from ddl_lint_rules.training.unguarded_filesystem_write.folders import is_made_by_one, is_there_before
from ddl_lint_rules.training.unguarded_filesystem_write.harm import is_harmless, record_of

_WRITES = (Save, Export, WriteFile, MakeDirectory, RemoveFiles, BuildDataset, Download)


@dataclass(frozen=True)
class _Found:
    """A write of all ranks."""

    event: Event
    start: Event
    message: str
    doubt: str
    is_harmless: bool


@dataclass(frozen=True)
class _About:
    """What is to be known of a finding beside it."""

    careful: Finding
    """The same with the fix for a program that may come there without a process group."""

    record: FileName | None
    """The file, where it only matters if something reads it."""


@dataclass(frozen=True)
class _Run:
    """What a run says about files."""

    alone: frozenset[Location]
    """Where it writes and there may be no process group."""

    files: RunFiles


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where all ranks write."""
    if not is_of_job(run):
        return
    checked, shared_out = _rank_checks(run), _shared_out(run)
    several_nodes = may_span_nodes(run)
    found: list[_Found] = []
    for event in run.events(*_WRITES):
        message = _message(run, event)
        if message is None or "guard_save" in event.provides:
            continue
        joint = joint_use(run, event)
        per_node = several_nodes and event.kind in ("save", "export") and _once_per_node(event)
        if per_node and is_read_by_all(run, event):
            continue
        if per_node:
            target = shown("the same file", argument_text, run, event, "path")
            message = Claim(f"one process of each node writes {target}; only the local rank is checked", "data-loss")
        elif (
            not is_on_every_rank(event, is_called_by_all=joint is not None)
            or _runs_in_order(run, event)
            or _way(event) in shared_out
        ):
            continue
        if not per_node and any((event.location, node.location) in checked for node in branches(event.context)):
            continue  # written with a rank check, which this way of starting the program passes by
        if isinstance(event, MakeDirectory) and is_there_before(run, event):
            continue
        met = meeting_with(run, event) if run.is_script else (joint, "") if joint is not None else None
        if met is not None:
            harmless = is_harmless(run, event, met[0], per_node=per_node) or _is_tested(event)
            found.append(_Found(event, met[0], message, met[1], harmless))
    folders = [each.event for each in found if isinstance(each.event, MakeDirectory)]
    of_one = [(each, made) for each in found for made in folders if is_made_by_one(each.event, made)]
    found = [each for each in found if not any(each is other for other, _ in of_one)]
    others = [each.event for each in found]
    for each, again in _by_download(found):
        event, start = each.event, each.start
        evidence = (Evidence("every rank of this process group gets there", start.location),)
        if not run.is_script:
            evidence = (as_caller(start),)
        if guards := rank_guards(event.context):
            evidence = (
                *(Evidence("only the local rank is checked here", guard.location) for guard in guards),
                Evidence("the process group may span several nodes", start.location),
            )
        more = (Evidence("the same archive is asked for again here", other.location) for other in again)
        finding = Finding(
            each.message,
            event.location,
            (*_called_from(event), *evidence, *more),
            severity=Severity.INFO if each.is_harmless else None,
            confidence=Confidence.MEDIUM if each.doubt else None,
            doubt=each.doubt or (_RARE if _is_tested(event) else ""),
            help=_advice(run, event, start, fails=not any(made is event for _, made in of_one)),
        )
        if event.kind == "make_directory":
            yield with_fix(finding, fix_directory, run, event, [other.event for other, made in of_one if made is event])
            continue
        if event.kind == "build_dataset":
            careful = with_fix(finding, fix_dataset, run, start, event, is_sure=False)
            sure = with_fix(finding, fix_dataset, run, start, event, is_sure=run.is_script)
        else:
            careful = with_fix(finding, fix_write, run, start, event, others, is_sure=False)
            sure = with_fix(finding, fix_write, run, start, event, others, is_sure=run.is_script)
        record = record_of(run, event)
        yield replace(sure, about=_About(careful, record))


def _by_download(found: Sequence[_Found]) -> Iterator[tuple[_Found, list[Event]]]:
    """What was found, each with the later parts of the data set that the same download brings."""
    again: dict[int, list[Event]] = {}
    first: list[_Found] = []
    for each in found:
        earlier = next((other for other in first if _is_same_download(other.event, each.event)), None)
        if earlier is None:
            first.append(each)
        elif each.event.location != earlier.event.location:
            again.setdefault(id(earlier), []).append(each.event)
    yield from ((each, again.get(id(each), [])) for each in first)


def _is_same_download(earlier: Event, later: Event) -> bool:
    """Whether two data sets are parts of one archive, and the later one is only made where the earlier one was."""
    roots = [[made.given.get("root") for made in objects(event.result)] for event in (earlier, later)]
    return (
        earlier.kind == later.kind == "build_dataset"
        and earlier.api == later.api
        and roots[0] == roots[1] != []
        and set(branches(earlier.context)) <= set(branches(later.context))
    )


def _advice(run: RunView, event: Event, start: Event, *, fails: bool) -> str:
    """What to do about one write, in the words of the framework that knows the rank; for a directory, whether all that
    is wrong is that making it `fails`.
    """
    if event.kind == "make_directory" and fails:
        return "Pass `exist_ok=True`."
    rank = idiom_at("rank", run, event.location, speaker(run, start.api), "rank")
    return f"Run it under `if {rank} == 0:`, with a barrier after it if other ranks read the result."


def _called_from(event: Event) -> Iterator[Evidence]:
    """The call of the function in which an event happens."""
    call = next((node for node in event.context.chain() if node.kind == "call"), None)
    if call is not None and not (call.function is not None and call.function.name == "main"):
        yield Evidence("called from here", call.location)


def publish(run: RunView) -> Iterator[_Run]:
    """What the run reads, and where it writes and there may be no process group."""
    alone = frozenset(
        event.location
        for event in (run.events(*_WRITES) if run.is_script else ())
        if event.kind != "make_directory" and not is_in_group(run, event)
    )
    facts = _Run(alone, RunFiles.of(run))
    if facts.alone or facts.files.reads:
        yield facts


def join(finding: Finding, shared: Shared[_Run]) -> Finding | None:
    """Where another program may come without a process group, the fix asks for it; what the program does not read again
    does no harm.
    """
    about = finding.about
    if not isinstance(about, _About):
        return finding
    if any(finding.location in each.alone for each in shared.file):
        finding = about.careful
    record = about.record
    if record is None or any(each.files.may_name(record) for each in shared.program):
        return finding
    return replace(finding, severity=Severity.INFO)


_RARE = "the ranks have to get there within microseconds, and the next start finds the directory"


def _is_tested(event: Event) -> bool:
    """Whether a directory is only made where it was not there just before."""
    return event.kind == "make_directory" and FileUse(event).looks_first


def _message(run: RunView, event: Event) -> str | None:
    """What goes wrong when all ranks come here at once; None when nothing does."""
    use, path = FileUse(event), FileUse(event).path
    target = shown("the same file", argument_text, run, event, "path")
    if event.kind == "build_dataset":
        if not is_constant(event.operands.get("download"), True) or any(
            Path(made.given.get("root")).differs_by_rank for made in objects(event.result)
        ):
            return None
        return "every rank downloads and unpacks the dataset into the same directory"
    if path.value in (None, NONE) or not _is_for_all(event):
        return None
    if not path.is_same_on_all_ranks and (run.is_script or not path.is_same_for_caller):
        return None
    if event.kind == "make_directory":
        directory = shown("this directory", argument_text, run, event, "path")
        if (
            use.bears_existing
            or "exist_ok" in event.unseen
            or not is_constant(event.operands.get("exist_ok", Const(False)), False)
        ):
            return None
        if _is_tested(event):
            return f"every rank tests and then creates {directory}; some will fail with FileExistsError"
        return Claim(f"every rank creates {directory}, and all but the first fail with FileExistsError", "crash")
    if event.kind == "remove_files":
        if use.bears_missing:
            return None
        return f"every rank removes {target}, which another rank may just have written or removed"
    if event.kind == "export" and not is_absent(event, "by_function"):
        return None  # such as the trainer's own function, which writes on one process
    if use.appends:
        return Claim(f"every rank appends to {target}, so what is added is there once per rank", "race")
    if not use.writes:
        return None
    what = f"{'downloads' if event.kind == 'download' else 'writes'} {target}"
    if event.kind == "export":  # into a folder, in which it makes several files
        what = f"calls {shown('what writes there', source_text, run, event.location)}"
    is_state = event.kind != "download" and record_of(run, event) is None  # a download can be made again
    return Claim(f"every rank {what} at the same time", "data-loss" if is_state else "race")


def _is_for_all(event: Event) -> bool:
    """Whether the call writes in every process, rather than in the one that is its chief, or that its
    configuration makes write.
    """
    if any(
        tags_of(value) & RANK_TAGS
        for made in objects(event.operands.get("configuration"))
        for role, value in made.given.items()
        if ":" not in role and not isinstance(value, Object)  # what the call itself says, and no other object
    ):
        return False
    return "chief" not in event.operands or is_constant(event.operands["chief"], True)


def _once_per_node(event: Event) -> bool:
    """Whether the first process of each node gets there, and the path does not say that the disk is the node's own."""
    first, second, *others = job(2, 2)
    guards = rank_guards(event.context)
    path = FileUse(event).path
    return (
        bool(guards)
        and all(tags_of(guard.value or NONE) & RANK_TAGS == frozenset({LOCAL_RANK}) for guard in guards)
        and is_kept_out(event, second)
        and not is_kept_out(event, first)
        and not is_kept_out(event, others[0])
        and not in_handler(event)
        and not path.is_on_disk_of_node
        and not any(isinstance(part, Setting) and part.source == "environment" for part in parts(path.value or NONE))
    )


def _rank_checks(run: RunView) -> set[tuple[Location, Location]]:
    """The places that write, each with the places of the rank checks around it."""
    return {(event.location, node.location) for event in run.events(*_WRITES) for node in rank_guards(event.context)}


def _shared_out(run: RunView) -> set[tuple[Location, ...]]:
    """The ways to places that write on which some ranks are left out: a generator may share out the work in one of its
    loops, and hand on the same everywhere in another.
    """
    return {_way(event) for event in run.events(*_WRITES) if rank_guards(event.context)}


def _way(event: Event) -> tuple[Location, ...]:
    """The place of an event, and the calls that lead there."""
    return (event.location, *(node.location for node in event.context.chain() if node.kind == "call"))


def _runs_in_order(run: RunView, event: Event) -> bool:
    """Whether some ranks wait before the event and the others after it, or the same was downloaded so before."""
    if _is_between_waits(run, event) or _looks_after_waiting(run, event):
        return True
    return event.kind in ("build_dataset", "download") and any(
        earlier.order < event.order
        and earlier.api == event.api
        and (event.kind == "build_dataset" or earlier.operands.get("path") == event.operands.get("path"))
        and (is_rank_guarded(earlier) or _is_between_waits(run, earlier))
        for earlier in run.events(event.kind)
    )


def _is_between_waits(run: RunView, event: Event) -> bool:
    waits = [
        collective
        for collective in run.events(Collective)
        if is_constant(collective.operation, "barrier") and is_rank_guarded(collective)
    ]
    return any(wait.order < event.order for wait in waits) and any(wait.order > event.order for wait in waits)


def _looks_after_waiting(run: RunView, event: Event) -> bool:
    """Whether some ranks may wait for a file in the function that writes, which then looks whether it is there."""
    own = next((node for node in event.context.chain() if node.kind == "call"), None)
    return any(
        wait.order < event.order
        and (wait.kind != "collective" or is_constant(wait.operands.get("operation"), "barrier"))
        and own in set(wait.context.chain())
        and not is_on_every_rank(wait)
        and any(asks_for_any(node.value) for node in branches(wait.context))
        and any(asks_for_any(node.value) for node in set(branches(event.context)).difference(wait.context.chain()))
        for wait in run.events(Collective, Communicate, Unfollowed)
    )
