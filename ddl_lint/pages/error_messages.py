"""What users see when a fault strikes, and which rule explains it: read from what the rules say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
    """All messages with the rules that explain them, in alphabetical order."""
    known: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.info.is_engine:
            for message in error_messages(rule):
                known.setdefault(message, []).append(rule)
    rows = ["| you saw | read |", "| --- | --- |"]
    for message in sorted(known, key=str.casefold):
        links = ", ".join(f"[{rule.name}](rules/{rule.name}.md)" for rule in known[message])
        rows.append(f"| `{_in_table(message)}` | {links} |")
    return "\n".join(
        [
            "# Find a rule by error message",
            "",
            "Your job failed and you have the log: look for its message here. Numbers, names and paths in it are",
            "examples. Each page says which code leads to the message, and what to do.",
            "",
            *rows,
            "",
        ]
    )


def _in_table(text: str) -> str:
    return text.replace("|", "\\|")
