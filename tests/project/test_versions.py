"""Which versions a project may run with: read from files that may hold anything."""

from __future__ import annotations

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.pinning import pinning_files
from ddl_lint.jobs.pins import read_versions
from ddl_lint.jobs.requirements import units_of
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules


def bounds(folder, package="torch", target=None):
    known = read_versions(pinning_files(folder), target or {}).ranges.get(package)
    return None if known is None else tuple(None if each is None else str(each) for each in (known.low, known.high))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch==2.1.2+cu118", ("2.1.2", "2.1.2.1")),
        ("torch == 2.1.*", ("2.1", "2.2")),
        ("torch>=2.0,<2.3 ; python_version >= '3.9'  # tested", ("2.0", "2.3")),
        ("torch~=2.1", ("2.1", "3")),
        ("torch>1.13", ("1.13", None)),
        ("torch<=2.2", (None, "2.2.1")),
        ("torch", None),
        ("torch!=2.0", None),
        ("-r torch==2.1", None),
        ("torch @ https://example.org/torch.whl", None),
        ("torch==two", None),
    ],
)
def test_requirements(tmp_path, line, expected):
    (tmp_path / "requirements.txt").write_text(f"numpy\n{line}\n", encoding="utf-8")
    assert bounds(tmp_path) == expected


def test_lines_for_several_platforms_are_taken_together(tmp_path):
    text = "torch==2.1.0 ; sys_platform == 'linux'\ntorch==2.4.0 ; sys_platform == 'darwin'\n"
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    assert bounds(tmp_path) == ("2.1.0", "2.4.0.1")


def test_the_most_exact_file_is_believed(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch>=2.0"]\n', encoding="utf-8")
    assert bounds(tmp_path) == ("2.0", None)
    (tmp_path / "environment.yml").write_text("dependencies: [pytorch=2.1]\n", encoding="utf-8")
    assert bounds(tmp_path) == ("2.1", "2.2")
    (tmp_path / "requirements.txt").write_text("torch>=2.2\n", encoding="utf-8")
    assert bounds(tmp_path) == ("2.2", None)
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "torch"\nversion = "2.4.1"\n', encoding="utf-8")
    assert bounds(tmp_path) == ("2.4.1", "2.4.1.1")
    assert bounds(tmp_path, target={"torch": "1.13"}) == ("1.13", "1.13.1")


@pytest.mark.parametrize(
    ("entry", "package", "versions"),
    [
        ("tensorflow-gpu=2.3", "tensorflow", ("2.3", "2.4")),
        ("nvidia::pytorch-gpu>=1.2,<2", "torch", ("1.2", "2")),
        ("pytorch=2.1.0=py3.10_cuda11.8_0", "torch", ("2.1.0", "2.1.0.1")),
        ("pytorch=?", "torch", None),
    ],
)
def test_an_environment_says_the_same_of_versions_and_to_rules(tmp_path, entry, package, versions):
    file = tmp_path / "environment.yml"
    file.write_text(f'dependencies: ["{entry}"]\n', encoding="utf-8")
    assert bounds(tmp_path, package=package) == versions
    (unit,) = units_of(JobFile(str(file), "environment", file.read_text(encoding="utf-8")))
    assert [pin.name for pin in unit.pins] == [package]


def test_other_files(tmp_path):
    (tmp_path / "setup.cfg").write_text("[options]\ninstall_requires =\n    torch>=1.10\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.poetry.dependencies]\ntrl = "^0.9"\n', encoding="utf-8")
    assert bounds(tmp_path) == ("1.10", None)
    assert bounds(tmp_path, "trl") == ("0.9", "0.10")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "Dockerfile",
            "FROM ubuntu\nRUN apt-get update && \\\n    A=1 pip install -q torch==2.1.2 && ldconfig\n",
            "2.1.2",
        ),
        ("docker/Dockerfile.gpu", "FROM ubuntu\nARG TORCH=2.1.2\nRUN pip install torch==${TORCH}\n", "2.1.2"),
        ("Docker/Dockerfile", "FROM pytorch/pytorch:2.1.2-cuda12.1-cudnn8-runtime\n", "2.1.2"),
        ("Dockerfile", "FROM horovod/horovod:0.20.0-tf2.3.0-torch2.1.2-py3.7-cuda10.1\n", "2.1.2"),
        ("install.sh", "#!/bin/bash\npython -m pip install torch==2.1.2 numpy\n", "2.1.2"),
        ("env.sh", "conda install -y -c pytorch pytorch==2.1.2\n", "2.1.2"),
        ("Dockerfile", "FROM ubuntu\nRUN pip install torch\n", None),
        ("Dockerfile", "FROM ubuntu\nRUN pip install git+https://github.com/pytorch/pytorch@v2.1.2\n", None),
        ("install.sh", "if [ -n $GPU ]; then\n  pip install torch==2.1.2\nfi\n", None),
        ("install.sh", "echo pip install torch==2.1.2\n", None),
        ("other/Dockerfile", "FROM ubuntu\nRUN pip install torch==2.1.2\n", None),
    ],
)
def test_commands_that_install(tmp_path, path, text, expected):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text, encoding="utf-8")
    assert bounds(tmp_path) == (None if expected is None else (expected, f"{expected}.1"))


def test_images_are_alternatives(tmp_path):
    for name, version in (("Dockerfile", "2.1.0"), ("Dockerfile.new", "2.4.0")):
        (tmp_path / name).write_text(f"FROM ubuntu\nRUN pip install torch=={version}\n", encoding="utf-8")
    (tmp_path / "setup.sh").write_text("pip install torch==1.8\n", encoding="utf-8")
    assert bounds(tmp_path) == ("2.1.0", "2.4.0.1")
    (tmp_path / "requirements.txt").write_text("torch==2.2\n", encoding="utf-8")
    assert bounds(tmp_path) == ("2.2", "2.2.1")


@pytest.mark.parametrize(
    "name",
    ["Dockerfile", "install.sh", "requirements.txt", "environment.yml", "pyproject.toml", "setup.cfg", "uv.lock"],
)
@pytest.mark.parametrize(
    "text", ["", "\x00", "[[", "- [", "torch==" + "9" * 5000, "dependencies: 3", "[" * 5000, "a: &a [*a]"]
)
def test_broken_files_say_nothing(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    read_versions(pinning_files(tmp_path), {})


def test_large_files_are_not_read(tmp_path):
    (tmp_path / "requirements.txt").write_text("torch==2.1\n" + "#" * 5_000_000, encoding="utf-8")
    assert bounds(tmp_path) is None


@pytest.mark.parametrize(("version", "severities"), [("1.12", []), ("2.1", ["info"]), ("2.13", ["info", "info"])])
def test_the_target_of_the_settings_counts(tmp_path, version, severities):
    file = tmp_path / "train.py"
    file.write_text(
        "import torch.distributed as dist\n\n\ndef gather(out, x):\n    dist._all_gather_base(out, x)\n"
        "    dist.all_gather_into_tensor(out, x)\n",
        encoding="utf-8",
    )
    settings = Settings(target={"torch": version}, select=("deprecated-distributed-api",))
    report = check_project([file], lambda _: settings, load_rules())
    assert [finding.severity.value for finding in report.findings if finding.severity] == severities
