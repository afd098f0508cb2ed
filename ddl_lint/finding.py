"""What a rule says. Data only; no layer of ours but `source` is needed to read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from ddl_lint.claim import Claim, ConsequenceName
from ddl_lint.source.span import Location


class Severity(str, Enum):
    """Which jobs of the project meet a finding, independent of how sure we are of it."""

    ERROR = "error"
    """Each job that the project starts fails, or computes something wrong; where it starts none, each of two or more
    ranks."""

    WARNING = "warning"
    """Some jobs do."""

    INFO = "info"
    """It is true and harmless, or no job of the project meets it: a hint in an editor, and shown with `--pedantic`."""

    @property
    def rank(self) -> int:
        """Order of severities: the higher, the worse."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Confidence(str, Enum):
    """How sure a finding is. The default set holds the rules of high confidence."""

    HIGH = "high"
    MEDIUM = "medium"


class Applicability(str, Enum):
    """Who may apply a fix: `--fix`, `--unsafe-fixes`, or only a person."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "display-only"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place of the chain that proves a finding, in the order in which a reader should follow it."""

    message: str
    location: Location
    ranks: str = ""
    """The ranks that get there, such as `rank 0` or `the other ranks`; empty where it is not about some of them."""


@dataclass(frozen=True, slots=True)
class JobOfFinding:
    """A job that a launch of the project starts the script of a finding as."""

    place: Location
    """Of the launch."""

    world_size: int | None
    """How many processes it has, on how many nodes; None where that is not known."""

    nodes: int | None
    is_met: bool
    """Whether it meets the fault."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace a range of a file by a text; an empty range inserts."""

    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A set of edits that belong together, with who may apply them and why."""

    title: str
    """What it does, in the imperative: `Move the call out of the guard`."""

    edits: tuple[Edit, ...]
    """In any files, none overlapping another."""

    applicability: Applicability
    reason: str = ""
    """Why it is not safe, in one sentence; empty for a safe one."""

    pattern: str = ""
    """The studies' name of what it does, such as `fix device assignment`; the engine fills it in."""

    isolation: str = ""
    """Fixes that share a name here are never applied in one round: each is right only while the others are not made."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault at a place, as its rule tells it; what the rule's `rule.yaml` says of all its findings is left out.

    The engine makes a `Diagnostic` of it.
    """

    message: str
    """What is wrong, without the consequence, which the engine puts before it."""

    location: Location
    evidence: tuple[Evidence, ...] = ()
    severity: Severity | None = None
    """None: that of the rule. So for `confidence` and `help`."""

    confidence: Confidence | None = None
    fix: Fix | None = None
    unfixable: str = ""
    """Why a rule that offers fixes has none for this place."""

    crash: str = ""
    """How ddl-lint failed in building the fix; the engine makes a finding of its own of that."""

    about: object = None
    """What the rule's `join` must know of it, as plain data."""

    help: str = ""
    doubt: str = ""
    """Why it may be of no consequence here, as a half sentence: the finding is of medium confidence, or a hint."""

    ranks: str = ""
    """As for `Evidence`: the ranks that get to the place of the finding itself."""

    consequence: ConsequenceName | None = None
    """What it costs; None: the first that the rule's `rule.yaml` lists."""

    cause: Location | str | None = None
    """What is to be changed, where that may show at several places, such as the statement that makes an object: the
    findings of one rule and one cause become one."""

    places: tuple[Location, ...] = ()
    """The other places that the cause shows at; the engine fills it in."""

    jobs: tuple[JobOfFinding, ...] = ()
    """The jobs of several processes that launches surely start; the engine fills it in."""

    def __post_init__(self) -> None:
        """Take a claim apart."""
        if isinstance(self.message, Claim):
            object.__setattr__(self, "consequence", self.consequence or self.message.consequence)
            object.__setattr__(self, "message", str(self.message))


_MOST_OF_ONE_LINE = 3
_SHOWN = 5


def summed_up(findings: Iterable[Finding], what: str) -> Iterator[Finding]:
    """The findings about one command line; of many, the first, which says how many more there are: one cause is the
    likely one, and to read it once is enough.
    """
    found = list(findings)
    if len(found) <= _MOST_OF_ONE_LINE:
        yield from found
        return
    first, *others = found
    shown = tuple(Evidence(other.message, other.location) for other in others[:_SHOWN])
    message = f"{first.message} (and {len(others)} more {what} of this command)"
    unfixable = "" if first.fix is None else "so many at once have another cause"
    yield replace(first, message=message, evidence=(*first.evidence, *shown), fix=None, unfixable=unfixable)


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A finding, and the code of the rule that it is of."""

    code: str
    finding: Finding

    @property
    def location(self) -> Location:
        """Where the fault is."""
        return self.finding.location
