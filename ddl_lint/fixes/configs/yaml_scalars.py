"""Values as YAML text that every reader takes for what is meant, whether it follows YAML 1.1 or 1.2."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence as AnySequence
from typing import Literal

from ddl_lint.fixes.build import Unfixable
from ddl_lint.jobs.yaml_positions import plain_value
from ddl_lint.source.nodes import Value

Quote = Literal["plain", "single", "double"]
Case = Literal["lower", "title", "upper"]

# Begins with a letter, a slash, a dot or an underscore, and holds nothing that has a meaning in some place.
_PLAIN = re.compile(r"[A-Za-z_/.][\w./@%+=-]*(?:[ :][\w./@%+=-]+)*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"})
_NUMBER_LIKE = re.compile(r"[-+.]?\d[\d_.:eExXoObBtT+-]*|\.(?:inf|nan)|\.+", re.IGNORECASE)


def string(text: str, quote: Quote = "plain", habit: Quote = "double") -> str:
    """A string; with quotation marks of `habit` where it would be read as something else without them."""
    if quote == "plain":
        if is_plain(text):
            return text
        quote = "single" if habit == "single" else "double"
    if quote == "single" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def is_plain(text: str) -> bool:
    """Whether a string may be written without quotation marks, in brackets too."""
    return (
        _PLAIN.fullmatch(text) is not None
        and text.lower() not in _WORDS
        and _NUMBER_LIKE.fullmatch(text) is None
        and plain_value(text) == text
    )


def written(value: Value, quote: Quote = "plain", habit: Quote = "double", case: Case = "lower") -> str:
    """A value on one line; lists and mappings in brackets.

    Args:
        value: the value.
        quote: how a string is quoted.
        habit: the quotation marks that are used where some are needed.
        case: how truth values are written.

    Raises:
        Unfixable: there is no way to write it, as for an infinite number.
    """
    if isinstance(value, bool):
        text = "true" if value else "false"
        return text.title() if case == "title" else text.upper() if case == "upper" else text
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return string(value, quote, habit)
    if isinstance(value, AnyMapping):
        return (
            "{"
            + ", ".join(
                f"{string(key, habit=habit)}: {written(each, 'plain', habit, case)}" for key, each in value.items()
            )
            + "}"
        )
    return "[" + ", ".join(written(each, "plain", habit, case) for each in value) + "]"


def block(key: str, value: Value, indent: str, step: str, newline: str, habit: Quote, case: Case) -> str:
    """A key and its value at an indentation, mappings and lists of them on lines of their own; without a line end."""
    head = f"{string(key, habit=habit)}:"
    if isinstance(value, AnyMapping) and value:
        inner = indent + step
        lines = [f"{inner}{block(name, each, inner, step, newline, habit, case)}" for name, each in value.items()]
        return newline.join([head, *lines])
    if isinstance(value, AnySequence) and not isinstance(value, str):
        value = list(value)
    return f"{head} {written(value, 'plain', habit, case)}"


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise Unfixable("the value cannot be written as a plain number")
    text = repr(value)
    # YAML 1.1 takes `1e-05` for a string: it wants a dot.
    return text if "." in text or "e" not in text else text.replace("e", ".0e")
