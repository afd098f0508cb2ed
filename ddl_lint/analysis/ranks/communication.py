"""The communication of a run as a table: a column for each class of ranks, a row for each step that they make.

Conditions on the rank are decided in each column. Of what is not decided both arms are shown, with the condition.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.blind_spots import BlindSpot, blind_spots
from ddl_lint.analysis.ranks.divergence import Divergence
from ddl_lint.analysis.ranks.excerpts import head
from ddl_lint.analysis.ranks.findings import divergence_finding
from ddl_lint.analysis.ranks.found_divergences import all_divergences, found_divergences, timeline_of
from ddl_lint.analysis.ranks.grid import Grid
from ddl_lint.analysis.ranks.groups import with_groups
from ddl_lint.analysis.ranks.hidden import HiddenLoop, hidden_loop
from ddl_lint.analysis.ranks.nondeterminism import LocalDivergence, local_divergence_finding, local_divergences
from ddl_lint.analysis.ranks.processes import RankClass
from ddl_lint.analysis.ranks.reachability import Column, Passage, columns, is_meant, job_for, left_of
from ddl_lint.analysis.ranks.reports import Report, reports, reports_at
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import Timeline, TimelineStep
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.view import RunView
from ddl_lint.claim import ConsequenceName, worded
from ddl_lint.finding import Confidence, Evidence, Finding
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Event, ExitKind
from ddl_lint.program.values import Value
from ddl_lint.source.span import Location

BlockKind: TypeAlias = Literal["call", "loop", "if", "unless"]
Varies: TypeAlias = Literal["", "rank", "local"]


@dataclass(frozen=True, slots=True)
class Block:
    """Something around rows: a project function that was called, a loop, one arm of a condition that is not decided.

    `text` is the function's name, the head of the loop, or the condition. Blocks of equal `number` are one. `varies`
    says that the condition may differ between ranks: for their number, in a way that cannot be seen, or for what they
    see (time, data, chance).
    """

    kind: BlockKind
    text: str
    location: Location
    number: int
    varies: Varies = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one class of ranks does in a row: a call, or an early exit (`leaves`) of a function, loop or the program.

    `under` are the blocks around it beyond those of the row. `group` is the dimension of parallelism in whose groups
    the call is made; empty where all ranks make it together. `sure` is false where the call may need no other rank;
    `seen` is false where it is not known what the call does.
    """

    name: str
    location: Location
    under: tuple[Block, ...] = ()
    leaves: ExitKind | None = None
    sure: bool = True
    seen: bool = True
    group: str = ""
    operation: str = ""
    """What ranks must agree on to meet here, where the call has another name: `all_reduce`."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A place at which ranks do not meet, described as a finding describes it.

    `certain` says that a check reports it; else `doubt` may say why it does not. `reports` is what the libraries print
    when it happens. `place` is that of the finding. `said` is true of what a rule says and the table itself does not
    show. The message begins with the consequence.
    """

    message: str
    evidence: tuple[Evidence, ...]
    certain: bool = True
    reports: tuple[Report, ...] = ()
    place: Location | None = None
    said: bool = False
    consequence: ConsequenceName = "hang"
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One step: a cell for each class, None where the class has none. `blocks` are around all of its cells.

    Rows in which ranks do not meet for the same reason share their `gap`.
    """

    blocks: tuple[Block, ...]
    cells: tuple[Cell | None, ...]
    gap: Gap | None = None

    @property
    def meets(self) -> bool:
        """Whether all classes make the same call here."""
        names = {(cell.name, cell.group) if cell is not None and cell.leaves is None else None for cell in self.cells}
        return self.gap is None and len(names) == 1 and None not in names

    @property
    def is_certain(self) -> bool:
        """Whether it is known of all of its calls that they need the other ranks."""
        return all(cell.sure and cell.seen for cell in self.cells if cell is not None)

    @property
    def lead(self) -> Cell:
        """The first cell of the row."""
        return next(cell for cell in self.cells if cell is not None)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the analysis stopped before the end of the run: in which function (empty at the top level), and since
    what was used up, such as `40,000 statements`.
    """

    location: Location
    function: str
    limit: str


@dataclass(frozen=True, slots=True)
class Launch:
    """The launch of the job that is shown: its place as people write it, and how many processes and nodes it starts,
    where that is known.
    """

    place: str
    location: Location
    processes: int | None
    nodes: int | None


@dataclass(frozen=True, slots=True)
class Communication:
    """What the classes of ranks of a small job do of a run, side by side.

    `function` is the one to which the table is limited; empty for the whole run. `alone` says that the function was
    followed by itself, with unknown arguments. `stop` is where the run was left before its end, `hidden` the call in
    which it trains out of sight.
    """

    path: str
    function: str
    alone: bool
    stop: Stop | None
    nodes: int
    per_node: int
    columns: tuple[RankClass, ...]
    rows: tuple[Row, ...]
    grid: Grid | None = None
    """How the job is divided among dimensions of parallelism, where that is known."""

    hidden: HiddenLoop | None = None
    elsewhere: tuple[Gap, ...] = ()
    """What is found at places that have no row of their own."""

    blind: tuple[BlindSpot, ...] = ()
    """What cannot be seen of how the ranks meet."""

    launch: Launch | None = None
    """Of the job in which it is shown; None for any job."""

    @property
    def complete(self) -> bool:
        """Whether the run was followed to its end."""
        return self.stop is None

    @property
    def gaps(self) -> list[Gap]:
        """The places at which ranks do not meet, each fault once."""
        shown = {id(row.gap): row.gap for row in self.rows if row.gap is not None}
        return [*shown.values(), *self.elsewhere]


def communication(
    run: RunView, function: code.Function | None = None, said: Sequence[Finding] | None = None
) -> Communication:
    """The table of a run, or of what it does inside one function.

    Args:
        run: The run.
        function: The function; None for the whole run.
        said: What a check finds of how its ranks meet, the surest first: these are the gaps. None where no rule is
            asked: then they are all that can be found without.
    """
    said = list(_unjudged(run)) if said is None else said
    made, found = with_groups(timeline_of(run), all_divergences(run))
    shown = set(_shown(made, function, {each.step for each in found}))
    found = [each for each in found if each.step in shown]
    nodes, per_node = job_for(made)
    guards = [each.guard for each in found if each.guard is not None]
    classes = columns(made, shown, nodes, per_node, guards)
    builder = _Builder(run, made, function, found, said)
    rows = builder.rows(classes, shown)
    return Communication(
        run.run.path,
        function.qualname if function is not None else "",
        function is not None and not run.is_script,
        _stop(run),
        nodes,
        per_node,
        tuple(column.ranks for column in classes),
        tuple(rows),
        classes[0].ranks.first.grid,
        hidden_loop(run),
        tuple(builder.elsewhere),
        blind_spots(run, (step for step in made.steps if step in shown)),
        _launch(run),
    )


def _launch(run: RunView) -> Launch | None:
    if run.job is None:
        return None
    return Launch(run.place(run.job.place), run.job.place, run.job.world_size.value, run.job.nodes.value)


def _unjudged(run: RunView) -> Iterator[Finding]:
    for found in found_divergences(run):
        yield divergence_finding(run, found)
    for each in local_divergences(run):
        yield local_divergence_finding(run, each)


def _stop(run: RunView) -> Stop | None:
    cut = run.run.cut
    if cut is None:
        return None
    return Stop(cut.location, cut.function.qualname if cut.function is not None else "", cut.limit)


# --- what is shown ----------------------------------------------------------------------------------------------------


def _shown(made: Timeline, function: code.Function | None, told: Container[TimelineStep]) -> Iterator[TimelineStep]:
    """The calls, and the early exits that come before calls that they skip."""
    inside = [step for step in made.steps if function is None or _entry_of(step.context, function) is not None]
    calls = [step for step in inside if step.event is not None and step.event.kind not in ("unfollowed", "communicate")]
    known = {node.function.name for step in calls for node in step.context.chain() if node.function is not None}
    calls += [step for step in inside if step.event is not None and _may_be_call(step.event, known)]
    yield from calls
    last: dict[Context | None, int] = {None: max((step.order for step in calls), default=-1)}
    for step in calls:
        for node in step.context.chain():
            last[node] = max(step.order, last.get(node, -1))
    for step in inside:
        leaving = step.exit
        if leaving is not None and leaving.location == leaving.context.location and step not in told:
            continue  # the end of a `while` loop, as its head says
        if leaving is not None and (
            leaving.order <= last.get(leaving.leaves, -1) or (step.ends is not None and step.ends in last)
        ):
            yield step


def _may_be_call(event: Event, known: Container[str]) -> bool:
    """Whether what cannot be seen is worth a row: it has the name of a collective, or of a function that makes some.
    What makes an object is not.
    """
    if event.api.rpartition(".")[2][:1].isupper() or event.api == "__init__":
        return False
    return event.api in known if event.kind == "unfollowed" else event.kind == "communicate" and bool(event.api)


def _entry_of(context: Context, function: code.Function) -> Context | None:
    """The outermost call of a function around a point."""
    return next((node for node in reversed(list(context.chain())) if node.function is function), None)


# --- rows -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Line:
    """The steps that make up a row, by column."""

    steps: dict[int, TimelineStep]
    key: tuple[object, ...]
    gap: Gap | None = None

    @property
    def order(self) -> tuple[int, bool]:
        """Where the row belongs by itself; at the same place, an early exit comes first."""
        return min((step.order, step.event is not None) for step in self.steps.values())


@dataclass(slots=True, eq=False)
class _Builder:
    project: RunView
    made: Timeline
    function: code.Function | None
    found: Sequence[Divergence]
    said: Sequence[Finding]
    elsewhere: list[Gap] = field(default_factory=list[Gap])
    """What is found at places without a row of their own, when the rows are made."""
    _separations: list[_Separation] = field(init=False)
    _blocks: dict[Context, Block] = field(default_factory=dict[Context, Block])

    def __post_init__(self) -> None:
        self._separations = list(_separations(self.made, self.found))

    def rows(self, columns: Sequence[Column], shown: set[TimelineStep]) -> Iterator[Row]:
        """All rows in order."""
        instead = {each.step: each.instead for each in self.found if each.kind == "order" and each.instead is not None}
        lines = list(self._lines(columns, shown, instead))
        self._mark(lines, columns)
        for line in lines:
            chains = {index: self._chain(step, columns[index].passages[step]) for index, step in line.steps.items()}
            common = _common(list(chains.values()))
            cells = (
                self._cell(line.steps[index], chains[index][len(common) :]) if index in line.steps else None
                for index in range(len(columns))
            )
            yield Row(tuple(common), tuple(cells), line.gap)

    def _lines(
        self, columns: Sequence[Column], shown: set[TimelineStep], instead: Mapping[TimelineStep, TimelineStep]
    ) -> Iterator[_Line]:
        """Steps that all classes make are rows, and so are those of a group; between those, equal calls of the classes
        are side by side.
        """
        stretch: list[list[TimelineStep]] = [[] for _ in columns]
        for step in self.made.steps:
            if step not in shown:
                continue
            there = [index for index, column in enumerate(columns) if self._arrives(step, column)]
            if len(there) == len(columns) or (there and step.group):
                yield from _aligned(stretch, columns, instead)
                stretch = [[] for _ in columns]
                yield _Line(dict.fromkeys(there, step), ())
            else:
                for index in there:
                    stretch[index].append(step)
        yield from _aligned(stretch, columns, instead)

    def _arrives(self, step: TimelineStep, column: Column) -> bool:
        """Whether a class gets to a step, as far as that is to be shown."""
        passage = column.passages[step]
        kept_away = any(separation.keeps(column, step) for separation in self._separations)
        return passage.arrives and is_meant(step, passage) and not kept_away

    def _mark(self, lines: Sequence[_Line], columns: Sequence[Column]) -> None:
        """Mark the rows in which ranks do not meet: those of the findings, and others for the same reason."""
        by_step = {step: line for line in lines for step in line.steps.values()}
        by_event = {id(step.event): line for step, line in by_step.items() if step.event is not None}
        by_place: dict[tuple[str, int], _Line] = {}
        for step, line in by_step.items():
            by_place.setdefault(self._line_of(step.location), line)
        causes: dict[Location, Gap] = {}
        for finding in self.said:
            locations = [finding.location, *(each.location for each in finding.evidence)]
            places = [self._line_of(each) for each in locations]
            divergence, local = self._divergence_of(places), self._local_of(places)
            if divergence is not None:
                gap, line = _gap(finding, reports(self.project, divergence)), by_step.get(divergence.step)
                cause = divergence.early_exit or divergence.guard
                if cause is not None and divergence.kind != "order":
                    causes.setdefault(cause.location, gap)
            elif local is not None:
                gap, line = _gap(finding, reports_at(self.project, local.waits)), by_event.get(id(local.waits.event))
            else:
                gap = replace(_gap(finding), said=True)
                line = next((by_place[place] for place in places if place in by_place), None)
            if line is not None and line.gap is None:
                line.gap = gap
            elif line is not None or self._is_shown(finding.location):
                self.elsewhere.append(gap)
        before: Gap | None = None
        for line in lines:
            if line.gap is None and len({step.name for step in line.steps.values()}) > 1:
                line.gap = before
            elif line.gap is None and any(step.event is not None and not step.group for step in line.steps.values()):
                (step, *_) = line.steps.values()
                missing = [column for index, column in enumerate(columns) if index not in line.steps]
                line.gap = next((causes[place] for place in self._barriers(step, missing) if place in causes), None)
            before = line.gap or before

    def _divergence_of(self, places: Sequence[tuple[str, int]]) -> Divergence | None:
        """The divergence that a finding with these places is about: the call is one of them, and the finding is at
        what leads there. Of several, the one of which it shows the most.
        """
        first, *_ = places
        best, most = None, 0
        for each in self.found:
            around = [step.location for step in (each.early_exit, each.guard, each.instead) if step is not None]
            shown = sum(self._line_of(place) in places for place in around)
            stands = {self._line_of(place) for place in (each.place, *around)}
            if self._line_of(each.step.location) in places and first in stands and shown >= most:
                best, most = each, shown + 1
        return best

    def _local_of(self, places: Sequence[tuple[str, int]]) -> LocalDivergence | None:
        """The same for what each process decides for itself."""
        first, *_ = places
        for each in local_divergences(self.project):
            if self._line_of(each.place) == first and self._line_of(each.waits.location) in places:
                return each
        return None

    def _is_shown(self, location: Location) -> bool:
        """Whether a place is within what the table is limited to."""
        function = self.function
        if function is None:
            return True
        line = self._line_of(location)
        contexts = (event.context for event in self.project.all_events if self._line_of(event.location) == line)
        return any(_entry_of(context, function) is not None for context in contexts)

    def _line_of(self, location: Location) -> tuple[str, int]:
        document = self.project.documents.get(location.path)
        return location.path, 0 if document is None else document.position(location.start)[0]

    def _barriers(self, step: TimelineStep, missing: Sequence[Column]) -> Iterator[Location]:
        """What keeps classes from a step."""
        for column in missing:
            barred = column.passages[step].because
            if barred is not None:
                yield barred.location
            for separation in self._separations:
                if separation.keeps(column, step):
                    yield separation.guard.location

    def _chain(self, step: TimelineStep, passage: Passage) -> list[Block]:
        """The blocks around a step, outermost first; from the function on to which the table is limited."""
        chain = reversed(list(step.context.chain()))
        entry = _entry_of(step.context, self.function) if self.function is not None else None
        blocks: list[Block] = []
        begun = entry is None
        for node in chain:
            begun = begun or node is entry
            undecided = node in passage.under and not _is_choice_of_function(node, step)
            if begun and (node.function is not None or node.kind == "loop" or undecided):
                blocks.append(self._block(node))
        return blocks

    def _block(self, node: Context) -> Block:
        known = self._blocks.get(node)
        if known is None:
            known = self._make_block(node, len(self._blocks))
            self._blocks[node] = known
        return known

    def _make_block(self, node: Context, number: int) -> Block:
        documents = self.project.documents
        if node.function is not None:
            return Block("call", node.function.qualname, self._called_at(node, node.function), number)
        condition = self.made.conditions.get(node)
        if node.kind == "loop":
            return Block("loop", head(node.location, documents), node.location, number, _variation(condition))
        text = head(node.location, documents)
        return Block("if" if node.arm else "unless", text, node.location, number, _variation(condition))

    def _called_at(self, node: Context, function: code.Function) -> Location:
        """Where a function is called; of one that no code calls, its name."""
        if node.location.end:
            return node.location
        return Location(node.location.path, function.name_start, function.name_start + len(function.name))

    def _cell(self, step: TimelineStep, under: Iterable[Block]) -> Cell:
        if step.exit is not None:
            return Cell(step.exit.kind, step.location, tuple(under), step.exit.kind)
        sure = step.certainty == "surely"
        operation = step.operation if step.event is not None else ""
        return Cell(step.name, step.location, tuple(under), None, sure, not step.opaque, step.group, operation)


def _gap(finding: Finding, printed: tuple[Report, ...] = ()) -> Gap:
    """A gap as a finding describes it; ranks that do not meet hang, if it says nothing else."""
    consequence = finding.consequence or "hang"
    words, certain = worded(finding.message, consequence), finding.confidence is not Confidence.MEDIUM
    return Gap(
        words, finding.evidence, certain, printed, finding.location, consequence=consequence, doubt=finding.doubt
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Separation:
    """A condition that is not decided, but was found to keep a class away: what is left of it for that class."""

    guard: Context
    lacking: object

    def keeps(self, column: Column, step: TimelineStep) -> bool:
        """Whether it keeps a class from a step."""
        return self.guard in column.passages[step].under and left_of(self.guard, column.simulation) == self.lacking


def _separations(made: Timeline, found: Iterable[Divergence]) -> Iterator[_Separation]:
    for each in found:
        if each.guard is not None and each.kind in ("guard", "value"):
            reaching, lacking = (
                left_of(each.guard, Simulation(made, ranks.first)) for ranks in (each.reaching, each.lacking)
            )
            if reaching != lacking:
                yield _Separation(each.guard, lacking)


def _is_choice_of_function(node: Context, step: TimelineStep) -> bool:
    """Whether a branch represents one of several functions that a call may mean: there is no condition to show."""
    inner = {above.location for above in step.context.chain() if above.function is not None}
    return node.location == step.location or node.location in inner


def _variation(condition: Value | None) -> Varies:
    if condition is None:
        return ""
    tags = tags_of(condition)
    return "rank" if tags & RANK_TAGS else "local" if tags & LOCAL_TAGS else ""


def _common(chains: Sequence[Sequence[Block]]) -> Sequence[Block]:
    """The blocks that several chains begin with."""
    first, *others = chains
    length = len(first)
    for other in others:
        length = min(length, len(other))
        while first[:length] != other[:length]:
            length -= 1
    return first[:length]


def _aligned(
    stretch: Sequence[Sequence[TimelineStep]], columns: Sequence[Column], instead: Mapping[TimelineStep, TimelineStep]
) -> list[_Line]:
    """Rows for what the classes do between two steps that all of them make."""
    lines: list[_Line] = []
    for index, steps in enumerate(stretch):
        if steps:
            made = [_Line({index: step}, _key(step, columns[index].passages[step])) for step in steps]
            lines = _merged(lines, made, instead)
    return lines


def _key(step: TimelineStep, passage: Passage) -> tuple[object, ...]:
    """What two steps must have in common to be made together, or to be set against each other: name, conditions."""
    if step.event is None or step.opaque:
        return (step, frozenset[object]())
    return (step.name, passage.needs)


def _merged(above: list[_Line], below: list[_Line], instead: Mapping[TimelineStep, TimelineStep]) -> list[_Line]:
    """Rows of some columns and of one more, the calls that are made at the same time side by side."""
    for one, line in enumerate(above):
        for other, against in enumerate(below):
            if _stand_for(line, against, instead) or _stand_for(against, line, instead):
                pair = _Line({**line.steps, **against.steps}, line.key)
                rest = _merged(above[one + 1 :], below[other + 1 :], instead)
                return [*_merged(above[:one], below[:other], instead), pair, *rest]
    matcher = SequenceMatcher(None, [line.key for line in above], [line.key for line in below], autojunk=False)
    out: list[_Line] = []
    for tag, begin, end, start, stop in matcher.get_opcodes():
        if tag == "equal":
            for one, other in zip(above[begin:end], below[start:stop], strict=True):
                out.append(_Line({**one.steps, **other.steps}, one.key))
            continue
        left, right = above[begin:end], below[start:stop]
        if tag == "replace" and _stand_against(left[0], right[0]):
            out.append(_Line({**left[0].steps, **right[0].steps}, left[0].key))
            left, right = left[1:], right[1:]
        out.extend(sorted((*left, *right), key=lambda line: line.order))
    return out


def _stand_for(one: _Line, other: _Line, instead: Mapping[TimelineStep, TimelineStep]) -> bool:
    """Whether a class was found to make the call of one row in place of that of another."""
    return any(instead.get(step) is against for step in one.steps.values() for against in other.steps.values())


def _stand_against(one: _Line, other: _Line) -> bool:
    """Whether two different calls are made by different ranks at the same time."""
    return isinstance(one.key[0], str) and isinstance(other.key[0], str) and one.key[1] == other.key[1]
