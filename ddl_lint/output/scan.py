"""A scan of many repositories, a row for each: as a page, and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import harmless_json
from ddl_lint.output import sarif
from ddl_lint.output.addresses import rule_page
from ddl_lint.output.counted import counted
from ddl_lint.output.html.escaped import escaped, with_code
from ddl_lint.output.html.frame import page
from ddl_lint.output.places import place_of, shown_name, shown_path
from ddl_lint.output.shown import Shown
from ddl_lint.output.shown import escaped as shown_finding
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rules import Rule
from ddl_lint.source.document import Document

_STYLE = """\
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line) }
td:first-child, li { overflow-wrap: anywhere }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.dim { color: var(--dim); font-weight: 400 }
section, .clean { margin: .75rem 0; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem }
section h2, .clean summary { margin: 0; background: none; border: 0 }
section ul { margin: .5rem 0 0; padding: 0; list-style: none }
li { margin: .5rem 0 }
.clean ul { columns: 16rem; padding-left: 1.2rem }
.clean li { margin: 0 }
.place { display: block }
.word { font-weight: 600 }
.error .word, .failed { color: var(--red) }
.warning .word { color: var(--amber) }
.fixed .word { color: var(--green) }
mark { background: var(--caution); color: var(--amber); border-radius: .2rem; padding: 0 .3rem }
@media screen and (max-width: 45rem) {
  main { padding: 1rem }
  thead { display: none }
  tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0 }
  table, tbody { display: block }
  td { display: inline-block; border: 0; padding: 0 .75rem 0 0 }
  td:first-child { display: block }
  td:empty { display: none }
  td[data-of]::before { content: attr(data-of) " "; color: var(--dim) }
}
@media print { h2 { break-after: avoid } li { break-inside: avoid } th, td { padding-right: .8rem } }
"""


class Fixed(NamedTuple):
    """A finding that is no more."""

    consequence: str
    rule: str
    file: str
    message: str


@dataclass(frozen=True)
class Repository:
    """What a scan has found in a repository."""

    folder: str
    files: int
    findings: Sequence[Diagnostic]
    """Ordered by place."""
    documents: Mapping[str, Document]
    fingerprints: Sequence[str]
    """One for each finding; files are relative to the repository."""
    owners: Sequence[Sequence[str]]
    """Those of the file of each finding."""
    problems: Sequence[str] = ()
    new: frozenset[str] = frozenset()
    """The fingerprints that the scan before had not."""
    fixed: Sequence[Fixed] = ()
    """What the scan before had, and this one has not."""
    is_first: bool = True
    """Whether it was not scanned before."""
    address: str = ""
    """On the web."""
    revision: str = ""
    """The commit that is checked out."""

    def compared(self, new: frozenset[str], fixed: Sequence[Fixed], *, is_first: bool) -> Repository:
        """The same beside the scan before."""
        return replace(self, new=new, fixed=fixed, is_first=is_first)

    @property
    def name(self) -> str:
        """As it is shown."""
        return shown_name(self.folder)

    @property
    def open(self) -> int:
        """How many findings the scan before had, too."""
        return len(self.findings) - len(self.new)

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to say about it."""
        return not (self.findings or self.problems or self.fixed)

    @property
    def by_consequence(self) -> Mapping[str, int]:
        """How many findings there are of each kind, the worst first."""
        counts = Counter(finding.consequence or "other" for finding in self.findings)
        return {kind: counts[kind] for kind in (*CONSEQUENCES, "other") if counts[kind]}

    @property
    def owner_counts(self) -> Mapping[str, int]:
        """How many findings each owner has."""
        return dict(Counter(owner for owners in self.owners for owner in owners).most_common())


def with_rows(report: str, repositories: Sequence[Repository]) -> str:
    """A report in JSON, with the rows."""
    content = {**json.loads(report), "repositories": [_fields(each) for each in repositories]}
    return harmless_json(json.dumps(content, indent=2)) + "\n"


def sarif_of(repositories: Sequence[Repository], rules: Sequence[Rule]) -> str:
    """A run for each repository, with its commit and files that are relative to it."""
    infos = {rule.code: rule.info for rule in rules}
    runs: list[dict[str, Any]] = []
    for each in repositories:
        shown = Shown(list(map(shown_finding, each.findings)), each.documents, rules=infos, folder=each.folder)
        run = sarif.run(shown)
        run["invocations"][0]["executionSuccessful"] = not each.problems
        for result, fingerprint in zip(run["results"], each.fingerprints, strict=True):
            if not each.is_first:
                result["baselineState"] = "new" if fingerprint in each.new else "unchanged"
        name = shown_path(each.folder)
        runs.append(sarif.below(run, name, address=each.address, revision=each.revision))
    return sarif.log(runs)


def _fields(repository: Repository) -> dict[str, Any]:
    return {
        "folder": repository.folder,
        "files": repository.files,
        "problems": list(repository.problems),
        "by_consequence": dict(repository.by_consequence),
        "owners": dict(repository.owner_counts),
        "is_first": repository.is_first,
        "findings": [_finding(repository, index) for index in range(len(repository.findings))],
        "fixed": [each._asdict() for each in repository.fixed],
    }


def _finding(repository: Repository, index: int) -> dict[str, Any]:
    finding, fingerprint = repository.findings[index], repository.fingerprints[index]
    place = place_of(finding.location, repository.documents)
    return {
        "state": state(repository, fingerprint),
        "rule": finding.code,
        "name": finding.name,
        "consequence": finding.consequence or None,
        "severity": finding.severity.value,
        "file": place.file,
        "line": place.line,
        "cell": place.cell,
        "message": finding.message,
        "owners": list(repository.owners[index]),
        "fingerprint": fingerprint,
    }


def state(repository: Repository, fingerprint: str) -> str:
    """`new`, or `open` where the scan before had it, or there was none."""
    return "new" if fingerprint in repository.new else "open"


def difference(repositories: Sequence[Repository]) -> str:
    """A line about what has changed since the scan before; empty where nothing has."""
    new, fixed = (sum(len(getattr(each, name)) for each in repositories) for name in ("new", "fixed"))
    still = sum(each.open for each in repositories)
    return f"since the last scan: {new} new, {fixed} fixed, {still} open" if new or fixed else ""


# --- the page ---------------------------------------------------------------------------------------------------------


def page_of(repositories: Sequence[Repository], subject: str, left_out: Sequence[str] = ()) -> str:
    """One page without any other file: a row for each repository, the worst first, and its findings below; and the
    entries of the list that name none.
    """
    return page("Scan", _body(sorted(repositories, key=_worst_first), subject, left_out), style=_STYLE)


def _worst_first(repository: Repository) -> tuple[object, ...]:
    counts = repository.by_consequence
    return (*(-counts.get(kind, 0) for kind in CONSEQUENCES), -len(repository.findings), repository.folder)


def _body(repositories: Sequence[Repository], subject: str, left_out: Sequence[str]) -> Iterator[str]:
    found = sum(len(each.findings) for each in repositories)
    told = [each for each in repositories if not each.is_clean]
    scanned = counted(len(repositories), "repository", "repositories")
    yield f"<main>\n<h1>{counted(found, 'finding')} in {scanned}</h1>"
    yield f'<p class="dim">{escaped(subject)}</p>'
    if changed := difference(repositories):
        yield f"<p>{escaped(changed[0].upper() + changed[1:])}.</p>"
    if failed := [each for each in repositories if each.problems]:
        names = ", ".join(each.name for each in failed)
        yield f'<p class="failed">Not checked completely: {escaped(names)}.</p>'
    for each in left_out:
        yield f'<p class="failed">Not checked: {with_code(each)}</p>'
    if told:
        yield from _table(told)
    yield from _by_owner(repositories)
    for number, each in enumerate(told):
        yield from _details(each, number)
    yield from _clean([each for each in repositories if each.is_clean])
    yield "</main>"


def _table(repositories: Sequence[Repository]) -> Iterator[str]:
    """A row for each repository. There is no column that would be empty in all of them."""
    rows = [_counts(each) for each in repositories]
    heads = [head for head in rows[0] if any(row[head] for row in rows)]
    owned = any(each.owner_counts for each in repositories)
    names = "".join(f'<th class="number">{escaped(each)}</th>' for each in heads)
    yield f"<table>\n<thead><tr><th>repository</th>{names}{'<th>owners</th>' if owned else ''}</tr></thead>\n<tbody>"
    for number, (each, row) in enumerate(zip(repositories, rows, strict=True)):
        cells = "".join(f'<td class="number" data-of="{escaped(head)}">{row[head] or ""}</td>' for head in heads)
        owners = f"<td>{escaped(', '.join(each.owner_counts))}</td>" if owned else ""
        yield f'<tr><td><a href="#r{number}">{escaped(each.name)}</a></td>{cells}{owners}</tr>'
    yield "</tbody>\n</table>"


def _counts(repository: Repository) -> Mapping[str, int]:
    """The numbers of a row by the heads of their columns."""
    by_consequence = repository.by_consequence
    kinds = {kind.title.lower(): by_consequence.get(name, 0) for name, kind in CONSEQUENCES.items()}
    changed = {"new": len(repository.new), "fixed": len(repository.fixed)}
    return {**kinds, "other": by_consequence.get("other", 0), **changed, "files": repository.files}


def _by_owner(repositories: Sequence[Repository]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for each in repositories:
        counts.update(each.owner_counts)
    if counts:
        listed = "".join(f"<li>{escaped(owner)}: {count}</li>" for owner, count in counts.most_common())
        yield f"<h2>By owner</h2>\n<ul>{listed}</ul>"


def _details(repository: Repository, number: int) -> Iterator[str]:
    only_fails = repository.problems and not repository.findings
    count = "not checked" if only_fails else counted(len(repository.findings), "finding")
    commit = f' <span class="dim">commit {escaped(repository.revision[:12])}</span>' if repository.revision else ""
    yield f'<section id="r{number}">\n<h2>{escaped(repository.name)}: {count}{commit}</h2>\n<ul>'
    for problem in repository.problems:
        yield f'<li class="error"><span class="word">not checked</span> {escaped(problem)}</li>'
    prefix = f"{shown_path(repository.folder)}/"
    for index, finding in enumerate(repository.findings):
        place = place_of(finding.location, repository.documents)
        mark = "<mark>new</mark> " if repository.fingerprints[index] in repository.new else ""
        owners = "".join(f" {escaped(owner)}" for owner in repository.owners[index])
        where = escaped(place.head.removeprefix(prefix))
        word = finding.severity.value
        yield f'<li class="{word}">{mark}<span class="word">{word}</span> {with_code(finding.message)}'
        yield f'<span class="place dim">{where} {_rule(finding.code, finding.name)}{owners}</span></li>'
    for each in repository.fixed:
        yield f'<li class="fixed"><span class="word">fixed</span> {with_code(each.message)}'
        yield f'<span class="place dim">{escaped(each.file.removeprefix(prefix))} {escaped(each.rule)}</span></li>'
    yield "</ul>\n</section>"


def _rule(code: str, name: str) -> str:
    """The code and name of a rule, with a link to its page where that has an address."""
    address, label = rule_page(name), escaped(f"{code} {name}")
    return f'<a href="{escaped(address)}">{label}</a>' if address else label


def _clean(repositories: Sequence[Repository]) -> Iterator[str]:
    """The repositories of which there is nothing to say, folded."""
    if repositories:
        names = "".join(f"<li>{escaped(each.name)}</li>" for each in repositories)
        count = counted(len(repositories), "repository", "repositories")
        yield f'<details class="clean"><summary>{count} without findings</summary>\n<ul>{names}</ul></details>'
