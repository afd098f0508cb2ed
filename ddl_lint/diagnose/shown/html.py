"""An answer as a page that needs nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from ddl_lint.diagnose.answer import Answer
from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.shown import parts
from ddl_lint.diagnose.shown.look import Look
from ddl_lint.diagnose.shown.redaction import cleaner
from ddl_lint.output.html.code import code, plain
from ddl_lint.output.html.escaped import escaped, escaped_lines, with_code
from ddl_lint.output.html.frame import page
from ddl_lint.output.places import place_of
from ddl_lint.output.trace import Focus, Presentation
from ddl_lint.output.trace import render as render_trace

TITLE = "What became of the job"
_TONES = {"sure": "hang", "likely": "hang", "where": "hang", "possible": "doubt", "cannot tell": "doubt"}
_SIGNS = {"hang": "✕", "doubt": "?"}
_STYLE = """\
table { border-collapse: collapse }
th { text-align: left; white-space: nowrap; padding: .15rem 1rem .15rem 0; vertical-align: top; font-weight: 600 }
td { padding: .15rem 0; overflow-wrap: anywhere }
td .place { color: var(--dim); padding-left: .6rem }
mark { background: var(--caution); color: inherit }
svg { max-width: 100%; height: auto }
pre.diff { overflow-x: auto; border: 1px solid var(--line); border-radius: 5px; padding: .5rem }
li { overflow-wrap: anywhere }
.opens { color: var(--link); cursor: pointer }
.opens:hover { text-decoration: underline }
"""


def render(answer: Answer, look: Look) -> str:
    """The page."""
    writer = _Writer(answer, cleaner(look.redact), opens_places=not look.redact)
    return page(TITLE, writer.page(), style=_STYLE, in_editor=True)


def section(answer: Answer, look: Look) -> str:
    """The same as a part of another page, whose headings are of the second level and which shows the ranks itself."""
    writer = _Writer(answer, cleaner(look.redact), "h3", has_picture=False)
    return "\n".join((*writer.verdict(), *writer.details()))


class _Writer:
    def __init__(
        self,
        answer: Answer,
        clean: Callable[[str], str],
        heading: str = "h2",
        *,
        has_picture: bool = True,
        opens_places: bool = False,
    ) -> None:
        self.answer = answer
        self.clean = clean
        self.heading = heading
        self.has_picture = has_picture
        self.opens_places = opens_places
        """Whether an editor may open the places: the page then names their whole paths."""

    def page(self) -> Iterator[str]:
        yield f"<main>\n<header>\n<h1>{TITLE}</h1>"
        yield from self.verdict()
        yield "</header>"
        yield from self.details()
        yield "</main>"

    def verdict(self) -> Iterator[str]:
        """What happened, in a sentence."""
        tone = _TONES[self.answer.certainty]
        yield f'<p class="verdict {tone}"><span aria-hidden="true">{_SIGNS[tone]}</span>'
        yield f"{self._text(self.answer.sentence)}</p>"

    def details(self) -> Iterator[str]:
        """What speaks for that, and what to do."""
        answer = self.answer
        yield from self._ranks()
        if answer.first is not None:
            yield from self._first(answer.first)
        if answer.first is None or answer.certainty in ("cannot tell", "possible"):
            yield from self._list("Look at", answer.look)
        yield from self._certainty()
        yield from self._list("In the next run, collect", answer.collect if answer.certainty != "sure" else ())
        told = [f"{self._at(each)}: {self._text(parts.message(each))}" for each in answer.candidates[1:]]
        told += [self._text(f"also in the log: {text}") for text in answer.others]
        yield from self._html_list("Other candidates", told)
        yield from self._list("Not read", answer.problems)

    def _ranks(self) -> Iterator[str]:
        if not self.answer.ranks:
            return
        yield f"{self._heading('The ranks')}\n<table>"
        for each in self.answer.ranks:
            source = f'<span class="place">{self._plain(each.source)}</span>' if each.source else ""
            yield f'<tr><th scope="row">{self._plain(parts.who(each.ranks))}</th>'
            yield f"<td>{self._text(each.text)}{source}</td></tr>"
        yield "</table>"

    def _first(self, first: Candidate) -> Iterator[str]:
        answer = self.answer
        headline = self._plain(f"{parts.headline(answer, first)}: ")
        yield f"<{self.heading}>{headline}{self._at(first)}</{self.heading}>"
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
                at = self._place(f"{where.name}:{where.position}", each.location.path, where.line)
                yield f"<li>{at}: {self._text(each.message)}</li>"
            yield "</ul>"
        if self.has_picture:
            yield from self._picture(first)
        yield from self._fix(first)

    def _picture(self, first: Candidate) -> Iterator[str]:
        if first.communication is None or not first.communication.rows:
            return
        focus = Focus(first.spot.path, first.spot.line)
        looked_at = Presentation(focus=focus, folder=self.answer.root)
        drawn = render_trace(first.communication, self.answer.documents, "svg", looked_at)
        yield f"{self._heading('What the ranks do')}\n<figure>{drawn[drawn.index('<svg') :]}</figure>"

    def _fix(self, first: Candidate) -> Iterator[str]:
        finding = first.finding
        if finding is None or not (finding.help or finding.fix):
            return
        yield self._heading("The fix")
        if finding.help:
            yield f"<p>{self._text(finding.help)}</p>"
        if title := parts.fix_title(first):
            yield f"<p>{self._text(title)}</p>"
            if difference := parts.fix_diff(self.answer, first):
                yield f'<pre class="diff">{escaped_lines(self.clean(difference))}</pre>'

    def _certainty(self) -> Iterator[str]:
        answer = self.answer
        said = [self._text(each) for each in answer.because]
        for quote in parts.quotes(answer):
            at = self._place(parts.log_place(quote.place), quote.place.file, quote.place.line)
            rank = "" if quote.rank is None else f" (rank {quote.rank})"
            said.append(f"{at}{self._text(f'{rank}: {quote.text}')}")
        yield from self._html_list(f"How sure: {parts.CERTAINTIES[answer.certainty]}", said)

    def _list(self, title: str, items: Sequence[str]) -> Iterator[str]:
        yield from self._html_list(title, [self._text(each) for each in items])

    def _html_list(self, title: str, items: Sequence[str]) -> Iterator[str]:
        if items:
            yield f"{self._heading(title)}\n<ul>"
            yield from (f"<li>{each}</li>" for each in items)
            yield "</ul>"

    def _at(self, candidate: Candidate) -> str:
        return self._place(parts.place(candidate), candidate.spot.path, candidate.spot.line)

    def _place(self, name: str, file: str, line: int) -> str:
        """A place by its name, which an editor may open."""
        if not self.opens_places or file == "-":
            return self._plain(name)
        data = f'data-file="{escaped(os.path.abspath(file))}" data-line="{max(line, 1)}" data-column="1"'
        return f"<span {data}>{self._plain(name)}</span>"

    def _heading(self, text: str) -> str:
        return f"<{self.heading}>{self._plain(text)}</{self.heading}>"

    def _text(self, text: str) -> str:
        return with_code(self.clean(text))

    def _plain(self, text: str) -> str:
        return escaped(self.clean(text))
