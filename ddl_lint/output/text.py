"""Findings for people: a head line, the code with the place underlined, the evidence, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import is_printable, same_width
from ddl_lint.finding import Applicability, Confidence, Severity
from ddl_lint.output.cells import character_width
from ddl_lint.output.counted import counted
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.shown import Shown

_MAX_WIDTH = 140  # cells of a terminal that a line of code may take
_TAB = 4
_CONTEXT = 1  # lines of code above the one that is meant

_RESET = "\x1b[0m"
BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.INFO: "\x1b[1;36m"}


def render(shown: Shown) -> str:
    """Each finding with its code and its story, and an empty line after it."""
    writer = Writer(shown)
    return finished(("\n".join([*writer.block(finding), ""]) for finding in shown.findings), shown)


def finished(blocks: Iterable[str], shown: Shown) -> str:
    """Findings for people, or how many there are of each kind if that is asked for; and a summary."""
    if shown.counts:
        from ddl_lint.output import statistics  # here, since most checks do not count

        blocks = statistics.lines(shown.findings)
    end = [summary(shown.findings, shown.files, shown.hints)] if shown.summary else []
    return "".join(f"{block}\n" for block in (*blocks, *end))


def summary(findings: Sequence[Diagnostic], files: int | None, hints: int = 0) -> str:
    """Such as `Found 3 errors and 1 warning in 12 files.`; `files` is the number of files checked, if known, `hints`
    that of infos that are not shown.
    """
    counts = Counter(finding.severity for finding in findings)
    nouns = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    parts = [counted(counts[severity], noun) for severity, noun in nouns.items() if counts[severity]]
    where = "" if files is None else f" in {counted(files, 'file')}"
    more = [f"{counted(hints, 'hint')}: --pedantic"] if hints else []
    if not parts:
        return "\n".join([f"No problems found{where}.", *more])
    listed = " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
    lines = [f"Found {listed}{where}. Run `ddl-lint explain RULE` to read about a rule."]
    return "\n".join([*lines, *_fixable(findings), *more])


def _fixable(findings: Sequence[Diagnostic]) -> Iterator[str]:
    """How many findings have a fix, and the options that apply them."""
    levels = Counter(finding.fix.applicability for finding in findings if finding.fix and finding.fix.edits)
    safe, unsafe = levels[Applicability.SAFE], levels[Applicability.UNSAFE]
    if safe and unsafe:
        yield f"{counted(safe, 'safe fix', 'safe fixes')} with `--fix`, {unsafe} more with `--fix --unsafe-fixes`."
    elif safe:
        yield f"{counted(safe, 'safe fix', 'safe fixes')} with `--fix`."
    elif unsafe:
        yield f"{counted(unsafe, 'unsafe fix', 'unsafe fixes')} with `--fix --unsafe-fixes`."


class Writer:
    """Writes the parts of findings as a report wants them."""

    def __init__(self, shown: Shown) -> None:
        self.documents = shown.documents
        self.colour = shown.colour
        self.links = shown.links

    def head(self, finding: Diagnostic) -> str:
        """A finding in one line."""
        place = place_of(finding.location, self.documents)
        return f"{self.linked(self.paint(place.head, BOLD), place)}: {self.told(finding)}"

    def told(self, finding: Diagnostic) -> str:
        """A finding without its place."""
        severity = finding.severity
        label = self.paint(f"{severity.value} {finding.code}", COLOURS[severity])
        if self.links is not None:
            label = self.links.rule(label, finding.code)
        return f"{label} {finding.name}: {finding.message}"

    def block(self, finding: Diagnostic) -> Iterator[str]:
        """A finding with its code and its story, line by line."""
        place = place_of(finding.location, self.documents)
        stories = [(place_of(evidence.location, self.documents), evidence.message) for evidence in finding.evidence]
        shown = [place, *(where for where, _ in stories)]
        gutter = max(len(str(where.line)) for where in shown)
        colour = COLOURS[finding.severity]
        yield self.head(finding)
        yield from self.frame(place, gutter, "^", colour, context=_CONTEXT)
        for where, message in stories:
            yield f"{' ' * gutter}{self.paint('-->', _BLUE)} {self.linked(where.head, where)}: {message}"
            yield from self.frame(where, gutter, "-", _BLUE)
        for label, text in _advice(finding):
            first, *rest = text.strip().splitlines() or [""]
            yield f"{' ' * gutter} {self.paint('=', _BLUE)} {self.paint(f'{label}:', BOLD)} {first}"
            yield from (f"{' ' * gutter}   {' ' * len(label)}  {line}" for line in rest)

    def frame(self, place: Place, gutter: int, mark: str, colour: str, context: int = 0) -> Iterator[str]:
        """The code at a place, with a mark under it."""
        if place.line_text is None:
            return
        edge = self.paint("|", _BLUE)
        yield f"{' ' * gutter} {edge}"
        first = max(1, place.line - context)
        for number in range(first, place.line + 1):
            code = place.line_text(number)
            meant = number == place.line
            stop = place.end_column if place.end_line == place.line else len(code) + 1
            view = _view(code, place.column, stop) if meant else _view(code, 1, 1)
            yield f"{self.paint(str(number).rjust(gutter), _BLUE)} {edge} {view.code}".rstrip()
            if meant:
                more = " ..." if place.end_line > place.line else ""
                marks = self.paint(mark * view.width + more, colour)
                yield f"{' ' * gutter} {edge} {' ' * view.indent}{marks}"

    def linked(self, text: str, place: Place) -> str:
        """A text that leads to a place, if this report has links."""
        return self.links.place(text, place) if self.links is not None else text

    def paint(self, text: str, colour: str) -> str:
        """A text in a colour, if this report has colours."""
        return f"{colour}{text}{_RESET}" if self.colour else text


def _advice(finding: Diagnostic) -> Iterator[tuple[str, str]]:
    if finding.help:
        yield "help", finding.help
    fix = finding.fix
    if fix:
        yield f"{fix.applicability.value} fix", fix.title
        if fix.applicability is not Applicability.SAFE and fix.reason:
            yield "note", f"the fix is {fix.applicability.value}: {fix.reason[0].lower()}{fix.reason[1:].rstrip('.')}"
    elif finding.unfixable:
        yield "note", f"no fix here: {finding.unfixable}"
    if finding.confidence is Confidence.MEDIUM:
        yield "note", f"medium confidence: {finding.doubt or 'check it before you change anything'}"
    elif finding.doubt:
        yield "note", f"a hint: {finding.doubt}"


class _View(NamedTuple):
    """A line of code as a terminal shows it, and where its underlined part begins and how wide it is, in cells."""

    code: str
    indent: int
    width: int


def _view(code: str, column: int, stop: int) -> _View:
    """Expand tabs, cut long lines around the place, and measure wide characters.

    `column` and `stop` are the place's first column and the one after its last, counted from 1 in code points.
    """
    cells: list[str] = []  # what each code point is shown as
    widths: list[int] = []
    position = 0
    for character in same_width(code):
        if character == "\t":
            width = _TAB - position % _TAB
            cells.append(" " * width)
        elif not is_printable(character):
            width = 1
            cells.append("\N{REPLACEMENT CHARACTER}")  # control characters would act on the terminal
        else:
            width = character_width(character)
            cells.append(character)
        widths.append(width)
        position += width
    begin, end = column - 1, max(stop - 1, column)
    low = 0
    if position > _MAX_WIDTH:
        # Keep the start of the line when the place is visible there; otherwise a little of what comes before it.
        if sum(widths[:end]) > _MAX_WIDTH - 1:
            low = begin
            while low and sum(widths[low - 1 : begin]) <= _MAX_WIDTH // 4:
                low -= 1
        high, used = low, 0
        while high < len(code) and used + widths[high] <= _MAX_WIDTH - 2:
            used += widths[high]
            high += 1
    else:
        high = len(code)
    before, after = "…" if low else "", "…" if high < len(code) else ""
    indent = len(before) + sum(widths[low:begin])
    return _View(before + "".join(cells[low:high]) + after, indent, max(1, sum(widths[begin : min(end, high)])))
