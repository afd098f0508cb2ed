"""Launch files, configurations and messages made from others: lines and words exchanged, values replaced."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

_SIGNS = (
    *("$", "${", "}", "$(", ")", "`", '"', "'", "\\", "\\\n", "<<EOF\n", "EOF\n", ";", "&&", "||", "|", "&", ">", "#"),
    *("{{ x }}", "${{ x }}", "${X:-", "${X##*/}", "$((1/0))", "$@", "$*", "~", "*", "[", "]", "- ", ": ", "? ", "&a "),
    *("*a", "!!python/object:x ", "|\n", ">\n", "---\n", "\t", "\r\n", "\x00", "\ufeff", "\u2028", "é", "🚀", "%", "@"),
    *("if true; then\n", "fi\n", "done\n", "for i in $(seq 3); do\n", "case $X in\n", "esac\n", "f() {\n", "}\n"),
    *("--nproc_per_node", "=", "-1", "999999999999999999999", "1e9", "inf", "NaN", "null", "true", "[]", "{}", ","),
)
_WORD = re.compile(r"[\w./:=-]+")


class TextMutator:
    """Makes a text from seeds; the same number always gives the same text."""

    def __init__(self, seeds: Sequence[str]) -> None:
        self._seeds = seeds
        self._words = sorted({word for seed in seeds for word in _WORD.findall(seed)})

    def made(self, number: int) -> str:
        """The text of a number."""
        dice = random.Random(number)
        text = dice.choice(self._seeds)
        for _ in range(dice.randint(1, 8)):
            text = self._changed(dice, text)
        return text

    def _changed(self, dice: random.Random, text: str) -> str:
        lines = text.splitlines(keepends=True) or [""]
        match dice.randrange(8):
            case 0:
                lines.pop(dice.randrange(len(lines)))
            case 1:
                lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
            case 2:
                first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
                lines[first], lines[second] = lines[second], lines[first]
            case 3:
                other = dice.choice(self._seeds).splitlines(keepends=True) or [""]
                lines.insert(dice.randrange(len(lines) + 1), dice.choice(other))
            case 4:
                number = dice.randrange(len(lines))
                lines[number] = _WORD.sub(
                    lambda match: dice.choice(self._words) if dice.random() < 0.3 else match[0], lines[number]
                )
            case 5:
                return text[: dice.randrange(len(text) + 1)]
            case 6:
                number = dice.randrange(len(lines))
                lines[number] = " " * dice.randint(0, 8) + lines[number].lstrip(" ")
            case _:
                place = dice.randrange(len(text) + 1)
                return text[:place] + dice.choice(_SIGNS) + text[place:]
        return "".join(lines)


ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**31, 2**53 + 1, 10**30, 1.5, 1e308, "", "x", "\ud83d", "a" * 10_000, [], {}, [[]]),
    *({"a": {}}, [None], "file:///", "file:///%00", "http://x/y.py", "untitled:a", {"line": 0}, {"uri": None}),
    *({"line": -1, "character": 2**31}, {"start": {}, "end": {}}, "../../etc/passwd", "*", "**", "[", "hang", "DDL201"),
)
"""Values that nobody expects."""


def with_odd_value(dice: random.Random, value: Any, depth: int = 0) -> Any:
    """A value of JSON in which something is missing, or is another value."""
    if depth and (dice.random() < 0.25 or not isinstance(value, (dict, list)) or not value):
        return dice.choice(ODD)
    if isinstance(value, dict):
        key = dice.choice(sorted(value))
        if dice.random() < 0.2:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: with_odd_value(dice, value[key], depth + 1)}
    if isinstance(value, list) and value:
        index = dice.randrange(len(value))
        return [*value[:index], with_odd_value(dice, value[index], depth + 1), *value[index + 1 :]]
    return value
