"""Checks that are spread over machines: what is merged is what one check finds, to the byte."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import pytest

from ddl_lint.analysis import runs
from ddl_lint.analysis.runs import Analyzer
from ddl_lint.commands import shard
from ddl_lint.output import FORMATS

pytestmark = pytest.mark.slow

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

if __name__ == "__main__":
    model = shared.build()
    for epoch in range(NUMBER):
        shared.save(model)
"""


@pytest.fixture
def fresh(cache, tmp_path):
    """Makes caches in which nothing of a project is stored: rules and models are, which would take long."""

    def make(name: str) -> tuple[str, str]:
        folder = tmp_path / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        for kind in ("models", "rules", "fingerprints"):
            if (cache / kind).is_dir():
                shutil.copytree(cache / kind, folder / kind)
        return "--cache-dir", str(folder)

    return make


@pytest.fixture
def spread(project, run, tmp_path, fresh):
    """Writes the shards of a check, each with a cache of its own."""
    folder = project({f"train_{number}.py": SCRIPT.replace("NUMBER", str(number)) for number in range(4)})
    launches = "torchrun broken.py\ntorchrun --nproc-per-node 4 train_1.py\n"
    project({"shared.py": MODEL, "run.sh": launches, "broken.py": "import torch\n("})
    shutil.copytree(EXAMPLES / "hang", folder / "hang")
    shutil.copytree(EXAMPLES / "notebook", folder / "notebook")
    run("check", "hang")  # rules and models are stored now

    def call(count: int, *options: str) -> list[str]:
        files = []
        for number in range(1, count + 1):
            files.append(str(tmp_path / f"shards-{count}-{number}.json"))
            cache = fresh(f"cache-{number}")
            result = run("check", f"--shard={number}/{count}", "--output-file", files[-1], *cache, *options)
            assert (result.code, result.out) == (0, "")
        return files

    return call


def in_all_formats(run, folder: Path, *words: str) -> dict[str, bytes]:
    """What a command writes in each format, and what it says beside that."""
    folder.mkdir(exist_ok=True)
    outputs = [word for each in FORMATS for word in ("--output-format", each, "--output-file", str(folder / each))]
    result = run(*words, *outputs)
    return {"": repr(result).encode(), **{each: (folder / each).read_bytes() for each in FORMATS}}


def test_what_is_merged_is_what_one_check_finds(spread, run, tmp_path, fresh, monkeypatch):
    """In each format, for any number of shards; and nothing that a shard has followed is followed again."""
    expected = in_all_formats(run, tmp_path / "one", "check", *fresh("expected"))
    assert expected["concise"].count(b"\n") >= 8
    for count in (1, 2, 3, 8):
        files = spread(count)
        with monkeypatch.context() as patch:
            patch.setattr(Analyzer, "_script", lambda *_: pytest.fail("a script is followed again"))
            merged = in_all_formats(run, tmp_path / f"merged-{count}", "merge", *reversed(files), *fresh("merged"))
        assert merged == expected


def test_each_script_is_followed_by_one_shard(spread, run, monkeypatch):
    followed: list[str] = []
    original = Analyzer._script
    monkeypatch.setattr(
        Analyzer,
        "_script",
        lambda self, work, module, *rest: (followed.append(module.path), original(self, work, module, *rest))[1],
    )
    spread(3)
    assert len(followed) == len(set(followed)) >= 6


def test_what_no_script_enters_is_followed_by_one_shard(spread, project, run, monkeypatch, fresh):
    """Whatever the scripts of other shards enter elsewhere, such as the methods of an abstract class."""
    base = "from abc import ABC, abstractmethod\n\n\nclass Base(ABC):\n    @abstractmethod\n    def fit(self): ...\n"
    base += "    def save(self):\n        self.fit()\n"
    enters = "import base\n\n\nclass Own(base.Base):\n    def fit(self): ...\n\n\nOwn().save()\n"
    project({"base.py": base, "enters.py": enters})
    project({f"alone_{number}.py": MODEL for number in range(4)})
    followed: list[str] = []
    original = runs._library_runs

    def noted(interpreter, module, *rest):
        followed.append(module.path)
        return original(interpreter, module, *rest)

    monkeypatch.setattr(runs, "_library_runs", noted)
    files = spread(3)
    assert len(followed) == len(set(followed))
    followed.clear()
    merged = run("merge", *files, "--output-format", "json", *fresh("merged"))
    assert not [each for each in followed if "alone" in each]
    assert merged.out == run("check", "--output-format", "json", *fresh("one")).out


def test_a_shard_whose_results_are_stored_says_so(project, run, fresh, tmp_path_factory):
    project({"train.py": SCRIPT.replace("NUMBER", "1"), "shared.py": MODEL})
    output = tmp_path_factory.mktemp("results") / "shard.json"  # keys of a new file in the project could be settings
    words = ("check", "--shard", "1/1", "--output-file", str(output), *fresh("mine"))
    assert run(*words).err == "shard 1 of 1: 1 script was followed\n"
    assert run(*words).err == "shard 1 of 1: nothing to follow; what is known of its scripts was stored before\n"


def test_options_that_decide_what_is_found_come_from_the_shards(spread, run, tmp_path, fresh):
    files = spread(2, "--select", "DDL305", "--exclude", "hang", ".")
    merged = run("merge", *files, "--output-format", "json", *fresh("merged"))
    assert {each["code"] for each in json.loads(merged.out)["diagnostics"]} == {"DDL001", "DDL305"}
    assert merged == run(
        "check", ".", "--select", "DDL305", "--exclude", "hang", "--output-format", "json", *fresh("one")
    )


def test_how_it_is_shown_is_for_merge_to_say(spread, run, tmp_path, fresh):
    files, cache = spread(2), fresh("merged")
    output = ("--output-format", "sarif", "--output-file", "all.sarif", "--output-format", "concise")
    assert run("merge", *files, *output, *cache).code == 1
    assert json.loads(Path("all.sarif").read_text())["runs"][0]["results"]
    assert run("merge", *files, "--exit-zero", *cache).code == 0
    assert run("merge", *files, "--write-baseline", "old.baseline", *cache).err.startswith("old.baseline names ")
    assert run("merge", *files, "--baseline", "old.baseline", "--statistics", *cache).out.startswith("     1  DDL001")


def test_a_shard_that_is_missing_old_or_from_elsewhere_costs_time_only(spread, run, tmp_path, fresh, monkeypatch):
    first, second, third = spread(3)
    expected = run("check", *fresh("one"))

    def merged(*files: str):
        return run("merge", *files, *fresh("merged"))

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
    assert merged(first, second, third).out == run("check", *fresh("one")).out != expected.out


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


def test_shards_of_different_checks(spread, run, tmp_path, fresh):
    one = spread(2)
    other = spread(3, "--select", "DDL305")
    result = run("merge", one[0], other[0])
    assert result.code == 2 and "is part of another check than" in result.err


def test_a_shard_changes_and_runs_nothing(spread, run, tmp_path, fresh):
    """Options of a shard say what is found, and no more."""
    [file] = spread(1)
    content = json.loads(Path(file).read_text())
    assert set(content["options"]) == set(shard.ASKED)
    before = {path: path.read_bytes() for path in Path().rglob("*.py")}
    content["options"] |= {"fix": True, "unsafe_fixes": True, "outputs": ["x"], "write_baseline": "stolen"}
    Path(file).write_text(json.dumps(content))
    run("merge", file, *fresh("merged"))
    assert {path: path.read_bytes() for path in Path().rglob("*.py")} == before
    assert not Path("stolen").exists()


@pytest.mark.parametrize("part", ["0/2", "3/2", "2", "a/b", "1/0", "-1/2"])
def test_a_part_that_is_none(run, project, part):
    project({"a.py": "x = 1\n"})
    result = run("check", f"--shard={part}")
    assert result.code == 2 and "expected a part such as 2/8" in result.err


@pytest.mark.parametrize(
    "option", ["--fix", "--output-format=json", "--baseline=x", "--changed-since=HEAD", "--watch", "--timing"]
)
def test_what_a_shard_does_not_do(run, project, option):
    project({"a.py": "x = 1\n"})
    result = run("check", "--shard=1/2", option)
    assert result.code == 2
    assert (
        "give --output-format to merge" in result.err or f"leave out {option.partition('=')[0]}, or give" in result.err
    )
