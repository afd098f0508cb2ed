"""What is found in a script is its own: no other script, and no edit that was taken back, has a part in it.

Objects that a module makes at its top level are shared by the scripts that import it. What one script does with them is
made up here: it is put together from lines that change what is known of an object, and from lines in which a rule finds
something, or does not, because of that.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from cases import Program, cases_in, program_at
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.engine import check_project
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules
from ddl_lint.source.span import Location

pytestmark = pytest.mark.slow

RULES = load_rules()
SETTINGS = Settings(pedantic=True, preview=True)
CONFIGURATION = Configuration(fixed=SETTINGS)
EMPTY = Location("", 0, 0)

COMMON = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
generator = torch.Generator()
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=8, sampler=sampler)
plain = torch.nn.Linear(8, 1)
model = DistributedDataParallel(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scale = torch.zeros(1)
noise = torch.rand(1)
settings = {"seed": 0}
"""

CHANGES = {
    "hand-over-loader": "unseen(common.loader)",
    "hand-over-sampler": "helper.steer(common.sampler)",
    "hand-over-generator": "helper.seed(common.generator)",
    "hand-over-model": "log.watch(common.model)",
    "hand-over-plain": "log.watch(common.plain)",
    "hand-over-optimizer": "helper.patch(common.optimizer)",
    "hand-over-tensor": "helper.fill(common.scale)",
    "hand-over-settings": "helper.fill(common.settings)",
    "setattr-loader": "setattr(common.loader, name, value)",
    "setattr-model": "setattr(common.model, name, value)",
    "setattr-plain": "setattr(common.plain, name, value)",
    "seed-by-rank": "common.generator.manual_seed(rank)",
    "seed": "common.generator.manual_seed(0)",
    "set-epoch": "common.sampler.set_epoch(7)",
    "add-rank": "common.scale.add_(rank)",
    "add-to-rank": "common.scale += rank",
    "add-noise": "common.scale.add_(torch.rand(1))",
    "add-to-noise": "common.scale += torch.rand(1)",
    "add-data": "for x, y in common.loader:\n    common.scale += x.sum()",
    "fill": "common.scale.fill_(rank)",
    "item": "common.scale[0] = torch.rand(1)",
    "divide": "common.scale /= dist.get_world_size()",
    "reduce": "dist.reduce(common.scale, 0)",
    "broadcast": "dist.broadcast(common.noise, 0)",
    "zero": "common.noise.zero_()",
    "rebind": "common.scale = rank",
    "key": "common.settings['seed'] = rank",
    "wrap": "wrapped = DistributedDataParallel(common.plain)",
    "shard": "fully_shard(common.plain)",
    "freeze": "common.plain.requires_grad_(False)",
    "attribute": "common.plain.scale = common.scale",
    "replace-sampler": "common.loader.sampler = None",
    "rebind-model": "common.model = common.plain",
    "rebind-generator": "common.generator = torch.Generator().manual_seed(rank)",
}
"""Lines after which something else is known of a shared object, by what they do."""

USES = {
    "epochs": """\
for epoch in range(3):
    for x, y in common.loader:
        loss = torch.nn.functional.mse_loss(common.model(x), y)
        common.optimizer.zero_grad()
        loss.backward()
        common.optimizer.step()
""",
    "split": """\
train, test = random_split(common.data, [48, 16], generator=common.generator)
shares = DistributedSampler(train)
for epoch in range(3):
    shares.set_epoch(epoch)
    for x, y in DataLoader(train, batch_size=8, sampler=shares):
        common.model(x).sum().backward()
""",
    "save": """\
if rank == 0:
    torch.save(common.model.state_dict(), "model.pt")
""",
    "leave-early": """\
for step in range(100):
    dist.barrier()
    if common.scale.item() > 3:
        break
""",
    "leave-by-chance": """\
for step in range(100):
    dist.barrier()
    if common.noise.item() > 0.5:
        break
""",
    "decide": """\
if common.settings["seed"]:
    dist.barrier()
""",
    "train-alone": """\
stepping = torch.optim.SGD(common.plain.parameters(), lr=0.1)
shares = DistributedSampler(common.data)
for epoch in range(3):
    shares.set_epoch(epoch)
    for x, y in DataLoader(common.data, batch_size=8, sampler=shares):
        stepping.zero_grad()
        common.plain(x).sum().backward()
        stepping.step()
""",
}
"""Lines in which a rule finds something, or nothing, because of what is known of a shared object."""

HEAD = """\
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, random_split
from torch.utils.data.distributed import DistributedSampler

import common
import helper_library as helper
from tools_library import log, name, unseen, value


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
"""

FOOT = """\
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""


def script(*parts: str) -> str:
    """A script that does these things one after the other."""
    lines = [line for part in parts for line in part.splitlines()]
    return HEAD + "".join(f"    {line}\n" for line in lines) + FOOT


class Told(NamedTuple):
    """All that a finding says."""

    start: int
    code: str
    rest: str


def told(report: Report, file: Path) -> list[Told]:
    """The findings in a file."""
    return sorted(
        Told(each.location.start, each.code, repr(replace(each, location=EMPTY)))
        for each in report.findings
        if each.location.path == file.as_posix()
    )


def check(files: Sequence[Path]) -> Report:
    report = check_project(sorted(files), lambda _: SETTINGS, RULES)
    assert not report.problems
    return report


def alone(file: Path) -> list[Told]:
    return told(check([file]), file)


def codes(findings: Sequence[Told]) -> str:
    return ", ".join(finding.code for finding in findings) or "nothing"


def write(folder: Path, texts: Mapping[str, str]) -> dict[str, Path]:
    """Write a project of its own; its files by name."""
    (folder / ".git").mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


def dependent(files: Sequence[Path], scripts: Sequence[Path]) -> Iterator[str]:
    """What is found in a script beside the other files, where that is not what is found in it alone."""
    together = check(files)
    for script in scripts:
        expected, found = alone(script), told(together, script)
        if found != expected:
            yield f"{script.name}: {codes(found)}, alone {codes(expected)}"


@pytest.mark.parametrize("use", USES)
def test_a_use_depends_on_what_was_done_before(use: str, tmp_path: Path) -> None:
    """Else what follows would hold nothing against nothing."""
    outcomes: set[tuple[str, ...]] = set()
    for number, change in enumerate(("pass", *CHANGES.values())):
        files = write(tmp_path / f"{number}", {"common.py": COMMON, "train.py": script(change, USES[use])})
        first = len(script(change)) - len(FOOT)
        outcomes.add(tuple(finding.code for finding in alone(files["train.py"]) if finding.start >= first))
    assert len(outcomes) > 1


def test_what_another_script_does_is_not_seen(tmp_path: Path) -> None:
    """Each change beside each use, in a script that is followed earlier or in one that is followed later."""
    dice = random.Random(0)
    texts = {f"m_{name}.py": script(use) for name, use in USES.items()}
    texts |= {f"{place}_{name}.py": script(change) for name, change in CHANGES.items() for place in "az"}
    files = write(tmp_path / "project", {"common.py": COMMON, **texts})
    failures: list[str] = []
    for use in USES:
        file = files[f"m_{use}.py"]
        expected = alone(file)
        for change in CHANGES:
            other = files[f"{dice.choice('az')}_{change}.py"]
            found = told(check([file, other]), file)
            if found != expected:
                failures.append(f"{use} beside {other.name}: {codes(found)}, alone {codes(expected)}")
    assert not failures, "\n".join(failures)


def _some_and_nightly_all(some: int, total: int) -> pytest.MarkDecorator:
    """The first random numbers, and all others in the nightly run."""
    nightly = pytest.param(range(some, total), marks=pytest.mark.nightly, id="nightly")
    return pytest.mark.parametrize("seeds", [pytest.param(range(some), id="some"), nightly])


@_some_and_nightly_all(4, 12)
def test_what_other_scripts_do_is_not_seen_in_any_order(tmp_path: Path, seeds: range) -> None:
    """Scripts that use shared objects in several ways, under names that give any order, all at once."""
    failures: list[str] = []
    for seed in seeds:
        dice = random.Random(seed)
        parts = [*CHANGES.values(), *USES.values()]
        names = dice.sample("abdefghi", 4)  # before and after `common`
        texts = {f"{name}.py": script(*dice.sample(parts, dice.randint(1, 4))) for name in names}
        files = write(tmp_path / f"{seed}", {"common.py": COMMON, **texts})
        scripts = [files[name] for name in texts]
        group = scripts if dice.random() < 0.5 else [*scripts, files["common.py"]]
        failures += [f"{seed}: {failure}" for failure in dependent(group, scripts)]
    assert not failures, "\n".join(failures)


def _scripts() -> dict[str, str]:
    """The programs of the rules and of the replay of ranks that are one file, by where they are from."""
    tests = Path(__file__).parents[1]
    found: dict[str, Program] = {}
    for rule in RULES:
        if rule.folder is not None:
            found |= {f"{rule.name}/{kind}": program_at(rule.folder / kind) for kind in ("bad", "good")}
    for path in [*sorted((tests / "rules").glob("*.md")), *sorted((tests / "ranks").rglob("*.md"))]:
        found |= {"/".join((path.stem, *case.sections[1:], case.name)): case for case in cases_in(path)}
    texts = {origin: [*program.texts().values()] for origin, program in found.items()}
    return {origin: text for origin, (text, *others) in texts.items() if not others}


def _name(number: int) -> str:
    """A name of a file without a number: those with numbers are steps of a series, which do depend on each other."""
    return f"p{str(number).translate(str.maketrans('0123456789', 'abcdefghij'))}.py"


@_some_and_nightly_all(40, 120)
def test_what_other_programs_do_is_not_seen(tmp_path: Path, seeds: range) -> None:
    """Programs of this repository, which share nothing but a folder."""
    dice = random.Random(0)
    chosen = dice.sample(sorted(_scripts().items()), 120)[seeds.start : seeds.stop]
    failures: list[str] = []
    for number in range(0, len(chosen), 4):
        group = {_name(number + place): each for place, each in enumerate(chosen[number : number + 4])}
        files = list(write(tmp_path / f"{number}", {name: text for name, (_, text) in group.items()}).values())
        origins = ", ".join(origin for origin, _ in group.values())
        for failure in dependent(files, files):
            failures.append(f"{group[failure.partition(':')[0]][0]}: {failure} beside {origins}")
    assert not failures, "\n".join(failures)


NEIGHBOURS = {
    "distributed-shutdown-missing": "import torch.distributed as dist\n\ndist.destroy_process_group()\n",
    "load-without-map-location": """\
import torch


def save(model, path):
    model = model.cpu()
    torch.save(model.state_dict(), path)


save(torch.nn.Linear(2, 1), "other.pt")
""",
    "ddp-wrapped-state-dict": """\
import torch

state = torch.load("other.pt", map_location="cpu")
torch.nn.Linear(2, 1).load_state_dict({key.replace("module.", "", 1): value for key, value in state.items()})
""",
    "deepspeed-foreign-wrapper": "import torch\n\nprint(torch.load('other.pt').module)\n",
    "hvd-nested-data-parallel": "import torch\n\nprint(torch.load('other.pt').module)\n",
    "hvd-callback-order": """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Mean(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        hvd.allreduce(logs["loss"])


hvd.init()
model = tf.keras.Sequential()
model.fit(callbacks=[Mean()])
""",
}
"""By rule, a script that does what takes a finding away, or its fix, where the script with the fault does it itself."""


@pytest.mark.parametrize("name", NEIGHBOURS)
@pytest.mark.parametrize("neighbour", ["a_neighbour.py", "z_neighbour.py"])
def test_what_a_neighbour_does_says_nothing_of_a_script(name: str, neighbour: str, tmp_path: Path) -> None:
    """The faulty program of a rule, beside a script that shares no code with it."""
    (rule_folder,) = [rule.folder for rule in RULES if rule.name == name and rule.folder is not None]
    shutil.copytree(rule_folder / "bad", tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    files = sorted(tmp_path.rglob("*.py"))
    beside = write(tmp_path, {neighbour: NEIGHBOURS[name]})[neighbour]
    expected, together = check(files), check([*files, beside])
    assert any(finding.name == name for finding in expected.findings)
    assert {file.name: told(together, file) for file in files} == {file.name: told(expected, file) for file in files}


ONE_PROCESS = """\
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.noise = torch.rand(8)
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 1)]

    def forward(self, x):
        x = x + self.noise
        for layer in self.layers:
            x = layer(x)
        return x
"""
SEVERAL = "import torch.distributed as dist\n\ndist.init_process_group('nccl')\n"


@pytest.mark.parametrize("neighbour", ["a_neighbour.py", "z_neighbour.py"])
def test_a_program_of_one_process_stays_one_beside_a_distributed_one(neighbour: str, tmp_path: Path) -> None:
    files = write(tmp_path, {"tag.py": ONE_PROCESS, neighbour: SEVERAL})
    by_itself = write(tmp_path / "other", {"tag.py": SEVERAL + ONE_PROCESS})["tag.py"]
    assert {"DDL401", "DDL308"} <= {finding.code for finding in alone(by_itself)}
    assert told(check(list(files.values())), files["tag.py"]) == alone(files["tag.py"]) == []


# --- sessions ---------------------------------------------------------------------------------------------------------


class Editor:
    """Edits of a project, checked in one session and each time afresh."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = sorted(files)
        self.session = Session(RULES)
        self.texts = {file.as_posix(): file.read_text(encoding="utf-8") for file in self.files}
        self.open: dict[str, str] = {}

    def differences(self) -> Iterator[str]:
        """What the session finds in a file, where that is not what a fresh check finds."""
        found = self.session.check(Request(self.files, CONFIGURATION, overlay=self.open))
        fresh = check_project(self.files, lambda _: SETTINGS, RULES, overlay=self.open)
        for file in self.files:
            if told(found, file) != told(fresh, file):
                yield f"{file.name}: {codes(told(found, file))}, afresh {codes(told(fresh, file))}"

    def type(self, path: str, added: str, dice: random.Random) -> Iterator[str]:
        """The differences with these lines at a random place, and after they were taken back; at times they stay."""
        before = self.open.get(path, self.texts[path])
        self.open[path] = _with(added, before, dice)
        yield from (f"typed: {difference}" for difference in self.differences())
        if dice.random() < 0.7:
            self.open[path] = before
            yield from (f"taken back: {difference}" for difference in self.differences())


@_some_and_nightly_all(1, 4)
def test_an_edit_that_was_taken_back_leaves_nothing(tmp_path: Path, seeds: range) -> None:
    """Each change is typed into a random script, and most are taken back."""
    failures: list[str] = []
    for seed in seeds:
        dice = random.Random(seed)
        texts = {f"use_{name}.py": script(USES[name]) for name in dice.sample(sorted(USES), 3)}
        editor = Editor(list(write(tmp_path / f"{seed}", {"common.py": COMMON, **texts}).values()))
        scripts = [path for path in editor.texts if "use_" in path]
        assert not list(editor.differences())
        for name, change in dice.sample(sorted(CHANGES.items()), 12):
            failures += [f"{seed} {name}: {each}" for each in editor.type(dice.choice(scripts), change, dice)]
        editor.open.clear()
        failures += [f"{seed} all taken back: {each}" for each in editor.differences()]
    assert not failures, "\n".join(failures)


SEVERAL_FILES = [
    rule.folder / "bad"
    for rule in RULES
    if rule.folder is not None and len(list((rule.folder / "bad").glob("*.py"))) > 1
]
UNSEEN = ("unseen({})", "log.watch({})", "helper.seed({})", "setattr({}, key, value)", "{}.add_(rank)", "{} += rank")


def test_an_unseen_call_that_was_taken_back_leaves_nothing(tmp_path: Path) -> None:
    """Calls of what cannot be seen, handed what a random place of a program knows by name."""
    failures: list[str] = []
    for number, rule_folder in enumerate(SEVERAL_FILES):
        dice = random.Random(number)
        shutil.copytree(rule_folder, tmp_path / f"{number}", ignore=shutil.ignore_patterns("__pycache__"))
        editor = Editor(sorted((tmp_path / f"{number}").rglob("*.py")))
        assert not list(editor.differences())
        for _ in range(2):
            path = dice.choice(sorted(editor.texts))
            call = dice.choice(UNSEEN).format(dice.choice(_names(editor.texts[path])))
            failures += [f"{rule_folder.parent.name} {call}: {each}" for each in editor.type(path, call, dice)]
    assert not failures, "\n".join(failures)


def _names(text: str) -> list[str]:
    """The names that a program gives to something."""
    stored = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
    return sorted({node.id for node in stored if isinstance(node.ctx, ast.Store)}) or ["torch"]


def _with(added: str, text: str, dice: random.Random) -> str:
    """The text with more lines, at a random place where a statement may stand."""
    lines = text.split("\n")
    tree = ast.parse(text)
    first = max((each.lineno for each in tree.body if isinstance(each, (ast.Import, ast.ImportFrom))), default=0)
    places = {
        (statement.lineno, statement.col_offset)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt) and statement.lineno > first
    }
    own_line = [(number, column) for number, column in sorted(places) if _begins_line(lines[number - 1], column)]
    number, column = dice.choice(own_line)
    typed = [" " * column + line for line in added.splitlines()]
    return "\n".join([*lines[: number - 1], *typed, *lines[number - 1 :]])


def _begins_line(line: str, column: int) -> bool:
    """Whether a statement at this column can have another one in the line before."""
    return not line[:column].strip() and not line.startswith("elif", column) and not line[column:].startswith("@")
