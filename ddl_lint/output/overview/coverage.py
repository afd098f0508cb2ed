"""What was checked, and, as plainly, what could not be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.counted import counted
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.job_rows import Row
from ddl_lint.output.overview.consequences import of_engine
from ddl_lint.output.overview.subject import Subject
from ddl_lint.output.places import shown_path
from ddl_lint.output.trace.html_text import link, sentence
from ddl_lint.output.trace.presentation import Spots
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.program.followed import Coverage

_MOST = 200  # entries of a list


@dataclass(frozen=True, slots=True)
class Seen:
    """The programs of a check, sorted by how far they were followed."""

    whole: Sequence[Coverage]
    partial: Sequence[Coverage]
    library: Sequence[Coverage]
    not_followed: Sequence[Coverage]


def seen(subject: Subject) -> Seen:
    """How far was followed what there is."""
    whole: list[Coverage] = []
    partial: list[Coverage] = []
    library: list[Coverage] = []
    left: list[Coverage] = []
    for program in sorted(subject.programs, key=lambda each: (each.path, each.entry)):
        if not program.followed:
            left.append(program)
        elif program.kind == "library":
            library.append(program)
        else:
            trace = _trace(program, subject)
            is_hidden = program.hides_work or (trace is not None and trace.hidden is not None)
            (partial if program.cut or is_hidden else whole).append(program)
    return Seen(whole, partial, library, left)


def headline(subject: Subject) -> str:
    """How much was looked at, in one line."""
    known = seen(subject)
    scripts = len(known.whole) + len(known.partial)
    parts = [counted(subject.files, "file"), f"{counted(scripts, 'script')} followed"]
    if known.partial:
        parts[-1] += f", {len(known.partial)} only in part"
    parts.append(counted(len(subject.launches), "launch line"))
    return "; ".join(parts)


def checked(subject: Subject, spots: Spots) -> Iterator[str]:
    """The programs that were followed, as a list that folds."""
    known = seen(subject)
    followed = [*((each, True) for each in known.whole), *((each, False) for each in known.partial)]
    if followed:
        yield '<ul class="programs">'
        for said in _few(followed, lambda each: _outcome(*each, subject, spots), "scripts"):
            yield f"<li>{said}</li>"
        yield "</ul>"
    else:
        yield "<p>No script was followed: nothing here starts training.</p>"
    if known.library:
        were = "was" if len(known.library) == 1 else "were"
        modules = counted(len(known.library), "module")
        yield f"<p>{modules} that no script reaches {were} read function by function.</p>"


def _outcome(program: Coverage, is_whole: bool, subject: Subject, spots: Spots) -> str:
    """How far a script was followed, and what its trace says."""
    trace = _trace(program, subject)
    tone, said = "clear" if is_whole else "doubt", "followed to its end" if is_whole else "followed in part"
    if trace is not None:
        found = verdict(trace, subject.documents)
        tone = found.tone
        said += f"; {sentence(found.text, spots, found.places)}"
    sign = f'<span class="sign {tone}" aria-hidden="true">{_SIGNS[tone]}</span>'
    return f"{sign} {_name(program)} <span>{said}</span>"


_SIGNS = {"hang": "✕", "doubt": "◐", "clear": "✓"}


def _trace(program: Coverage, subject: Subject) -> Communication | None:
    if program.entry:
        return None
    return next((each for each in subject.traces if (each.path, each.function) == (program.path, "")), None)


def not_seen(subject: Subject, spots: Spots) -> Iterator[str]:
    """What the findings do not speak of, and why."""
    items = list(_not_seen(subject, spots))
    if not items:
        yield "<p>Every script was followed to its end, and no unknown call hides a training loop.</p>"
    else:
        yield '<ul class="unseen">'
        yield from (f"<li>{item}</li>" for item in items)
        yield "</ul>"
    yield (
        '<p class="limit">ddl-lint reads code; it does not run it. It knows nothing of the data, the network and the '
        "machines, and it stays silent where it cannot tell: no finding is no proof.</p>"
    )


def _not_seen(subject: Subject, spots: Spots) -> Iterator[str]:
    yield from _few(subject.problems, lambda each: _problem(*each), "paths")
    known = seen(subject)
    partial = [each for each in known.partial if each.cut or each.hides_work]  # of the others, see the traces
    yield from _few(partial, lambda each: _why_partial(each, spots), "scripts that were followed in part")
    broken = {finding.location.path for finding in of_engine(subject)}  # said below
    left = [each for each in known.not_followed if each.path not in broken]
    yield from _few(left, lambda each: f"{_name(each)}: not followed: {escaped(each.reason)}", "that were not followed")
    for trace in subject.traces:
        if trace.hidden is not None:
            spot = spots.of(trace.hidden.location)
            name = f"<code>{escaped(trace.hidden.name)}</code>"
            yield f"{_path(trace.path)}: the training loop is inside {name} ({link(spot, spots)})"
    yield from _few(of_engine(subject), lambda each: _told(each, spots), "files")
    yield from _few(subject.unread, lambda each: f"{_path(each)}: not looked at, since no rule reads it", "files")
    if subject.without_trace:
        more = counted(subject.without_trace, "more place")
        yield f"{more} may lack a picture, as there are so many: <code>ddl-lint trace</code> draws it"
    unknown = [(row, reason) for row in subject.launches for reason in row.unknown]
    yield from _few(unknown, lambda each: _unknown(*each, spots), "facts of launch lines")


_Each = TypeVar("_Each")


def _few(each: Sequence[_Each], said: Callable[[_Each], str], what: str) -> Iterator[str]:
    """What is said of each, and how many more there are where there are very many."""
    yield from map(said, each[:_MOST])
    if len(each) > _MOST:
        yield f"and {len(each) - _MOST} more {what}"


def _problem(path: str, message: str) -> str:
    return f"{_path(path)}: {escaped(message)}" if path else escaped(message)


def _why_partial(program: Coverage, spots: Spots) -> str:
    if program.cut or program.hidden is None:
        return f"{_name(program)}: the analysis stopped after {escaped(program.cut)}; code after it was not checked"
    spot = spots.of(program.hidden)
    text = f": <code>{escaped(spot.source)}</code>" if spot.source else ""
    return f"{_name(program)}: cannot tell what is called in {link(spot, spots)}{text}"


def _told(finding: Diagnostic, spots: Spots) -> str:
    return f"{link(spots.of(finding.location), spots)}: {sentence(finding.message, spots)}"


def _unknown(row: Row, reason: str, spots: Spots) -> str:
    return f"<code>{escaped(f'{row.file}:{row.line}')}</code>: {sentence(reason, spots)}"


def _name(program: Coverage) -> str:
    entry = f"::{program.entry}" if program.entry else ""
    return f"<code>{escaped(shown_path(program.path) + entry)}</code>"


def _path(path: str) -> str:
    return f"<code>{escaped(shown_path(path))}</code>"
