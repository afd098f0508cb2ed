"""Divides the data set among the replicas."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    dotted,
    file_of,
    name_at,
    render_idiom,
    replace_expression,
)

_REASON = "the batch must then be that of all replicas together"


def distribute(run: RunView, taken: Event, strategy: Event) -> Fix:
    """`for x, y in ds:` to `for x, y in strategy.experimental_distribute_dataset(ds):`."""
    file = file_of(run, taken.location)
    place = file.place(taken.location)
    loop = place.statement
    source = loop.iterable if isinstance(loop, code.For) else None
    while isinstance(source, code.Call) and dotted(source.func) in ("enumerate", "iter", "tqdm") and source.args:
        source = source.args[0]
    if source is None or (isinstance(source, code.Call) and dotted(source.func) == "zip"):
        raise Unfixable("the data set is not named in a loop")
    said = render_idiom(
        run, place, strategy.api, "distribute", strategy=name_at(run, strategy, place), dataset=file.source(source)
    )
    edits = (*said.imports, replace_expression(file, source, said.text))
    return Fix("Distribute the data set", edits, Applicability.UNSAFE, _REASON)
