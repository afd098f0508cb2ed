"""Registers the tensor: as a buffer, or as a parameter; moves a parameter before it is made one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddl_lint.rulekit import (
    Applicability,
    Const,
    Event,
    File,
    Fix,
    Object,
    Place,
    RunView,
    Span,
    Unfixable,
    as_lines,
    code,
    dotted,
    file_of,
    is_set_up,
    keyword,
    method_for,
    remove_argument,
    render_idiom,
    walk,
)

_PRIMARY = (code.Name, code.Attribute, code.Call, code.Subscript)
_BREAK_INSIDE = re.compile(r"(?<=[(\[])\s*\n\s*|,?\s*\n\s*(?=[)\]])")
_BREAK = re.compile(r"\s*\n\s*")


def fix_moved(run: RunView, tensor: Object, parameter: Object) -> Fix:
    """`Parameter(x).to(d)` to `Parameter(x.to(d))`."""
    file = file_of(run, tensor.location)
    whole, made = file.node(tensor.location, code.Call), file.node(parameter.location, code.Call)
    if not _is_chain(whole, made) or not made.args:
        raise Unfixable("the parameter is also used in a computation")
    data = made.args[0]
    steps = file.text[made.end : whole.end]
    if "#" in steps:
        raise Unfixable("there is a comment inside the call")
    steps = _BREAK.sub(" ", _BREAK_INSIDE.sub("", steps.replace("\r\n", "\n")))
    gone = file.edit(made.end, whole.end, "")
    if isinstance(data, _PRIMARY):
        edits = (file.edit(data.end, data.end, steps), gone)
    else:
        edits = (file.edit(data.start, data.start, "("), file.edit(data.end, data.end, f"){steps}"), gone)
    return Fix(
        "Move or cast the tensor before it becomes a parameter",
        edits,
        Applicability.UNSAFE,
        "the module gets one more parameter, which is trained and saved",
    )


def fix_trainable(run: RunView, store: Event, tensor: Object) -> Fix:
    """`self.x = torch.zeros(n, requires_grad=True)` to `self.x = nn.Parameter(torch.zeros(n))`."""
    file, place, assign, _, name = _attribute(run, store)
    value = assign.value
    if not isinstance(value, code.Call):
        raise Unfixable("the tensor is created elsewhere, where it may have other uses")
    _is_made_once(file, store, name)
    said = render_idiom(run, place, tensor.api or "", "parameter", tensor=_TENSOR)
    before, _, after = said.text.partition(_TENSOR)
    start, end = value.start, value.end
    flag = keyword(value, "requires_grad")
    edits = [file.edit(start, start, before), file.edit(end, end, after), *said.imports]
    if flag is not None and len(value.keywords) + len(value.args) > 1:
        edits.append(remove_argument(file, value, flag))
    return Fix(
        f"Make `{name}` a parameter of the module",
        tuple(edits),
        Applicability.UNSAFE,
        "the module gets one more parameter, which is trained and saved",
    )


_TENSOR = "the_tensor"


def fix_buffer(run: RunView, store: Event, owner: Object) -> Fix:
    """`self.x = tensor` to `self.register_buffer("x", tensor)`."""
    file, place, assign, target, name = _attribute(run, store, earliest=True)
    register = method_for(run, owner.api or "", "register_buffer")
    if register is None or assign.value is None:
        raise Unfixable("its class has no buffers")
    if not is_set_up(store, place.start):
        raise Unfixable("cannot tell whether `super().__init__()` has run before")
    equals = file.text.find("=", (assign.annotation or target).end)
    value = Span(equals + 1 + _blanks(file.text[equals + 1 : assign.end]), assign.end)
    call = f"{file.source(target.value)}.{register}({file.string(name)}, "
    if assign.annotation is not None:
        if not place.has_own_lines:
            raise Unfixable("another statement is on the same line")
        declared = as_lines(file, file.text[assign.start : assign.annotation.end], file.indent_at(assign.start))
        call = declared.lstrip() + file.indent_at(assign.start) + call
    return Fix(
        f"Register `{name}` as a buffer",
        (file.edit(assign.start, value.start, call), file.edit(value.end, value.end, ")")),
        Applicability.UNSAFE,
        "`state_dict()` gets a new key, which earlier checkpoints lack",
    )


def _attribute(
    run: RunView, store: Event, *, earliest: bool = False
) -> tuple[File, Place, code.Assign, code.Attribute, str]:
    """The statement that assigns the attribute, and nothing else; with `earliest` the first one of its function."""
    file = file_of(run, store.location)
    place = file.place(store.location)
    if earliest:
        place = _first(file, place, store)
    assign = place.statement
    if not isinstance(assign, code.Assign) or len(assign.targets) != 1 or assign.value is None:
        raise Unfixable("the attribute is not assigned on its own")
    (target,) = assign.targets
    if not isinstance(target, code.Attribute) or not isinstance(target.value, code.Name):
        raise Unfixable("the attribute is not assigned on its own")
    return file, place, assign, target, target.attr


def _first(file: File, place: Place, store: Event) -> Place:
    """The first statement of a function that assigns the attribute: what is registered there may be assigned later."""
    name, around, function = store.operands.get("name"), file.around(store.location, code.Class), place.function
    if not isinstance(name, Const) or not isinstance(name.value, str) or around is None or function is None:
        raise Unfixable("it is assigned outside of its class")
    targets = sorted((each for each in _targets(around) if each.attr == name.value), key=lambda each: each.start)
    if len(targets) > 1:
        outside = [each for each in targets if not function.start <= each.start < function.end]
        place = file.place(Span(targets[0].start, targets[0].end))
        if outside or not any(statement is place.statement for statement in function.body):
            raise Unfixable(f"`{name.value}` is assigned in several places")
    _is_free(around, name.value)
    return place


def _is_made_once(file: File, store: Event, name: str) -> None:
    """A name that the class binds in other places, too, cannot be registered here alone."""
    around = file.around(store.location, code.Class)
    if around is None:
        raise Unfixable("it is assigned outside of its class")
    targets = [target for target in _targets(around) if target.attr == name]
    if len(targets) > 1:
        raise Unfixable(f"`{name}` is assigned in several places")
    _is_free(around, name)


def _is_free(around: code.Class, name: str) -> None:
    """What the class has under a name of its own cannot be registered under that name."""
    declared = [each for each in around.body if isinstance(each, code.Assign) and each.value is not None]
    if any(isinstance(target, code.Name) and target.id == name for each in declared for target in each.targets):
        raise Unfixable(f"the class has an attribute `{name}` of its own")


def _targets(around: code.Class) -> Iterator[code.Attribute]:
    """The attributes that the methods of a class assign; what is put into a tensor leaves it in its place."""
    for node in walk(around):
        found: list[code.Expression] = []
        if isinstance(node, code.Assign):
            found = list(node.targets)
        elif isinstance(node, (code.Augment, code.For)):
            found = [node.target]
        for target in found:
            if isinstance(target, code.Display):
                found.extend(target.items)
            elif isinstance(target, code.Attribute) and dotted(target) is not None:
                yield target


def _is_chain(whole: code.Expression, inner: code.Call) -> bool:
    """Whether an expression is one method call after the other on an inner call."""
    while isinstance(whole, code.Call) and isinstance(whole.func, code.Attribute):
        whole = whole.func.value
        if whole is inner:
            return True
    return False


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))
