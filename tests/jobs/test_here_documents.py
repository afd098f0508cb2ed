"""Texts that shell scripts hold: configurations that they write before a launch names them, and scripts for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.job import Job
from ddl_lint.jobs.launch_facts import launch_facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import Jobs, read_jobs
from ddl_lint.jobs.shell import read_shell

_ZERO = '{"zero_optimization": {"stage": 3}}\n'
_LAUNCH = "deepspeed train.py --deepspeed_config ds.json\n"


def _read(root: Path, text: str) -> Jobs:
    script = root / "train.py"
    paths = LaunchPaths([script], Neighbourhood(root.as_posix(), [script.as_posix()]))
    jobs = read_jobs([JobFile((root / "run.sh").as_posix(), "shell", text)], root, [script], paths)
    jobs.read = lambda path: Path(path).read_text() if Path(path).is_file() else None
    return jobs


def _jobs(root: Path, text: str) -> tuple[Job, ...]:
    return launch_facts(_read(root, text)).jobs.get((root / "train.py").as_posix(), ())


@pytest.mark.parametrize(
    "text",
    [
        f"cat <<EOT > ds.json\n{_ZERO}EOT\n{_LAUNCH}",
        f"cat > ./ds.json << 'EOT'\n{_ZERO}EOT\n{_LAUNCH}",
        f"cat <<EOT | tee ds.json\n{_ZERO}EOT\n{_LAUNCH}",
        f"tee ds.json <<EOT > /dev/null\n{_ZERO}EOT\n{_LAUNCH}",
        f"echo '{_ZERO}' > ds.json\n{_LAUNCH}",
        'S=3\ncat <<EOT > ds.json\n{"zero_optimization": {"stage": $S}, "x": $X, "y": "$Y"}\nEOT\n' + _LAUNCH,
        f"F=$OUT/ds.json\ncat <<EOT > $F\n{_ZERO}EOT\ndeepspeed train.py --deepspeed_config=$F\n",
        f"if [ ! -f ds.json ]; then\ncat <<EOT > ds.json\n{_ZERO}EOT\nfi\n{_LAUNCH}",
        f"cat <<EOT > ds.json\n{{}}\nEOT\ncat <<EOT > ds.json\n{_ZERO}EOT\n{_LAUNCH}",
    ],
)
def test_a_configuration_that_the_script_writes(tmp_path: Path, text: str) -> None:
    (tmp_path / "ds.json").write_text("{}")  # the one of the last run
    (job,) = _jobs(tmp_path, text)
    assert job.asked_engine.value is not None
    assert job.asked_engine.value.stage == 3


@pytest.mark.parametrize(
    "text",
    [
        'cat <<EOT > ds.json\n{"zero_optimization": {"stage": $S}}\nEOT\n' + _LAUNCH,
        f"if x; then\ncat <<A > ds.json\n{{}}\nA\nelse\ncat <<A > ds.json\n{_ZERO}A\nfi\n{_LAUNCH}",
        f"cat <<EOT > other.json\n{_ZERO}EOT\n{_LAUNCH}",
        f"{_LAUNCH}cat <<EOT > ds.json\n{_ZERO}EOT\n",
    ],
)
def test_a_configuration_that_is_not_known(tmp_path: Path, text: str) -> None:
    (job,) = _jobs(tmp_path, text)
    assert job.asked_engine.value is not None
    assert job.asked_engine.value.stage is None


def test_settings_of_accelerate_that_the_script_writes(tmp_path: Path) -> None:
    settings = "distributed_type: FSDP\nnum_processes: 8\n"
    launch = "accelerate launch --config_file a.yaml train.py\n"
    (job,) = _jobs(tmp_path, f"cat > a.yaml <<EOF\n{settings}EOF\n{launch}")
    assert job.engine.value is not None
    assert job.engine.value.title == "FSDP"
    assert job.world_size.value == 8


def test_a_configuration_in_a_variable_is_no_usual_one(tmp_path: Path) -> None:
    launch = "accelerate launch --use_deepspeed --deepspeed_config_file $FILE train.py\n"
    (job,) = _jobs(tmp_path, launch)
    assert job.engine.value is not None
    assert job.engine.value.stage is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("bash <<EOF\ntorchrun --nproc_per_node 4 train.py\nEOF\n", 4),
        ("N=4\nssh host bash -s <<EOF\ntorchrun --nproc_per_node $N train.py\nEOF\n", 4),
        ("ssh host <<'EOF'\ntorchrun --nproc_per_node $N train.py\nEOF\n", None),
        ("srun --nodes 2 bash <<EOF && echo\ntorchrun --nnodes 2 --nproc_per_node 4 train.py\nEOF\n", 8),
        ("sbatch <<EOF\n#!/bin/bash\n#SBATCH -N 2 --ntasks-per-node 4\nsrun python train.py\nEOF\n", 8),
        ("N=2\ncat <<EOF | sbatch\n#SBATCH -N $N --ntasks-per-node 4\nsrun python train.py\nEOF\n", 8),
        ("sbatch <<EOF\n#SBATCH -N $N --ntasks-per-node 4\nsrun python train.py\nEOF\n", None),
        ("sbatch -N 3 <<EOF\n#SBATCH -N 2 --ntasks-per-node 4\nsrun python train.py\nEOF\n", None),
        ("cat > job.sbatch <<EOF\n#SBATCH -N 2 --ntasks-per-node 4\nsrun python train.py\nEOF\n", 8),
    ],
)
def test_a_script_for_a_shell_or_a_batch_system(tmp_path: Path, text: str, size: int | None) -> None:
    (job,) = _jobs(tmp_path, text)
    assert job.world_size.value == size


def test_what_others_read_is_no_launch(tmp_path: Path) -> None:
    assert not _jobs(tmp_path, "python - <<EOF\nimport train\nEOF\ncat <<EOF\ntorchrun train.py\nEOF\n")


def test_places_are_those_in_the_script() -> None:
    text = 'B=64\ncat <<EOT > ds.json\n{"a": "\\$x", "b": $B, "cé": 1}\nEOT\n'
    (document,) = read_shell(Excerpt("/run.sh", text)).here
    data = document.content.data()
    assert data.text == '{"a": "$x", "b": 64, "cé": 1}\n'
    for meant, written in (('"b": 64', '"b": $B'), ('"cé"', '"cé"'), ("64", "$B")):
        place = data.place(data.text.index(meant), data.text.index(meant) + len(meant))
        assert text[place.start : place.end] == written
