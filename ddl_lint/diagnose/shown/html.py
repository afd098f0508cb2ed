"""An answer as a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ddl_lint.diagnose.answer import Answer
from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.shown import Look, parts
from ddl_lint.diagnose.shown.redaction import cleaner
from ddl_lint.output.html.code import code, plain
from ddl_lint.output.html.escaped import escaped, escaped_lines, with_code
from ddl_lint.output.html.frame import page
from ddl_lint.output.places import place_of
from ddl_lint.output.trace import Focus, Presentation
from ddl_lint.output.trace import render as render_trace

_TONES = {"sure": "hang", "likely": "hang", "where": "hang", "possible": "doubt", "cannot tell": "doubt"}
_SIGNS = {"hang": "✕", "doubt": "?"}
_STYLE = """\
table { border-collapse: collapse }
th { text-align: left; white-space: nowrap; padding: .15rem 1rem .15rem 0; vertical-align: top; font-weight: 600 }
td { padding: .15rem 0; overflow-wrap: anywhere }
td .place { color: var(--dim); padding-left: .6rem }
svg { max-width: 100%; height: auto }
pre.diff { overflow-x: auto; border: 1px solid var(--line); border-radius: 5px; padding: .5rem }
li { overflow-wrap: anywhere }
"""


def render(answer: Answer, look: Look) -> str:
    """The page."""
    writer = _Writer(answer, look, cleaner(look.redact))
    return page("What became of the job", writer.body(), style=_STYLE)


class _Writer:
    def __init__(self, answer: Answer, look: Look, clean: Callable[[str], str]) -> None:
        self.answer = answer
        self.look = look
        self.clean = clean

    def body(self) -> Iterator[str]:
        answer = self.answer
        tone = _TONES[answer.certainty]
        yield "<main>\n<header>\n<h1>What became of the job</h1>"
        yield f'<p class="verdict {tone}"><span aria-hidden="true">{_SIGNS[tone]}</span>'
        yield f"{self._text(answer.sentence)}</p>"
        yield "</header>"
        yield from self._ranks()
        if answer.first is not None:
            yield from self._first(answer.first)
        if answer.first is None or answer.certainty in ("cannot tell", "possible"):
            yield from self._list("Look at", answer.look)
        yield from self._certainty()
        yield from self._list("In the next run, collect", answer.collect if answer.certainty != "sure" else ())
        told = [f"{parts.place(each)}: {parts.message(each)}" for each in answer.candidates[1:]]
        told += [f"also in the log: {text}" for text in answer.others]
        yield from self._list("Other candidates", told)
        yield from self._list("Not read", answer.problems)
        yield "</main>"

    def _ranks(self) -> Iterator[str]:
        if not self.answer.ranks:
            return
        yield "<h2>The ranks</h2>\n<table>"
        for each in self.answer.ranks:
            source = f'<span class="place">{self._plain(each.source)}</span>' if each.source else ""
            yield f'<tr><th scope="row">{self._plain(parts.who(each.ranks))}</th>'
            yield f"<td>{self._text(each.text)}{source}</td></tr>"
        yield "</table>"

    def _first(self, first: Candidate) -> Iterator[str]:
        answer = self.answer
        yield f"<h2>{self._plain(parts.headline(answer, first))}: {self._plain(parts.place(first))}</h2>"
        lines = parts.source_lines(answer, first)
        yield code(
            (
                number,
                f"<mark>{plain(self.clean(text))}</mark>" if number == first.spot.line else plain(self.clean(text)),
                "",
            )
            for number, text in lines
        )
        yield f"<p>{self._text(parts.message(first))}</p>"
        finding = first.finding
        if finding is not None and finding.evidence:
            yield "<ul>"
            for each in finding.evidence:
                where = place_of(each.location, answer.documents)
                yield f"<li>{self._plain(f'{where.name}:{where.position}')}: {self._text(each.message)}</li>"
            yield "</ul>"
        yield from self._picture(first)
        yield from self._fix(first)

    def _picture(self, first: Candidate) -> Iterator[str]:
        if first.communication is None or not first.communication.rows:
            return
        focus = Focus(first.spot.path, first.spot.line)
        looked_at = Presentation(focus=focus, folder=self.answer.root)
        drawn = render_trace(first.communication, self.answer.documents, "svg", looked_at)
        yield f"<h2>What the ranks do</h2>\n<figure>{drawn[drawn.index('<svg') :]}</figure>"

    def _fix(self, first: Candidate) -> Iterator[str]:
        finding = first.finding
        if finding is None or not (finding.help or finding.fix):
            return
        yield "<h2>The fix</h2>"
        if finding.help:
            yield f"<p>{self._text(finding.help)}</p>"
        if title := parts.fix_title(first):
            yield f"<p>{self._text(title)}</p>"
            if difference := parts.fix_diff(self.answer, first):
                yield f'<pre class="diff">{escaped_lines(self.clean(difference))}</pre>'

    def _certainty(self) -> Iterator[str]:
        answer = self.answer
        said = [
            f"{parts.log_place(quote.place)}{'' if quote.rank is None else f' (rank {quote.rank})'}: {quote.text}"
            for quote in parts.quotes(answer)
        ]
        yield from self._list(f"How sure: {parts.CERTAINTIES[answer.certainty]}", [*answer.because, *said])

    def _list(self, title: str, items: Sequence[str]) -> Iterator[str]:
        if items:
            yield f"<h2>{self._plain(title)}</h2>\n<ul>"
            yield from (f"<li>{self._text(each)}</li>" for each in items)
            yield "</ul>"

    def _text(self, text: str) -> str:
        return with_code(self.clean(text))

    def _plain(self, text: str) -> str:
        return escaped(self.clean(text))
