"""Flight recorders: read as data alone, and compared rank by rank."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from ddl_lint.diagnose import read
from ddl_lint.diagnose.plain_pickle import NotPlain, load
from ddl_lint.diagnose.recorder_table import parting


def entry(
    sequence: int, op: str = "all_reduce", state: str = "completed", size: int = 4, line: int = 10
) -> dict[str, Any]:
    return {
        "record_id": sequence,
        "pg_id": 0,
        "process_group": ("0", "default_pg"),
        "collective_seq_id": sequence,
        "p2p_seq_id": 0,
        "profiling_name": f"nccl:{op}",
        "input_sizes": [[size]],
        "input_dtypes": ["Float"],
        "output_sizes": [[size]],
        "state": state,
        "retired": state == "completed",
        "is_p2p": False,
        "frames": [{"name": "main", "filename": "train.py", "line": line}],
    }


def dump(folder, rank: int, *entries: dict[str, Any], world: int = 2, protocol: int = 2) -> None:
    ranks = str(list(range(world)))
    content = {
        "version": "2.10",
        "entries": list(entries),
        "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": ranks}},
    }
    (folder / f"nccl_trace_rank_{rank}").write_bytes(pickle.dumps(content, protocol))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_data_is_read_as_python_reads_it(protocol):
    value = {"a": [1, -5, 300, 70_000, 2**40, 1.5, None, True, False], "b": ("x", ("y", "z", ""), {"c": "ü" * 300})}
    assert load(pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(print),
        pickle.dumps(pytest.raises),
        pickle.dumps(object(), 2),
        pickle.dumps({1, 2}, 2),
        b"\x80\x02cos\nsystem\nq\x00X\x02\x00\x00\x00idq\x01\x85q\x02Rq\x03.",
        b"(S'id'\nios\nsystem\n.",
        b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        b"\x80\x02\x82\x01.",
        b"\x80\x02P1\n.",
        b"\x80\x02",
        b"\x80\x02h\x05.",
        b"\x80\x02\x85.",
        b"\x80\x02]K\x01K\x02s.",
        b"\x80\x02}(]K\x01u.",
        b"\x80\x02X\xff\xff\xff\x7fab.",
        b"\x80\x02\x8b\xff\xff\xff\x7f.",
        b"\x80\x02t.",
        b"",
    ],
)
def test_whatever_is_more_than_data_is_refused(data):
    with pytest.raises(NotPlain):
        load(data)


def test_a_large_number_in_the_memo_takes_no_memory():
    assert load(b"\x80\x02]r\xff\xff\xff\x7f.") == []


def test_a_rank_that_did_not_call(tmp_path):
    dump(tmp_path, 0, entry(1), entry(2, "barrier", "scheduled", line=12))
    dump(tmp_path, 1, entry(1, line=11))
    log = read([str(tmp_path)])
    found = parting(log.recordings)
    assert found is not None
    assert (found.kind, found.sequence, found.missing) == ("missing", 2, (1,))
    assert [each.sequence for each in found.before] == [1]
    assert found.entries[0].frames[0].line == 12


def test_ranks_that_call_something_else(tmp_path):
    dump(tmp_path, 0, entry(1), entry(2, "all_gather", "scheduled"))
    dump(tmp_path, 1, entry(1), entry(2, "all_reduce", "scheduled"))
    found = parting(read([str(tmp_path)]).recordings)
    assert found is not None
    assert (found.kind, found.sequence) == ("order", 2)


def test_ranks_with_other_sizes(tmp_path):
    dump(tmp_path, 0, entry(1, size=4, state="scheduled"))
    dump(tmp_path, 1, entry(1, size=5, state="scheduled"))
    found = parting(read([str(tmp_path)]).recordings)
    assert found is not None
    assert found.kind == "sizes"


def test_ranks_that_all_wait(tmp_path):
    for rank in range(2):
        dump(tmp_path, rank, entry(1), entry(2, state="started"))
    found = parting(read([str(tmp_path)]).recordings)
    assert found is not None
    assert found.kind == "all"


def test_a_rank_without_a_recorder_is_a_fact(tmp_path):
    dump(tmp_path, 0, entry(1), entry(2, state="scheduled"), world=3)
    dump(tmp_path, 2, entry(1), entry(2, state="scheduled"), world=3)
    found = parting(read([str(tmp_path)]).recordings)
    assert found is not None
    assert (found.kind, found.silent) == ("missing", (1,))


def test_what_was_pushed_out_of_a_ring_buffer_is_not_missing(tmp_path):
    dump(tmp_path, 0, *(entry(number) for number in range(1, 9)))
    dump(tmp_path, 1, *(entry(number) for number in range(5, 9)))
    assert parting(read([str(tmp_path)]).recordings) is None


def test_gloo_says_of_none_that_it_is_completed(tmp_path):
    done = {**entry(1, state="scheduled"), "retired": True}
    for rank in range(2):
        dump(tmp_path, rank, done)
    assert parting(read([str(tmp_path)]).recordings) is None


def test_json_has_no_frames(tmp_path):
    waiting = {key: value for key, value in entry(2, state="scheduled").items() if key != "frames"}
    config = {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}}
    for rank, entries in enumerate(([waiting], [])):
        (tmp_path / f"trace_{rank}.json").write_text(json.dumps({"entries": entries, "pg_config": config}))
    log = read([str(tmp_path)])
    assert [recording.rank for recording in log.recordings] == [0, 1]
    found = parting(log.recordings)
    assert found is not None
    assert found.missing == (1,)


def test_a_recorder_that_runs_something_is_not_read(tmp_path):
    (tmp_path / "nccl_trace_rank_0").write_bytes(pickle.dumps({"entries": [print]}, 2))
    log = read([str(tmp_path)])
    assert not log.recordings
    assert "more than data" in log.problems[0]


@pytest.mark.parametrize("content", [{}, {"entries": 5}, [], 5, {"entries": [5, None, {"frames": 3}], "pg_config": 7}])
def test_odd_content_is_no_failure(content, tmp_path):
    (tmp_path / "nccl_trace_rank_0").write_bytes(pickle.dumps(content, 2))
    parting(read([str(tmp_path)]).recordings)
