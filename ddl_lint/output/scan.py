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
div { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.dim { color: var(--dim) }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem }
summary { cursor: pointer }
li { margin: .25rem 0 }
@media print { details { break-inside: avoid } }
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


def page_of(repositories: Sequence[Repository], subject: str) -> str:
    """One page without any other file: a row for each repository, the worst first, and its findings below."""
    return page("Scan", _body(sorted(repositories, key=_worst_first), subject), style=_STYLE)


def _worst_first(repository: Repository) -> tuple[object, ...]:
    counts = repository.by_consequence
    return (*(-counts.get(kind, 0) for kind in CONSEQUENCES), -len(repository.findings), repository.folder)


def _body(repositories: Sequence[Repository], subject: str) -> Iterator[str]:
    found = sum(len(each.findings) for each in repositories)
    kinds = [kind for kind in (*CONSEQUENCES, "other") if any(kind in each.by_consequence for each in repositories)]
    scanned = counted(len(repositories), "repository", "repositories")
    yield f"<main>\n<h1>{counted(found, 'finding')} in {scanned}</h1>"
    yield f'<p class="dim">{escaped(subject)}</p>'
    if changed := difference(repositories):
        yield f"<p>{escaped(changed[0].upper() + changed[1:])}.</p>"
    numbers = [*kinds, "new", "fixed", "files"]
    heads = "".join(f'<th class="number">{escaped(each)}</th>' for each in numbers)
    yield f"<div><table>\n<thead><tr><th>repository</th>{heads}<th>owners</th></tr></thead>\n<tbody>"
    for number, each in enumerate(repositories):
        yield _row(each, kinds, number)
    yield "</tbody>\n</table></div>"
    yield from _by_owner(repositories)
    for number, each in enumerate(repositories):
        if each.findings or each.problems or each.fixed:
            yield from _details(each, number)
    yield "</main>"


def _row(repository: Repository, kinds: Sequence[str], number: int) -> str:
    name = f'<a href="#r{number}">{escaped(repository.name)}</a>'
    if not (repository.findings or repository.problems or repository.fixed):
        name = escaped(repository.name)
    counts = [repository.by_consequence.get(kind, 0) for kind in kinds]
    counts += [len(repository.new), len(repository.fixed), repository.files]
    cells = "".join(f'<td class="number">{count or ""}</td>' for count in counts)
    owners = ", ".join(repository.owner_counts)
    failed = " (not all was checked)" if repository.problems else ""
    return f"<tr><td>{name}{failed}</td>{cells}<td>{escaped(owners)}</td></tr>"


def _by_owner(repositories: Sequence[Repository]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for each in repositories:
        counts.update(each.owner_counts)
    if counts:
        listed = "".join(f"<li>{escaped(owner)}: {count}</li>" for owner, count in counts.most_common())
        yield f"<h2>By owner</h2>\n<ul>{listed}</ul>"


def _details(repository: Repository, number: int) -> Iterator[str]:
    count = counted(len(repository.findings), "finding")
    yield f'<details id="r{number}" open><summary><b>{escaped(repository.name)}</b>: {count}</summary>\n<ul>'
    for problem in repository.problems:
        yield f"<li><b>Not checked</b>: {escaped(problem)}</li>"
    for index, finding in enumerate(repository.findings):
        place = place_of(finding.location, repository.documents)
        mark = "<b>new</b> " if repository.fingerprints[index] in repository.new else ""
        named = ", ".join(repository.owners[index])
        owners = f' <span class="dim">{escaped(named)}</span>' if named else ""
        where = f"<code>{escaped(place.head)}</code>"
        yield f"<li>{mark}{where} {escaped(finding.code)} {with_code(finding.message)}{owners}</li>"
    for _, rule, file, message in repository.fixed:
        yield f'<li class="dim">fixed: <code>{escaped(file)}</code> {escaped(rule)} {with_code(message)}</li>'
    yield "</ul></details>"
