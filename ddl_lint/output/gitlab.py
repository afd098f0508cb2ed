"""Findings as a code quality report of GitLab, which shows them in merge requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import harmless_json
from ddl_lint.finding import Severity
from ddl_lint.output.fingerprints import Fingerprint
from ddl_lint.output.places import place_of
from ddl_lint.output.shown import Shown
from ddl_lint.source.document import Document

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}

_CATEGORIES = {"wasted-work": "Performance", "deprecated": "Compatibility"}


def render(shown: Shown) -> str:
    """A list of issues. A notebook is shown as the JSON that it is: the message says the cell and its line as well."""
    pairs = zip(shown.findings, shown.fingerprints, strict=True)
    issues = [_issue(*pair, shown.documents) for pair in pairs]
    return harmless_json(json.dumps(issues, indent=2)) + "\n"


def _issue(finding: Diagnostic, fingerprint: Fingerprint, documents: Mapping[str, Document]) -> dict[str, Any]:
    place = place_of(finding.location, documents)
    begin, end = place.lines_in_file or (1, 1)
    where = "" if place.cell is None else f"{place.position}: "
    story = [f"- `{place_of(each.location, documents).head}`: {each.message}" for each in finding.evidence]
    body = "\n\n".join(filter(None, (f"{where}{finding.message}", "\n".join(story), finding.help.strip())))
    return {
        "type": "issue",
        "check_name": f"{finding.code} {finding.name}",
        "description": f"{where}{finding.message}",
        "content": {"body": body},
        "categories": [_CATEGORIES.get(finding.consequence, "Bug Risk")],
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": fingerprint.value,
        "location": {"path": place.file, "lines": {"begin": begin, "end": end}},
    }
