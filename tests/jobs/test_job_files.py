"""Dockerfiles, Makefiles, batch scripts, containers and requirements, with their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.dockerfile import read_dockerfile, variables
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import kind_of
from ddl_lint.jobs.files import JobFile, job_file
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.makefile import make_variables, recipes
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import Jobs, read_jobs
from ddl_lint.jobs.requirements import units_of
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.slurm import read_directives
from ddl_lint.jobs.spelling import misspelt


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("run.sh", "shell"),
        ("job.sbatch", "shell"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.gpu", "dockerfile"),
        ("dockerfile.py", None),
        ("Makefile", "makefile"),
        ("requirements-dev.txt", "requirements"),
        ("notes.txt", None),
        ("environment.yml", "environment"),
        ("job.yaml", "yaml"),
        ("ds.json", "json"),
        ("pyproject.toml", "pyproject"),
        ("train.py", None),
    ],
)
def test_kinds(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_a_dockerfile() -> None:
    text = (
        'FROM a:1 AS x\nENV A=1 B="two words"\n# comment\nRUN pip install \\\n    # why\n    torch\n'
        'FROM b\nRUN <<EOF\nls\nEOF\nCMD ["torchrun", "train.py"]\n'
    )
    found = read_dockerfile("/Dockerfile", text)
    assert [(each.name, each.stage) for each in found] == [
        ("FROM", 0),
        ("ENV", 0),
        ("RUN", 0),
        ("FROM", 1),
        ("RUN", 1),
        ("CMD", 1),
    ]
    assert {name: word.value for name, word in variables(found[1]).items()} == {"A": "1", "B": "two words"}
    words = [word.value for word in read_shell(found[2].value).commands[0].words]
    assert words == ["pip", "install", "torch"]
    command = found[-1].words
    assert command is not None
    assert [text[word.location.start : word.location.end] for word in command] == ['"torchrun"', '"train.py"']


def test_a_makefile() -> None:
    text = "N = 4\ntrain:\n\t@torchrun --n=$(N) $$HOME \\\n\t  train.py\n"
    (recipe,) = recipes("/Makefile", text)
    command = read_shell(recipe, make_variables("/Makefile", text)).commands[0]
    assert [word.value for word in command.words] == ["torchrun", "--n=4", None, "train.py"]
    assert text[command.words[-1].location.start : command.words[-1].location.end] == "train.py"


@pytest.mark.parametrize(
    ("lines", "nodes", "tasks", "gpus"),
    [
        ("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:a100:4", 2, 4, 4),
        ("#SBATCH -N 2 -n 8\n#SBATCH --gpus-per-node=8 # all", 2, 4, 8),
        ("#SBATCH -N2\n#SBATCH --gpus=8", 2, 1, 4),
        ("#SBATCH --nodes=2-4\n#SBATCH --gres=gpu", None, 1, 1),
        ("#SBATCH --gres=gpu:2,nvme:1", 1, 1, 2),
        ("#SBATCH --gpus-per-task=1\n#SBATCH --ntasks-per-node=4", 1, 4, 4),
    ],
)
def test_directives(lines: str, nodes: int | None, tasks: int | None, gpus: int | None) -> None:
    found = read_directives(Excerpt("/job.sh", f"#!/bin/bash\n{lines}\nsrun x\n"))
    assert found is not None
    assert (found.nodes, found.tasks_per_node, found.gpus_per_node) == (nodes, tasks, gpus)


def test_late_and_loose_directives() -> None:
    text = "#!/bin/bash\n#SBATCH --nodes=1\n# SBATCH --time=1\nls\n#SBATCH --gres=gpu:4\n"
    found = read_directives(Excerpt("/job.sh", text))
    assert found is not None
    assert [(each.name, each.is_late) for each in found.all] == [("nodes", False), ("gres", True)]
    assert len(found.loose) == 1 and set(found.effective) == {"nodes"}


def jobs_of(files: dict[str, str], scripts: tuple[str, ...] = ("/p/train.py",)) -> Jobs:
    known = [file for name, text in files.items() if (file := job_file(f"/p/{name}", text)) is not None]
    paths = [Path(script) for script in scripts]
    return read_jobs(known, Path("/p"), paths, LaunchPaths(paths, Neighbourhood("/p", scripts)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "torchrun --nproc_per_node 2 train.py\n"),
        ("Makefile", "train:\n\ttorchrun --nproc_per_node 2 train.py\n"),
        ("Dockerfile", 'FROM x\nCMD ["torchrun", "--nproc_per_node", "2", "train.py"]\n'),
        ("Dockerfile", 'FROM x\nCMD ["sh", "-c", "torchrun --nproc_per_node 2 train.py"]\n'),
        ("compose.yaml", "services:\n  a:\n    command: torchrun --nproc_per_node 2 train.py\n"),
        ("compose.yaml", "services:\n  a:\n    command: [torchrun, --nproc_per_node, '2', train.py]\n"),
        (
            "pod.yaml",
            "kind: Pod\nspec:\n  containers:\n  - name: a\n    command: [sh, -c]\n    args:\n"
            "    - |\n      cd x\n      cd ..\n      torchrun --nproc_per_node 2 train.py\n",
        ),
    ],
)
def test_hosts_of_launch_lines(name: str, text: str) -> None:
    (launch,) = jobs_of({name: text}).launches
    assert launch.script == "/p/train.py" and launch.world_size == 2
    assert launch.entry is not None
    start, end = launch.entry.location.start, launch.entry.location.end
    assert text[start:end].strip('"') in ("train.py", "torchrun --nproc_per_node 2 train.py", "train.py")


def test_templates_are_not_read() -> None:
    assert not jobs_of({"job.yaml": "kind: Pod\nspec: {containers: [{name: {{ x }}, command: [torchrun]}]}\n"}).launches


def unit(name: str, text: str) -> dict[str, str]:
    file = JobFile(f"/p/{name}", kind_of(name) or "requirements", text)
    (found,) = units_of(file)
    assert all(text[pin.location.start : pin.location.end].strip("\"' -") for pin in found.pins)
    return {pin.name: str(pin.exact or pin.specifier) for pin in found.pins}


def test_requirements() -> None:
    text = "torch==2.4.0+cu118 # why\n-r base.txt\n--extra-index-url https://x\n"
    text += "NumPy >= 1.2, <2 ; python_version > '3'\n\n"
    assert unit("requirements.txt", text + "a @ git+https://x/a\nhorovod[pytorch]==0.28 \\\n  --hash=sha256:1\n") == {
        "torch": "2.4.0",
        "numpy": "<2,>=1.2",
        "a": "",
        "horovod": "0.28",
    }


def test_environments_and_projects() -> None:
    text = "dependencies:\n  - pytorch=2.1.0=py3\n  - pip\n  - pip:\n    - deepspeed>=0.14\n"
    assert unit("environment.yml", text) == {"torch": "2.1.0", "pip": "", "deepspeed": ">=0.14"}
    assert unit("pyproject.toml", '[project]\nname = "x"\ndependencies = [\n  "torch==2.4.1",\n]\n') == {
        "torch": "2.4.1"
    }


@pytest.mark.parametrize(
    ("word", "meant"), [("gradient_cliping", "gradient_clipping"), ("stage", ""), ("stgae", "stage"), ("xyz", "")]
)
def test_misspelt(word: str, meant: str) -> None:
    assert misspelt(word, ["gradient_clipping", "stage"]) == meant


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "torch==" + "9" * 5000 + "\n"),
        ("environment.yml", "dependencies:\n  - pytorch=" + "9" * 5000 + "\n"),
    ],
)
def test_a_number_that_nobody_can_read_is_no_version(name: str, text: str):
    file = job_file(name, text)
    assert file is not None
    assert all(pin.exact is None for unit in units_of(file) for pin in unit.pins)
