"""Decides which findings of a file are shown: suppression comments and `per-file-ignores`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from ddl_lint.finding import Finding, Fix, RuleFinding
from ddl_lint.fixes.ignore import without
from ddl_lint.project.config import Settings
from ddl_lint.project.globs import selects
from ddl_lint.project.selectors import KnownRules
from ddl_lint.source.dates import today
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location, Span
from ddl_lint.source.suppressions import NamedRule, Suppression, Suppressions

UNUSED = "DDL004"
MALFORMED = "DDL005"


def shown_findings(
    findings: Iterable[RuleFinding],
    document: Document,
    suppressions: Suppressions,
    settings: Settings,
    *,
    known: KnownRules,
    active: Collection[str],
    silenced: list[tuple[RuleFinding, str]] | None = None,
) -> list[RuleFinding]:
    """The findings of one file that are shown, with those about the suppression comments themselves.

    Args:
        findings: All findings in the file.
        document: The file.
        suppressions: Its suppression comments.
        settings: What applies to the file.
        known: All rules there are.
        active: The codes of the rules that were run on the file. Comments for other rules are not judged, since it is
            not known whether they hide anything. `DDL004` and `DDL005` are only made when they are among them.

        silenced: Where the findings go that a comment hides, each with the reason that the comment gives.

    Returns:
        Findings in the order given, then new ones.
    """
    if not findings and not suppressions.valid and not suppressions.malformed:
        return []
    silenced = [] if silenced is None else silenced
    comments = _Comments(suppressions.valid, document, known, settings)
    selectors = _ignored_here(document, settings)
    ignored = known.meant(selectors) - known.meant(settings.enforce)
    shown: list[RuleFinding] = []
    for finding in findings:
        if known.means(selectors, finding) and not known.means(settings.enforce, finding):
            continue
        if (reason := comments.hide(finding)) is None:
            shown.append(finding)
        else:
            silenced.append((finding, reason))
    judged = set(active) - ignored - {UNUSED, MALFORMED}
    about_comments = [
        *(_finding(MALFORMED, bad.message, document, bad.span) for bad in suppressions.malformed),
        *comments.unknown(),
        *comments.without_effect(),
        *comments.unused(judged),
    ]
    wanted = set(active) - ignored
    shown += [finding for finding in about_comments if finding.code in wanted and comments.hide(finding) is None]
    return shown


class _Comments:
    """The suppression comments of a file, and which rules in them have hidden something."""

    def __init__(
        self, comments: tuple[Suppression, ...], document: Document, known: KnownRules, settings: Settings
    ) -> None:
        self.comments = comments
        self.document = document
        self.known = known
        self.settings = settings
        self.used: set[Span] = set()
        self.idle: dict[Span, str] = {}
        """Where comments would silence something and must not, and why not."""

    def hide(self, finding: RuleFinding) -> str | None:
        """The reason of the comment that hides the finding; None where none does. All that do are used: none of them
        can be called superfluous.
        """
        line, _ = self.document.position(finding.location.start)
        hidden: str | None = None
        for comment in self.comments:
            if not comment.start_line <= line <= comment.end_line:
                continue
            named = [rule for rule in comment.rules if self.known.code(rule.name) == finding.code]
            self.used.update(rule.span for rule in named)
            if not named and comment.rules:
                continue
            if why_not := self._why_not(comment, finding):
                self.idle[comment.span] = why_not
            else:
                hidden = hidden or comment.reason
        return hidden

    def _why_not(self, comment: Suppression, finding: RuleFinding) -> str:
        """Why a comment must not hide a finding; empty where it may."""
        if comment.until and comment.until < today():
            return f"this comment has expired on {comment.until}: fix what it silenced, or give a later day"
        if comment.reason:
            return ""
        if self.settings.require_reason or self.known.means(self.settings.enforce, finding):
            name = comment.rules[0].name if comment.rules else finding.code
            return f"this comment silences nothing without a reason; write: # ddl-lint: ignore[{name}] reason"
        return ""

    def without_effect(self) -> Iterator[RuleFinding]:
        for span, why_not in self.idle.items():
            yield _finding(MALFORMED, why_not, self.document, span)

    def unknown(self) -> Iterator[RuleFinding]:
        for comment in self.comments:
            for rule in comment.rules:
                if self.known.code(rule.name) is None:
                    message = f"unknown rule `{rule.name}`{self.known.hint(rule.name)}"
                    yield _finding(MALFORMED, message, self.document, rule.span)

    def unused(self, judged: Collection[str]) -> Iterator[RuleFinding]:
        for comment in self.comments:
            idle = [rule for rule in comment.rules if self._is_idle(rule, judged)]
            if not idle:
                continue
            fix = without(self.document, comment, {rule.span for rule in idle})
            if len(idle) == len(comment.rules):
                names = ", ".join(f"`{rule.name}`" for rule in idle)
                yield _finding(UNUSED, f"no finding of {names} to ignore here", self.document, comment.span, fix)
            else:
                for rule in idle:
                    fix = without(self.document, comment, {rule.span})
                    yield _finding(UNUSED, f"no finding of `{rule.name}` to ignore here", self.document, rule.span, fix)

    def _is_idle(self, rule: NamedRule, judged: Collection[str]) -> bool:
        return self.known.code(rule.name) in judged and rule.span not in self.used


def _ignored_here(document: Document, settings: Settings) -> list[str]:
    """What `per-file-ignores` drops in this file."""
    path = Path(document.path)
    return [
        selector
        for glob, rules in settings.per_file_ignores.items()
        if selects(glob, path, settings.root)
        for selector in rules
    ]


def _finding(code: str, message: str, document: Document, span: Span, fix: Fix | None = None) -> RuleFinding:
    return RuleFinding(code, Finding(message, Location(document.path, *span), fix=fix))
