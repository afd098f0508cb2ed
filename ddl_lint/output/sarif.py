"""Findings in SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from ddl_lint import __version__
from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.escape import harmless_json, one_line
from ddl_lint.finding import Edit, Evidence, Severity
from ddl_lint.output.addresses import file_address, rule_page, site
from ddl_lint.output.fingerprints import Fingerprint, fingerprints
from ddl_lint.output.json import job_fields
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.programs import partly_followed
from ddl_lint.output.shown import Shown, escaped
from ddl_lint.registry.rule_file import RuleInfo
from ddl_lint.source.document import Document

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LINK = re.compile(r"\[(?=[^\]\[]*\]\()")
_BRACKET = re.compile(r"[\[\]\\]")
_ROOT = "%SRCROOT%"

_Data = dict[str, Any]


def render(shown: Shown) -> str:
    """One run, with the rules that have found something."""
    return log([run(shown)])


def log(runs: Iterable[_Data]) -> str:
    """Runs as a file."""
    return harmless_json(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [*runs]}, indent=2)) + "\n"


def run(shown: Shown) -> _Data:
    """What was found, by which rules, and what could not be seen."""
    silenced = [
        replace(each, diagnostic=escaped(each.diagnostic), reason=one_line(each.reason)) for each in shown.silenced
    ]
    everything = [*shown.findings, *(each.diagnostic for each in silenced)]
    codes = sorted({finding.code for finding in everything})
    driver: _Data = {"name": "ddl-lint", "version": __version__, "semanticVersion": _semantic(__version__), "rules": []}
    if address := site():
        driver["informationUri"] = address
    names = {finding.code: finding.name for finding in everything}
    driver["rules"] = [_rule(code, names[code], shown.rules.get(code)) for code in codes]
    results = [
        _result(finding, fingerprint, codes.index(finding.code), shown.documents)
        for finding, fingerprint in zip(shown.findings, shown.fingerprints, strict=True)
    ]
    hidden = [each.diagnostic for each in silenced]
    for each, fingerprint in zip(silenced, fingerprints(hidden, shown.documents, shown.folder), strict=True):
        result = _result(each.diagnostic, fingerprint, codes.index(each.diagnostic.code), shown.documents)
        results.append({**result, "suppressions": [_suppression(each)]})
    return {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_unseen(shown))}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which ddl-lint was run."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }


def _suppression(silenced: Silenced) -> _Data:
    """Why a result is not one of those that people see."""
    kind: _Data = {"kind": "inSource" if silenced.by == "comment" else "external", "status": "accepted"}
    return {**kind, "justification": silenced.reason} if silenced.reason else kind


def below(run: _Data, folder: str, *, address: str = "", revision: str = "") -> _Data:
    """A run whose files are relative to a folder, such as that of its repository, which is named with its commit."""
    prefix = f"{file_address(folder)[0]}/"
    moved: _Data = _relative(run, prefix)
    moved["automationDetails"] = {"id": f"ddl-lint/{folder}/"}
    if address and revision:
        source = {"repositoryUri": address, "revisionId": revision, "mappedTo": {"uriBaseId": _ROOT}}
        moved["versionControlProvenance"] = [source]
    return moved


def _relative(data: Any, prefix: str) -> Any:
    """Data in which the addresses of files that begin with a folder do not name it."""
    if isinstance(data, list):
        return [_relative(each, prefix) for each in cast("list[Any]", data)]
    if not isinstance(data, dict):
        return data
    fields = {key: _relative(each, prefix) for key, each in cast("_Data", data).items()}
    uri = fields.get("uri")
    if isinstance(uri, str) and uri.startswith(prefix):
        return {**fields, "uri": uri.removeprefix(prefix), "uriBaseId": _ROOT}
    return fields


def _semantic(version: str) -> str:
    """A version of Python's form in that of SemVer: `0.4.0.dev12` is `0.4.0-dev.12`."""
    return re.sub(r"\.?(a|b|rc|dev|post)(\d+)", r"-\1.\2", version, count=1)


def _unseen(shown: Shown) -> Iterator[_Data]:
    """The scripts that were followed only in part: to find nothing there proves nothing."""
    for name, reason in partly_followed(shown.programs, shown.documents):
        file = name.partition("::")[0]
        text = f"Not all of {name} was followed: {reason}."
        place = {"physicalLocation": {"artifactLocation": _artifact(file)}}
        yield {"level": "note", "message": _text(text), "locations": [place], "descriptor": {"id": "partly-followed"}}


# --- rules ------------------------------------------------------------------------------------------------------------


def _rule(code: str, name: str, info: RuleInfo | None) -> _Data:
    if info is None:
        return {"id": code, "name": name}
    rule: _Data = {
        "id": code,
        "name": name,
        "shortDescription": _text(f"{info.summary.rstrip('.')}."),
        "fullDescription": _text(info.why),
        "help": {**_text(f"{info.why}\n\nWhat to do: {info.fix.advice}"), "markdown": _page(info)},
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
        "properties": {
            "tags": [*info.consequences, *filter(None, [info.stage.replace("_", "-")]), *info.frameworks],
            "precision": info.confidence.value,
        },
    }
    if address := rule_page(name):
        rule["helpUri"] = address
    return rule


def _page(info: RuleInfo) -> str:
    """What there is to read about a rule, as Markdown."""
    parts = [f"**{info.summary.rstrip('.')}.**", info.why, f"**What to do**: {info.fix.advice}"]
    if info.silent_when:
        parts.append("**Says nothing when**\n\n" + "\n".join(f"- {case.when}" for case in info.silent_when))
    return "\n\n".join([*parts, f"To silence it on a line: `# ddl-lint: ignore[{info.name}] reason`"])


# --- results ----------------------------------------------------------------------------------------------------------


def _result(finding: Diagnostic, fingerprint: Fingerprint, index: int, documents: Mapping[str, Document]) -> _Data:
    place = place_of(finding.location, documents)
    message = finding.message if place.cell is None else f"{place.position}: {finding.message}"
    result: _Data = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(message, finding, documents)},
        "locations": [_location(place)],
        # The second is what code scanning of GitHub knows a finding by, and would make of the line alone.
        "partialFingerprints": {
            "ddlLint/v1": fingerprint.value,
            "primaryLocationLineHash": f"{fingerprint.value}:1",
        },
    }
    related = [*finding.evidence, *(Evidence("this job meets it", job.place) for job in finding.jobs if job.is_met)]
    if related:
        result["relatedLocations"] = [
            {"id": number, **_told(each, documents)} for number, each in enumerate(related, start=1)
        ]
    if finding.evidence:
        result["codeFlows"] = [{"threadFlows": list(_flows(finding, documents))}]
    if fix := _fix(finding, documents):
        result["fixes"] = [fix]
    words = {"confidence": finding.confidence.value, "doubt": finding.doubt, "help": finding.help}
    tags: _Data = {"tags": [finding.consequence]} if finding.consequence else {}
    jobs: _Data = {"jobs": [job_fields(job, documents) for job in finding.jobs], "metIn": finding.met_in}
    told = jobs if finding.jobs else {}
    result["properties"] = {**{name: word for name, word in words.items() if word}, **tags, **told}
    return result


def _message(message: str, finding: Diagnostic, documents: Mapping[str, Document]) -> str:
    """What is wrong, the evidence and the help. Viewers show related locations only where the message links them."""
    evidence = "\n".join(
        f"[{_label(place_of(each.location, documents))}]({number}): {_plain(each.message)}"
        for number, each in enumerate(finding.evidence, start=1)
    )
    advice = f"Help: {_plain(finding.help.strip())}" if finding.help else ""
    return "\n\n".join(filter(None, (_plain(message), evidence, advice)))


def _label(place: Place) -> str:
    return _BRACKET.sub(r"\\\g<0>", place.head)


def _flows(finding: Diagnostic, documents: Mapping[str, Document]) -> Iterator[_Data]:
    """The way of each side of a divergence: what all ranks come to, and what only those of that side do. One way where
    there are no sides.
    """
    own = Evidence(finding.message, finding.location, finding.ranks)
    sides = dict.fromkeys(each.ranks for each in (own, *finding.evidence) if each.ranks)
    common = [each for each in finding.evidence if not each.ranks]
    if not sides:
        yield _flow("", [*common, own], documents)
    for side in sides:
        way = [*common, *([own] if own.ranks in ("", side) else [])]
        yield _flow(side, [*way, *(each for each in finding.evidence if each.ranks == side)], documents)


def _flow(side: str, way: Iterable[Evidence], documents: Mapping[str, Document]) -> _Data:
    flow: _Data = {"id": side, "message": _text(f"The way of {side}")} if side else {}
    return {**flow, "locations": [{"location": _told(each, documents)} for each in way]}


def _fix(finding: Diagnostic, documents: Mapping[str, Document]) -> _Data | None:
    """The edits of a fix. There are none for a notebook: its file is JSON, and the lines of a cell are none of it."""
    fix = finding.fix
    if fix is None or not fix.edits:
        return None
    by_file: dict[str, list[tuple[Place, Edit]]] = {}
    for edit in sorted(fix.edits, key=lambda edit: edit.location):
        place = place_of(edit.location, documents)
        if place.cell is not None or edit.location.path not in documents:
            return None
        by_file.setdefault(place.file, []).append((place, edit))
    doubt = f" (unsafe: {fix.reason})" if fix.reason else ""
    return {
        "description": _text(fix.title + doubt),
        "artifactChanges": [
            {
                "artifactLocation": _artifact(file),
                "replacements": [
                    {"deletedRegion": _region(place), "insertedContent": {"text": edit.text}} for place, edit in edits
                ],
            }
            for file, edits in by_file.items()
        ],
    }


# --- places -----------------------------------------------------------------------------------------------------------


def _told(evidence: Evidence, documents: Mapping[str, Document]) -> _Data:
    place = place_of(evidence.location, documents)
    message = evidence.message if place.cell is None else f"{place.position}: {evidence.message}"
    return {**_location(place), "message": _text(message)}


def _location(place: Place) -> _Data:
    """Where a place is in its file. In a notebook the columns of a cell are none of the line of JSON that it is in."""
    physical: _Data = {"artifactLocation": _artifact(place.file)}
    if place.cell is not None:
        if place.lines_in_file is not None:
            start, end = place.lines_in_file
            physical["region"] = {"startLine": start, "endLine": end}
        name = f"cell {place.cell}"
        return {"physicalLocation": physical, "logicalLocations": [{"name": name, "kind": "module"}]}
    if place.line_text is not None:
        physical["region"] = {**_region(place), **_snippet(place, place.line_text)}
    return {"physicalLocation": physical}


def _snippet(place: Place, line_text: Callable[[int], str]) -> _Data:
    """The text of a place of one line: viewers may not have its file."""
    text = line_text(place.line)[place.column - 1 : place.end_column - 1]
    return {"snippet": {"text": text}} if place.end_line == place.line and text else {}


def _region(place: Place) -> _Data:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _artifact(file: str) -> _Data:
    address, is_relative = file_address(file)
    return {"uri": address, "uriBaseId": _ROOT} if is_relative else {"uri": address}


def _text(text: str) -> _Data:
    """A message. What looks like a link to one of its places is none."""
    return {"text": _plain(text)}


def _plain(text: str) -> str:
    return _LINK.sub(r"\\[", text)
