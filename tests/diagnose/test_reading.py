"""Logs as files: who says a line, which lines count, and what is done with files that are no logs."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from ddl_lint.diagnose import read
from ddl_lint.diagnose.inputs import find_inputs
from ddl_lint.diagnose.line_heads import labels_tasks, taken_apart

TIMEOUT = (
    "[Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, "
    "NumelOut=1, Timeout(ms)=600000) ran for 600011 milliseconds before timing out."
)


@pytest.mark.parametrize(
    ("line", "rank", "text"),
    [
        ("[rank3]: loss 1", 3, "loss 1"),
        ("\x1b[32m[rank3]:\x1b[0m loss 1", 3, "loss 1"),
        ("[default1]:[rank5]: loss 1", 5, "loss 1"),
        ("2026-11-26T10:00:00.123456789Z stderr F [rank3]: loss 1", 3, "loss 1"),
        ('{"log":"[rank3]: loss 1\\n","stream":"stderr","time":"2026-11-26T10:00:00Z"}', 3, "loss 1"),
        ("(RayTrainWorker pid=41, ip=10.0.0.2) [rank3]: loss 1", 3, "loss 1"),
        ("[1]<stderr>:loss 1", None, "loss 1"),
        ("[1,2]<stdout>: loss 1", None, "loss 1"),
        ("[pod/job-worker-1/pytorch] loss 1", None, "loss 1"),
        ("[2026-01-03 10:00:00,1] [ERROR] loss", None, "[2026-01-03 10:00:00,1] [ERROR] loss"),
        ("^C[rank3]: loss 1", 3, "loss 1"),
        ("loss 1", None, "loss 1"),
    ],
)
def test_a_line_without_what_is_before_it(line, rank, text):
    found = taken_apart(line)
    assert (found.rank, found.text) == (rank, text)


def test_labels_of_srun_count_where_most_lines_have_one():
    assert labels_tasks("0: a\n1: b\n 2: c\nsrun: error\n")
    assert not labels_tasks("epoch 1\n12: twelve\nepoch 2\n")
    found = taken_apart(" 3: loss 1", by_task=True)
    assert (found.task, found.text) == (3, "loss 1")


def test_times_are_compared_whatever_their_form():
    early, late = taken_apart("[rank0]:[E1126 10:00:00.5 x.cpp:1] a"), taken_apart("2026-11-26 10:00:01,200 b")
    assert early.moment is not None
    assert late.moment is not None
    assert early.moment < late.moment


@pytest.mark.parametrize(
    "name", ["rank3.log", "logs/run_rank_3.txt", "none_x/attempt_0/3/stderr.log", "global_rank-3/out.txt"]
)
def test_the_name_of_a_file_tells_the_rank(name, tmp_path):
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("loss 1\n")
    (found,), _ = find_inputs([str(tmp_path)])
    assert found.rank == 3


def test_files_that_are_numbered_from_zero_are_ranks(tmp_path):
    for number in range(3):
        (tmp_path / f"slurm-881-{number}.out").write_text("x\n")
    found, _ = find_inputs([str(tmp_path)])
    assert [each.rank for each in found] == [0, 1, 2]


@pytest.mark.parametrize("name", ["node{}.log", "job.log.{}", "attempt_{}.txt", "node-{}/out.txt"])
def test_files_of_nodes_and_pieces_of_a_log_are_no_ranks(name, tmp_path):
    for number in range(2):
        file = tmp_path / name.format(number)
        file.parent.mkdir(exist_ok=True)
        file.write_text("[default0]: x\n")
    found, _ = find_inputs([str(tmp_path)])
    assert [each.rank for each in found] == [None, None]


def test_one_numbered_file_is_no_rank(tmp_path):
    (tmp_path / "slurm-881.out").write_text("x\n")
    (found,), _ = find_inputs([str(tmp_path)])
    assert found.rank is None


def test_facts_know_their_line(tmp_path):
    log = tmp_path / "job.log"
    log.write_text("hello\n" * 30_000 + f"[rank1]:{TIMEOUT.format(rank=1)}\n" + "bye\n" * 10 + TIMEOUT.format(rank=2))
    found = read([str(log)])
    assert [(fact.place.line, fact.rank) for fact in found.facts] == [(30_001, 1), (30_012, 2)]
    assert found.lines == 30_012


def test_packed_logs_and_standard_input_are_read(tmp_path):
    packed = tmp_path / "job.log.gz"
    packed.write_bytes(gzip.compress(TIMEOUT.format(rank=4).encode()))
    (fact,) = read([str(packed)]).facts
    assert fact.rank == 4
    (fact,) = read(["-"], io.BytesIO(TIMEOUT.format(rank=5).encode())).facts
    assert fact.rank == 5


def test_a_packed_log_that_is_cut_off_keeps_its_facts(tmp_path):
    packed = tmp_path / "job.log.gz"
    data = gzip.compress(b"hello\n" * 10) + gzip.compress((TIMEOUT.format(rank=4) + "\n").encode() * 5)
    packed.write_bytes(data[:-12])
    assert 4 in {fact.rank for fact in read([str(packed)]).facts}


def test_a_packed_log_that_is_broken_is_a_problem(tmp_path):
    packed = tmp_path / "job.log.gz"
    packed.write_bytes(b"\x1f\x8b" + b"\xff" * 100)
    assert len(read([str(packed)]).problems) == 1


def test_a_packed_log_that_would_fill_the_memory_is_read_in_pieces(tmp_path):
    packed = tmp_path / "job.log.gz"
    packed.write_bytes(gzip.compress(b"\0" * 30_000_000 + b"\n" + TIMEOUT.format(rank=4).encode()))
    assert [fact.place.line for fact in read([str(packed)]).facts] == [2]


def test_a_line_of_many_megabytes_is_passed_over(tmp_path):
    log = tmp_path / "job.log"
    with log.open("w") as file:
        file.write(TIMEOUT.format(rank=0) + "x" * 5_000_000 + "\n")
        file.write("x" * 5_000_000 + TIMEOUT.format(rank=1) + "\n")
        file.write(TIMEOUT.format(rank=2) + "\n")
    found = read([str(log)])
    assert [(fact.rank, fact.place.line) for fact in found.facts] == [(0, 1), (2, 3)]
    assert all(len(fact.text) < 1000 for fact in found.facts)


def test_tracebacks_of_several_ranks_in_one_log(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(
        "[rank0]: Traceback (most recent call last):\n"
        "[rank1]: Traceback (most recent call last):\n"
        '[rank0]:   File "/home/u/train.py", line 4, in main\n'
        '[rank1]:   File "/home/u/data.py", line 8, in load\n'
        "[rank1]:     return json.loads(line)\n"
        "[rank1]:            ^^^^^^^^^^^^^^^^\n"
        "loss: 0.1\n"
        "[rank0]:     step()\n"
        "[rank1]: json.decoder.JSONDecodeError: Expecting value\n"
        "[rank0]: torch.distributed.DistBackendError: ncclRemoteError: A call failed\n"
    )
    one, other = read([str(log)]).raised
    assert (one.rank, one.exception, one.role) == (1, "JSONDecodeError", "root")
    assert [(frame.file, frame.line, frame.source) for frame in one.frames] == [
        ("/home/u/data.py", 8, "return json.loads(line)")
    ]
    assert (other.rank, other.role) == (0, "victim")


def test_code_that_a_traceback_shows_is_no_message(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(
        "Traceback (most recent call last):\n"
        '  File "a.py", line 4, in main\n'
        '    raise ValueError("trying to initialize the default process group twice!")\n'
        "ValueError: something else\n"
    )
    assert not read([str(log)]).facts


def test_an_exception_that_leads_to_another_one_is_marked(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(
        "Traceback (most recent call last):\n"
        '  File "a.py", line 4, in main\n'
        "KeyError: 'x'\n"
        "\n"
        "The above exception was the direct cause of the following exception:\n"
        "\n"
        "Traceback (most recent call last):\n"
        '  File "b.py", line 5, in main\n'
        "RuntimeError: no x\n"
    )
    first, second = read([str(log)]).raised
    assert first.led_to
    assert not second.led_to


def test_stacks_of_py_spy_and_faulthandler(tmp_path):
    (tmp_path / "rank0.txt").write_text(
        'Process 41: python train.py\n\nThread 41 (idle): "MainThread"\n'
        "    all_reduce (torch/distributed/distributed_c10d.py:3252)\n    main (train.py:10)\n"
    )
    (tmp_path / "rank1.txt").write_text(
        "Fatal Python error: Aborted\n\nCurrent thread 0x01 (most recent call first):\n"
        '  File "train.py", line 12 in save\n  File "train.py", line 20 in <module>\n'
    )
    found = read([str(tmp_path)])
    assert [(stack.rank, stack.frames[-1].line) for stack in found.stacks] == [(0, 10), (1, 20)]


def test_the_error_file_of_a_launcher(tmp_path):
    file = tmp_path / "attempt_0" / "1" / "error.json"
    file.parent.mkdir(parents=True)
    stack = 'Traceback (most recent call last):\n  File "train.py", line 9, in main\n    f()\nValueError: no\n'
    extra = {"py_callstack": stack, "timestamp": "1790000000"}
    file.write_text(json.dumps({"message": {"message": "ValueError: no", "extraInfo": extra}}))
    (raised,) = read([str(tmp_path)]).raised
    assert (raised.rank, raised.exception, raised.frames[0].line) == (1, "ValueError", 9)


def test_an_exception_whose_frames_are_not_in_the_log(tmp_path):
    log = tmp_path / "job.log"
    log.write_text("[rank1]: FileNotFoundError: [Errno 2] No such file or directory: 'init.pt'\n")
    (raised,) = read([str(log)]).raised
    assert (raised.rank, raised.exception, raised.frames) == (1, "FileNotFoundError", ())


def test_what_is_not_there_is_a_problem(tmp_path):
    found = read([str(tmp_path / "nothing.log"), str(tmp_path)])
    assert len(found.problems) == 2


def test_many_facts_of_one_kind_are_kept_in_part(tmp_path):
    log = tmp_path / "job.log"
    log.write_text((TIMEOUT.format(rank=1) + "\n") * 5_000)
    found = read([str(log)])
    assert len(found.facts) < 20
    assert found.omitted > 4_900


def test_a_folder_is_read_without_what_is_no_log(tmp_path: Path):
    (tmp_path / "model.pt").write_bytes(b"\x80\x02}.")
    (tmp_path / "train.py").write_text("raise ValueError: x\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.log").write_text("x\n")
    (tmp_path / "job.out").write_text("x\n")
    (tmp_path / "link.out").symlink_to("/dev/zero")
    assert [Path(name).name for name in read([str(tmp_path)]).files] == ["job.out"]
