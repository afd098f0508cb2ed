"""Tells a started process who it is by what its function gets."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Rank,
    RunView,
    Unfixable,
    WorldSize,
    code,
    file_of,
    insert_before,
    render_idiom,
    replace_expression,
    spelled_at,
    variable_of,
    way,
)
from ddl_lint.rulekit.events import SetEnvironment
from ddl_lint_rules.communication_setup.init_rank_world_size.fix import fix as give_numbers

_DOUBT = "On several nodes the process index is not the rank"


def instead_of_reading(run: RunView, read: Event) -> Fix:
    """The index that the process got, or the number of processes, for `int(os.environ[...])`."""
    step = way(run, read)[-1]
    file = file_of(run, read.location)
    meaning = run.api.conventions.environment[variable_of(read) or ""]
    wanted = (Rank("local"), Rank("global")) if meaning.kind == "rank" else (WorldSize("global"),)
    known = next(filter(None, (spelled_at(run, value, read, step, step.place) for value in wanted)), None)
    if known is None:
        raise Unfixable("cannot tell which variable of the process holds it")
    target: code.Expression = file.node(read.location, code.Subscript)
    around = file.around(read.location, code.Call)
    if around is not None and around.args == [target] and file.source(around.func) == "int":
        target = around
    edits = (replace_expression(file, target, known.text),)
    return Fix("Use the argument that the process gets", edits, Applicability.UNSAFE, _DOUBT)


def told(run: RunView, init: Event, roles: Sequence[str]) -> Fix:
    """The rank and the number of processes as arguments, and a place to meet."""
    numbers = give_numbers(run, init, roles)
    step = way(run, init)[-1]
    edits = numbers.edits
    if not any((variable_of(event) or "").startswith("MASTER") for event in run.events(SetEnvironment)):
        wording = render_idiom(run, step.place, init.api, "meet_here")
        edits += (*wording.imports, *insert_before(step.place, wording.text))
    return Fix(
        "Pass rank and world size to the process group", tuple(dict.fromkeys(edits)), Applicability.UNSAFE, _DOUBT
    )
