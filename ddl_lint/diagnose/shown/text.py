"""An answer for terminals: what one reads first, first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ddl_lint.diagnose.answer import Answer
from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.shown import parts
from ddl_lint.diagnose.shown.look import Look
from ddl_lint.diagnose.shown.redaction import cleaner
from ddl_lint.escape import one_line, several_lines, without_commands
from ddl_lint.fixes.diff import painted
from ddl_lint.output import trace
from ddl_lint.output.cells import clipped, wrapped
from ddl_lint.output.places import place_of
from ddl_lint.output.trace import Focus, Presentation

_RESET, _BOLD, _RED, _DIM, _YELLOW = "\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[2m", "\x1b[33m"
_MOST_TRACE = 45
_MOST_QUOTES = 3
_MOST_OTHERS = 5
_TONES = {"sure": _RED, "likely": _RED, "where": _RED, "possible": _YELLOW, "cannot tell": _YELLOW}


def render(answer: Answer, look: Look) -> str:
    """The answer in the order in which it is of use."""
    lines = _Writer(answer, look, cleaner(look.redact)).lines()
    return "".join(f"{without_commands(line.rstrip())}\n" for line in lines)


class _Writer:
    def __init__(self, answer: Answer, look: Look, clean: Callable[[str], str]) -> None:
        self.answer = answer
        self.look = look
        self.clean = clean

    def lines(self) -> Iterator[str]:
        answer = self.answer
        for line in wrapped(self._plain(answer.sentence), self.look.width):
            yield self._paint(line, _TONES[answer.certainty])
        if answer.first is not None and answer.certainty != "cannot tell":
            yield from self._wrapped(parts.lead(answer, answer.first), "  ")
        yield ""
        yield from self._ranks()
        if answer.first is not None:
            yield from self._first(answer.first)
        if answer.first is None or answer.certainty in ("cannot tell", "possible"):
            yield from self._list("Look at", answer.look)
        yield from self._certainty()
        yield from self._list("In the next run, collect", answer.collect if answer.certainty != "sure" else ())
        yield from self._others()
        for problem in answer.problems[:_MOST_OTHERS]:
            yield from self._wrapped(f"Not read: {problem}", "")

    def _ranks(self) -> Iterator[str]:
        if not self.answer.ranks:
            return
        names = [parts.who(each.ranks) for each in self.answer.ranks]
        width = min(max(map(len, names)), 32)
        for name, each in zip(names, self.answer.ranks, strict=True):
            source = f"  ({each.source})" if each.source else ""
            first, *rest = wrapped(self._plain(each.text + source), max(30, self.look.width - width - 4)) or [""]
            label = self._paint(clipped(name, width).ljust(width), _BOLD)
            yield f"  {label}  {first}"
            yield from (f"  {' ' * width}  {line}" for line in rest)
        yield ""

    def _first(self, first: Candidate) -> Iterator[str]:
        answer = self.answer
        yield self._title(f"{parts.headline(answer, first)}: {parts.place(first)}")
        gutter = len(str(first.spot.line + 2))
        for number, text in parts.source_lines(answer, first):
            sign = ">" if number == first.spot.line else " "
            line = clipped(self._plain(text.expandtabs(4), keep_blanks=True), self.look.width - gutter - 5)
            shown = f"  {sign} {str(number).rjust(gutter)}  {line}"
            yield self._paint(shown, _BOLD if number == first.spot.line else _DIM)
        finding = first.finding
        if answer.certainty == "cannot tell":
            yield from self._wrapped(parts.message(first), "  ")
        if finding is not None:
            for each in finding.evidence:
                where = place_of(each.location, answer.documents)
                yield from self._wrapped(f"{where.name}:{where.position}: {each.message}", "    ")
        yield ""
        yield from self._picture(first)
        yield from self._fix(first)

    def _picture(self, first: Candidate) -> Iterator[str]:
        """The trace of the ranks, opened at the line; where it is long, how to see it."""
        communication = first.communication
        if communication is None or not communication.rows:
            return
        document = self.answer.documents.get(first.spot.path)
        name = parts.place(first)
        if document is None:
            return
        focus = Focus(first.spot.path, first.spot.line)
        shown = trace.render(
            communication,
            self.answer.documents,
            "text",
            Presentation(width=self.look.width, colour=self.look.colour, focus=focus),
        ).splitlines()
        if len(shown) <= _MOST_TRACE and not self.look.redact:
            yield self._title("What the ranks do")
            yield from (f"  {line}" for line in shown[1:])
            yield ""
        else:
            yield from self._wrapped(f"`ddl-lint trace {name}` shows what the ranks do there.", "")
            yield ""

    def _fix(self, first: Candidate) -> Iterator[str]:
        finding = first.finding
        if finding is None or not (finding.help or finding.fix):
            return
        yield self._title("The fix")
        for line in several_lines(finding.help).splitlines():
            yield from self._wrapped(line, "  ")
        if title := parts.fix_title(first):
            yield from self._wrapped(title, "  ")
            difference = parts.fix_diff(self.answer, first)
            if difference and difference.count("\n") <= _MOST_TRACE:
                yield from (f"  {line}" for line in painted(difference, colour=self.look.colour).splitlines())
        elif finding.unfixable:
            yield from self._wrapped(f"No edit is offered here: {finding.unfixable}.", "  ")
        yield ""

    def _certainty(self) -> Iterator[str]:
        answer = self.answer
        yield self._title(f"How sure: {parts.CERTAINTIES[answer.certainty]}")
        for each in answer.because:
            yield from self._item(each)
        for quote in list(parts.quotes(answer))[:_MOST_QUOTES]:
            by = "" if quote.rank is None else f" (rank {quote.rank})"
            yield from self._item(f"{parts.log_place(quote.place)}{by}: {quote.text[:300]}")
        yield ""

    def _list(self, title: str, items: Sequence[str]) -> Iterator[str]:
        if items:
            yield self._title(title)
            for each in items:
                yield from self._item(each)
            yield ""

    def _others(self) -> Iterator[str]:
        answer = self.answer
        rest = answer.candidates[1:_MOST_OTHERS]
        told = [f"{parts.place(each)}: {parts.message(each)}" for each in rest]
        told += [f"also in the log: {text}" for text in answer.others]
        yield from self._list("Other candidates", told)
        known = {each.finding.name for each in answer.candidates if each.finding is not None}
        rules = [name for name in answer.rules if name not in known]
        if rules:
            yield from self._wrapped(
                f"Rules whose pages quote this message: {', '.join(rules)} (`ddl-lint explain`).", ""
            )
            yield ""

    def _item(self, text: str) -> Iterator[str]:
        first, *rest = wrapped(self._plain(text), self.look.width - 4) or [""]
        yield f"  - {first}"
        yield from (f"    {line}" for line in rest)

    def _wrapped(self, text: str, indent: str) -> Iterator[str]:
        yield from (f"{indent}{line}" for line in wrapped(self._plain(text), self.look.width - len(indent)))

    def _title(self, text: str) -> str:
        return self._paint(self._plain(text), _BOLD)

    def _plain(self, text: str, *, keep_blanks: bool = False) -> str:
        shown = one_line(self.clean(text))
        return shown if keep_blanks else shown.strip()

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self.look.colour and text.strip() else text
