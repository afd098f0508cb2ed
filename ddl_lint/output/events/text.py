"""The runs of a program as text for people: an event and its roles, then the objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.output.cells import printable
from ddl_lint.output.events.described import Described


def text(runs: Iterable[Described]) -> str:
    """Each run after the other, with a line for each role of an event."""
    return "\n".join("".join(f"{printable(line)}\n" for line in _lines(run)) for run in runs)


def _lines(run: Described) -> Iterator[str]:
    function = f"::{run['function']}" if run["function"] else ""
    how = "" if run["kind"] == "script" else ", by itself, with unknown arguments"
    yield f"{run['file']}{function} ({run['kind']}{how})"
    for event in run["events"]:
        yield ""
        yield "  ".join(filter(None, [f"#{event['order']}", event["kind"], event.get("api"), event["place"]]))
        yield from _rows(event["roles"], "")
        for name in ("constants", "traits"):
            yield from _rows(event.get(name, {}), f"{name[:-1]} ")
        if "result" in event:
            yield f"    result = {event['result']}"
        if "unseen" in event:
            yield f"    unseen: {', '.join(event['unseen'])}"
        for condition in event.get("conditions", ()):
            yield f"    {_condition(condition)}"
        if "all_ranks" in event:
            yield f"    all ranks must make it: {event['all_ranks']}"
        yield f"    executed by: {', '.join(event['ranks']) or 'no rank'}"
    if run["objects"]:
        yield from ("", "objects")
    for made in run["objects"]:
        kind = " ".join(filter(None, [made.get("api"), made.get("class")]))
        yield "  ".join(filter(None, [f"  {made['name']}", kind, made["place"]]))
        for name in ("given", "attributes", "traits", "facts"):
            yield from _rows(made.get(name, {}), f"{name.removesuffix('s')} ")
        if "tags" in made:
            yield f"    depends on {made['tags']}"


def _rows(items: dict[str, str], kind: str) -> Iterator[str]:
    for name, value in items.items():
        yield f"    {kind}{name} = {value}"


def _condition(condition: Described) -> str:
    written = [f"`{condition['text']}`"] if "text" in condition else []
    words = [condition["kind"], *written, f"({condition['place']})"]
    if "arm" in condition:
        words.append(f"is {condition['arm']}")
    words += [f"[{note}]" for note in ("by_rank", "assumed", "implied") if condition.get(note)]
    return " ".join(words)
