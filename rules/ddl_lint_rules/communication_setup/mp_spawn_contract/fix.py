"""Makes a spawn call fit: a tuple of arguments, a target that takes the index, a call under the main guard."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    File,
    Fix,
    FunctionRef,
    RunView,
    Span,
    Unfixable,
    add_keyword,
    add_parameter,
    argument_of,
    around,
    blocks_of,
    code,
    file_of,
    mentions_of,
    names_bound,
    names_read,
    parameter_of,
    remove,
    remove_argument,
    replace_expression,
    value_of,
    walk,
    way,
    wrap,
)
from ddl_lint.rulekit.events import ReadEnvironment

_DEFINITIONS = (code.Function, code.Class, code.Import, code.ImportFrom)


class Written(NamedTuple):
    """A spawn call as it is written."""

    file: File
    call: code.Call

    @classmethod
    def of(cls, run: RunView, event: Event) -> Written:
        """The call of an event."""
        file = file_of(run, event.location)
        return cls(file, file.node(event.location, code.Call))


# --- the arguments ----------------------------------------------------------------------------------------------------


def make_tuple(run: RunView, event: Event, is_surely_failing: bool) -> Fix:
    """`args=(value)` to `args=(value,)`."""
    file, call = Written.of(run, event)
    given = argument_of(run, event.api, call, "arguments")
    if given is None:
        raise Unfixable("the arguments are not written in the call")
    value = value_of(given)
    opening, closing = file.text[: value.start].rstrip(" "), file.text[value.end :].lstrip(" ")
    is_only_argument = len(call.args) + len(call.keywords) == 1
    if opening.endswith("(") and closing.startswith(")") and not (given is value and is_only_argument):
        edit = file.edit(value.end, value.end, ",")
    else:
        edit = replace_expression(file, value, f"({file.source(value)},)")
    title = "Write args as a tuple: (value,)"
    if is_surely_failing:
        return Fix(title, (edit,), Applicability.SAFE)
    return Fix(title, (edit,), Applicability.UNSAFE, "The target may expect the keys of the dict")


def unpack_keywords(run: RunView, event: Event) -> Fix:
    """`args=(a,), kwargs={"b": b}` to `args=(a, b)`, where `b` is the next parameter of the target."""
    file, call = Written.of(run, event)
    surplus = [each for each in call.keywords if each.name in event.surplus]
    if len(surplus) != 1 or not isinstance(surplus[0].value, code.Dictionary):
        raise Unfixable("the keywords are not written in the call")
    names, values = _items(surplus[0].value)
    function = _plain_target(event)
    given = argument_of(run, event.api, call, "arguments")
    elements = value_of(given) if given is not None else None
    if given is not None and not isinstance(elements, code.Display):
        raise Unfixable("the arguments are not written in the call")
    count = _leading(run, event) + (len(elements.items) if isinstance(elements, code.Display) else 0)
    positional = [each.name for each in function.parameters if each.kind == "positional"]
    if positional[count : count + len(names)] != list(names):
        raise Unfixable("the keywords are not the next parameters of the target")
    texts = [file.source(value) for value in values]
    if isinstance(elements, code.Display):
        texts = [*(file.source(each) for each in elements.items), *texts]
    if any(file.text.count("\n", *span) for span in [(surplus[0].start, surplus[0].end)]):
        raise Unfixable("the keywords span several lines")
    new = ", ".join(texts) + ("," if len(texts) == 1 else "")
    if isinstance(elements, code.Display):
        edits = [remove_argument(file, call, surplus[0]), file.edit(*_inside(file, elements), new)]
    else:
        name = parameter_of(run, event.api, "arguments")
        edits = [file.edit(surplus[0].start, surplus[0].end, f"{name}=({new})")]
    return Fix("Pass the keyword arguments in args", tuple(edits), Applicability.SAFE)


def _inside(file: File, display: code.Display) -> Span:
    """The elements of a list or a tuple, without the brackets."""
    if file.text[display.start] in "([" and file.text[display.end - 1] in ")]" and display.kind == "list":
        return Span(display.start + 1, display.end - 1)
    return Span(display.start, display.end)


def _items(given: code.Dictionary) -> tuple[Sequence[str], Sequence[code.Expression]]:
    """The keys and the values of a dict that is written out."""
    names = [key.value for key, _ in given.items if isinstance(key, code.Literal) and isinstance(key.value, str)]
    if len(names) < len(given.items):
        raise Unfixable("the keywords are not written in the call")
    return names, [value for _, value in given.items]


def _leading(run: RunView, event: Event) -> int:
    model = run.api.function(event.api)
    return len(model.starts.leading) if model is not None and model.starts is not None else 0


def _plain_target(event: Event) -> code.Function:
    """The function that is the target itself, without a receiver or arguments that are bound to it."""
    target = event.operands.get("function")
    if not isinstance(target, FunctionRef) or target.receiver is not None or target.function.decorators:
        raise Unfixable("the target is not a plain function")
    return target.function


# --- the target -------------------------------------------------------------------------------------------------------


def fit_target(run: RunView, event: Event, surplus: int) -> Fix:
    """A parameter for the index, or one argument less where the caller hands over a rank, too."""
    target = event.operands.get("function")
    if surplus != 1 or not isinstance(target, FunctionRef) or target.function.name == "<lambda>":
        raise Unfixable("cannot tell which arguments the target should get")
    function = target.function
    positional = [each.name for each in function.parameters if each.kind == "positional"]
    own = positional[1 if target.receiver is not None else 0 :]
    ranks = {*_names(run, "rank_global"), *_names(run, "rank_local"), "gpu"}
    if own and own[0] in ranks:
        return _drop_rank(run, event)
    bound = {*function.bound, *(each.name for each in function.parameters), *names_read(*function.body)}
    read = _rank_from_launcher(run, function, ranks)
    if read is None and not bound.isdisjoint(ranks):
        raise Unfixable("the target computes its own rank, and the index would be a second one")
    return _take_index(run, event, function, len(positional) - len(own), read)


def _rank_from_launcher(run: RunView, function: code.Function, ranks: Collection[str]) -> code.Assign | None:
    """The one statement in which the target asks the environment for its rank: no launcher has set it there."""
    asked = [event.location for event in run.events(ReadEnvironment)]
    found = [
        each
        for each in walk(*function.body)
        if isinstance(each, code.Assign) and not names_bound(each).isdisjoint(ranks)
    ]
    if len(found) != 1 or found[0] not in function.body or found[0].value is None:
        return None
    statement, value = found[0], found[0].value
    is_name = len(statement.targets) == 1 and isinstance(statement.targets[0], code.Name)
    reads = any(value.start <= place.start and place.end <= value.end for place in asked)
    return statement if is_name and reads else None


def _names(run: RunView, meaning: str) -> Sequence[str]:
    return run.api.conventions.names.get(meaning, ())


def _drop_rank(run: RunView, event: Event) -> Fix:
    """The first argument away, which is in the place of the index."""
    file, call = Written.of(run, event)
    given = argument_of(run, event.api, call, "arguments")
    elements = value_of(given) if given is not None else None
    if not isinstance(elements, code.Display) or elements.kind != "tuple" or not elements.items:
        raise Unfixable("the arguments are not written in the call")
    first = elements.items[0]
    names = {*_names(run, "rank_global"), *_names(run, "rank_local")}
    is_number = isinstance(first, code.Literal) and isinstance(first.value, int)
    if not is_number and not (isinstance(first, code.Name) and first.id in names):
        raise Unfixable("cannot tell which argument is superfluous")
    rest = elements.items[1:]
    if len(rest) == 1:
        edit = file.edit(*_inside(file, elements), f"{file.source(rest[0])},")
    else:
        edit = file.edit(first.start, rest[0].start if rest else _inside(file, elements).end, "")
    return Fix(
        "Remove the rank from args: the process index is the first argument",
        (edit,),
        Applicability.UNSAFE,
        "Which argument is superfluous is a guess",
    )


def _take_index(run: RunView, event: Event, function: code.Function, index: int, read: code.Assign | None) -> Fix:
    """A parameter for the index; in the place of the statement that has read the rank, if there is one."""
    _, call = Written.of(run, event)
    given = argument_of(run, event.api, call, "function")
    mentioned = mentions_of(run, event.location, function)
    if given is None or len(mentioned) != 1 or mentioned[0][1] is not value_of(given):
        raise Unfixable("the target has other callers, which pass no index")
    home = next(
        (path for path, module in run.modules.items() if any(each is function for each in walk(*module.body))), None
    )
    if home is None:
        raise Unfixable("the file of the target cannot be read")
    target = File(run.documents[home], run.modules[home])
    name: str = "rank"
    gone: tuple[Edit, ...] = ()
    if read is not None:
        name, gone = target.source(read.targets[0]), remove(target.place(Span(read.start, read.end)))
    return Fix(
        "Add a first parameter for the process index to the target",
        (add_parameter(target, function, name, index), *gone),
        Applicability.UNSAFE,
        "Other code may call the target",
    )


def name_lambda_target(run: RunView, event: Event) -> Fix:
    """`lambda rank: train(rank, a)` to `train, args=(a,)`."""
    file, call = Written.of(run, event)
    given = argument_of(run, event.api, call, "function")
    target = value_of(given) if given is not None else None
    if not isinstance(target, code.Lambda) or argument_of(run, event.api, call, "arguments") is not None:
        raise Unfixable("the lambda is not written in the call, or gets other arguments")
    parameters, body = target.function.parameters, target.function.body[0]
    inner = body.value if isinstance(body, code.Return) else None
    if len(parameters) != 1 or parameters[0].kind != "positional" or not isinstance(inner, code.Call):
        raise Unfixable("the lambda does more than call a function with its index")
    index, *rest = inner.args or [inner]
    is_handed = isinstance(index, code.Name) and index.id == parameters[0].name
    if not is_handed or inner.keywords or parameters[0].name in names_read(*rest):
        raise Unfixable("the lambda does more than call a function with its index")
    if any(isinstance(each, code.Starred) for each in rest) or not _is_importable(file, event, inner.func):
        raise Unfixable("the function that the lambda calls cannot be pickled")
    texts = [file.source(each) for each in rest]
    edits = [replace_expression(file, target, file.source(inner.func))]
    name = parameter_of(run, event.api, "arguments")
    if texts and name is not None:
        new = f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
        if call.args and len(call.args) == 1 and given is target:
            edits = [replace_expression(file, target, f"{file.source(inner.func)}, {name}={new}")]
        else:
            edits.append(add_keyword(file, call, name, new))
    return Fix("Pass the function and its arguments instead of a lambda", tuple(edits), Applicability.SAFE)


def _is_importable(file: File, event: Event, function: code.Expression) -> bool:
    """Whether a name surely is a function of the top level."""
    if not isinstance(function, code.Name) or (event.function is not None and function.id in event.function.bound):
        return False
    if event.function is not None and any(each.name == function.id for each in event.function.parameters):
        return False
    own = [each for each in file.module.body if isinstance(each, code.Function) and each.name == function.id]
    others = [each for each in file.module.body if each not in own and function.id in names_bound(each)]
    return len(own) == 1 and not others and not own[0].decorators


# --- the main guard ---------------------------------------------------------------------------------------------------


def guard(run: RunView, event: Event) -> Fix:
    """What starts the processes under `if __name__ == "__main__":`, with what follows it."""
    step = way(run, event)[0]
    first = around(step.place)[0]
    file, body = step.file, first.block
    if first.owners:
        raise Unfixable("the call is not at the top level of the file")
    rest = body[first.index + 1 :]
    if any(isinstance(node, _DEFINITIONS) for node in rest):
        if names_bound(first.statement) & names_read(*rest):
            raise Unfixable("the code after it uses its result and is imported by the started processes")
        last = first
    else:
        last = file.place(Span(body[-1].start, body[-1].end))
    _reads_nothing_back(file, body, first.index, body.index(last.statement))
    return Fix(
        "Move the call under the main guard",
        wrap(first, f"if __name__ == {file.string('__main__')}:", last),
        Applicability.UNSAFE,
        "Code under the main guard no longer runs on import",
    )


def _reads_nothing_back(file: File, body: Sequence[code.Statement], first: int, last: int) -> None:
    """Raises `Unfixable` when a function that the children may run needs a name that goes under the guard."""
    bound = names_bound(*body[first : last + 1])
    definitions = [node for node in (*body[:first], *body[last + 1 :]) if isinstance(node, (code.Function, code.Class))]
    inner = [block for node in definitions for block in blocks_of(node)]
    needed = {name for block in inner for name in names_read(*block)}
    if bound & needed:
        raise Unfixable("functions of the file use names that would only exist in the first process")
