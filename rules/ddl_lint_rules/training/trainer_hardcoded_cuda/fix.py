"""Uses the device that the trainer has given the process."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Location,
    Place,
    RunView,
    Unfixable,
    code,
    file_of,
    name_at,
    objects,
    render_idiom,
    replace_expression,
)
from ddl_lint.rulekit.events import Delegate


def fix(run: RunView, trainer: Event | None, written: Location, index: int) -> Fix:
    """`"cuda:0"` to `accelerator.device`, or to `self.device` in a module that is trained."""
    file = file_of(run, written)
    place = file.place(written)
    owner = _trained_module(run, place, is_library=trainer is None)
    if owner is None and trainer is not None:
        owner = name_at(run, trainer, place)
    if owner is None:
        raise Unfixable("no variable holds the trainer's device here")
    said = render_idiom(
        run, place, trainer.api if trainer is not None else _framework(run, place), "device_of", trainer=owner
    )
    edit = replace_expression(file, _number(file, written, index), said.text)
    return Fix("Use the device of the process", (*said.imports, edit), Applicability.SAFE)


def class_around(run: RunView, written: Location) -> str | None:
    """The name of the class in whose method something is written."""
    try:
        inside = _class(file_of(run, written).place(written))
    except Unfixable:
        return None
    return inside.name if inside is not None else None


def _class(place: Place) -> code.Class | None:
    return next((node for node in place.owners if isinstance(node, code.Class)), None)


def _trained_module(run: RunView, place: Place, *, is_library: bool) -> str | None:
    """The first parameter of the method around a place, where the trainer trains modules of its class; of a class that
    other programs have trained, any.
    """
    known = {
        made.definition.definition.name
        for event in run.events(Delegate)
        for made in objects(event.result, "model")
        if made.definition is not None
    }
    inside, function = _class(place), place.function
    if inside is None or function is None or not function.parameters:
        return None
    if not is_library and inside.name not in known:
        return None
    if function.name == "__init__":
        raise Unfixable("the module has no device yet while it is built")
    return function.parameters[0].name


def _framework(run: RunView, place: Place) -> str:
    """The framework, among those that the file imports, whose trainers tell the device."""
    imported = {name.partition(".")[0] for name in place.file.module.imported}
    for package, framework in run.api.frameworks.items():
        if package in imported and run.api.idiom(framework, "device_of") is not None:
            return package
    raise Unfixable("cannot tell which trainer it is")


def _number(file: File, written: Location, index: int) -> code.Expression:
    """The literal that names the device, in a call or by itself."""
    literal = file.around(written, code.Literal)
    if literal is not None:
        return literal
    call = file.node(written, code.Call)
    given = [*call.args, *(each.value for each in call.keywords)]
    found = [each for each in given if isinstance(each, code.Literal) and type(each.value) in (int, str)]
    if len(given) != 1 or not found or str(index) not in str(found[0].value):
        raise Unfixable("the GPU number is not written here")
    return found[0]  # where a number or a text names a device, a device does as well
