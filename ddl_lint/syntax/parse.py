"""A document to libcst statements: one parse per top-level statement, and a broken one costs only itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from ddl_lint.source.document import Document
from ddl_lint.source.fault import SyntaxFault
from ddl_lint.source.span import Span
from ddl_lint.syntax.chunks import Chunk, cut, is_exact
from ddl_lint.syntax.faults import find_fault
from ddl_lint.syntax.limits import find_excess, in_deep_stack
from ddl_lint.syntax.lines import Damage, split_lines, without_tail
from ddl_lint.syntax.repair import repair


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """A parsed part of a document.

    `start` and `end` are offsets of the document. `source` is the text that was parsed: an offset in it plus `start`
    is an offset of the document. It ends with the last line of code, without the comments and blanks that follow;
    a chunk that could not be read at all has an empty one. `damaged` are the ranges of the document that were replaced
    by placeholders to make the rest readable: nothing is known about the code in them.
    """

    start: int
    end: int
    body: Sequence[cst.BaseStatement]
    module: cst.Module
    source: str
    damaged: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """All chunks of a document in order, broken ones as far as they could be repaired, and one fault for each."""

    chunks: tuple[ParsedChunk, ...]
    errors: tuple[SyntaxFault, ...]


@dataclass(frozen=True, slots=True)
class ChunkTree:
    """What is known about the text of a chunk, wherever it is: offsets count from its start."""

    module: cst.Module
    source: str
    damaged: tuple[Span, ...] = ()
    fault: Damage | None = None


ParseCache = dict[tuple[str, int], ChunkTree]
"""Chunks by their text and by how many equal ones come before, so that no two chunks share a tree."""


def parse(document: Document, cache: ParseCache | None = None) -> SyntaxTree:
    """Parse a document. Never fails: what cannot be parsed is in `SyntaxTree.errors`.

    With a `cache`, chunks that have not changed since its last use are not parsed again. A cache belongs to one
    document: after the call it holds the chunks of this text only.
    """
    return in_deep_stack(_parse, document, {} if cache is None else cache)


def _parse(document: Document, cache: ParseCache) -> SyntaxTree:
    text = _readable(document.text)
    reader = _Reader(text, cache)
    regions = [cell.span for cell in document.cells] or [Span(0, len(text))]
    placed = [pair for region in regions for pair in reader.read(region)]
    cache.clear()
    cache.update(reader.used)
    chunks: list[ParsedChunk] = []
    errors: list[SyntaxFault] = []
    for (start, end), tree in placed:
        damaged = tuple(Span(start + span.start, start + span.end) for span in tree.damaged)
        chunks.append(ParsedChunk(start, end, tree.module.body, tree.module, tree.source, damaged))
        if tree.fault:
            span = tree.fault.span
            fault = SyntaxFault(Span(start + span.start, start + span.end), tree.fault.message, tree.fault.is_legal)
            errors.append(fault)
    return SyntaxTree(tuple(chunks), tuple(errors))


class _Reader:
    """Parses regions of one text, with the trees of the last time at hand."""

    def __init__(self, text: str, cache: ParseCache) -> None:
        self.used: ParseCache = {}
        self._text = text
        self._cache = cache
        self._count: dict[str, int] = {}

    def read(self, region: Span) -> Iterator[tuple[Chunk, ChunkTree]]:
        chunks = cut(self._text, region.start, region.end)
        trees = [self._tree(self._text[chunk.start : chunk.end]) for chunk in chunks]
        if any(tree.fault for tree in trees) and len(chunks) > 1 and not is_exact(self._text, chunks):
            whole = self._tree(self._text[region.start : region.end])
            if whole.fault is None:
                return iter([(Chunk(*region), whole)])
        return zip(chunks, trees, strict=True)

    def _tree(self, text: str) -> ChunkTree:
        count = self._count.get(text, 0)
        self._count[text] = count + 1
        key = (text, count)
        tree = self._cache.get(key) or _parse_chunk(text)
        self.used[key] = tree
        return tree


def _parse_chunk(text: str) -> ChunkTree:
    source = without_tail(text)
    if (excess := find_excess(source)) is not None:
        message = "this statement is" if excess.is_legal else "brackets are"
        span = Span(excess.offset, excess.offset + 1)
        return _unread(source, Damage(span, f"{message} nested too deeply to be checked", excess.is_legal))
    try:
        return ChunkTree(cst.parse_module(source), source)
    except Exception as error:  # a tokenizer or parser error, or anything that libcst's native code makes up
        fault = find_fault(source, split_lines(source), error)
        repaired = repair(source)
    if repaired is None:
        return _unread(source, fault)
    return ChunkTree(repaired.module, repaired.source, repaired.damaged, fault)


def _unread(source: str, fault: Damage) -> ChunkTree:
    return ChunkTree(cst.Module(()), "", (Span(0, len(source)),), fault)


_LONE_RETURN = re.compile(r"\r(?!\n)")
_LEADING_FORM_FEED = re.compile(r"^([ \t\f]*)\f(?=[^\s])", re.MULTILINE)
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _readable(text: str) -> str:
    """The text as libcst can read it, of the same length.

    A form feed resets the indentation, as a line end does, and is a blank elsewhere. A lone carriage return is a
    line end. Lone surrogates are no characters.
    """
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)
    if "\f" in text:
        text = _LEADING_FORM_FEED.sub(lambda match: " " * len(match.group(1)) + "\n", text).replace("\f", " ")
    if not text.isascii():
        text = _LONE_SURROGATE.sub("\ufffd", text)
        if text.startswith("\ufeff"):
            text = "\n" + text[1:]
    return text
