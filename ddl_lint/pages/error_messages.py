"""What users see when a fault strikes, and which rule explains it: read from what the rules say of themselves, and from
what is known of logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ddl_lint.pages.log_messages import log_messages
from ddl_lint.registry.rules import Rule

_SPAN = re.compile(r"`([^`]+)`")
_EXCEPTION = re.compile(r"[\w.]*(?:Error|Exception|Warning)\b.* ")
_WORD = re.compile(r"\b[A-Za-z]{2,}\b")
_CODE = re.compile(r"\w+ ?=|(?:with|if|for|import|from|torchrun|pip|python|mpirun|srun|accelerate|deepspeed) ")
_WORDS_OF_A_SENTENCE = 4


def error_messages(rule: Rule) -> Iterator[str]:
    """The messages that the page of a rule quotes: exceptions with their text, and spans of code that are sentences."""
    for span in _SPAN.findall(rule.info.why):
        text = " ".join(span.split())
        is_sentence = len(_WORD.findall(text)) >= _WORDS_OF_A_SENTENCE and not _CODE.match(text)
        if is_sentence or _EXCEPTION.match(text):
            yield text


def error_document(rules: Sequence[Rule]) -> str:
    """All messages with the rules that explain them or with what to look at, in alphabetical order."""
    known: dict[str, list[str]] = {}
    told: dict[str, Sequence[str]] = {}
    for rule in rules:
        if not rule.info.is_engine:
            for message in error_messages(rule):
                known.setdefault(message, []).append(rule.name)
    for each in log_messages():
        names = known.setdefault(each.text, [])
        names += [name for name in each.rules if name not in names][: max(0, _MOST_RULES - len(names))]
        told.setdefault(each.text, each.look)
    rows = ["| you saw | read |", "| --- | --- |"]
    for message in sorted(known, key=str.casefold):
        links = ", ".join(f"[{name}](rules/{name}.md)" for name in known[message])
        cell = " ".join(filter(None, (*told.get(message, ()), links)))
        rows.append(f"| {_quoted(message)} | {_in_table(cell)} |")
    return "\n".join(
        [
            "# Find a rule by error message",
            "",
            "Your job failed and you have the log: look for its message here. Numbers, names and paths in it are",
            "examples. Each page says which code leads to the message, and what to do. `ddl-lint diagnose` knows",
            "these messages too, compares what the ranks did, and [leads to the line](my-job-hangs.md).",
            "",
            *rows,
            "",
        ]
    )


_MOST_RULES = 6
"""Rules that a message of logs leads to: the likeliest."""


def _quoted(message: str) -> str:
    """As code, also where it has a grave accent in it."""
    mark, space = ("``", " ") if "`" in message else ("`", "")
    return f"{mark}{space}{_in_table(message)}{space}{mark}"


def _in_table(text: str) -> str:
    return text.replace("|", "\\|")
