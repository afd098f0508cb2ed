"""Gives a sampler the rank and the number of processes of the whole job."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    Rank,
    RunView,
    Unfixable,
    WorldSize,
    argument_of,
    code,
    file_of,
    has_group,
    render_idiom,
    replace_expression,
    speaker,
    spelling_of,
    value_of,
)

_WORDS = {"rank": (Rank("global"), "rank"), "replicas": (WorldSize("global"), "world_size")}
"""Role -> what it must be worth, and the idiom for it."""


def fix(run: RunView, sampler: Event, wrong: Sequence[str], reason: str) -> Fix:
    """`rank=local_rank` to `rank=dist.get_rank()`, or to the name that the program has for it.

    Args:
        project: The project.
        run: The run of the sampler.
        sampler: The call that builds it.
        wrong: The roles that are given a number of one node.
        reason: Why the fix is not safe; empty where it is.
    """
    file = file_of(run, sampler.location)
    call = file.node(sampler.location, code.Call)
    place = file.place(sampler.location)
    edits: list[Edit] = []
    for role in wrong:
        given = argument_of(run, sampler.api, call, role)
        if given is None:
            raise Unfixable(f"`{role}` is not written in the call")
        value, idiom = _WORDS[role]
        text = spelling_of(run, value, sampler)
        if text is None:
            if not has_group(run, sampler):
                raise Unfixable("there may be no process group yet when the sampler is built")
            said = render_idiom(run, place, speaker(run, sampler.api), idiom)
            text = said.text
            edits.extend(edit for edit in said.imports if edit not in edits)
        edits.append(replace_expression(file, value_of(given), text))
    title = "Pass the global rank" if list(wrong) == ["rank"] else "Pass the world size"
    return Fix(title, tuple(edits), Applicability.UNSAFE if reason else Applicability.SAFE, reason)
