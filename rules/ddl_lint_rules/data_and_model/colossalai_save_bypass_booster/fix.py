"""Lets the Booster save."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    File,
    Fix,
    Object,
    Place,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    insert_before,
    is_rank_guarded,
    objects,
    rank_guards,
    remove,
    render_idiom,
    replace_expression,
    replace_statement,
    value_of,
)
from ddl_lint.rulekit.domain import State, Trained
from ddl_lint.rulekit.events import Prepare

_IDIOMS = {"model": ("model", "save_model"), "optimizer": ("optimizer", "save_optimizer")}


def fix(run: RunView, save: Event, state: Object, kind: str) -> Fix:
    """`torch.save(model.state_dict(), path)` to `booster.save_model(model, path)`."""
    file = file_of(run, save.location)
    call, place = file.node(save.location, code.Call), file.place(save.location)
    content, path = argument_of(run, save.api, call, "object"), argument_of(run, save.api, call, "path")
    written = value_of(content) if content is not None else None
    taken = written.func.value if isinstance(written, code.Call) and isinstance(written.func, code.Attribute) else None
    name = dotted(taken) if taken is not None else None
    if name is None or path is None or not isinstance(place.statement, code.Evaluate) or kind not in _IDIOMS:
        raise Unfixable("the state is saved together with other things")
    hole, idiom = _IDIOMS[kind]
    owner = next(iter(objects(State(state).model)))
    (booster,) = Trained(owner).trainers or (None,)
    if booster is None:
        raise Unfixable("the Booster has no name here")
    made = next((event for event in run.events(Prepare) if booster.api and event.api.startswith(booster.api)), None)
    if made is None:
        raise Unfixable("the Booster has no name here")
    trainer = _trainer(run, booster, save)
    holes = {"trainer": trainer, hole: name, "path": file.source(value_of(path))}
    said = render_idiom(run, place, made.api, idiom, **holes)
    return Fix(
        "Let the Booster save",
        (*_on_all_ranks(save, file, place, said.text), *said.imports),
        Applicability.UNSAFE,
        "what reads the file has to read it with the Booster, too",
    )


def _on_all_ranks(save: Event, file: File, place: Place, new: str) -> Iterable[Edit]:
    """The call in the place of the statement, or before the guard that lets only some ranks through."""
    guards = rank_guards(save.context)
    if not guards and not is_rank_guarded(save):
        return [replace_expression(file, place.statement, new)]
    outer = place.outer(code.If)
    inside = outer.statement if outer is not None else None
    if len(guards) != 1 or outer is None or not isinstance(inside, code.If) or inside.body is not place.block:
        raise Unfixable("all ranks have to call the Booster, and only some get here")
    if len(place.block) > 1:
        return [*insert_before(outer, new), *remove(place)]
    if inside.orelse or outer.is_elif:
        raise Unfixable("all ranks have to call the Booster, and only some get here")
    return replace_statement(outer, new)


def _trainer(run: RunView, booster: Object, save: Event) -> str:
    """The name of the Booster where the state is saved."""
    file = file_of(run, booster.location)
    statement = file.place(booster.location).statement
    targets = statement.targets if isinstance(statement, code.Assign) else ()
    name = dotted(targets[0]) if len(targets) == 1 else None
    same = booster.location.path == save.location.path
    place = file.place(save.location) if same else None
    if name is None or place is None or place.function is not file.place(booster.location).function:
        raise Unfixable("the Booster has no name here")
    return name
