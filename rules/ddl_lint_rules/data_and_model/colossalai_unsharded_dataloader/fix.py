"""Lets the plugin make the loader."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Fix,
    Object,
    RunView,
    Unfixable,
    code,
    file_of,
    name_at,
    replace_expression,
)
from ddl_lint.rulekit.events import Delegate

_REFUSED = ("sampler", "batch_sampler", "worker_init_fn", "generator")
"""Arguments that the plugin gives to the loader itself."""


def fix(run: RunView, loader: Object, plugins: list[Object]) -> Fix:
    """`DataLoader(data, batch_size=8)` to `plugin.prepare_dataloader(data, batch_size=8)`."""
    file = file_of(run, loader.location)
    call, place = file.node(loader.location, code.Call), file.place(loader.location)
    if len(call.args) > 3 or any(isinstance(given, code.Starred) for given in call.args):
        raise Unfixable("the arguments of the loader have other places in the call of the plugin")
    if any(given.name is None or given.name in _REFUSED for given in call.keywords):
        raise Unfixable("an argument of the loader has no place in the call of the plugin")
    made = _made(run, plugins)
    name = f"{name_at(run, made, place)}.prepare_dataloader"
    return Fix(
        "Let the plugin make the loader",
        (replace_expression(file, call.func, name),),
        Applicability.UNSAFE,
        "an epoch becomes as many times shorter as there are ranks",
    )


def _made(run: RunView, plugins: list[Object]) -> Delegate:
    """The call that makes the plugin, if there is one only."""
    found = [event for event in run.events(Delegate) if any(event.location == made.location for made in set(plugins))]
    if len(found) != 1:
        raise Unfixable("which plugin is used is not known")
    return found[0]
