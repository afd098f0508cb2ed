"""What a check reports: a finding with all that is known of it. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ddl_lint.finding import Confidence, Evidence, Fix, JobOfFinding, Severity
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A fault at a place, complete: what its rule says here and of all its findings, as the settings want it."""

    code: str
    """Of the rule, such as `DDL201`."""

    name: str
    """Of the rule, such as `missing-init-process-group`."""

    message: str
    location: Location
    severity: Severity
    confidence: Confidence
    evidence: tuple[Evidence, ...] = ()
    symptom: str = ""
    """The studies' name of what the user sees; empty for a rule of the engine. So for `fix_pattern`."""

    fix_pattern: str = ""
    help: str = ""
    fix: Fix | None = None
    unfixable: str = ""
    """Why there is no fix."""

    doubt: str = ""
    """Why it may be of no consequence here, as a half sentence."""

    ranks: str = ""
    """The ranks that get there, such as `rank 0`; empty where the finding is not about some of them."""

    consequence: str = ""
    """What it costs, such as `hang`, with which the message begins; empty for a rule of the engine."""

    places: tuple[Location, ...] = ()
    """Further places of the same cause."""

    jobs: tuple[JobOfFinding, ...] = ()
    """The jobs of several processes that launches start the script as, whether they meet the fault or not."""

    @property
    def met_in(self) -> Literal["each", "some", "none", ""]:
        """Which of these jobs meet it; empty where no launch is known."""
        met = {job.is_met for job in self.jobs}
        return ("some" if len(met) == 2 else "each" if True in met else "none") if met else ""


@dataclass(frozen=True)
class Silenced:
    """A finding that people are not asked about any more."""

    diagnostic: Diagnostic
    by: Literal["comment", "baseline"]
    reason: str = ""
    """What the comment says."""
