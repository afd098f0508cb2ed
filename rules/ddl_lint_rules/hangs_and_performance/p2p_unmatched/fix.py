"""Lets both sides send and receive at the same time, or one of them in the other order; and makes tags equal."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    Message,
    Place,
    RunView,
    Span,
    Stuck,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    dotted,
    file_of,
    names_bound,
    names_read,
    parameter_of,
    remove_argument,
    render_idiom,
    replace_expression,
    replace_statement,
    value_of,
)
from ddl_lint.rulekit.events import PointToPoint


def fix(run: RunView, fault: Stuck) -> Fix:
    """The fix for the shape of a fault; there is none where a call is missing, or goes to the wrong rank."""
    if fault.kind == "order":
        places = list(dict.fromkeys(each.event.location for each in (fault.message, *fault.others)))
        if len(places) == 1:
            return _at_once(run, fault.message.event)
        if len(places) == 2:
            return _swapped(run, fault.others[0].event)
        raise Unfixable("more than two calls wait for each other")
    first = fault.message
    other = next((each for each in fault.others if each.rank == first.peer), None)
    if fault.kind == "unmatched" and other is not None and other.peer == first.rank and other.sends is not first.sends:
        return _tagged(run, *((first, other) if first.sends else (other, first)))
    raise Unfixable("cannot tell which rank is meant or which call is missing")


# --- order -----------------------------------------------------------------------------------------------------------


def _pair(run: RunView, event: Event) -> tuple[Place, Place, Event]:
    """The statement of a call, and the next one, which makes the other half of the exchange."""
    place = file_of(run, event.location).place(event.location)
    if place.index + 1 >= len(place.block):
        raise Unfixable("the other call is not in the same block")
    following = place.block[place.index + 1]
    second = place.file.place(Span(following.start, following.end))
    for made in run.events(PointToPoint):
        inside = following.start <= made.location.start and made.location.end <= following.end
        if made.location.path == event.location.path and inside and _sends(made) is not _sends(event):
            if place.has_own_lines and second.has_own_lines:
                return place, second, made
            raise Unfixable("another statement is on the same line")
    raise Unfixable("other statements are between the two calls")


def _sends(event: Event) -> bool:
    return "send" in str(event.constants.get("operation"))


def _call(place: Place) -> code.Call:
    """The call that a statement is."""
    statement = place.statement
    if not isinstance(statement, code.Evaluate) or not isinstance(statement.value, code.Call):
        raise Unfixable("what the call returns is used")
    return statement.value


def _argument(run: RunView, place: Place, event: Event, role: str) -> code.Expression:
    given = argument_of(run, event.api, _call(place), role)
    if given is None:
        raise Unfixable("the calls have unknown arguments")
    return value_of(given)


def _tensors(run: RunView, first: Place, one: Event, second: Place, other: Event) -> list[code.Expression]:
    """What is sent and what is received, in the order of the calls.

    Raises:
        Unfixable: it may be the same memory.
    """
    tensors = [_argument(run, place, event, "tensor") for place, event in ((first, one), (second, other))]
    plain = [{name for name in names_read(each) if name == dotted(each) or "." not in name} for each in tensors]
    if plain[0] & plain[1] - {"self"}:
        raise Unfixable("what is sent and what is received may be the same memory")
    return tensors


def _at_once(run: RunView, event: Event) -> Fix:
    first, second, other = _pair(run, event)
    tensors = _tensors(run, first, event, second, other)
    peers = [_argument(run, place, each, "peer") for place, each in ((first, event), (second, other))]
    for place in (first, second):
        if len(_call(place).args) + len(_call(place).keywords) != 2:
            raise Unfixable("the calls have tags or groups")
    file = first.file
    texts = [file.source(each) for each in (*tensors, *peers)]
    if any("\n" in text or "\r" in text for text in texts):
        raise Unfixable("the arguments span several lines")
    sent, received = (0, 1) if _sends(event) else (1, 0)
    wording = render_idiom(
        run,
        first,
        event.api,
        "exchange",
        sent=texts[sent],
        receiver=texts[2 + sent],
        received=texts[received],
        sender=texts[2 + received],
    )
    gone = file.edit(file.line_start(second.start), file.next_line(second.end), "")
    return Fix(
        "Start both calls with batch_isend_irecv",
        (*replace_statement(first, wording.text), gone, *wording.imports),
        Applicability.UNSAFE,
        "Both messages are sent at the same time, so their buffers must not share memory",
    )


def _swapped(run: RunView, event: Event) -> Fix:
    first, second, other = _pair(run, event)
    _tensors(run, first, event, second, other)
    if names_bound(first.statement) or names_bound(second.statement):
        raise Unfixable("what the call returns is used")
    file = first.file
    texts = [file.source(place.statement) for place in (first, second)]
    return Fix(
        "Swap the calls on one side, so that it receives first"
        if _sends(event)
        else "Swap the calls on one side, so that it sends first",
        (file.edit(first.start, first.end, texts[1]), file.edit(second.start, second.end, texts[0])),
        Applicability.UNSAFE,
        "The order of the messages changes",
    )


# --- tags ------------------------------------------------------------------------------------------------------------


def _tagged(run: RunView, sender: Message, receiver: Message) -> Fix:
    """The tag of the sender for the receiver."""
    source, file = file_of(run, sender.event.location), file_of(run, receiver.event.location)
    sending = source.node(sender.event.location, code.Call)
    receiving = file.node(receiver.event.location, code.Call)
    wanted = argument_of(run, sender.event.api, sending, "tag")
    given = argument_of(run, receiver.event.api, receiving, "tag")
    name = parameter_of(run, receiver.event.api, "tag")
    edit: Edit
    if wanted is None and given is not None:
        edit = remove_argument(file, receiving, given)
    elif wanted is not None and name is not None:
        value = value_of(wanted)
        constants = names_bound(*(each for each in file.module.body if isinstance(each, code.Assign)))
        is_constant = isinstance(value, code.Name) and value.id in constants and source.document is file.document
        if not isinstance(value, code.Literal) and not is_constant:
            raise Unfixable("the tag of the sender is not a literal")
        text = source.source(value)
        edit = (
            replace_expression(file, value_of(given), text)
            if given is not None
            else add_keyword(file, receiving, name, text)
        )
    else:
        raise Unfixable("the tags are not known")
    return Fix(
        "Use the tag of the sender",
        (edit,),
        Applicability.UNSAFE,
        "Which of the two tags is meant is a guess",
    )
