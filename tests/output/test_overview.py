"""The page of `ddl-lint report`, as far as it can be read without a browser: what it says, links, and escapes."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from dataclasses import dataclass, replace
from html.parser import HTMLParser

import pytest

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Confidence, Evidence, Fix, JobOfFinding, Severity
from ddl_lint.output.overview import Subject, render
from ddl_lint.output.trace import Links
from ddl_lint.program.followed import Coverage
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location
from rank_tables import HOSTILE, at, documents, hostile, path, small


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@dataclass(frozen=True)
class Launch:
    file: str = "run.sh"
    line: int = 3
    launchers: tuple[str, ...] = ("srun", "torchrun")
    script: str = "train.py"
    is_found: bool = True
    nodes: int | None = 4
    processes: int | None = 8
    world_size: int | None = 32
    engine: str = ""
    batch: str = ""
    versions: str = ""
    container: str = ""
    unknown: tuple[str, ...] = ()


def finding(message: str, line: int = 1, severity: Severity = Severity.ERROR, **more) -> Diagnostic:
    known = {"symptom": "hang", "consequence": "hang", **more}
    return Diagnostic("DDL501", "some-rule", message, at(line), severity, Confidence.HIGH, **known)


def subject(*findings: Diagnostic, **more) -> Subject:
    known = Subject("river", "1.2.3", findings, documents(), 3, (), ())
    return replace(known, **more)


def diverging():
    """A trace in which ranks do not meet, for the reason that a finding in line 30 tells."""
    shown = small()
    rows = (row if row.gap is None else replace(row, gap=replace(row.gap, place=at(30))) for row in shown.rows)
    return replace(shown, rows=tuple(rows))


class Page(HTMLParser):
    """The attributes of all elements, the text, and whether every element is closed where it must be."""

    VOID = ("meta", "br", "path", "use")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def all(self, attribute: str) -> list[str]:
        return [given[attribute] for _, given in self.elements if attribute in given]


def test_findings_stand_by_consequence_the_worst_first_and_of_equals_the_most_severe():
    text = render(
        subject(
            finding("Wasted work: slow", 1, consequence="wasted-work"),
            finding("Hang: perhaps", 2, Severity.WARNING),
            finding("Hang: surely", 3),
            finding("Data loss: gone", 2, consequence="data-loss"),
        )
    )
    order = [text.index(said) for said in ("Hang: surely", "Hang: perhaps", "Data loss: gone", "Wasted work: slow")]
    assert order == sorted(order)
    assert "Found 2 hangs, 1 case of data loss and 1 case of wasted work." in text


def test_the_jobs_that_meet_a_finding_are_told_with_their_sizes():
    jobs = (JobOfFinding(at(2), 32, 4, is_met=True), JobOfFinding(at(3), None, None, is_met=False))
    page = Page(render(subject(finding("Hang: it", jobs=jobs))))
    assert re.search(r"Met in 1 job \S+:2 \(32 processes on 4 nodes\)", page.text)
    assert re.search(r"Not met in 1 job \S+:3(?! \()", page.text)


def test_a_rule_may_say_no_consequence():
    text = render(subject(finding("ranks wait", consequence="")))
    assert '<section class="group" id="other">' in text
    assert "Found 1 other finding" in text


def test_what_to_do_is_said_with_how_safe_it_is():
    fix = Fix("Move the call", (), Applicability.UNSAFE, "Other ranks call it, too.")
    page = Page(render(subject(finding("Hang: it", help="Call `f`.\nThen `g`.", fix=fix))))
    assert "Call f.Then g." in page.text
    assert "Move the call (unsafe: other ranks call it, too)" in page.text


def test_a_finding_is_followed_by_its_trace_once_and_evidence_is_not_said_twice():
    two = (
        finding("Hang: first", 30, evidence=(Evidence("because of this", at(2)),)),
        finding("Hang: second", 30, Severity.WARNING),
    )
    text = render(subject(*two, traces=(diverging(),)))
    assert text.count('class="trace"') == 1
    assert text.index("Hang: first") < text.index('class="trace"') < text.index("Hang: second")
    assert text.count('href="#t1-trouble-1"') == 1 == text.count('id="t1-trouble-1"')
    assert "because of this" not in text


def test_a_trace_without_a_finding_at_its_place_is_no_picture_but_says_how_the_script_ended():
    program = Coverage(path(), "script", "", True, "has a main block")
    text = render(subject(traces=(small(),), programs=(program,)))
    assert 'class="trace"' not in text
    assert "followed to its end; Hang: the ranks do not meet in 1 place" in Page(text).text


def test_every_launch_is_drawn_with_its_nodes_and_processes():
    known = Launch()
    text = render(subject(launches=(known, Launch(line=9, nodes=None, processes=None, world_size=None))))
    first, _, second = text.partition("run.sh:9")
    assert first.count('<span class="node">') == 4
    assert first.count("<i></i>") == 32
    assert "4 nodes x 8 processes = 32 ranks" in first
    assert second.count('<span class="node unknown">') == 1
    assert "? nodes x ? processes" in second


def test_a_large_job_is_drawn_in_part():
    text = render(subject(launches=(Launch(nodes=1000, processes=1000, world_size=1_000_000),)))
    assert text.count("<i></i>") < 200
    assert "1000 nodes x 1000 processes = 1000000 ranks" in text


def test_what_could_not_be_seen_is_said_in_full():
    programs = (
        Coverage(path(), "script", "", True, "", cut="40000 statements in `fit`"),
        Coverage("/elsewhere/eval.py", "none", "", False, "it is a test"),
    )
    unread = Diagnostic(
        "DDL003", "unreadable", "cannot be read", Location("/x/odd.py", 0, 0), Severity.ERROR, Confidence.HIGH
    )
    text = Page(
        render(
            subject(
                unread,
                programs=programs,
                unread=("/x/notes.py",),
                problems=(("/x/gone", "no such file"),),
                launches=(Launch(unknown=("--nproc_per_node is `$N`",)),),
                without_trace=2,
            )
        )
    ).text
    for said in (
        "the analysis stopped after 40000 statements",
        "/elsewhere/eval.py: not followed: it is a test",
        "cannot be read",
        "/x/notes.py: not looked at",
        "/x/gone: no such file",
        "run.sh:3: --nproc_per_node is $N",
        "2 more places may lack a picture",
    ):
        assert said in text
    assert "No problems found." in text  # of those that rules speak of


def test_a_clean_check_says_so_without_promising_too_much():
    text = Page(render(subject())).text
    assert "No problems found." in text
    assert "Every script was followed to its end" in text
    assert "no finding is no proof" in text


def test_places_are_links_to_the_revision_or_to_the_lines_in_the_page():
    inside = Page(render(subject(finding("Hang: it"))))
    targets = {given.get("id") for _, given in inside.elements}
    assert all(link[0] == "#" and link[1:] in targets for link in inside.all("href"))
    links = Links("https://host/org/river/blob/abc", str(at(1).path.rpartition("/")[0]))
    outside = render(subject(finding("Hang: it"), links=links, revision="abc"))
    assert 'href="https://host/org/river/blob/abc/' in outside
    assert "Links lead to revision <code>abc</code>" in outside


def test_nothing_is_loaded_and_only_the_script_of_the_page_may_run():
    text = render(subject(finding("Hang: it", 30), traces=(diverging(),), launches=(Launch(),)))
    page = Page(text)
    assert not page.open
    assert not page.all("src")
    assert not re.search(r"@import|url\(|http://|https://", text)
    (policy,) = (given["content"] for _, given in page.elements if given.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = re.search(r"script-src 'sha256-([^']+)'", policy)
    assert digest and b64decode(digest[1]) == hashlib.sha256(script.encode()).digest()


def test_names_in_the_page_are_unique():
    text = render(
        subject(finding("Hang: it", 30), finding("Crash: it", 2), traces=(diverging(),), launches=(Launch(),))
    )
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))


def test_nothing_of_the_checked_files_becomes_an_element():
    name = f"/evil/{HOSTILE}.py"
    known = {**documents(), name: Document(name, f"x = 1  # {HOSTILE}\n")}
    here = Location(name, 0, 1)
    fix = Fix(HOSTILE, (), Applicability.DISPLAY_ONLY, HOSTILE)
    evil = replace(
        finding(f"Hang: {HOSTILE}", help=HOSTILE, fix=fix, evidence=(Evidence(HOSTILE, here),)), location=here
    )
    launch = Launch(HOSTILE, 1, (HOSTILE,), HOSTILE, True, 1, 1, 1, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,))
    program = Coverage(name, "script", HOSTILE, True, HOSTILE, cut=HOSTILE)
    given = subject(
        evil,
        replace(evil, code="DDL001"),
        name=HOSTILE,
        documents=known,
        traces=(hostile(),),
        launches=(launch,),
        programs=(program, replace(program, followed=False)),
        unread=(name,),
        problems=((name, HOSTILE),),
        revision=HOSTILE,
    )
    page = Page(render(given))
    plain = Page(render(subject(finding("Hang: it", 30), traces=(diverging(),), launches=(Launch(),))))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in plain.elements} | {
        "details",
        "summary",
        "ol",
        "ul",
        "br",
    }
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert all(link[0] == "#" for link in page.all("href"))


def test_a_page_of_very_many_findings_can_still_be_sent():
    """Those of each consequence that come first are shown whole, others in a line, and the rest are counted."""
    evidence = tuple(Evidence("because of this", at(line)) for line in range(1, 200))
    many = [
        finding(f"{word}: number {index}", 1 + index % 199, evidence=evidence, consequence=word.lower())
        for word in ("Hang", "Crash")
        for index in range(5_000)
    ]
    text = render(subject(*many))
    page = Page(text)
    assert len(text) < 4_000_000
    assert len(page.all("data-finding")) == 200
    assert "Found 5000 hangs and 5000 crashes." in page.text
    assert page.text.count("And 4500 more: ddl-lint check names them all.") == 2
    assert "And 179 more places." in page.text
    targets = {given.get("id") for _, given in page.elements}
    assert all(link[0] == "#" and link[1:] in targets for link in page.all("href"))


def test_lists_of_a_large_repository_are_cut_short_and_say_so():
    programs = [Coverage(f"/x/{index}.py", "script", "", index % 2 == 0, "it is a test") for index in range(3_000)]
    launches = [Launch(line=index, unknown=("`$N` is not set",)) for index in range(1, 1_001)]
    text = render(
        subject(
            programs=programs,
            launches=launches,
            unread=[f"/x/{index}.txt" for index in range(1_000)],
            problems=[(f"/x/{index}", "no such file") for index in range(1_000)],
        )
    )
    assert len(text) < 500_000
    said = Page(text).text
    for more in (
        "and 1300 more scripts",
        "and 1300 more that were not followed",
        "and 800 more facts of launch lines",
        "and 800 more files",
        "and 800 more paths",
        "And 800 more: ddl-lint jobs lists them all.",
    ):
        assert more in said


def test_traces_that_are_too_long_for_a_page_are_left_out_for_the_reasons():
    line = [replace(row, gap=None) for row in diverging().rows[:1]]
    rows = [
        replace(row, cells=tuple(replace(cell, name=f"call{index}") for cell in row.cells if cell))
        for index in range(5_000)
        for row in line
    ]
    long = replace(diverging(), rows=(*rows, *diverging().rows))
    text = render(subject(finding("Hang: it", 30, evidence=(Evidence("because", at(2)),)), traces=(long,)))
    assert 'class="trace"' not in text
    assert "because" in text
