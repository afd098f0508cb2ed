"""Which scripts launch files mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.file_names import is_guide
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.guides import shows_starts
from ddl_lint.jobs.launch_facts import LaunchFacts, launch_facts
from ddl_lint.jobs.launch_paths import LaunchFile, LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import read_jobs
from ddl_lint.jobs.settings_files import SettingsFiles

_SCRIPTS = (
    "train.py",
    "one/train.py",
    "two/train.py",
    "one/tools/train.py",
    "src/app/main.py",
    "a/eval.py",
    "b/eval.py",
)


@pytest.fixture
def scripts(tmp_path: Path) -> LaunchPaths:
    paths = [tmp_path / script for script in _SCRIPTS]
    return LaunchPaths(paths, Neighbourhood(tmp_path.as_posix(), [path.as_posix() for path in paths]))


@pytest.mark.parametrize(
    ("file", "line", "script"),
    [
        ("run.sh", "python train.py", "train.py"),
        ("one/run.sh", "python train.py", "one/train.py"),
        ("one/run.sh", "python ./tools/train.py", "one/tools/train.py"),
        ("one/run.sh", "python ../train.py", "train.py"),
        ("one/run.sh", "python two/train.py", "two/train.py"),
        ("scripts/run.sh", "python train.py", "train.py"),
        ("scripts/run.sh", "cd ../two\npython train.py", "two/train.py"),
        ("scripts/run.sh", "cd two && python train.py", "two/train.py"),
        ("scripts/run.sh", "(cd two; python train.py)", "two/train.py"),
        ("scripts/run.sh", "cd one\ncd tools\npython train.py", "one/tools/train.py"),
        ("scripts/run.sh", 'cd "$(dirname "$0")/../two"\npython train.py', "two/train.py"),
        ("one/run.sh", 'cd $(dirname "${BASH_SOURCE[0]}")\npython train.py', "one/train.py"),
        ("one/run.sh", "cd `dirname $0`/..\npython train.py", "train.py"),
        ("one/run.sh", "cd ${0%/*}\npython train.py", "one/train.py"),
        ("one/run.sh", 'HERE=$(cd "$(dirname "$0")" && pwd)\npython $HERE/tools/train.py', "one/tools/train.py"),
        ("one/run.sh", "python $HERE/train.py", "one/train.py"),
        ("one/run.sh", "python /workspace/clone/two/train.py", "two/train.py"),
        ("scripts/run.sh", "cd $ELSEWHERE\npython main.py", "src/app/main.py"),
        ("one/run.sh", "cd $ELSEWHERE\npython main.py", None),
        ("one/run.sh", "python $HERE/two/train.py", "two/train.py"),
        ("demo/run.sh", "python $HERE/train.py", "train.py"),
        ("run.sh", "python app/main.py", None),
        ("one/run.sh", "python main.py", None),
        ("scripts/run.sh", "python $HERE/one/absent.py", None),
        ("scripts/run.sh", "cd $ELSEWHERE\npython tools/train.py", "one/tools/train.py"),
        ("README.md", "git clone https://example.org/me/works.git\ncd works\npython train.py", "train.py"),
        ("README.md", "git clone https://example.org/me/works.git\ncd mill\npython train.py", "train.py"),
        ("README.md", "git clone https://example.org/me/works.git && cd mill/one\npython train.py", "one/train.py"),
        ("README.md", "git clone https://example.org/me/works.git\nmake\ncd mill\npython train.py", None),
        ("README.md", "git clone -b x git@example.org:me/works && cd works/one\npython train.py", "one/train.py"),
        ("one/README.md", "git clone https://example.org/me/works here\ncd here\npython two/train.py", "two/train.py"),
        ("README.md", "cd works\npython train.py", None),
        ("run.sh", "git clone https://example.org/me/works.git\ncd works\npython train.py", None),
    ],
)
def test_the_script_that_a_line_surely_means(
    tmp_path: Path, scripts: LaunchPaths, file: str, line: str, script: str | None
) -> None:
    written, offset = line.rpartition(" ")[2].rstrip(")"), len(line.rpartition(" ")[0])
    found = scripts.surely(written, LaunchFile(tmp_path / file, line, tmp_path), offset)
    assert found == (None if script is None else (tmp_path / script).as_posix())


def test_where_it_is_not_certain_several_are_possible(tmp_path: Path, scripts: LaunchPaths) -> None:
    file = LaunchFile(tmp_path / "scripts" / "run.sh", "", tmp_path / "scripts")
    assert scripts.surely("$HERE/eval.py", file, 0) is None
    assert scripts.possibly("$HERE/eval.py", file, 0) == {(tmp_path / f"{each}/eval.py").as_posix() for each in "ab"}
    assert scripts.possibly("$HERE/b/eval.py", file, 0) == {(tmp_path / "b/eval.py").as_posix()}


def _facts(root: Path, scripts: LaunchPaths, **texts: str) -> LaunchFacts:
    named = {(root / f"{name.replace('__', '/')}.sh").as_posix(): text for name, text in texts.items()}
    files = [JobFile(path, "shell", text) for path, text in named.items()]
    return launch_facts(read_jobs(files, root, [root / script for script in _SCRIPTS], scripts))


def test_a_line_says_nothing_of_the_script_of_the_same_name_in_another_folder(
    tmp_path: Path, scripts: LaunchPaths
) -> None:
    launched = "deepspeed --num_gpus 4 train.py --deepspeed_config ds.json\n"
    facts = _facts(tmp_path, scripts, one__run=launched, two__run="torchrun --nnodes 2 --nproc_per_node 4 train.py\n")
    one, two = ((tmp_path / name / "train.py").as_posix() for name in ("one", "two"))
    assert facts.told_local_rank == {one: (tmp_path / "one" / "run.sh").as_posix()}
    files = SettingsFiles(tmp_path, facts.jobs)
    assert [files.given_for(script, "deepspeed_config") for script in (one, two)] == [{"ds.json"}, frozenset()]
    assert facts.processes == {one: 4, two: 8}
    for scripts_named, expected in (
        (facts.with_local_rank, one),
        (facts.by_several, one),
        (facts.by_torchrun, two),
        (facts.on_several_nodes, two),
    ):
        assert scripts_named.has(expected)
        assert not scripts_named.has((tmp_path / "train.py").as_posix())
    assert not facts.by_torchrun.has(one) and not facts.with_local_rank.has(two)


def test_a_variable_may_be_set_by_the_files_near_a_script_and_by_those_that_name_it(
    tmp_path: Path, scripts: LaunchPaths
) -> None:
    facts = _facts(tmp_path, scripts, one__run="export IN_ONE=1\n", a__run="export IN_A=1\npython ../two/train.py\n")
    one, two, tool = ((tmp_path / name).as_posix() for name in ("one/train.py", "two/train.py", "one/tools/train.py"))
    assert [facts.may_set("IN_ONE", script) for script in (one, tool, two)] == [True, True, False]
    assert [facts.may_set("IN_A", script) for script in (one, tool, two)] == [False, False, True]


def test_a_launch_file_that_names_no_script_speaks_of_its_package(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(tmp_path, scripts, one__job="#SBATCH --nodes 2\nsrun $COMMAND\n")
    assert facts.on_several_nodes.has((tmp_path / "one" / "tools" / "train.py").as_posix())
    assert not facts.on_several_nodes.has((tmp_path / "two" / "train.py").as_posix())


def test_a_module_is_named_by_its_dots(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(tmp_path, scripts, run="cd src\ntorchrun -m app.main\n")
    assert facts.by_torchrun.paths == {(tmp_path / "src" / "app" / "main.py").as_posix()}


def test_a_module_may_be_one_that_is_installed_from_src(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(tmp_path, scripts, run="torchrun -m app.main\ntorchrun -m main\n")
    assert facts.by_torchrun.paths == {(tmp_path / "src" / "app" / "main.py").as_posix()}


def test_pages_for_people_tell_how_scripts_are_started(tmp_path: Path, scripts: LaunchPaths) -> None:
    page = (
        "# Poems\n\nWrite `torchrun train.py`, or\n\n```bash\n$ torchrun --nproc_per_node 4 one/train.py --epochs 3\n"
        "accelerate launch --config_file a.yaml two/train.py\n```\n\n```python\nprint('torchrun a/eval.py')\n```\n"
    )
    pages = [((tmp_path / "README.md").as_posix(), page)]
    jobs = read_jobs([], tmp_path, [tmp_path / script for script in _SCRIPTS], scripts, pages)
    one, two = ((tmp_path / name / "train.py").as_posix() for name in ("one", "two"))
    facts = launch_facts(jobs)
    assert jobs.launches == []  # nobody judges them
    assert facts.launched == {one, two}
    assert facts.processes == {one: 4}
    assert facts.arguments == {one: {"epochs": "3"}}


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        ("python -m torch.distributed.launch --nproc_per_node=8 ./train.py \n    --epochs 3\n", True),
        ("# on eight GPUs\nOMP_NUM_THREADS=1 torchrun --nproc_per_node 8 train.py\n", True),
        ("uv run torchrun --nproc_per_node 8 train.py\n", True),
        ("deepspeed = initialize()\n", False),
        ("python = 3\ntorchrun = 'torchrun train.py'\n", False),
        ("import os\nos.system('torchrun --nproc_per_node 8 train.py')\n", False),
    ],
)
def test_a_command_in_a_fence_of_another_language(
    tmp_path: Path, scripts: LaunchPaths, body: str, is_read: bool
) -> None:
    pages = [((tmp_path / "README.md").as_posix(), f"```python\n{body}```\n")]
    jobs = read_jobs([], tmp_path, [tmp_path / script for script in _SCRIPTS], scripts, pages)
    assert bool(launch_facts(jobs).by_several.paths) is is_read


@pytest.mark.parametrize(
    ("page", "text", "shows"),
    [
        ("docs/ppo.md", "```\ntorchrun --nproc_per_node 2 ppo.py\n```", True),
        ("docs/ppo.md", "as `python -m torch.distributed.run` does", True),
        ("docs/ppo.md", "the run of DeepSpeed", False),
        ("docs/ppo.rst", "torchrun --nproc_per_node 2 ppo.py", False),
        ("README.md", "", True),
    ],
)
def test_other_pages_show_starts_by_what_is_in_them(page: str, text: str, shows: bool) -> None:
    assert shows_starts(page.rpartition("/")[2], text) is shows


def test_what_is_near_launches_on_one_node(tmp_path: Path, scripts: LaunchPaths) -> None:
    one, two = "torchrun --nproc_per_node 4 train.py\n", "torchrun --nnodes 2 --nproc_per_node 4 train.py\n"
    facts = _facts(tmp_path, scripts, one__run=one, two__run=two)
    assert facts.on_one_node == {(tmp_path / "one").as_posix()}
    assert facts.on_more_nodes == {(tmp_path / "two").as_posix()}


@pytest.mark.parametrize(("more", "is_near"), [("", True), ("torchrun eval.py\n", False)])
def test_what_is_near_launches_by_the_old_launcher(
    tmp_path: Path, scripts: LaunchPaths, more: str, is_near: bool
) -> None:
    facts = _facts(tmp_path, scripts, one__run="python -m torch.distributed.launch gone.py\n" + more)
    assert facts.by_old_launcher.has((tmp_path / "one" / "train.py").as_posix()) is is_near


def test_pages_with_the_line_ends_of_windows(tmp_path: Path, scripts: LaunchPaths) -> None:
    text = "Train:\n```bash\nmpirun -n 8 python train.py \\\n    --epochs 3\n```\n".replace("\n", "\r\n")
    pages = [((tmp_path / "TRAIN.md").as_posix(), text)]
    jobs = read_jobs([], tmp_path, [tmp_path / script for script in _SCRIPTS], scripts, pages)
    facts = launch_facts(jobs)
    assert facts.by_several.paths == {(tmp_path / "train.py").as_posix()}
    assert list(facts.arguments.values()) == [{"epochs": "3"}]


@pytest.mark.parametrize("page", ["README_zh.md", "GETTING_STARTED.md", "docs/finetune.md", "how-to-train.md"])
def test_what_a_reader_fills_in_is_no_file_of_a_shell(tmp_path: Path, scripts: LaunchPaths, page: str) -> None:
    assert is_guide(Path(page).name)
    text = "```sh\ntorchrun --nproc_per_node <number of GPUs> train.py --data <folder> --epochs 3\n```\n"
    path = (tmp_path / page).as_posix()
    jobs = read_jobs([], tmp_path, [tmp_path / script for script in _SCRIPTS], scripts, [(path, text)])
    train = (tmp_path / "train.py").as_posix()
    assert launch_facts(jobs).launched == {train}
    assert [word.source for word in jobs.told[0].arguments][2:] == ["--epochs", "3"]


@pytest.mark.parametrize("page", ["CHANGELOG.md", "LICENSE.md", "model_card.md", "train.py"])
def test_pages_about_something_else(page: str) -> None:
    assert not is_guide(page)


def test_settings_that_a_script_reads_into_itself(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(
        tmp_path,
        scripts,
        one__run='source "$(dirname "$0")/settings.sh"\n. ./gone.sh\ntorchrun --nproc_per_node $GPUS train.py $MORE\n',
        one__settings="export GPUS=6\nrm -r results\n",
    )
    one = (tmp_path / "one" / "train.py").as_posix()
    assert facts.processes == {one: 6}
    assert one not in facts.without_others


def test_options_that_all_launches_give(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(
        tmp_path,
        scripts,
        run="torchrun train.py --lr 0.1 --batch-size=32 --amp\ntorchrun train.py --batch-size 32 --lr 0.2\n",
    )
    train = (tmp_path / "train.py").as_posix()
    assert facts.arguments == {train: {"batch_size": "32"}}
    assert facts.without_others == {train: {"lr", "batch_size", "amp"}}


def test_a_launch_in_a_container_says_nothing_of_the_package(tmp_path: Path, scripts: LaunchPaths) -> None:
    facts = _facts(tmp_path, scripts, one__job="#SBATCH --nodes 2\nsrun torchrun /image/elsewhere.py\n")
    assert not facts.on_several_nodes.has((tmp_path / "one" / "tools" / "train.py").as_posix())


def test_sizes_count_only_where_all_lines_agree(tmp_path: Path, scripts: LaunchPaths) -> None:
    start = "torchrun --nproc_per_node {} {}\n"
    texts = {
        "a": start.format(4, "train.py") + start.format(2, "one/train.py"),
        "b": start.format(4, "train.py") + start.format(8, "one/train.py"),
    }
    assert _facts(tmp_path, scripts, **texts).processes == {(tmp_path / "train.py").as_posix(): 4}


@pytest.mark.parametrize(
    ("line", "is_alone"),
    [
        ("python train.py --lr 0.1", True),
        ("CUDA_VISIBLE_DEVICES=0 python train.py", True),
        ("torchrun train.py", False),
        ("srun python train.py", False),
        ("ibrun python train.py", False),
        ("python train.py &", False),
        ("RANK=0 WORLD_SIZE=2 python train.py", False),
        ("python train.py --world-size 2 --rank 0", False),
        ("for seed in 1 2; do python train.py --seed $seed; done", True),
        ("for seed in 1 2; do python train.py --seed $seed & done", False),
        ("python train.py\ntorchrun train.py", False),
    ],
)
def test_scripts_that_are_started_as_one_process(
    line: str, is_alone: bool, tmp_path: Path, scripts: LaunchPaths
) -> None:
    facts = _facts(tmp_path, scripts, run=f"{line}\n")
    assert ((tmp_path / "train.py").as_posix() in facts.alone) is is_alone


def test_options_of_launches_of_several_processes(tmp_path: Path, scripts: LaunchPaths) -> None:
    lines = "torchrun train.py --amp\npython train.py --export\npython one/train.py --export\n"
    facts = _facts(tmp_path, scripts, run=lines)
    assert facts.of_jobs == {(tmp_path / "train.py").as_posix(): {"amp"}}


def test_folders_that_launches_make(tmp_path: Path, scripts: LaunchPaths) -> None:
    lines = (
        "mkdir -p runs/$1/logs models\n"
        "torchrun train.py --log-dir=runs/$1/ --out models --cache cache --data data\n"
        "torchrun train.py --out elsewhere\nmkdir cache\n"
    )
    facts = _facts(tmp_path, scripts, run=lines)
    assert facts.made_folders == {(tmp_path / "train.py").as_posix(): {"log_dir"}}
