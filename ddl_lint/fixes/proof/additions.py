"""What a fix writes into programs that was not there before: calls, keyword arguments, attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.finding import Edit, Fix
from ddl_lint.fixes.apply import by_path, edited
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.tree import child_nodes, extent
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.source import Document, Location, Span


@dataclass(frozen=True)
class Addition:
    """A node of the program that a fix makes, which the program did not have."""

    node: code.Call | code.Attribute | code.Keyword
    around: tuple[object, ...]
    """The nodes around it in the new program, outermost first."""

    file: File
    """As it was."""

    imports: tuple[code.Import | code.ImportFrom, ...]
    """What the fix imports into it."""

    text: str
    """In which the nodes have their places."""

    place: Location
    """Where it comes in the file as it was."""

    @property
    def call(self) -> code.Call | None:
        """The call that a keyword argument is given to, or the call itself."""
        nodes = (self.node, *reversed(self.around))
        return next((node for node in nodes if isinstance(node, code.Call)), None)

    def source(self, node: code.Node) -> str:
        """The text of one of its nodes, blanks aside."""
        return _words(self.text, node)


def additions(run: RunView, fix: Fix) -> list[Addition]:
    """What a fix adds to the programs that it edits; what cannot be read adds nothing."""
    found: list[Addition] = []
    for path, edits in by_path(fix.edits).items():
        try:
            file = file_of(run, Location(path, 0, 0))
        except Unfixable:
            continue
        known = run.project_context.once(_known)
        key = path, tuple(edits)
        if key not in known:
            known[key] = _added(file, edits)
        found += known[key]
    return found


def _known(project_context: ProjectContext) -> dict[tuple[str, tuple[Edit, ...]], list[Addition]]:
    """What edits of a file add, so far: several runs come to one place."""
    del project_context
    return {}


def _added(file: File, edits: Sequence[Edit]) -> list[Addition]:
    before: Counter[tuple[str, ...]] = Counter()
    pieces: list[tuple[Location, str, code.Module, list[Span]]] = []
    for first, last, inner in _pieces(file, edits):
        start, end = _extent(file, first, last, inner)
        old = [Span(edit.location.start, edit.location.end) for edit in inner]
        before.update(name for _, name, _ in _named(file.module.body[first:last], old, file.text))
        moved = [Edit(_moved(edit.location, -start), edit.text) for edit in inner]
        text = edited(file.text[start:end], moved)
        read = lower(Document(file.document.path, text), file.module.name, is_package=file.module.is_package)
        place = Location(file.document.path, inner[0].location.start, inner[0].location.start)
        pieces.append((place, text, read.module, _written(moved)))
    imports = tuple(
        each for _, _, module, _ in pieces for each in module.body if isinstance(each, (code.Import, code.ImportFrom))
    )
    found: list[Addition] = []
    for place, text, module, new in pieces:
        for node, name, around in _named(module.body, new, text):
            if before[name]:
                before[name] -= 1
            else:
                found.append(Addition(node, around, file, imports, text, place))
    return found


def _written(edits: Sequence[Edit]) -> list[Span]:
    """Where the texts of edits are once they are made."""
    found: list[Span] = []
    grown = 0
    for edit in sorted(edits, key=lambda each: (each.location.start, each.location.end)):
        start = edit.location.start + grown
        found.append(Span(start, start + len(edit.text)))
        grown += len(edit.text) - (edit.location.end - edit.location.start)
    return found


def _pieces(file: File, edits: Sequence[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """The statements at the top level that edits touch, as ranges, each with its edits. What is put between two may
    belong to the first of them.
    """
    body = file.module.body
    found: list[tuple[int, int, list[Edit]]] = []
    for edit in sorted(edits, key=lambda each: each.location.start):
        start, end = edit.location.start, edit.location.end
        first = max(sum(statement.start <= start for statement in body) - 1, 0)
        last = max(sum(statement.start < end for statement in body), first + 1)
        if found and first < found[-1][1]:
            begin, stop, inner = found[-1]
            found[-1] = (begin, max(stop, last), [*inner, edit])
        else:
            found.append((first, last, [edit]))
    yield from found


def _extent(file: File, first: int, last: int, edits: Sequence[Edit]) -> tuple[int, int]:
    """The range of the text that holds statements, with their decorators, and edits, in whole lines."""
    nodes = [*file.module.body[first:last]]
    starts = [node.start for node in nodes]
    starts += [
        each.start for node in nodes if isinstance(node, (code.Function, code.Class)) for each in node.decorators
    ]
    start = min([*starts, *(edit.location.start for edit in edits)])
    end = max([*(node.end for node in nodes), *(edit.location.end for edit in edits)])
    return file.line_start(start), file.next_line(end)


def _moved(location: Location, by: int) -> Location:
    return Location(location.path, location.start + by, location.end + by)


_Named = tuple[code.Call | code.Attribute | code.Keyword, tuple[str, ...], tuple[object, ...]]


def _named(
    nodes: Iterable[object], spans: Sequence[Span], text: str, around: tuple[object, ...] = ()
) -> Iterator[_Named]:
    """The calls, keyword arguments and attributes that touch some ranges, each with a name that is the same for equal
    ones: what is elsewhere is there before and after.
    """
    for node in nodes:
        own = extent(node)
        if own is not None and not any(own.start <= span.end and span.start <= own.end for span in spans):
            continue
        if isinstance(node, code.Call):
            yield node, ("call", _words(text, node.func)), around
        elif isinstance(node, code.Attribute):
            yield node, ("attribute", _words(text, node.value), node.attr), around
        elif isinstance(node, code.Keyword) and node.name is not None:
            call = next((each for each in reversed(around) if isinstance(each, code.Call)), None)
            if call is not None:
                yield node, ("keyword", _words(text, call.func), node.name), around
        yield from _named(child_nodes(node), spans, text, (*around, node))


def _words(text: str, node: code.Node) -> str:
    return " ".join(text[node.start : node.end].split())
