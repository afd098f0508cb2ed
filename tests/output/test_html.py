"""What all pages have in common: their frame, source code, and texts that are only text."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from pathlib import Path

import pytest

import ddl_lint
from ddl_lint.output.html.code import code, marked, plain
from ddl_lint.output.html.escaped import escaped, escaped_lines, with_code
from ddl_lint.output.html.frame import page

HOSTILE = "</title></style><script>alert(1)</script>"


def policy(text: str) -> str:
    (found,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    return found


def test_a_page_without_a_script_allows_none():
    text = page("Jobs", ["<main></main>"])
    assert "script" not in text
    assert policy(text).startswith("default-src 'none'; style-src")


def test_a_page_allows_its_own_script_and_no_other():
    text = page("Jobs", ["<main></main>"], script="page.jumps([], 'start');\n")
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    assert script.startswith('"use strict";\n')
    assert script.endswith("page.jumps([], 'start');\n")
    (digest,) = re.findall(r"script-src 'sha256-([^']+)'", policy(text))
    assert b64decode(digest) == hashlib.sha256(script.encode()).digest()


def test_a_title_is_only_text():
    assert f"<title>{escaped(HOSTILE)}</title>" in page(HOSTILE, [])
    assert "<script" not in page(HOSTILE, [])


def test_nothing_is_loaded():
    assert not re.search(r"@import|url\(|https?:", page("Jobs", [], script=" "))


def test_texts_are_only_text():
    assert escaped("<b>\n\x1b[31m\u202e") == "&lt;b&gt;\ufffd\ufffd[31m\ufffd"
    assert escaped_lines("<a>\r\nb") == "&lt;a&gt;\nb\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("call `f<T>` first", "call <code>f&lt;T&gt;</code> first"),
        ("a ` of <the> code", "a ` of &lt;the&gt; code"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
    ],
)
def test_code_in_texts_is_shown_as_code(text, shown):
    assert with_code(text) == shown


def test_lines_of_code_have_their_numbers_and_show_where_some_are_left_out():
    shown = code([(1, plain("a\t< b  "), ""), (2, plain("c"), "s0-2"), (9, plain("d"), "")])
    assert shown == (
        '<pre class="code"><span><b>1</b> a   &lt; b</span><span id="s0-2" data-hit><b>2</b> c</span>'
        '<span class="gap"><b>9</b> d</span></pre>'
    )


@pytest.mark.parametrize(
    ("text", "begin", "end", "shown"),
    [
        ("x = f(<1>)", 4, 5, "x = <mark>f</mark>(&lt;1&gt;)"),
        ("\tx = 1  ", 1, 2, "    <mark>x</mark> = 1"),
        ("a\tb", 0, 3, "<mark>a   b</mark>"),
    ],
)
def test_a_part_of_a_line_is_marked(text, begin, end, shown):
    assert marked(text, begin, end) == shown


def test_a_long_line_is_cut_wherever_its_mark_is():
    for begin in (0, 5, 900):
        shown = marked("x" * 1000, begin, begin + 3)
        assert "…" in shown and "<mark>" in shown
        assert len(shown) < 250


def test_text_becomes_html_in_one_place_only():
    """A second way to escape is one that forgets something."""
    folder = Path(ddl_lint.__file__).parent
    found = {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*.py")
        if re.search(r"^(?:from html import|import html\b)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert found == {"output/html/escaped.py"}


def test_colours_of_pages_are_defined_once():
    """Each page beyond the first would be one that is forgotten when they change."""
    folder = Path(ddl_lint.__file__).parent
    sheets = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.css"))
    }
    assert [name for name, text in sheets.items() if "--ground:" in text] == ["output/html/page.css"]


def test_what_a_page_looks_like_does_not_reach_into_pictures():
    """The page of a rule holds pictures of traces, in whose sheet a class may have the same name."""
    folder = Path(ddl_lint.__file__).parent / "output"
    bare = re.compile(r"(?:^|[\s,}])\.([\w-]+)(?=[\s,{.])")
    pages, pictures = (
        set(bare.findall((folder / sheet).read_text(encoding="utf-8")))
        for sheet in ("html/page.css", "trace/picture.css")
    )
    assert "verdict" in pictures
    assert pages & pictures <= {"gap"}  # in code only
