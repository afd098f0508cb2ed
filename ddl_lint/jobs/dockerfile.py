"""Reads Dockerfiles: their instructions by stage, with places. Templates and what cannot be read are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.jobs.excerpt import Excerpt, of_scalar
from ddl_lint.jobs.words import Part, Word
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.nodes import Scalar
from ddl_lint.source.nodes import Sequence as NodeSequence
from ddl_lint.source.span import Location

_INSTRUCTION = re.compile(r"[ \t]*([A-Za-z]+)[ \t]+")
_FLAG = re.compile(r"--[\w-]+(?:=\S+)?[ \t]+(?:\\\r?\n[ \t]*)?")
_HEREDOC = re.compile(r"<<-?[\"']?(\w+)[\"']?")
_PAIR = re.compile(r"(\w+)=((?:\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s\"'\\]|\\.)*)")


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of a Dockerfile."""

    name: str
    """In capitals."""

    value: Excerpt
    location: Location
    stage: int
    """Counted from 0; -1 before the first `FROM`."""

    @property
    def words(self) -> tuple[Word, ...] | None:
        """The words of the exec form (`["a", "b"]`); None for the shell form."""
        return exec_form(self.value) if self.value.text.lstrip().startswith("[") else None


def exec_form(value: Excerpt) -> tuple[Word, ...] | None:
    """The words of a JSON array of texts; None for anything else."""
    try:
        root = read_json(value.text).root
    except (JsonError, RecursionError):
        return None
    if not isinstance(root, NodeSequence):
        return None
    words: list[Word] = []
    for node in root.items:
        if not isinstance(node, Scalar):
            return None
        start = value.place(node.span.start, node.span.end)
        words.append(word_of(of_scalar(value.path, value.text, node), start))
    return tuple(words)


def word_of(text: Excerpt, place: Location) -> Word:
    """A word that no shell has looked at; `place` is where it is, with its quotes."""
    return Word((Part(text.text, text.text, place),), place)


def read_dockerfile(path: str, text: str) -> list[Instruction]:
    """The instructions of a Dockerfile, in their order."""
    return list(_instructions(path, text))


def _instructions(path: str, text: str) -> Iterator[Instruction]:
    at, stage = 0, -1
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end]
        match = _INSTRUCTION.match(line)
        if not line.strip() or line.lstrip().startswith("#") or match is None:
            at = end
            continue
        name = match[1].upper()
        while _is_continued(text, at, end):
            following = _line_end(text, end)
            if following == end:
                break
            end = following
        marks = _HEREDOC.findall(text[at:end]) if name in ("RUN", "COPY") else []
        for mark in marks:
            close = re.compile(rf"^[ \t]*{re.escape(mark)}[ \t]*$", re.MULTILINE).search(text, end)
            end = _line_end(text, close.end()) if close is not None else end
        start = at + match.end()
        while flag := _FLAG.match(text, start, end):
            start = flag.end()
        stop = start + len(text[start:end].rstrip())
        stage += name == "FROM"
        yield Instruction(name, _excerpt(path, text, start, stop, is_joined=not marks), Location(path, at, stop), stage)
        at = end


def _is_continued(text: str, at: int, end: int) -> bool:
    """Whether the last line of a range goes on: it ends with a backslash, or is a comment or blank inside of one."""
    last = text[at:end].rstrip("\r\n").rpartition("\n")[2]
    inner = "\n" in text[at:end].rstrip("\r\n")
    return last.rstrip(" \t\r").endswith("\\") or (inner and (not last.strip() or last.lstrip().startswith("#")))


_CONTINUED = re.compile(r"\\([ \t\r]+)\n")


def _excerpt(path: str, text: str, start: int, stop: int, *, is_joined: bool) -> Excerpt:
    """What an instruction says, without the comments between its lines. Docker joins the lines, also where blanks
    follow the backslash, but not those of a here-document.
    """
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    at = start
    while at < stop:
        end = min(_line_end(text, at), stop)
        line = text[at:end]
        if at == start or not line.lstrip().startswith("#"):
            blanks = _CONTINUED.search(line) if is_joined else None
            for first, last in (
                ((0, len(line)),) if blanks is None else ((0, blanks.start(1)), (blanks.end(1), len(line)))
            ):
                starts.append((length, at + first))
                pieces.append(line[first:last])
                length += last - first
        at = end
    return Excerpt(path, "".join(pieces), tuple(starts) or ((0, start),))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def variables(instruction: Instruction) -> dict[str, Word]:
    """What `ENV` or `ARG` sets, where that is known."""
    found: dict[str, Word] = {}
    text = instruction.value.text
    pairs = list(_PAIR.finditer(text))
    if not pairs:
        name, _, written = text.partition(" ")
        if written.strip() and instruction.name == "ENV":
            offset = len(name) + 1 + len(written) - len(written.lstrip())
            place = instruction.value.place(offset, offset + len(written.strip()))
            found[name] = _value(written.strip(), place)
    for match in pairs:
        written = match[2]
        quoted = written[:1] in ("'", '"') and written[-1:] == written[:1] and len(written) > 1
        start, end = match.span(2)
        place = instruction.value.place(start + quoted, end - quoted)
        found[match[1]] = _value(written[1:-1] if quoted else written, place)
    return found


def _value(text: str, place: Location) -> Word:
    known = "$" not in text and "\\" not in text
    return Word((Part(text if known else None, text, place),), place)
