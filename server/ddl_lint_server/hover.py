"""What there is to know at a place: of the findings there, and of the code."""

from __future__ import annotations

import textwrap

from lsprotocol import types

from ddl_lint_server.convert import range_of
from ddl_lint_server.markdown import plain
from ddl_lint_server.messages import Ask, Found, Place, TextAnswer
from ddl_lint_server.rank_traces import is_shown, link
from ddl_lint_server.state import Server
from ddl_lint_server.worker import WorkerError


async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """The findings at a position and their rules; without a finding, what is known of the code."""
    uri, position = params.text_document.uri, params.position
    subject = ls.documents.of(uri)
    if subject is None:
        return None
    cell = ls.documents.cell(uri)
    checked = ls.schedule.last(subject.path)
    here = [each for each in checked.found if _holds(each.place, cell, position)] if checked is not None else []
    if here:
        parts = dict.fromkeys(_about(ls, each, uri) for each in here)
        why = dict.fromkeys(filter(None, (_why(ls, each) for each in here)))
        return _hover("\n\n---\n\n".join((*parts, *why)), range_of(here[0].place))
    try:
        answer = await ls.ask(Ask(subject.path, cell, position.line, position.character))
    except WorkerError as error:
        ls.log(f"{subject.path}: nothing is known about line {position.line + 1}: {error}")
        return None
    present = ls.documents.of(uri)
    if not isinstance(answer, TextAnswer) or not answer.text or present is None or present.stamp != subject.stamp:
        return None
    return _hover(answer.text, None)


def _hover(text: str, place: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


def _holds(place: Place, cell: int, position: types.Position) -> bool:
    at = (position.line, position.character)
    return place.cell == cell and (place.start_line, place.start_column) <= at <= (place.end_line, place.end_column)


def _about(ls: Server, found: Found, uri: str) -> str:
    """What to do about a finding, and where to read on."""
    card = ls.worker.cards.get(found.code)
    if card is None:
        return plain(found.message)
    head = f"**{card.code} `{card.name}`**"
    if href := ls.converter.link(found):
        head = f"**[{card.code}]({href}) `{card.name}`**"
    if ls.can.runs_links and is_shown(ls, found):
        head += f" · {link(uri, found.place.start_line)}"
    parts = [head, f"**What to do**: {plain(_paragraphs(found.help)) if found.help else _paragraphs(card.advice)}"]
    if found.repair is not None and not found.repair.is_safe:
        parts.append(f"There is a fix: {plain(found.repair.title)}. It is unsafe: {plain(found.repair.reason)}.")
    elif found.repair is not None:
        parts.append(f"There is a fix: {plain(found.repair.title)}.")
    elif found.unfixable:
        parts.append(f"No fix: {plain(found.unfixable)}.")
    return "\n\n".join(parts)


def _why(ls: Server, found: Found) -> str:
    """What its rule finds, and why that is wrong: the same for all findings of the rule, so it comes last."""
    card = ls.worker.cards.get(found.code)
    return f"**Why**: {card.summary}.\n\n{_paragraphs(card.why)}" if card is not None else ""


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(each.split()) for each in textwrap.dedent(text).strip().split("\n\n"))
