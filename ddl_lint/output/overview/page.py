"""The page as a whole. It needs nothing else, and without its script all of it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Severity
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.html.frame import page
from ddl_lint.output.overview import coverage, launches
from ddl_lint.output.overview.consequences import by_consequence
from ddl_lint.output.overview.findings import Findings
from ddl_lint.output.overview.pictures import Pictures
from ddl_lint.output.overview.subject import Subject
from ddl_lint.output.trace import Presentation
from ddl_lint.output.trace.html import style_sheet, symbols
from ddl_lint.output.trace.html_sources import sources
from ddl_lint.output.trace.presentation import Spots
from ddl_lint.registry.consequences import Consequence

_ABOUT = "What ddl-lint finds in the training code that makes jobs of several processes hang, crash or go wrong."

Groups = Sequence[tuple[Consequence, Sequence[Diagnostic]]]


def render(subject: Subject) -> str:
    """The page."""
    spots = Spots(subject.documents, Presentation(links=subject.links))
    pictures = Pictures(subject.traces, spots)
    return page(
        f"ddl-lint report: {subject.name}",
        _body(subject, spots, pictures),
        style=style_sheet(pictures.columns) + _file("page.css"),
        script=_file("page.js"),
    )


def _body(subject: Subject, spots: Spots, pictures: Pictures) -> Iterator[str]:
    groups, writer = by_consequence(subject), Findings(spots, pictures, subject.owners_of)
    yield from symbols(sorted(pictures.numbers))
    yield '<main class="overview">\n<header>'
    yield f"<h1>{escaped(subject.name)}</h1>"
    yield f'<p class="job">{_ABOUT}<br>{escaped(coverage.headline(subject))}.</p>'
    yield from _made(subject)
    yield from _verdict(groups)
    yield from _contents(groups, subject)
    yield "</header>"
    if subject.job:
        yield f'<section id="job"><h2>What became of the job</h2>\n{subject.job}\n</section>'
    yield from _tools(groups, subject)
    for consequence, findings in groups:
        yield f'<section class="group" id="{consequence.name}">'
        yield f"<h2>{escaped(consequence.plural)}</h2>"
        if consequence.meaning:
            yield f'<p class="job">{escaped(consequence.meaning)}</p>'
        yield from writer.lines(findings)
        yield "</section>"
    if subject.launches:
        yield '<section id="launches"><h2>How the jobs start</h2>'
        yield from launches.lines(subject.launches)
        yield "</section>"
    yield '<section id="checked"><h2>What was checked</h2>'
    yield from coverage.checked(subject, spots)
    yield '</section>\n<section id="not-seen"><h2>What ddl-lint could not see</h2>'
    yield from coverage.not_seen(subject, spots)
    yield "</section>"
    yield from sources(spots)
    yield f"<footer>{_made_by(subject)}</footer>\n</main>"


def _verdict(groups: Groups) -> Iterator[str]:
    """What was found, in one sentence; its colour is that of the worst."""
    if not groups:
        yield '<p class="verdict clear"><span class="sign" aria-hidden="true">✓</span> No problems found.</p>'
        return
    counts = [consequence.number(len(findings)) for consequence, findings in groups]
    listed = " and ".join([", ".join(counts[:-1]), counts[-1]] if counts[1:] else counts)
    has_errors = any(finding.severity is Severity.ERROR for _, findings in groups for finding in findings)
    tone, sign = ("hang", "✕") if has_errors else ("doubt", "!")
    yield f'<p class="verdict {tone}"><span class="sign" aria-hidden="true">{sign}</span> Found {escaped(listed)}.</p>'


def _contents(groups: Groups, subject: Subject) -> Iterator[str]:
    yield '<nav class="contents" aria-label="Contents"><ul>'
    if subject.job:
        yield '<li><a href="#job">What became of the job</a></li>'
    for consequence, findings in groups:
        yield f'<li><a href="#{consequence.name}">{escaped(consequence.plural)} <b>{len(findings)}</b></a></li>'
    if subject.launches:
        yield f'<li><a href="#launches">How the jobs start <b>{len(subject.launches)}</b></a></li>'
    yield '<li><a href="#checked">What was checked</a></li><li><a href="#not-seen">What could not be seen</a></li>'
    yield "</ul></nav>"


def _made(subject: Subject) -> Iterator[str]:
    """When, of which commit and by which command the page was made."""
    facts = {
        "Date": escaped(subject.day),
        "Commit": f"<code>{escaped(subject.revision[:12])}</code>" if subject.revision else "",
        "Command": f"<code>{escaped(subject.command)}</code>" if subject.command else "",
        "Version": f"ddl-lint {escaped(subject.version)}",
    }
    told = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items() if value)
    yield f'<dl class="made">{told}</dl>'


def _filters(groups: Groups, subject: Subject) -> Iterator[str]:
    """Choices of which findings are shown, where there is something to choose."""
    findings = [finding for _, mine in groups for finding in mine]
    severities = [each.value for each in Severity if any(finding.severity is each for finding in findings)]
    owners = sorted({owner for finding in findings for owner in subject.owners_of(finding)})
    for name, label, values in (("severity", "Severity", severities), ("owner", "Owner", owners)):
        if len(values) > 1 or (name == "owner" and values):
            options = "".join(f"<option>{escaped(value)}</option>" for value in values)
            yield f'<label>{label} <select id="by-{name}"><option value="">all</option>{options}</select></label>'


def _tools(groups: Groups, subject: Subject) -> Iterator[str]:
    """What needs the script: it shows that part itself."""
    yield '<div class="tools" id="tools" hidden>'
    if groups:
        yield from _filters(groups, subject)
        yield '<span role="group" aria-label="Jump">'
        yield '<button type="button" id="previous" aria-keyshortcuts="p" title="Key: p">Previous finding</button>'
        yield '<button type="button" id="next" aria-keyshortcuts="n" title="Key: n">Next finding</button>'
        yield '<span id="position" role="status"></span></span>'
    yield '<button type="button" id="unfold" aria-pressed="false">Unfold all</button>'
    yield "</div>"


def _made_by(subject: Subject) -> str:
    said = f"Made by ddl-lint {escaped(subject.version)}. <code>ddl-lint explain CODE</code> shows the page of a rule, "
    said += (
        "<code>ddl-lint check --fix</code> makes the safe fixes, and with <code>--unsafe-fixes</code> the others, too."
    )
    if subject.links is not None and subject.revision:
        said += f" Links lead to revision <code>{escaped(subject.revision)}</code>, without what is not committed."
    return said


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
