"""What the product says, word by word: the texts of rules, pages and commands, and what is to be said better in them.

`language/plain_english.yaml` lists the words to leave out, each with the better one, and what is held to the list.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from ddl_lint.claim import title_of
from ddl_lint.registry.consequences import CONSEQUENCES

ROOT = Path(__file__).resolve().parents[1]
_CODE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$|``.+?``|`[^`\n]*(?:\n[^`\n]+){0,2}`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)
_BLANK = r"\s+"
_LONGEST = 150  # characters of a message, with names of the program in it
_HOLE = "{}"  # what a computed part of a text looks like


class Word(NamedTuple):
    """A word or phrase that is not to be used, and the better one."""

    pattern: re.Pattern[str]
    better: str


class English(NamedTuple):
    """What `plain_english.yaml` says."""

    done: tuple[str, ...]
    made: tuple[str, ...]
    """Pages that are made for the site."""
    words: tuple[Word, ...]
    pages: tuple[str, ...]
    page_words: tuple[Word, ...]
    """More words to leave out, in pages only."""
    names: Mapping[str, str]
    """Identifier to leave out -> the better one."""


class Text(NamedTuple):
    """Something that a user may read, and the line where it is written."""

    line: int
    text: str


@cache
def english() -> English:
    """The list, read once."""
    data = yaml.safe_load((ROOT / "tests/language/plain_english.yaml").read_text(encoding="utf-8"))
    words, more = (
        tuple(Word(_pattern(each["leave_out"]), each["write"]) for each in data[key]) for key in ("words", "page_words")
    )
    return English(tuple(data["done"]), tuple(data["made"]), words, tuple(data["pages"]), more, data["names"])


def _pattern(phrase: str) -> re.Pattern[str]:
    before = r"\b" if re.match(r"[\w(]", phrase) else ""
    return re.compile(f"{before}(?:{phrase.replace(' ', _BLANK)})\\b", re.IGNORECASE)


def files_of(place: str) -> Iterator[Path]:
    """The files of an entry of `done` that hold texts for users: itself, or those below the folder."""
    path = ROOT / place
    if path.is_file():
        yield path
    for suffix in ("py", "yaml", "md") if path.is_dir() else ():
        for file in sorted(path.rglob(f"*.{suffix}")):
            if not {"bad", "good"} & set(file.relative_to(path).parts):
                yield file


def texts_in(path: Path) -> Iterator[Text]:
    """What a file says: of Python the strings, docstrings among them, else all that is no code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _strings(ast.parse(text))
    else:
        yield Text(1, text)


class Complaint(NamedTuple):
    """A word to leave out: where it is said, and what to write."""

    line: int
    said: str
    around: str
    better: str


def complaints(text: Text, *, is_page: bool = False) -> Iterator[Complaint]:
    """What is to be said better in a text."""
    words = english().words + (english().page_words if is_page else ())
    plain = _CODE.sub(lambda match: re.sub(r"[^\n`]", "_", match[0]), text.text)
    for word in words:
        for match in word.pattern.finditer(plain):
            line = text.line + plain.count("\n", 0, match.start())
            said = " ".join(match[0].split())
            around = " ".join(text.text[max(0, match.start() - 30) : match.end() + 20].split())
            yield Complaint(line, said, around, word.better)


def names_in(path: Path) -> Iterator[tuple[int, str]]:
    """The identifiers that a module defines or uses, with their lines, and its own name."""
    yield 1, path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for part in ("id", "attr", "name", "arg"):
            if isinstance(name := getattr(node, part, None), str):
                yield getattr(node, "lineno", 1), name


def is_short_sentence(message: str, consequence: str) -> bool:
    """Whether a message begins with what happens to the user, once, and goes on with one short sentence."""
    title, _, rest = message.partition(": ")
    titles = {each.title for each in CONSEQUENCES.values()}
    is_said_twice = rest.partition(": ")[0] in titles
    return title == title_of(consequence) and not is_said_twice and 0 < len(rest) < _LONGEST and ". " not in rest


def _strings(tree: ast.Module) -> Iterator[Text]:
    """The strings of a module that hold more than one word, docstrings too, f-strings with holes in them."""
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            left_out.update(node.values)
            parts = (str(part.value) if isinstance(part, ast.Constant) else _HOLE for part in node.values)
            yield Text(node.lineno, "".join(parts))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in left_out:
            continue
        if " " in node.value.strip():
            yield Text(node.lineno, node.value)
