"""The join of logs and code: which lines may be what went wrong, the likeliest first, each with what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.diagnose.causes import Cause
from ddl_lint.diagnose.code import Code, Site, Spot
from ddl_lint.diagnose.facts import Frame, LogPlace, Raised
from ddl_lint.diagnose.operations import Fit, fits, is_usual
from ddl_lint.diagnose.phrases import Phrases
from ddl_lint.diagnose.symptom import Symptom, Wait
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence, Severity
from ddl_lint.source.span import Location

Reason: TypeAlias = Literal["finding", "rank-condition", "data-condition", "raised", "waits", "silent"]
"""A rule finds a fault there; the call depends on a condition on the rank, or on data; Python stopped there; a rank
waited there, and the code gives no reason; a rule finds a fault there that leaves no line in a log."""

_AT_LINE = 100
_IN_EVIDENCE = 80
_IN_CALLERS = 45
_BY_RULE = 70
_BY_MESSAGE = 62
_BY_OPERATION = 35
_BY_RANKS = 20
_OF_THE_KIND = 20
_ONLY_ONE = 15
_RANK_CONDITION = 60
_DATA_CONDITION = 40
_RAISED = 55
_WAITED = 30
_ELSEWHERE = 20
_NEAR = 12
_LINES_BEFORE = 15
_OF_THIS_TYPE = 90
_OF_ANOTHER_KIND = 52
_LEAST = 35
_MOST = 8

_SAYS_NOTHING = ("RuntimeError", "ValueError", "TypeError", "AssertionError", "Exception", "OSError", "KeyError")
_EXCEPTION = re.compile(r"\b[A-Z]\w+(?:Error|Exception)\b")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may be what went wrong."""

    spot: Spot
    reason: Reason
    message: str
    score: int
    by_frame: bool
    """Whether a frame of the log leads there."""

    why: tuple[str, ...] = ()
    finding: Diagnostic | None = None
    communication: Communication | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A line that the log names: innermost in the code, or a caller of it."""

    spot: Spot
    place: LogPlace
    rank: int | None
    is_innermost: bool
    is_raised: bool
    calls_library: bool = False
    """Whether it calls a library that may have called code of the project again, such as a trainer its hooks."""


@dataclass(slots=True)
class _Weight:
    """What speaks for a finding."""

    score: int = 0
    why: list[str] = field(default_factory=list[str])
    by_frame: bool = False
    moved: bool = False

    def add(self, score: int, why: str = "") -> None:
        self.score += score
        if why and why not in self.why:
            self.why.append(why)


def candidates(symptom: Symptom, cause: Cause, code: Code, phrases: Phrases) -> list[Candidate]:
    """The lines that may be what went wrong; none where nothing in the code speaks for any."""
    join = _Join(symptom, cause, code, phrases)
    found = [*join.findings(), *join.conditions(), *join.stops()] or [*join.silent()]
    found.sort(key=lambda each: (-each.score, each.spot.moved, each.spot.path, each.spot.line))
    kept: list[Candidate] = []
    for each in found:
        if each.score >= _LEAST and not any(_says_the_same(other, each) for other in kept):
            kept.append(each)
    return kept[:_MOST]


def _says_the_same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are one line; what a rule finds there is more than that a rank stopped."""
    is_more = one.finding is None and other.finding is not None
    return (one.spot.path, one.spot.line) == (other.spot.path, other.spot.line) and not is_more


@dataclass(slots=True)
class _Join:
    symptom: Symptom
    cause: Cause
    code: Code
    phrases: Phrases
    anchors: list[_Anchor] = field(init=False)
    waits: list[tuple[Wait, Sequence[Site]]] = field(init=False)
    scripts: frozenset[str] = field(init=False)
    """The scripts of the code that the log names, if it names any."""

    program: frozenset[str] = field(init=False)
    """Their files, and those that they import."""

    def __post_init__(self) -> None:
        self.anchors = list(self._anchors())
        self.scripts = frozenset(self._scripts())
        self.program = self.code.programs_of(self.scripts)
        self.waits = [(wait, self._sites_of(wait)) for wait in _different(self.symptom.waits)] if self._hangs else []

    @property
    def _hangs(self) -> bool:
        return self.cause.waits

    # --- where the log leads ---

    def _scripts(self) -> Iterator[str]:
        """Those that were launched, as the log says or the outermost frames show."""
        symptom = self.symptom
        if self.code.job is not None:
            yield self.code.job.script
        named = [Frame(name, 1) for name in symptom.files]
        stacks = [wait.frames for wait in symptom.waits[:_MOST_WAITS]]
        stacks += [symptom.raised.frames] if symptom.raised is not None else []
        named += [frame for frames in stacks for frame in frames if frame.function == "<module>"]
        for frame in named:
            spot = self.code.where(frame)
            if spot is not None:
                yield spot.path

    @property
    def _sites(self) -> Sequence[Site]:
        """The calls of the scripts that the log names; of all, where it names none."""
        if not self.scripts:
            return self.code.sites
        traces = (self.code.trace_of(script) for script in sorted(self.scripts))
        return [site for trace in traces if trace is not None for site in self.code.sites_of(trace)]

    def _anchors(self) -> Iterator[_Anchor]:
        raised = self.symptom.raised
        if raised is not None:
            yield from self._of_frames(raised.frames, raised.place, raised.rank, is_raised=True)
        if self._hangs:
            for wait in self.symptom.waits[:_MOST_WAITS]:
                yield from self._of_frames(wait.frames, wait.place, wait.rank, is_raised=False)

    def _of_frames(
        self, frames: Sequence[Frame], place: LogPlace, rank: int | None, *, is_raised: bool
    ) -> Iterator[_Anchor]:
        inner = list(reversed(frames))
        spots = [(at, spot) for at, frame in enumerate(inner) if (spot := self.code.where(frame)) is not None]
        for index, (at, spot) in enumerate(spots):
            calls_library = any(not _CALLS_NOTHING.search(frame.file) for frame in inner[:at])
            yield _Anchor(spot, place, rank, index == 0, is_raised, calls_library)

    # --- what rules find ---

    def findings(self) -> Iterator[Candidate]:
        """The findings of a check that the log speaks for."""
        listed = [(finding, False) for finding in self.code.findings if self.code.concerns(finding)]
        listed += [(finding, True) for finding in self.code.hints if self.code.concerns(finding)]
        weights = [(finding, is_hint, self._weight(finding)) for finding, is_hint in listed]
        strong = [weight for _, _, weight in weights if weight.score > 0]
        for finding, is_hint, weight in weights:
            spot = self.code.spot(finding.location)
            if spot is None or weight.score <= 0:
                continue
            if len(strong) == 1 and not self.anchors:
                weight.add(_ONLY_ONE, "it is the only finding that fits")
            score = weight.score - (12 if is_hint else 0)
            score -= 5 if finding.confidence is not Confidence.HIGH or finding.doubt else 0
            score -= 3 if finding.severity is Severity.INFO else 0
            shown = self._communication_of(finding, spot)
            yield Candidate(
                replace(spot, moved=weight.moved),
                "finding",
                finding.message,
                score,
                weight.by_frame,
                tuple(weight.why),
                finding,
                shown,
                finding.location,
            )

    def _weight(self, finding: Diagnostic) -> _Weight:
        weight = _Weight()
        is_hang = finding.consequence == "hang"
        by_rule = finding.name in self.cause.rules
        if by_rule:
            position = min(self.cause.rules.index(finding.name), 15)
            if self._hangs and is_hang:
                weight.add(_OF_THE_KIND - position // 3)
            else:
                weight.add(_BY_RULE - position, f"{finding.code} is a known cause of this message")
        elif self._hangs:
            weight.add(_OF_THE_KIND - 10 if is_hang else -_AT_LINE)
        raised = self.symptom.raised
        explains = raised is not None and self.phrases.explains(finding.name, raised.text)
        if explains:
            weight.add(_BY_MESSAGE, f"{finding.code} explains this very message")
        if not self._hangs and is_hang and not by_rule:
            weight.add(-_AT_LINE)
        self._weigh_places(finding, weight)
        if self._hangs and not weight.by_frame:
            self._weigh_operations(finding, weight)
        if not self._hangs and not weight.by_frame and not by_rule and weight.score < _BY_MESSAGE:
            weight.score = 0
        if raised is not None and not by_rule and not explains:
            most = _OF_THIS_TYPE if self._raises(finding, raised) else _OF_ANOTHER_KIND
            weight.score = min(weight.score, most)
        if not weight.by_frame and not self._is_of_its_program(finding):
            weight.score = 0
        if self.anchors and not weight.by_frame:
            self._weigh_distance(finding, weight, is_hang=is_hang)
        return weight

    def _raises(self, finding: Diagnostic, raised: Raised) -> bool:
        """Whether a rule says that this ends in an exception of this type, if the type says something by itself."""
        if raised.exception in _EXCEPTION.findall(finding.message):
            return True
        says_something = finding.consequence in ("crash", "race") and raised.exception not in _SAYS_NOTHING
        return says_something and raised.exception in self.phrases.exceptions(finding.name)

    def _weigh_distance(self, finding: Diagnostic, weight: _Weight, *, is_hang: bool) -> None:
        """What it says of a finding that frames lead to other lines."""
        path, line = self._line(finding.location)
        here = [anchor.spot.line for anchor in self.anchors if anchor.spot.path == path]
        is_near = any(0 <= below - line <= _LINES_BEFORE for below in here)
        inner = [anchor for anchor in self.anchors if anchor.is_innermost]
        if self._hangs and is_hang and all(anchor.calls_library for anchor in inner):
            weight.score = _LEAST + _NEAR
            weight.add(0, "the library that the log shows ranks in runs code of the project, too")
        elif self._hangs and is_hang:
            weight.score = min(weight.score, _LEAST) + (_NEAR if is_near else 0)
            if is_near:
                weight.add(0, "it is shortly before the line that the log shows")
        elif not here:
            weight.add(-_ELSEWHERE if path.endswith((".py", ".ipynb")) else 0)
        elif (
            is_near
            and weight.score < _LEAST
            and finding.consequence in ("crash", "data-loss")
            and self.symptom.raised is not None
        ):
            weight.score = _LEAST + _NEAR // 3
            weight.add(0, "it is shortly before the line that the log shows")

    def _weigh_places(self, finding: Diagnostic, weight: _Weight) -> None:
        """What frames say for a finding: the closest of its places to the innermost line of the log counts."""
        own = [finding.location, *finding.places]
        evidence = [each.location for each in finding.evidence]
        best: tuple[int, str] = (0, "")
        for anchor in self.anchors:
            what = _did(anchor)
            for score, locations in ((_AT_LINE, own), (_IN_EVIDENCE, evidence)):
                if any(self._covers(location, anchor.spot) for location in locations):
                    value = score if anchor.is_innermost else min(score, _IN_CALLERS)
                    line = "this line" if score == _AT_LINE else "a line of its evidence"
                    weight.moved |= anchor.spot.moved
                    best = max(best, (value, f"the log shows that {what} at {line} ({_place(anchor.place)})"))
        if best[0]:
            weight.by_frame = True
            weight.add(*best)

    def _weigh_operations(self, finding: Diagnostic, weight: _Weight) -> None:
        """What the collectives that ranks wait in say for a finding, where no frame leads to it."""
        lines = {self._line(each) for each in (finding.location, *(part.location for part in finding.evidence))}
        for wait, sites in self.waits:
            if not wait.op:
                continue
            here = [site for site in self._sites if (site.spot.path, site.spot.line) in lines]
            if fitting := [site for site in here if site in sites]:
                weight.add(_BY_OPERATION, f"its call may be the `{wait.op}` that ranks wait in")
                weight.add(max(_usual(wait, site) for site in fitting))
            elif here:
                weight.add(-_BY_OPERATION)
        self._weigh_ranks(finding, weight)
        if not any(wait.op for wait, _ in self.waits) and weight.score > 0:
            weight.add(_OF_THE_KIND, "the log does not tell in which call ranks wait")

    def _weigh_ranks(self, finding: Diagnostic, weight: _Weight) -> None:
        """Whether the ranks that part in the log are those that part in the code: rank 0 from all others."""
        waiting = {wait.rank for wait in self.symptom.waits if wait.rank is not None}
        absent = set(self.symptom.absent)
        if not waiting or not absent or _FIRST not in {finding.ranks, *(each.ranks for each in finding.evidence)}:
            return
        if {0} in (waiting, absent):
            weight.add(_BY_RANKS, "rank 0 has parted from the others in the log as well")
        elif waiting - {0} and absent - {0}:
            weight.add(-_BY_RANKS)

    def silent(self) -> Iterator[Candidate]:
        """Where nothing in the log leads to a line: the findings of a check that end so without a line in a log."""
        for finding in self.code.findings if not self.symptom.waits and self.symptom.raised is None else ():
            spot = self.code.spot(finding.location)
            if spot is None or finding.consequence != self.cause.silent or not self._is_of_its_program(finding):
                continue
            score = _LEAST + finding.severity.rank - (1 if finding.doubt else 0)
            shown = self._communication_of(finding, spot)
            why = ("nothing in the log leads to this line; a check finds it, and such a fault leaves no line there",)
            yield Candidate(
                spot, "silent", finding.message, score, False, why, finding, shown, finding.location
            )  # fmt: skip

    def _is_of_its_program(self, finding: Diagnostic) -> bool:
        """Whether a finding may be in what the log names: its launch, and the files of its scripts."""
        path = finding.location.path
        is_code = path.endswith((".py", ".ipynb"))
        return self.code.concerns(finding) and (not self.program or not is_code or path in self.program)

    # --- what conditions say ---

    def conditions(self) -> Iterator[Candidate]:
        """Conditions around the calls that ranks wait in."""
        if not self._hangs:
            return
        for wait, sites in self.waits:
            by_frame = bool(wait.frames) and any(not anchor.is_raised for anchor in self.anchors)
            for site in sites:
                for block in reversed(site.blocks):
                    spot = self.code.spot(block.location)
                    if not block.varies or spot is None:
                        continue
                    of_rank = block.varies == "rank"
                    score = (_RANK_CONDITION if of_rank else _DATA_CONDITION) - (0 if by_frame else 25)
                    on = "the rank" if of_rank else "data that each rank has by itself"
                    yield Candidate(
                        spot,
                        "rank-condition" if of_rank else "data-condition",
                        f"Possible hang: whether ranks call `{site.names[0]}` depends on {on} (`{block.text}`)",
                        score,
                        by_frame,
                        (f"it decides about the call of `{site.names[0]}` that ranks wait in",),
                        None,
                        site.communication,
                        block.location,
                    )

    def stops(self) -> Iterator[Candidate]:
        """The lines at which the log itself says that a rank stopped."""
        raised = self.symptom.raised
        for anchor in self.anchors:
            if not anchor.is_innermost:
                continue
            text = self.code.text(anchor.spot)
            who = "a rank" if anchor.rank is None else f"rank {anchor.rank}"
            if anchor.is_raised and raised is not None:
                message = f"{raised.short} (raised on {who} from this line)"
                why = (f"the traceback of {who} ends here ({_place(anchor.place)})",)
                yield Candidate(anchor.spot, "raised", message, _RAISED, True, why)
            elif not anchor.is_raised:
                message = f"{who} waited in this call (`{text}`)"
                why = (
                    f"the log shows where {who} waited ({_place(anchor.place)})",
                    "no rule finds a fault at this call",
                )
                yield Candidate(anchor.spot, "waits", message, _WAITED + 10, True, why)

    # --- sites ---

    def _sites_of(self, wait: Wait) -> Sequence[Site]:
        """The calls of the code in which a rank may wait: that of its frames, else all that fit the collective."""
        for frame in reversed(wait.frames):
            spot = self.code.where(frame)
            if spot is None:
                continue
            sites = [site for site in self._sites if self._covers(site.location, spot)]
            if not sites:
                shown = self.code.trace_at(spot)
                there = self.code.sites_of(shown) if shown is not None else ()
                sites = [site for site in there if self._covers(site.location, spot)]
            return sites
        if not wait.op:
            return ()
        fitting: dict[Fit, list[Site]] = {"well": [], "maybe": [], "no": []}
        for site in self._sites:
            fitting[fits(wait.op, wait.numel, *site.names)].append(site)
        return fitting["well"] or fitting["maybe"]

    def _communication_of(self, finding: Diagnostic, spot: Spot) -> Communication | None:
        """The trace that shows a finding."""
        if finding.consequence != "hang":
            return None
        line = self._line(finding.location)
        for communication in self.code.traces if self.code.job is None else ():
            if any(gap.place is not None and self._line(gap.place) == line for gap in communication.gaps):
                return communication
        return self.code.trace_at(spot)

    def _line(self, location: Location) -> tuple[str, int]:
        document = self.code.document(location.path)
        return location.path, 0 if document is None else document.position(location.start)[0]

    def _covers(self, location: Location, spot: Spot) -> bool:
        """Whether a line is in a place of a few lines: a call that is written on several."""
        if location.path != spot.path:
            return False
        document = self.code.document(location.path)
        if document is None:
            return False
        first, last = document.position(location.start)[0], document.position(location.end)[0]
        return first <= spot.line <= min(last, first + _LINES_OF_A_CALL) if last > first else first == spot.line


def _usual(wait: Wait, site: Site) -> int:
    """How usual it is that a call sends so much."""
    return _BY_RANKS // 2 if is_usual(wait.op, wait.numel, *site.names) else 0


_CALLS_NOTHING = re.compile(
    r"torch[/\\](?!nn[/\\]modules|optim)|horovod[/\\]|deepspeed[/\\](?:comm|utils)[/\\]|<frozen "
)
"""Files of libraries in which no code of the project is called."""

_FIRST = "rank 0"
_LINES_OF_A_CALL = 12
_MOST_WAITS = 64


def _different(waits: Iterable[Wait]) -> list[Wait]:
    """Waits that differ in what is known of the call."""
    found: dict[tuple[object, ...], Wait] = {}
    for wait in waits:
        found.setdefault((wait.op, wait.numel, wait.frames[-6:]), wait)
    return list(found.values())[:_MOST_WAITS]


def _did(anchor: _Anchor) -> str:
    who = "a rank" if anchor.rank is None else f"rank {anchor.rank}"
    if anchor.is_raised:
        return f"{who} failed" if anchor.is_innermost else f"{who} failed in a call"
    return f"{who} waited" if anchor.is_innermost else f"{who} waited in a call"


def _place(place: LogPlace) -> str:
    name = re.split(r"[\\/]", place.file)[-1]
    return f"{name}:{place.line}" if place.line else name
