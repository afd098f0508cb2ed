"""Logs that somebody has made to do harm, or that are broken: an answer, and nothing of them acts on anything."""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path

import pytest

from ddl_lint.diagnose import answer, read
from ddl_lint.diagnose.shown import FORMATS, Look, render
from ddl_lint.diagnose.shown.redaction import redacted
from ddl_lint.registry.rules import Installed

LOGS = Path(__file__).with_name("logs.md").read_text(encoding="utf-8")

SPLINTERS = [
    *("\x00", "\x1b[2J", "\x1b]0;title\x07", "\u202e", "::error::x", "##vso[task]", "</script><b>", "`", "{op}", "%s"),
    *(
        "[rank99999999999]: ",
        "Traceback (most recent call last):\n",
        '  File "',
        '", line 10, in ',
        "=-1",
        "\n\n",
        "9" * 400,
    ),
    *("  | ", "(most recent call first)\n", 'Thread 1 (idle): "MainThread"\n', "missing ranks: 0-99999999999]", "\r"),
    "Rank 3 failed to pass monitoredBarrier in 30000 ms",
]


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 12)):
        at, end = sorted(chance.randint(0, len(text)) for _ in range(2))
        what = chance.randint(0, 4)
        if what == 0:
            text = text[:at] + chance.choice(SPLINTERS) + text[at:]
        elif what == 1:
            text = text[:at] + text[min(end, at + 40) :]
        elif what == 2:
            text = text[:at] + text[at : at + 200] * 2 + text[at:]
        elif what == 3:
            text = text[:at] + chance.choice(SPLINTERS) + text[at + 1 :]
        else:
            lines = text.split("\n")
            chance.shuffle(lines)
            text = "\n".join(lines)
    return text


def try_mutants(numbers: range, installed: Installed) -> None:
    for number in numbers:
        chance = random.Random(number)
        begin = chance.randint(0, len(LOGS) - 400)
        text = mutated(LOGS[begin : begin + chance.randint(50, 3000)], chance)
        log = read(["-"], io.BytesIO(text.encode("utf-8", "surrogateescape")))
        found = answer(log, None, installed)
        for format in FORMATS:
            shown = render(found, format, Look(redact=bool(number % 2)))
            assert "\x1b" not in shown, number
            assert "\u202e" not in shown, number
            assert "##vso[" not in shown, number
            assert "<b>" not in shown or format != "html", number
        json.loads(render(found, "json", Look()))


def test_mutated_logs(installed: Installed):
    try_mutants(range(150), installed)


@pytest.mark.nightly
def test_many_mutated_logs(installed: Installed):
    try_mutants(range(150, 2_150), installed)


def test_bytes_that_are_no_text(installed: Installed):
    chance = random.Random(3)
    for size in (0, 1, 10, 1000, 100_000):
        found = answer(read(["-"], io.BytesIO(chance.randbytes(size))), None, installed)
        assert found.kind == "unknown"


def test_markup_in_a_log_is_only_text(installed: Installed):
    log = b'[rank0]: ValueError: <img src=x onerror=alert(1)> & "quoted" </script>\n'
    page = render(answer(read(["-"], io.BytesIO(log)), None, installed), "html", Look())
    assert "<img" not in page
    assert "&lt;img" in page
    assert "default-src 'none'" in page


def test_many_open_tracebacks_are_bounded(installed: Installed):
    lines = (f"[rank{rank}]: Traceback (most recent call last):\n" for rank in range(3000))
    log = "".join(lines) + "x\n" * 1000
    assert answer(read(["-"], io.BytesIO(log.encode())), None, installed).kind == "unknown"


def test_a_stack_of_many_frames_is_bounded(installed: Installed):
    frames = '  File "a.py", line 1, in f\n' * 100_000
    log = read(["-"], io.BytesIO(f"Traceback (most recent call last):\n{frames}RecursionError: x\n".encode()))
    assert len(log.raised[0].frames) <= 200


def test_a_rank_of_many_digits_is_no_rank(installed: Installed):
    log = b"[rank9999999]: KeyError: 'x'\n[Rank 99999999999999] Watchdog caught collective operation timeout: "
    found = answer(
        read(["-"], io.BytesIO(log + b"WorkNCCL(OpType=X, Timeout(ms)=1) ran for 1 milliseconds\n")), None, installed
    )
    assert len(render(found, "text", Look())) < 10_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_folder_with_a_pipe_waits_for_nobody(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.log")
    (tmp_path / "job.log").write_text("x\n")
    assert len(read([str(tmp_path)]).files) == 1


def test_a_device_is_no_log():
    assert read(["/dev/zero"]).problems


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", "0123456789abcdef"),
        ("token: hf_abcdefghijklmnopqrst", "hf_abc"),
        ("Authorization: Bearer abc.def.ghi", "abc.def"),
        ("password='hunter2'", "hunter2"),
        ("https://me:secret@host/x", "secret"),
        ("AWS AKIAIOSFODNN7EXAMPLE here", "AKIAIOSF"),
        ("/home/jane/project/train.py failed", "jane"),
        (r"C:\\Users\\jane\\train.py failed", "jane"),
        ("connect to 10.12.13.14:29500", "10.12.13.14"),
        ("mail jane.doe@example.org", "jane.doe"),
        ("srun: error: host gpu-node17 failed", "gpu-node17"),
    ],
)
def test_what_is_not_handed_on(text: str, gone: str):
    assert gone not in redacted(text)


def test_what_is_handed_on_stays_of_use():
    text = "RuntimeError: Detected mismatch between collectives on ranks. Rank 1 at train.py:10 (step 3/10, lr=0.1)"
    assert redacted(text) == text
    assert redacted("/home/jane/project/train.py:41") == ".../train.py:41"
