"""All divergences of a project, each fault once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.divergence import Divergence, divergences
from ddl_lint.analysis.ranks.timeline import Timeline, timeline
from ddl_lint.analysis.ranks.together import spans_processes
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program import code
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.program.trace import Context

Family: TypeAlias = Literal["chief", "group", "pass", "state", "call", "turn"]
"""What does not meet: something under a multi-worker strategy, the creation of a group, a forward or backward, the
gathering of state, any other call, the next turn of a loop. Each has a message and a mending of its own."""

_FAMILIES: dict[str, Family] = {
    "new_group": "group",
    "forward": "pass",
    "backward": "pass",
    "optimizer_step": "pass",
    **dict.fromkeys(("state_dict", "save_sharded", "load_sharded", "save", "load", "load_state"), "state"),
}


_UNDER_STRATEGY = (CollectiveWhen.MULTI_WORKER_STRATEGY, CollectiveWhen.SAVES_METRICS)


@dataclass(frozen=True, eq=False)
class Found:
    """A divergence, and the run in which it was found."""

    run: RunView
    divergence: Divergence

    @property
    def family(self) -> Family:
        """What kind of call it is at which ranks do not meet."""
        event = self.divergence.step.event
        if event is None:
            return "turn"
        if event.collective_when in _UNDER_STRATEGY and spans_processes(self.run):
            return "chief"
        return _FAMILIES.get(event.kind, "call")


def survey(project: ProjectView) -> tuple[Found, ...]:
    """What the rules about ranks choose from."""
    return project.once(_survey)


def timelines(project: ProjectView) -> dict[RunView, Timeline]:
    """The timeline of each run that has one."""
    return project.once(_timelines)


def _timelines(project: ProjectView) -> dict[RunView, Timeline]:
    made = ((run, run.once(timeline, project.api)) for run in project.runs)
    return {run: each for run, each in made if each.steps}


def _divergences(run: RunView, api: ApiIndex) -> list[Divergence]:
    return divergences(run.once(timeline, api))


def _survey(project: ProjectView) -> tuple[Found, ...]:
    by_place: dict[object, list[Found]] = defaultdict(list)
    for found in (*_of_scripts(project), *_of_libraries(project)):
        by_place[found.divergence.place].append(found)
    return tuple(min(same, key=_weight) for same in by_place.values())


def _of_scripts(project: ProjectView) -> Iterator[Found]:
    for run in timelines(project):
        if run.is_script:
            yield from (Found(run, each) for each in run.once(_divergences, project.api))


def _of_libraries(project: ProjectView) -> Iterator[Found]:
    """Functions that no script reaches. Several of one file may be halves of one protocol: one waits, the other lets
    go. Where what they lack makes up for each other, nothing can be said of them; nor of one that others call, which
    is looked at there.
    """
    called = _called(project)
    by_file: dict[str, list[Found]] = defaultdict(list)
    for run in timelines(project):
        if not run.is_script:
            found = (Found(run, each) for each in run.once(_divergences, project.api))
            by_file[run.run.path].extend(each for each in found if _entered(each) not in called)
    for found in by_file.values():
        yield from _without_halves(found)


def _called(project: ProjectView) -> set[code.Function]:
    """The functions that are called by another one in some run."""
    seen: set[Context] = set()
    called: set[code.Function] = set()
    for made in timelines(project).values():
        for step in made.steps:
            inner: code.Function | None = None
            for node in step.context.chain():
                if node.function is not None:
                    if inner is not None:
                        called.add(inner)
                    inner = node.function
                if node in seen:
                    break
                seen.add(node)
            if inner is not None and made.run.is_script:
                called.add(inner)
    return called


def _entered(found: Found) -> code.Function | None:
    """The outermost function around a divergence: where its run begins."""
    around = [node.function for node in found.divergence.step.context.chain() if node.function is not None]
    return around[-1] if around else None


def _without_halves(found: Sequence[Found]) -> Iterator[Found]:
    for one in found:
        step, lacking = one.divergence.step, one.divergence.lacking.first.rank == 0
        halves = any(
            other.run is not one.run
            and other.divergence.step.name == step.name
            and (other.divergence.lacking.first.rank == 0) is not lacking
            for other in found
        )
        if not halves:
            yield one


_PLAINEST: tuple[Family, ...] = ("call", "group", "chief", "state", "pass", "turn")


def _weight(found: Found) -> tuple[int, int]:
    """Of several calls that one line leads to, the plainest is told of."""
    return _PLAINEST.index(found.family), found.divergence.step.order
