"""Bytes to text: encodings, and messages for files that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ddl_lint.source import SourceError, decode, document_from_bytes, load, read_bytes


def fault(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        decode("a.py", data)
    return caught.value


def test_utf8_is_the_default() -> None:
    assert decode("a.py", "x = 'é'\n".encode()) == ("x = 'é'\n", "utf-8", False)


def test_byte_order_mark_is_dropped() -> None:
    assert decode("a.py", b"\xef\xbb\xbf# coding: utf-8\r\nx") == ("# coding: utf-8\r\nx", "utf-8", True)


@pytest.mark.parametrize(
    "head",
    [
        b"# -*- coding: latin-1 -*-\n",
        b"#!/usr/bin/python\r\n# vim: set fileencoding=latin-1\r\n",
        b"\r#coding:latin-1\r",
    ],
)
def test_coding_line(head: bytes) -> None:
    text, encoding, _ = decode("a.py", head + b"x = '\xe9'")
    assert text.endswith("'é'")
    assert encoding == "iso8859-1"


def test_coding_line_counts_only_before_code() -> None:
    assert decode("a.py", b"x = 1\n# coding: latin-1\n").encoding == "utf-8"
    assert decode("a.py", b"\n\n# coding: nonsense\n").encoding == "utf-8"


def test_line_ends_are_kept() -> None:
    assert decode("a.py", b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_undecodable_byte() -> None:
    error = fault(b"x = 1\r\ny = '\xe9'\n")
    assert error.line == 2
    assert "0xe9 at offset 12" in error.message
    assert str(error).startswith("a.py:2: ")
    assert fault(b"\xef\xbb\xbf\xff").message.count("offset 3") == 1


@pytest.mark.parametrize(
    ("data", "line", "part"),
    [
        (b"# coding: nonsense\n", 1, "unknown encoding, 'nonsense'"),
        (b"#!x\n# coding: hex\n", 2, "not a text encoding"),
        (b"# coding: undefined\n", 1, "not a text encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "byte order mark"),
        (b"# coding: utf-16-le\n", 1, "utf-16-le"),
        (b"a\nb\0", 2, "NUL byte at offset 3"),
        ("x".encode("utf-16"), 1, "UTF-16"),
        ("x".encode("utf-32"), 1, "UTF-32"),
    ],
)
def test_faults_say_what_and_where(data: bytes, line: int, part: str) -> None:
    error = fault(data)
    assert error.line == line
    assert part in error.message


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\r\n")
    document = load(str(file))
    assert (document.text, document.kind, document.newline) == ("x = 1\r\n", "python", "\r\n")
    with pytest.raises(SourceError, match="too large"):
        read_bytes(str(file), max_bytes=3)
    with pytest.raises(SourceError, match="too large"):
        document_from_bytes("a.py", b"12345", max_bytes=3)
    with pytest.raises(SourceError, match="not a regular file"):
        read_bytes(str(tmp_path))
    with pytest.raises(SourceError, match="cannot be read"):
        read_bytes(str(tmp_path / "missing.py"))
    with pytest.raises(SourceError, match="cannot be read"):
        read_bytes("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    with pytest.raises(SourceError, match="not a regular file"):
        read_bytes(str(pipe))
