"""A document to libcst statements: one parse per top-level statement, and a broken one costs only itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from ddl_lint.source.document import Document
from ddl_lint.source.fault import SyntaxFault
from ddl_lint.source.span import Span
from ddl_lint.syntax.faults import find_fault
from ddl_lint.syntax.limits import find_excess, in_deep_stack
from ddl_lint.syntax.lines import Damage, split_lines, without_tail
from ddl_lint.syntax.regions import read_chunks
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


def parse(document: Document) -> SyntaxTree:
    """Parse a document. Never fails: what cannot be parsed is in `SyntaxTree.errors`."""
    return in_deep_stack(_parse, document)


def _parse(document: Document) -> SyntaxTree:
    chunks: list[ParsedChunk] = []
    errors: list[SyntaxFault] = []
    for (start, end), tree in read_chunks(document, lambda text, _: parse_chunk(text)):
        damaged = tuple(Span(start + span.start, start + span.end) for span in tree.damaged)
        chunks.append(ParsedChunk(start, end, tree.module.body, tree.module, tree.source, damaged))
        if tree.fault:
            errors.append(tree.fault.at(start))
    return SyntaxTree(tuple(chunks), tuple(errors))


def parse_chunk(text: str) -> ChunkTree:
    """The tree of the text of a chunk, repaired where it is broken."""
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
