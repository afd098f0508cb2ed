"""What of the findings is shown, and how: suppression comments and settings make diagnostics of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ddl_lint.check.causes import by_cause
from ddl_lint.check.file_settings import FileSettings
from ddl_lint.check.selection import is_hint, is_shown, severity_of
from ddl_lint.claim import worded
from ddl_lint.crash import CRASHED, contained
from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.finding import Applicability, Evidence, Finding, Fix, RuleFinding
from ddl_lint.fixes.help_text import help_beside
from ddl_lint.project.config import Settings
from ddl_lint.project.contents import Contents
from ddl_lint.project.selectors import KnownRules, heaviest
from ddl_lint.project.suppress import shown_findings
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location


def diagnostics(
    found: Iterable[RuleFinding],
    given: Collection[str],
    files: Contents,
    rules: Sequence[Rule],
    applied: FileSettings,
) -> Sifted:
    """The findings that the settings and comments of their files let through, as they are shown.

    Args: as for `sift`.
    """
    by_code = {rule.code: rule for rule in rules}

    def made(found: RuleFinding) -> Diagnostic:
        rule, settings = by_code[found.code], applied.settings[found.location.path]
        return _diagnostic(_on_one_line(found.finding, files), rule.narrowed(found.finding), settings)

    by_comments: list[tuple[RuleFinding, str]] = []
    shown, hints = sift(found, given, files, rules, applied, by_comments)
    silenced = [
        Silenced(made(each), "comment", reason)
        for each, reason in by_comments
        if _is_about(each, given) and _is_worth(each, by_code[each.code], applied.settings[each.location.path])
    ]
    return Sifted([made(each) for each in shown], [made(each) for each in hints], silenced)


def _is_worth(found: RuleFinding, rule: Rule, settings: Settings) -> bool:
    """Whether a finding would be shown without the comment that silences it."""
    narrowed = rule.narrowed(found.finding)
    return is_shown(rule, found.finding, settings) and not is_hint(narrowed, found.finding, settings)


def sift(
    found: Iterable[RuleFinding],
    given: Collection[str],
    files: Contents,
    rules: Sequence[Rule],
    applied: FileSettings,
    silenced: list[tuple[RuleFinding, str]] | None = None,
) -> tuple[list[RuleFinding], list[RuleFinding]]:
    """The findings that the settings and comments of their files let through, and the hints that are not
    shown. Those of one cause are one.

    Args:
        found: All findings, also in other files of the projects.
        given: The files that are checked; what neither is in them nor has evidence there is left out.
        files: What the files hold.
        rules: All rules that are installed.
        applied: The settings of the files.
        silenced: Where the findings go that comments hide, each with the reason of its comment.
    """
    silenced = [] if silenced is None else silenced
    known = KnownRules(rules)
    by_path: dict[str, list[RuleFinding]] = defaultdict(list)
    for each in found:
        each = _told(each, given)
        if each.code in applied.active.get(each.location.path, ()):
            by_path[each.location.path].append(each)
    by_code = {rule.code: rule for rule in rules}
    shown: list[RuleFinding] = []
    hidden: list[RuleFinding] = []
    for path in sorted(applied.settings, key=Path):
        settings = applied.settings[path]
        for each in _not_suppressed(path, by_path[path], files, known, applied, silenced):
            rule, finding = by_code[each.code], each.finding
            if is_shown(rule, finding, settings):
                (hidden if is_hint(rule.narrowed(finding), finding, settings) else shown).append(each)
    whole, hints = ([each for each in by_cause(few, given) if _is_about(each, given)] for few in (shown, hidden))
    return whole, hints


class Sifted(NamedTuple):
    """The findings that are shown, the hints that are not, and what comments silence."""

    shown: list[Diagnostic]
    hints: list[Diagnostic]
    silenced: list[Silenced]
    """Those that comments hide."""


def _not_suppressed(
    path: str,
    found: list[RuleFinding],
    files: Contents,
    known: KnownRules,
    applied: FileSettings,
    silenced: list[tuple[RuleFinding, str]],
) -> list[RuleFinding]:
    """What the comments of a file do not silence, with what there is to say about the comments."""
    document, active = files.documents.get(path), applied.active[path]
    crashes: list[RuleFinding] = []
    with contained(crashes, "reading the suppression comments", Location(path, 0, 0)):
        if document is not None:
            suppressions = files.suppressions(document)
            settings = applied.settings[path]
            found = shown_findings(
                found, document, suppressions, settings, known=known, active=active, silenced=silenced
            )
    return [*found, *(each for each in crashes if each.code in active)]


def _is_about(found: RuleFinding, given: Collection[str]) -> bool:
    places = (found.location, *(each.location for each in found.finding.evidence))
    return any(place.path in given for place in places)


def _told(found: RuleFinding, checked: Collection[str]) -> RuleFinding:
    """A finding where it is shown: a fault of ours in a merely imported file is reported in one that is checked."""
    if found.code != CRASHED or found.location.path in checked:
        return found
    finding = found.finding
    evidence = (Evidence("it was working on this file", finding.location), *finding.evidence)
    return RuleFinding(CRASHED, replace(finding, location=Location(next(iter(checked)), 0, 0), evidence=evidence))


def _on_one_line(finding: Finding, files: Contents) -> Finding:
    """A finding whose places are one line each: an editor underlines the header of a loop, never its body."""

    def shortened(place: Location) -> Location:
        document = files.documents.get(place.path)
        return document.on_one_line(place) if document is not None else place

    evidence = tuple(replace(each, location=shortened(each.location)) for each in finding.evidence)
    return replace(finding, location=shortened(finding.location), evidence=evidence)


def _diagnostic(finding: Finding, rule: Rule, settings: Settings) -> Diagnostic:
    """A finding with what its rule says of all its findings, and what the settings say of the rule."""
    consequence = finding.consequence or rule.info.consequence
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        message=worded(finding.message, consequence),
        location=finding.location,
        severity=severity_of(rule, settings, finding.severity),
        confidence=finding.confidence or rule.info.confidence,
        evidence=finding.evidence,
        symptom=rule.info.symptom,
        fix_pattern=rule.info.fix_pattern,
        help=help_beside(finding.help or rule.info.fix.advice, finding.fix),
        fix=_named(finding.fix, rule, settings),
        doubt=finding.doubt,
        ranks=finding.ranks,
        consequence=consequence or "",
        places=finding.places,
        jobs=finding.jobs,
        unfixable=finding.unfixable or ("" if finding.fix else rule.info.fix.reason_for_none),
    )


def _named(fix: Fix | None, rule: Rule, settings: Settings) -> Fix | None:
    """A fix with the studies' name of what it does, and as safe as the settings say."""
    if fix is None:
        return None
    fix = replace(fix, pattern=fix.pattern or rule.info.fix_pattern)
    if heaviest(settings.unfixable, rule.info) >= 0:
        return replace(
            fix, applicability=Applicability.DISPLAY_ONLY, reason="the configuration lists it as `unfixable`"
        )
    safe = heaviest(settings.extend_safe_fixes, rule.info)
    unsafe = heaviest(settings.extend_unsafe_fixes, rule.info)
    if fix.applicability is Applicability.UNSAFE and safe > unsafe:
        return replace(fix, applicability=Applicability.SAFE, reason="")
    if fix.applicability is Applicability.SAFE and unsafe >= max(safe, 0):
        return replace(fix, applicability=Applicability.UNSAFE, reason="the configuration says so")
    return fix
