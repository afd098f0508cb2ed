"""What tables of ranks look like."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from ddl_lint.analysis.ranks.communication import Block, Cell, Gap, Row
from ddl_lint.output.cells import width_of
from ddl_lint.output.trace import FORMATS, Focus, Presentation, render
from rank_tables import CLASSES, at, both, call, documents, hostile, path, small, table


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_text():
    assert render(small(), documents(), "text") == (
        "train.py\n"
        "what all ranks must do together, in a job of 2 processes\n"
        "\n"
        "                            rank 0         the other ranks\n"
        "main()  train.py:90\n"
        "  init_process_group        train.py:10 -- train.py:10        line 10\n"
        "  barrier                   train.py:12 -- train.py:11        line 12\n"
        "  for epoch in range(9)  train.py:20\n"
        "    forward                 train.py:21 -- train.py:21        line 21\n"
        "    if x > 1 (may differ between ranks)  train.py:25\n"
        "      all_reduce            train.py:30    x                  line 30\n"
        "        ! rank 0 waits in `all_reduce` (train.py:30)\n"
        "          Gloo prints after 30 minutes: Timed out waiting 1800000ms\n"
        "    leaves the loop         train.py:40    train.py:40        line 40\n"
        "\n"
        "Hang: the ranks do not meet in 1 place\n"
    )


def test_nothing_to_show():
    assert "No collectives found" in render(table(), documents(), "text")


def test_colour_is_asked_for():
    assert "\x1b[1;31m" in render(small(), documents(), "text", Presentation(colour=True))
    assert "\x1b" not in render(small(), documents(), "text")


def test_a_call_that_holds_one_row_stands_beside_it():
    text = render(table(both("all_reduce", 5, call(0, "main"), call(1, "mean", 7))), documents(), "text")
    assert "all_reduce in main() > mean()" in text
    assert len(text.splitlines()) == 7


def test_equal_rows_of_several_calls_are_counted():
    rows = [both("all_reduce", 5, call(number, "mean", 10 + number)) for number in range(4)]
    assert "all_reduce in mean() ×4" in render(table(*rows), documents(), "text")  # noqa: RUF001


def test_further_turns_of_a_loop_are_left_out():
    loop = Block("loop", "for x in (1, 2)", at(3), 0)
    rows = [both(name, line, loop) for _ in range(2) for name, line in (("forward", 4), ("backward", 5))]
    text = render(table(*rows), documents(), "text")
    assert text.count("forward") == text.count("backward") == 1


def test_long_blocks_are_shortened():
    text = render(table(*(both(f"call_{line}", line) for line in range(1, 60))), documents(), "text")
    assert "... 47 more" in text
    assert "call_1 " in text
    assert "call_59 " in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_keep_within_the_width(width):
    name = "very_long_name_of_a_module_" * 3 + ".py"
    row = Row(
        (call(0, "函数" * 40),),
        (Cell("all_reduce_" * 9, at(3, name)), Cell("broadcast_" * 9, at(4, name))),
        Gap("短い" * 99, ()),
    )
    text = render(table(row, both("barrier", 9)), documents(name), "text", Presentation(width=width))
    assert max(map(width_of, text.splitlines())) <= max(width, 24 + 2 * (14 + 4))


def test_svg_is_well_formed_and_tells_what_it_shows():
    root = ElementTree.fromstring(render(small(), documents(), "svg"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "trace-title trace-desc"
    assert root.find(f"{space}title").text == "Trace of train.py"
    assert "do not meet" in root.find(f"{space}desc").text
    texts = [part.text for part in root.iter(f"{space}text")]
    assert {"rank 0", "the other ranks", "forward", "train.py:30"} <= set(texts)
    lines = [part.get("class") for part in root.iter(f"{space}line")]
    assert (lines.count("life"), lines.count("meet j0"), lines.count("gap"), lines.count("cross wrong")) == (2, 3, 1, 2)
    assert "prefers-color-scheme: dark" in root.find(f"{space}style").text


def test_svg_stays_within_its_frame():
    root = ElementTree.fromstring(render(small(), documents(), "svg"))
    width, height = int(root.get("width")), int(root.get("height"))
    for part in root.iter():
        if part.get("x") and part.get("width", "").isdigit():
            assert float(part.get("x")) + float(part.get("width")) <= width
        if part.get("y2"):
            assert float(part.get("y2")) <= height


def test_svg_of_hostile_names():
    text = render(hostile(), documents(), "svg")
    root = ElementTree.fromstring(text)
    assert not [part for part in root.iter() if part.tag.endswith("script")]
    assert "\x1b" not in text


def test_mermaid():
    assert render(small(), documents(), "mermaid") == (
        "sequenceDiagram\n"
        "    accTitle: train.py\n"
        "    accDescr: Hang: the ranks do not meet in 1 place\n"
        "    participant r0 as rank 0\n"
        "    participant r1 as the other ranks\n"
        "    %% main()\n"
        "    Note over r0,r1: init_process_group (train.py:10)\n"
        "    Note over r0,r1: barrier (train.py:12, train.py:11)\n"
        "    loop for epoch in range(9)\n"
        "        Note over r0,r1: forward (train.py:21)\n"
        "        opt if x #62; 1\n"
        "            rect rgba(255, 80, 80, 0.25)\n"
        "                Note over r0: all_reduce (train.py:30)\n"
        "                Note over r0,r1: rank 0 waits in #96;all_reduce#96; (train.py:30)\n"
        "                Note over r0,r1: Gloo prints after 30 minutes: Timed out<br/>waiting 1800000ms\n"
        "            end\n"
        "        end\n"
        "        Note over r0,r1: leaves the loop (train.py:40)\n"
        "    end\n"
    )


def test_mermaid_shows_both_arms_as_one_block():
    arms = [Block(kind, "x", at(3), number) for number, kind in enumerate(("if", "unless"))]
    text = render(table(both("barrier", 4, arms[0]), both("barrier", 6, arms[1])), documents(), "mermaid")
    assert [line.strip() for line in text.splitlines()[5:]] == [
        "alt if x",
        "Note over r0,r1: barrier (train.py:4)",
        "else unless x",
        "Note over r0,r1: barrier (train.py:6)",
        "end",
    ]


def test_mermaid_of_hostile_names():
    lines = render(hostile(), documents(), "mermaid").splitlines()
    words = ("sequenceDiagram", "accTitle:", "accDescr:", "participant", "opt", "rect", "Note over", "end")
    assert all(line.strip().startswith(words) for line in lines)
    told = [line for line in lines if line.strip().startswith(("participant", "opt", "Note", "acc"))]
    assert not any(re.search(r"\bend\b|<|>|;|%%", re.sub(r"#\d+;|<br/>", "", line)) for line in told)


def test_json():
    (trace,) = json.loads(render(small(), documents(), "json"))["traces"]
    assert (trace["file"], trace["function"], trace["alone"], trace["complete"]) == ("train.py", None, False, True)
    assert trace["job"] == {"nodes": 1, "processes_per_node": 2}
    assert trace["classes"][1] == {"title": "the other ranks", "ranks": [1]}
    step = trace["steps"][3]
    assert [block["kind"] for block in step["blocks"]] == ["call", "loop", "if"]
    assert step["blocks"][2]["varies"] == "local"
    assert step["cells"][1] is None
    cell = step["cells"][0]
    assert (cell["name"], cell["kind"], cell["certain"], cell["file"]) == ("all_reduce", "call", True, "train.py")
    assert cell["range"]["start"] == {"line": 30, "column": 1}
    assert step["gap"]["related"][0]["message"] == "they part here"
    assert step["gap"]["prints"] == [{"backend": "gloo", "text": "Timed out waiting 1800000ms", "seconds": 1800}]
    assert cell["source"] == "line 30" and "address" not in cell
    assert trace["verdict"]["tone"] == "hang"
    assert [step["meets"] for step in trace["steps"]] == [True, True, True, False, False]
    assert trace["steps"][4]["cells"][0]["kind"] == "break"


def test_a_row_that_some_classes_lack_for_a_reason():
    row = Row((), (Cell("barrier", at(3), (Block("if", "x", at(2), 0),)), Cell("barrier", at(5))))
    assert "train.py:3 if x" in render(table(row), documents(), "text")


def test_all_formats_take_all_tables():
    for format in FORMATS:
        for shown in (table(), small(), hostile(), table(both("barrier", 3), columns=CLASSES[:1] * 2)):
            assert render(shown, documents(), format)


@pytest.mark.parametrize("format", ["text", "svg"])
def test_what_the_trace_is_opened_at_is_never_left_out(format):
    shown = table(*(both(f"call_{line}", line) for line in range(1, 60)))
    assert "call_30" not in render(shown, documents(), format)
    focus = Presentation(focus=Focus(path(), 30))
    assert "call_30" in render(shown, documents(), format, focus)
