"""Checks that are spread over machines: what is merged is what one check finds, to the byte."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import pytest

from ddl_lint.analysis.runs import Analyzer
from ddl_lint.commands import shard
from ddl_lint.output import FORMATS

EXAMPLES = Path(__file__).parents[2] / "examples"

MODEL = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def build():
    dist.init_process_group("nccl")
    return DDP(torch.nn.Linear(4, 2).cuda(), device_ids=[0])


def save(model):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")
        dist.barrier()


def unused(model):
    if dist.get_rank() == 0:
        dist.all_reduce(model.weight)
"""
SCRIPT = """\
import shared

model = shared.build()
for epoch in range(NUMBER):
    shared.save(model)
"""


@pytest.fixture
def spread(project, run, tmp_path, monkeypatch):
    """Writes the shards of a check, each with a cache of its own."""
    folder = project({f"train_{number}.py": SCRIPT.replace("NUMBER", str(number)) for number in range(5)})
    project({"shared.py": MODEL, "run.sh": "torchrun --nproc-per-node 4 train_1.py\n", "broken.py": "import torch\n("})
    shutil.copytree(EXAMPLES, folder / "examples")
    monkeypatch.chdir(folder)

    def call(count: int, *options: str) -> list[str]:
        files = []
        for number in range(1, count + 1):
            files.append(str(tmp_path / f"shards-{count}-{number}.json"))
            cache = ("--cache-dir", str(tmp_path / f"cache-{number}"))
            result = run("check", f"--shard={number}/{count}", "--output-file", files[-1], *cache, *options)
            assert (result.code, result.out) == (0, "")
        return files

    return call


def test_what_is_merged_is_what_one_check_finds(spread, run, tmp_path, monkeypatch):
    """In each format, for any number of shards; and nothing that a shard has followed is followed again."""
    expected = {each: run("check", "--output-format", each, "--no-cache") for each in FORMATS}
    assert expected["concise"].out.count("\n") > 15
    for count in (1, 2, 3, 8):
        files = spread(count)
        with monkeypatch.context() as patch:
            patch.setattr(Analyzer, "_script", lambda *_: pytest.fail("a script is followed again"))
            for number, each in enumerate(FORMATS):
                cache = ("--cache-dir", str(tmp_path / f"merged-{count}-{number}"))
                assert run("merge", *reversed(files), "--output-format", each, *cache) == expected[each], (count, each)


def test_each_script_is_followed_by_one_shard(spread, run, monkeypatch):
    followed: list[str] = []
    original = Analyzer._script
    monkeypatch.setattr(
        Analyzer,
        "_script",
        lambda self, work, module, *rest: (followed.append(module.path), original(self, work, module, *rest))[1],
    )
    spread(3)
    assert len(followed) == len(set(followed)) >= 8


def test_options_that_decide_what_is_found_come_from_the_shards(spread, run, tmp_path):
    files = spread(2, "--select", "DDL305", "--exclude", "examples", ".")
    merged = run("merge", *files, "--output-format", "json", "--cache-dir", str(tmp_path / "merged"))
    assert {each["code"] for each in json.loads(merged.out)["diagnostics"]} == {"DDL001", "DDL305"}
    assert merged == run(
        "check", ".", "--select", "DDL305", "--exclude", "examples", "--output-format", "json", "--no-cache"
    )


def test_how_it_is_shown_is_for_merge_to_say(spread, run, tmp_path):
    files, cache = spread(2), ("--cache-dir", str(tmp_path / "merged"))
    output = ("--output-format", "sarif", "--output-file", "all.sarif", "--output-format", "concise")
    assert run("merge", *files, *output, *cache).code == 1
    assert json.loads(Path("all.sarif").read_text())["runs"][0]["results"]
    assert run("merge", *files, "--exit-zero", *cache).code == 0
    assert run("merge", *files, "--write-baseline", "old.baseline", *cache).err.startswith("old.baseline names ")
    assert run("merge", *files, "--baseline", "old.baseline", "--statistics", *cache).out.startswith("     1  DDL001")


def test_a_shard_that_is_missing_old_or_from_elsewhere_costs_time_only(spread, run, tmp_path, monkeypatch):
    first, second, third = spread(3)
    expected = run("check", "--no-cache")

    def merged(*files: str):
        shutil.rmtree(tmp_path / "merged", ignore_errors=True)
        return run("merge", *files, "--cache-dir", str(tmp_path / "merged"))

    result = merged(first, third)
    assert result.out == expected.out
    assert "shard 2 of 3 is missing: its scripts are followed here\n" in result.err
    for change, told in (
        ({"folder": "/elsewhere"}, "shard 2 was made in /elsewhere: its scripts are followed again\n"),
        ({"program": "another"}, "shard 2 was made by another ddl-lint or Python: its scripts are followed again\n"),
        ({"entries": {"units": {"0" * 32: base64.b64encode(b"x\x9c").decode()}, "programs": {}}}, None),
    ):
        content = json.loads(Path(second).read_text())
        Path(tmp_path / "changed.json").write_text(json.dumps({**content, **change}))
        result = merged(first, str(tmp_path / "changed.json"), third)
        assert result.out == expected.out
        assert told is None or told in result.err
    Path("train_3.py").write_text(SCRIPT.replace("NUMBER", "30") + "\nshared.unused(model)\n")
    assert merged(first, second, third).out == run("check", "--no-cache").out != expected.out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not valid JSON"),
        ("{}", "was not written by `ddl-lint check --shard` of this version"),
        ('{"version": 1, "shard": [2, 1]}', "is damaged"),
        ('{"version": 1, "shard": [1, 1]}', "is damaged"),
        ('{"version": 1, "shard": [1, 1], "program": "", "folder": "", "options": {}, "entries": 1}', "is damaged"),
        (
            '{"version": 1, "shard": [1, 1], "program": "", "folder": "", "options": {},'
            ' "entries": {"units": {"../x": ""}, "programs": {}}}',
            "is damaged",
        ),
    ],
)
def test_what_is_no_shard(run, project, content, told):
    project({"x.json": content})
    result = run("merge", "x.json")
    assert (result.code, result.out) == (2, "")
    assert f"x.json {told}" in result.err


def test_shards_of_different_checks(spread, run, tmp_path):
    one = spread(2)
    other = spread(3, "--select", "DDL305")
    result = run("merge", one[0], other[0])
    assert result.code == 2 and "is part of another check than" in result.err


def test_a_shard_changes_and_runs_nothing(spread, run, tmp_path):
    """Options of a shard say what is found, and no more."""
    [file] = spread(1)
    content = json.loads(Path(file).read_text())
    assert set(content["options"]) == set(shard.ASKED)
    before = {path: path.read_bytes() for path in Path().rglob("*.py")}
    content["options"] |= {"fix": True, "unsafe_fixes": True, "outputs": ["x"], "write_baseline": "stolen"}
    Path(file).write_text(json.dumps(content))
    run("merge", file, "--cache-dir", str(tmp_path / "merged"))
    assert {path: path.read_bytes() for path in Path().rglob("*.py")} == before
    assert not Path("stolen").exists()


@pytest.mark.parametrize("part", ["0/2", "3/2", "2", "a/b", "1/0", "-1/2"])
def test_a_part_that_is_none(run, project, part):
    project({"a.py": "x = 1\n"})
    result = run("check", f"--shard={part}")
    assert result.code == 2 and "expected a part such as 2/8" in result.err


@pytest.mark.parametrize("option", ["--fix", "--output-format=json", "--baseline=x", "--changed-since=HEAD", "--watch"])
def test_what_a_shard_does_not_do(run, project, option):
    project({"a.py": "x = 1\n"})
    result = run("check", "--shard=1/2", option)
    assert (result.code == 2 and "merge" in result.err) or "--watch" in result.err
