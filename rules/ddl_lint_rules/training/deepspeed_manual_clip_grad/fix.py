"""Leaves the clipping to the engine."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Engine,
    Event,
    Fix,
    Place,
    RunView,
    Unfixable,
    add_entry,
    argument_of,
    code,
    documents_of,
    file_of,
    keyword,
    remove,
    render_idiom,
    scope_of,
    value_of,
    walk,
)


def fix(run: RunView, engine: Engine, clip: Event) -> Fix:
    """The call away, and its limit into the configuration: `"gradient_clipping": 1.0`."""
    file = file_of(run, clip.location)
    call, place = file.node(clip.location, code.Call), file.place(clip.location)
    given = argument_of(run, clip.api, call, "norm")
    limit = value_of(given) if given is not None else None
    if not clip.constants.get("own"):
        raise Unfixable("the engine can only clip by the norm of all gradients")
    if not isinstance(limit, code.Literal) or not isinstance(place.statement, code.Evaluate):
        raise Unfixable("the limit has to go into the configuration as a number")
    maker = file_of(run, engine.wrap.location)
    call_of_maker = maker.node(engine.wrap.location, code.Call)
    found = [keyword(call_of_maker, name) for name in documents_of(run, engine.wrap.api)]
    given_config = next((each.value for each in found if each is not None), None)
    table = _config(maker.place(engine.wrap.location), given_config)
    entry = render_idiom(run, maker.place(engine.wrap.location), engine.wrap.api, "clip_in_config").text
    if any(key is not None and maker.source(key)[1:-1] == entry[1:-1] for key, _ in table.items):
        edits = remove(place)
    else:
        edits = (*remove(place), add_entry(maker, table, f"{entry}: {file.source(limit)}"))
    return Fix(
        "Set gradient_clipping in the engine's configuration",
        edits,
        Applicability.UNSAFE,
        "gradients were not clipped until now; clipping them changes training",
    )


def _config(place: Place, written: code.Expression | None) -> code.Dictionary:
    """The dict with which an engine is made, where it is written in the call or bound once in its file."""
    if isinstance(written, code.Name):
        bound = [
            node.value
            for body in (scope_of(place), place.file.module.body)
            for node in walk(*body)
            if isinstance(node, code.Assign) and [place.file.source(target) for target in node.targets] == [written.id]
        ]
        written = bound[0] if bound and all(each is bound[0] for each in bound) else None
    if not isinstance(written, code.Dictionary):
        raise Unfixable("the configuration is in another file, where `gradient_clipping` has to be set")
    return written
