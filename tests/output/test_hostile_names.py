"""What the checked project calls things acts on nothing, in any format. New formats are tested without being named."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ddl_lint.commands.parser import JOB_FORMATS
from ddl_lint.escape import without_commands
from ddl_lint.finding import Applicability, Confidence, Edit, Evidence, Fix
from ddl_lint.output import FORMATS, jobs, render, trace
from ddl_lint.output.links import Links
from ddl_lint.output.shown import escaped
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location
from ddl_lint_server.markdown import plain
from rank_tables import documents, path, table
from rank_tables import hostile as hostile_table
from reports import document, finding, notebook

NAMES = {
    "newline": "a\n::warning::b",
    "carriage return": "a\r::error::b",
    "command": "::error::b",
    "command after blanks": "  ::warning::b",
    "command after a wide blank": "\u3000::warning::b",
    "command of Azure": "##vso[task.complete]b",
    "command of Azure in a line": "a ###vso[task.setvariable variable=PATH]b",
    "old command of GitHub in a line": "a ##[error]b",
    "command of TeamCity in a line": "a##teamcity[buildStop comment='b']",
    "terminal": "a\x1b[2J\x1b[31mb",
    "link": "a\x1b]8;;https://evil.example\x07b\x1b]8;;\x07",
    "c1": "a\x9b31mb\x85c",
    "bidi": "a\u202eb\u2066c",
    "separators": "a\u2028b\u2029c\x0bd\x0c",
    "zero": "a\x00b\x08c\x7f",
    "surrogate": "a\udc80b",
    "no character": "a\ufffeb\uffff",
    "markup": "a<script>alert(1)</script>&amp;<!-- ]]> -->\"'b",
    "markdown": "a`](javascript:alert(1)) ![x](y) <img src=x>b",
}
OURS = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b\x07]*\x1b\\")
"""The colours and links that a format for people has."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def assert_harmless(text: str) -> None:
    """Nothing acts on a terminal, no line is begun by a name, and nothing is a command to a CI system."""
    for character in text.replace("\n", ""):
        category = unicodedata.category(character)
        assert not category.startswith("C") and category not in ("Zl", "Zp"), repr(character)
    assert not re.search(r"^[\s\u200c\u200d]*::(warning|error::b)", text, re.MULTILINE)
    assert not re.search(r"##\w*\[", text)


def found(name: str, doc: Document):
    place = Location(doc.path, doc.text.index("f("), doc.text.index("f(") + 3)
    words = {"help": name, "doubt": name, "ranks": name}
    fix = Fix(name, (Edit(place, f"g('{name}')"),), Applicability.UNSAFE, name)
    evidence = (Evidence(name, place, name), Evidence(name, place))
    yield finding(place, name, evidence=evidence, fix=fix, confidence=Confidence.MEDIUM, **words)
    yield finding(place, name, unfixable=name, evidence=evidence)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["python", "notebook", "unknown"])
def test_reports(format, name, kind):
    code = f"x = f('{name}')  # {name}"
    doc = notebook(code, name=f"{name}.ipynb") if kind == "notebook" else document(code, f"{name}.py")
    known = {} if kind == "unknown" else {doc.path: doc}
    links = Links({"DDL201": "https://docs.example/x"})
    text = render(list(found(name, doc)), known, format, colour=True, links=links, files=1)
    text = OURS.sub("", text)
    assert_harmless(text)
    if format in ("json", "sarif", "gitlab"):
        json.loads(text)
    if format == "json":  # programs get the name as it is
        assert json.loads(text)["diagnostics"][0]["file"] == Path(doc.path).relative_to(Path.cwd()).as_posix()
    if format == "jsonl":
        assert len([json.loads(line) for line in text.splitlines()]) == 2
    if format == "junit":
        assert len(list(ElementTree.fromstring(text.encode()).iter("testcase"))) == 2
    if format == "github":
        assert len(text.splitlines()) == 2


def test_a_name_is_shown_so_that_it_can_be_recognised():
    doc = document("f()\n", "a\n\x1b[1m\u202e\U000e0001.py")
    line = render(list(found("x", doc)), {doc.path: doc}, "concise").splitlines()[0]
    assert line.startswith(r"a\n\x1b[1m\u202e\U000e0001.py:1:1: ")


def test_letters_of_all_scripts_stay():
    doc = document("f()\n", "größe 日本 نص e\u0301 👩\u200d💻.py")
    line = render(list(found("ok", doc)), {doc.path: doc}, "concise").splitlines()[0]
    assert line.startswith("größe 日本 نص e\u0301 👩\u200d💻.py:1:1: ")


@pytest.mark.parametrize("text", [" \u200d::debug::x", "\u00a0::debug::x", "x\n\t::debug::x", "##[x]", "####vso[x]"])
def test_blanks_and_signs_before_a_command(text):
    assert not re.search(r"^[\s\u200d]*::|##\w*\[", without_commands(text), re.MULTILINE)


@pytest.mark.parametrize("text", ["a::b", "## [x]", "# [x]", "##", "###"])
def test_what_is_no_command_in_a_line(text):
    assert without_commands(text) == text


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]


def elements(text: str) -> list[str]:
    parser = Elements()
    parser.feed(text)
    assert not [link for link in parser.links if link.startswith("javascript:")]
    return parser.found


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("format", trace.FORMATS)
def test_traces(format, name):
    text = trace.render(hostile_table(name), documents(), format)
    assert_harmless(text)
    if format in ("html", "svg"):
        plain = trace.render(hostile_table("plain"), documents(), format)
        for tag in ("script", "img", "a", "iframe"):
            assert elements(text).count(tag) == elements(plain).count(tag)
    if format == "svg":
        ElementTree.fromstring(text.encode())
    if format == "json":
        json.loads(text)


def test_a_trace_of_a_file_with_code_that_acts():
    text = "".join(f"line {number} \x1b[31m\u202e<script>\n" for number in range(1, 200))
    for format in trace.FORMATS:
        shown = trace.render(hostile_table("x"), {path(): Document(path(), text)}, format)
        assert_harmless(shown)
    assert table()


@dataclass
class Row:
    file: str
    launchers: tuple[str, ...]
    script: str
    engine: str
    batch: str
    versions: str
    container: str
    unknown: tuple[str, ...]
    line: int = 1
    is_found: bool = True
    nodes: int | None = 1
    processes: int | None = 2
    world_size: int | None = 2


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("format", JOB_FORMATS)
def test_tables_of_jobs(format, name):
    text = jobs.render([Row(name, (name, name), name, name, name, name, name, (name,))], 1, format)
    assert_harmless(text)
    if format in ("html", "svg"):
        assert not {"img", "a"} & set(elements(text))
        assert [*elements(text)].count("script") == (format == "html")  # that of all pages, named by its digest


def test_what_is_said_beside_the_findings(run_in):
    """Names of files on stderr and in the statistics; a shell of GitHub reads commands there, too."""
    name = "a\n::warning::b\x1b[31m\u202e.py"
    Path(name).write_text("import torch\nx = (\n", encoding="utf-8")
    Path("plain\n::warning::c.py").write_text("x = 1\n", encoding="utf-8")
    for options in (
        ["--verbose"],
        ["--timing"],
        ["--statistics"],
        ["--fix"],
        ["--diff", "--color=always"],
        [name],
        ["missing\n::error::b.py"],
    ):
        assert_harmless(OURS.sub("", run_in("check", "--no-cache", *options)))


def test_the_page_for_a_reviewer(run_in):
    code = (
        "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()  # \x1b[31m\u202e<script>\n"
    )
    Path("a\n::warning::b\x1b[31m\u202e<script>alert(1)<img>.py").write_text(code, encoding="utf-8")
    run_in("report", "--no-cache", "-o", "page.html")
    text = Path("page.html").read_text(encoding="utf-8")
    assert "dist.barrier" in text
    assert_harmless(text)
    found = elements(text)
    assert found.count("script") == 1  # that of the page
    assert not {"img", "iframe"} & set(found)


@pytest.fixture
def run_in(capsys):
    from ddl_lint.commands.main import main

    def call(*arguments: str) -> str:
        main(arguments)
        return "".join(capsys.readouterr())

    return call


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("sentence", ["{}", "Hang: `{}` waits", "`{}` and `{}`"])
def test_hovers(name, sentence):
    doc = document("f()\n")
    place = Location(doc.path, 0, 3)
    text = plain(escaped(finding(place, sentence.replace("{}", name))).message)
    assert_harmless(text)
    outside = re.sub(r"`[^`]*`", "", re.sub(r"\\.", "", text))
    assert not set("[]<>`") & set(outside)
