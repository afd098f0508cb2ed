"""The words of one shell command with their places: quotes, escapes, expansions, continued lines, comments.

This is no shell parser. It reads one simple command and refuses whatever it is not sure of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ddl_lint.source.span import Span

_GAP = re.compile(r"(?:[ \t]|\\\r?\n)*")
_COMMENT = re.compile(r"#[^\r\n]*")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SPECIAL = re.compile(r"[*?@#$!-]|\d")
_REDIRECT = re.compile(r"(?:\d+|\{[A-Za-z_]\w*\})?(?:>>|>\||>&|<&|<>|>|<)|&>>?", re.ASCII)
_OPERATORS = "|&;()<>"
# Outside of quotes, these make a shell look into the file system or into the text again.
_PATTERNS = "*?[]{}~!"


class ShellError(ValueError):
    """A text that is not surely one simple command. `message` says what is in the way at `offset`."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the shell takes it before it expands anything."""

    span: Span
    head: str
    """Its characters, without quotes and escapes, up to the first that is not known before the command runs."""

    is_literal: bool
    """Whether `head` is all of it."""

    is_whole: bool
    """Whether the shell surely makes exactly one word of it."""

    @property
    def value(self) -> str | None:
        """The whole word, where it is known."""
        return self.head if self.is_literal else None


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a simple command."""

    words: tuple[Word, ...]
    """Assignments before the name of the command, its name, its arguments; no redirections."""

    redirections: tuple[Span, ...]
    comments: tuple[Span, ...]


def read_command(text: str, span: Span) -> Command:
    """The words in a range of a shell script, which holds one simple command or a part of it. Raises `ShellError`.

    The range must begin outside of quotes.
    """
    return _Reader(text, span.start, span.end).command()


@dataclass
class _Reader:
    text: str
    position: int
    end: int
    words: list[Word] = field(default_factory=list[Word])
    redirections: list[Span] = field(default_factory=list[Span])
    comments: list[Span] = field(default_factory=list[Span])

    def command(self) -> Command:
        text = self.text
        while True:
            gap = _GAP.match(text, self.position, self.end)
            self.position = gap.end() if gap else self.position
            if self.position >= self.end:
                break
            character = text[self.position]
            redirect = _REDIRECT.match(text, self.position, self.end)
            if character in "\r\n#":
                self._rest()
            elif redirect is not None:
                self._redirection(redirect)
            elif character in _OPERATORS:
                raise ShellError(f"`{character}` ends the command", self.position)
            else:
                self.words.append(self._word())
        return Command(tuple(self.words), tuple(self.redirections), tuple(self.comments))

    def _rest(self) -> None:
        """After the command: comments and line ends, nothing else."""
        while self.position < self.end:
            if self.text[self.position].isspace():
                self.position += 1
            elif comment := _COMMENT.match(self.text, self.position, self.end):
                self.comments.append(Span(*comment.span()))
                self.position = comment.end()
            else:
                raise ShellError("a second command follows", self.position)

    def _redirection(self, operator: re.Match[str]) -> None:
        start = self.position
        self.position = operator.end()
        gap = _GAP.match(self.text, self.position, self.end)
        self.position = gap.end() if gap else self.position
        if self.position >= self.end or self.text[self.position] in _OPERATORS + "\r\n#":
            raise ShellError("a redirection has a form that is not read", start)
        self._word()
        self.redirections.append(Span(start, self.position))

    def _word(self) -> Word:
        start = self.position
        text = self.text
        head: list[str] = []
        is_literal = is_whole = True
        while self.position < self.end:
            character = text[self.position]
            if character in " \t\r\n" or character in _OPERATORS:
                break
            if character == "\\":
                following = text[self.position + 1 : min(self.position + 3, self.end)]
                if following.startswith(("\n", "\r\n")):
                    self.position += 2 if following[0] == "\n" else 3
                    continue
                if not following:
                    raise ShellError("a backslash ends the text", self.position)
                if is_literal:
                    head.append(following[0])
                self.position += 2
            elif character == "'":
                content = self._single(self.position)
                if is_literal:
                    head.append(content)
            elif character == '"':
                content, is_known = self._double(self.position)
                if is_literal:
                    head.append(content)
                is_literal = is_literal and is_known
                is_whole = is_whole and not re.search(r"[@*]", text[start : self.position] if not is_known else "")
            elif character == "$" or character == "`":
                if self._expansion():
                    is_literal = is_whole = False
                elif is_literal:
                    head.append("$")
            elif character in _PATTERNS:
                is_literal = False
                is_whole = is_whole and character in "~]}!"
                self.position += 1
            else:
                if is_literal:
                    head.append(character)
                self.position += 1
        return Word(Span(start, self.position), "".join(head), is_literal, is_whole)

    def _single(self, start: int) -> str:
        close = self.text.find("'", start + 1, self.end)
        if close < 0:
            raise ShellError("a quotation mark has no partner", start)
        self.position = close + 1
        return self.text[start + 1 : close]

    def _double(self, start: int) -> tuple[str, bool]:
        """What double quotes hold up to the first expansion, and whether that is all."""
        text = self.text
        content: list[str] = []
        is_known = True
        self.position = start + 1
        while self.position < self.end:
            character = text[self.position]
            if character == '"':
                self.position += 1
                return "".join(content), is_known
            if character == "\\":
                following = text[self.position + 1 : self.position + 2]
                if text.startswith("\r\n", self.position + 1):
                    raise ShellError("a backslash is before a carriage return", self.position)
                if is_known and following != "\n":
                    content.append(following if following in '$`"\\' else "\\" + following)
                self.position += 2
            elif character in "$`":
                if self._expansion(is_quoted=True):
                    is_known = False
                elif is_known:
                    content.append("$")
            else:
                if character == "!":
                    is_known = False  # an interactive shell looks into its history
                if is_known:
                    content.append(character)
                self.position += 1
        raise ShellError("a quotation mark has no partner", start)

    def _expansion(self, is_quoted: bool = False) -> bool:
        """Go past an expansion; False for a dollar sign that means itself."""
        text, start = self.text, self.position
        if text[start] == "`":
            close = start + 1
            while close < self.end and text[close] != "`":
                close += 2 if text[close] == "\\" else 1
            if close >= self.end:
                raise ShellError("a quotation mark has no partner", start)
            self.position = close + 1
            return True
        following = text[start + 1 : min(start + 2, self.end)]
        if following in ("(", "{"):
            self._brackets(start + 1)
        elif not is_quoted and following and following in "'\"":
            if following == '"':
                self._double(start + 1)
            else:
                close = start + 2
                while close < self.end and text[close] != "'":
                    close += 2 if text[close] == "\\" else 1
                if close >= self.end:
                    raise ShellError("a quotation mark has no partner", start)
                self.position = close + 1
        elif name := _NAME.match(text, start + 1, self.end):
            self.position = name.end()
        elif _SPECIAL.match(text, start + 1, self.end):
            self.position = start + 2
        else:
            self.position = start + 1
            return False
        return True

    def _brackets(self, start: int) -> None:
        """Go past brackets with all that is nested in them."""
        text = self.text
        pairs = {"(": ")", "{": "}"}
        is_command = text[start] == "(" and text[start + 1 : start + 2] != "("
        waiting = [pairs[text[start]]]
        self.position = start + 1
        while waiting:
            if self.position >= self.end:
                raise ShellError("a bracket has no partner", start)
            character = text[self.position]
            if character == "\\":
                self.position += 2
            elif character == "'" and waiting[-1] == ")":
                self._single(self.position)
            elif character == "'":
                raise ShellError("a quotation mark in braces is not read", self.position)
            elif character == '"':
                self._double(self.position)
            elif character in "$`":
                self._expansion()
            elif character == "(" and waiting[-1] == ")":
                waiting.append(")")
                self.position += 1
            elif character == waiting[-1]:
                waiting.pop()
                self.position += 1
            elif is_command and character == "#" and text[self.position - 1] in " \t\r\n;&|(":
                raise ShellError("a comment in a substituted command is not read", self.position)
            elif is_command and re.match(r"(?:case|<<)(?!\w)", text[self.position : self.position + 5]):
                raise ShellError("a substituted command is not read", self.position)
            else:
                self.position += 1
