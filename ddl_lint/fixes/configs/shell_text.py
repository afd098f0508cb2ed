"""Edits of shell commands: options and variables set, added or removed; all else stays as it is written.

A span of the document's text says where the command is: one simple command, without what follows after `|`,
`&&` or `;`, and outside of quotes. For an option of a launcher the span ends before the script, so that an option of
the same name that the script has is not touched, and a new one comes before it:

    [torchrun --nproc_per_node 4] train.py --lr 1     the options of torchrun
    [torchrun --nproc_per_node 4 train.py --lr 1]     the variables of the command

Of an option that is given twice, the last one counts. Each function reads the command as its edits leave it, and raises
`Unfixable` unless exactly the wanted change has happened. No edits are returned where the text already is as wanted.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.lines import Lines, without_overlap
from ddl_lint.source import Document, Span
from ddl_lint.source.shell_words import Command, ShellError, Word, read_command

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CONTINUED = re.compile(r"\\\r?\n")
_DECLARATIONS = frozenset({"export", "declare", "typeset", "local", "readonly"})
# These take assignments, or a whole command, among their words.
_WRAPPERS = frozenset({"env", "sudo", "eval", "exec", "command", "xargs"})
_OPENS_BODY = re.compile(r"(?:^|[\s;])(?:then|do|else|\{|\()$|\)$")
_CLOSES_BODY = re.compile(r"(?:fi|done|else|elif|esac)\b|[})]|;;")
# Variables that by their names may hold several words.
_SEVERAL = re.compile(r"args|argv|opt|flag|param|extra|cmd|command|config|[@*]", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:&&|\|\|?|\\)$")


def set_option(document: Document, span: Span, name: str, value: str, aliases: Sequence[str] = ()) -> list[Edit]:
    """Another value for an option of a command, or the option where it is not given.

    Args:
        document: the script.
        span: the command with the options that are meant.
        name: the option as it is written: `--nproc_per_node`.
        value: its value, not quoted.
        aliases: other names that it has: `--nproc-per-node`.

    Raises:
        Unfixable: the command cannot surely be read, or what the option has is no value.
    """
    command = _Command.of(document, span)
    given = [index for index, word in enumerate(command.words) if command.is_option(word, (name, *aliases))]
    if not given:
        return _new_option(command, name, value)
    return command.with_value(*_value_of(command, given[-1]), value)


def add_option(
    document: Document, span: Span, name: str, value: str | None = None, aliases: Sequence[str] = ()
) -> list[Edit]:
    """An option after the other words of a command, without a value for a mere switch.

    It is on a line of its own where the last word does, and has `=` where the other options have it.

    Raises:
        Unfixable: as `set_option`; or it is given, with another value.
    """
    command = _Command.of(document, span)
    given = [index for index, word in enumerate(command.words) if command.is_option(word, (name, *aliases))]
    if not given:
        return _new_option(command, name, value)
    if value is None:
        return []
    index, start = _value_of(command, given[-1])
    if command.value(index, start) != value:
        raise Unfixable(f"`{name}` is given with another value")
    return []


def remove_option(
    document: Document, span: Span, name: str, takes_value: bool, aliases: Sequence[str] = ()
) -> list[Edit]:
    """An option away, with the blanks or the continued line before it; all of them where it is given more than once.

    Args:
        document: the script.
        span: the command with the options that are meant.
        name: the option as it is written.
        takes_value: whether the word after it is its value.
        aliases: other names that it has.

    Raises:
        Unfixable: as `set_option`.
    """
    command = _Command.of(document, span)
    edits: list[Edit] = []
    gone: set[int] = set()
    for index, word in enumerate(command.words):
        if index in gone or not command.is_option(word, (name, *aliases)):
            continue
        last = _value_of(command, index)[0] if takes_value else index
        if not index:
            raise Unfixable("the command has no name")
        if any(word.span.start < each.start < command.words[last].span.end for each in command.read.redirections):
            raise Unfixable("a redirection is between an option and its value")
        before = max(
            end
            for end in (*(each.span.end for each in command.words), *(each.end for each in command.read.redirections))
            if end <= word.span.start
        )
        edits.append(command.lines.edit(before, command.words[last].span.end, ""))
        gone.update(range(index, last + 1))
    return command.checked(edits, [text for index, text in enumerate(command.texts) if index not in gone])


def set_variable(document: Document, span: Span, name: str, value: str) -> list[Edit]:
    """An environment variable of a command: `NAME=value` before it, or in `export NAME=value`.

    It is added where it is not set: in front of the name of a command, after the others of an `export`.

    Raises:
        Unfixable: the command cannot surely be read, or hands its variables on in a way of its own.
    """
    _check_name(name)
    command = _Command.of(document, span)
    given = command.assignments(name)
    if given:
        return command.with_value(given[-1], len(name) + 1, value)
    words, count = command.words, command.prefixes
    new = f"{name}={shlex.quote(value)}"
    if count < len(words) and words[count].value in _WRAPPERS:
        raise Unfixable(f"the command begins with `{words[count].value}`")
    if command.is_declaration:
        edits = [command.lines.edit(words[-1].span.end, words[-1].span.end, f" {new}")]
        return command.checked(edits, [*command.texts, new])
    if count == len(words):
        raise Unfixable("there is no command that the variable could be for")
    start = words[count].span.start
    texts = command.texts
    return command.checked([command.lines.edit(start, start, f"{new} ")], [*texts[:count], new, *texts[count:]])


def remove_variable(document: Document, span: Span, name: str) -> list[Edit]:
    """An environment variable of a command away; a line that does nothing but to set it goes as a whole.

    Raises:
        Unfixable: as `set_variable`; or the line is all that a block of the script has.
    """
    _check_name(name)
    command = _Command.of(document, span)
    given = command.assignments(name)
    if not given:
        return []
    rest = [text for index, text in enumerate(command.texts) if index not in given]
    is_declaration = command.is_declaration
    if not rest or (is_declaration and all(text.startswith("-") for text in rest[1:])):
        return _without_line(command)
    edits: list[Edit] = []
    for index in given:
        word = command.words[index]
        if is_declaration:
            edits.append(command.lines.edit(command.words[index - 1].span.end, word.span.end, ""))
        else:
            following = command.words[index + 1].span.start if index + 1 < len(command.words) else None
            if following is None:
                edits.append(command.lines.edit(command.words[index - 1].span.end, word.span.end, ""))
            else:
                edits.append(command.lines.edit(word.span.start, following, ""))
    return command.checked(edits, rest)


def add_export(document: Document, span: Span, name: str, value: str) -> list[Edit]:
    """`export NAME=value` on a line of its own before a command.

    Raises:
        Unfixable: the command cannot surely be read, or does not begin a line that begins a command.
    """
    _check_name(name)
    command = _Command.of(document, span)
    lines = command.lines
    if not command.words:
        raise Unfixable("there is no command")
    start = command.words[0].span.start
    if not lines.begins_line(start) or _GOES_ON.search(_line_before(lines, start)):
        raise Unfixable("the command does not begin a line")
    line = lines.line_start(start)
    new = f"{lines.indent_at(start)}export {name}={shlex.quote(value)}{lines.newline}"
    before = document.text[lines.line_start(max(line - 1, 0)) : line].strip() if line else ""
    if before == new.strip():
        return []
    return [lines.edit(line, line, new)]


@dataclass(frozen=True)
class _Command:
    """A command that has been read."""

    lines: Lines
    span: Span
    read: Command

    @staticmethod
    def of(document: Document, span: Span) -> _Command:
        if not 0 <= span.start <= span.end <= len(document.text):
            raise Unfixable("the command is not in the file")
        try:
            read = read_command(document.text, span)
        except ShellError as error:
            raise Unfixable(f"the command cannot surely be read: {error.message}") from None
        command = _Command(Lines(document), span, read)
        if not read.words:
            raise Unfixable("there is no command")
        if "\0" in document.text[span.start : span.end]:
            raise Unfixable("the command cannot surely be read")
        return command

    @property
    def words(self) -> tuple[Word, ...]:
        """Its words."""
        return self.read.words

    def text(self, word: Word) -> str:
        """A word as it is written."""
        return self.lines.text[word.span.start : word.span.end]

    @property
    def texts(self) -> list[str]:
        """Its words as they are written."""
        return [self.text(word) for word in self.words]

    @property
    def prefixes(self) -> int:
        """How many assignments come before its name."""
        return next(
            (index for index, word in enumerate(self.words) if not _ASSIGNMENT.match(self.text(word))), len(self.words)
        )

    @property
    def is_declaration(self) -> bool:
        """Whether it is an `export`."""
        return not self.prefixes and self.words[0].value in _DECLARATIONS

    def is_option(self, word: Word, names: Sequence[str]) -> bool:
        """Whether a word is one of some options, with or without a value.

        Raises:
            Unfixable: it may be, since a variable is where an option may be.
        """
        if word.value in names or word.head.startswith(tuple(f"{name}=" for name in names)):
            return True
        if not word.is_literal and not word.is_whole and self._may_be_option(word):
            raise Unfixable("a variable of the command may hold the option too")
        return False

    def _may_be_option(self, word: Word) -> bool:
        if word.head and not word.head.startswith("-"):
            return False
        if word.head and "=" in word.head:
            return False
        if word is self.words[0]:
            return False
        # The word after an option that has no value yet is that value.
        before = self.words[self.words.index(word) - 1]
        return _SEVERAL.search(self.text(word)) is not None or not (
            before.head.startswith("-") and before.is_literal and "=" not in before.head
        )

    def assignments(self, name: str) -> list[int]:
        """The words that set a variable."""
        found = range(1, len(self.words)) if self.is_declaration else range(self.prefixes)
        given = [index for index in found if self.text(self.words[index]).startswith(f"{name}=")]
        appended = [word for word in self.words if self.text(word).startswith(f"{name}+=")]
        if appended or (not given and any(word.head.startswith(f"{name}=") for word in self.words)):
            raise Unfixable(f"`{name}` is set in another way")
        return given

    def value(self, index: int, start: int) -> str | None:
        """What is in a word from a place on, where it is known."""
        value = self.words[index].value
        return None if value is None else value[start:]

    def with_value(self, index: int, start: int, value: str) -> list[Edit]:
        """Another value for what is in a word from a place on, in the quotation marks that it has."""
        if self.value(index, start) == value:
            return []
        word = self.words[index]
        if start and not self.text(word).startswith(word.head[:start]):
            raise Unfixable("the name is written in quotes")
        old = self.text(word)[start:]
        new = _quoted(value, old)
        texts = self.texts
        texts[index] = texts[index][:start] + new
        edits = self.checked([self.lines.edit(word.span.start + start, word.span.end, new)], texts)
        try:
            after = read_command(new, Span(0, len(new))).words
        except ShellError:
            after = ()
        if [word.value for word in after] != [value]:
            raise Unfixable("the value cannot be written here")
        return edits

    def checked(self, edits: list[Edit], texts: list[str]) -> list[Edit]:
        """The edits, if the command then has these words and nothing else is changed."""
        edits = without_overlap(edits)
        document = self.lines.document
        new = edited(document.text, edits)
        span = Span(self.span.start, self.span.end + len(new) - len(document.text))
        try:
            after = read_command(new, span)
        except ShellError:
            raise Unfixable("the command has a form that cannot be edited") from None
        kept = [document.text[slice(*each)] for each in (*self.read.comments, *self.read.redirections)]
        if [new[word.span.start : word.span.end] for word in after.words] != texts or [
            new[slice(*each)] for each in (*after.comments, *after.redirections)
        ] != kept:
            raise Unfixable("the command has a form that cannot be edited")
        return edits


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise Unfixable(f"`{name}` is no name of a variable")


def _quoted(value: str, old: str) -> str:
    """A value as a shell word, in the quotation marks that the old one had."""
    mark = old[:1]
    is_simple = re.fullmatch(r"[\w ./:,=+@%-]*", value, re.ASCII)
    if mark in ("'", '"') and len(old) > 1 and old.endswith(mark) and old.count(mark) == 2 and is_simple:
        return f"{mark}{value}{mark}"
    return shlex.quote(value)


def _value_of(command: _Command, index: int) -> tuple[int, int]:
    """Where the value of an option is: in which word, and from where on in it."""
    word = command.words[index]
    name, sign, _ = word.head.partition("=")
    if sign:
        return index, len(name) + 1
    if index + 1 >= len(command.words):
        raise Unfixable(f"`{name}` has no value")
    following = command.words[index + 1]
    if following.head.startswith("-") and not re.fullmatch(r"-\d+(?:\.\d+)?", following.head):
        raise Unfixable(f"`{name}` has no value")
    if not following.is_whole and not _is_single(command.text(following)):
        raise Unfixable(f"`{name}` may have several values")
    return index + 1, 0


def _is_single(text: str) -> bool:
    """Whether a word that a variable is in is meant as one: `$NUM_GPUS` is, `$*` and `*.txt` are not."""
    return not re.search(r"\$[@*]|\[[@*]\]|[*?]|\{[^}$]*,", text)


def _new_option(command: _Command, name: str, value: str | None) -> list[Edit]:
    """An option after the last word."""
    lines, last = command.lines, command.words[-1]
    texts = command.texts
    parts = [name] if value is None else [name, shlex.quote(value)]
    if value is not None and _has_sign(command):
        parts = ["=".join(parts)]
    new = " ".join(parts)
    gap = " "
    end = last.span.end
    first = next(
        word for word in command.words if lines.line_start(word.span.start) == lines.line_start(last.span.start)
    )
    between = lines.text[command.words[0].span.start : first.span.start]
    if first is not command.words[0] and lines.begins_line(first.span.start) and _CONTINUED.search(between):
        gap = f" \\{lines.newline}{lines.indent_at(first.span.start)}"
    if lines.text[last.span.start : end].endswith("\\"):
        raise Unfixable("the command has a form that cannot be edited")
    return command.checked([lines.edit(end, end, f"{gap}{new}")], [*texts, *parts])


def _has_sign(command: _Command) -> bool:
    """Whether the options of a command mostly have `=` before their value."""
    signs = sum(word.head.startswith("--") and "=" in word.head for word in command.words)
    blanks = sum(
        one.head.startswith("--") and "=" not in one.head and not two.head.startswith("-")
        for one, two in pairwise(command.words)
    )
    return signs > blanks


def _line_before(lines: Lines, start: int) -> str:
    """The line before that of an offset, without its indentation; lines without code are passed over."""
    position = lines.line_start(start)
    while position > 0:
        position = lines.line_start(position - 1)
        text = lines.text[position : lines.line_end(position)].strip()
        if text and not text.startswith("#"):
            return text
    return ""


def _without_line(command: _Command) -> list[Edit]:
    """The lines of a whole command away; a comment after it stays."""
    lines = command.lines
    start, end = command.words[0].span.start, command.words[-1].span.end
    rest = lines.text[end : lines.line_end(end)].strip()
    if command.read.redirections or not lines.begins_line(start) or (rest and not rest.startswith("#")):
        raise Unfixable("another command is on the same line")
    before = _line_before(lines, start)
    code = before.split(" #")[0].rstrip()
    if _GOES_ON.search(before) or _GOES_ON.search(code):
        raise Unfixable("another command leads to this one")
    position = lines.next_line(end)
    following = ""
    while position < len(lines.text):
        following = lines.text[position : lines.line_end(position)].strip()
        if following and not following.startswith("#"):
            break
        position = lines.next_line(position)
    if _OPENS_BODY.search(code) and _CLOSES_BODY.match(following):
        raise Unfixable("the line is all that a block of the script has")
    if rest:
        return [lines.edit(start, lines.blanks_end(end), "")]
    return [lines.edit(lines.line_start(start), lines.next_line(end), "")]
