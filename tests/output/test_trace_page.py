"""The page of a trace, as far as it can be read without a browser: what it shows, folds, links and escapes."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest

from ddl_lint.analysis.ranks.communication import Block, Cell, Gap, Row, Stop
from ddl_lint.analysis.ranks.grid import Grid
from ddl_lint.analysis.ranks.hidden import HiddenLoop
from ddl_lint.analysis.ranks.processes import RankClass, job
from ddl_lint.finding import Evidence
from ddl_lint.output.trace import Focus, Links, Presentation, render
from ddl_lint.output.trace.outline import Group, outline
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import group_kinds
from rank_tables import CLASSES, HOSTILE, at, both, call, documents, hostile, path, small, table


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


class Page(HTMLParser):
    """The elements of a page: tag and attributes, and the text of all of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.open_when: dict[str, bool] = {}
        self._details: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag == "details":
            self._details.append("open" in given)

    def handle_endtag(self, tag):
        if tag == "details":
            self._details.pop()

    def handle_data(self, data):
        self.texts.append(data)
        self.open_when.setdefault(data.strip(), all(self._details))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [given for name, given in self.elements if name == tag]


def page(shown, presentation: Presentation | None = None) -> Page:
    return Page(render(shown, documents(), "html", presentation or Presentation()))


def test_nothing_is_loaded_and_only_the_script_of_the_page_may_run():
    text = render(small(), documents(), "html")
    shown = Page(text)
    assert not [given for _, given in shown.elements if "src" in given]
    assert not re.search(r"@import|url\(", text)
    assert {each["href"][0] for each in (*shown.all("a"), *shown.all("use"))} == {"#"}
    (policy,) = (each["content"] for each in shown.all("meta") if each.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = re.search(r"script-src 'sha256-([^']+)'", policy)
    assert digest and b64decode(digest[1]) == hashlib.sha256(script.encode()).digest()
    assert len(shown.all("script")) == 1


def test_the_verdict_is_said_once_before_everything():
    visible = render(small(), documents(), "html").partition("<textarea")[0]
    assert visible.count("Hang: the ranks do not meet in 1 place") == 1
    assert visible.index("Hang:") < visible.index('<ol class="steps"')


def test_what_is_printed_and_written_stands_at_the_step():
    text = render(small(), documents(), "html")
    problem = text.partition('class="problem"')[2].partition("</li></div>")[0]
    assert "Gloo prints after 30 minutes:<code>Timed out waiting 1800000ms</code>" in problem
    assert '<code class="source">line 29</code>' in problem


def test_every_place_is_a_link_to_the_source_lines():
    shown = page(small())
    ids = {given["id"] for _, given in shown.elements if "id" in given}
    links = [each for each in shown.all("a") if each.get("class") == "place"]
    assert links and all(each["href"].removeprefix("#") in ids for each in links)
    assert {(each["data-file"], each["data-line"]) for each in links} >= {("train.py", "30"), ("train.py", "29")}


def test_places_in_messages_are_links_too():
    gap = Gap("Hang: rank 0 calls `x` (train.py:3) and leaves (line 9), not line 90", (Evidence("leaves", at(9)),))
    shown = page(table(Row((), (Cell("x", at(3)), None), gap)))
    text = render(table(Row((), (Cell("x", at(3)), None), gap)), documents(), "html")
    assert len([each for each in shown.all("a") if each["data-line"] == "9"]) == 2
    assert ">line 9</a>), not line 90" in text


def test_links_lead_to_the_web_where_there_is_an_address(tmp_path):
    links = Links("https://example.org/r/blob/1/", tmp_path.as_posix())
    shown = page(small(), Presentation(links=links))
    assert {each["href"] for each in shown.all("a")} >= {"https://example.org/r/blob/1/train.py#L30"}
    elsewhere = page(small(), Presentation(links=Links("https://example.org/r/", "/somewhere/else")))
    assert all(each["href"].startswith("#") for each in elsewhere.all("a"))


@pytest.mark.parametrize("base", ["javascript:alert(1)//", "data:text/html,", "https://x/<script>"])
def test_an_address_that_is_none_of_the_web_is_never_linked(tmp_path, base):
    shown = page(small(), Presentation(links=Links(base, tmp_path.as_posix())))
    assert all(each["href"].startswith("#") for each in shown.all("a"))


def parted(line: int, *, certain: bool = True) -> Row:
    gap = Gap(f"rank 0 waits (train.py:{line})", (Evidence("here", at(line)),), certain)
    return Row((), (Cell("all_reduce", at(line), sure=certain), None), gap)


def test_all_but_the_trouble_is_folded():
    rows = [both(f"call_{line}", line) for line in range(1, 100)]
    rows.insert(50, parted(150))
    shown = page(table(*rows))
    assert shown.open_when["all_reduce"]
    assert shown.open_when["call_50"] and shown.open_when["call_51"]
    assert not shown.open_when["call_40"] and not shown.open_when["call_60"]
    assert "48 more steps" in shown.texts


def test_without_trouble_a_short_trace_is_open():
    shown = page(table(both("forward", 21, call(), Block("loop", "for x in y", at(20), 1))))
    assert (
        shown.open_when["forward in main()"] if "forward in main()" in shown.open_when else shown.open_when["forward"]
    )


def test_a_page_is_opened_at_the_line_that_was_asked_for():
    loop = Block("loop", "for x in y", at(20), 1)
    rows = [both(f"call_{line}", line, loop) for line in range(30, 130)]
    focus = Presentation(focus=Focus(path(), 77, "train.py:77: all ranks execute it"))
    shown = page(table(*rows), focus)
    assert shown.open_when["call_77"] and not shown.open_when["call_99"]
    assert [given for tag, given in shown.elements if "data-focus" in given]
    assert "all ranks execute it" in "".join(shown.texts)


def test_troubles_are_numbered_and_can_be_jumped_to():
    shown = page(table(parted(3), both("barrier", 4), parted(5)))
    ids = [given["id"] for _, given in shown.elements if "data-trouble" in given]
    assert ids == ["trouble-1", "trouble-2"]
    assert [each["href"] for each in shown.all("a") if each["href"].startswith("#trouble")] == [
        "#trouble-1",
        "#trouble-2",
    ]


def test_repeated_stretches_are_folded():
    lines = (3, 4, 5)
    rows = [both(f"call_{line}", line, call(number, "step", 10 + number)) for number in range(3) for line in lines]
    (group,) = outline(rows)
    assert isinstance(group, Group) and (group.times, len(group.items)) == (3, 3)
    rows = [both(name, line) for _ in range(4) for name, line in (("send", 3), ("recv", 4))]
    (group,) = outline([both("barrier", 1), *rows])[1:]
    assert isinstance(group, Group) and (group.blocks, group.times) == ((), 4)
    text = render(table(*rows), documents(), "text")
    assert "these 2 steps ×4" in text and text.count("send") == 1  # noqa: RUF001


def test_a_trouble_is_never_folded_into_a_repetition():
    rows = [row for number in range(3) for row in (both("barrier", 3), parted(4 + number))]
    assert render(table(*rows), documents(), "text").count("! rank 0 waits") == 3


def test_what_is_not_certain_looks_so_and_is_no_trouble():
    unsure = table(both("barrier", 3), parted(5, certain=False))
    found = verdict(unsure, documents())
    assert found.tone == "doubt" and found.text.startswith("Possible hang in 1 place")
    text = render(unsure, documents(), "html")
    assert 'class="mark maybe"' in text and "doubtful" in text
    mixed = verdict(table(parted(3), parted(5, certain=False)), documents())
    assert mixed.text == "Hang: the ranks do not meet in 1 place"
    assert mixed.limits[0].startswith("Possible hang in 1 more place:")


def test_the_consequence_is_that_of_the_messages():
    row = Row(
        (),
        (Cell("broadcast", at(3)), Cell("broadcast", at(5))),
        Gap("Wrong result: another order", (), consequence="wrong-result"),
    )
    assert verdict(table(row), documents()).text == "Wrong result: the ranks do not meet in 1 place"
    assert verdict(table(row, parted(7)), documents()).text == "Hang: the ranks do not meet in 2 places"


def test_what_limits_a_trace_is_said():
    hidden = HiddenLoop("pretrain", at(40))
    assert verdict(table(both("barrier", 3), hidden=hidden), documents()).text == (
        "The training loop is inside `pretrain(...)` (train.py:40), which ddl-lint cannot see"
    )
    stop = Stop(at(50), "train", "40,000 statements")
    found = verdict(table(parted(3), hidden=hidden, stop=stop), documents())
    assert found.tone == "hang"
    assert [limit.split(":")[0] for limit in found.limits] == [
        "The training loop is inside `pretrain(...)` (train.py",
        "Partly checked",
    ]
    assert "stopped after 40,000 statements, in `train()` (train.py:50)" in found.limits[1]
    assert verdict(table(both("barrier", 3)), documents()).text == (
        "No hang found in what was followed: the ranks meet in 1 collective call"
    )


def test_groups_have_signs_of_their_own_and_a_legend():
    grid = Grid((("tensor", 2), ("data", 2)))
    cell = Cell("all_reduce", at(3), group="data")
    shown = table(Row((), (cell, cell)), both("barrier", 4), grid=grid)
    assert [kind.text for kind in group_kinds(shown)] == ["tensor groups: 0 1 | 2 3", "data groups: 0 2 | 1 3"]
    text = render(shown, documents(), "html")
    parsed = Page(text)
    assert {each["href"] for each in parsed.all("use")} >= {"#mark0", "#mark1", "#mark2"}
    shapes = [given["d"] for tag, given in parsed.elements if tag == "path"]
    assert len(set(shapes)) == len(shapes) == 3  # told by more than their colour
    assert {each.get("aria-label") for each in parsed.all("svg")} >= {"circle", "square", "diamond"}


def test_hostile_names_make_no_elements():
    plain, shown = page(small()), page(hostile())
    assert {tag for tag, _ in shown.elements} <= {tag for tag, _ in plain.elements}
    assert len(shown.all("script")) == 1
    assert not [name for _, given in shown.elements for name in given if name.startswith("on")]
    printed = HOSTILE.replace("\x1b", "\N{REPLACEMENT CHARACTER}").replace("\x00", "\N{REPLACEMENT CHARACTER}")
    assert printed in shown.texts


def test_a_page_of_many_steps_and_processes_stays_small():
    processes = job(2, 4)
    columns = tuple(RankClass((each,), f"rank {each.rank}") for each in processes)
    rows = [Row((call(),), (Cell(f"call_{line}", at(line % 199 + 1)),) * 8) for line in range(500)]
    text = render(table(*rows, columns=columns), documents(), "html")
    assert len(text) < 4_000_000
    assert "500" in text or "488 more steps" in text


def test_both_columns_are_named_for_those_who_do_not_see_them():
    text = render(small(), documents(), "html")
    assert text.count('<span class="who">rank 0</span>') == text.count('<span class="who">the other ranks</span>') == 5
    assert len(CLASSES) == 2
