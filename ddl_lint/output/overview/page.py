"""The page as a whole. It needs nothing else, and without its script all of it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import harmless_markup
from ddl_lint.output.overview import coverage, launches
from ddl_lint.output.overview.consequences import Consequence, by_consequence, of_engine
from ddl_lint.output.overview.findings import Findings
from ddl_lint.output.overview.pictures import Pictures
from ddl_lint.output.overview.subject import Subject
from ddl_lint.output.trace import Presentation
from ddl_lint.output.trace.html import content_policy, style_sheet, symbols
from ddl_lint.output.trace.html_sources import locations_of, sources
from ddl_lint.output.trace.presentation import Spots
from ddl_lint.output.trace.shapes import escaped
from ddl_lint.source.span import Location

Groups = Sequence[tuple[Consequence, Sequence[Diagnostic]]]


def render(subject: Subject) -> str:
    """The page."""
    spots = Spots(subject.documents, Presentation(links=subject.links))
    pictures = Pictures(subject.traces, spots)
    writer = Findings(spots, pictures)
    groups = by_consequence(subject)
    script, name = _file("page.js"), escaped(subject.name)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy(script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>ddl-lint report: {name}</title>",
        f"<style>\n{style_sheet(pictures.columns)}{_file('page.css')}</style>",
        "</head>",
        "<body>",
        *symbols(sorted(pictures.numbers)),
        '<main class="overview">',
        "<header>",
        f"<h1>{name}</h1>",
        f'<p class="job">{escaped(coverage.headline(subject))}</p>',
        *_verdict(groups),
        *_contents(groups, subject),
        "</header>",
        *_tools(groups),
    ]
    for consequence, findings in groups:
        lines.append(f'<section class="group" id="{consequence.name}">')
        lines.append(f"<h2>{escaped(_title(consequence))}</h2>")
        lines += [f'<p class="job">{escaped(consequence.meaning)}</p>'] if consequence.meaning else []
        for finding in findings:
            lines.extend(writer.lines(finding))
        lines.append("</section>")
    if subject.launches:
        lines.append('<section id="launches"><h2>How the jobs start</h2>')
        lines += [*launches.lines(subject.launches), "</section>"]
    lines += ['<section id="checked"><h2>What was checked</h2>', *coverage.checked(subject, spots), "</section>"]
    lines.append('<section id="not-seen"><h2>What ddl-lint could not see</h2>')
    lines += [*coverage.not_seen(subject, spots), "</section>"]
    lines.extend(sources(_places(subject), spots))
    lines += [f"<footer>{_made_by(subject)}</footer>", "</main>", f"<script>{script}</script>", "</body>", "</html>"]
    return harmless_markup("\n".join(lines)) + "\n"


def _verdict(groups: Groups) -> Iterator[str]:
    """What was found, in one sentence; its colour is that of the worst."""
    if not groups:
        yield '<p class="verdict clear"><span class="sign" aria-hidden="true">✓</span> No problems found.</p>'
        return
    counts = [_number(consequence, len(findings)) for consequence, findings in groups]
    listed = " and ".join([", ".join(counts[:-1]), counts[-1]] if counts[1:] else counts)
    is_worst = groups[0][0].name in ("hang", "wrong-result", "data-loss", "crash")
    tone, sign = ("hang", "✕") if is_worst else ("doubt", "!")
    yield f'<p class="verdict {tone}"><span class="sign" aria-hidden="true">{sign}</span> Found {escaped(listed)}.</p>'


def _contents(groups: Groups, subject: Subject) -> Iterator[str]:
    yield '<nav class="contents" aria-label="Contents"><ul>'
    for consequence, findings in groups:
        yield f'<li><a href="#{consequence.name}">{escaped(_title(consequence))} <b>{len(findings)}</b></a></li>'
    if subject.launches:
        yield f'<li><a href="#launches">How the jobs start <b>{len(subject.launches)}</b></a></li>'
    yield '<li><a href="#checked">What was checked</a></li><li><a href="#not-seen">What could not be seen</a></li>'
    yield "</ul></nav>"


def _tools(groups: Groups) -> Iterator[str]:
    """What needs the script: it shows that part itself."""
    yield '<div class="tools" id="tools" hidden>'
    if groups:
        yield '<span role="group" aria-label="Jump">'
        yield '<button type="button" id="previous" aria-keyshortcuts="p" title="Key: p">Previous finding</button>'
        yield '<button type="button" id="next" aria-keyshortcuts="n" title="Key: n">Next finding</button>'
        yield '<span id="position" role="status"></span></span>'
    yield '<button type="button" id="unfold" aria-pressed="false">Unfold all</button>'
    yield "</div>"


def _places(subject: Subject) -> Iterator[Location]:
    """All that the page links to: beside what is shown as code, for who reads it without the repository."""
    for finding in subject.findings:
        yield finding.location
        yield from (part.location for part in finding.evidence)
    for trace in subject.traces:
        yield from locations_of(trace)
        yield from (each.location for each in (trace.hidden, trace.stop) if each is not None)
    yield from (program.hidden for program in subject.programs if program.hidden is not None)
    yield from (finding.location for finding in of_engine(subject))


def _made_by(subject: Subject) -> str:
    said = f"Made by ddl-lint {escaped(subject.version)}. <code>ddl-lint explain CODE</code> tells more of a rule, "
    said += "<code>ddl-lint check --fix</code> makes the safe fixes, with <code>--unsafe-fixes</code> the others too."
    if subject.revision:
        said += f" Links lead to revision <code>{escaped(subject.revision)}</code>, without what is not committed."
    return said


def _title(consequence: Consequence) -> str:
    return f"{consequence.many[:1].upper()}{consequence.many[1:]}"


def _number(consequence: Consequence, number: int) -> str:
    if consequence.name == "wasted-work":
        return f"wasted work in {number} {'place' if number == 1 else 'places'}"
    return f"{number} {consequence.one if number == 1 else consequence.many}"


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
